/* Large zeroed blocks of memory for tables. Nothing is touched before it is used, and the system is asked for huge
 * pages: with small ones a fresh table of 4 GiB costs two threads more time in page faults than the search itself
 * (a 10x10 Laser Checkmate board, two threads, 22 million nodes: 17.7 s of CPU time, with huge pages 2.7 s). */
#ifndef SORTIE_BASE_PAGES_H
#define SORTIE_BASE_PAGES_H

#include <stddef.h>

#ifdef _WIN32

/* In pages_windows.c: the system's header takes words such as "near" away from everybody. */
void *pages_new(size_t bytes);
void pages_free(void *memory, size_t bytes);

#else

#include <sys/mman.h>

/* NULL when there is no memory; given back with pages_free and the same size. */
static inline void *pages_new(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
#ifdef MADV_HUGEPAGE
    if (bytes >= (size_t)1 << 24) {
        madvise(memory, bytes, MADV_HUGEPAGE);
    }
#endif
    return memory;
}

static inline void pages_free(void *memory, size_t bytes) {
    munmap(memory, bytes);
}

#endif

#endif
