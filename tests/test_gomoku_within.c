/* Wins within a number of moves: compared with plain minimax over all moves on small boards, and drawn examples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "games/gomoku/search/within.h"

#define NODES 10000000
#define SMALL 7

static struct within *within;

static int make_search(void **state) {
    (void)state;
    within = within_new();
    return within ? 0 : -1;
}

static int free_search(void **state) {
    (void)state;
    within_free(within);
    return 0;
}

/* Whether the side to move can make five within so many of its moves, by trying everything. */
static bool plain_wins(const struct gomoku_position *position, int moves);

static bool plain_loses(const struct gomoku_position *position, int moves) {
    if (moves == 0) {
        return false;
    }
    for (int square = 0; square < position->size * position->size; square++) {
        if (position->board[square] == GOMOKU_EMPTY) {
            struct gomoku_position after = *position;
            gomoku_put(&after, square);
            if (after.winner != GOMOKU_NO_WINNER || !plain_wins(&after, moves)) {
                return false;
            }
        }
    }
    return true;
}

static bool plain_wins(const struct gomoku_position *position, int moves) {
    for (int deep = 0; deep < 2; deep++) { /* fives first */
        for (int square = 0; square < position->size * position->size; square++) {
            if (position->board[square] == GOMOKU_EMPTY) {
                struct gomoku_position after = *position;
                gomoku_put(&after, square);
                if (after.winner != GOMOKU_NO_WINNER || (deep && moves > 1 && plain_loses(&after, moves - 1))) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* A board with so many stones and nobody's five. */
static void draw_position(struct gomoku_position *position, struct rng *rng, int stones) {
    gomoku_clear(position, SMALL, GOMOKU_FREESTYLE);
    while (position->count < stones) {
        int square = (int)rng_below(rng, SMALL * SMALL);
        if (position->board[square] == GOMOKU_EMPTY) {
            struct gomoku_position before = *position;
            gomoku_put(position, square);
            if (position->winner != GOMOKU_NO_WINNER) {
                *position = before;
            }
        }
    }
}

static void test_as_plain_minimax(void **state) {
    (void)state;
    struct rng rng = {5};
    int wins[5] = {0};
    for (int i = 0; i < 700; i++) {
        struct gomoku_position position;
        int stones = 18 + (int)rng_below(&rng, 12);
        int most = stones >= 27 ? 4 : 3;
        draw_position(&position, &rng, stones);
        uint16_t move;
        int shortest = within_shortest(within, &position, most, NODES, &move);
        int plain = 0;
        for (int moves = 1; moves <= most && plain == 0; moves++) {
            plain = plain_wins(&position, moves) ? moves : 0;
        }
        assert_int_equal(shortest, plain);
        wins[plain]++;
        for (int moves = 1; moves < most; moves++) {
            assert_int_equal(within_loses(within, &position, moves, NODES), plain_loses(&position, moves));
        }
    }
    for (int moves = 0; moves <= 3; moves++) {
        assert_true(wins[moves] > 5); /* the boards were worth a look */
    }
}

static void read_text(struct gomoku_position *position, const char *text) {
    struct reader reader;
    struct error error;
    reader_init(&reader, text, strlen(text));
    assert_int_equal(gomoku_game.read((struct game_position *)position, &reader, &error), STATUS_OK);
}

/* X has three in a row with both ends open: an open four on either side, and five in two moves. */
static const char *const open_three = "gomoku freestyle 9\n"
                                      ".........\n"
                                      ".O.......\n"
                                      ".........\n"
                                      "...XXX...\n"
                                      ".........\n"
                                      ".........\n"
                                      ".....O...\n"
                                      "......O..\n"
                                      ".........\n";

static void test_solutions(void **state) {
    (void)state;
    struct gomoku_position position;
    uint16_t squares[8];
    read_text(&position, open_three);
    assert_int_equal(within_solutions(within, &position, 1, NODES, squares, 8), 0);
    assert_int_equal(within_solutions(within, &position, 2, NODES, squares, 8), 2);
    assert_int_equal(squares[0], 3 * 9 + 2);
    assert_int_equal(squares[1], 3 * 9 + 6);
}

static void test_resistance(void **state) {
    (void)state;
    struct gomoku_position position;
    uint16_t reply;
    int left;
    read_text(&position, open_three);
    gomoku_put(&position, 3 * 9 + 2); /* an open four: two fives */
    assert_true(within_resist(within, &position, 2, NODES, &reply, &left));
    assert_int_equal(left, 1);
    read_text(&position, open_three);
    assert_false(within_resist(within, &position, 3, NODES, &reply, &left)); /* O does not lose: it is X's move */
}

static void test_too_few_nodes(void **state) {
    (void)state;
    struct gomoku_position position;
    uint16_t move;
    gomoku_clear(&position, 15, GOMOKU_FREESTYLE);
    gomoku_put(&position, 112);
    assert_int_equal(within_wins(within, &position, 5, 10, &move), WITHIN_UNKNOWN);
    assert_int_equal(within_shortest(within, &position, 5, 10, &move), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_plain_minimax),
        cmocka_unit_test(test_solutions),
        cmocka_unit_test(test_resistance),
        cmocka_unit_test(test_too_few_nodes),
    };
    return cmocka_run_group_tests(tests, make_search, free_search);
}
