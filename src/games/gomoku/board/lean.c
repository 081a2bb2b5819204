#include "games/gomoku/board/lean.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/bits.h"
#include "games/gomoku/board/lines.h"

#define CACHE_BITS 12
#define MOST_TOUCHED (4 * 2 * (2 * 4 + 1)) /* squares of both sides that one stone changes, its own four times */
#define FEW_WORDS 4                        /* up to 15x15 */
#define SIDE_SHIFT 32                      /* of O's places among X's */

/* What a square on a line may threaten, with more on it counting more than all below. */
enum mark { MARK_THREE, MARK_FOUR, MARK_OPEN_FOUR, MARK_FIVE, MARK_COUNT };
#define MARK_BITS 3 /* up to four lines of each */
#define MARKINGS (1 << (MARK_COUNT * MARK_BITS))

/* The places of a line on which a side has each of these: X's in the low half, O's in the high one. */
struct marks {
    uint64_t of[MARK_COUNT];
};

struct known_line {
    uint64_t line; /* 0: none; borders are never 0 */
    struct marks marks;
};

struct touched {
    uint16_t square; /* O's behind all of X's */
    uint16_t before;
};

/* What undo needs of a move. */
struct lean_ply {
    struct marks marks[4];
    uint64_t sets[2][SET_COUNT][GBOARD_WORDS];
    int16_t set_counts[2][SET_COUNT + 1];
    uint32_t touched; /* how many there were before the move */
};

struct gboard_lean {
    struct known_line cache[1 << CACHE_BITS];
    struct marks marks[4][2 * GOMOKU_MOST_SIZE]; /* of every line */
    uint16_t markings[2 * GOMOKU_MOST_SQUARES];  /* of every square: how many lines of each mark */
    uint8_t set_of[MARKINGS];                    /* a square with these markings is in */
    uint32_t count;                              /* of what was touched */
    struct touched touched[GOMOKU_MOST_SQUARES * MOST_TOUCHED];
    struct lean_ply plies[GOMOKU_MOST_SQUARES + 1];
};

static int marking_of(int markings, enum mark mark) {
    return markings >> (MARK_BITS * mark) & ((1 << MARK_BITS) - 1);
}

static enum gboard_set set_of(int markings) {
    return marking_of(markings, MARK_FIVE) > 0                                               ? SET_FIVE
           : marking_of(markings, MARK_OPEN_FOUR) > 0 || marking_of(markings, MARK_FOUR) > 1 ? SET_OPEN_FOUR
           : marking_of(markings, MARK_FOUR) > 0                                             ? SET_FOUR
           : marking_of(markings, MARK_THREE) > 0                                            ? SET_THREE
                                                                                             : SET_NO_SET;
}

struct gboard_lean *lean_new(void) {
    struct gboard_lean *lean = calloc(1, sizeof *lean);
    for (int i = 0; lean && i < MARKINGS; i++) {
        lean->set_of[i] = (uint8_t)set_of(i);
    }
    return lean;
}

void lean_free(struct gboard_lean *lean) {
    free(lean);
}

/* -- lines -- */

static void add_mark(struct marks *marks, int kind, int place) {
    uint64_t bit = 1ULL << place;
    if (kind == KIND_FIVE) {
        marks->of[MARK_FIVE] |= bit;
    } else if (kind == KIND_OPEN_FOUR) {
        marks->of[MARK_OPEN_FOUR] |= bit;
    } else if (kind == KIND_FOUR) {
        marks->of[MARK_FOUR] |= bit;
    } else if (kind == KIND_OPEN_THREE || kind == KIND_OPEN_THREE_A) {
        marks->of[MARK_THREE] |= bit;
    }
}

/* What a line's squares threaten, square by square. */
static void read_line(const struct gboard *board, uint64_t line, struct marks *marks) {
    *marks = (struct marks){{0}};
    for (uint64_t left = ~(line | line >> 1) & EVERY_CELL; left;) {
        int place = bits_pop(&left) >> 1;
        uint8_t kinds = board->tables->freestyle[line_key(line, place, 4)];
        add_mark(marks, kinds & 15, place - GBOARD_MARGIN);
        add_mark(marks, kinds >> 4, place - GBOARD_MARGIN + SIDE_SHIFT);
    }
}

static const struct marks *marks_of(const struct gboard *board, uint64_t line) {
    struct known_line *known = &board->lean->cache[line * 0x9e3779b97f4a7c15ULL >> (64 - CACHE_BITS)];
    if (known->line != line) {
        read_line(board, line, &known->marks);
        known->line = line;
    }
    return &known->marks;
}

/* -- squares -- */

static inline int markings_at(const struct marks *marks, int bit) {
    int markings = 0;
    for (int mark = 0; mark < MARK_COUNT; mark++) {
        markings += (int)(marks->of[mark] >> bit & 1) << (MARK_BITS * mark);
    }
    return markings;
}

/* Where the marks of a line have changed. */
static inline uint64_t changed_of(const struct marks *before, const struct marks *after) {
    uint64_t changed = 0;
    for (int mark = 0; mark < MARK_COUNT; mark++) {
        changed |= before->of[mark] ^ after->of[mark];
    }
    return changed;
}

/* A square of a side's has other markings. */
static inline void change_square(struct gboard *board, int side, int square, int by) {
    struct gboard_lean *lean = board->lean;
    int at = side * GOMOKU_MOST_SQUARES + square;
    int was = lean->markings[at];
    int is = was + by;
    int from = lean->set_of[was];
    int to = lean->set_of[is];
    lean->touched[lean->count++] = (struct touched){.square = (uint16_t)at, .before = (uint16_t)was};
    lean->markings[at] = (uint16_t)is;
    board->sets[side][from][square >> 6] ^= 1ULL << (square & 63);
    board->sets[side][to][square >> 6] ^= 1ULL << (square & 63);
    board->set_counts[side][from]--;
    board->set_counts[side][to]++;
}

