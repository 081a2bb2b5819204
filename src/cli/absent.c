/* The commands that run and watch other programs, and those that keep what happened: where a build cannot have them,
 * they say so.
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

static int refuse(const struct cli_command *command, int argc, char **argv, const char *why) {
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
    return cli_usage("%s is not in " HERE ": %s", command->name, why);
}

static int run(const struct cli_command *command, int argc, char **argv) {
    return refuse(command, argc, argv, NEEDED);
}

/* Databases want no more than their library. */
#define SQLITE_NEEDED "it needs SQLite"
static int run_database(const struct cli_command *command, int argc, char **argv) {
    return refuse(command, argc, argv, SQLITE_NEEDED);
}

#define ABSENT_FOR(variable, word, what, needed, function)                                                             \
    const struct cli_command variable = {.name = word,                                                                 \
                                         .summary = what " (" BRIEFLY ")",                                             \
                                         .usage = "",                                                                  \
                                         .details = "Not in " HERE ": " needed ".\n",                                  \
                                         .run = function}
#define ABSENT(variable, word, what) ABSENT_FOR(variable, word, what, NEEDED, run)

ABSENT_FOR(cli_database, "database", "look into a database of analysed positions", SQLITE_NEEDED, run_database);
ABSENT(cli_match, "match", "play matches and tournaments");
#ifdef _WIN32
ABSENT(cli_agent, "agent", "play Gomoku through a referee's folder");
#endif
ABSENT(cli_referee, "referee", "referee a game of Gomoku");
ABSENT(cli_report, "report", "report on matches");
ABSENT(cli_grade, "grade", "grade a class's programs");
ABSENT(cli_check, "check", "try a program before it is handed in");
