/* The whole-board solver against plain minimax over every position of a small board, and against the alpha-beta solver,
 * which shares nothing with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "games/war/whole/whole_solve.h"
#include "search/limits.h"
#include "support/scale.h"

static const struct game *const game = &war_game;

static struct game_position *as_game(struct war_position *w) {
    return (struct game_position *)w;
}

static void random_position(struct war_position *w, int size, int filled, int most_value, struct rng *rng) {
    war_clear(w, size, (int)rng_below(rng, 2));
    for (int square = 0; square < size * size; square++) {
        w->values[square] = 1 + (int32_t)rng_below(rng, (uint32_t)most_value);
    }
    while (w->empty > size * size - filled) {
        int square = (int)rng_below(rng, (uint32_t)(size * size));
        if (!war_taken(w, square)) {
            war_put(w, (int)rng_below(rng, 2), square);
        }
    }
    w->to_move = (uint8_t)rng_below(rng, 2);
}

/* X's value by trying everything the rules allow. */
static game_score exhaust(struct war_position *w) {
    game_move moves[64];
    int count = game->moves(as_game(w), moves);
    if (count == 0) {
        return w->score;
    }
    bool x_moves = w->to_move == WAR_X;
    game_score best = x_moves ? -GAME_INFINITY : GAME_INFINITY;
    for (int i = 0; i < count; i++) {
        struct game_undo undo;
        game->play(as_game(w), moves[i], &undo);
        game_score value = exhaust(w);
        game->undo(as_game(w), &undo);
        best = x_moves ? (value > best ? value : best) : (value < best ? value : best);
    }
    return best;
}

/* Looks up every position of a board, taken squares and owners in all ways, in a kept pass for one target. */
static void compare_all(const struct war_position *root, int32_t target, const struct whole_kernel *kernel) {
    struct whole_board board;
    struct whole_layout layout;
    struct whole_answers answers;
    assert_true(whole_board_from(&board, root));
    assert_true(whole_layout_open(&layout, &board, whole_cut_for_caches(&board)));
    struct whole_pass *pass = whole_pass_new(&layout, 2, true, kernel);
    assert_non_null(pass);
    assert_true(whole_pass_run(pass, target, &(struct whole_watch){0}, &answers));
    int reached = 0, looked = 0;
    for (uint32_t set = 0; set < 1u << board.squares; set++) {
        if ((set & board.filled) != board.filled) {
            continue;
        }
        for (uint32_t holds_x = set;; holds_x = (holds_x - 1) & set) {
            struct war_position w = *root;
            memset(w.own, 0, sizeof w.own);
            w.score = 0;
            w.empty = w.size * w.size;
            for (int i = 0; i < board.squares; i++) {
                if (set >> i & 1) {
                    war_put(&w, holds_x >> i & 1 ? WAR_X : WAR_O, board.board_square[i]);
                }
            }
            int k = __builtin_popcount(set & ~board.filled);
            w.to_move = (uint8_t)whole_side(&layout, k);
            bool expected = exhaust(&w) >= target;
            assert_int_equal(whole_pass_look(pass, k, set, holds_x), expected);
            reached += expected;
            looked++;
            if (!holds_x) {
                break;
            }
        }
    }
    assert_true(reached > 0 && reached < looked); /* the target says something */
    whole_pass_free(pass);
    whole_layout_close(&layout);
}

static void test_every_position(void **state) {
    (void)state;
    struct rng rng = {17};
    for (int i = 0; i < SCALED(30); i++) {
        struct war_position w;
        random_position(&w, 2, 0, 99, &rng);
        for (const struct whole_kernel *const *kernel = whole_kernels(); *kernel; kernel++) {
            compare_all(&w, (int32_t)rng_below(&rng, 41) - 20, *kernel);
        }
    }
}

static void test_every_position_of_3x3(void **state) {
    (void)state;
    struct rng rng = {18};
    struct war_position w;
    random_position(&w, 3, 0, 30, &rng);
    w.to_move = WAR_O;
    compare_all(&w, 3, whole_kernel_pick());
}

/* Every kernel, and every way to cut squares and blocks, gives the same answers: random positions of a board whose
 * blocks are larger than a chunk, against the plainest. */
