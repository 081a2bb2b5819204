/* Names for the few bit operations the boards are made of. */
#ifndef SORTIE_BASE_BITS_H
#define SORTIE_BASE_BITS_H

#include <stdint.h>

static inline int bits_count(uint64_t x) {
    return __builtin_popcountll(x);
}

/* Index of the lowest set bit; x must not be 0. */
static inline int bits_first(uint64_t x) {
    return __builtin_ctzll(x);
}

/* Takes the lowest set bit out of *x and returns its index; *x must not be 0. */
static inline int bits_pop(uint64_t *x) {
    int index = __builtin_ctzll(*x);
    *x &= *x - 1;
    return index;
}

#endif
