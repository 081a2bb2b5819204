/* The endings of the war board's solver against playing them out: every number of empty squares, boards with and
 * without pieces at the start, one thread and two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/rng.h"
#include "games/war/rules/war.h"
#include "games/war/solve/endings_asked.h"
#include "support/scale.h"

/* What the side to move still gains, by trying every square. */
static int32_t play_out(const struct solve_graph *graph, uint64_t own, uint64_t other, uint64_t empty) {
    int32_t best = empty ? -GAME_INFINITY : 0;
    for (uint64_t rest = empty; rest;) {
        int square = bits_pop(&rest);
        uint64_t flipped = own & graph->beside[square] ? other & graph->beside[square] : 0;
        int32_t gain = graph->value[square];
        for (uint64_t pieces = flipped; pieces;) {
            gain += 2 * graph->value[bits_pop(&pieces)];
        }
        uint64_t bit = 1ULL << square;
        int32_t value = gain - play_out(graph, other ^ flipped, own | flipped | bit, empty ^ bit);
        best = value > best ? value : best;
    }
    return best;
}

static void graph_of(struct solve_graph *graph, int size, int empties, uint32_t most_value, struct rng *rng) {
    struct war_position w;
    war_clear(&w, size, 0);
    for (int square = 0; square < size * size; square++) {
        w.values[square] = 1 + (int32_t)rng_below(rng, most_value);
    }
    while (w.empty > empties) {
        int square = (int)rng_below(rng, (uint32_t)(size * size));
        if (!war_taken(&w, square)) {
            war_put(&w, (int)rng_below(rng, 2), square);
        }
    }
    assert_true(solve_graph_from(graph, &w));
}

/* A set of so many empty squares. */
static uint64_t draw_set(const struct solve_graph *graph, int left, struct rng *rng) {
    uint64_t empty = 0;
    while (bits_count(empty) < left) {
        empty |= 1ULL << rng_below(rng, (uint32_t)graph->empties);
    }
    return empty;
}

/* An ending of such a set: where it stands among the set's values, and its value. */
static int draw_ending(const struct solve_graph *graph, uint64_t empty, struct rng *rng, int32_t *value) {
    uint64_t pieces = endings_pieces_beside(graph, empty);
    uint64_t own = rng_next(rng) & pieces;
    int index = 0;
    int place = 0;
    for (uint64_t rest = pieces; rest; place++) {
        index |= own >> bits_pop(&rest) & 1 ? 1 << place : 0;
    }
    *value = play_out(graph, own, pieces & ~own, empty);
    return index;
}

/* Compares endings drawn at random; returns how many squares they have. */
static int check(const struct solve_graph *graph, uint64_t most_values, int threads, int rounds, struct rng *rng) {
    struct endings *endings = calloc(1, sizeof *endings);
    assert_non_null(endings);
    atomic_bool asked = false;
    struct search_clock clock = {.asked = &asked};
    struct team *team = team_new(threads);
    assert_non_null(team);
    endings_make(endings, graph, (size_t)1 << 28, most_values, team, &clock);
    team_free(team);
    int left = endings->left;
    for (int i = 0; i < rounds && left > 0; i++) {
        uint64_t empty = draw_set(graph, left, rng);
        int32_t value;
        int index = draw_ending(graph, empty, rng, &value);
        assert_int_equal(endings_of(endings, (uint32_t)empty)[index], value);
    }
    endings_free(endings);
    free(endings);
    return left;
}

static void test_endings_are_played_out(void **state) {
    (void)state;
    struct rng rng = {21};
    int seen[13] = {0};
    for (int i = 0; i < SCALED(60); i++) {
        struct solve_graph graph;
        int size = 2 + i % 5;
        int squares = size * size;
        graph_of(&graph, size, squares < 12 ? squares : 8 + (int)rng_below(&rng, 9), 99, &rng);
        uint64_t most = (uint64_t)1 << (6 + i % 15);
        seen[check(&graph, most, 1 + i % 2, 20, &rng)]++;
    }
    int kinds = 0;
    for (int left = 1; left <= 12; left++) {
        kinds += seen[left] > 0;
    }
    assert_true(kinds >= (SCALED(60) == 60 ? 6 : 2));
}

