#include "games/war/solve/endings_asked.h"

#include <string.h>

#include "base/assert.h"
#include "base/bits.h"
#include "system/pages.h"

void asked_open(struct asked_endings *asked, const struct endings *from, const struct solve_graph *graph,
                size_t most_bytes, struct search_clock *clock) {
    asked->from = NULL;
    if (from->left == 0 || from->left + 1 >= graph->empties) {
        return;
    }
    asked->sets_mapped = (size_t)endings_sets(graph, from->left + 1) * sizeof *asked->sets;
    if (asked->sets_mapped + 4 * ENDINGS_UNIT > most_bytes) {
        return;
    }
    uint64_t all = endings_count(graph, from->left + 1, clock);
    asked->mapped = most_bytes - asked->sets_mapped < all ? most_bytes - asked->sets_mapped : (size_t)all;
    asked->sets = pages_new(asked->sets_mapped);
    asked->values = asked->sets ? pages_new(asked->mapped) : NULL;
    asked->graph = graph;
    endings_number_sets(&asked->numbers, from->left + 1);
    atomic_store(&asked->used, 2); /* the numbers that are no place */
    asked->from = from;
    if (!asked->values) {
        asked_close(asked);
    }
}

void asked_close(struct asked_endings *asked) {
    if (asked->sets) {
        pages_free(asked->sets, asked->sets_mapped);
    }
    if (asked->values) {
        pages_free(asked->values, asked->mapped);
    }
    asked->sets = NULL;
    asked->values = NULL;
    asked->from = NULL;
}

/* Puts the values into bytes: from the least on, in as small steps as a byte allows. */
static void endings_asked_pack(struct asked_set *set, const int16_t *values, size_t count, uint8_t *bytes) {
    int16_t least = values[0];
    int16_t most = values[0];
    for (size_t i = 0; i < count; i++) {
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    unsigned shift = 1;
    while ((most - least) >> shift > UINT8_MAX) {
        shift++;
    }
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (uint8_t)((uint16_t)(values[i] - least) >> shift);
    }
    set->base = least;
    set->shift = (uint8_t)shift;
}

void asked_make(struct asked_endings *asked, struct asked_set *set, uint32_t empty, int16_t *scratch) {
    ASSERT(bits_count(endings_pieces_beside(asked->graph, empty)) <= ASKED_MOST_PIECES);
    ASSERT(scratch);
    uint32_t untouched = 0;
    if (!atomic_compare_exchange_strong(&set->start, &untouched, 1)) {
        return;
    }
    size_t count = (size_t)1 << bits_count(endings_pieces_beside(asked->graph, empty));
    uint64_t units = (count + ENDINGS_UNIT - 1) / ENDINGS_UNIT;
    uint64_t start = atomic_fetch_add_explicit(&asked->used, units, memory_order_relaxed);
    if ((start + units) * ENDINGS_UNIT > asked->mapped) {
        return;
    }
    endings_fill(asked->from, asked->graph, empty, scratch);
    endings_asked_pack(set, scratch, count, asked->values + (size_t)start * ENDINGS_UNIT);
    atomic_store_explicit(&set->start, (uint32_t)start, memory_order_release);
}
