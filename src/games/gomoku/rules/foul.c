#include "games/gomoku/rules/foul.h"

#include <stdbool.h>

#include "base/assert.h"
#include "games/gomoku/rules/gomoku.h"

static const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

/* A line through a square of the board, as what stands so many steps from it; off the board is O's. */
struct foul_line {
    uint8_t *board;
    int size;
    int row, column;
    int down, right;
};

static int square_at(const struct foul_line *line, int step) {
    int row = line->row + step * line->down;
    int column = line->column + step * line->right;
    bool inside = row >= 0 && row < line->size && column >= 0 && column < line->size;
    return inside ? row * line->size + column : -1;
}

static int stone_at(const struct foul_line *line, int step) {
    int square = square_at(line, step);
    return square < 0 ? GOMOKU_O : line->board[square];
}

static struct foul_line line_through(uint8_t *board, int size, int square, int direction) {
    return (struct foul_line){.board = board,
                              .size = size,
                              .row = square / size,
                              .column = square % size,
                              .down = steps[direction][0],
                              .right = steps[direction][1]};
}

/* The row of X's stones through the stone `step` away: from where to where. Returns its length. */
static int row_around(const struct foul_line *line, int step, int *first, int *last) {
    *first = *last = step;
    while (stone_at(line, *first - 1) == GOMOKU_X) {
        --*first;
    }
    while (stone_at(line, *last + 1) == GOMOKU_X) {
        ++*last;
    }
    return *last - *first + 1;
}

/* Whether X makes exactly five on the empty place `step`, in a row that the middle stone belongs to. */
static bool makes_five(const struct foul_line *line, int step) {
    int first, last;
    int square = square_at(line, step);
    line->board[square] = GOMOKU_X;
    bool five = row_around(line, step, &first, &last) == 5 && first <= 0 && last >= 0;
    line->board[square] = GOMOKU_EMPTY;
    return five;
}

/* Whether the stones around the middle one are a straight four. */
static bool is_straight(const struct foul_line *line) {
    int first, last;
    return row_around(line, 0, &first, &last) == 4 && stone_at(line, first - 1) == GOMOKU_EMPTY &&
           stone_at(line, last + 1) == GOMOKU_EMPTY && makes_five(line, first - 1) && makes_five(line, last + 1);
}

/* The fours of a line that the middle stone belongs to: two at most, a straight one counting once. */
static int fours_of(const struct foul_line *line) {
    int fives = 0;
    for (int step = -4; step <= 4; step++) {
        fives += step != 0 && stone_at(line, step) == GOMOKU_EMPTY && makes_five(line, step);
    }
    return fives > 1 && is_straight(line) ? 1 : fives;
}

/* Whether X has made five through the square. */
static bool has_five(uint8_t *board, int size, int square) {
    int first, last;
    for (int direction = 0; direction < 4; direction++) {
        struct foul_line line = line_through(board, size, square, direction);
        if (row_around(&line, 0, &first, &last) == 5) {
            return true;
        }
    }
    return false;
}

/* Whether a stone on the empty place `step` makes the middle stone part of a straight four, and may be put there. */
static bool makes_straight(const struct foul_line *line, int direction, int step) {
    int square = square_at(line, step);
    line->board[square] = GOMOKU_X;
    struct foul_line there = line_through(line->board, line->size, square, direction);
    int first, last;
    row_around(&there, 0, &first, &last);
    bool straight =
        first <= -step && last >= -step && is_straight(&there) && !has_five(line->board, line->size, square);
    line->board[square] = GOMOKU_EMPTY;
    return straight && gomoku_foul_at(line->board, line->size, square) == GOMOKU_NO_FOUL;
}

static bool is_three(const struct foul_line *line, int direction) {
    for (int step = -3; step <= 3; step++) {
        if (step != 0 && stone_at(line, step) == GOMOKU_EMPTY && makes_straight(line, direction, step)) {
            return true;
        }
    }
    return false;
}

/* The same with the stone on the square. */
static enum gomoku_foul foul_of_stone(uint8_t *board, int size, int square) {
    struct foul_line lines[4];
    int fours[4];
    int all_fours = 0;
    bool overline = false;
    if (has_five(board, size, square)) {
        return GOMOKU_NO_FOUL;
    }
    for (int direction = 0; direction < 4; direction++) {
        int first, last;
        lines[direction] = line_through(board, size, square, direction);
        overline = overline || row_around(&lines[direction], 0, &first, &last) > 5;
        fours[direction] = fours_of(&lines[direction]);
        all_fours += fours[direction];
    }
    if (overline) {
        return GOMOKU_OVERLINE;
    }
    if (all_fours > 1) {
        return GOMOKU_DOUBLE_FOUR;
    }
    int threes = 0;
    for (int direction = 0; direction < 4 && threes < 2; direction++) {
        threes += fours[direction] == 0 && is_three(&lines[direction], direction);
    }
    return threes > 1 ? GOMOKU_DOUBLE_THREE : GOMOKU_NO_FOUL;
}

enum gomoku_foul gomoku_foul_at(uint8_t *board, int size, int square) {
    ASSERT(square >= 0 && square < size * size);
    ASSERT(board[square] == GOMOKU_EMPTY);
    board[square] = GOMOKU_X;
    enum gomoku_foul foul = foul_of_stone(board, size, square);
    board[square] = GOMOKU_EMPTY;
    return foul;
}

const char *gomoku_foul_name(enum gomoku_foul foul) {
    static const char *const names[] = {"nothing", "an overline", "two fours", "two threes"};
    return names[foul];
}
