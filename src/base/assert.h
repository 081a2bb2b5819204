/* What comments promise, checked where it costs nothing to check: in debug builds, under the sanitizers and in the
 * checks of a change. A release defines NDEBUG, and nothing is left of it there; so a condition must have no effect. */
#ifndef SORTIE_BASE_ASSERT_H
#define SORTIE_BASE_ASSERT_H

#ifdef NDEBUG
#define ASSERT(condition) ((void)sizeof(!(condition)))
#define ASSERT_HELD(lock) ((void)(lock))
#else
#include <stdio.h>
#include <stdlib.h>

/* Says which promise was broken, and ends the process where a debugger can see it. */
static inline __attribute__((noreturn, cold)) void assert_fail(const char *condition, const char *file, int line,
                                                               const char *function) {
    fprintf(stderr, "%s:%d: %s: broken promise: %s\n", file, line, function, condition);
    abort();
}

#define ASSERT(condition)                                                                                              \
    (__builtin_expect(!(condition), 0) ? assert_fail(#condition, __FILE__, __LINE__, __func__) : (void)0)

/* The lock, a pthread_mutex_t, is held: it cannot be taken. By whom is not known, but a caller who has forgotten it is
 * caught as soon as nobody else holds it. */
#define ASSERT_HELD(lock) ASSERT(pthread_mutex_trylock(lock) != 0)
#endif

#endif
