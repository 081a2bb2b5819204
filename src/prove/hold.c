/* The claim "the hero holds": the villain never makes five. The villain may play anywhere; the hero answers with what
 * looks likeliest; a position is settled by pairs of squares, by a board that is full, or by a forced win of the
 * villain's. */
#include <string.h>

#include "base/bits.h"
#include "prove/pairing.h"
#include "prove/prover.h"

#define FOUR_NODES 1000

/* The hero is to move. */
static enum prove_outcome expand_hero(struct prover *prover, struct pn_children *children, uint16_t hint,
                                      uint16_t *move) {
    struct gboard *board = prover->board;
    int villain = 1 - board->side;
    *move = prover_known_move(prover);
    if (*move != NO_SQUARE) {
        return PROVE_YES;
    }
    if (!gboard_set_empty(board, board->side, SET_FIVE)) {
        *move = (uint16_t)gboard_set_first(board, board->side, SET_FIVE);
        return PROVE_YES;
    }
    uint64_t squares[GBOARD_WORDS];
    int against = gboard_set_count(board, villain, SET_FIVE);
    if (against > 1) {
        return PROVE_NO;
    }
    if (against == 1) {
        memcpy(squares, board->sets[villain][SET_FIVE], sizeof squares);
    } else if (!moves_forced(board, squares)) {
        memcpy(squares, board->empty, sizeof squares);
    }
    prover_candidates(prover, squares, prover->settings.width, hint, children);
    return children->count > 0 ? PROVE_OPEN : PROVE_NO;
}

/* The villain is to move. */
static enum prove_outcome expand_villain(struct prover *prover, struct pn_children *children) {
    struct gboard *board = prover->board;
    int hero = 1 - board->side;
    struct pairing pairing;
    if (!gboard_set_empty(board, board->side, SET_FIVE)) {
        return PROVE_NO;
    }
    int fives = gboard_set_count(board, hero, SET_FIVE);
    if (fives > 1 || board->count == board->squares) {
        return PROVE_YES;
    }
    uint64_t squares[GBOARD_WORDS];
    if (fives == 1) {
        memcpy(squares, board->sets[hero][SET_FIVE], sizeof squares);
    } else {
        if (!prover_seen(prover)) {
            if (pairing_find(board, hero, &pairing)) {
                return PROVE_YES;
            }
            tree_clear(&prover->tree);
            if (threats_win(&prover->threats, FOUR_NODES, prover->settings.threat_nodes, &prover->tree) != TREE_NONE) {
                return PROVE_NO;
            }
        }
        memcpy(squares, board->empty, sizeof squares);
    }
    prover_candidates(prover, squares, board->squares, NO_SQUARE, children);
    for (int i = 0; i < children->count; i++) {
        children->list[i].value = (struct pn_value){1, 1};
    }
    return PROVE_OPEN;
}

enum prove_outcome hold_expand(struct prover *prover, struct pn_children *children, uint16_t hint, uint16_t *move) {
    return prover_hero_moves(prover) ? expand_hero(prover, children, hint, move) : expand_villain(prover, children);
}
