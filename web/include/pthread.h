/* Threads for WebAssembly. Where a page may share memory between workers they are those of web/threads; where it may
 * not, one thread owns every lock, and creating another is refused, so that a searcher goes on with the thread it has.
 */
#ifndef SORTIE_WEB_PTHREAD_H
#define SORTIE_WEB_PTHREAD_H

#include <errno.h>

typedef int pthread_t;
#define PTHREAD_MUTEX_INITIALIZER 0
#define PTHREAD_COND_INITIALIZER 0
#define PTHREAD_ONCE_INIT 0

#ifdef __wasm_atomics__

typedef _Atomic int pthread_mutex_t;
typedef _Atomic int pthread_cond_t;
typedef _Atomic int pthread_once_t;

int pthread_create(pthread_t *thread, const void *attributes, void *(*start)(void *), void *user);
int pthread_join(pthread_t thread, void **result);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_once(pthread_once_t *once, void (*run)(void));

#else

typedef int pthread_mutex_t;
typedef int pthread_cond_t;
typedef int pthread_once_t;

static inline int pthread_create(pthread_t *thread, const void *attributes, void *(*start)(void *), void *user) {
    (void)thread, (void)attributes, (void)start, (void)user;
    return EAGAIN;
}

static inline int pthread_join(pthread_t thread, void **result) {
    (void)thread, (void)result;
    return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

static inline int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    (void)condition, (void)mutex;
    return 0;
}

static inline int pthread_cond_signal(pthread_cond_t *condition) {
    (void)condition;
    return 0;
}

static inline int pthread_cond_broadcast(pthread_cond_t *condition) {
    (void)condition;
    return 0;
}

static inline int pthread_once(pthread_once_t *once, void (*run)(void)) {
    if (*once == 0) {
        *once = 1;
        run();
    }
    return 0;
}

#endif

static inline int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes) {
    (void)attributes;
    *mutex = 0;
    return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

static inline int pthread_cond_init(pthread_cond_t *condition, const void *attributes) {
    (void)attributes;
    *condition = 0;
    return 0;
}

static inline int pthread_cond_destroy(pthread_cond_t *condition) {
    (void)condition;
    return 0;
}

#endif
