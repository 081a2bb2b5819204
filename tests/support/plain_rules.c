#include "support/plain_rules.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/plain_foul.h"

#define MOST 32

enum plain_game {
    PLAIN_STAKE,
    PLAIN_SNEAK,
    PLAIN_LASER,
    PLAIN_FREESTYLE,
    PLAIN_EXACT,
    PLAIN_RENJU,
    PLAIN_CARO,
    PLAIN_CONNECT4,
    PLAIN_OTHELLO
};

struct plain {
    enum plain_game game;
    int rows;
    int columns;
    int side;            /* 1 or 2, to move */
    char at[MOST][MOST]; /* 0 empty, 1 and 2 pieces, 3 block */
    bool ended;          /* by a row of four or five */
};

static bool inside(const struct plain *board, int row, int column) {
    return row >= 0 && row < board->rows && column >= 0 && column < board->columns;
}

static const int around[8][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};

/* -- what may be played where -- */

static bool touches_own(const struct plain *board, int row, int column) {
    for (int i = 0; i < 4; i++) {
        int r = row + around[i][0];
        int c = column + around[i][1];
        if (inside(board, r, c) && board->at[r][c] == board->side) {
            return true;
        }
    }
    return false;
}

/* Whether any emitter, of whichever side, has a beam on the square: at most three steps, no block between. */
static bool is_lit(const struct plain *board, int row, int column) {
    for (int i = 0; i < 8; i++) {
        for (int k = 1; k <= 3; k++) {
            int r = row + k * around[i][0];
            int c = column + k * around[i][1];
            if (!inside(board, r, c) || board->at[r][c] == 3) {
                break;
            }
            if (board->at[r][c] != 0) {
                return true;
            }
        }
    }
    return false;
}

/* How many discs of the other side lie in a row between the square and one of the side's own. */
static int closed_in(const struct plain *board, int row, int column, int direction) {
    for (int k = 1;; k++) {
        int r = row + k * around[direction][0];
        int c = column + k * around[direction][1];
        if (!inside(board, r, c) || board->at[r][c] == 0) {
            return 0;
        }
        if (board->at[r][c] == board->side) {
            return k - 1;
        }
    }
}

static bool closes_in(const struct plain *board, int row, int column) {
    for (int i = 0; i < 8; i++) {
        if (closed_in(board, row, column, i) > 0) {
            return true;
        }
    }
    return false;
}

/* Whether renju forbids the first side the square. */
static bool is_foul(const struct plain *board, int row, int column) {
    char squares[MOST * MOST];
    for (int i = 0; i < board->rows * board->columns; i++) {
        squares[i] = board->at[i / board->columns][i % board->columns];
    }
    return board->side == 1 && plain_foul_at(squares, board->rows, row, column) != PLAIN_NO_FOUL;
}

/* How many kinds of move there are on a square. */
static int kinds(const struct plain *board, int row, int column) {
    if (board->at[row][column] != 0 || board->ended) {
        return 0;
    }
    switch (board->game) {
    case PLAIN_STAKE:
        return touches_own(board, row, column) ? 2 : 1;
    case PLAIN_LASER:
        return is_lit(board, row, column) ? 0 : 1;
    case PLAIN_OTHELLO:
        return closes_in(board, row, column);
    case PLAIN_RENJU:
        return !is_foul(board, row, column);
    case PLAIN_CONNECT4:
        return row == board->rows - 1 || board->at[row + 1][column] != 0;
    default:
        return 1;
    }
}

/* -- what a move does -- */

static int length_of_row(const struct plain *board, int row, int column, int direction) {
    int length = 1;
    for (int sign = -1; sign <= 1; sign += 2) {
        int r = row + sign * around[direction][0];
        int c = column + sign * around[direction][1];
        while (inside(board, r, c) && board->at[r][c] == board->at[row][column]) {
            length++;
            r += sign * around[direction][0];
            c += sign * around[direction][1];
        }
    }
    return length;
}

/* Whether the other side's pieces stand at both ends of the row through a square. */
static bool is_shut(const struct plain *board, int row, int column, int direction) {
    int shut = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        int r = row;
        int c = column;
        while (inside(board, r, c) && board->at[r][c] == board->at[row][column]) {
            r += sign * around[direction][0];
            c += sign * around[direction][1];
        }
        shut += inside(board, r, c) && board->at[r][c] == 3 - board->at[row][column];
    }
    return shut == 2;
}

static bool ends_by_row(const struct plain *board, int row, int column) {
    static const int directions[4] = {0, 1, 4, 6};
    for (int i = 0; i < 4; i++) {
        int length = length_of_row(board, row, column, directions[i]);
        if ((board->game == PLAIN_CONNECT4 && length >= 4) || (board->game == PLAIN_FREESTYLE && length >= 5) ||
            (board->game == PLAIN_EXACT && length == 5)) {
            return true;
        }
        if (board->game == PLAIN_RENJU && (board->at[row][column] == 1 ? length == 5 : length >= 5)) {
            return true;
        }
        if (board->game == PLAIN_CARO && (length > 5 || (length == 5 && !is_shut(board, row, column, directions[i])))) {
            return true;
        }
    }
    return false;
}

