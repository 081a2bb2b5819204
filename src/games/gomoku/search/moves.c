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

/* In caro a five can also be stopped at its ends: the squares that do, on the one line it is made on. */
static void add_ends(const struct gboard *board, int side, int five, uint64_t *squares) {
    int only = -1;
    for (int direction = 0; direction < 4; direction++) {
        if (gboard_kind(board, side, five, direction) == KIND_FIVE) {
            if (only >= 0) {
                return; /* no square but the five's own lies on two lines */
            }
            only = direction;
        }
    }
    uint16_t spoilers[2 * GBOARD_MARGIN];
    int count = gboard_spoilers(board, side, five, only, KIND_FIVE, spoilers);
    for (int i = 0; i < count; i++) {
        bit_add(squares, spoilers[i]);
    }
}

void moves_stops(const struct gboard *board, uint64_t *squares) {
    int other = 1 - board->side;
    ASSERT(!gboard_set_empty(board, other, SET_FIVE));
    memcpy(squares, board->empty, sizeof board->empty);
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = board->sets[other][SET_FIVE][word]; left;) {
            uint64_t stops[GBOARD_WORDS] = {0};
            int five = word * 64 + bits_pop(&left);
            bit_add(stops, five);
            if (board->variant == GOMOKU_CARO) {
                add_ends(board, other, five, stops);
            }
            for (int i = 0; i < GBOARD_WORDS; i++) {
                squares[i] &= stops[i];
            }
        }
    }
    gboard_drop_fouls(board, board->side, squares);
}

/* Whether an open four threatens for certain. In renju a square in doubt does not count: a stone elsewhere may make it
 * forbidden, so that the threat could be met by other moves than those against its line. */
static bool is_certain(const struct gboard *board, int side, int square) {
    return gboard_class(board, side, square) == CLASS_OPEN_FOUR;
}

bool moves_forced(const struct gboard *board, uint64_t *squares) {
    int side = board->side;
    int other = 1 - side;
    bool threatened = false;
    if (gboard_set_empty(board, other, SET_OPEN_FOUR)) {
        return false;
    }
    memcpy(squares, board->empty, sizeof board->empty);
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = board->sets[other][SET_OPEN_FOUR][word]; left;) {
            uint64_t defences[GBOARD_WORDS];
            int square = word * 64 + bits_pop(&left);
            if (!is_certain(board, other, square)) {
                continue;
            }
            threatened = true;
            moves_defences(board, other, square, defences);
            for (int i = 0; i < GBOARD_WORDS; i++) {
                squares[i] &= defences[i];
            }
        }
    }
    for (int i = 0; i < GBOARD_WORDS; i++) {
        squares[i] |= board->sets[side][SET_FOUR][i];
    }
    gboard_drop_fouls(board, side, squares);
    return threatened;
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
    gboard_drop_fouls(board, board->side, squares);
    if (moves_none(squares)) { /* all of them forbidden */
        memcpy(squares, board->empty, sizeof board->empty);
        gboard_drop_fouls(board, board->side, squares);
    }
}
