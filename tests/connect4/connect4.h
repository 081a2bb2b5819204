/* Connect Four: discs drop to the lowest free square of a column, four in a row win. A game that the program does not
 * ship, kept here as the proof of docs/adding-a-game.md: its board is no square, its moves stay legal after being
 * played, and it has no search of its own. */
#ifndef SORTIE_TESTS_CONNECT4_H
#define SORTIE_TESTS_CONNECT4_H

#include "game/game.h"

#define CONNECT4_MOST 10 /* columns and rows */

struct connect4_position {
    uint8_t columns;
    uint8_t rows;
    uint8_t count;  /* discs on the board; an even number: the first side moves */
    uint8_t winner; /* 0 none, 1 the first side, 2 the second */
    uint8_t heights[CONNECT4_MOST];
    uint8_t discs[CONNECT4_MOST][CONNECT4_MOST];  /* from the bottom; 0 empty, 1, 2 */
    uint8_t moves[CONNECT4_MOST * CONNECT4_MOST]; /* columns in the order they were played */
};

extern const struct game connect4_game;

#endif
