/* Which squares are worth a move, by what is threatened. */
#include <string.h>

#include "base/assert.h"
#include "base/bits.h"
#include "games/gomoku/search/search.h"

static void bit_add(uint64_t *squares, int square) {
    squares[square >> 6] |= 1ULL << (square & 63);
}

void moves_defences(const struct gboard *board, int side, int square, uint64_t *squares) {
    ASSERT(side == 0 || side == 1);
    ASSERT(gboard_is_empty(board, square));
    int open_fours = 0;
    int fours = 0;
    for (int direction = 0; direction < 4; direction++) {
        int kind = gboard_kind(board, side, square, direction);
        open_fours += kind == KIND_OPEN_FOUR;
        fours += kind == KIND_FOUR;
    }
    memset(squares, 0, GBOARD_WORDS * sizeof *squares);
    bit_add(squares, square);
    for (int direction = 0; direction < 4; direction++) {
        int kind = gboard_kind(board, side, square, direction);
        if (kind != KIND_OPEN_FOUR && kind != KIND_FOUR) {
            continue;
        }
        /* A stone lies on one of the lines only: the others must not be enough for a win by themselves. */
        int other_open = open_fours - (kind == KIND_OPEN_FOUR);
        int other_fours = fours - (kind == KIND_FOUR);
        if (other_open > 0 || other_fours > 1) {
            continue;
        }
        uint16_t spoilers[2 * GBOARD_MARGIN];
        int count = gboard_spoilers(board, side, square, direction, other_fours ? KIND_FOUR : KIND_OPEN_FOUR, spoilers);
        for (int i = 0; i < count; i++) {
            bit_add(squares, spoilers[i]);
        }
    }
}

bool moves_forced(const struct gboard *board, uint64_t *squares) {
    int side = board->side;
    int other = 1 - side;
    if (gboard_set_empty(board, other, SET_OPEN_FOUR)) {
        return false;
    }
    memcpy(squares, board->empty, sizeof board->empty);
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = board->sets[other][SET_OPEN_FOUR][word]; left;) {
            uint64_t defences[GBOARD_WORDS];
            moves_defences(board, other, word * 64 + bits_pop(&left), defences);
            for (int i = 0; i < GBOARD_WORDS; i++) {
                squares[i] &= defences[i];
            }
        }
    }
    for (int i = 0; i < GBOARD_WORDS; i++) {
        squares[i] |= board->sets[side][SET_FOUR][i];
    }
    return true;
}

void moves_near(const struct gboard *board, uint64_t *squares) {
    ASSERT(board->count < board->squares);
    uint64_t any = 0;
    for (int i = 0; i < GBOARD_WORDS; i++) {
        squares[i] = board->near[i] & board->empty[i];
        any |= squares[i];
    }
    if (!any) { /* an empty board, or one that is full around all stones */
        int middle = board->size / 2 * board->size + board->size / 2;
        if (gboard_is_empty(board, middle)) {
            bit_add(squares, middle);
        } else {
            memcpy(squares, board->empty, sizeof board->empty);
        }
    }
}
