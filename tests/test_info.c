/* A search for the exact value says how far it is, at least every half second, whatever it is busy with. Measured in
 * CPU time, which a busy machine does not stretch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/stopwatch.h"
#include "engine/engine.h"
#include "game/registry.h"
#include "sortie/sortie.h"
#include "support/random_position.h"
#include "support/scale.h"

#define SECONDS 1.3
#define MOST_SILENCE (0.55 * PATIENT)

struct scene {
    const char *game;
    int size;
    int plies;     /* played at random */
    bool stranger; /* as if the game had no engine of its own */
    enum search_goal goal;
};

static const struct scene scenes[] = {
    {"war", 5, 0, false, SEARCH_EXACT},    {"war", 6, 2, false, SEARCH_WIN},     {"war", 12, 0, false, SEARCH_EXACT},
    {"laser", 12, 0, false, SEARCH_EXACT}, {"laser", 16, 0, false, SEARCH_WIN},  {"gomoku", 15, 6, false, SEARCH_EXACT},
    {"gomoku", 7, 4, false, SEARCH_EXACT}, {"laser", 12, 0, true, SEARCH_EXACT},
};

/* What was heard of one search. */
struct listener {
    double last; /* CPU seconds at the last word, or the beginning */
    double silence;
    int words;
    uint64_t nodes;
};

static void note_word(struct listener *listener, uint64_t nodes) {
    double now = clock_cpu();
    listener->silence = now - listener->last > listener->silence ? now - listener->last : listener->silence;
    listener->last = now;
    listener->words++;
    assert_true(nodes >= listener->nodes);
    listener->nodes = nodes;
}

static void hear(void *user, const struct search_result *report) {
    assert_true(report->lower <= report->upper);
    assert_true(report->pv_length >= 1 && report->pv[0] == report->move);
    note_word(user, report->nodes);
}

static void test_exact_searches_speak(void **state) {
    (void)state;
    struct rng rng = {3};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        const struct scene *scene = &scenes[i];
        struct game game = *game_find(scene->game, strlen(scene->game));
        game.think = scene->stranger ? NULL : game.think;
        struct game_position *position = test_calloc(1, game.properties->position_size);
        struct engine *engine = engine_new(&(struct searcher_options){.hash_bytes = (size_t)16 << 20});
        struct engine_request request = {.method = SEARCH_ENGINE,
                                         .limits = {.goal = scene->goal, .wall_seconds = SECONDS}};
        struct search_result result;
        random_position(&game, scene->size, scene->plies, &rng, position);
        struct listener listener = {.last = clock_cpu()};
        struct search_control control = {.info = hear, .user = &listener};
        assert_int_equal(engine_go(engine, &game, position, &request, &control, &result, NULL), STATUS_OK);
        int words = listener.words;
        note_word(&listener, UINT64_MAX);
        print_message("%s %d: %d words, silent for %.2f s at most, %.1f s\n", scene->game, scene->size, words,
                      listener.silence, result.wall_seconds);
        assert_true(words >= 2);
        assert_true(listener.silence < MOST_SILENCE);
        engine_free(engine);
        test_free(position);
    }
}

/* Several lines of an exact analysis are each solved on their own. */
static void hear_line(void *user, const sortie_result *report) {
    note_word(user,
              report->nodes > ((struct listener *)user)->nodes ? report->nodes : ((struct listener *)user)->nodes);
    assert_true(report->lower <= report->upper && report->move[0] && report->line_length >= 1);
}

static void test_exact_analysis_speaks(void **state) {
    (void)state;
    sortie_position *position = NULL;
    sortie_engine *engine = NULL;
    sortie_start start = SORTIE_INIT(sortie_start);
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    sortie_result lines[2] = {SORTIE_INIT(sortie_result)};
    int count = 0;
    start.random = 1;
    start.rows = 5;
    limits.method = SORTIE_ENGINE;
    limits.goal = SORTIE_EXACT;
    limits.wall_seconds = SECONDS;
    limits.multi_pv = 2;
    limits.on_info = hear_line;
    assert_int_equal(sortie_position_start("war", &start, &position, NULL), SORTIE_OK);
    assert_int_equal(sortie_engine_new(NULL, &engine, NULL), SORTIE_OK);
    struct listener listener = {.last = clock_cpu()};
    limits.user = &listener;
    assert_int_equal(sortie_engine_analyze(engine, position, &limits, lines, 2, &count, NULL), SORTIE_OK);
    note_word(&listener, UINT64_MAX);
    assert_true(listener.silence < MOST_SILENCE);
    sortie_engine_free(engine);
    sortie_position_free(position);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_searches_speak),
        cmocka_unit_test(test_exact_analysis_speaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
