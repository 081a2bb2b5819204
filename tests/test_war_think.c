/* The war board's engine behind the game interface: always a legal move, never over its time, the same nodes
 * for the same question, and exact values that equal plain minimax. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/stopwatch.h"
#include "games/war/rules/war.h"
#include "search/textbook.h"
#include "support/scale.h"

static const struct game *const game = &war_game;

/* A board of random values with some squares filled at random, X to move or O. */
static void random_position(struct war_position *w, int size, int variant, int filled, int most_value,
                            struct rng *rng) {
    war_clear(w, size, variant);
    for (int square = 0; square < size * size; square++) {
        w->values[square] = 1 + (int32_t)rng_below(rng, (uint32_t)most_value);
    }
    while (filled > 0) {
        int square = (int)rng_below(rng, (uint32_t)(size * size));
        if (!war_taken(w, square)) {
            war_put(w, (int)rng_below(rng, 2), square);
            filled--;
        }
    }
    w->to_move = (uint8_t)rng_below(rng, 2);
}

static const struct game_position *as_game(const struct war_position *w) {
    return (const struct game_position *)w;
}

static struct searcher *engine(int threads, bool plain) {
    struct searcher_options options = {.threads = threads, .hash_bytes = (size_t)4 << 20, .plain = plain};
    struct searcher *searcher = war_searcher_new(&options, NULL);
    assert_non_null(searcher);
    return searcher;
}

static void think(struct searcher *searcher, const struct war_position *w, struct search_limits limits,
                  struct search_result *result) {
    struct search_control control = {.info = NULL};
    war_think(searcher, as_game(w), &limits, &control, result);
    assert_true(game->legal(as_game(w), result->move));
    assert_true(result->pv_length >= 1);
    assert_int_equal(result->pv[0], result->move);
}

/* A line can be played move by move. */
static void assert_line_legal(const struct war_position *w, const struct search_result *result) {
    struct war_position board = *w;
    for (int i = 0; i < result->pv_length; i++) {
        struct game_undo undo;
        assert_true(game->legal(as_game(&board), result->pv[i]));
        game->play((struct game_position *)&board, result->pv[i], &undo);
    }
}

static void test_exact_equals_minimax(void **state) {
    (void)state;
    struct rng rng = {1};
    struct searcher *searcher = engine(1, false);
    for (int i = 0; i < 400; i++) {
        int size = 1 + (int)rng_below(&rng, 6);
        int empty = 1 + (int)rng_below(&rng, 6);
        int filled = size * size > empty ? size * size - empty : 0;
        struct war_position w;
        random_position(&w, size, (int)rng_below(&rng, 2), filled, 99, &rng);
        struct search_result expected;
        struct textbook_request request = {.method = TEXTBOOK_ALPHABETA, .depth = size * size};
        textbook_search(game, as_game(&w), &request, &expected);
        struct search_result result;
        think(searcher, &w, (struct search_limits){.goal = SEARCH_EXACT}, &result);
        assert_int_equal(result.value, expected.value);
        assert_int_equal(result.certainty, SEARCH_PROVED);
        assert_int_equal(result.lower, expected.value);
        assert_int_equal(result.upper, expected.value);
        assert_int_equal(result.pv_length, w.empty);
        assert_line_legal(&w, &result);
    }
    war_searcher_free(searcher);
}

static void test_legal_on_every_board(void **state) {
    (void)state;
    struct rng rng = {2};
    struct searcher *searcher = engine(1, false);
    for (int size = 1; size <= WAR_MOST_SIZE; size++) {
        for (int variant = 0; variant < 2; variant++) {
            struct war_position w;
            random_position(&w, size, variant, (int)rng_below(&rng, (uint32_t)(size * size)), 99, &rng);
            struct search_result result;
            think(searcher, &w, (struct search_limits){.nodes = 2000}, &result);
            assert_line_legal(&w, &result);
            think(searcher, &w, (struct search_limits){.depth = 2}, &result);
            assert_line_legal(&w, &result);
        }
    }
    war_searcher_free(searcher);
}

