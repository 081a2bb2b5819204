/* The swap2 opening by the engine's own judgement. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/gomoku/rules/swap2.h"

static struct searcher *searcher;
static struct gomoku_position position;

static int set_up(void **state) {
    (void)state;
    searcher = gomoku_game.searcher_new(&(struct searcher_options){.hash_bytes = (size_t)4 << 20}, NULL);
    return searcher ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    gomoku_game.searcher_free(searcher);
    return 0;
}

static void play_moves(const char *moves) {
    gomoku_clear(&position, 15, GOMOKU_FREESTYLE);
    while (*moves) {
        size_t length = strcspn(moves, " ");
        gomoku_put(&position, gomoku_parse_square(15, moves, length));
        moves += length + (moves[length] == ' ');
    }
}

static bool search(void *user, const struct gomoku_position *at, double seconds, struct search_result *result) {
    struct search_control control = {0};
    gomoku_game.think(user, (const struct game_position *)at, &(struct search_limits){.wall_seconds = seconds},
                      &control, result);
    return true;
}

static struct swap2_answer ask(double seconds, uint64_t seed) {
    struct swap2_answer answer;
    gomoku_swap2(search, searcher, &position, seconds, seed, NULL, &answer);
    for (int i = 0; i < answer.count; i++) {
        assert_true(gomoku_game.legal((const struct game_position *)&position, (game_move)answer.squares[i]));
        gomoku_put(&position, answer.squares[i]);
    }
    return answer;
}

/* Three stones that differ from time to time and give nobody a clear edge. */
static void test_opens_evenly(void **state) {
    (void)state;
    int first = -1;
    bool differ = false;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        gomoku_clear(&position, 15, GOMOKU_FREESTYLE);
        struct swap2_answer answer = ask(0.3, seed);
        assert_false(answer.swap);
        assert_int_equal(answer.count, 3);
        differ = differ || (first >= 0 && first != answer.squares[0]);
        first = answer.squares[0];
        assert_true(abs((int)gomoku_game.evaluate((const struct game_position *)&position)) < 150);
    }
    assert_true(differ);
}

/* X has two stones together in the middle, O one in a corner: X is the better colour, so it is taken. Turned round,
 * with X's stones in corners and O's in the middle and O to move, the colour to move is kept. */
static void test_takes_the_better_colour(void **state) {
    (void)state;
    play_moves("H8 A1 H9");
    assert_true(ask(0.3, 1).swap);
    play_moves("A1 H8 O15");
    struct swap2_answer answer = ask(0.3, 1);
    assert_false(answer.swap);
    assert_int_equal(answer.count, 1);
    play_moves("H8 A1 H9 A15 I8");
    assert_true(ask(0.3, 1).swap);
    play_moves("A1 H8 O15 I9 A15");
    answer = ask(0.3, 1);
    assert_false(answer.swap);
    assert_int_equal(answer.count, 1);
}

/* By every rule and on every size of a tournament, the smallest and the largest board: after no stones there are three
 * more, after five only two answers, and after three whatever comes is one of three. */
static void test_always_answers(void **state) {
    (void)state;
    static const int sizes[] = {15, 20, 5, 22};
    struct rng rng = {7};
    for (int i = 0; i < 3 * 4 * GOMOKU_VARIANTS; i++) {
        int stones = i % 3 == 0 ? 0 : i % 3 == 1 ? 3 : 5;
        int size = sizes[i / 3 % 4];
        gomoku_clear(&position, size, i / 3 / 4);
        while (position.count < stones) {
            int square = (int)rng_below(&rng, (uint32_t)(size * size));
            if (position.board[square] == GOMOKU_EMPTY) {
                gomoku_put(&position, square);
            }
        }
        struct swap2_answer answer = ask(i % 4 == 0 ? 0.0 : 0.01, (uint64_t)i);
        if (stones == 0) {
            assert_true(!answer.swap && answer.count == 3);
        } else {
            assert_true(answer.swap ? answer.count == 0 : answer.count == 1 || (answer.count == 2 && stones == 3));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opens_evenly),
        cmocka_unit_test(test_takes_the_better_colour),
        cmocka_unit_test(test_always_answers),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
