/* The two programs of a referee's folder: each in a sandbox of its own, started with the game and ended with it, with
 * everything they started. Both may write the folder of the game and nothing else of the machine.
 *
 * As root, programs have a user number of their own. For the time of the game the folder belongs to it, and what this
 * process makes there too, so that programs can write the referee's files in place. */
#ifndef SORTIE_MATCH_TEAMS_H
#define SORTIE_MATCH_TEAMS_H

#include <limits.h>
#include <sys/types.h>

#include "protocols/folder/folder.h"
#include "results/plan.h"

struct teams {
    struct plan plan; /* the commands, as players of a match */
    struct warden *wardens[2];
    int to_program[2];
    int from_program[2]; /* -1: does not run */
    char path[PATH_MAX]; /* of the folder, without links */
    struct folder *folder;
    uint32_t user; /* who owns the folder now; 0: nobody was made its owner */
    uid_t owner;   /* who owned it before, */
    gid_t group;
    mode_t mode; /* and its rights */
};

/* Reads the commands, each written as that of a player folder:COMMAND, and checks that the folder is one to play in;
 * changes nothing yet. A word that is the team's name stays one, whatever files there are. teams_end comes after this
 * whatever it says. */
enum status teams_prepare(struct teams *teams, const char *path, const char *const names[2],
                          const char *const commands[2], struct error *error);
/* Runs the commands as the teams `names` in the folder, which is open. The word TEAM in a command stands for the name.
 * What a program prints goes to the file NAME.log there. The caller has called warden_secure and has one thread. */
enum status teams_start(struct teams *teams, struct folder *folder, const char *const names[2],
                        const struct warden_limits *limits, struct error *error);
/* False once the program of a team has ended. */
bool teams_alive(struct teams *teams, int team);
/* Gives them `grace` seconds to end by themselves, then ends them, and the folder gets its owner back. */
void teams_end(struct teams *teams, double grace);

#endif
