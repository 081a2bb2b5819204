/* The exact solver of the war board against plain exhaustive search, the golden cases, and the facts it stands on:
 * monotonicity, settled squares, and that a Raid is never worse than a Stake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formats/course.h"
#include "games/war/rules/war.h"
#include "games/war/solve/solve.h"
#include "support/scale.h"
#include "system/file.h"

static const struct game *const game = &war_game;

static struct game_position *as_game(struct war_position *w) {
    return (struct game_position *)w;
}

/* A board of random values, all but `empties` squares filled at random. */
static void random_position(struct war_position *w, int size, int empties, int most_value, struct rng *rng) {
    war_clear(w, size, (int)rng_below(rng, 2));
    for (int square = 0; square < size * size; square++) {
        w->values[square] = 1 + (int32_t)rng_below(rng, (uint32_t)most_value);
    }
    while (w->empty > empties) {
        int square = (int)rng_below(rng, (uint32_t)(size * size));
        if (!war_taken(w, square)) {
            war_put(w, (int)rng_below(rng, 2), square);
        }
    }
    w->to_move = (uint8_t)rng_below(rng, 2);
}

/* The value to a depth by trying everything the rules allow, from the view of the side to move. */
static game_score exhaust(struct war_position *w, int depth) {
    game_move moves[2 * 64];
    int count = depth > 0 ? game->moves(as_game(w), moves) : 0;
    if (count == 0) {
        return w->to_move == WAR_X ? w->score : -w->score;
    }
    game_score best = -GAME_INFINITY;
    for (int i = 0; i < count; i++) {
        struct game_undo undo;
        game->play(as_game(w), moves[i], &undo);
        game_score value = -exhaust(w, depth - 1);
        game->undo(as_game(w), &undo);
        best = value > best ? value : best;
    }
    return best;
}

static struct searcher *engine(int threads, size_t megabytes) {
    struct searcher_options options = {.threads = threads, .hash_bytes = megabytes << 20};
    struct searcher *searcher = war_searcher_new(&options, NULL);
    assert_non_null(searcher);
    return searcher;
}

static void solve(struct searcher *searcher, struct war_position *w, enum search_goal goal,
                  struct search_result *result) {
    struct search_limits limits = {.goal = goal};
    struct search_control control = {.info = NULL};
    war_think(searcher, as_game(w), &limits, &control, result);
}

/* The line is legal, reaches the end and the value it promises. */
static void assert_line_reaches(struct war_position *w, const struct search_result *result) {
    struct war_position board = *w;
    for (int i = 0; i < result->pv_length; i++) {
        struct game_undo undo;
        assert_true(game->legal(as_game(&board), result->pv[i]));
        game->play(as_game(&board), result->pv[i], &undo);
    }
    assert_int_equal(board.empty, 0);
    assert_int_equal(w->to_move == WAR_X ? board.score : -board.score, result->value);
}

/* A board a person can check. X to move; the only empty squares are A1 and B2:
 *
 *      A  B      values      A1 Raid flips nothing (both its neighbours are X's) and gives 5; then O raids B2
 *   1  .  X       5  7       from A2? no, A2 is X's: O has no piece beside B2, so O stakes it: 7 + 3 + 5 - 4 = 11.
 *   2  X  .       3  4       B2 Raid first: 7 + 3 + 4, then O stakes A1: 14 - 5 = 9. So A1, 11. */
static void test_a_small_board(void **state) {
    (void)state;
    struct war_position w;
    war_clear(&w, 2, WAR_STAKE);
    static const int32_t values[] = {5, 7, 3, 4};
    memcpy(w.values, values, sizeof values);
    war_put(&w, WAR_X, 1);
    war_put(&w, WAR_X, 2);
    struct searcher *searcher = engine(1, 4);
    struct search_result result;
    solve(searcher, &w, SEARCH_EXACT, &result);
    assert_int_equal(result.value, 11);
    assert_int_equal(result.move, 0 | WAR_RAID);
    assert_int_equal(result.pv_length, 2);
    assert_int_equal(result.pv[1], 3);
    war_searcher_free(searcher);
}

/* Thousands of positions: small boards and parts of large ones, small values and large ones (the two instances of the
 * search), all rule sets. */
