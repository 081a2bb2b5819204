/* What the store knows is a guide where it does not prove the position itself.
 *
 * A stray is the first stone of the game where it is the villain's and stands far from all of the hero's: the hero is
 * then the first player of a game of which that stone is no part, in the other colour, or was to be. What is proved of
 * the position without it, in whatever colours, mostly wins with it too, and its moves are a guide. */
#include <stdlib.h>

#include "base/bits.h"
#include "prove/prover.h"

#define FAR 4             /* squares away */
#define FEW_STONES 2      /* with so many a move threatens nothing, and all replies need an answer */
#define LEAST_ANSWERED 20 /* of the replies */

/* The square of the stray, or NO_SQUARE. */
static uint16_t find_stray(const struct prover *prover) {
    const struct gomoku_position *position = &prover->start;
    const struct gboard *board = prover->board;
    if (position->count == 0 || prover->settings.hero == 0) {
        return NO_SQUARE; /* the first stone is the hero's */
    }
    uint16_t stray = position->order[0];
    for (int i = 1; i < position->count; i += 2) {
        int square = position->order[i];
        if (abs(board->row_of[square] - board->row_of[stray]) < FAR &&
            abs(board->column_of[square] - board->column_of[stray]) < FAR) {
            return NO_SQUARE;
        }
    }
    return stray;
}

void guide_toggle(struct prover *prover, int side, int square) {
    for (int i = 0; prover->stray != NO_SQUARE && i < 8; i++) {
        prover->guide_keys[i] ^= prover->stones[1 - side][prover->turned[i][square]];
    }
}

void guide_make(struct prover *prover) {
    const struct gomoku_position *position = &prover->start;
    prover->stray = find_stray(prover);
    for (int i = 0; i < 8; i++) {
        prover->guide_keys[i] = prover_salt(position->size, 1 - prover->settings.hero, prover->settings.claim);
    }
    for (int i = 1; i < position->count; i++) {
        guide_toggle(prover, i & 1, position->order[i]);
    }
}

int guide_stones(const struct prover *prover) {
    return prover->board->count - (prover->stray != NO_SQUARE);
}

/* What wins in the position without its stray. */
static uint16_t move_without_stray(const struct prover *prover) {
    if (prover->stray == NO_SQUARE) {
        return NO_SQUARE;
    }
    int symmetry = prover_least_key(prover->guide_keys);
    uint64_t key = prover->guide_keys[symmetry] ^ prover_side_key(1 - prover->board->side);
    int64_t move = proved_find(prover->proved, key);
    if (move < 0 || move >= prover->board->squares) {
        return NO_SQUARE;
    }
    uint16_t square = prover->returned[symmetry][move];
    return gboard_is_empty(prover->board, square) ? square : NO_SQUARE;
}

/* How many replies to the move just played have a proved answer. */
static int count_answered(const struct prover *prover) {
    int count = 0;
    for (int square = 0; square < prover->board->squares; square++) {
        count += gboard_is_empty(prover->board, square) &&
                 proved_find(prover->proved, prover_key_after(prover, square)) >= 0;
    }
    return count;
}

/* The move that most replies have a proved answer to, if there are enough of them: an earlier search was at it. */
static uint16_t move_most_answered(struct prover *prover) {
    uint64_t near[GBOARD_WORDS];
    uint16_t best = NO_SQUARE;
    int most = LEAST_ANSWERED - 1;
    moves_near(prover->board, near);
    for (int word = 0; word < prover->board->words; word++) {
        for (uint64_t left = near[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            prover_play(prover, square);
            int count = count_answered(prover);
            prover_undo(prover);
            best = count > most ? (uint16_t)square : best;
            most = count > most ? count : most;
        }
    }
    return best;
}

uint16_t guide_move(struct prover *prover) {
    uint16_t move = move_without_stray(prover);
    bool few = guide_stones(prover) <= FEW_STONES;
    /* Once the position has been searched the numbers tell more. */
    return move == NO_SQUARE && few && !prover_seen(prover) ? move_most_answered(prover) : move;
}
