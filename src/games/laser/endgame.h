/* The last squares of a game, searched exactly and without a table.
 *
 * Once few squares are free, everything that still counts fits into single words: which of the free squares are
 * left, which squares the side to move can still cover afresh, and likewise for the other side. */
#ifndef SORTIE_GAMES_LASER_ENDGAME_H
#define SORTIE_GAMES_LASER_ENDGAME_H

#include <stdint.h>

#define LASER_ENDGAME_MOST 32 /* free squares; each side may have up to 64 squares left to cover */

/* One free square: what an emitter on it would cover. */
struct laser_last {
    uint64_t first;  /* of the squares the side to move has not covered yet */
    uint64_t second; /* likewise of the other side */
    uint32_t sees;   /* of the free squares, itself included: what it takes away */
};

/* The value for the side to move of the game on the free squares: what it will cover afresh minus what the other
 * side will. At least two squares are free, bit i of `free` being squares[i]. Only compared with `beta`: the
 * result is a lower bound of the value when it reaches beta and an upper bound when it does not. Adds to *nodes. */
int laser_endgame(const struct laser_last *squares, uint32_t free, uint64_t first, uint64_t second, int beta,
                  uint64_t *nodes);

#endif
