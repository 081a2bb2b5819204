/* Builds the pattern tables by playing lines out: a line is as good as the best that one more stone makes of it. */
#include "games/gomoku/board/pattern.h"

#include <pthread.h>
#include <string.h>

#include "base/assert.h"
#include "games/gomoku/rules/gomoku.h"

enum { FREE = 0, OWN = 1, SHUT = 2, EDGE = 3 }; /* a square of a line as one side sees it */

/* What a side needs for a five. */
enum line_rule {
    LINE_FIVE_OR_MORE,
    LINE_EXACTLY_FIVE,
    LINE_BLACK, /* exactly five, and what renju forbids is told apart */
    LINE_CARO   /* five that stones do not shut at both ends, or more */
};

#define MOST_HALF 5
#define MOST_CELLS (2 * MOST_HALF + 1)
#define UNKNOWN 0xff

/* A line of 2 * half + 1 squares with the own stone in the middle, and what is known of all such lines. */
struct line_solver {
    int half;
    enum line_rule rule;
    uint8_t known[1 << 4 * MOST_HALF]; /* by the squares without the middle, two bits each */
};

/* Where a square stands in the number of a line. */
static int line_shift(const struct line_solver *solver, int i) {
    return 2 * (i < solver->half ? i : i - 1);
}

/* The row through the middle: its first square and its last. */
static void middle_row(int half, const uint8_t *cells, int *first, int *last) {
    *first = half;
    *last = half;
    while (*first > 0 && cells[*first - 1] == OWN) {
        --*first;
    }
    while (*last < 2 * half && cells[*last + 1] == OWN) {
        ++*last;
    }
}

/* What a row of five or more through the middle is. */
static uint8_t kind_of_long_row(const struct line_solver *solver, const uint8_t *cells, int first, int last) {
    bool five = last - first + 1 == 5;
    switch (solver->rule) {
    case LINE_EXACTLY_FIVE:
        return five ? KIND_FIVE : KIND_NONE;
    case LINE_BLACK:
        return five ? KIND_FIVE : KIND_OVERLINE;
    case LINE_CARO: /* a five with an end beyond what is seen is no row through the middle that long */
        return five && first > 0 && last < 2 * solver->half && cells[first - 1] == SHUT && cells[last + 1] == SHUT
                   ? KIND_NONE
                   : KIND_FIVE;
    default:
        return KIND_FIVE;
    }
}

/* A line comes with its number, so that it need not be counted again for every stone. */
static uint8_t solve_line(struct line_solver *solver, uint8_t *cells, int number);

/* The kind with one more own stone on a free square. */
static uint8_t solve_with(struct line_solver *solver, uint8_t *cells, int number, int i) {
    cells[i] = OWN;
    uint8_t kind = solve_line(solver, cells, number | OWN << line_shift(solver, i));
    cells[i] = FREE;
    return kind;
}

/* How many squares make a five, and the first and the last of them. */
static int fives_of_line(struct line_solver *solver, uint8_t *cells, int number, int *first, int *last) {
    int count = 0;
    for (int i = 0; i <= 2 * solver->half; i++) {
        if (cells[i] == FREE && solve_with(solver, cells, number, i) == KIND_FIVE) {
            *first = count++ == 0 ? i : *first;
            *last = i;
        }
    }
    return count;
}

/* Caro: whether one stone stops all fives of a line; it need not lie where the five would. */
static bool one_stone_stops(struct line_solver *solver, uint8_t *cells, int number) {
    int first, last;
    bool stopped = false;
    for (int i = 0; i <= 2 * solver->half && !stopped; i++) {
        if (cells[i] == FREE) {
            cells[i] = SHUT;
            stopped = fives_of_line(solver, cells, number | SHUT << line_shift(solver, i), &first, &last) == 0;
            cells[i] = FREE;
        }
    }
    return stopped;
}

/* What a line with a square for a five, or several, is. Black's two fours in one line are no open four. */
static uint8_t kind_of_four(struct line_solver *solver, uint8_t *cells, int number, int fives, int first, int last) {
    if (solver->rule == LINE_CARO) {
        return one_stone_stops(solver, cells, number) ? KIND_FOUR : KIND_OPEN_FOUR;
    }
    if (solver->rule == LINE_BLACK && fives > 1) {
        return last - first == 5 ? KIND_OPEN_FOUR : KIND_DOUBLE_FOUR;
    }
    return fives > 1 ? KIND_OPEN_FOUR : KIND_FOUR;
}

