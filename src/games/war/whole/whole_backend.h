/* Another machine room for the passes of the whole-board solver: a graphics card, or several machines. Backends are
 * shared objects of their own, loaded when they are asked for, so that the program itself needs neither CUDA nor MPI.
 */
#ifndef SORTIE_GAMES_WAR_WHOLE_WHOLE_BACKEND_H
#define SORTIE_GAMES_WAR_WHOLE_WHOLE_BACKEND_H

#include "games/war/whole/whole_pass.h"

struct whole_backend {
    const char *name;
    double pace; /* about how many positions a second it makes */
    /* Makes ready for a board; NULL with a text when it cannot (no card, not enough memory). */
    void *(*open)(const struct whole_board *board, struct error *error);
    const char *(*describe)(void *state); /* "NVIDIA H200" */
    /* Bytes a second its memory moves, measured by copying; NULL where that says nothing. */
    double (*bandwidth)(void *state);
    /* Like whole_pass_run; STATUS_FAIL when the machine failed. *finished is false when it was stopped. */
    enum status (*run)(void *state, int32_t target, const struct whole_watch *watch, struct whole_answers *answers,
                       bool *finished, struct error *error);
    void (*close)(void *state);
    /* Of several processes: which one this is, and what all but the first do instead of asking. NULL otherwise. */
    int (*rank)(void);
    enum status (*serve)(const struct whole_board *board, struct error *error);
    double (*traffic)(void *state); /* bytes that went between processes, those of this one; NULL: none do */
};

/* The one symbol of such a shared object. */
#define WHOLE_BACKEND_SYMBOL "sortie_whole_backend"

#endif
