#include "games/gomoku/board/board.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/bits.h"
#include "games/gomoku/board/lean.h"
#include "games/gomoku/board/lines.h"

/* In doubt a square is in the set it would be in if it were not forbidden: who uses the sets in renju asks. */
static const uint8_t set_of_class[CLASS_COUNT] = {SET_NO_SET, SET_NO_SET, SET_THREE,     SET_THREE,
                                                  SET_FOUR,   SET_FOUR,   SET_OPEN_FOUR, SET_FIVE,
                                                  SET_NO_SET, SET_THREE,  SET_FOUR,      SET_OPEN_FOUR};

#define CLASS_BITS 0x0000ffff00000000ULL
#define SQUARE_SHIFT 48

/* The square with other kinds in one direction: X's in the low four bits, O's in the high four. */
static inline gboard_cell cell_with(const struct gboard *board, gboard_cell cell, int direction, uint32_t both,
                                    int half) {
    uint32_t kinds = (uint32_t)cell & ~(0x000f000fu << (4 * direction));
    kinds |= ((both & 0x0f) | (both & 0xf0) << 12) << (4 * direction);
    const uint8_t *class_of = board->tables->class_of;
    const uint8_t *class_of_x = half == 4 ? class_of : board->class_of_x;
    uint64_t classes = class_of_x[kinds & 0xffff] | (uint64_t)class_of[kinds >> 16] << 8;
    return kinds | classes << 32 | cell >> SQUARE_SHIFT << SQUARE_SHIFT;
}

/* A square of one class becomes one of another. */
static inline void set_move(struct gboard *board, int side, int from, int to, int square) {
    int from_set = set_of_class[from];
    int to_set = set_of_class[to];
    if (from_set != to_set) {
        uint64_t bit = 1ULL << (square & 63);
        board->sets[side][from_set][square >> 6] ^= bit;
        board->sets[side][to_set][square >> 6] ^= bit;
        board->set_counts[side][from_set]--;
        board->set_counts[side][to_set]++;
    }
}

/* Replaces what a square holds. */
static inline void cell_put(struct gboard *board, gboard_cell *cell, gboard_cell now) {
    gboard_cell before = *cell;
    *cell = now;
    if ((before ^ now) & CLASS_BITS) {
        int square = (int)(now >> SQUARE_SHIFT);
        for (int side = 0; side < 2; side++) {
            int shift = 32 + 8 * side;
            set_move(board, side, (int)(before >> shift & 0xff), (int)(now >> shift & 0xff), square);
        }
    }
}

/* Squares at most two away in both coordinates, or three away on a line. */
static void fill_near(struct gboard *board) {
    for (int square = 0; square < board->squares; square++) {
        for (int other = 0; other < board->squares; other++) {
            int down = abs(board->row_of[square] - board->row_of[other]);
            int right = abs(board->column_of[square] - board->column_of[other]);
            bool line = down == 0 || right == 0 || down == right;
            if ((down <= 2 && right <= 2) || (line && down <= 3 && right <= 3)) {
                board->near_mask[square][other >> 6] |= 1ULL << (other & 63);
            }
        }
    }
}

void gboard_load(struct gboard *board, const struct gomoku_position *position, struct gboard_history *history) {
    ASSERT(position->size >= GOMOKU_LEAST_SIZE && position->size <= GOMOKU_MOST_SIZE);
    int size = position->size;
    if (board->size != size || !board->tables) { /* the geometry depends on nothing else */
        memset(board, 0, sizeof *board);
        board->size = size;
        board->squares = size * size;
        for (int square = 0; square < board->squares; square++) {
            board->row_of[square] = (uint8_t)(square / size);
            board->column_of[square] = (uint8_t)(square % size);
        }
        fill_near(board);
    }
    board->variant = position->variant;
    board->tables = gomoku_tables(position->variant);
    board->wide = board->variant == GOMOKU_RENJU  ? board->tables->renju
                  : board->variant == GOMOKU_CARO ? board->tables->caro
                                                  : board->tables->exact;
    board->class_of_x = board->variant == GOMOKU_RENJU ? board->tables->class_of_black : board->tables->class_of;
    board->history = history;
    board->lean = NULL;
    board->net = NULL;
    board->words = (board->squares + 63) / 64;
    board->half = position->variant == GOMOKU_FREESTYLE ? 4 : 5;
    board->delta[0] = 1;
    board->delta[1] = size;
    board->delta[2] = size + 1;
    board->delta[3] = size - 1;
    memset(board->lines, 0xff, sizeof board->lines);
    memset(board->cells, 0, sizeof board->cells);
    memset(board->sets, 0, sizeof board->sets);
    memset(board->set_counts, 0, sizeof board->set_counts);
    memset(board->near, 0, sizeof board->near);
    memset(board->empty, 0, sizeof board->empty);
    board->changes = 0;
    board->count = board->loaded = position->count;
    board->side = position->count & 1;
    board->hash = rng_mix((uint64_t)size << 8 | position->variant) ^ (board->side ? SIDE_HASH : 0);
    for (int square = 0; square < board->squares; square++) {
        int stone = position->board[square];
        for (int direction = 0; direction < 4; direction++) {
            int shift = 2 * line_place(board, square, direction);
            uint64_t *line = &board->lines[direction][line_number(board, square, direction)];
            *line = (*line & ~(3ULL << shift)) | (uint64_t)stone << shift;
        }
        if (stone == GOMOKU_EMPTY) {
            board->empty[square >> 6] |= 1ULL << (square & 63);
        } else {
            board->hash ^= stone_hash(stone - 1, square);
            for (int i = 0; i < GBOARD_WORDS; i++) {
                board->near[i] |= board->near_mask[square][i];
            }
        }
    }
    for (int square = 0; square < board->squares; square++) {
        if (position->board[square] != GOMOKU_EMPTY) {
            continue;
        }
        board->cells[square] = (gboard_cell)square << SQUARE_SHIFT;
        gboard_cell cell = board->cells[square];
        for (int direction = 0; direction < 4; direction++) {
            uint64_t line = board->lines[direction][line_number(board, square, direction)];
            uint32_t key = line_key(line, line_place(board, square, direction), board->half);
            cell = cell_with(board, cell, direction, kinds_of_key(board, key, board->half), board->half);
        }
        cell_put(board, &board->cells[square], cell);
    }
}

