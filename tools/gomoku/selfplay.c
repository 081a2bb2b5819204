/* Plays the engine against itself from random openings and writes one line a game:
 *
 *   RESULT SIZE MOVES-OF-THE-OPENING SQUARE[:VALUE] ...
 *
 * RESULT is 1, 0 or -1 for X; a value is the search's, for the side that moved. A game ends early when the search
 * has proved its outcome.
 *
 * usage: gomoku-selfplay SEED SECONDS NODES SPREAD    (openings worth more than SPREAD either way are not played) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "games/gomoku/gomoku.h"
#include "search/limits.h"

static int proven(game_score value) {
    return value >= GAME_WIN_VALUE - 1000 ? 1 : value <= 1000 - GAME_WIN_VALUE ? -1 : 0;
}

/* One to eight stones, more likely close together than far apart. */
static void draw_opening(struct gomoku_position *position, struct rng *rng) {
    int size = 15;
    gomoku_clear(position, size, GOMOKU_FREESTYLE);
    int stones = 1 + (int)rng_below(rng, 8);
    int width = 5 + 2 * (int)rng_below(rng, 4);
    int row0 = (int)rng_below(rng, (uint32_t)(size - width + 1));
    int column0 = (int)rng_below(rng, (uint32_t)(size - width + 1));
    while (position->count < stones) {
        int row = row0 + (int)rng_below(rng, (uint32_t)width);
        int column = column0 + (int)rng_below(rng, (uint32_t)width);
        if (position->board[row * size + column] == GOMOKU_EMPTY) {
            gomoku_put(position, row * size + column);
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: gomoku-selfplay SEED SECONDS NODES SPREAD\n");
        return 2;
    }
    struct rng rng = {rng_mix(strtoull(argv[1], NULL, 10))};
    double end = clock_wall() + atof(argv[2]);
    struct search_limits limits = {.nodes = strtoull(argv[3], NULL, 10)};
    int spread = atoi(argv[4]);
    struct searcher_options options = {.hash_bytes = (size_t)16 << 20};
    struct searcher *searcher = gomoku_searcher_new(&options, NULL);
    static struct gomoku_position position;
    const struct game_position *interface = (const struct game_position *)&position;
    static struct search_control control;
    static struct search_result result;
    while (clock_wall() < end) {
        gomoku_searcher_clear(searcher);
        draw_opening(&position, &rng);
        int opening = position.count;
        int values[GOMOKU_MOST_SQUARES];
        int outcome = 0;
        while (!gomoku_game.over(interface) && position.count < 130) {
            gomoku_think(searcher, interface, &limits, &control, &result);
            if (position.count == opening && abs(result.value) > spread) {
                break;
            }
            values[position.count] = result.value;
            int side = position.count & 1;
            gomoku_put(&position, (int)result.move);
            if (proven(result.value)) {
                outcome = side == 0 ? proven(result.value) : -proven(result.value);
                break;
            }
        }
        if (position.winner != GOMOKU_NO_WINNER) {
            outcome = position.winner == GOMOKU_X ? 1 : -1;
        }
        if (position.count == opening) {
            continue;
        }
        printf("%d %d %d", outcome, position.size, opening);
        for (int i = 0; i < position.count; i++) {
            if (i < opening) {
                printf(" %d", position.order[i]);
            } else {
                printf(" %d:%d", position.order[i], values[i]);
            }
        }
        printf("\n");
        fflush(stdout);
    }
    gomoku_searcher_free(searcher);
    return 0;
}
