#include "games/gomoku/search/tt.h"

#include <limits.h>

#include "base/assert.h"

#define AGES 64
#define PLY_STEPS 8 /* of GOMOKU_TT_STEP */

/* Data, from the low bits: move 10, bound 2, generation 6, depth 10 (in steps, plus 64), value 16, eval 16, fours 2;
 * bit 63 is set, so that no entry is 0. */
static uint64_t gomoku_tt_pack(const struct gomoku_tt_hit *hit, unsigned generation) {
    ASSERT(hit->value >= INT16_MIN && hit->value <= INT16_MAX);
    ASSERT(hit->eval >= INT16_MIN && hit->eval <= INT16_MAX);
    ASSERT(hit->move <= GOMOKU_TT_NO_MOVE);
    int depth = (hit->depth & -GOMOKU_TT_STEP) / GOMOKU_TT_STEP + 64;
    depth = depth < 0 ? 0 : depth > 1023 ? 1023 : depth;
    return (uint64_t)(hit->move & 0x3ff) | (uint64_t)hit->bound << 10 | (uint64_t)(generation % AGES) << 12 |
           (uint64_t)depth << 18 | (uint64_t)(uint16_t)hit->value << 28 | (uint64_t)(uint16_t)hit->eval << 44 |
           (uint64_t)hit->fours << 60 | 1ULL << 63;
}

static int packed_depth(uint64_t data) {
    return ((int)(data >> 18 & 0x3ff) - 64) * GOMOKU_TT_STEP;
}

static unsigned packed_age(uint64_t data, unsigned generation) {
    return (generation - (unsigned)(data >> 12)) % AGES;
}

bool gomoku_tt_probe(const struct table *table, uint64_t hash, struct gomoku_tt_hit *hit) {
    uint64_t data = table_probe(table, gomoku_tt_key(table, hash));
    if (!data) {
        return false;
    }
    hit->move = (uint16_t)(data & 0x3ff);
    hit->bound = (enum tt_bound)(data >> 10 & 3);
    hit->depth = packed_depth(data);
    hit->value = (int16_t)(data >> 28 & 0xffff);
    hit->eval = (int16_t)(data >> 44 & 0xffff);
    hit->fours = (enum tt_fours)(data >> 60 & 3);
    return true;
}

/* Shallow entries and those of older searches are worth least: a search ago counts as six plies. */
static int worth(uint64_t data, unsigned generation) {
    return packed_depth(data) - 6 * PLY_STEPS * GOMOKU_TT_STEP * (int)packed_age(data, generation);
}

/* Keeps the move of a shallower search where this one has none, and leaves alone what is much deeper. */
bool gomoku_tt_store(struct table *table, uint64_t hash, struct gomoku_tt_hit hit) {
    struct table_key key = gomoku_tt_key(table, hash);
    uint64_t old;
    struct table_entry *entry = table_find(table, key, INT_MAX, worth, &old);
    if (old) {
        if (hit.move == GOMOKU_TT_NO_MOVE) {
            hit.move = (uint16_t)(old & 0x3ff);
        }
        if (hit.bound != TT_EXACT && packed_depth(old) > hit.depth + 3 * PLY_STEPS * GOMOKU_TT_STEP &&
            packed_age(old, table->generation) == 0) {
            return false;
        }
    }
    return table_write(table, entry, key, gomoku_tt_pack(&hit, table->generation));
}