static void test_fixed_nodes_are_deterministic(void **state) {
    (void)state;
    struct rng rng = {3};
    struct war_position w;
    random_position(&w, 8, WAR_STAKE, 20, 99, &rng);
    struct search_result first, second;
    struct searcher *searcher = engine(1, false);
    think(searcher, &w, (struct search_limits){.nodes = 20000}, &first);
    war_searcher_clear(searcher);
    think(searcher, &w, (struct search_limits){.nodes = 20000}, &second);
    assert_int_equal(first.nodes, second.nodes);
    assert_int_equal(first.move, second.move);
    assert_int_equal(first.value, second.value);
    assert_int_equal(first.cutoffs, second.cutoffs);
    war_searcher_free(searcher);
}

/* What a whole game against random moves leaves of a clock. */
static double play_on_clock(int size, double left, struct rng *rng) {
    struct searcher *searcher = engine(1, false);
    struct war_position w;
    random_position(&w, size, WAR_STAKE, 0, 99, rng);
    while (w.empty > 0) {
        struct search_result result;
        double before = clock_cpu();
        think(searcher, &w, (struct search_limits){.cpu_seconds_left = left > 0 ? left : 1e-6}, &result);
        left -= clock_cpu() - before;
        struct game_undo undo;
        game->play((struct game_position *)&w, result.move, &undo);
        if (w.empty > 0) { /* the other side answers at random */
            game_move moves[2 * WAR_MOST_SQUARES];
            int count = game->moves(as_game(&w), moves);
            game->play((struct game_position *)&w, moves[rng_below(rng, (uint32_t)count)], &undo);
        }
    }
    war_searcher_free(searcher);
    return left;
}

/* What is left of a small clock never goes below zero. One interrupt can take a whole clock of a millisecond: the
 * smallest may be tried three times. */
static void test_clock_is_kept(void **state) {
    (void)state;
    struct rng rng = {4};
    static const int sizes[] = {5, 8, 26};
    static const double clocks[] = {0.2, 0.01, 0.001};
    for (int s = 0; s < 3; s++) {
        for (int c = 0; c < 3; c++) {
            double left = play_on_clock(sizes[s], clocks[c], &rng);
            for (int again = 0; again < 2 && left <= 0 && clocks[c] < 0.01; again++) {
                left = play_on_clock(sizes[s], clocks[c], &rng);
            }
            if (clocks[c] >= 0.2 || sizes[s] < 26) {
                assert_true(left > 0.0);
            }
        }
    }
}

/* One move with next to nothing left costs next to nothing. */
static void test_last_milliseconds(void **state) {
    (void)state;
    struct rng rng = {5};
    static const double clocks[] = {0.01, 0.002, 1e-6};
    for (int size = 2; size <= 26; size += 8) {
        for (int c = 0; c < 3; c++) {
            struct searcher *searcher = engine(1, false);
            struct war_position w;
            random_position(&w, size, WAR_SNEAK, 0, 99, &rng);
            struct search_result result;
            double before = clock_cpu();
            think(searcher, &w, (struct search_limits){.cpu_seconds_left = clocks[c]}, &result);
            assert_true(clock_cpu() - before < 0.01);
            war_searcher_free(searcher);
        }
    }
}

/* A position of a game that was lost with 13.6 of 20 s left: solving was refused on an estimate five times too high.
 * With 17 s left it is solved: E4 wins by 10, D5 by 2, everything else loses. */
static void test_a_won_game_is_won(void **state) {
    (void)state;
    static const int values[5][5] = {
        {96, 19, 12, 61, 43}, {98, 71, 5, 59, 35}, {81, 53, 49, 92, 86}, {74, 72, 82, 74, 77}, {51, 21, 75, 80, 12}};
    static const char *const rows[5] = {"X....", "X....", "...OX", ".O...", "....."};
    struct war_position w;
    war_clear(&w, 5, WAR_STAKE);
    for (int square = 0; square < 25; square++) {
        w.values[square] = values[square / 5][square % 5];
    }
    for (int square = 0; square < 25; square++) {
        char owner = rows[square / 5][square % 5];
        if (owner != '.') {
            war_put(&w, owner == 'X' ? WAR_X : WAR_O, square);
        }
    }
    w.to_move = WAR_O;
    struct searcher_options options = {.threads = 1};
    struct searcher *searcher = war_searcher_new(&options, NULL);
    assert_non_null(searcher);
    struct search_result result;
    think(searcher, &w, (struct search_limits){.cpu_seconds_left = 17 * PATIENT}, &result);
    char text[32];
    game->move_text(as_game(&w), result.move, text);
    assert_true(strcmp(text, "E4 Stake") == 0 || strcmp(text, "D5 Stake") == 0);
    assert_int_equal(result.certainty, SEARCH_PROVED);
    assert_true(result.lower > 0);
    war_searcher_free(searcher);
}

