/* The Gomoku engine from the outside: what it must see, that it always answers with a legal move, and that no win it
 * claims is false. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/gomoku/rules/gomoku.h"
#include "search/limits.h"
#include "support/gomoku_checker.h"
#include "support/scale.h"
#include "support/tactics.h"

static struct gomoku_position position;
static const struct game_position *const interface = (const struct game_position *)&position;
static struct search_result result;

static void read_text(const char *text) {
    struct reader reader;
    struct error error;
    reader_init(&reader, text, strlen(text));
    assert_int_equal(gomoku_game.read((struct game_position *)&position, &reader, &error), STATUS_OK);
}

static struct searcher *new_searcher(int threads) {
    struct searcher_options options = {.threads = threads, .hash_bytes = (size_t)8 << 20};
    struct searcher *searcher = gomoku_game.searcher_new(&options, NULL);
    assert_non_null(searcher);
    return searcher;
}

static void think(struct searcher *searcher, struct search_limits limits) {
    struct search_control control = {0};
    gomoku_game.think(searcher, interface, &limits, &control, &result);
}

static void assert_plays(const char *text, const char *squares) {
    struct searcher *searcher = new_searcher(1);
    char move[32];
    read_text(text);
    think(searcher, (struct search_limits){.nodes = 20000});
    gomoku_game.move_text(interface, result.move, move);
    strcat(move, " ");
    if (!strstr(squares, move)) {
        print_message("%s is none of %s\n", move, squares);
        fail();
    }
    gomoku_game.searcher_free(searcher);
}

static void test_five_and_four(void **state) {
    (void)state;
    assert_plays("gomoku freestyle 9\n"
                 ".........\n"
                 ".OOOO....\n"
                 ".........\n"
                 "...XXXX..\n"
                 ".........\n"
                 ".........\n"
                 ".........\n"
                 ".........\n"
                 ".........\n",
                 "C4 H4 "); /* its own five comes before stopping the other's */
    assert_plays("gomoku freestyle 9\n"
                 ".........\n"
                 "XOOOO....\n"
                 ".........\n"
                 "...XXX...\n"
                 ".........\n"
                 ".........\n"
                 ".........\n"
                 ".........\n"
                 ".........\n",
                 "F2 "); /* the only square that stops the five */
    assert_plays("gomoku freestyle 9\n"
                 ".........\n"
                 ".........\n"
                 "..OOO....\n"
                 ".........\n"
                 ".........\n"
                 ".....X...\n"
                 "..X......\n"
                 ".......X.\n"
                 ".........\n",
                 "B3 F3 A3 G3 "); /* an open three must be stopped */
}

/* Six in a row is no win under the exact rule: the engine must not block or make it. */
static void test_exact_rule(void **state) {
    (void)state;
    assert_plays("gomoku exact 9\n"
                 ".........\n"
                 ".XXX.XX..\n"
                 ".........\n"
                 "..OOOO...\n"
                 ".........\n"
                 ".........\n"
                 ".........\n"
                 ".........\n"
                 "O........\n",
                 "B4 G4 "); /* E2 would be six: O's open four cannot be stopped by it */
}

static void test_same_nodes_same_answer(void **state) {
    (void)state;
    struct searcher *searcher = new_searcher(1);
    read_text("gomoku freestyle 15\nH8 I9 I7 G9 H9 H7 J8 G8\n");
    think(searcher, (struct search_limits){.nodes = 40000 / SLOW});
    struct search_result first = result;
    assert_true(first.nodes >= 40000 / SLOW && first.nodes < 40000 / SLOW + 2000);
    gomoku_game.searcher_clear(searcher);
    think(searcher, (struct search_limits){.nodes = 40000 / SLOW});
    assert_int_equal(result.move, first.move);
    assert_int_equal(result.value, first.value);
    assert_int_equal(result.nodes, first.nodes);
    assert_int_equal(result.depth, first.depth);
    gomoku_game.searcher_free(searcher);
}

