/* The commands that need processes, folders and signals as POSIX has them: here they say so. */
#include "cli/commands.h"

static int run(const struct cli_command *command, int argc, char **argv) {
    const struct cli_option table[] = {{0}};
    int operands;
    int exit_status;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            continue;
        }
        if (!cli_parse(command, table, argc, argv, &operands, &exit_status) && exit_status == 0) {
            return 0; /* --help */
        }
        break;
    }
    return cli_usage("%s is not in the Windows version: it starts and watches other programs as POSIX systems do",
                     command->name);
}

#define ABSENT(variable, word, what)                                                                                   \
    const struct cli_command variable = {.name = word,                                                                 \
                                         .summary = what " (not on Windows)",                                          \
                                         .usage = "",                                                                  \
                                         .details =                                                                    \
                                             "Not in the Windows version: it needs processes as POSIX has them.\n",    \
                                         .run = run}

ABSENT(cli_match, "match", "play matches and tournaments");
ABSENT(cli_agent, "agent", "play Gomoku through a referee's folder");
ABSENT(cli_referee, "referee", "referee a game of Gomoku");
ABSENT(cli_report, "report", "report on matches");
ABSENT(cli_grade, "grade", "grade a class's programs");