/* Nothing is taken beyond the limits, and a clock that has stopped leaves nothing half done. */
static void test_limits(void **state) {
    (void)state;
    struct rng rng = {22};
    struct solve_graph graph;
    graph_of(&graph, 5, 25, 99, &rng);
    assert_int_equal(check(&graph, 10, 1, 1, &rng), 0);
    struct endings *endings = calloc(1, sizeof *endings);
    assert_non_null(endings);
    atomic_bool asked = true;
    struct search_clock clock = {.asked = &asked};
    struct team *team = team_new(2);
    assert_non_null(team);
    endings_make(endings, &graph, (size_t)1 << 24, 1000000, team, &clock);
    assert_int_equal(endings->left, 0);
    assert_null(endings->values);
    atomic_store(&asked, false);
    atomic_store(&clock.stop, false);
    endings_make(endings, &graph, (size_t)1 << 21, 1000000000, team, &clock);
    assert_true(endings->left == 3 && endings->mapped <= (size_t)1 << 21);
    team_free(team);
    endings_free(endings);
    free(endings);
}

/* The values of sets drawn at random, each asked for until it is worked out. Returns how many were not exact. */
static int check_asked(const struct solve_graph *graph, struct asked_endings *asked, struct rng *rng) {
    int16_t *scratch = malloc(ASKED_SCRATCH * sizeof *scratch);
    assert_non_null(scratch);
    int inexact = 0;
    for (int i = 0; i < 10; i++) {
        uint64_t empty = draw_set(graph, asked->from->left + 1, rng);
        const struct asked_set *set = NULL;
        const uint8_t *bytes = NULL;
        int pieces = bits_count(endings_pieces_beside(graph, empty));
        for (int times = 0; !bytes && times <= (1 << pieces) / ASKED_SHARE; times++) {
            bytes = asked_find(asked, (uint32_t)empty, pieces, scratch, &set);
        }
        assert_non_null(bytes);
        for (int j = 0; j < 4; j++) {
            int32_t value;
            int index = draw_ending(graph, empty, rng, &value);
            int32_t low = asked_low(set, bytes[index]);
            assert_in_range(value - low, 0, asked_slack(set));
            inexact += asked_slack(set) > 0;
        }
    }
    free(scratch);
    return inexact;
}

/* Endings of one square more: exact where a byte is enough for the values, else within what they say. */
static void test_asked_endings(void **state) {
    (void)state;
    struct rng rng = {23};
    struct endings *endings = calloc(1, sizeof *endings);
    struct asked_endings *asked = calloc(1, sizeof *asked);
    assert_true(endings && asked);
    atomic_bool never = false;
    struct search_clock clock = {.asked = &never};
    struct team *team = team_new(1);
    assert_non_null(team);
    int inexact = 0;
    const int rounds = 12;
    for (int i = 0; i < rounds; i++) {
        struct solve_graph graph;
        graph_of(&graph, 4 + i % 2, 9 + (int)rng_below(&rng, 6), i % 4 == 3 ? 300 : 20, &rng);
        endings_make(endings, &graph, (size_t)1 << 28, (uint64_t)1 << (10 + i % 5), team, &clock);
        assert_true(endings->left > 0);
        asked_open(asked, endings, &graph, (size_t)1 << 24, &clock);
        assert_ptr_equal(asked->from, endings);
        inexact += check_asked(&graph, asked, &rng);
        asked_close(asked);
        /* Where there is no room for a set it is never found. */
        asked_open(asked, endings, &graph, asked->sets_mapped + 4 * ENDINGS_UNIT, &clock);
        const struct asked_set *set;
        uint32_t empty = (uint32_t)((1u << (endings->left + 1)) - 1);
        int16_t scratch[4 * ENDINGS_UNIT];
        int pieces = bits_count(endings_pieces_beside(&graph, empty));
        for (int times = 0; pieces > 7 && times < 1 << pieces; times++) {
            assert_null(asked_find(asked, empty, pieces, scratch, &set));
        }
        asked_close(asked);
        endings_free(endings);
    }
    assert_true(inexact > 0 && inexact < rounds * 40);
    team_free(team);
    free(asked);
    free(endings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_asked_endings),
        cmocka_unit_test(test_endings_are_played_out),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
