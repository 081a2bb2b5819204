/* The table of subcommands, in the order `sortie help` lists them. */
#include "cli/commands.h"

#include <stddef.h>

#ifdef SORTIE_FIRST /* what `make run` begins with: cmake/first.cmake */

const struct cli_command *const cli_commands[] = {&cli_move, &cli_show, NULL};

#else

/* One a line. */
/* clang-format off */
const struct cli_command *const cli_commands[] = {
    &cli_move,
    &cli_play,
    &cli_show,
    &cli_convert,
    &cli_solve,
    &cli_analyze,
    &cli_database,
    &cli_vcf,
    &cli_prove,
    &cli_expand,
    &cli_verify,
    &cli_book,
    &cli_gomocup,
    &cli_engine,
#ifdef SORTIE_SERVE
    &cli_serve,
#endif
    &cli_match,
    &cli_agent,
    &cli_referee,
    &cli_report,
    &cli_grade,
    &cli_check,
    &cli_diff,
    &cli_swapmap,
    &cli_perft,
    &cli_bench,
    NULL,
};
/* clang-format on */

#endif
