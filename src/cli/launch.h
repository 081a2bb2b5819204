/* Other people's programs, started with a game and ended with it. Each runs in its own process group, so that what it
 * starts ends too. */
#ifndef SORTIE_CLI_LAUNCH_H
#define SORTIE_CLI_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct launch {
    pid_t pid; /* 0: none */
    bool ended;
    int status; /* as waitpid gives it, once ended */
};

/* Runs `command` by the shell in `folder`; what it prints goes to the file `log` there, 16 MiB at most. */
enum status launch_start(struct launch *launch, const char *command, const char *folder, const char *log,
                         struct error *error);
/* False once the program has ended. */
bool launch_alive(struct launch *launch);
/* Waits `grace` seconds for it to end by itself, then ends the whole group. */
void launch_end(struct launch *launch, double grace);

#endif
