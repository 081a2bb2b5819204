#include "gomoku_checker.h"

#include "plain_foul.h"

/* Whether a row of so many wins; `shut`: at how many ends the other side stands. */
static bool row_wins(enum checker_rule rule, int side, int length, int shut) {
    switch (rule) {
    case CHECKER_EXACT:
        return length == 5;
    case CHECKER_RENJU:
        return side == 1 ? length == 5 : length >= 5;
    case CHECKER_CARO:
        return length > 5 || (length == 5 && shut < 2);
    default:
        return length >= 5;
    }
}

bool checker_five(const struct checker_board *board, int side, int square) {
    int row = square / board->size;
    int column = square % board->size;
    for (int down = 0; down <= 1; down++) {
        for (int right = -1; right <= 1; right++) {
            if (down == 0 && right != 1) {
                continue; /* each of the four lines once */
            }
            int length = 1;
            int shut = 0;
            for (int way = -1; way <= 1; way += 2) {
                for (int step = 1;; step++) {
                    int r = row + way * step * down;
                    int c = column + way * step * right;
                    int stone = r < 0 || c < 0 || r >= board->size || c >= board->size
                                    ? 0
                                    : board->squares[r * board->size + c];
                    if (stone != side) {
                        shut += stone == 3 - side;
                        break;
                    }
                    length++;
                }
            }
            if (row_wins(board->rule, side, length, shut)) {
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

/* Whether the rule forbids the side the empty square. */
static bool is_foul(struct checker_board *board, int side, int square) {
    return board->rule == CHECKER_RENJU && side == 1 &&
           plain_foul_at(board->squares, board->size, square / board->size, square % board->size) != PLAIN_NO_FOUL;
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
    if (move < 0 || move >= board->size * board->size || board->squares[move] != 0 || is_foul(board, attacker, move)) {
        return false;
    }
    bool peculiar = board->rule == CHECKER_RENJU || board->rule == CHECKER_CARO; /* then every reply is tried */
    board->squares[move] = (char)attacker;
    board->to_move = defender;
    bool wins = count_fives(board, defender, &five) == 0;
    int threats = wins ? count_fives(board, attacker, &five) : 0;
    if (wins && (threats < 2 || peculiar)) {
        int replies = 0;
        for (int reply = 0; reply < board->size * board->size && wins; reply++) {
            if (board->squares[reply] != 0 || (threats == 1 && reply != five && !peculiar) ||
                is_foul(board, defender, reply)) {
                continue; /* every other reply leaves the five */
            }
            replies++;
            board->squares[reply] = (char)defender;
            board->to_move = attacker;
            wins = checker_wins(board, moves - 1, oracle, user);
            board->squares[reply] = 0;
        }
        wins = wins && replies > 0;
    } else if (wins) {
        wins = moves >= 2;
    }
    board->squares[move] = 0;
    board->to_move = attacker;
    return wins;
}
