/* What the engine's own alpha-beta search advises the hero: proof numbers count what is left to prove and know nothing
 * of plans. Where a position of the hero's has cost much, the engine is asked for its best move, for the longer the
 * more was spent, and the prover tries that first. Nothing is believed: bad advice costs time only. */
#ifndef SORTIE_PROVE_SEARCH_ADVICE_H
#define SORTIE_PROVE_SEARCH_ADVICE_H

#include "games/gomoku/rules/gomoku.h"
#include "search/limits.h"

/* What is known of one position. The square is that of the symmetry that the key is of. */
struct advice {
    uint64_t key;
    uint64_t work;  /* spent on the position so far, in steps of the prover */
    uint64_t asked; /* the work after which the engine was asked last; 0: never */
    uint16_t move;  /* NO_SQUARE: none yet */
};

/* One prover's adviser. Its engine is made when it is first asked. */
struct adviser {
    struct searcher *searcher; /* owned */
    struct advice *entries;    /* owned */
    size_t hash_bytes;
    uint64_t first_work;  /* the engine is asked for the first time after so many steps, */
    uint64_t work_a_node; /* for which it gets a node */
    struct search_control control;
    uint64_t asked; /* how often */
    uint64_t nodes; /* of the engine's searches so far */
};

/* False when there is no memory. The engine's tables will take `hash_bytes`; it ends at once when *stop is set. Where
 * the hero is to `hold` a step takes longer and the engine is asked sooner. */
bool adviser_make(struct adviser *adviser, size_t hash_bytes, const atomic_bool *stop, bool hold);
void adviser_free(struct adviser *adviser);

/* The move that was advised in the position with that key, or NO_SQUARE. */
uint16_t adviser_move(const struct adviser *adviser, uint64_t key);

/* Notes that a position has cost so much more; when there is no room the one that has cost least is forgotten. */
void adviser_note(struct adviser *adviser, uint64_t key, uint64_t work);

/* How much more work a position that has cost so much beyond what was noted is worth before the engine is asked; 0: it
 * should be asked now. For the first time it takes `patience` times the usual. */
uint64_t adviser_wait(const struct adviser *adviser, uint64_t key, uint64_t work, uint64_t patience);

/* Asks the engine about the position with that key, for at most so many seconds (0: no limit). `turned` takes the
 * position's squares to those of the symmetry of the key. */
void adviser_ask(struct adviser *adviser, const struct gomoku_position *position, uint64_t key, const uint16_t *turned,
                 double seconds);

#endif
