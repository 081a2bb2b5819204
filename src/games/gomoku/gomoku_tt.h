/* The transposition table of the tree search, shared by all threads without locks: an entry is two words, and
 * the key is stored xored with the data, so that a torn entry is simply not found. */
#ifndef SORTIE_GAMES_GOMOKU_TT_H
#define SORTIE_GAMES_GOMOKU_TT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tt_bound { TT_NONE, TT_UPPER, TT_LOWER, TT_EXACT };

#define GOMOKU_TT_BUCKET 4

struct gomoku_tt_entry {
    _Atomic uint64_t check; /* key ^ data */
    _Atomic uint64_t data;
};

struct gomoku_tt {
    struct gomoku_tt_entry *entries; /* owned; in buckets of four */
    size_t buckets;                  /* a power of two */
    unsigned generation;
};

struct gomoku_tt_hit {
    uint16_t move; /* 0x3ff: none */
    int value;
    int eval;
    int depth;
    enum tt_bound bound;
    bool fours; /* a win by fours was looked for */
};

/* The largest table of at most `bytes`; false when there is no memory. */
bool gomoku_tt_new(struct gomoku_tt *tt, size_t bytes);
void gomoku_tt_free(struct gomoku_tt *tt);
void gomoku_tt_clear(struct gomoku_tt *tt);

bool gomoku_tt_probe(const struct gomoku_tt *tt, uint64_t key, struct gomoku_tt_hit *hit);

/* Asks for the entries of a position that will be probed soon. */
static inline void gomoku_tt_prefetch(const struct gomoku_tt *tt, uint64_t key) {
    __builtin_prefetch((const void *)&tt->entries[(key >> 16 & (tt->buckets - 1)) * GOMOKU_TT_BUCKET]);
}

void gomoku_tt_store(struct gomoku_tt *tt, uint64_t key, struct gomoku_tt_hit hit);

#define GOMOKU_TT_NO_MOVE 0x3ff

#endif
