/* Every ending of a graph: what the side to move still gains, for all positions with a given number of empty squares,
 * whoever owns the pieces beside them. A set of empty squares has one value for each way to own the pieces beside it;
 * the sets follow each other in the order of their numbers. */
#ifndef SORTIE_GAMES_WAR_SOLVE_ENDINGS_H
#define SORTIE_GAMES_WAR_SOLVE_ENDINGS_H

#include "base/assert.h"
#include "base/bits.h"
#include "games/war/solve/solve.h"

/* The number of a set of empty squares is found in two steps, from its lower and its upper half. */
#define ENDINGS_HALF 13
#define ENDINGS_MOST_EMPTIES (2 * ENDINGS_HALF)
#define ENDINGS_UNIT 32 /* values of a set begin at a multiple of this */

struct endings_numbers {
    uint32_t low[1 << ENDINGS_HALF];
    uint32_t high[1 << ENDINGS_HALF];
};

struct endings {
    int left;         /* empty squares of the positions known; 0: none are */
    int16_t *values;  /* owned */
    size_t mapped;    /* bytes of `values` */
    uint32_t *starts; /* of a set's values, in units; owned */
    struct endings_numbers numbers;
};

/* Works out the endings with as many empty squares as `most_bytes` of memory and `most_values` values (over all smaller
 * numbers of squares too) allow. Leaves `left` 0 where that is nothing worth having, there is no memory, or the clock
 * stops it. */
void endings_make(struct endings *endings, const struct solve_graph *graph, size_t most_bytes, uint64_t most_values,
                  struct team *team, struct search_clock *clock);
void endings_free(struct endings *endings);

/* -- sets of empty squares -- */

/* How many sets of `left` squares there are. */
uint64_t endings_sets(const struct solve_graph *graph, int left);
/* How many values they have, padding included; UINT64_MAX when one set has too many, or the clock ends the count. */
uint64_t endings_count(const struct solve_graph *graph, int left, struct search_clock *clock);

void endings_number_sets(struct endings_numbers *numbers, int left);

static inline uint32_t endings_number(const struct endings_numbers *numbers, uint32_t empty) {
    ASSERT(empty >> ENDINGS_MOST_EMPTIES == 0);
    return numbers->low[empty & ((1u << ENDINGS_HALF) - 1)] + numbers->high[empty >> ENDINGS_HALF];
}

uint64_t endings_pieces_beside(const struct solve_graph *graph, uint64_t empty);

/* Works out all values of one set that has a square more than `from`; whole units are written. */
void endings_fill(const struct endings *from, const struct solve_graph *graph, uint64_t empty, int16_t *values);

/* The values of a set of `left` empty squares; one is picked by the bits of the pieces that the side to move owns,
 * packed from all pieces beside an empty square. */
static inline const int16_t *endings_of(const struct endings *endings, uint32_t empty) {
    ASSERT(bits_count(empty) == endings->left);
    return endings->values + (size_t)endings->starts[endings_number(&endings->numbers, empty)] * ENDINGS_UNIT;
}

#endif
