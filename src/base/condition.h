/* A condition that is waited for with a deadline on the clock that never jumps, the one of clock_wall: somebody who
 * sets the machine's time must not lengthen or shorten a wait. */
#ifndef SORTIE_BASE_CONDITION_H
#define SORTIE_BASE_CONDITION_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "base/stopwatch.h"

/* For pthread_cond_t that condition_wait is used with; pthread_cond_destroy as usual. */
static inline void condition_init(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
#ifndef _WIN32
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
#endif
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* Waits for a signal until clock_wall says `until`; false when it is that late. */
static inline bool condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double until) {
    double left = until - clock_wall();
    if (left <= 0.0) {
        return false;
    }
    struct timespec moment;
#ifdef _WIN32
    clock_gettime(CLOCK_REALTIME, &moment); /* its threads know no other; only progress is drawn by this there */
#else
    clock_gettime(CLOCK_MONOTONIC, &moment);
#endif
    long seconds = (long)left;
    moment.tv_sec += seconds;
    moment.tv_nsec += (long)((left - (double)seconds) * 1e9);
    moment.tv_sec += moment.tv_nsec / 1000000000;
    moment.tv_nsec %= 1000000000;
    return pthread_cond_timedwait(condition, lock, &moment) == 0;
}

#endif
