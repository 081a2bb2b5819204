/* Games in this process through the public API: engines and functions as players, sides exchanged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sortie/sortie.h"

static sortie_position *parse(const char *text) {
    sortie_position *position = NULL;
    sortie_error error = {0};
    if (sortie_position_parse(text, strlen(text), &position, &error) != SORTIE_OK) {
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    }
    return position;
}

/* The first legal move; counts how often it was asked. */
static int take_first(void *user, const sortie_position *position, sortie_move move) {
    sortie_move moves[1];
    *(int *)user += 1;
    assert_true(sortie_position_moves(position, moves, 1) > 0);
    memcpy(move, moves[0], sizeof moves[0]);
    return 0;
}

static int say_nonsense(void *user, const sortie_position *position, sortie_move move) {
    (void)user, (void)position;
    memset(move, 'Z', sizeof(sortie_move)); /* without an end */
    return 0;
}

static int give_up(void *user, const sortie_position *position, sortie_move move) {
    (void)user, (void)position, (void)move;
    return 1;
}

static sortie_player function(int (*choose)(void *, const sortie_position *, sortie_move), void *user) {
    sortie_player player = SORTIE_INIT(sortie_player);
    player.choose = choose;
    player.user = user;
    return player;
}

static const char board[] = "war stake 3 X\n12 70 61\n8 22 63\n14 88 49\n...\n...\n...\n";

/* Both play perfectly: the game ends with the value of the board, and its moves stand on the position. */
static void test_engines(void **state) {
    (void)state;
    sortie_position *position = parse(board);
    sortie_engine *engine = NULL;
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    sortie_result result = SORTIE_INIT(sortie_result);
    sortie_player player = SORTIE_INIT(sortie_player);
    sortie_outcome outcome = SORTIE_INIT(sortie_outcome);
    limits.method = SORTIE_ENGINE;
    limits.goal = SORTIE_EXACT;
    assert_int_equal(sortie_engine_new(NULL, &engine, NULL), SORTIE_OK);
    assert_int_equal(sortie_engine_go(engine, position, &limits, &result, NULL), SORTIE_OK);
    player.engine = engine;
    player.limits = &limits;
    assert_int_equal(sortie_position_play_out(position, &player, &player, &outcome, NULL), SORTIE_OK);
    assert_true(sortie_position_is_over(position));
    assert_int_equal(outcome.ending, SORTIE_BY_RULES);
    assert_int_equal(outcome.score, result.value);
    assert_int_equal(outcome.result, 1);
    assert_int_equal(outcome.plies, 9);
    assert_int_equal(sortie_position_played(position), 9);
    sortie_move move;
    assert_int_equal(sortie_position_move(position, 0, move, NULL), SORTIE_OK);
    assert_string_equal(move, "C2 Stake");
    sortie_engine_free(engine);
    sortie_position_free(position);
}

/* Whoever resigns or plays what is no move has lost, whichever side it has. */
static void test_forfeits(void **state) {
    (void)state;
    int asked = 0;
    sortie_player good = function(take_first, &asked);
    sortie_player wild = function(say_nonsense, NULL);
    sortie_player tired = function(give_up, NULL);
    sortie_outcome outcome = SORTIE_INIT(sortie_outcome);
    sortie_error error = {0};
    sortie_position *position = parse(board);
    assert_int_equal(sortie_position_play_out(position, &wild, &good, &outcome, &error), SORTIE_OK);
    assert_int_equal(outcome.ending, SORTIE_ILLEGAL);
    assert_int_equal(outcome.result, -1);
    assert_int_equal(outcome.plies, 0);
    assert_true(strlen(error.text) > 0);
    assert_int_equal(asked, 0);
    assert_int_equal(sortie_position_play_out(position, &good, &tired, &outcome, &error), SORTIE_OK);
    assert_int_equal(outcome.ending, SORTIE_RESIGNED);
    assert_int_equal(outcome.result, 1);
    assert_int_equal(outcome.plies, 1);
    assert_int_equal(asked, 1);
    sortie_position_free(position);
}

struct seen {
    int games;
    int most;
    int result;
};

static int watch(void *user, int opening, int exchanged, const sortie_position *position,
                 const sortie_outcome *outcome) {
    struct seen *seen = user;
    assert_int_equal(opening, seen->games / 2);
    assert_int_equal(exchanged, seen->games % 2);
    assert_true(sortie_position_is_over(position));
    seen->result += exchanged ? -outcome->result : outcome->result;
    return ++seen->games == seen->most;
}