/* The board after a move; `kind` 1 is the second kind of move on a square, a raid. */
static struct plain after(const struct plain *before, int row, int column, int kind) {
    struct plain board = *before;
    bool raid = board.game == PLAIN_STAKE ? kind == 1 : board.game == PLAIN_SNEAK && touches_own(before, row, column);
    board.at[row][column] = (char)board.side;
    for (int i = 0; raid && i < 4; i++) {
        int r = row + around[i][0];
        int c = column + around[i][1];
        if (inside(&board, r, c) && board.at[r][c] == 3 - board.side) {
            board.at[r][c] = (char)board.side;
        }
    }
    for (int i = 0; board.game == PLAIN_OTHELLO && i < 8; i++) {
        for (int k = closed_in(before, row, column, i); k > 0; k--) {
            board.at[row + k * around[i][0]][column + k * around[i][1]] = (char)board.side;
        }
    }
    board.ended = ends_by_row(&board, row, column);
    board.side = 3 - board.side;
    return board;
}

static bool any_move(const struct plain *board) {
    for (int i = 0; i < board->rows * board->columns; i++) {
        if (kinds(board, i / board->columns, i % board->columns) > 0) {
            return true;
        }
    }
    return false;
}

static uint64_t count(const struct plain *board, int depth) {
    uint64_t leaves = 0;
    bool any = false;
    if (board->game == PLAIN_OTHELLO && depth > 0 && !any_move(board)) {
        struct plain passed = *board;
        passed.side = 3 - board->side;
        return any_move(&passed) ? count(&passed, depth - 1) : 1;
    }
    for (int row = 0; depth > 0 && row < board->rows; row++) {
        for (int column = 0; column < board->columns; column++) {
            for (int kind = 0; kind < kinds(board, row, column); kind++) {
                struct plain next = after(board, row, column, kind);
                leaves += count(&next, depth - 1);
                any = true;
            }
        }
    }
    return any ? leaves : 1;
}

/* -- reading -- */

/* The next word of the text; "" at the end. */
static const char *next_word(const char **text) {
    static char word[64];
    int length = 0;
    if (sscanf(*text, "%63s%n", word, &length) != 1) {
        word[0] = '\0';
    }
    *text += length;
    return word;
}

static char piece_of(char c) {
    return c == 'X' || c == '1' ? 1 : c == 'O' || c == '2' ? 2 : c == '3' ? 3 : 0;
}

static void read_rows(struct plain *board, const char *text) {
    for (int row = 0; row < board->rows; row++) {
        const char *word = next_word(&text);
        for (int column = 0; column < board->columns; column++) {
            board->at[row][column] = piece_of(word[column]);
        }
    }
}

static void play_moves(struct plain *board, const char *text) {
    for (const char *word = next_word(&text); word[0]; word = next_word(&text)) {
        int column = word[0] - 'A';
        int row = atoi(word + 1) - 1;
        for (row = word[1] ? row : board->rows - 1; !word[1] && board->at[row][column];) {
            row--;
        }
        *board = after(board, row, column, 0);
    }
}

uint64_t plain_perft(const char *position, int depth) {
    struct plain board = {.side = 1};
    const char *text = position;
    const char *word = next_word(&text);
    bool war = strcmp(word, "war") == 0;
    bool laser = strcmp(word, "laser") == 0;
    bool connect4 = strcmp(word, "connect4") == 0;
    bool othello = strcmp(word, "othello") == 0;
    if (!laser) {
        word = next_word(&text);
        board.game = connect4                     ? PLAIN_CONNECT4
                     : othello                    ? PLAIN_OTHELLO
                     : strcmp(word, "stake") == 0 ? PLAIN_STAKE
                     : strcmp(word, "sneak") == 0 ? PLAIN_SNEAK
                     : strcmp(word, "exact") == 0 ? PLAIN_EXACT
                     : strcmp(word, "renju") == 0 ? PLAIN_RENJU
                     : strcmp(word, "caro") == 0  ? PLAIN_CARO
                                                  : PLAIN_FREESTYLE;
    } else {
        board.game = PLAIN_LASER;
    }
    board.columns = board.rows = atoi(next_word(&text));
    if (connect4) {
        board.rows = atoi(next_word(&text));
    }
    if (war || laser || othello) {
        board.side = piece_of(next_word(&text)[0]);
        for (int i = 0; war && i < board.rows * board.columns; i++) {
            next_word(&text); /* the values of squares change nothing about moves */
        }
        read_rows(&board, text);
    } else {
        play_moves(&board, text);
    }
    return count(&board, depth);
}