static void test_equals_exhaustive_search(void **state) {
    (void)state;
    struct rng rng = {11};
    struct searcher *searcher = engine(1, 4);
    for (int i = 0; i < SCALED(4000); i++) {
        int size = 2 + (int)rng_below(&rng, 9);
        int most = i % 50 == 0 ? 7 : 5;
        int empties = 1 + (int)rng_below(&rng, (uint32_t)most);
        static const int ranges[] = {3, 99, 99, 5000, 1000000};
        struct war_position w;
        random_position(&w, size, empties, ranges[rng_below(&rng, 5)], &rng);
        if (w.empty == 0) {
            continue;
        }
        game_score expected = exhaust(&w, w.empty);
        struct search_result result;
        solve(searcher, &w, SEARCH_EXACT, &result);
        assert_int_equal(result.certainty, SEARCH_PROVED);
        assert_int_equal(result.value, expected);
        assert_int_equal(result.lower, expected);
        assert_int_equal(result.upper, expected);
        assert_line_reaches(&w, &result);
        solve(searcher, &w, SEARCH_WIN, &result);
        int sign = result.lower > 0 ? 1 : result.upper < 0 ? -1 : 0;
        assert_int_equal(sign, expected > 0 ? 1 : expected < 0 ? -1 : 0);
        assert_true(result.lower <= expected && expected <= result.upper);
        assert_true(sign != 0 || result.lower == result.upper);
    }
    war_searcher_free(searcher);
}

/* Nine or ten empty squares reach every part of the search; one move a square is enough for the check because of
 * test_monotone. A table of a few lines must give the same values as a large one. */
static game_score exhaust_raids(struct war_position *w) {
    game_score best = w->empty ? -GAME_INFINITY : w->to_move == WAR_X ? w->score : -w->score;
    for (int square = 0; square < w->size * w->size; square++) {
        if (!war_taken(w, square)) {
            struct game_undo undo;
            game->play(as_game(w), (game_move)square | (war_can_raid(w, w->to_move, square) ? WAR_RAID : 0), &undo);
            game_score value = -exhaust_raids(w);
            game->undo(as_game(w), &undo);
            best = value > best ? value : best;
        }
    }
    return best;
}

static void test_deeper_positions(void **state) {
    (void)state;
    struct rng rng = {12};
    struct searcher *large = engine(1, 16);
    struct searcher_options options = {.threads = 1, .hash_bytes = 4096};
    struct searcher *tiny = war_searcher_new(&options, NULL);
    for (int i = 0; i < SCALED(60); i++) {
        struct war_position w;
        random_position(&w, i % 2 ? 5 : 6, 7 + i % 3, i % 5 == 0 ? 3000 : 99, &rng);
        game_score expected = exhaust_raids(&w);
        struct search_result result;
        solve(large, &w, SEARCH_EXACT, &result);
        assert_int_equal(result.value, expected);
        assert_line_reaches(&w, &result);
        solve(tiny, &w, SEARCH_EXACT, &result);
        assert_int_equal(result.value, expected);
    }
    war_searcher_free(large);
    war_searcher_free(tiny);
}

/* With the same squares occupied, owning more is never worse, at any depth; hence a Raid is never worse than a Stake
 * on the same square, and the two rule sets have the same exact value. */
static void test_monotone(void **state) {
    (void)state;
    struct rng rng = {13};
    for (int i = 0; i < SCALED(2000); i++) {
        struct war_position less;
        random_position(&less, 2 + (int)rng_below(&rng, 3), 1 + (int)rng_below(&rng, 4), 99, &rng);
        int depth = 1 + (int)rng_below(&rng, 4);
        struct war_position more = less;
        for (int square = 0; square < less.size * less.size; square++) {
            if (war_owns(&less, 1 - less.to_move, square) && rng_below(&rng, 3) == 0) {
                more.own[less.to_move][square >> 6] ^= 1ULL << (square & 63);
                more.own[1 - less.to_move][square >> 6] ^= 1ULL << (square & 63);
                more.score += (less.to_move == WAR_X ? 2 : -2) * less.values[square];
            }
        }
        assert_true(exhaust(&more, depth) >= exhaust(&less, depth));
        game_move moves[2 * 64];
        int count = game->moves(as_game(&less), moves);
        for (int m = 0; m < count; m++) {
            game_move stake = moves[m] & ~WAR_RAID;
            if (!(moves[m] & WAR_RAID) || !game->legal(as_game(&less), stake)) {
                continue;
            }
            struct game_undo undo;
            game->play(as_game(&less), moves[m], &undo);
            game_score raided = -exhaust(&less, depth - 1);
            game->undo(as_game(&less), &undo);
            game->play(as_game(&less), stake, &undo);
            game_score staked = -exhaust(&less, depth - 1);
            game->undo(as_game(&less), &undo);
            assert_true(raided >= staked);
        }
        struct war_position other = less;
        other.variant = (uint8_t)(1 - less.variant);
        assert_int_equal(exhaust(&less, less.empty), exhaust(&other, less.empty));
    }
}

