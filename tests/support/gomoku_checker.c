#include "gomoku_checker.h"

bool checker_five(const struct checker_board *board, int side, int square) {
    int row = square / board->size;
    int column = square % board->size;
    for (int down = 0; down <= 1; down++) {
        for (int right = -1; right <= 1; right++) {
            if (down == 0 && right != 1) {
                continue; /* each of the four lines once */
            }
            int length = 1;
            for (int way = -1; way <= 1; way += 2) {
                for (int step = 1;; step++) {
                    int r = row + way * step * down;
                    int c = column + way * step * right;
                    if (r < 0 || c < 0 || r >= board->size || c >= board->size ||
                        board->squares[r * board->size + c] != side) {
                        break;
                    }
                    length++;
                }
            }
            if (board->exact ? length == 5 : length >= 5) {
                return true;
            }
        }
    }
    return false;
}

/* Counts the squares where `side` makes five; *first is one of them. */
static int count_fives(const struct checker_board *board, int side, int *first) {
    int count = 0;
    for (int square = 0; square < board->size * board->size; square++) {
        if (board->squares[square] == 0 && checker_five(board, side, square)) {
            *first = count++ == 0 ? square : *first;
        }
    }
    return count;
}

bool checker_wins(struct checker_board *board, int moves, checker_oracle *oracle, void *user) {
    int attacker = board->to_move;
    int defender = 3 - attacker;
    int five = -1;
    if (moves < 1) {
        return false;
    }
    if (count_fives(board, attacker, &five) > 0) {
        return true;
    }
    int move = oracle(user, board);
    if (move < 0 || move >= board->size * board->size || board->squares[move] != 0) {
        return false;
    }
    board->squares[move] = (char)attacker;
    board->to_move = defender;
    bool wins = count_fives(board, defender, &five) == 0;
    int threats = wins ? count_fives(board, attacker, &five) : 0;
    if (wins && threats < 2) {
        for (int reply = 0; reply < board->size * board->size && wins; reply++) {
            if (board->squares[reply] != 0 || (threats == 1 && reply != five)) {
                continue; /* every other reply leaves the five */
            }
            board->squares[reply] = (char)defender;
            board->to_move = attacker;
            wins = checker_wins(board, moves - 1, oracle, user);
            board->squares[reply] = 0;
        }
    } else if (wins) {
        wins = moves >= 2;
    }
    board->squares[move] = 0;
    board->to_move = attacker;
    return wins;
}
