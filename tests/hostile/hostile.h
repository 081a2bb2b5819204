/* A class of hostile programs: one binary, whose attack is its own name. Beside it lies target.txt, lines "NAME VALUE"
 * about what is worth attacking. An attack calls leaked() when it got what it must not get; whoever returns plays an
 * honest move. */
#ifndef TESTS_HOSTILE_H
#define TESTS_HOSTILE_H

#include <stdbool.h>
#include <stddef.h>

/* One line an attack. What it must come to: "fine" (played on) when NULL, "any", or the name of a fault; where several
 * are right, with bars between them. */
struct attack {
    const char *name;
    void (*run)(void);
    const char *graded;
    const char *matched; /* NULL: the same */
    /* NULL: with the whole class. "slow": takes all of a short time. "cpu": under a short limit of CPU time. "brain": a
     * brain of Gomoku, matched alone, which never returns. */
    const char *group;
};
/* Each ended by a NULL name. */
extern const struct attack attacks_read[];
extern const struct attack attacks_fill[];
extern const struct attack attacks_files[];
extern const struct attack attacks_others[];
extern const struct attack attacks_doors[];
extern const struct attack attacks_limits[];
extern const struct attack attacks_brain[];
extern const struct attack attacks_class[];

/* The value of a line of target.txt; "" when there is none. */
const char *target(const char *name);
long target_number(const char *name);

/* Answers with "LEAKED WHAT", which no judge takes for a move, and ends. */
_Noreturn void leaked(const char *what);
/* leaked() when the file can be opened for reading, or for writing. */
void try_read(const char *path);
void try_write(const char *path);

/* Answers with the first empty square. */
void play(void);

#endif
