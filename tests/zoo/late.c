/* late: how punctual a Gomocup brain is on a busy machine.
 *
 *   late BRAIN MILLISECONDS MOVES BUSY
 *
 * Starts BUSY programs that do nothing but compute, and the brain beside them; asks it for MOVES moves, each with
 * MILLISECONDS, answering by chance. A move is counted from before its question is written until its answer is read.
 * Prints how many were late, and the spread; the exit status is 1 when any was. */
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/stopwatch.h"

#define SIZE 15
#define STONES_A_GAME 60
#define MOST_SECONDS 10

struct brain {
    pid_t pid;
    FILE *to;
    int from;
    char bytes[4096];
    size_t filled;
};

static void fail(const char *what) {
    fprintf(stderr, "late: %s\n", what);
    exit(2);
}

static pid_t start_busy(void) {
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (volatile unsigned long count = 0;; count++) {
        }
    }
    return pid;
}

static void start_brain(struct brain *brain, const char *command) {
    int to[2];
    int from[2];
    if (pipe(to) != 0 || pipe(from) != 0) {
        fail("no pipe");
    }
    brain->pid = fork();
    if (brain->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[1]);
        close(from[0]);
        execlp(command, command, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    brain->to = fdopen(to[1], "w");
    brain->from = from[0];
}

/* The next line of the brain that is no message. */
static void hear(struct brain *brain, char *line, size_t size) {
    for (;;) {
        char *end = memchr(brain->bytes, '\n', brain->filled);
        if (end) {
            size_t length = (size_t)(end - brain->bytes);
            snprintf(line, size, "%.*s", (int)length, brain->bytes);
            brain->filled -= length + 1;
            memmove(brain->bytes, end + 1, brain->filled);
            if (strncmp(line, "MESSAGE", 7) != 0 && strncmp(line, "DEBUG", 5) != 0) {
                return;
            }
            continue;
        }
        struct pollfd watched = {.fd = brain->from, .events = POLLIN};
        if (poll(&watched, 1, 1000 * MOST_SECONDS) <= 0) {
            fail("the brain is silent");
        }
        ssize_t got = read(brain->from, brain->bytes + brain->filled, sizeof brain->bytes - brain->filled);
        if (got <= 0) {
            fail("the brain is gone");
        }
        brain->filled += (size_t)got;
    }
}

static void say(struct brain *brain, const char *line) {
    fprintf(brain->to, "%s\n", line);
    fflush(brain->to);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Plays a free square by chance, and gives the seconds the brain's answer took; -1 when the game is over. */
static double ask(struct brain *brain, struct rng *rng, bool taken[SIZE * SIZE]) {
    char line[256];
    uint32_t square = rng_below(rng, SIZE * SIZE);
    while (taken[square]) {
        square = rng_below(rng, SIZE * SIZE);
    }
    taken[square] = true;
    snprintf(line, sizeof line, "TURN %u,%u", square % SIZE, square / SIZE);
    double before = clock_wall();
    say(brain, line);
    hear(brain, line, sizeof line);
    double seconds = clock_wall() - before;
    unsigned x;
    unsigned y;
    if (sscanf(line, "%u,%u", &x, &y) != 2 || x >= SIZE || y >= SIZE || taken[y * SIZE + x]) {
        return -1;
    }
    taken[y * SIZE + x] = true;
    return seconds;
}

int main(int argc, char **argv) {
    double limit = argc == 5 ? atof(argv[2]) : 0;
    int moves = argc == 5 ? atoi(argv[3]) : 0;
    int busy = argc == 5 ? atoi(argv[4]) : -1;
    if (limit <= 0 || moves <= 0 || busy < 0 || busy > 256) {
        fprintf(stderr, "usage: late BRAIN MILLISECONDS MOVES BUSY\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    struct brain brain = {0};
    struct rng rng = {7};
    pid_t others[256];
    double *times = calloc((size_t)moves, sizeof *times);
    for (int i = 0; i < busy; i++) {
        others[i] = start_busy();
    }
    start_brain(&brain, argv[1]);
    char line[256];
    snprintf(line, sizeof line, "INFO timeout_turn %.0f", limit);
    say(&brain, line);
    int late = 0;
    for (int count = 0; times && count < moves;) {
        bool taken[SIZE * SIZE] = {false};
        say(&brain, "START 15");
        hear(&brain, line, sizeof line);
        double seconds = 0;
        for (int stones = 0; stones < STONES_A_GAME && count < moves && seconds >= 0; stones++) {
            seconds = ask(&brain, &rng, taken);
            if (seconds >= 0) {
                times[count++] = 1e3 * seconds;
                late += 1e3 * seconds > limit;
            }
        }
    }
    say(&brain, "END");
    for (int i = 0; i < busy; i++) {
        kill(others[i], SIGKILL);
    }
    qsort(times, (size_t)moves, sizeof *times, compare);
    printf("%d of %d moves later than %.0f ms beside %d busy programs; half below %.1f, nine tenths below %.1f, "
           "slowest %.1f ms\n",
           late, moves, limit, busy, times[moves / 2], times[moves * 9 / 10], times[moves - 1]);
    free(times);
    return late > 0;
}
