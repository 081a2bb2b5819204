/* The board the competition search plays on: arrays with a border, so that every square has four neighbours,
 * and sums over the neighbours kept up to date, so that what a move gains is read off in one look. */
#ifndef SORTIE_GAMES_WAR_RULES_BOARD_H
#define SORTIE_GAMES_WAR_RULES_BOARD_H

#include "base/assert.h"
#include "games/war/rules/war.h"

#define BOARD_STRIDE (WAR_MOST_SIZE + 2)
#define BOARD_CELLS (BOARD_STRIDE * BOARD_STRIDE)

enum { BOARD_X = 0, BOARD_O = 1, BOARD_EMPTY = 2, BOARD_BORDER = 3 };

/* What the two sides could take at a cell: the pieces beside it. */
struct board_around {
    int32_t sum[2];   /* values of the pieces beside it, by owner */
    uint8_t count[2]; /* how many */
    uint16_t padding;
};

struct war_board {
    int32_t score; /* own values minus the other's, of the side to move */
    int32_t side;
    int32_t empties;
    int32_t threat[2]; /* over all empty cells: the values a side could flip by raiding there */
    int32_t only[2];   /* empty cells that one side stands beside and the other does not */
    uint64_t key;      /* of the position, the side included */
    uint8_t owner[BOARD_CELLS];
    int32_t value[BOARD_CELLS];
    struct board_around around[BOARD_CELLS];
    uint16_t empty[WAR_MOST_SQUARES]; /* the empty cells, in an order that play and undo restore */
    uint16_t place[BOARD_CELLS];      /* where a cell stands in `empty` */
    int32_t mean;                     /* value of a square */
    uint64_t salt;                    /* differs between boards of different values */
    uint64_t keys[2][BOARD_CELLS];    /* of a piece of a side on a cell */
};

struct board_undo {
    uint64_t key;
    int32_t score;
    int32_t threat[2];
    int32_t only[2];
    uint16_t cell;
    uint16_t flipped; /* bit i: the i-th neighbour */
};

static const int board_offsets[4] = {-BOARD_STRIDE, -1, 1, BOARD_STRIDE};

void board_setup(struct war_board *board, const struct war_position *position);

static inline int board_cell(int size, int square) {
    ASSERT(square >= 0 && square < size * size);
    return (square / size + 1) * BOARD_STRIDE + square % size + 1;
}

static inline int board_square(int size, int cell) {
    ASSERT(cell >= BOARD_STRIDE + 1 && cell < BOARD_CELLS);
    return (cell / BOARD_STRIDE - 1) * size + cell % BOARD_STRIDE - 1;
}

/* What raids of `side` on this empty cell would flip. */
static inline int32_t board_flips(const struct war_board *board, int side, int cell) {
    ASSERT(side == BOARD_X || side == BOARD_O);
    const struct board_around *around = &board->around[cell];
    return around->count[side] ? around->sum[1 - side] : 0;
}

/* What the score of `side` gains when it takes this empty cell, by a Raid where there is one. */
static inline int32_t board_gain(const struct war_board *board, int side, int cell) {
    return board->value[cell] + 2 * board_flips(board, side, cell);
}

/* What the two sides would gain there together: only where both stand beside it is there anything to flip. */
static inline int32_t board_gain_both(const struct war_board *board, int cell) {
    const struct board_around *around = &board->around[cell];
    int32_t flips = around->sum[0] + around->sum[1];
    return 2 * (board->value[cell] + (around->count[0] && around->count[1] ? flips : 0));
}

/* Takes an empty cell for the side to move, by a Raid where there is one. */
void board_play(struct war_board *board, int cell, struct board_undo *undo);
void board_take_back(struct war_board *board, const struct board_undo *undo);

/* The move of the game interface that taking this cell stands for. */
game_move board_move(const struct war_board *board, int size, int cell);

#endif