/* A piece with no empty square beside it keeps its owner to the end of every game. */
static void test_settled_squares_stay(void **state) {
    (void)state;
    struct rng rng = {14};
    for (int i = 0; i < SCALED(500); i++) {
        struct war_position w;
        random_position(&w, 5, 1 + (int)rng_below(&rng, 12), 99, &rng);
        struct solve_graph graph;
        assert_true(solve_graph_from(&graph, &w));
        bool matters[25] = {false};
        int32_t settled = 0;
        for (int n = 0; n < graph.squares; n++) {
            matters[graph.board_square[n]] = true;
        }
        struct war_position end = w;
        while (end.empty > 0) {
            game_move moves[2 * 64];
            struct game_undo undo;
            int count = game->moves(as_game(&end), moves);
            game->play(as_game(&end), moves[rng_below(&rng, (uint32_t)count)], &undo);
        }
        for (int square = 0; square < 25; square++) {
            if (!matters[square]) {
                assert_int_equal(war_owns(&w, WAR_X, square), war_owns(&end, WAR_X, square));
                settled += war_owns(&w, w.to_move, square) ? w.values[square] : -w.values[square];
            }
        }
        assert_int_equal(settled, graph.settled);
        game_score final = w.to_move == WAR_X ? end.score : -end.score;
        assert_true(graph.settled - graph.total <= final && final <= graph.settled + graph.total);
    }
}

/* Two threads find the same value as one. */
static void test_threads_agree(void **state) {
    (void)state;
    struct rng rng = {15};
    struct searcher *one = engine(1, 32);
    struct searcher *two = engine(2, 32);
    for (int i = 0; i < SCALED(20); i++) {
        struct war_position w;
        random_position(&w, i % 4 ? 5 : 6, 14, 99, &rng);
        struct search_result first, second;
        solve(one, &w, SEARCH_EXACT, &first);
        solve(two, &w, SEARCH_EXACT, &second);
        assert_int_equal(first.value, second.value);
        assert_line_reaches(&w, &second);
    }
    war_searcher_free(one);
    war_searcher_free(two);
}

static char *golden(const char *name, const char *file, size_t *length) {
    char path[1024];
    snprintf(path, sizeof path, "%s/war-exact-5x5/%s/%s", TEST_GOLDEN, name, file);
    char *bytes = NULL;
    assert_int_equal(file_read(path, 1 << 20, &bytes, length, NULL), STATUS_OK);
    return bytes;
}

/* Values found by an independent exhaustive method. The empty boards are checked by the bench. */
static void test_golden_cases(void **state) {
    (void)state;
    static const char *const names[] = {"filled-12", "filled-6"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length;
        char *input = golden(names[i], "input.txt", &length);
        struct course_request request;
        assert_int_equal(course_parse(input, length, NULL, &request, NULL), STATUS_OK);
        size_t value_length;
        char *value = golden(names[i], "value.txt", &value_length);
        struct searcher *searcher = engine(1, 128);
        struct search_result result;
        struct war_position w = *(struct war_position *)request.position;
        solve(searcher, &w, SEARCH_EXACT, &result);
        assert_int_equal(result.value, atoi(value));
        assert_line_reaches(&w, &result);
        war_searcher_free(searcher);
        course_request_free(&request);
        free(input);
        free(value);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_small_board),        cmocka_unit_test(test_equals_exhaustive_search),
        cmocka_unit_test(test_deeper_positions),     cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_settled_squares_stay), cmocka_unit_test(test_threads_agree),
        cmocka_unit_test(test_golden_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