/* Every five counted here goes through the middle square, so the window shows all of it. */
static uint8_t solve_line(struct line_solver *solver, uint8_t *cells, int number) {
    uint8_t *known = &solver->known[number];
    if (*known != UNKNOWN) {
        return *known;
    }
    int first, last;
    middle_row(solver->half, cells, &first, &last);
    if (last - first + 1 >= 5) {
        return *known = kind_of_long_row(solver, cells, first, last);
    }
    int count[KINDS_WITH_FOULS] = {0};
    for (int i = 0; i <= 2 * solver->half; i++) {
        if (cells[i] == FREE) {
            count[solve_with(solver, cells, number, i)]++;
        }
    }
    int open_threes = count[KIND_OPEN_THREE] + count[KIND_OPEN_THREE_A];
    int open_twos = count[KIND_OPEN_TWO] + count[KIND_OPEN_TWO_A] + count[KIND_OPEN_TWO_B];
    uint8_t kind = KIND_NONE;
    if (count[KIND_FIVE] > 0) {
        int fives = fives_of_line(solver, cells, number, &first, &last);
        kind = kind_of_four(solver, cells, number, fives, first, last);
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

/* Fills a table of 2^(4 * half) keys with one side's kinds, X's in the low four bits. What is known of its lines holds
 * for the other side too, where that has the same rule. */
static void fill_side(struct line_solver *solver, int half, enum line_rule rule, int side, uint8_t *table) {
    static const uint8_t seen_by[2][4] = {{FREE, OWN, SHUT, EDGE}, {FREE, SHUT, OWN, EDGE}};
    if (side == 0 || solver->rule != rule) {
        memset(solver->known, UNKNOWN, sizeof solver->known);
    }
    solver->half = half;
    solver->rule = rule;
    for (uint32_t key = 0; key < 1u << (4 * half); key++) {
        uint8_t cells[MOST_CELLS];
        int number = 0;
        cells[half] = OWN;
        for (int i = 0; i < 2 * half; i++) {
            uint8_t cell = seen_by[side][key >> (2 * i) & 3];
            cell = cell == EDGE && rule != LINE_CARO ? SHUT : cell;
            cells[i < half ? i : i + 1] = cell;
            number |= cell << (2 * i);
        }
        table[key] = (uint8_t)(table[key] | solve_line(solver, cells, number) << (4 * side));
    }
}

static void fill_kinds(struct line_solver *solver, int half, enum line_rule of_x, enum line_rule of_o, uint8_t *table) {
    fill_side(solver, half, of_x, 0, table);
    fill_side(solver, half, of_o, 1, table);
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

/* The same for black in renju, who may not play there if one of the lines forbids it, or two fours do. Two threes may
 * forbid it: whether they are threes depends on what black may play next (board/foul.c). */
static uint8_t class_of_black(const uint8_t kinds[4]) {
    int fours = 0;
    int threes = 0;
    bool five = false;
    bool open = false;
    bool foul = false;
    for (int i = 0; i < 4; i++) {
        five = five || kinds[i] == KIND_FIVE;
        foul = foul || kinds[i] >= KIND_COUNT;
        open = open || kinds[i] == KIND_OPEN_FOUR;
        fours += kinds[i] == KIND_FOUR || kinds[i] == KIND_OPEN_FOUR;
        threes += kinds[i] == KIND_OPEN_THREE || kinds[i] == KIND_OPEN_THREE_A;
    }
    if (five) {
        return CLASS_FIVE;
    }
    if (foul || fours > 1) {
        return CLASS_FOUL;
    }
    if (threes > 1) {
        return open ? CLASS_DOUBT_OPEN_FOUR : fours ? CLASS_DOUBT_FOUR : CLASS_DOUBT_THREE;
    }
    uint8_t sorted[4];
    memcpy(sorted, kinds, 4);
    for (int i = 0; i < 3; i++) { /* the greatest comes last */
        if (sorted[i] > sorted[3]) {
            uint8_t greater = sorted[i];
            sorted[i] = sorted[3];
            sorted[3] = greater;
        }
    }
    return class_of_kinds(sorted);
}

/* What black's lines together are, and codes for what is forbidden, which counts as nothing there. */
static void fill_black(struct gomoku_tables *tables) {
    for (uint32_t four = 0; four < 1 << 16; four++) {
        uint8_t kinds[4];
        uint32_t plain = 0;
        for (int i = 0; i < 4; i++) {
            kinds[i] = four >> (4 * i) & 15;
            plain |= (uint32_t)(kinds[i] < KIND_COUNT ? kinds[i] : KIND_NONE) << (4 * i);
        }
        tables->class_of_black[four] = class_of_black(kinds);
        tables->code[four] = tables->code[plain];
    }
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
static struct line_solver shared_solver; /* of whoever builds; one at a time */
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;
static bool built[GOMOKU_VARIANTS];

/* The wide tables are sixteen times as large as the other one, so each is only built when somebody plays by its rule.
 */
static void build_tables(int variant) {
    struct line_solver *solver = &shared_solver;
    switch (variant) {
    case GOMOKU_FREESTYLE:
        fill_kinds(solver, 4, LINE_FIVE_OR_MORE, LINE_FIVE_OR_MORE, shared_tables.freestyle);
        fill_codes(&shared_tables);
        break;
    case GOMOKU_EXACT:
        fill_kinds(solver, 5, LINE_EXACTLY_FIVE, LINE_EXACTLY_FIVE, shared_tables.exact);
        break;
    case GOMOKU_RENJU:
        fill_kinds(solver, 5, LINE_BLACK, LINE_FIVE_OR_MORE, shared_tables.renju);
        fill_black(&shared_tables);
        break;
    default:
        fill_kinds(solver, 5, LINE_CARO, LINE_CARO, shared_tables.caro);
    }
    built[variant] = true;
}

const struct gomoku_tables *gomoku_tables(int variant) {
    ASSERT(variant >= 0 && variant < GOMOKU_VARIANTS);
    pthread_mutex_lock(&shared_lock);
    if (!built[GOMOKU_FREESTYLE]) {
        build_tables(GOMOKU_FREESTYLE);
    }
    if (!built[variant]) {
        build_tables(variant);
    }
    pthread_mutex_unlock(&shared_lock);
    return &shared_tables;
}
