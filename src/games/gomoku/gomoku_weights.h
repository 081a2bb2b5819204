/* What the codes of a square are worth: the tuned numbers of the engine, in one generated table. */
#ifndef SORTIE_GAMES_GOMOKU_WEIGHTS_H
#define SORTIE_GAMES_GOMOKU_WEIGHTS_H

#include <stdint.h>

#include "games/gomoku/gomoku_pattern.h"

struct gomoku_weights {
    int16_t to_move[GOMOKU_CODES]; /* evaluation: an empty square's points for the side to move */
    int16_t waiting[GOMOKU_CODES]; /* likewise for the other side */
    int16_t attack[GOMOKU_CODES];  /* ordering: the own side's code on the square of a move */
    int16_t defend[GOMOKU_CODES];  /* likewise the other side's */
};

extern const struct gomoku_weights gomoku_weights;

#endif
