#include <stdio.h>
#include <unistd.h>

#include "cli/commands.h"
#include "protocols/gomocup/gomocup.h"

static void print_line(void *user, const char *line) {
    (void)user;
    fputs(line, stdout);
    fputc('\n', stdout);
    fflush(stdout);
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct gomocup_options options = {.answer = print_line};
    const struct cli_option table[] = {
        {"threads", 't', CLI_INT, &options.threads, "N", "search with N threads (default 1)", 1, 256},
        {"hash", 0, CLI_SIZE, &options.hash_bytes, "MIB", "memory for tables; the manager may lower it", 0, 0},
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
    return gomocup_loop(&options, STDIN_FILENO);
}

const struct cli_command cli_gomocup = {
    .name = "gomocup",
    .summary = "play Gomoku for a Gomocup manager",
    .usage = "[--threads N] [--hash MIB]",
    .details = "Speaks the Gomocup (piskvork) protocol on standard input and output, as pbrain-sortie does.\n",
    .example = "  printf 'START 15\\nINFO timeout_turn 500\\nBEGIN\\nEND\\n' | sortie gomocup\n",
    .run = run,
};
