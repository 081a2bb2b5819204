#include "system/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

static void carry_on(int signal_number) {
    (void)signal_number;
}

void standard_begin(void) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) {
            continue;
        }
        /* The lowest free number is this one. Opened the wrong way round, every use of it is an error. */
        if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) {
            _exit(STATUS_FAIL);
        }
    }
    /* A handler, unlike SIG_IGN, is not handed down to programs we start. */
    struct sigaction action = {.sa_handler = carry_on, .sa_flags = SA_RESTART};
    sigaction(SIGXFSZ, &action, NULL);
}

int standard_end(int status) {
    errno = 0;
    bool failed = ferror(stdout) != 0;
    failed = fflush(stdout) != 0 || failed;
    int cause = errno;
    if (fclose(stdout) != 0 && !failed) {
        failed = true;
        cause = errno;
    }
    if (!failed || status != STATUS_OK) {
        return status;
    }
    fprintf(stderr, "sortie: standard output: cannot be written%s%s\n", cause ? ": " : "",
            cause ? strerror(cause) : "");
    return STATUS_FAIL;
}