static inline void copy_sets(uint64_t (*to)[GBOARD_WORDS], const uint64_t (*from)[GBOARD_WORDS], int words) {
    for (int set = 0; set < SET_COUNT; set++) {
        memcpy(to[set], from[set], FEW_WORDS * sizeof **to);
        if (words > FEW_WORDS) {
            memcpy(to[set] + FEW_WORDS, from[set] + FEW_WORDS, (GBOARD_WORDS - FEW_WORDS) * sizeof **to);
        }
    }
}

void lean_begin(struct gboard *board, struct gboard_lean *lean) {
    ASSERT(board->variant == GOMOKU_FREESTYLE && board->history);
    board->lean = lean;
    lean->count = 0;
    memset(lean->markings, 0, sizeof lean->markings);
    memset(board->sets, 0, sizeof board->sets);
    memset(board->set_counts, 0, sizeof board->set_counts);
    memset(lean->marks, 0, sizeof lean->marks);
    for (int square = 0; square < board->squares; square++) {
        for (int direction = 0; direction < 4; direction++) {
            int number = line_number(board, square, direction);
            int place = line_place(board, square, direction) - GBOARD_MARGIN;
            const struct marks *marks = marks_of(board, board->lines[direction][number]);
            for (int side = 0; side < 2; side++) {
                lean->markings[side * GOMOKU_MOST_SQUARES + square] +=
                    (uint16_t)markings_at(marks, place + side * SIDE_SHIFT);
            }
            lean->marks[direction][number] = *marks;
        }
        for (int side = 0; side < 2; side++) {
            int set = lean->set_of[lean->markings[side * GOMOKU_MOST_SQUARES + square]];
            board->sets[side][set][square >> 6] |= 1ULL << (square & 63);
            board->set_counts[side][set]++;
        }
    }
}

void lean_play(struct gboard *board, int square) {
    struct gboard_lean *lean = board->lean;
    struct lean_ply *ply = &lean->plies[board->count - 1];
    ply->touched = lean->count;
    for (int side = 0; side < 2; side++) {
        copy_sets(ply->sets[side], (const uint64_t(*)[GBOARD_WORDS])board->sets[side], board->words);
    }
    memcpy(ply->set_counts, board->set_counts, sizeof ply->set_counts);
    const struct marks *now[4];
    uint64_t changed[4];
    for (int direction = 0; direction < 4; direction++) { /* all tables are read before the first square is changed */
        int number = line_number(board, square, direction);
        struct marks *marks = &lean->marks[direction][number];
        ply->marks[direction] = *marks;
        *marks = *marks_of(board, board->lines[direction][number]);
        changed[direction] = changed_of(&ply->marks[direction], marks);
        now[direction] = marks;
    }
    for (int direction = 0; direction < 4; direction++) {
        int place = line_place(board, square, direction) - GBOARD_MARGIN;
        while (changed[direction]) {
            int bit = bits_pop(&changed[direction]);
            change_square(board, bit / SIDE_SHIFT, square + (bit % SIDE_SHIFT - place) * board->delta[direction],
                          markings_at(now[direction], bit) - markings_at(&ply->marks[direction], bit));
        }
    }
}

void lean_undo(struct gboard *board, int square) {
    struct gboard_lean *lean = board->lean;
    const struct lean_ply *ply = &lean->plies[board->count];
    while (lean->count > ply->touched) {
        const struct touched *touched = &lean->touched[--lean->count];
        lean->markings[touched->square] = touched->before;
    }
    for (int direction = 0; direction < 4; direction++) {
        lean->marks[direction][line_number(board, square, direction)] = ply->marks[direction];
    }
    for (int side = 0; side < 2; side++) {
        copy_sets(board->sets[side], (const uint64_t(*)[GBOARD_WORDS])ply->sets[side], board->words);
    }
    memcpy(board->set_counts, ply->set_counts, sizeof board->set_counts);
}

/* -- what is asked of a square -- */

/* The kinds of both sides in one direction, as the tables have them. */
static inline uint32_t kinds_along(const struct gboard *board, int square, int direction) {
    uint64_t line = board->lines[direction][line_number(board, square, direction)];
    return board->tables->freestyle[line_key(line, line_place(board, square, direction), 4)];
}

int gboard_lean_kind(const struct gboard *board, int side, int square, int direction) {
    return (int)(kinds_along(board, square, direction) >> (4 * side) & 15);
}

uint32_t gboard_lean_kinds(const struct gboard *board, int square) {
    uint32_t kinds = 0;
    for (int direction = 0; direction < 4; direction++) {
        uint32_t both = kinds_along(board, square, direction);
        kinds |= ((both & 0x0f) | (both & 0xf0) << 12) << (4 * direction);
    }
    return kinds;
}

int gboard_lean_class(const struct gboard *board, int side, int square) {
    int markings = board->lean->markings[side * GOMOKU_MOST_SQUARES + square];
    bool three = marking_of(markings, MARK_THREE) > 0;
    switch (board->lean->set_of[markings]) {
    case SET_FIVE:
        return CLASS_FIVE;
    case SET_OPEN_FOUR:
        return CLASS_OPEN_FOUR;
    case SET_FOUR:
        return three ? CLASS_FOUR_THREE : CLASS_FOUR;
    case SET_THREE:
        return marking_of(markings, MARK_THREE) > 1 ? CLASS_DOUBLE_THREE : CLASS_THREE;
    default:
        return (gboard_lean_kinds(board, square) >> (16 * side) & 0xffff) ? CLASS_QUIET : CLASS_NONE;
    }
}
