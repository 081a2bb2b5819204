/* The tuned numbers of the engine, in one generated table (gomoku_weights.c, made by tools/gomoku/train.py).
 *
 * The evaluation is a small network. Every empty square sums a row of `cell` for each of its four directions, by
 * what the side it is seen for and the other side would have there; the sums, clamped to 0..NET_ONE, are added up
 * over all empty squares. That pool, seen for the side to move and for the other side, goes through two hidden
 * layers to one number. The ordering of moves uses one number for each side's code on the square, and how far the
 * square is from the last two moves. */
#ifndef SORTIE_GAMES_GOMOKU_WEIGHTS_H
#define SORTIE_GAMES_GOMOKU_WEIGHTS_H

#include <stdint.h>

#include "games/gomoku/gomoku_pattern.h"

#define NET_ONE 256          /* 1.0 of a square's sums */
#define NET_POOL_SHIFT 4     /* from the pool to the inputs of the hidden layer */
#define NET_HIDDEN_SHIFT 10  /* from the hidden sums back to 1024 for 1.0 */
#define NET_HIDDEN_MOST 8191 /* of a hidden sum that goes on to the second layer */
#define NET_VALUE_UNIT 200   /* a value of this many units is one natural unit of log odds */

struct gomoku_weights {
    int16_t attack[GOMOKU_CODES]; /* ordering, 32 to a natural unit: the own side's code on the square of a move */
    int16_t defend[GOMOKU_CODES]; /* likewise the other side's */
    int16_t draw[2][NET_FAR + 1]
                [NET_FAR + 1]; /* by the last move and the one before: the larger difference, the smaller */
    int16_t cell[KIND_COUNT][KIND_COUNT][NET_CELL]; /* by the viewing side's kind, then the other's */
    int16_t hidden[NET_HIDDEN][2 * NET_CELL];       /* 1024 for 1.0 */
    int32_t hidden_bias[NET_HIDDEN];                /* 2^20 for 1.0 */
    int16_t second[NET_SECOND][NET_HIDDEN];         /* 1024 for 1.0 */
    int32_t second_bias[NET_SECOND];                /* 2^20 for 1.0 */
    int16_t out[NET_SECOND];                        /* 1024 for 1.0 */
    int32_t out_bias;                               /* 2^20 for 1.0 */
};

extern const struct gomoku_weights gomoku_weights;

#endif
