/* The engine's board: lines as bits, and for every empty square what each side would have there, kept up to date
 * by play and undo. A move touches only the squares within reach of it on its four lines. */
#ifndef SORTIE_GAMES_GOMOKU_BOARD_BOARD_H
#define SORTIE_GAMES_GOMOKU_BOARD_BOARD_H

#include "base/assert.h"
#include "base/bits.h"
#include "games/gomoku/board/pattern.h"
#include "games/gomoku/rules/gomoku.h"

#define GBOARD_WORDS ((GOMOKU_MOST_SQUARES + 63) / 64)
#define GBOARD_MARGIN 5        /* border squares before the first square of a line */
#define GBOARD_MOST_CHANGES 41 /* squares one move changes: five each way on four lines, and its own */

/* Sets of empty squares kept for each side, by the class of the square. */
enum gboard_set { SET_FIVE, SET_OPEN_FOUR, SET_FOUR, SET_THREE, SET_COUNT, SET_NO_SET = SET_COUNT };

/* What an empty square holds, from the low bits: X's four kinds, four bits a direction, and O's; the class of X's and
 * of O's, eight bits each; the square's number, so that what it was can be put back. One word, because parts written
 * one by one cannot be read back as a whole without a stall. */
typedef uint64_t gboard_cell;

/* A move: what undo needs beside the changed squares. */
struct gboard_ply {
    uint64_t near[GBOARD_WORDS];
    uint32_t changes; /* how many changes were stacked before the move */
    uint16_t square;
    bool followed; /* the network's sums have taken it in (eval/net.h) */
};

/* Room for undo, apart from the board so that a board which is only looked at need not carry it. */
struct gboard_history {
    struct gboard_ply plies[GOMOKU_MOST_SQUARES + 1];
    gboard_cell changes[GOMOKU_MOST_SQUARES * GBOARD_MOST_CHANGES]; /* what squares were before */
};

struct net;
struct gboard_lean;

struct gboard {
    const struct gomoku_tables *tables;
    const uint8_t *wide;                           /* kinds by the rule's own table, where a square sees five squares */
    const uint8_t *class_of_x;                     /* of X's kinds; O's are the tables' class_of */
    struct gboard_history *history;                /* borrowed; NULL on a board that is never played on */
    uint64_t lines[4][2 * GOMOKU_MOST_SIZE];       /* two bits a square from bit 2 * GBOARD_MARGIN on; borders are 3 */
    struct gboard_lean *lean;                      /* borrowed; not NULL on a lean board (board/lean.h) */
    gboard_cell cells[GOMOKU_MOST_SQUARES];        /* of empty squares; not kept on a lean board */
    uint64_t sets[2][SET_COUNT + 1][GBOARD_WORDS]; /* the last one means nothing */
    int16_t set_counts[2][SET_COUNT + 1];
    uint64_t near[GBOARD_WORDS]; /* empty or taken squares close to a stone */
    uint64_t empty[GBOARD_WORDS];
    uint64_t near_mask[GOMOKU_MOST_SQUARES][GBOARD_WORDS];
    uint8_t row_of[GOMOKU_MOST_SQUARES];
    uint8_t column_of[GOMOKU_MOST_SQUARES];
    struct net *net; /* borrowed; NULL on a board that is never evaluated */
    uint64_t hash;
    uint32_t changes;
    int delta[4]; /* from a square to the next one of the same line, by direction */
    int size;
    int squares;
    int words; /* of the sets that are in use */
    int variant;
    int half;   /* how far a square sees along a line */
    int loaded; /* stones of the position that was loaded */
    int count;  /* stones */
    int side;   /* to move: 0 is X */
};

/* Builds the board of a position, without a network: net_load gives it one. */
void gboard_load(struct gboard *board, const struct gomoku_position *position, struct gboard_history *history);

/* For the side to move. The square must be empty, and nobody may have five. */
void gboard_play(struct gboard *board, int square);
void gboard_undo(struct gboard *board);

/* The other side is to move, without a stone; the same again takes it back. For asking what a side threatens. */
void gboard_pass(struct gboard *board);

/* The board's hash once the side to move has played there. */
uint64_t gboard_hash_after(const struct gboard *board, int square);

/* The empty squares on the line of `square` in `direction` where a stone of the other side leaves `side` with
 * less than `least` there. Writes them, returns how many (at most ten). */
