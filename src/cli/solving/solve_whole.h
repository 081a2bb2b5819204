/* sortie solve --whole: war boards by all their positions at once. */
#ifndef SORTIE_CLI_COMMANDS_SOLVE_WHOLE_H
#define SORTIE_CLI_COMMANDS_SOLVE_WHOLE_H

#include "cli/cli.h"
#include "engine/engine.h"

struct solve_whole {
    bool all;
    bool json;
    bool speed;      /* also how fast passes were, against the memory */
    int threads;     /* 0: all of the machine's */
    const char *on;  /* "cpu", "cuda", a kernel of the processor; NULL: a card where there is one with room */
    const char *map; /* a folder for a heat map of each board's first moves; NULL: none */
};

/* Solves the boards of so many files, one after the other, and prints; the exit status. `engine` is asked for a quick
 * guess. Nothing is solved before all files have been read. */
int solve_whole(const struct solve_whole *options, const struct cli_source *source, char *const *files, int count,
                struct engine *engine);

#endif
