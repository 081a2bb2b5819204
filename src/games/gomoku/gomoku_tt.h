/* What the tree search keeps in the shared table. */
#ifndef SORTIE_GAMES_GOMOKU_TT_H
#define SORTIE_GAMES_GOMOKU_TT_H

#include "search/table.h"

enum tt_bound { TT_NONE, TT_UPPER, TT_LOWER, TT_EXACT };

struct gomoku_tt_hit {
    uint16_t move; /* GOMOKU_TT_NO_MOVE: none */
    int value;
    int eval;
    int depth;
    enum tt_bound bound;
    bool fours; /* a win by fours was looked for */
};

#define GOMOKU_TT_NO_MOVE 0x3ff

static inline struct table_key gomoku_tt_key(uint64_t hash) {
    return (struct table_key){hash >> 16, hash};
}

bool gomoku_tt_probe(const struct table *table, uint64_t hash, struct gomoku_tt_hit *hit);

/* Asks for the entries of a position that will be probed soon. */
static inline void gomoku_tt_prefetch(const struct table *table, uint64_t hash) {
    table_prefetch(table, gomoku_tt_key(hash));
}

void gomoku_tt_store(struct table *table, uint64_t hash, struct gomoku_tt_hit hit);

#endif
