#include "games/gomoku/gomoku_tt.h"

#include <limits.h>

/* Data, from the low bits: move 10, bound 2, generation 4, depth 8 (plus 64), value 16, eval 16, fours 1. */
static uint64_t pack(const struct gomoku_tt_hit *hit, unsigned generation) {
    return (uint64_t)(hit->move & 0x3ff) | (uint64_t)hit->bound << 10 | (uint64_t)(generation & 15) << 12 |
           (uint64_t)(uint8_t)(hit->depth + 64) << 16 | (uint64_t)(uint16_t)hit->value << 24 |
           (uint64_t)(uint16_t)hit->eval << 40 | (uint64_t)hit->fours << 56;
}

static int packed_depth(uint64_t data) {
    return (int)(data >> 16 & 0xff) - 64;
}

bool gomoku_tt_probe(const struct table *table, uint64_t hash, struct gomoku_tt_hit *hit) {
    uint64_t data = table_probe(table, gomoku_tt_key(hash));
    if (!data) {
        return false;
    }
    hit->move = (uint16_t)(data & 0x3ff);
    hit->bound = (enum tt_bound)(data >> 10 & 3);
    hit->depth = packed_depth(data);
    hit->value = (int16_t)(data >> 24 & 0xffff);
    hit->eval = (int16_t)(data >> 40 & 0xffff);
    hit->fours = data >> 56 & 1;
    return true;
}

/* Shallow entries and those of older searches are worth least. */
static int worth(uint64_t data, unsigned generation) {
    int age = (int)((generation - (unsigned)(data >> 12)) & 15);
    return packed_depth(data) - 6 * age;
}

/* Keeps the move of a shallower search where this one has none, and leaves alone what is much deeper. */
void gomoku_tt_store(struct table *table, uint64_t hash, struct gomoku_tt_hit hit) {
    struct table_key key = gomoku_tt_key(hash);
    uint64_t old;
    struct table_entry *entry = table_find(table, key, INT_MAX, worth, &old);
    if (old) {
        if (hit.move == GOMOKU_TT_NO_MOVE) {
            hit.move = (uint16_t)(old & 0x3ff);
        }
        if (hit.bound != TT_EXACT && packed_depth(old) > hit.depth + 3 &&
            (old >> 12 & 15) == (table->generation & 15)) {
            return;
        }
    }
    table_write(entry, key, pack(&hit, table->generation));
}
