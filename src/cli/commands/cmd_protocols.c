/* The two doors for programs that speak by lines: sortie gomocup and sortie engine. */
#include <stdio.h>
#include <unistd.h>

#include "cli/analysis/board.h"
#include "cli/commands.h"
#include "protocols/lines/lines.h"

static void print_line(void *user, const char *line) {
    (void)user;
    fputs(line, stdout);
    fputc('\n', stdout);
    fflush(stdout);
}

static int run_gomocup(const struct cli_command *command, int argc, char **argv) {
    struct gomocup_options options = {.answer = print_line};
    const struct cli_option table[] = {
        {"threads", 't', CLI_INT, &options.threads, "N", "search with N threads (default 1)", 1, 256},
        {"hash", 0, CLI_SIZE, &options.hash_bytes, "MIB", "memory for tables; the manager may lower it", 0, 0},
        {"no-book", 0, CLI_FLAG, &options.no_book, NULL, "leave the opening book beside the program alone", 0, 0},
        {0},
    };
    int operands;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    if (operands > 0) {
        return cli_usage("gomocup: expected no argument, found '%s'", argv[0]);
    }
    board_lend(&options);
    return gomocup_loop(&options, STDIN_FILENO);
}

const struct cli_command cli_gomocup = {
    .name = "gomocup",
    .summary = "play Gomoku for a Gomocup manager",
    .usage = "[--threads N] [--hash MIB] [--no-book]",
    .details = "Speaks the Gomocup (piskvork) protocol on standard input and output, as pbrain-sortie does.\n",
    .example = "  printf 'START 15\\nINFO timeout_turn 500\\nBEGIN\\nEND\\n' | sortie gomocup\n",
    .run = run_gomocup,
};

static int run_engine(const struct cli_command *command, int argc, char **argv) {
    struct lines_options options = {.overhead = -1, .answer = print_line};
    size_t hash_bytes = 0;
    const struct cli_option table[] = {
        {"threads", 'j', CLI_INT, &options.threads, "COUNT", "threads of the search (default 1)", 1, 256},
        {"hash", 0, CLI_SIZE, &hash_bytes, "SIZE", "memory of the table (default 64M)", 0, 0},
        {0},
    };
    int operands;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    if (operands > 0) {
        return cli_usage("engine: expected no argument, found '%s'", argv[0]);
    }
    options.hash_mib = (int)((hash_bytes + (1 << 20) - 1) >> 20);
    return lines_loop(&options, STDIN_FILENO);
}

const struct cli_command cli_engine = {
    .name = "engine",
    .summary = "play any game by lines, for programs",
    .usage = "[--threads COUNT] [--hash SIZE]",
    .details = "Speaks the line protocol of docs/protocol.md on standard input and output: what UCI is to chess, for\n"
               "every game. Matches play such engines, of anybody, by lines:COMMAND.\n",
    .example = "  printf 'position start gomoku moves H8\\ngo depth 6\\nwait\\n' | sortie engine\n",
    .run = run_engine,
};
