#include "support/plain_foul.h"

#include <stdbool.h>

static const int ways[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

/* What stands on a square; 2 outside of the board, where nothing of the first side's can be. */
static int at(const char *board, int size, int row, int column) {
    return row < 0 || column < 0 || row >= size || column >= size ? 2 : board[row * size + column];
}

/* Whether exactly these five squares from (row, column) on are a row of the first side's, and no sixth beside it. */
static bool is_five(const char *board, int size, int row, int column, int way) {
    int down = ways[way][0];
    int right = ways[way][1];
    for (int i = 0; i < 5; i++) {
        if (at(board, size, row + i * down, column + i * right) != 1) {
            return false;
        }
    }
    return at(board, size, row - down, column - right) != 1 && at(board, size, row + 5 * down, column + 5 * right) != 1;
}

/* Whether so many squares in a row, one of them this one, are all of the first side's. */
static bool has_row(const char *board, int size, int row, int column, int length) {
    for (int way = 0; way < 4; way++) {
        for (int from = 1 - length; from <= 0; from++) {
            bool all = true;
            for (int i = from; i < from + length; i++) {
                all = all && at(board, size, row + i * ways[way][0], column + i * ways[way][1]) == 1;
            }
            if (all) {
                return true;
            }
        }
    }
    return false;
}

static bool makes_five(const char *board, int size, int row, int column) {
    for (int way = 0; way < 4; way++) {
        for (int from = -4; from <= 0; from++) {
            if (is_five(board, size, row + from * ways[way][0], column + from * ways[way][1], way)) {
                return true;
            }
        }
    }
    return false;
}

/* The different sets of four stones on one line, this one among them, that a fifth stone makes a five: as bits, by how
 * far they are from here. */
static int fours_on(char *board, int size, int row, int column, int way) {
    int sets[5];
    int count = 0;
    for (int from = -4; from <= 0; from++) {
        int set = 0;
        int hole = 99;
        int others = 0;
        for (int i = from; i < from + 5; i++) {
            int stone = at(board, size, row + i * ways[way][0], column + i * ways[way][1]);
            set |= stone == 1 ? 1 << (i + 4) : 0;
            hole = stone == 0 ? i : hole;
            others += stone != 1;
        }
        if (others != 1 || hole == 99) {
            continue;
        }
        char *square = &board[(row + hole * ways[way][0]) * size + column + hole * ways[way][1]];
        *square = 1;
        bool five = is_five(board, size, row + from * ways[way][0], column + from * ways[way][1], way);
        *square = 0;
        bool known = !five;
        for (int i = 0; i < count; i++) {
            known = known || sets[i] == set;
        }
        if (!known) {
            sets[count++] = set;
        }
    }
    return count;
}

/* Whether a straight four stands on the four squares from `from` on: free on both sides, and a five by either. */
static bool is_straight(char *board, int size, int row, int column, int way, int from) {
    int down = ways[way][0];
    int right = ways[way][1];
    for (int i = from; i < from + 4; i++) {
        if (at(board, size, row + i * down, column + i * right) != 1) {
            return false;
        }
    }
    for (int end = 0; end < 2; end++) {
        int step = end ? from + 4 : from - 1;
        int first = end ? from : from - 1;
        if (at(board, size, row + step * down, column + step * right) != 0) {
            return false;
        }
        char *square = &board[(row + step * down) * size + column + step * right];
        *square = 1;
        bool five = is_five(board, size, row + first * down, column + first * right, way);
        *square = 0;
        if (!five) {
            return false;
        }
    }
    return true;
}

static bool three_on(char *board, int size, int row, int column, int way) {
    for (int from = -3; from <= 0; from++) {
        for (int i = from; i < from + 4; i++) {
            int r = row + i * ways[way][0];
            int c = column + i * ways[way][1];
            if (i == 0 || at(board, size, r, c) != 0) {
                continue;
            }
            board[r * size + c] = 1;
            bool straight = is_straight(board, size, row, column, way, from) && !makes_five(board, size, r, c);
            board[r * size + c] = 0;
            if (straight && plain_foul_at(board, size, r, c) == PLAIN_NO_FOUL) {
                return true;
            }
        }
    }
    return false;
}

enum plain_foul plain_foul_at(char *board, int size, int row, int column) {
    char *square = &board[row * size + column];
    int fours = 0;
    int threes = 0;
    enum plain_foul foul = PLAIN_NO_FOUL;
    *square = 1;
    if (!makes_five(board, size, row, column)) {
        for (int way = 0; way < 4; way++) {
            fours += fours_on(board, size, row, column, way);
        }
        bool overline = has_row(board, size, row, column, 6);
        for (int way = 0; way < 4 && !overline && fours < 2; way++) {
            threes += three_on(board, size, row, column, way);
        }
        foul = overline     ? PLAIN_OVERLINE
               : fours > 1  ? PLAIN_DOUBLE_FOUR
               : threes > 1 ? PLAIN_DOUBLE_THREE
                            : PLAIN_NO_FOUL;
    }
    *square = 0;
    return foul;
}