int gboard_spoilers(const struct gboard *board, int side, int square, int direction, int least, uint16_t *squares);

static inline bool gboard_set_empty(const struct gboard *board, int side, enum gboard_set set) {
    ASSERT(side == 0 || side == 1);
    ASSERT(set < SET_COUNT);
    return board->set_counts[side][set] == 0;
}

static inline int gboard_set_count(const struct gboard *board, int side, enum gboard_set set) {
    ASSERT(set < SET_COUNT && board->set_counts[side][set] >= 0);
    return board->set_counts[side][set];
}

static inline bool gboard_in_set(const struct gboard *board, int side, enum gboard_set set, int square) {
    ASSERT(set < SET_COUNT);
    ASSERT(square >= 0 && square < board->squares);
    return board->sets[side][set][square >> 6] >> (square & 63) & 1;
}

static inline int gboard_set_first(const struct gboard *board, int side, enum gboard_set set) {
    for (int i = 0; i < GBOARD_WORDS; i++) {
        if (board->sets[side][set][i]) {
            return i * 64 + __builtin_ctzll(board->sets[side][set][i]);
        }
    }
    return -1;
}

static inline bool gboard_is_empty(const struct gboard *board, int square) {
    ASSERT(square >= 0 && square < board->squares);
    return board->empty[square >> 6] >> (square & 63) & 1;
}

/* On a lean board: the kinds of both sides on an empty square as a cell has them, one of them, and a side's class. */
uint32_t gboard_lean_kinds(const struct gboard *board, int square);
int gboard_lean_kind(const struct gboard *board, int side, int square, int direction);
int gboard_lean_class(const struct gboard *board, int side, int square);

static inline bool gboard_is_lean(const struct gboard *board) {
    return __builtin_expect(board->lean != NULL, 0); /* the engine's boards never are */
}

static inline uint32_t gboard_kinds(const struct gboard *board, int square) {
    return gboard_is_lean(board) ? gboard_lean_kinds(board, square) : (uint32_t)board->cells[square];
}

static inline int gboard_kind(const struct gboard *board, int side, int square, int direction) {
    ASSERT(direction >= 0 && direction < 4);
    ASSERT(square >= 0 && square < board->squares);
    return gboard_is_lean(board) ? gboard_lean_kind(board, side, square, direction)
                                 : (int)(board->cells[square] >> (16 * side + 4 * direction)) & 15;
}

static inline int gboard_class(const struct gboard *board, int side, int square) {
    ASSERT(side == 0 || side == 1);
    ASSERT(square >= 0 && square < board->squares);
    return gboard_is_lean(board) ? gboard_lean_class(board, side, square)
                                 : (int)(board->cells[square] >> (32 + 8 * side)) & 0xff;
}

/* The number of a side's four kinds (board/pattern.h), given those of both. */
static inline int gboard_code_of(const struct gboard *board, int side, uint32_t kinds) {
    return board->tables->code[kinds >> (16 * side) & 0xffff];
}

static inline int gboard_code(const struct gboard *board, int side, int square) {
    ASSERT(square >= 0 && square < board->squares);
    return gboard_code_of(board, side, gboard_kinds(board, square));
}

/* Whether the rule is one of those in which a stone may be forbidden, or a five be stopped from beside it. */
static inline bool gboard_is_peculiar(const struct gboard *board) {
    return board->variant >= GOMOKU_RENJU;
}

/* Whether renju forbids X to play on the empty square (board/foul.c). */
bool gboard_is_foul(const struct gboard *board, int square);

/* Whether the side may play on an empty square. */
static inline bool gboard_is_open_to(const struct gboard *board, int side, int square) {
    return board->variant != GOMOKU_RENJU || side != 0 || gboard_class(board, 0, square) < CLASS_FOUL ||
           !gboard_is_foul(board, square);
}

/* Takes the squares out on which the side may not play. */
void gboard_drop_fouls(const struct gboard *board, int side, uint64_t *squares);

/* The first square of a set on which the side may play; -1 when there is none. */
int gboard_first_open(const struct gboard *board, int side, enum gboard_set set);

/* The evaluation for the side to move, without any search; the board must have a net (eval/eval.c). */
int gboard_evaluate(const struct gboard *board);

#endif
