#include "games/war/rules/board.h"

#include <string.h>

#include "base/assert.h"
#include "base/rng.h"

/* Adds what an empty cell offers to the sums over all empty cells, or with -1 takes it out. */
static inline void outlook_add(struct war_board *board, int cell, int32_t sign) {
    const struct board_around *around = &board->around[cell];
    if (around->count[0] && around->count[1]) {
        board->threat[0] += sign * around->sum[1];
        board->threat[1] += sign * around->sum[0];
    } else if (around->count[0]) {
        board->only[0] += sign;
    } else if (around->count[1]) {
        board->only[1] += sign;
    }
}

/* Keeps those sums right around a change of one cell's surroundings. */
static inline void outlook_off(struct war_board *board, int cell) {
    if (board->owner[cell] == BOARD_EMPTY) {
        outlook_add(board, cell, -1);
    }
}

static inline void outlook_on(struct war_board *board, int cell) {
    if (board->owner[cell] == BOARD_EMPTY) {
        outlook_add(board, cell, 1);
    }
}

void board_setup(struct war_board *board, const struct war_position *position) {
    memset(board, 0, sizeof *board);
    memset(board->owner, BOARD_BORDER, sizeof board->owner);
    int size = position->size;
    uint64_t salt = rng_mix((uint64_t)size);
    int64_t total = 0;
    for (int square = 0; square < size * size; square++) {
        salt = rng_mix(salt ^ (uint64_t)(uint32_t)position->values[square]);
        total += position->values[square];
    }
    board->salt = salt;
    board->mean = (int32_t)(total / (size * size));
    board->side = position->to_move;
    board->score = position->to_move == WAR_X ? position->score : -position->score;
    board->key = position->to_move == WAR_X ? salt : ~salt;
    struct rng rng = {salt};
    for (int square = 0; square < size * size; square++) {
        int cell = board_cell(size, square);
        board->value[cell] = position->values[square];
        board->keys[WAR_X][cell] = rng_next(&rng);
        board->keys[WAR_O][cell] = rng_next(&rng);
        if (!war_taken(position, square)) {
            board->owner[cell] = BOARD_EMPTY;
            board->place[cell] = (uint16_t)board->empties;
            board->empty[board->empties++] = (uint16_t)cell;
            continue;
        }
        int side = war_owns(position, WAR_X, square) ? WAR_X : WAR_O;
        board->owner[cell] = (uint8_t)side;
        board->key ^= board->keys[side][cell];
        for (int i = 0; i < 4; i++) {
            struct board_around *around = &board->around[cell + board_offsets[i]];
            around->count[side]++;
            around->sum[side] += position->values[square];
        }
    }
    for (int i = 0; i < board->empties; i++) {
        outlook_add(board, board->empty[i], 1);
    }
}

void board_play(struct war_board *board, int cell, struct board_undo *undo) {
    ASSERT(board->owner[cell] == BOARD_EMPTY);
    ASSERT(board->empties > 0);
    int side = board->side;
    int32_t value = board->value[cell];
    undo->key = board->key;
    undo->score = board->score;
    undo->threat[0] = board->threat[0];
    undo->threat[1] = board->threat[1];
    undo->only[0] = board->only[0];
    undo->only[1] = board->only[1];
    undo->cell = (uint16_t)cell;
    undo->flipped = 0;
    board->score = -(board->score + board_gain(board, side, cell));
    board->key = ~board->key ^ board->keys[side][cell];
    board->side = 1 - side;

    outlook_off(board, cell);
    board->owner[cell] = (uint8_t)side;
    int last = board->empty[--board->empties];
    board->empty[board->place[cell]] = (uint16_t)last;
    board->place[last] = board->place[cell];

    bool raid = board->around[cell].count[side] != 0;
    for (int i = 0; i < 4; i++) {
        int beside = cell + board_offsets[i];
        outlook_off(board, beside);
        board->around[beside].count[side]++;
        board->around[beside].sum[side] += value;
        outlook_on(board, beside);
        if (!raid || board->owner[beside] != 1 - side) {
            continue;
        }
        undo->flipped |= (uint16_t)(1 << i);
        board->owner[beside] = (uint8_t)side;
        board->key ^= board->keys[0][beside] ^ board->keys[1][beside];
        for (int j = 0; j < 4; j++) {
            int around = beside + board_offsets[j];
            outlook_off(board, around);
            board->around[around].count[side]++;
            board->around[around].count[1 - side]--;
            board->around[around].sum[side] += board->value[beside];
            board->around[around].sum[1 - side] -= board->value[beside];
            outlook_on(board, around);
        }
    }
}

void board_take_back(struct war_board *board, const struct board_undo *undo) {
    ASSERT(board->owner[undo->cell] == BOARD_X || board->owner[undo->cell] == BOARD_O);
    int cell = undo->cell;
    int side = 1 - board->side;
    int32_t value = board->value[cell];
    for (int i = 0; i < 4; i++) {
        int beside = cell + board_offsets[i];
        board->around[beside].count[side]--;
        board->around[beside].sum[side] -= value;
        if (!(undo->flipped >> i & 1)) {
            continue;
        }
        board->owner[beside] = (uint8_t)(1 - side);
        for (int j = 0; j < 4; j++) {
            int around = beside + board_offsets[j];
            board->around[around].count[side]--;
            board->around[around].count[1 - side]++;
            board->around[around].sum[side] -= board->value[beside];
            board->around[around].sum[1 - side] += board->value[beside];
        }
    }
    board->owner[cell] = BOARD_EMPTY;
    int last = board->empty[board->place[cell]];
    board->place[last] = (uint16_t)board->empties;
    board->empty[board->empties++] = (uint16_t)last;
    board->empty[board->place[cell]] = (uint16_t)cell;
    board->key = undo->key;
    board->score = undo->score;
    board->threat[0] = undo->threat[0];
    board->threat[1] = undo->threat[1];
    board->only[0] = undo->only[0];
    board->only[1] = undo->only[1];
    board->side = side;
}

game_move board_move(const struct war_board *board, int size, int cell) {
    ASSERT(board->owner[cell] == BOARD_EMPTY);
    return (game_move)board_square(size, cell) | (board->around[cell].count[board->side] ? WAR_RAID : 0);
}
