/* Othello: a disc is put where it closes in a row of the other side's, and these turn; who can do so nowhere passes. A
 * game that the program does not ship, kept here as the proof of docs/adding-a-game.md: its boards have even sizes
 * only, a move changes squares far away, passing is a move, and it has no search of its own. */
#ifndef SORTIE_TESTS_OTHELLO_H
#define SORTIE_TESTS_OTHELLO_H

#include "game/game.h"

#define OTHELLO_LEAST 4
#define OTHELLO_MOST 10
#define OTHELLO_SQUARES (OTHELLO_MOST * OTHELLO_MOST)
#define OTHELLO_PASS OTHELLO_SQUARES /* as a move; the others are squares, row by row */

struct othello_position {
    uint8_t size;
    uint8_t side;                   /* 1 or 2, to move */
    uint8_t discs[OTHELLO_SQUARES]; /* row by row; 0 empty, 1, 2 */
};

extern const struct game othello_game;

#endif
