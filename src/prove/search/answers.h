/* Where the hero is to hold: his move after which pairs hold (pairing.h), and such moves as answers to all of the
 * villain's at once. Pairs that hold after one move and its answer mostly hold after others, which is seen at a glance;
 * where there is no such move, what is left without pairs gives numbers to start a search with. */
#ifndef SORTIE_PROVE_SEARCH_ANSWERS_H
#define SORTIE_PROVE_SEARCH_ANSWERS_H

#include "prove/search/pairing.h"
#include "prove/search/pn.h"

#define ANSWERS_KNOWN 8
#define ANSWERS_STEPS 300 /* in search of pairs before any move */

struct answers {
    const struct gboard *board; /* borrowed */
    uint64_t seed;
    struct pairing_lines lines;
    struct pairing_state pairs; /* the best before any move */
    /* What held after an answer and a move of the villain's which he has taken back. */
    struct pairing_state known[ANSWERS_KNOWN];
    uint16_t known_moves[ANSWERS_KNOWN];
    int known_count;
    int known_next;
    int patience;
};

/* An answer of the hero's and the pairs that hold then. */
struct answer {
    uint16_t move; /* NO_SQUARE: none was found */
    struct pairing pairs;
};

/* The villain is to move; looks for pairs. True when they hold as they are. */
bool answers_begin(struct answers *answers, const struct gboard *board, uint64_t seed);

/* Looks for an answer to each move of the villain's on these squares, though at length only until so many had none.
 * Those become *open, the hardest first; answers go to `found`, by the villain's square, unless that is NULL. */
void answers_find(struct answers *answers, const uint64_t *squares, int patience, struct pn_children *open,
                  struct answer *found);

/* The hero is to move, on one of the squares, with these pairs: his moves, the likeliest first; and of some of the
 * likeliest the one after which they hold, which they do then. Else NO_SQUARE, and better numbers. */
void answers_list(const struct gboard *board, const struct pairing_lines *lines, const struct pairing_state *pairs,
                  const uint64_t *squares, struct pn_children *children);
uint16_t answers_try(const struct gboard *board, const struct pairing_lines *lines, struct pairing_state *pairs,
                     uint64_t seed, struct pn_children *children);
/* Likewise, where they hold with the hero to move. */
uint16_t answers_hold(const struct pairing_lines *lines, struct pairing_state *pairs, const uint64_t *squares);

#endif
