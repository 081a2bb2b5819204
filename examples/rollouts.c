/* How fast a learner could play: random games in a batch, each step observed in full.
 *
 *   cc rollouts.c $(pkg-config --cflags --libs sortie) -o rollouts
 *   ./rollouts gomoku 15
 *   ./rollouts war 5 random
 *
 * With "random" every game has a start of its own; those of Gomoku are balanced openings, which take time to find. */
#include <sortie/sortie.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define GAMES 64
#define STEPS 4000

int main(int argc, char **argv) {
    sortie_batch *batch = NULL;
    sortie_error error = {0};
    sortie_start start = SORTIE_INIT(sortie_start);
    sortie_batch_options options = SORTIE_INIT(sortie_batch_options);
    start.rows = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0;
    start.random = argc > 3;
    options.count = GAMES;
    options.restart = 1;
    if (sortie_batch_new(argc > 1 ? argv[1] : "gomoku", &start, &options, &batch, &error) != SORTIE_OK) {
        fprintf(stderr, "rollouts: %s\n", error.text);
        return 2;
    }
    size_t squares = (size_t)(sortie_batch_rows(batch) * sortie_batch_columns(batch));
    float rewards[GAMES];
    uint8_t over[GAMES];
    int32_t to_move[GAMES];
    sortie_observation seen = SORTIE_INIT(sortie_observation);
    seen.planes = malloc(GAMES * (size_t)sortie_batch_planes(batch) * squares);
    seen.masks = malloc(GAMES * (size_t)sortie_batch_actions(batch));
    seen.rewards = rewards;
    seen.over = over;
    seen.to_move = to_move;
    long wins[3] = {0, 0, 0};
    clock_t begun = clock();
    for (int step = 0; step < STEPS && seen.planes && seen.masks; step++) {
        sortie_batch_random_step(batch, NULL, &error);
        sortie_batch_observe(batch, &seen, &error);
        for (int i = 0; i < GAMES; i++) {
            wins[1 + (int)rewards[i]] += over[i];
        }
    }
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    printf("%ld games: %ld won by the first side, %ld drawn, %ld by the second\n", wins[0] + wins[1] + wins[2], wins[2],
           wins[1], wins[0]);
    printf("%.0f steps a second\n", GAMES * (double)STEPS / seconds);
    free(seen.planes);
    free(seen.masks);
    sortie_batch_free(batch);
    return 0;
}
