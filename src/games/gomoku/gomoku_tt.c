#include "games/gomoku/gomoku_tt.h"

#include <string.h>

#include "base/pages.h"

/* Data, from the low bits: move 10, bound 2, generation 4, depth 8 (plus 64), value 16, eval 16, fours 1. */
static uint64_t pack(const struct gomoku_tt_hit *hit, unsigned generation) {
    return (uint64_t)(hit->move & 0x3ff) | (uint64_t)hit->bound << 10 | (uint64_t)(generation & 15) << 12 |
           (uint64_t)(uint8_t)(hit->depth + 64) << 16 | (uint64_t)(uint16_t)hit->value << 24 |
           (uint64_t)(uint16_t)hit->eval << 40 | (uint64_t)hit->fours << 56;
}

static int packed_depth(uint64_t data) {
    return (int)(data >> 16 & 0xff) - 64;
}

bool gomoku_tt_new(struct gomoku_tt *tt, size_t bytes) {
    size_t bucket_bytes = GOMOKU_TT_BUCKET * sizeof(struct gomoku_tt_entry);
    size_t buckets = 1;
    while (buckets * 2 * bucket_bytes <= bytes) {
        buckets *= 2;
    }
    tt->entries = pages_new(buckets * bucket_bytes);
    tt->buckets = buckets;
    tt->generation = 0;
    return tt->entries != NULL;
}

void gomoku_tt_free(struct gomoku_tt *tt) {
    if (tt->entries) {
        pages_free((void *)tt->entries, tt->buckets * GOMOKU_TT_BUCKET * sizeof(struct gomoku_tt_entry));
    }
    tt->entries = NULL;
}

void gomoku_tt_clear(struct gomoku_tt *tt) {
    memset((void *)tt->entries, 0, tt->buckets * GOMOKU_TT_BUCKET * sizeof(struct gomoku_tt_entry));
    tt->generation = 0;
}

bool gomoku_tt_probe(const struct gomoku_tt *tt, uint64_t key, struct gomoku_tt_hit *hit) {
    struct gomoku_tt_entry *entry = &tt->entries[(key >> 16 & (tt->buckets - 1)) * GOMOKU_TT_BUCKET];
    for (int i = 0; i < GOMOKU_TT_BUCKET; i++) {
        uint64_t data = atomic_load_explicit(&entry[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&entry[i].check, memory_order_relaxed);
        if ((check ^ data) == key && data != 0) {
            hit->move = (uint16_t)(data & 0x3ff);
            hit->bound = (enum tt_bound)(data >> 10 & 3);
            hit->depth = packed_depth(data);
            hit->value = (int16_t)(data >> 24 & 0xffff);
            hit->eval = (int16_t)(data >> 40 & 0xffff);
            hit->fours = data >> 56 & 1;
            return true;
        }
    }
    return false;
}

/* Replaces the same position, else the entry that is worth least: shallow and of an older search. */
void gomoku_tt_store(struct gomoku_tt *tt, uint64_t key, struct gomoku_tt_hit hit) {
    struct gomoku_tt_entry *entry = &tt->entries[(key >> 16 & (tt->buckets - 1)) * GOMOKU_TT_BUCKET];
    struct gomoku_tt_entry *victim = entry;
    int least = 1 << 20;
    for (int i = 0; i < GOMOKU_TT_BUCKET; i++) {
        uint64_t data = atomic_load_explicit(&entry[i].data, memory_order_relaxed);
        uint64_t check = atomic_load_explicit(&entry[i].check, memory_order_relaxed);
        if ((check ^ data) == key) {
            if (hit.move == GOMOKU_TT_NO_MOVE) {
                hit.move = (uint16_t)(data & 0x3ff);
            }
            if (hit.bound != TT_EXACT && packed_depth(data) > hit.depth + 3 &&
                (data >> 12 & 15) == (tt->generation & 15)) {
                return;
            }
            victim = &entry[i];
            break;
        }
        int age = (int)((tt->generation - (unsigned)(data >> 12)) & 15);
        int worth = data == 0 ? -1000 : packed_depth(data) - 6 * age;
        if (worth < least) {
            least = worth;
            victim = &entry[i];
        }
    }
    uint64_t data = pack(&hit, tt->generation);
    atomic_store_explicit(&victim->data, data, memory_order_relaxed);
    atomic_store_explicit(&victim->check, key ^ data, memory_order_relaxed);
}
