/* The network's numbers as they are stored: eval/network.c, made by tools/gomoku/train.py.
 *
 * Every empty square has NET_VIEW numbers for each side's view of it. For each of its four directions the line of four
 * squares each way picks a row; the four rows are added and clamped to 0..NET_ONE. The first NET_CONV numbers then see
 * those of the eight squares around through a convolution of their own; the others stay as they are. These numbers of
 * all empty squares are added up over nine regions of the board. The sums of each region, and of the whole board, go
 * through small layers to the value and to the chance of a draw, which says how much of the value is halves; the sums
 * of the whole board also make the weights by which the numbers of a square become its policy: how likely a move there
 * is.
 *
 * All arithmetic is in whole numbers, and the same on every machine. */
#ifndef SORTIE_GAMES_GOMOKU_EVAL_NETWORK_H
#define SORTIE_GAMES_GOMOKU_EVAL_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#define NET_HALVES 121 /* ways to fill four squares in a row: with 0 to 4 of them on the board */
#define NET_LINES (NET_HALVES * NET_HALVES)
#define NET_VIEW 32
#define NET_CONV 16
#define NET_SQUARE (2 * NET_VIEW) /* both views */
#define NET_REGIONS 9
#define NET_REGION_OUT 8
#define NET_INPUTS (NET_SQUARE + NET_REGIONS * NET_REGION_OUT)
#define NET_HIDDEN_SIZE 32
#define NET_SECOND_SIZE 32
#define NET_AWAY 8 /* distances told apart, the last one for all farther ones */

#define NET_MOST 127        /* of a square's numbers; 64 is 1.0 */
#define NET_LAYER_MOST 2047 /* of a layer's numbers; 256 is 1.0 */

/* In the order and the types they are stored in, without gaps. Weights of layers are 1024 for 1.0, biases 2^18. */
struct network {
    int8_t rows[NET_LINES][NET_VIEW];
    int8_t conv[NET_CONV][9];    /* 64 for 1.0, row by row */
    int16_t conv_bias[NET_CONV]; /* 4096 for 1.0 */
    int16_t region[NET_REGION_OUT][NET_SQUARE];
    int32_t region_bias[NET_REGION_OUT];
    int16_t hidden[NET_HIDDEN_SIZE][NET_INPUTS];
    int32_t hidden_bias[NET_HIDDEN_SIZE];
    int16_t second[NET_SECOND_SIZE][NET_HIDDEN_SIZE];
    int32_t second_bias[NET_SECOND_SIZE];
    int16_t out[NET_SECOND_SIZE];
    int32_t out_bias;
    int16_t even[NET_SECOND_SIZE]; /* of a draw, in log odds */
    int32_t even_bias;
    int16_t policy[NET_SQUARE][NET_SQUARE];
    int32_t policy_bias[NET_SQUARE];
    int16_t draw[2][NET_AWAY][NET_AWAY]; /* policy by how far the last move and the one before lie: 32 for 1.0 */
};

/* The numbers one behind the other, and the FNV-1a digest of their bytes as they are in memory. A row that a line and
 * its mirror image share is written once, and the rows number by number. Twice a number, or for a negative one twice
 * its amount less one, is written in the digits of base 64, of which each counts four times the one before it, and
 * those from 60 on say that another follows: most numbers are one character, which packs as well as plain bytes do. */
extern const char gomoku_network_text[];
extern const uint64_t gomoku_network_digest;

/* Reads a network from its text. False when the text is not exactly one, or its digest is another. */
bool network_read(struct network *network, const char *text, uint64_t digest);

#endif
