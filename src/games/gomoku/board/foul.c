/* Squares that renju forbids. The kinds of their lines settle almost all; two threes are looked at stone by stone. */
#include "games/gomoku/rules/foul.h"
#include "base/bits.h"
#include "games/gomoku/board/board.h"

/* The board as the rules have it. */
static void unpack_stones(const struct gboard *board, uint8_t *stones) {
    for (int row = 0; row < board->size; row++) {
        uint64_t line = board->lines[0][row] >> (2 * GBOARD_MARGIN);
        for (int column = 0; column < board->size; column++, line >>= 2) {
            stones[row * board->size + column] = (uint8_t)(line & 3);
        }
    }
}

bool gboard_is_foul(const struct gboard *board, int square) {
    ASSERT(board->variant == GOMOKU_RENJU);
    ASSERT(gboard_is_empty(board, square));
    int class = gboard_class(board, 0, square);
    if (class <= CLASS_FOUL) {
        return class == CLASS_FOUL;
    }
    uint8_t stones[GOMOKU_MOST_SQUARES];
    unpack_stones(board, stones);
    return gomoku_foul_at(stones, board->size, square) != GOMOKU_NO_FOUL;
}

void gboard_drop_fouls(const struct gboard *board, int side, uint64_t *squares) {
    if (board->variant != GOMOKU_RENJU || side != 0) {
        return;
    }
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = squares[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            if (!gboard_is_open_to(board, side, square)) {
                squares[word] &= ~(1ULL << (square & 63));
            }
        }
    }
}

int gboard_first_open(const struct gboard *board, int side, enum gboard_set set) {
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = board->sets[side][set][word]; left;) {
            int square = word * 64 + bits_pop(&left);
            if (gboard_is_open_to(board, side, square)) {
                return square;
            }
        }
    }
    return -1;
}
