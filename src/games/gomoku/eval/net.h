/* The network at work: its sums of a position, kept up to date move by move (eval/network.h says what it computes).
 *
 * Positions are followed lazily: moves that are never evaluated cost nothing. A stone changes the rows of the empty
 * squares within four on its lines, and those change the convolved numbers around them. A move first works out by how
 * much, and the pools with it, which are all that a position without children needs; only then are the changes added to
 * the sums, and taking the move back subtracts them. */
#ifndef SORTIE_GAMES_GOMOKU_EVAL_NET_H
#define SORTIE_GAMES_GOMOKU_EVAL_NET_H

#include "games/gomoku/board/board.h"
#include "games/gomoku/eval/network.h"

struct net;

/* The network's numbers, read once; NULL when they are damaged. */
const struct network *net_numbers(void);

/* Room for the sums of a board, with `moves` for one that is played on; NULL when there is no memory. */
struct net *net_new(bool moves);
void net_free(struct net *net);

/* Starts at the board as it is, and is the board's network from now on. */
void net_load(struct net *net, struct gboard *board);

/* The value for the side to move, NET_VALUE_UNIT to a natural unit of log odds. The board is the one that was loaded,
 * with moves played and taken back since. */
int net_value(struct net *net, const struct gboard *board);

/* How likely the game is to end in a draw, in the same units. */
int net_draw(struct net *net, const struct gboard *board);

/* The policy of moves in the same position, 32 to a natural unit: first the weights, then each square by them. */
struct net_policy {
    _Alignas(64) int16_t weights[NET_SQUARE];
};
void net_policy_begin(struct net *net, const struct gboard *board, struct net_policy *policy);
int net_policy_of(const struct net *net, const struct net_policy *policy, int square);

/* The whole policy of some squares, with what the last two moves (or -1) do for them. */
void net_policies(struct net *net, const struct gboard *board, const int last[2], const uint16_t *squares, int count,
                  int *policies);

#endif
