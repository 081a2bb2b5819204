/* What the tree search keeps in the shared table. */
#ifndef SORTIE_GAMES_GOMOKU_SEARCH_TT_H
#define SORTIE_GAMES_GOMOKU_SEARCH_TT_H

#include "base/assert.h"
#include "search/table.h"

enum tt_bound { TT_NONE, TT_UPPER, TT_LOWER, TT_EXACT };

/* Whether a win by fours was looked for. */
enum tt_fours { TT_FOURS_UNKNOWN, TT_FOURS_CUT_SHORT, TT_FOURS_NONE };

#define GOMOKU_TT_STEP 4 /* depths are kept in steps of so much, rounded down */

struct gomoku_tt_hit {
    uint16_t move; /* GOMOKU_TT_NO_MOVE: none */
    int value;
    int eval;
    int depth;
    enum tt_bound bound; /* TT_NONE: only what the evaluation and the fours say is known */
    enum tt_fours fours;
};

#define GOMOKU_TT_NO_MOVE 0x3ff

/* The table must have been opened whole. */
static inline struct table_key gomoku_tt_key(const struct table *table, uint64_t hash) {
    ASSERT(table->bucket_mask == UINT64_MAX);
    return (struct table_key){table_scale(table, hash), hash};
}

bool gomoku_tt_probe(const struct table *table, uint64_t hash, struct gomoku_tt_hit *hit);

/* Asks for the entries of a position that will be probed soon. */
static inline void gomoku_tt_prefetch(const struct table *table, uint64_t hash) {
    table_prefetch(table, gomoku_tt_key(table, hash));
}

bool gomoku_tt_store(struct table *table, uint64_t hash, struct gomoku_tt_hit hit);

#endif
