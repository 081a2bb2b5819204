/* Builds the pattern tables by playing lines out: a line is as good as the best that one more stone makes of it. */
#include "games/gomoku/board/pattern.h"

#include <pthread.h>
#include <string.h>

enum { FREE = 0, OWN = 1, SHUT = 2 }; /* a square of a line as one side sees it */

#define MOST_HALF 5
#define MOST_CELLS (2 * MOST_HALF + 1)
#define UNKNOWN 0xff

/* A line of 2 * half + 1 squares with the own stone in the middle, and what is known of all such lines. */
struct line_solver {
    int half;
    uint8_t known[59049]; /* by the ternary number of the squares without the middle: 3^10 */
};

static int line_index(const struct line_solver *solver, const uint8_t *cells) {
    int index = 0;
    for (int i = 0; i <= 2 * solver->half; i++) {
        if (i != solver->half) {
            index = index * 3 + cells[i];
        }
    }
    return index;
}

/* The length of the row through the middle. */
static int middle_row(int half, const uint8_t *cells) {
    int first = half;
    int last = half;
    while (first > 0 && cells[first - 1] == OWN) {
        first--;
    }
    while (last < 2 * half && cells[last + 1] == OWN) {
        last++;
    }
    return last - first + 1;
}

/* Every five counted here goes through the middle square, so the window shows all of it. */
static uint8_t solve_line(struct line_solver *solver, uint8_t *cells) {
    uint8_t *known = &solver->known[line_index(solver, cells)];
    if (*known != UNKNOWN) {
        return *known;
    }
    int row = middle_row(solver->half, cells);
    if (row == 5 || (row > 5 && solver->half == 4)) {
        return *known = KIND_FIVE;
    }
    if (row > 5) {
        return *known = KIND_NONE; /* six and more are nothing under the exact rule */
    }
    int count[KIND_COUNT] = {0};
    for (int i = 0; i <= 2 * solver->half; i++) {
        if (cells[i] == FREE) {
            cells[i] = OWN;
            count[solve_line(solver, cells)]++;
            cells[i] = FREE;
        }
    }
    int open_threes = count[KIND_OPEN_THREE] + count[KIND_OPEN_THREE_A];
    int open_twos = count[KIND_OPEN_TWO] + count[KIND_OPEN_TWO_A] + count[KIND_OPEN_TWO_B];
    uint8_t kind = KIND_NONE;
    if (count[KIND_FIVE] > 0) {
        kind = count[KIND_FIVE] > 1 ? KIND_OPEN_FOUR : KIND_FOUR;
    } else if (count[KIND_OPEN_FOUR] > 0) {
        kind = count[KIND_OPEN_FOUR] > 1 ? KIND_OPEN_THREE_A : KIND_OPEN_THREE;
    } else if (count[KIND_FOUR] > 0) {
        kind = KIND_BLOCKED_THREE;
    } else if (open_threes > 0) {
        kind = open_threes > 2 ? KIND_OPEN_TWO_B : open_threes == 2 ? KIND_OPEN_TWO_A : KIND_OPEN_TWO;
    } else if (count[KIND_BLOCKED_THREE] > 0) {
        kind = KIND_BLOCKED_TWO;
    } else if (open_twos > 0) {
        kind = KIND_OPEN_ONE;
    } else if (count[KIND_BLOCKED_TWO] > 0) {
        kind = KIND_BLOCKED_ONE;
    }
    return *known = kind;
}

/* Fills a table of 2^(4 * half) keys for both sides. */
static void fill_kinds(struct line_solver *solver, int half, uint8_t *table) {
    static const uint8_t seen_by[2][4] = {{FREE, OWN, SHUT, SHUT}, {FREE, SHUT, OWN, SHUT}};
    solver->half = half;
    memset(solver->known, UNKNOWN, sizeof solver->known);
    for (uint32_t key = 0; key < 1u << (4 * half); key++) {
        uint8_t kinds[2];
        for (int side = 0; side < 2; side++) {
            uint8_t cells[MOST_CELLS];
            cells[half] = OWN;
            for (int i = 0; i < 2 * half; i++) {
                cells[i < half ? i : i + 1] = seen_by[side][key >> (2 * i) & 3];
            }
            kinds[side] = solve_line(solver, cells);
        }
        table[key] = (uint8_t)(kinds[0] | kinds[1] << 4);
    }
}

static uint8_t class_of_kinds(const uint8_t kinds[4]) {
    int fours = 0;
    int threes = 0;
    for (int i = 0; i < 4; i++) {
        fours += kinds[i] == KIND_FOUR;
        threes += kinds[i] == KIND_OPEN_THREE || kinds[i] == KIND_OPEN_THREE_A;
    }
    uint8_t best = kinds[3];
    if (best == KIND_FIVE) {
        return CLASS_FIVE;
    }
    if (best == KIND_OPEN_FOUR || fours > 1) {
        return CLASS_OPEN_FOUR;
    }
    if (fours) {
        return threes ? CLASS_FOUR_THREE : CLASS_FOUR;
    }
    if (threes) {
        return threes > 1 ? CLASS_DOUBLE_THREE : CLASS_THREE;
    }
    return best == KIND_NONE ? CLASS_NONE : CLASS_QUIET;
}

/* Numbers the multisets of four kinds and finds the number of each ordered four. */
static void fill_codes(struct gomoku_tables *tables) {
    static const int orders[24][4] = {
        {0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 3, 2, 1}, {1, 0, 2, 3}, {1, 0, 3, 2},
        {1, 2, 0, 3}, {1, 2, 3, 0}, {1, 3, 0, 2}, {1, 3, 2, 0}, {2, 0, 1, 3}, {2, 0, 3, 1}, {2, 1, 0, 3}, {2, 1, 3, 0},
        {2, 3, 0, 1}, {2, 3, 1, 0}, {3, 0, 1, 2}, {3, 0, 2, 1}, {3, 1, 0, 2}, {3, 1, 2, 0}, {3, 2, 0, 1}, {3, 2, 1, 0}};
    int code = 0;
    for (int a = 0; a < KIND_COUNT; a++) {
        for (int b = a; b < KIND_COUNT; b++) {
            for (int c = b; c < KIND_COUNT; c++) {
                for (int d = c; d < KIND_COUNT; d++) {
                    uint8_t kinds[4] = {(uint8_t)a, (uint8_t)b, (uint8_t)c, (uint8_t)d};
                    memcpy(tables->kinds_of[code], kinds, 4);
                    for (int i = 0; i < 24; i++) {
                        const int *o = orders[i];
                        int four = kinds[o[0]] | kinds[o[1]] << 4 | kinds[o[2]] << 8 | kinds[o[3]] << 12;
                        tables->code[four] = (uint16_t)code;
                        tables->class_of[four] = class_of_kinds(kinds);
                    }
                    code++;
                }
            }
        }
    }
}

static struct gomoku_tables shared_tables;
static pthread_once_t shared_tables_once = PTHREAD_ONCE_INIT;
static pthread_once_t exact_table_once = PTHREAD_ONCE_INIT;

static void build_tables(void) {
    static struct line_solver solver;
    fill_kinds(&solver, 4, shared_tables.freestyle);
    fill_codes(&shared_tables);
}

/* Sixteen times as large as the other, so it is only built when somebody plays by the exact rule. */
static void build_exact(void) {
    static struct line_solver solver;
    fill_kinds(&solver, 5, shared_tables.exact);
}

const struct gomoku_tables *gomoku_tables(bool exact) {
    pthread_once(&shared_tables_once, build_tables);
    if (exact) {
        pthread_once(&exact_table_once, build_exact);
    }
    return &shared_tables;
}
