/* Every engine in every phase returns within 50 ms of a stop or of its deadline, whenever that comes. Measured in CPU
 * time, which a busy machine does not stretch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <pthread.h>

#include <cmocka.h>

#include "base/stopwatch.h"
#include "engine/engine.h"
#include "game/registry.h"
#include "games/gomoku/rules/gomoku.h"
#include "support/random_position.h"
#include "support/scale.h"

#define MOST_SECONDS (0.05 * PATIENT)
#define TRIALS 5

/* A position and what is asked of it: long enough to be at it when the stop comes. */
struct scene {
    const char *game;
    int size;
    int plies; /* played at random */
    int threads;
    bool stranger; /* as if the game had no engine of its own */
    struct engine_request request;
};

#define ENGINE .method = SEARCH_ENGINE, .limits

static const struct scene scenes[] = {
    /* war: the competition search, the exact solver with its endings, on one word and on two */
    {"war", 8, 10, 1, false, {ENGINE = {.nodes = 1 << 30}}},
    {"war", 26, 60, 2, false, {ENGINE = {.nodes = 1 << 30}}},
    {"war", 5, 0, 1, false, {ENGINE = {.goal = SEARCH_EXACT}}},
    {"war", 5, 3, 2, false, {ENGINE = {.goal = SEARCH_EXACT}}},
    {"war", 5, 4, 1, false, {ENGINE = {.nodes = 1 << 30}}},
    {"war", 5, 2, 1, false, {ENGINE = {.goal = SEARCH_WIN}}},
    {"war", 6, 2, 1, false, {ENGINE = {.goal = SEARCH_EXACT}}},
    {"war", 12, 0, 1, false, {ENGINE = {.goal = SEARCH_EXACT}}},
    {"war", 8, 0, 1, false, {.method = TEXTBOOK_MINIMAX, .depth = 9}},
    {"war", 26, 0, 1, false, {.method = TEXTBOOK_ALPHABETA, .depth = 9}},
    /* laser: looking ahead, proofs, narrow and wide boards */
    {"laser", 12, 0, 1, false, {ENGINE = {.goal = SEARCH_EXACT}}},
    {"laser", 12, 1, 2, false, {ENGINE = {.goal = SEARCH_WIN}}},
    {"laser", 10, 0, 1, false, {ENGINE = {.nodes = 1 << 30}}},
    {"laser", 32, 0, 1, false, {ENGINE = {.nodes = 1 << 30}}},
    {"laser", 16, 0, 1, false, {ENGINE = {.goal = SEARCH_EXACT}}},
    {"laser", 21, 0, 1, false, {ENGINE = {.goal = SEARCH_WIN}}},
    {"laser", 32, 0, 1, false, {ENGINE = {.goal = SEARCH_EXACT}}},
    {"laser", 20, 0, 1, false, {.method = TEXTBOOK_ALPHABETA, .depth = 9}},
    {"laser", 20, 0, 1, false, {.method = TEXTBOOK_MINIMAX, .depth = 9}},
    /* gomoku: threats at the root, the tree, several lines */
    {"gomoku", 15, 0, 1, false, {ENGINE = {.nodes = 1 << 30}}},
    {"gomoku", 15, 16, 1, false, {ENGINE = {.nodes = 1 << 30}}},
    {"gomoku", 20, 30, 2, false, {ENGINE = {.nodes = 1 << 30}}},
    {"gomoku", 15, 40, 1, false, {ENGINE = {.goal = SEARCH_EXACT}}},
    {"gomoku", 15, 8, 1, false, {ENGINE = {.nodes = 1 << 30, .multi_pv = 4}}},
    {"gomoku", 15, 0, 1, false, {.method = TEXTBOOK_ALPHABETA, .depth = 9}},
    /* the search over the interface */
    {"war", 8, 0, 1, true, {ENGINE = {.nodes = 1 << 30}}},
    {"laser", 20, 0, 2, true, {ENGINE = {.goal = SEARCH_EXACT}}},
    {"gomoku", 15, 0, 1, true, {ENGINE = {.goal = SEARCH_WIN}}},
};

