/* The numbers of the quick ordering of moves, in one generated table: one for each side's code on the square, and how
 * far the square is from the last two moves. The searches for forced wins order by them; the tree asks the network. */
#ifndef SORTIE_GAMES_GOMOKU_EVAL_WEIGHTS_H
#define SORTIE_GAMES_GOMOKU_EVAL_WEIGHTS_H

#include <stdint.h>

#include "games/gomoku/board/pattern.h"

#define NET_VALUE_UNIT 200 /* a value of this many units is one natural unit of log odds */

struct gomoku_weights {
    int16_t attack[GOMOKU_CODES]; /* ordering, 32 to a natural unit: the own side's code on the square of a move */
    int16_t defend[GOMOKU_CODES]; /* likewise the other side's */
    int16_t draw[2][NET_FAR + 1]
                [NET_FAR + 1]; /* by the last move and the one before: the larger difference, the smaller */
};

extern const struct gomoku_weights gomoku_weights;

#endif
