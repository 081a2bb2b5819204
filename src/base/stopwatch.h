/* Clocks, all in seconds: the wall, the CPU time of the whole process summed over its threads, and of one thread. */
#ifndef SORTIE_BASE_STOPWATCH_H
#define SORTIE_BASE_STOPWATCH_H

#include <time.h>

static inline double clock_wall(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline double clock_cpu(void) {
#ifdef __wasi__
    return clock_wall(); /* a page has one thread and no CPU clock: the wall serves as both */
#else
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
}

/* The CPU time of the calling thread. */
static inline double clock_thread(void) {
#ifdef __wasi__
    return clock_wall();
#else
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
}

#endif
