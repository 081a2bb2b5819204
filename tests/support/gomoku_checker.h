/* A judge of claimed wins in Gomoku that shares no code with the engine: its own board, its own look for fives, and
 * every legal reply of the defender. */
#ifndef TESTS_SUPPORT_GOMOKU_CHECKER_H
#define TESTS_SUPPORT_GOMOKU_CHECKER_H

#include <stdbool.h>

enum checker_rule { CHECKER_FREESTYLE, CHECKER_EXACT, CHECKER_RENJU, CHECKER_CARO };

struct checker_board {
    int size;
    enum checker_rule rule;
    int to_move;           /* 1 or 2 */
    char squares[20 * 20]; /* 0 empty, 1 and 2 the sides */
};

/* The move the claimant would play for the side to move, or -1 when it no longer claims a win. */
typedef int checker_oracle(void *user, const struct checker_board *board);

/* Whether the side to move wins within `moves` own moves when it follows the oracle, whatever the other side does. */
bool checker_wins(struct checker_board *board, int moves, checker_oracle *oracle, void *user);

/* Whether a stone of `side` on the empty `square` makes a five that wins. */
bool checker_five(const struct checker_board *board, int side, int square);

#endif
