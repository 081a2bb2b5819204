/* The claim "the hero holds": the villain never makes five. A position is settled by pairs of squares (pairing.h), by a
 * forced win of the villain's, or by a board that is full. How far the hero is from having such pairs says which of his
 * moves are likeliest, which of the villain's are hardest to answer, and with which numbers both start. */
#include <string.h>

#include "base/bits.h"
#include "prove/search/prover.h"

#define FOUR_NODES 1000
#define PATIENCE 4 /* replies without an answer, before the others are looked at less closely the first time */

/* The hero is to move, on one of the squares. */
static enum prove_outcome search_pairs(const struct prover *prover, const uint64_t *squares,
                                       struct pn_children *children, uint16_t *move) {
    const struct gboard *board = prover->board;
    uint64_t seed = prover->keys[0];
    struct pairing_lines lines;
    struct pairing_state pairs;
    pairing_lines_make(&lines, board, board->side);
    pairing_start(&lines, &pairs);
    pairing_improve(&lines, &pairs, ANSWERS_STEPS, seed, true);
    *move = answers_hold(&lines, &pairs, squares);
    if (*move == NO_SQUARE) {
        answers_list(board, &lines, &pairs, squares, children);
        *move = answers_try(board, &lines, &pairs, seed, children);
    }
    return *move != NO_SQUARE ? PROVE_YES : children->count > 0 ? PROVE_OPEN : PROVE_NO;
}

/* The hero is to move. */
static enum prove_outcome expand_hero(struct prover *prover, struct pn_children *children, uint16_t *move) {
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
    if (prover_wins(prover, PROVER_HOLD_THREATS, PROVER_HOLD_THREATS, move)) {
        return PROVE_YES;
    }
    if (against == 1) {
        memcpy(squares, board->sets[villain][SET_FIVE], sizeof squares);
    } else if (!moves_forced(board, squares)) {
        memcpy(squares, board->empty, sizeof squares);
    }
    return search_pairs(prover, squares, children, move);
}

/* Lets each of several threads begin with another reply. */
static void begin_elsewhere(const struct prove_settings *settings, struct pn_children *children) {
    struct pn_child list[GOMOKU_MOST_SQUARES];
    int from = settings->workers > 1 ? settings->worker * children->count / settings->workers : 0;
    memcpy(list, children->list, sizeof list[0] * (size_t)children->count);
    for (int i = 0; i < children->count && from > 0; i++) {
        children->list[i] = list[(i + from) % children->count];
    }
}

/* Whether the villain, who is to move, has a forced win. */
static bool villain_wins(struct prover *prover) {
    tree_clear(&prover->tree);
    return threats_win(&prover->threats, FOUR_NODES, prover->settings.threat_nodes, &prover->tree) != TREE_NONE;
}

/* The villain is to move. */
static enum prove_outcome expand_villain(struct prover *prover, struct pn_children *children) {
    struct gboard *board = prover->board;
    int hero = 1 - board->side;
    if (!gboard_set_empty(board, board->side, SET_FIVE)) {
        return PROVE_NO;
    }
    int fives = gboard_set_count(board, hero, SET_FIVE);
    if (fives > 1 || board->count == board->squares) {
        return PROVE_YES;
    }
    if (answers_begin(&prover->answers, board, prover->keys[0])) {
        return PROVE_YES;
    }
    bool seen = prover_seen(prover);
    struct squares replies;
    if (fives == 1) {
        memcpy(replies.words, board->sets[hero][SET_FIVE], sizeof replies.words);
    } else if (!seen && villain_wins(prover)) {
        return PROVE_NO;
    } else {
        prover_replies(prover, PROVER_HOLD_THREATS, PROVER_HOLD_THREATS, &replies);
    }
    answers_find(&prover->answers, replies.words, seen ? board->squares : PATIENCE, children, NULL);
    begin_elsewhere(&prover->settings, children);
    return children->count > 0 ? PROVE_OPEN : PROVE_YES;
}

enum prove_outcome hold_expand(struct prover *prover, struct pn_children *children, uint16_t *move) {
    return prover_hero_moves(prover) ? expand_hero(prover, children, move) : expand_villain(prover, children);
}
