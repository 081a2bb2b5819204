/* Gomoku positions by their moves. */
#ifndef SORTIE_TESTS_SUPPORT_MOVES_H
#define SORTIE_TESTS_SUPPORT_MOVES_H

#include "games/gomoku/rules/gomoku.h"

/* The position of the free rule after moves such as "H8 A1", each on an empty square. */
struct gomoku_position position_of(int size, const char *moves);

#endif
