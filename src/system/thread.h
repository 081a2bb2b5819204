/* Threads that can search. C libraries give a new thread very different room for its stack: glibc 8 MiB, macOS 512 KiB,
 * musl 128 KiB, in which no search ends. Every thread of ours that searches or proves is begun here. */
#ifndef SORTIE_SYSTEM_THREAD_H
#define SORTIE_SYSTEM_THREAD_H

#include <pthread.h>
#include <stddef.h>

#define THREAD_STACK ((size_t)8 << 20)

/* As pthread_create: 0, or the cause. */
static inline int thread_start(pthread_t *thread, void *(*run)(void *user), void *user) {
#ifdef __wasi__
    return pthread_create(thread, NULL, run, user);
#else
    pthread_attr_t attributes;
    size_t usual = 0;
    int cause = pthread_attr_init(&attributes);
    if (cause) {
        return cause;
    }
    if (pthread_attr_getstacksize(&attributes, &usual) != 0 || usual < THREAD_STACK) {
        pthread_attr_setstacksize(&attributes, THREAD_STACK);
    }
    cause = pthread_create(thread, &attributes, run, user);
    pthread_attr_destroy(&attributes);
    return cause;
#endif
}

#endif