/* A proof that is begun and does not come in time costs half of what is left at most, and the search after it has its
 * share: it looks several plies ahead. */
static void test_a_late_proof_is_bounded(void **state) {
    (void)state;
    struct rng rng = {31};
    struct searcher *searcher = engine(1, false);
    for (int filled = 1; filled <= 9; filled += 2) {
        for (double left = 0.02; left < 0.5; left *= 4) {
            struct war_position w;
            struct search_result result;
            random_position(&w, 5, 0, filled, 99, &rng);
            war_searcher_clear(searcher);
            think(searcher, &w, (struct search_limits){.cpu_seconds_left = left * PATIENT}, &result);
            assert_true(result.cpu_seconds < 0.85 * left * PATIENT + 0.05 * PATIENT);
            assert_true(result.certainty == SEARCH_PROVED || result.depth >= 3);
        }
    }
    war_searcher_free(searcher);
}

/* The exact value by the textbook, for the side to move. */
static game_score exact(const struct war_position *w) {
    struct search_result result;
    struct textbook_request request = {.method = TEXTBOOK_ALPHABETA, .depth = w->size * w->size};
    textbook_search(game, as_game(w), &request, &result);
    return result.value;
}

static struct war_position played(const struct war_position *w, game_move move) {
    struct war_position after = *w;
    struct game_undo undo;
    game->play((struct game_position *)&after, move, &undo);
    return after;
}

/* Whether a search of some depth up to seven answers this position, of the side that wins it, with a move that does not
 * keep the win. */
static bool some_reply_errs(struct searcher *searcher, const struct war_position *w) {
    for (int depth = 1; depth <= 7 && depth < w->empty; depth++) {
        struct search_result reply;
        think(searcher, w, (struct search_limits){.depth = depth}, &reply);
        struct war_position then = played(w, reply.move);
        if (then.empty > 0 && exact(&then) > 0) {
            return true;
        }
    }
    return false;
}

/* On the clock of a game a won position stays won and bounds hold; a lost one is played for the other side's errors,
 * and over some boards there are such moves where the best one in the exact sense is no trap. */
static void test_a_game_is_played_to_win(void **state) {
    (void)state;
    struct rng rng = {12};
    struct searcher *searcher = engine(1, false);
    int won = 0, lost = 0, traps = 0;
    for (int i = 0; i < 120; i++) {
        struct war_position w;
        random_position(&w, 4, WAR_STAKE, 8, 20, &rng);
        game_score value = exact(&w);
        struct search_result result;
        war_searcher_clear(searcher);
        think(searcher, &w, (struct search_limits){.cpu_seconds_left = 10 * PATIENT}, &result);
        assert_int_equal(result.certainty, SEARCH_PROVED);
        assert_true(result.lower <= value && value <= result.upper);
        struct war_position after = played(&w, result.move);
        game_score kept = -exact(&after);
        assert_true((value > 0) == (kept > 0));
        won += value > 0;
        lost += value < 0;
        if (value < 0 && kept < value) {
            assert_true(some_reply_errs(searcher, &after));
            traps++;
        }
    }
    assert_true(won > 10 && lost > 10 && traps > 0);
    war_searcher_free(searcher);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_equals_minimax),
        cmocka_unit_test(test_legal_on_every_board),
        cmocka_unit_test(test_fixed_nodes_are_deterministic),
        cmocka_unit_test(test_clock_is_kept),
        cmocka_unit_test(test_last_milliseconds),
        cmocka_unit_test(test_a_won_game_is_won),
        cmocka_unit_test(test_a_late_proof_is_bounded),
        cmocka_unit_test(test_a_game_is_played_to_win),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
