/* Threads for WebAssembly, of which Debian's C library knows nothing: the page starts a number of workers beforehand,
 * each with an instance of this module on the same memory, and each waits here to be called. So a thread begins without
 * the browser's help, in microseconds, and a search that never returns to its worker's loop can have them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "threads/threads.h"

#define NEVER (-1LL) /* how long to wait, in nanoseconds */

/* What a helper is about; a wait for a change of it is a wait on this number. */
enum { ABSENT, IDLE, CLAIMED, CALLED, FINISHED };

struct helper {
    _Atomic int state;
    void *(*start)(void *user);
    void *user;
};

static struct helper helpers[THREADS_MOST_HELPERS];

/* -- waiting -- */

/* Not inlined: the V8 of Node 20 loses what a function has in registers over this instruction. */
static __attribute__((noinline)) void wait_while(_Atomic int *number, int value) {
    __builtin_wasm_memory_atomic_wait32((int *)number, value, NEVER);
}

static void wake(_Atomic int *number, unsigned count) {
    __builtin_wasm_memory_atomic_notify((int *)number, count);
}

#define EVERYBODY 0xffffffffU

/* -- locks: 0 is free, 1 taken, 2 taken with somebody waiting -- */

static void lock(_Atomic int *word) {
    int seen = 0;
    if (atomic_compare_exchange_strong(word, &seen, 1)) {
        return;
    }
    while (atomic_exchange(word, 2) != 0) {
        wait_while(word, 2);
    }
}

static void unlock(_Atomic int *word) {
    if (atomic_exchange(word, 0) == 2) {
        wake(word, 1);
    }
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    lock(mutex);
    return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    unlock(mutex);
    return 0;
}

/* -- conditions: a number that every signal changes -- */

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    int seen = atomic_load(condition);
    unlock(mutex);
    wait_while(condition, seen);
    lock(mutex);
    return 0;
}

int pthread_cond_signal(pthread_cond_t *condition) {
    atomic_fetch_add(condition, 1);
    wake(condition, 1);
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
    atomic_fetch_add(condition, 1);
    wake(condition, EVERYBODY);
    return 0;
}

/* -- once: 0 not yet, 1 under way, 2 done -- */

int pthread_once(pthread_once_t *once, void (*run)(void)) {
    int seen = atomic_load(once);
    if (seen == 0 && atomic_compare_exchange_strong(once, &seen, 1)) {
        run();
        atomic_store(once, 2);
        wake(once, EVERYBODY);
    }
    while (atomic_load(once) != 2) {
        wait_while(once, 1);
    }
    return 0;
}

/* -- threads -- */

int pthread_create(pthread_t *thread, const void *attributes, void *(*start)(void *), void *user) {
    (void)attributes;
    for (int i = 0; i < THREADS_MOST_HELPERS; i++) {
        struct helper *helper = &helpers[i];
        int seen = IDLE;
        if (atomic_load(&helper->state) == IDLE && atomic_compare_exchange_strong(&helper->state, &seen, CLAIMED)) {
            helper->start = start;
            helper->user = user;
            atomic_store(&helper->state, CALLED);
            wake(&helper->state, EVERYBODY);
            *thread = i;
            return 0;
        }
    }
    return EAGAIN;
}

int pthread_join(pthread_t thread, void **result) {
    struct helper *helper = &helpers[thread];
    (void)result;
    while (atomic_load(&helper->state) == CALLED) {
        wait_while(&helper->state, CALLED);
    }
    atomic_store(&helper->state, IDLE);
    return 0;
}

/* Room for a helper's stack, to be given back by nobody: where it ends, or NULL when there is no memory. */
char *__attribute__((export_name("threads_stack"))) threads_stack(void) {
    char *room = aligned_alloc(16, THREADS_STACK);
    return room ? room + THREADS_STACK : NULL;
}

/* A worker's life: it comes here once, with a stack of its own, and never returns. */
_Noreturn void threads_serve(int index) {
    static _Alignas(16) char locals[THREADS_MOST_HELPERS][THREADS_LOCALS];
    struct helper *helper = &helpers[index];
    threads_locals(locals[index]);
    atomic_store(&helper->state, IDLE);
    for (;;) {
        int seen = atomic_load(&helper->state);
        if (seen == CALLED) {
            helper->start(helper->user);
            atomic_store(&helper->state, FINISHED);
            wake(&helper->state, EVERYBODY);
        } else {
            wait_while(&helper->state, seen);
        }
    }
}

/* How many helpers wait to be called. */
int __attribute__((export_name("threads_idle"))) threads_idle(void) {
    int count = 0;
    for (int i = 0; i < THREADS_MOST_HELPERS; i++) {
        count += atomic_load(&helpers[i].state) == IDLE;
    }
    return count;
}

/* -- what each thread has of its own -- */

void __wasm_init_tls(void *memory); /* the linker's */

void threads_locals(char memory[THREADS_LOCALS]) {
    if (__builtin_wasm_tls_size() > THREADS_LOCALS || __builtin_wasm_tls_align() > 16) {
        __builtin_trap();
    }
    if (__builtin_wasm_tls_size() > 0) {
        __wasm_init_tls(memory);
    }
}

/* The thread that was there first. */
static __attribute__((constructor)) void give_locals(void) {
    static _Alignas(16) char locals[THREADS_LOCALS];
    threads_locals(locals);
}

/* -- the C library's memory, which does not expect two at a time: the linker leads every call here (--wrap) -- */

static _Atomic int memory_lock;

#define GUARDED(type, call)                                                                                            \
    lock(&memory_lock);                                                                                                \
    type result = call;                                                                                                \
    unlock(&memory_lock);                                                                                              \
    return result

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **memory, size_t alignment, size_t size);
void __real_free(void *memory);

void *__wrap_malloc(size_t size) {
    GUARDED(void *, __real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
    GUARDED(void *, __real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size) {
    GUARDED(void *, __real_realloc(memory, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    GUARDED(void *, __real_aligned_alloc(alignment, size));
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t size) {
    GUARDED(int, __real_posix_memalign(memory, alignment, size));
}

void __wrap_free(void *memory) {
    lock(&memory_lock);
    __real_free(memory);
    unlock(&memory_lock);
}
