/* Every subcommand, one file each: cmd_NAME.c; those that speak a protocol share cmd_protocols.c. */
#ifndef SORTIE_CLI_COMMANDS_H
#define SORTIE_CLI_COMMANDS_H

#include "cli/cli.h"

extern const struct cli_command cli_move;
extern const struct cli_command cli_show;
extern const struct cli_command cli_solve;
extern const struct cli_command cli_perft;
extern const struct cli_command cli_bench;
extern const struct cli_command cli_match;
extern const struct cli_command cli_agent;
extern const struct cli_command cli_referee;
extern const struct cli_command cli_report;
extern const struct cli_command cli_grade;
extern const struct cli_command cli_check;
extern const struct cli_command cli_diff;
extern const struct cli_command cli_swapmap;
extern const struct cli_command cli_analyze;
extern const struct cli_command cli_database;
extern const struct cli_command cli_play;
extern const struct cli_command cli_vcf;
extern const struct cli_command cli_prove;
extern const struct cli_command cli_verify;
extern const struct cli_command cli_expand;
extern const struct cli_command cli_book;
extern const struct cli_command cli_convert;
extern const struct cli_command cli_gomocup;
extern const struct cli_command cli_engine;
extern const struct cli_command cli_serve;

/* Checks a certificate as `sortie verify` does and prints what it proves; NULL: of standard input. The exit status. */
int cli_verify_file(const char *file, bool naive);

#endif
