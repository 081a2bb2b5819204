/* Large zeroed blocks of memory for tables. Nothing is touched before it is used, and the system is asked for huge
 * pages: with small ones a fresh table of 4 GiB costs two threads more time in page faults than the search itself
 * (a 10x10 Laser Checkmate board, two threads, 22 million nodes: 17.7 s of CPU time, with huge pages 2.7 s).
 *
 * The price: the first write to a huge page clears all of it, which can take milliseconds. Who has to answer in time
 * keeps a list of the pages written to and looks at the clock after each new one. Reading what was never written costs
 * next to nothing. */
#ifndef SORTIE_SYSTEM_PAGES_H
#define SORTIE_SYSTEM_PAGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/assert.h"

#define PAGES_HUGE_BITS 21 /* of the bytes of a huge page */

/* At most so many huge pages a block has a part in, wherever it begins. */
static inline size_t pages_huge_count(size_t bytes) {
    return (bytes >> PAGES_HUGE_BITS) + 2;
}

/* Whether nothing was written before to the huge page of this place; from now on something was. `touched` has an
 * element for each huge page of the block. */
static inline bool pages_touch(atomic_bool *touched, const void *block, const void *place) {
    ASSERT((uintptr_t)place >= (uintptr_t)block);
    atomic_bool *page = &touched[((uintptr_t)place >> PAGES_HUGE_BITS) - ((uintptr_t)block >> PAGES_HUGE_BITS)];
    bool fresh = !atomic_load_explicit(page, memory_order_relaxed);
    if (__builtin_expect(fresh, 0)) {
        atomic_store_explicit(page, true, memory_order_relaxed);
    }
    return fresh;
}

#ifdef _WIN32

/* In pages_windows.c: the system's header takes words such as "near" away from everybody. */
void *pages_new(size_t bytes);
void pages_free(void *memory, size_t bytes);

#else

#include <sys/mman.h>

#ifndef MAP_ANONYMOUS
#include <stdlib.h>

/* POSIX of 2008 knows only mapped files: what the C library has, which for large blocks maps too where it can. */
static inline void *pages_new(size_t bytes) {
    return calloc(1, bytes);
}

static inline void pages_free(void *memory, size_t bytes) {
    (void)bytes;
    free(memory);
}

#else

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

#endif
