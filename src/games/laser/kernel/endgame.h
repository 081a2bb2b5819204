/* The last squares of a game, searched exactly and without a table.
 *
 * Once few squares are free, everything that still counts fits into single words: which of the free squares are
 * left, which squares the side to move can still cover afresh, and likewise for the other side. */
#ifndef SORTIE_GAMES_LASER_KERNEL_ENDGAME_H
#define SORTIE_GAMES_LASER_KERNEL_ENDGAME_H

#include <stdbool.h>
#include <stdint.h>

#define LASER_ENDGAME_MOST 31 /* free squares; each side may have up to 64 squares left to cover */

/* The free squares, numbered from 0. The last place stands for no square: laser_endgame fills it in. */
struct laser_last {
    /* What an emitter on a square would cover: of the squares the side to move has not covered yet, and likewise
     * of the other side. */
    uint64_t beams[2][LASER_ENDGAME_MOST + 1];
    uint32_t sees[LASER_ENDGAME_MOST + 1]; /* of the free squares, itself included: what it takes away */
    uint64_t *nodes;                       /* counted up */
    /* NULL or asked now and then; once true the search returns soon, and its value means nothing. */
    bool (*is_over)(void *user);
    void *user;
};

/* The value for the side to move of the game on the first `count` squares: what it will cover afresh minus what
 * the other side will. Only compared with `beta`: the result is a lower bound of the value when it reaches beta and
 * an upper bound when it does not. `doubtful` says that it probably does not, and matters for the speed only. */
int laser_endgame(struct laser_last *last, int count, uint64_t first, uint64_t second, int beta, bool doubtful);

/* An upper bound of that value when the side to move makes so many moves in a row first, two or more; any bound from
 * `enough` on is as good as none. */
int laser_endgame_row(struct laser_last *last, int count, uint64_t first, uint64_t second, int enough, int moves);

#endif
