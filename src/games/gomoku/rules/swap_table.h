/* What the first stone is worth on each square of 15x15 when the other side moves next: the engine's knowledge of the
 * swap. Made by `sortie swapmap`; docs/referee.md says how. */
#ifndef SORTIE_GAMES_GOMOKU_RULES_SWAP_TABLE_H
#define SORTIE_GAMES_GOMOKU_RULES_SWAP_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

#define GOMOKU_SWAP_SIZE 15
#define GOMOKU_SWAP_SQUARES 36 /* of 225, when mirror images and turns count once */

/* The chance of the stone's owner in thousandths, by index. */
extern const uint16_t gomoku_swap_share[GOMOKU_SWAP_SQUARES];

/* The index of a square (row * 15 + column), and the square of an index in the top left eighth of the board. */
int gomoku_swap_index(int square);
int gomoku_swap_square(int index);

/* What is proved about a first stone. */
enum gomoku_swap_proof { GOMOKU_SWAP_OPEN, GOMOKU_SWAP_OWNER_WINS, GOMOKU_SWAP_OTHER_WINS };

/* Says what is proved about a square and its images; counts before every estimate from now on. Not while others ask. */
void gomoku_swap_settle(int square, enum gomoku_swap_proof proof);

/* Whether anything is proved about it, by what settled it or by the table. */
bool gomoku_swap_settled(int square);

/* Whether the second player does better with the first stone on `square` than against it. */
bool gomoku_swap_take(int square);

/* A first move after which neither side is much better, whoever owns it: one of the most even squares by chance, so
 * that nobody can prepare for it. One that is proved for either side is none, as long as there are others. */
int gomoku_swap_opening(struct rng *rng);

#endif
