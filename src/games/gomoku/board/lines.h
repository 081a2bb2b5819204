/* Where a square stands on its lines, and what the tables say of them; board/'s own business. */
#ifndef SORTIE_GAMES_GOMOKU_BOARD_LINES_H
#define SORTIE_GAMES_GOMOKU_BOARD_LINES_H

#include "base/rng.h"
#include "games/gomoku/board/board.h"

#define EVERY_CELL 0x5555555555555555ULL /* the low bit of each square of a line */

/* Which line of a direction a square lies on, and where on it. */
static inline int line_number(const struct gboard *board, int square, int direction) {
    int row = board->row_of[square];
    int column = board->column_of[square];
    switch (direction) {
    case 0:
        return row;
    case 1:
        return column;
    case 2:
        return row - column + board->size - 1;
    default:
        return row + column;
    }
}

static inline int line_place(const struct gboard *board, int square, int direction) {
    return GBOARD_MARGIN + (direction == 0 ? board->column_of[square] : board->row_of[square]);
}

/* The key of the line around a place, as the tables want it: `half` squares each way without the middle. */
static inline uint32_t line_key(uint64_t line, int place, int half) {
    uint64_t window = line >> (2 * (place - half));
    uint32_t low = (uint32_t)window & ((1u << (2 * half)) - 1);
    uint32_t high = (uint32_t)(window >> (2 * half + 2)) & ((1u << (2 * half)) - 1);
    return low | high << (2 * half);
}

static inline uint8_t kinds_of_key(const struct gboard *board, uint32_t key, int half) {
    return half == 4 ? board->tables->freestyle[key] : board->wide[key];
}

static inline uint64_t stone_hash(int side, int square) {
    return rng_mix((uint64_t)(square * 2 + side + 1) << 20);
}

#define SIDE_HASH 0x9d39247e33776d41ULL

#endif
