/* The table of subcommands, in the order `sortie help` lists them. */
#include "cli/commands.h"

#include <stddef.h>

const struct cli_command *const cli_commands[] = {
    &cli_move, &cli_show, &cli_perft, &cli_bench, &cli_match, NULL,
};