/* Whole games of all sizes and rules against random moves: legal to the end, also when stopped at once. */
static void test_always_legal(void **state) {
    (void)state;
    struct searcher *searchers[2] = {new_searcher(1), new_searcher(2)};
    struct rng rng = {3};
    for (int game = 0; game < SCALED(64); game++) {
        int size = GOMOKU_LEAST_SIZE + game % (GOMOKU_MOST_SIZE - GOMOKU_LEAST_SIZE + 1);
        struct searcher *searcher = searchers[game % 5 == 0];
        gomoku_clear(&position, size, game / 2 % GOMOKU_VARIANTS);
        int side = (game >> 1) & 1;
        while (!gomoku_game.over(interface)) {
            game_move moves[GOMOKU_MOST_SQUARES];
            game_move move;
            if ((position.count & 1) == side || game % 7 == 0) {
                struct search_control control = {.stop = game % 3 == 0};
                struct search_limits limits = {.nodes = 300, .multi_pv = 1 + game % 4};
                gomoku_game.think(searcher, interface, &limits, &control, &result);
                move = result.move;
                assert_true(gomoku_game.legal(interface, move));
            } else {
                int count = gomoku_game.moves(interface, moves);
                move = moves[rng_below(&rng, (uint32_t)count)];
            }
            gomoku_put(&position, (int)move);
        }
    }
    gomoku_game.searcher_free(searchers[0]);
    gomoku_game.searcher_free(searchers[1]);
}

/* -- no false wins -- */

static void to_checker(const struct gomoku_position *from, struct checker_board *board) {
    board->size = from->size;
    board->rule = (enum checker_rule)from->variant;
    board->to_move = 1 + (from->count & 1);
    for (int square = 0; square < from->size * from->size; square++) {
        board->squares[square] = (char)from->board[square];
    }
}

/* What the search for forced wins plays here. */
static int forced_move(void *user, const struct checker_board *board) {
    static struct gomoku_position now;
    static struct gomoku_forced forced;
    atomic_bool stop = false;
    uint8_t squares[GOMOKU_MOST_SQUARES];
    for (int square = 0; square < board->size * board->size; square++) {
        squares[square] = (uint8_t)board->squares[square];
    }
    if (gomoku_set_board(&now, board->size, (int)board->rule, squares, NULL) != STATUS_OK) {
        return -1;
    }
    gomoku_find_forced(&now, *(bool *)user, 2000000, &stop, &forced, NULL);
    return forced.answer == GOMOKU_FORCED_WIN ? forced.line[0] : -1;
}

/* The file of positions with proven outcomes: the search agrees, and the judge confirms every win. */
static void test_tactics_file(void **state) {
    (void)state;
    static struct tactics tactics;
    assert_true(tactics_open(&tactics, TEST_GOLDEN "/gomoku/tactics.txt"));
    int count = 0;
    while (tactics_next(&tactics)) {
        if (count++ % SLOW != 0) {
            continue;
        }
        read_text(tactics.text);
        atomic_bool stop = false;
        static struct gomoku_forced forced;
        bool threats = strcmp(tactics.kind, "threats") == 0;
        gomoku_find_forced(&position, threats, 2000000, &stop, &forced, NULL);
        if (strcmp(tactics.kind, "none") == 0) {
            assert_int_equal(forced.answer, GOMOKU_FORCED_NONE);
            continue;
        }
        assert_int_equal(forced.answer, GOMOKU_FORCED_WIN);
        assert_int_equal(forced.by_fours, !threats);
        assert_true((forced.plies + 1) / 2 <= tactics.moves);
        struct checker_board board;
        to_checker(&position, &board);
        if (!threats || count % 12 == 0) { /* the judge asks for every reply to a three: a sample of those is enough */
            assert_true(checker_wins(&board, 60, forced_move, &threats));
        }
    }
    assert_true(tactics_close(&tactics));
    assert_true(count >= 300);
}

/* What the whole engine plays here, when it says that it wins. */
static int engine_move(void *user, const struct checker_board *board) {
    static struct gomoku_position now;
    static struct search_result answer;
    uint8_t squares[GOMOKU_MOST_SQUARES];
    for (int square = 0; square < board->size * board->size; square++) {
        squares[square] = (uint8_t)board->squares[square];
    }
    if (gomoku_set_board(&now, board->size, (int)board->rule, squares, NULL) != STATUS_OK) {
        return -1;
    }
    struct search_control control = {0};
    struct search_limits limits = {.nodes = 20000};
    gomoku_game.think(user, (const struct game_position *)&now, &limits, &control, &answer);
    return answer.value >= GAME_WIN_VALUE - 1000 ? (int)answer.move : -1;
}

