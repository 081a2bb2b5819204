/* The commands that run and watch other programs, and keep what happened: where a build cannot have them, they say so.
 */
#include "cli/commands.h"

#ifdef _WIN32
#define HERE "the Windows version"
#define BRIEFLY "not on Windows"
#define NEEDED "it starts and watches other programs as POSIX systems do"
#else
#define HERE "this build"
#define BRIEFLY "not in this build"
#define NEEDED "it needs Linux, SQLite and libarchive"
#endif

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
    return cli_usage("%s is not in " HERE ": " NEEDED, command->name);
}

#define ABSENT(variable, word, what)                                                                                   \
    const struct cli_command variable = {.name = word,                                                                 \
                                         .summary = what " (" BRIEFLY ")",                                             \
                                         .usage = "",                                                                  \
                                         .details = "Not in " HERE ": " NEEDED ".\n",                                  \
                                         .run = run}

ABSENT(cli_match, "match", "play matches and tournaments");
#ifdef _WIN32
ABSENT(cli_agent, "agent", "play Gomoku through a referee's folder");
#endif
ABSENT(cli_referee, "referee", "referee a game of Gomoku");
ABSENT(cli_report, "report", "report on matches");
ABSENT(cli_grade, "grade", "grade a class's programs");
ABSENT(cli_check, "check", "try a program before it is handed in");
