/* Forced wins in Gomoku with their complete proof trees: first by fours, then by fours and open threes with proof
 * numbers. Every reply that does not lose at once is looked at, so that a win found here is one; a win that is not
 * found may still be there. */
#ifndef SORTIE_PROVE_SEARCH_THREATS_H
#define SORTIE_PROVE_SEARCH_THREATS_H

#include "games/gomoku/search/search.h"
#include "prove/search/pn.h"
#include "prove/search/tree.h"

struct threats {
    struct gboard *board;  /* borrowed */
    struct pn_table table; /* of wins by threats, of both sides */
    struct vcf fours;
    struct search_clock *clock; /* borrowed */
    uint64_t attacker;          /* in every key of the table: whose win is looked for */
    uint64_t nodes;             /* played so far */
    uint64_t limit;
    uint32_t slack; /* see pn.h */
    bool plain;     /* goes by the rules alone: no guess of the engine's decides which win is found */
};

/* False when there is no memory. */
bool threats_make(struct threats *threats, struct gboard *board, struct search_clock *clock, size_t bytes);
void threats_free(struct threats *threats);

/* Whether the side to move wins by fours alone, within so many nodes; *move is the first. */
bool threats_fours(struct threats *threats, uint64_t nodes, uint16_t *move);

/* Looks for a win of the side to move, by fours within `fours` nodes and by threats within `nodes`. Adds its proof to
 * *tree and returns its root, or TREE_NONE. */
int32_t threats_win(struct threats *threats, uint64_t fours, uint64_t nodes, struct tree *tree);

/* The same by threats alone, in a way that only the position decides, whatever was searched before: for a proof that is
 * to be made again. `plain` must be set. */
int32_t threats_plain_win(struct threats *threats, uint64_t nodes, struct tree *tree);

#endif