static void play_somewhere(struct rng *rng, int size) {
    int row = size / 2 - 3 + (int)rng_below(rng, 7);
    int column = size / 2 - 3 + (int)rng_below(rng, 7);
    if (gomoku_game.legal(interface, (game_move)(row * size + column))) {
        gomoku_put(&position, row * size + column);
    }
}

/* Random middle games of all rules: each win the engine claims within 9 plies is followed by the judge against every
 * reply. */
static void check_wins_of(int variant, int wanted) {
    struct searcher *searcher = new_searcher(1);
    struct rng rng = {11};
    int claims = 0;
    for (int game = 0; claims < wanted && game < 4000; game++) {
        int size = 9 + (int)rng_below(&rng, 7);
        gomoku_clear(&position, size, variant);
        int stones = 10 + (int)rng_below(&rng, 30);
        while (position.count < stones && !gomoku_game.over(interface)) {
            play_somewhere(&rng, size);
        }
        if (gomoku_game.over(interface)) {
            continue;
        }
        gomoku_game.searcher_clear(searcher);
        think(searcher, (struct search_limits){.nodes = 1500});
        if (result.value >= GAME_WIN_VALUE - 9 && result.value < GAME_WIN_VALUE - 3) {
            struct checker_board board;
            to_checker(&position, &board);
            assert_true(checker_wins(&board, 40, engine_move, searcher));
            claims++;
        }
    }
    assert_true(claims >= wanted);
    gomoku_game.searcher_free(searcher);
}

static void test_no_false_wins(void **state) {
    (void)state;
    for (int variant = 0; variant < GOMOKU_VARIANTS; variant++) {
        check_wins_of(variant, SCALED(variant < GOMOKU_RENJU ? 20 : 40));
    }
}

/* The clock is kept, for one move and for what is left of a game. */
static void test_stops_in_time(void **state) {
    (void)state;
    struct searcher *searcher = new_searcher(1);
    read_text("gomoku freestyle 15\nH8 I9 I7 G9 H9 H7\n");
    think(searcher, (struct search_limits){.wall_seconds = 0.05});
    assert_true(result.wall_seconds < 0.5);
    assert_true(gomoku_game.legal(interface, result.move));
    think(searcher, (struct search_limits){.wall_seconds_left = 0.5});
    assert_true(result.wall_seconds < 0.5);
    gomoku_game.searcher_free(searcher);
}

/* Plays what leads to a position that the network was asked about. */
static void follow_moves(void *user, const uint16_t *moves, int count) {
    struct gomoku_position copy = position;
    int *asked = user;
    for (int i = 0; i < count; i++) {
        assert_true(gomoku_game.legal((const struct game_position *)&copy, moves[i]));
        gomoku_put(&copy, moves[i]);
    }
    assert_int_equal(copy.winner, GOMOKU_NO_WINNER);
    ++*asked;
}

/* Who wants to hear of every position that is evaluated hears of it, and changes nothing by that. */
static void test_tells_what_it_evaluates(void **state) {
    (void)state;
    struct searcher *searcher = new_searcher(1);
    int asked = 0;
    struct gomoku_wishes wishes = {.evaluated = follow_moves, .user = &asked};
    read_text("gomoku freestyle 15\nH8 I9 I7 G9 H9 H7 J8 G8\n");
    think(searcher, (struct search_limits){.nodes = 20000});
    struct search_result first = result;
    gomoku_game.searcher_clear(searcher);
    think(searcher, (struct search_limits){.nodes = 20000, .wishes = &wishes});
    assert_int_equal(result.move, first.move);
    assert_int_equal(result.value, first.value);
    assert_int_equal(result.nodes, first.nodes);
    assert_true(asked > 2000 && (uint64_t)asked < result.nodes);
    gomoku_game.searcher_free(searcher);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_five_and_four),          cmocka_unit_test(test_exact_rule),
        cmocka_unit_test(test_same_nodes_same_answer), cmocka_unit_test(test_always_legal),
        cmocka_unit_test(test_tactics_file),           cmocka_unit_test(test_no_false_wins),
        cmocka_unit_test(test_stops_in_time),          cmocka_unit_test(test_tells_what_it_evaluates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
