#include "board.h"

static const int beside[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

static char at(const struct board *board, int row, int column) {
    int inside = row >= 0 && column >= 0 && row < board->size && column < board->size;
    return inside ? board->squares[row][column] : '#';
}

int board_can_raid(const struct board *board, int row, int column, char who) {
    for (int i = 0; i < 4; i++) {
        if (at(board, row + beside[i][0], column + beside[i][1]) == who) {
            return 1;
        }
    }
    return 0;
}

void board_take(struct board *board, int row, int column, char who, int raid) {
    char enemy = who == 'X' ? 'O' : 'X';
    board->squares[row][column] = who;
    for (int i = 0; i < 4 && raid; i++) {
        if (at(board, row + beside[i][0], column + beside[i][1]) == enemy) {
            board->squares[row + beside[i][0]][column + beside[i][1]] = who;
        }
    }
}

int board_score(const struct board *board, char who) {
    int score = 0;
    for (int row = 0; row < board->size; row++) {
        for (int column = 0; column < board->size; column++) {
            char piece = board->squares[row][column];
            score += piece == '.' ? 0 : piece == who ? board->values[row][column] : -board->values[row][column];
        }
    }
    return score;
}