/* Somebody who asks a search to stop when the process has used so much more CPU time. */
struct stopper {
    atomic_bool *stop;
    double at;
    double stopped; /* the CPU time at which the flag was set, 0 before */
    atomic_bool needless;
};

static void *stop_later(void *user) {
    struct stopper *stopper = user;
    while (clock_cpu() < stopper->at && !atomic_load(&stopper->needless)) {
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    atomic_store(stopper->stop, true);
    stopper->stopped = clock_cpu();
    return NULL;
}

/* CPU seconds between the stop, or with `also` the other flag of a search, and the answer. */
static double stop_once(const struct scene *scene, struct engine *engine, const struct game *game,
                        const struct game_position *position, double after, bool also) {
    atomic_bool other = false;
    struct search_control control = {.also = &other};
    struct search_result result;
    struct stopper stopper = {.stop = also ? &other : &control.stop, .at = clock_cpu() + after};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_later, &stopper), 0);
    assert_int_equal(engine_go(engine, game, position, &scene->request, &control, &result, NULL), STATUS_OK);
    double answered = clock_cpu();
    atomic_store(&stopper.needless, true);
    pthread_join(thread, NULL);
    assert_true(game->legal(position, result.move));
    return answered - stopper.stopped;
}

/* CPU seconds beyond the deadline of a move. */
static double run_over_once(const struct scene *scene, struct engine *engine, const struct game *game,
                            const struct game_position *position, double seconds) {
    struct engine_request request = scene->request;
    struct search_control control = {0};
    struct search_result result;
    request.limits.cpu_seconds = seconds;
    assert_int_equal(engine_go(engine, game, position, &request, &control, &result, NULL), STATUS_OK);
    assert_true(game->legal(position, result.move));
    return result.cpu_seconds - seconds;
}

static void test_every_phase_ends_in_time(void **state) {
    (void)state;
    struct rng rng = {(uint64_t)time(NULL)};
    print_message("seed %llu\n", (unsigned long long)rng.state);
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        const struct scene *scene = &scenes[i];
        struct game game = *game_find(scene->game, strlen(scene->game));
        game.think = scene->stranger ? NULL : game.think;
        struct engine *engine =
            engine_new(&(struct searcher_options){.threads = scene->threads, .hash_bytes = (size_t)256 << 20});
        struct game_position *position = test_calloc(1, game.properties->position_size);
        assert_non_null(engine);
        for (int trial = 0; trial < 2 * TRIALS; trial++) {
            random_position(&game, scene->size, scene->plies, &rng, position);
            double after = 0.001 * (1 + rng_below(&rng, 60));
            bool by_deadline = trial % 2 && scene->request.method == SEARCH_ENGINE;
            double late = by_deadline ? run_over_once(scene, engine, &game, position, after)
                                      : stop_once(scene, engine, &game, position, after, trial % 4 == 0);
            if (late > MOST_SECONDS * scene->threads) {
                fail_msg("%s %dx%d, scene %zu: %.0f ms after %s at %.0f ms", scene->game, scene->size, scene->size, i,
                         1000 * late, by_deadline ? "the deadline" : "a stop", 1000 * after);
            }
        }
        test_free(position);
        engine_free(engine);
    }
}

/* The forced-win searches as tools of their own hear the caller too. */
static void test_forced_wins_stop(void **state) {
    (void)state;
    struct rng rng = {(uint64_t)time(NULL)};
    for (int trial = 0; trial < TRIALS; trial++) {
        struct gomoku_position position;
        random_position(&gomoku_game, 15, 40, &rng, (struct game_position *)&position);
        atomic_bool stop = false;
        struct gomoku_forced forced;
        struct stopper stopper = {.stop = &stop, .at = clock_cpu() + 0.001 * (1 + rng_below(&rng, 40))};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, stop_later, &stopper), 0);
        assert_int_equal(gomoku_find_forced(&position, true, (uint64_t)1 << 40, &stop, &forced, NULL), STATUS_OK);
        double answered = clock_cpu();
        atomic_store(&stopper.needless, true);
        pthread_join(thread, NULL);
        assert_true(answered - stopper.stopped < MOST_SECONDS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_phase_ends_in_time),
        cmocka_unit_test(test_forced_wins_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
