#include "cli/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define MOST_LOG_BYTES ((rlim_t)16 << 20)

/* The child, up to the program; never returns. */
_Noreturn static void become(const char *command, const char *folder, const char *log) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    struct rlimit limit = {MOST_LOG_BYTES, MOST_LOG_BYTES};
    int null = open("/dev/null", O_RDONLY);
    if (chdir(folder) != 0 || null < 0) {
        _exit(127);
    }
    /* A new file: what a program of an earlier game left under the name may be a link to anything. */
    unlink(log);
    int output = open(log, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
    if (output < 0) {
        output = open("/dev/null", O_WRONLY);
    }
    setrlimit(RLIMIT_FSIZE, &limit);
    dup2(null, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    close(null);
    close(output);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

enum status launch_start(struct launch *launch, const char *command, const char *folder, const char *log,
                         struct error *error) {
    *launch = (struct launch){0};
    pid_t pid = fork();
    if (pid < 0) {
        return error_machine(error, "cannot start '%.100s': %s", command, strerror(errno));
    }
    if (pid == 0) {
        become(command, folder, log);
    }
    setpgid(pid, pid); /* whoever comes first; the other call changes nothing */
    launch->pid = pid;
    return STATUS_OK;
}

bool launch_alive(struct launch *launch) {
    if (launch->pid > 0 && !launch->ended && waitpid(launch->pid, &launch->status, WNOHANG) == launch->pid) {
        launch->ended = true;
    }
    return launch->pid > 0 && !launch->ended;
}

static void nap(void) {
    struct timespec pause = {.tv_nsec = 5000000};
    nanosleep(&pause, NULL);
}

void launch_end(struct launch *launch, double grace) {
    if (launch->pid <= 0) {
        return;
    }
    double until = clock_wall() + grace;
    while (launch_alive(launch) && clock_wall() < until) {
        nap();
    }
    /* The group lives on while any process it started does, also when its first one has ended. */
    kill(-launch->pid, SIGTERM);
    until = clock_wall() + 0.3;
    while (launch_alive(launch) && clock_wall() < until) {
        nap();
    }
    kill(-launch->pid, SIGKILL);
    if (!launch->ended) {
        waitpid(launch->pid, &launch->status, 0);
        launch->ended = true;
    }
    launch->pid = 0;
}
