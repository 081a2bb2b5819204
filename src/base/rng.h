/* A small deterministic generator (splitmix64): the same seed gives the same numbers everywhere. */
#ifndef SORTIE_BASE_RNG_H
#define SORTIE_BASE_RNG_H

#include <stdint.h>

#include "base/assert.h"

struct rng {
    uint64_t state;
};

/* Spreads 64 bits over 64 bits; also used as a hash of small keys. */
static inline uint64_t rng_mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

static inline uint64_t rng_next(struct rng *rng) {
    uint64_t value = rng_mix(rng->state);
    rng->state += 0x9e3779b97f4a7c15ULL;
    return value;
}

/* A number of [0, below); `below` at least 1. The bias is below 2^-32 for the small ranges used here. */
static inline uint32_t rng_below(struct rng *rng, uint32_t below) {
    ASSERT(below >= 1);
    return (uint32_t)(((rng_next(rng) >> 32) * below) >> 32);
}

#endif
