/* Endings of one square more than are all known. There are too many to work them all out, so a set of empty squares has
 * its turn once the search has asked for it a few times; then all its values are kept, in a byte each. */
#ifndef SORTIE_GAMES_WAR_SOLVE_ENDINGS_ASKED_H
#define SORTIE_GAMES_WAR_SOLVE_ENDINGS_ASKED_H

#include <stdatomic.h>

#include "base/assert.h"
#include "games/war/solve/endings.h"

#define ASKED_MOST_PIECES 17                           /* beside a set; one that has more is not worked out */
#define ASKED_SCRATCH ((size_t)1 << ASKED_MOST_PIECES) /* values a thread needs room for */
/* A set is worked out when it was asked for as often as it has this many values, or this often. */
#define ASKED_SHARE 64
#define ASKED_TIMES 255

/* A byte b of the set stands for a value from base + (b << shift) on. All values of a set are even or all are odd, so
 * with a shift of 1 that is exact, and with 2, which most sets need, one of two values: enough for most questions. */
struct asked_set {
    _Atomic uint32_t start; /* of its bytes, in units; 0: not made; 1: being made, or no room for it */
    int16_t base;
    uint8_t shift;
    _Atomic uint8_t times; /* it was asked for, until it was made */
};

struct asked_endings {
    const struct endings *from; /* those of one square less; NULL: there are none here */
    const struct solve_graph *graph;
    struct asked_set *sets; /* owned */
    size_t sets_mapped;
    uint8_t *values; /* owned */
    size_t mapped;
    _Atomic uint64_t used; /* units */
    struct endings_numbers numbers;
};

/* Takes at most so many bytes; where that is too little `from` becomes NULL. */
void asked_open(struct asked_endings *asked, const struct endings *from, const struct solve_graph *graph,
                size_t most_bytes, struct search_clock *clock);
void asked_close(struct asked_endings *asked);

/* Works a set out that has at most ASKED_MOST_PIECES beside it, unless another thread is at it or there is no room.
 * `scratch` has room for ASKED_SCRATCH values. */
void asked_make(struct asked_endings *asked, struct asked_set *set, uint32_t empty, int16_t *scratch);

/* The set's values if they are known, one after the other as in endings_of; else NULL. `pieces` stand beside it. */
static inline const uint8_t *asked_find(struct asked_endings *asked, uint32_t empty, int pieces, int16_t *scratch,
                                        const struct asked_set **found) {
    ASSERT(pieces >= 0);
    if (pieces > ASKED_MOST_PIECES) {
        return NULL;
    }
    struct asked_set *set = &asked->sets[endings_number(&asked->numbers, empty)];
    uint32_t start = atomic_load_explicit(&set->start, memory_order_acquire);
    if (start == 0) {
        unsigned times = atomic_load_explicit(&set->times, memory_order_relaxed);
        if (times < ASKED_TIMES && times < (1u << pieces) / ASKED_SHARE) {
            atomic_store_explicit(&set->times, (uint8_t)(times + 1), memory_order_relaxed);
            return NULL;
        }
        asked_make(asked, set, empty, scratch);
        start = atomic_load_explicit(&set->start, memory_order_acquire);
    }
    *found = set;
    return start > 1 ? asked->values + (size_t)start * ENDINGS_UNIT : NULL;
}

static inline int32_t asked_low(const struct asked_set *set, uint8_t byte) {
    return set->base + (byte << set->shift);
}

/* How much more than that the value may be. */
static inline int32_t asked_slack(const struct asked_set *set) {
    return (1 << set->shift) - 2;
}

#endif
