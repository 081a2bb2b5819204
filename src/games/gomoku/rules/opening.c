/* Random starts for matches. Every start is meant to be played once with each side, so it need not be even, but
 * games that are decided before they begin say little: of several draws the most even one is taken. */
#include <stdlib.h>

#include "games/gomoku/rules/gomoku.h"

#define DRAWS 24

/* Four to seven stones around the middle, each within three steps of the middle's neighbourhood. */
static void draw_stones(struct gomoku_position *position, struct rng *rng) {
    int size = position->size;
    int stones = 4 + (int)rng_below(rng, 4);
    int width = size < 9 ? size : 9;
    int first = (size - width) / 2;
    while (position->count < stones) {
        int row = first + (int)rng_below(rng, (uint32_t)width);
        int column = first + (int)rng_below(rng, (uint32_t)width);
        if (position->board[row * size + column] == GOMOKU_EMPTY) {
            gomoku_put(position, row * size + column);
        }
    }
}

void gomoku_random_opening(struct gomoku_position *position, struct rng *rng) {
    struct gomoku_position best = *position;
    int best_tilt = GAME_INFINITY;
    for (int i = 0; i < DRAWS; i++) {
        struct gomoku_position drawn;
        gomoku_clear(&drawn, position->size, position->variant);
        draw_stones(&drawn, rng);
        int tilt = abs(gomoku_evaluate((const struct game_position *)&drawn));
        if (tilt < best_tilt) {
            best_tilt = tilt;
            best = drawn;
        }
    }
    *position = best;
}
