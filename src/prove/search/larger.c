/* What the store knows of larger boards is a guide on smaller ones. The position is laid on the larger board so that
 * the first stone is as near to its middle as it can be; edges that are nearer take room away from both sides. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "game/symmetry.h"
#include "prove/search/prover.h"

#define LARGEST 15 /* that certificates are for */

/* A board of another size, and how far the position is moved to lie on it. */
struct larger_board {
    int size;
    int by[2];
    uint16_t turned[8][LARGEST * LARGEST];
    uint16_t returned[8][LARGEST * LARGEST];
};

static int clamp(int value, int most) {
    return value < 0 ? 0 : value > most ? most : value;
}

static void make_board(const struct prover *prover, int size, struct larger_board *larger) {
    const struct gomoku_position *start = &prover->start;
    int middle = start->size / 2;
    int first = start->count > 0 ? start->order[0] : middle * start->size + middle;
    int room = size - start->size;
    larger->size = size;
    larger->by[0] = clamp(size / 2 - first / start->size, room);
    larger->by[1] = clamp(size / 2 - first % start->size, room);
    for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
        for (int square = 0; square < size * size; square++) {
            int there = symmetry_turn(size, symmetry, square);
            larger->turned[symmetry][square] = (uint16_t)there;
            larger->returned[symmetry][there] = (uint16_t)square;
        }
    }
}

bool larger_make(struct prover *prover) {
    int size = prover->start.size;
    prover->larger_count = size < LARGEST ? LARGEST - size : 0;
    if (prover->larger_count == 0) {
        return true;
    }
    prover->larger = calloc((size_t)prover->larger_count, sizeof *prover->larger);
    for (int i = 0; prover->larger && i < prover->larger_count; i++) {
        make_board(prover, size + 1 + i, &prover->larger[i]);
    }
    return prover->larger != NULL;
}

void larger_free(struct prover *prover) {
    free(prover->larger);
}

static void toggle(const struct prover *prover, const struct larger_board *larger, int side, int square,
                   uint64_t keys[8]) {
    const struct gboard *board = prover->board;
    int there = (board->row_of[square] + larger->by[0]) * larger->size + board->column_of[square] + larger->by[1];
    for (int i = 0; i < 8; i++) {
        keys[i] ^= prover->stones[side][larger->turned[i][there]];
    }
}

static void find_keys(const struct prover *prover, const struct larger_board *larger, uint64_t keys[8]) {
    const struct gomoku_position *start = &prover->start;
    for (int i = 0; i < 8; i++) {
        keys[i] = prover_salt(larger->size, prover->settings.hero, prover->settings.claim);
    }
    for (int i = 0; i < start->count; i++) {
        toggle(prover, larger, start->board[start->order[i]] - 1, start->order[i], keys);
    }
    for (int i = 0; i < prover->ply; i++) {
        int side = prover->board->side ^ ((prover->ply - i) & 1);
        toggle(prover, larger, side, prover->played[2 + i], keys);
    }
}

/* The store's move on the larger board. Where the position is its own mirror image there, the image nearest to the
 * middle of the smaller one is meant, where there is most room. */
static uint16_t move_on(const struct prover *prover, const struct larger_board *larger) {
    const struct gboard *board = prover->board;
    uint64_t keys[8];
    find_keys(prover, larger, keys);
    int symmetry = prover_least_key(keys);
    int64_t move = proved_find(prover->proved, keys[symmetry] ^ prover_side_key(board->side));
    uint16_t best = NO_SQUARE;
    int least = INT_MAX;
    for (int i = 0; i < 8 && move >= 0 && move < larger->size * larger->size; i++) {
        int there = keys[i] == keys[symmetry] ? larger->returned[i][move] : 0;
        int row = there / larger->size - larger->by[0];
        int column = there % larger->size - larger->by[1];
        int distance = abs(2 * row + 1 - board->size) + abs(2 * column + 1 - board->size);
        if (keys[i] == keys[symmetry] && row >= 0 && row < board->size && column >= 0 && column < board->size &&
            gboard_is_empty(board, row * board->size + column) && distance < least) {
            best = (uint16_t)(row * board->size + column);
            least = distance;
        }
    }
    return best;
}

uint16_t larger_move(const struct prover *prover) {
    uint16_t move = NO_SQUARE;
    for (int i = 0; i < prover->larger_count && move == NO_SQUARE; i++) {
        move = move_on(prover, &prover->larger[i]);
    }
    return move;
}
