/* Pairs of empty squares that keep a side from five for ever: whenever it plays on one of a pair, the other side takes
 * its partner. Every five squares in a row that the defender has no stone in contain a pair. */
#ifndef SORTIE_PROVE_PAIRING_H
#define SORTIE_PROVE_PAIRING_H

#include "games/gomoku/gomoku_board.h"

struct pairing {
    int count;
    uint16_t squares[GOMOKU_MOST_SQUARES]; /* two a pair */
};

/* Looks for such pairs for `defender`; not finding them means nothing. */
bool pairing_find(const struct gboard *board, int defender, struct pairing *pairing);

#endif