static void test_kernels_and_cuts_agree(void **state) {
    (void)state;
    struct rng rng = {20};
    struct war_position w;
    struct whole_board board;
    struct whole_answers answers;
    struct whole_layout layouts[3];
    random_position(&w, 4, 4, 99, &rng);
    assert_true(whole_board_from(&board, &w));
    assert_true(whole_layout_open(&layouts[0], &board, whole_cut_into_blocks(&board)));
    assert_true(whole_layout_open(&layouts[1], &board, whole_cut_for_stretches(&board)));
    assert_true(whole_layout_open(&layouts[2], &board, whole_cut_for_caches(&board)));
    assert_true(board.squares > layouts[2].chunk_bits);
    struct whole_pass *plainest = whole_pass_new(&layouts[0], 1, true, whole_kernels()[0]);
    assert_non_null(plainest);
    assert_true(whole_pass_run(plainest, 11, &(struct whole_watch){0}, &answers));
    for (int i = 0; i < 3; i++) {
        for (const struct whole_kernel *const *kernel = whole_kernels(); *kernel; kernel++) {
            struct whole_pass *pass = whole_pass_new(&layouts[i], 2, true, *kernel);
            assert_non_null(pass);
            assert_true(whole_pass_run(pass, 11, &(struct whole_watch){0}, &answers));
            for (int look = 0; look < SCALED(200000); look++) {
                uint32_t set = board.filled | (uint32_t)rng_below(&rng, 1u << board.squares);
                uint32_t holds_x = set & (uint32_t)rng_below(&rng, 1u << board.squares);
                int k = __builtin_popcount(set & ~board.filled);
                assert_int_equal(whole_pass_look(pass, k, set, holds_x), whole_pass_look(plainest, k, set, holds_x));
            }
            whole_pass_free(pass);
        }
    }
    whole_pass_free(plainest);
    for (int i = 0; i < 3; i++) {
        whole_layout_close(&layouts[i]);
    }
}

/* The value of a position and of all its moves, by alpha-beta. */
static game_score alpha_beta(struct searcher *searcher, const struct war_position *w) {
    if (w->empty == 0) {
        return w->score;
    }
    struct search_limits limits = {.goal = SEARCH_EXACT};
    struct search_control control = {0};
    struct search_result result = {0};
    game->think(searcher, (const struct game_position *)w, &limits, &control, &result);
    assert_int_equal(result.lower, result.upper);
    return w->to_move == WAR_X ? result.lower : -result.lower;
}

/* The score so far, as good a guess as any. */
static int32_t guess_score(void *user, double seconds) {
    (void)seconds;
    return ((const struct war_position *)user)->score;
}

static void compare_values(struct searcher *searcher, struct war_position *w, bool all) {
    struct whole_board board;
    struct whole_layout layout;
    struct whole_solution solution;
    struct error error;
    assert_true(whole_board_from(&board, w));
    assert_true(whole_layout_open(&layout, &board, whole_cut_for_caches(&board)));
    struct whole_request request = {
        .layout = &layout, .kernel = whole_kernel_pick(), .threads = 2, .all = all, .guess = guess_score, .user = w};
    assert_int_equal(whole_solve(&request, &solution, &error), STATUS_OK);
    assert_int_equal(solution.value.lower, solution.value.upper);
    assert_int_equal(solution.value.lower, alpha_beta(searcher, w));
    for (int i = 0; i < board.squares && all; i++) {
        for (int raid = 0; raid < 2; raid++) {
            game_move move = board.board_square[i] | (raid ? WAR_RAID : 0);
            struct game_undo undo;
            if (!game->legal(as_game(w), move)) {
                continue;
            }
            game->play(as_game(w), move, &undo);
            game_score value = alpha_beta(searcher, w);
            game->undo(as_game(w), &undo);
            assert_int_equal(solution.moves[raid][i].lower, value);
            assert_int_equal(solution.moves[raid][i].upper, value);
        }
    }
    assert_true(solution.best >= 0);
    assert_int_equal(solution.moves[1][solution.best].lower, solution.value.lower);
    whole_layout_close(&layout);
}

static void test_agrees_with_alpha_beta(void **state) {
    (void)state;
    struct rng rng = {19};
    struct searcher_options options = {.hash_bytes = (size_t)16 << 20};
    struct searcher *searcher = war_searcher_new(&options, NULL);
    assert_non_null(searcher);
    for (int i = 0; i < SCALED(120); i++) {
        struct war_position w;
        int size = 2 + i % 4;
        int squares = size * size;
        int most_empty = size == 5 ? 10 : size == 4 ? 12 : squares;
        int filled = squares - 1 - (int)rng_below(&rng, (uint32_t)most_empty);
        random_position(&w, size, filled, i % 3 ? 99 : 3, &rng);
        compare_values(searcher, &w, i % 5 == 0);
    }
    war_searcher_free(searcher);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_position),
        cmocka_unit_test(test_every_position_of_3x3),
        cmocka_unit_test(test_kernels_and_cuts_agree),
        cmocka_unit_test(test_agrees_with_alpha_beta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
