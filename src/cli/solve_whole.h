/* sortie solve --whole: war boards by all their positions at once. */
#ifndef SORTIE_CLI_SOLVE_WHOLE_H
#define SORTIE_CLI_SOLVE_WHOLE_H

#include "cli/cli.h"
#include "engine/engine.h"

struct solve_whole {
    bool all;
    bool json;
    int threads;    /* 0: all of the machine's */
    const char *on; /* "cpu", "cuda", or NULL: a card where there is one with room */
};

/* Solves and prints; the exit status. `engine` is asked for a quick guess. */
int solve_whole(const struct solve_whole *options, struct course_request *request, struct engine *engine);

#endif