/* Every opening twice, sides exchanged, the openings unchanged; the same result again; ended early when told so. */
static void test_match(void **state) {
    (void)state;
    int asked = 0;
    sortie_position *openings[] = {parse("gomoku freestyle 9\n"), parse("gomoku freestyle 9\nE5 E6\n"), parse(board)};
    sortie_engine *engine = NULL;
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    sortie_player one = SORTIE_INIT(sortie_player);
    sortie_player other = function(take_first, &asked);
    limits.method = SORTIE_ENGINE;
    limits.nodes = 500;
    assert_int_equal(sortie_engine_new(NULL, &engine, NULL), SORTIE_OK);
    one.engine = engine;
    one.limits = &limits;
    for (int most = 0; most <= 3; most += 3) {
        struct seen seen = {.most = most};
        sortie_match_options options = SORTIE_INIT(sortie_match_options);
        sortie_match_score score = SORTIE_INIT(sortie_match_score);
        options.on_game = watch;
        options.user = &seen;
        assert_int_equal(
            sortie_match_play((const sortie_position *const *)openings, 3, &one, &other, &options, &score, NULL),
            SORTIE_OK);
        assert_int_equal(seen.games, most ? most : 6);
        assert_int_equal(score.wins, seen.games); /* against somebody who fills the board row by row */
        assert_int_equal(score.wins + score.draws + score.losses, seen.games);
        assert_int_equal(score.wins - score.losses, seen.result);
        assert_int_equal(score.forfeits, 0);
    }
    sortie_match_score turned = SORTIE_INIT(sortie_match_score);
    assert_int_equal(sortie_match_play((const sortie_position *const *)openings, 3, &other, &one, NULL, &turned, NULL),
                     SORTIE_OK);
    assert_int_equal(turned.losses, 6);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(sortie_position_played(openings[i]), 0);
        sortie_position_free(openings[i]);
    }
    sortie_engine_free(engine);
}

/* The clock of a whole game runs down: it is over in about what both were given. */
static void test_clock(void **state) {
    (void)state;
    sortie_position *position = parse("gomoku freestyle 9\n");
    sortie_engine *engine = NULL;
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    sortie_player player = SORTIE_INIT(sortie_player);
    sortie_outcome outcome = SORTIE_INIT(sortie_outcome);
    limits.method = SORTIE_ENGINE;
    limits.wall_seconds_left = 0.3;
    assert_int_equal(sortie_engine_new(NULL, &engine, NULL), SORTIE_OK);
    player.engine = engine;
    player.limits = &limits;
    assert_int_equal(sortie_position_play_out(position, &player, &player, &outcome, NULL), SORTIE_OK);
    assert_true(outcome.wall_seconds[0] > 0 && outcome.wall_seconds[1] > 0);
    assert_true(outcome.wall_seconds[0] + outcome.wall_seconds[1] < 10); /* as much a move would be more */
    sortie_engine_free(engine);
    sortie_position_free(position);
}

static void test_wrong_calls(void **state) {
    (void)state;
    int asked = 0;
    sortie_position *position = parse(board);
    sortie_position *over = parse("gomoku freestyle 5\nA1 A2 B1 B2 C1 C2 D1 D2 E1\n");
    sortie_player good = function(take_first, &asked);
    sortie_player nobody = SORTIE_INIT(sortie_player);
    sortie_outcome outcome = SORTIE_INIT(sortie_outcome);
    sortie_match_score score = SORTIE_INIT(sortie_match_score);
    sortie_error error = {0};
    assert_int_equal(sortie_position_play_out(position, &good, &nobody, &outcome, &error), SORTIE_BAD_INPUT);
    assert_string_equal(error.text, "expected a player that is either an engine or a function");
    outcome.size = 0;
    assert_int_equal(sortie_position_play_out(position, &good, &good, &outcome, &error), SORTIE_BAD_INPUT);
    assert_string_equal(error.text, "expected the outcome's size to be set");
    assert_int_equal(asked, 0);
    const sortie_position *openings[] = {position, over};
    assert_int_equal(sortie_match_play(openings, 2, &good, &good, NULL, &score, &error), SORTIE_BAD_INPUT);
    assert_string_equal(error.text, "expected openings with a move left, number 1 is over");
    assert_int_equal(asked, 0);
    sortie_position_free(over);
    sortie_position_free(position);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engines), cmocka_unit_test(test_forfeits),    cmocka_unit_test(test_match),
        cmocka_unit_test(test_clock),   cmocka_unit_test(test_wrong_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