/* Brings the empty squares of one line around a new stone up to date. */
static inline void line_refresh(struct gboard *board, int square, int direction, int half) {
    uint64_t line = board->lines[direction][line_number(board, square, direction)];
    int place = line_place(board, square, direction);
    uint64_t reach = ((1ULL << (2 * (2 * half + 1))) - 1) << (2 * (place - half));
    uint64_t empty = ~(line | line >> 1) & EVERY_CELL & reach;
    while (empty) {
        int other_place = bits_pop(&empty) >> 1;
        gboard_cell *cell = &board->cells[square + (other_place - place) * board->delta[direction]];
        uint8_t kinds = kinds_of_key(board, line_key(line, other_place, half), half);
        board->history->changes[board->changes++] = *cell;
        cell_put(board, cell, cell_with(board, *cell, direction, kinds, half));
    }
}

/* A stone of a side's comes to a square or goes: all that does not depend on what the squares around hold. */
static inline void put_stone(struct gboard *board, int side, int square) {
    board->empty[square >> 6] ^= 1ULL << (square & 63);
    board->hash ^= stone_hash(side, square) ^ SIDE_HASH;
    for (int direction = 0; direction < 4; direction++) {
        board->lines[direction][line_number(board, square, direction)] ^= (uint64_t)(side + 1)
                                                                          << (2 * line_place(board, square, direction));
    }
}

/* A square is taken: brings its own sets and all squares around it up to date. */
static inline void change_cells(struct gboard *board, int square) {
    for (int s = 0; s < 2; s++) {
        set_move(board, s, (int)(board->cells[square] >> (32 + 8 * s) & 0xff), CLASS_NONE, square);
    }
    if (board->half == 4) {
        for (int direction = 0; direction < 4; direction++) {
            line_refresh(board, square, direction, 4);
        }
    } else {
        for (int direction = 0; direction < 4; direction++) {
            line_refresh(board, square, direction, 5);
        }
    }
}

/* The same back. */
static inline void restore_cells(struct gboard *board, int square, uint32_t changes) {
    while (board->changes > changes) {
        gboard_cell before = board->history->changes[--board->changes];
        cell_put(board, &board->cells[before >> SQUARE_SHIFT], before);
    }
    for (int s = 0; s < 2; s++) {
        set_move(board, s, CLASS_NONE, (int)(board->cells[square] >> (32 + 8 * s) & 0xff), square);
    }
}

void gboard_play(struct gboard *board, int square) {
    ASSERT(board->history);
    ASSERT(square >= 0 && square < board->squares);
    ASSERT(gboard_is_empty(board, square));
    ASSERT(board->count < board->squares);
    ASSERT(board->changes + GBOARD_MOST_CHANGES <= GOMOKU_MOST_SQUARES * GBOARD_MOST_CHANGES);
    int side = board->side;
    struct gboard_ply *ply = &board->history->plies[board->count++];
    memcpy(ply->near, board->near, sizeof ply->near);
    ply->changes = board->changes;
    ply->square = (uint16_t)square;
    ply->followed = false;
    for (int i = 0; i < GBOARD_WORDS; i++) {
        board->near[i] |= board->near_mask[square][i];
    }
    put_stone(board, side, square);
    board->side = 1 - side;
    if (gboard_is_lean(board)) {
        lean_play(board, square);
    } else {
        change_cells(board, square);
    }
}

void gboard_undo(struct gboard *board) {
    ASSERT(board->history);
    ASSERT(board->count > board->loaded);
    const struct gboard_ply *ply = &board->history->plies[--board->count];
    int square = ply->square;
    int side = 1 - board->side;
    memcpy(board->near, ply->near, sizeof ply->near);
    if (gboard_is_lean(board)) {
        lean_undo(board, square);
    } else {
        restore_cells(board, square, ply->changes);
    }
    put_stone(board, side, square);
    board->side = side;
}

void gboard_pass(struct gboard *board) {
    board->side = 1 - board->side;
    board->hash ^= SIDE_HASH;
}

uint64_t gboard_hash_after(const struct gboard *board, int square) {
    ASSERT(square >= 0 && square < board->squares);
    return board->hash ^ stone_hash(board->side, square) ^ SIDE_HASH;
}

int gboard_spoilers(const struct gboard *board, int side, int square, int direction, int least, uint16_t *squares) {
    ASSERT(side == 0 || side == 1);
    ASSERT(direction >= 0 && direction < 4);
    ASSERT(gboard_is_empty(board, square));
    uint64_t line = board->lines[direction][line_number(board, square, direction)];
    int place = line_place(board, square, direction);
    int half = board->half;
    uint32_t key = line_key(line, place, half);
    int count = 0;
    for (int i = 0; i < 2 * half; i++) {
        if ((key >> (2 * i) & 3) == 0) {
            uint32_t spoiled = key | (uint32_t)(2 - side) << (2 * i);
            if ((kinds_of_key(board, spoiled, half) >> (4 * side) & 15) < least) {
                int step = i < half ? i - half : i - half + 1;
                squares[count++] = (uint16_t)(square + step * board->delta[direction]);
            }
        }
    }
    return count;
}
