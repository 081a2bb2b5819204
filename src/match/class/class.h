/* A class's submissions as players of a match. Each is found and built in the sandbox as `sortie grade` does it; what
 * came of it leaves the sandbox as one tar file, which is unpacked inside again before a game (build= of a player). So
 * nothing a student wrote becomes a file of this machine, and a match is carried on without building again. */
#ifndef SORTIE_MATCH_CLASS_CLASS_H
#define SORTIE_MATCH_CLASS_CLASS_H

#include "grade/grade.h"
#include "results/plan.h"

struct class_options {
    struct grade_options build; /* how submissions are built; the course is found from the plan's game */
    const char *kept;           /* the folder of the tar files, which is there; its path is absolute */
    int depth;                  /* asked of programs; 0: by the clock */
    /* Before each is built; for whom cannot play; and for whom plays, but answered nothing that was asked so far. */
    void (*progress)(void *user, int number, int count, const char *name);
    void (*left_out)(void *user, const char *name, const char *reason);
    void (*warned)(void *user, const char *name, const char *said);
    void *user;
};

/* Adds everybody who can be built. Only a failure of the machine, and an interruption, is an error. The caller has one
 * thread and has called warden_secure. */
enum status class_add_players(struct plan *plan, struct grade *grade, const struct class_options *options,
                              struct error *error);

#endif
