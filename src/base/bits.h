/* Names for the few bit operations the boards and their keys are made of. */
#ifndef SORTIE_BASE_BITS_H
#define SORTIE_BASE_BITS_H

#include <stdint.h>

#include "base/assert.h"

static inline int bits_count(uint64_t x) {
    return __builtin_popcountll(x);
}

/* Index of the lowest set bit; x must not be 0. */
static inline int bits_first(uint64_t x) {
    ASSERT(x != 0);
    return __builtin_ctzll(x);
}

/* Takes the lowest set bit out of *x and returns its index; *x must not be 0. */
static inline int bits_pop(uint64_t *x) {
    ASSERT(*x != 0);
    int index = __builtin_ctzll(*x);
    *x &= *x - 1;
    return index;
}

/* The upper 64 bits of a product. By halves where no instruction gives them: compilers make a call of it there. */
static inline uint64_t bits_high_product(uint64_t a, uint64_t b) {
#ifdef __wasm__
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t middle = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    uint64_t other = (a & UINT32_MAX) * (b >> 32) + (middle & UINT32_MAX);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
#else
    return (uint64_t)((unsigned __int128)a * b >> 64);
#endif
}

#endif
