/* Plays two settings of the tree search against each other from random openings, each opening with both colours.
 *
 * usage: gomoku-duel SEED SECONDS LIMIT SETTINGS [SETTINGS]    (of the first, and of the second: the usual ones)
 *
 * LIMIT is for each move: nodes, or with a point in it CPU seconds.
 * Prints wins, draws and losses of the first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "settings.h"

/* 1 when X wins, -1 when O does. */
static int play(struct gomoku_position *position, struct searcher *const *searchers, int first,
                const struct search_limits *limits, int spread) {
    const struct game_position *interface = (const struct game_position *)position;
    static struct search_control control;
    static struct search_result result;
    int opening = position->count;
    gomoku_searcher_clear(searchers[0]);
    gomoku_searcher_clear(searchers[1]);
    while (!gomoku_game.over(interface) && position->count < 150) {
        int side = position->count & 1;
        gomoku_think(searchers[side ^ first], interface, limits, &control, &result);
        if (spread > 0 && position->count == opening && abs(result.value) > spread) {
            return 2;
        }
        if (result.value >= WIN_LEAST || result.value <= -WIN_LEAST) {
            return (result.value > 0) == (side == 0) ? 1 : -1;
        }
        gomoku_put(position, (int)result.move);
    }
    return position->winner == GOMOKU_X ? 1 : position->winner == GOMOKU_O ? -1 : 0;
}

int main(int argc, char **argv) {
    struct tree_params sides[2] = {tree_usual_params, tree_usual_params};
    if (argc < 5 || argc > 6 || !settings_parse(&sides[0], argv[4]) ||
        (argc == 6 && !settings_parse(&sides[1], argv[5]))) {
        fprintf(stderr, "usage: gomoku-duel SEED SECONDS LIMIT SETTINGS [SETTINGS]\n");
        return 2;
    }
    struct rng rng = {rng_mix(strtoull(argv[1], NULL, 10))};
    double end = clock_wall() + atof(argv[2]);
    struct search_limits limits = {0};
    if (strchr(argv[3], '.')) {
        limits.cpu_seconds = atof(argv[3]);
    } else {
        limits.nodes = strtoull(argv[3], NULL, 10);
    }
    struct searcher_options options = {.hash_bytes = (size_t)64 << 20};
    struct searcher *searchers[2] = {gomoku_searcher_new(&options, NULL), gomoku_searcher_new(&options, NULL)};
    if (!searchers[0] || !searchers[1]) {
        return 1;
    }
    gomoku_searcher_tune(searchers[0], &sides[0]);
    gomoku_searcher_tune(searchers[1], &sides[1]);
    int count[3] = {0};
    while (clock_wall() < end) {
        struct gomoku_position opening;
        gomoku_clear(&opening, 15, GOMOKU_FREESTYLE);
        gomoku_random_opening(&opening, &rng);
        for (int first = 0; first < 2; first++) {
            struct gomoku_position position = opening;
            int outcome = play(&position, searchers, first, &limits, first == 0 ? 150 : 0);
            if (outcome == 2) {
                break;
            }
            count[1 + (first == 0 ? outcome : -outcome)]++;
        }
    }
    int games = count[0] + count[1] + count[2];
    double score = games ? (count[2] + 0.5 * count[1]) / games : 0;
    printf("%-40s +%d =%d -%d  %.3f\n", argv[4], count[2], count[1], count[0], score);
    gomoku_searcher_free(searchers[0]);
    gomoku_searcher_free(searchers[1]);
    return 0;
}
