/* The public API as another program would use it: only sortie/sortie.h. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sortie/sortie.h"

static const char stake_file[] = "3\nALPHABETA\nX\n9\n12 70 61\n8 22 63\n14 88 49\n...\n...\n...\n";

static sortie_position *parse(const char *file) {
    sortie_position *position = NULL;
    sortie_error error = {0};
    if (sortie_position_parse(file, strlen(file), &position, &error) != SORTIE_OK) {
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    }
    return position;
}

static void test_games_are_listed(void **state) {
    (void)state;
    assert_string_equal(sortie_game_name(0), "war");
    assert_null(sortie_game_name(100));
    assert_string_equal(sortie_game_rules("war", 1), "sneak");
    assert_null(sortie_game_rules("war", 2));
    assert_null(sortie_game_rules("chess", 0));
    assert_true(strlen(sortie_version()) > 0);
}

static void test_play_and_undo(void **state) {
    (void)state;
    sortie_position *position = parse(stake_file);
    sortie_error error = {0};
    sortie_move moves[64];
    assert_int_equal(sortie_position_moves(position, moves, 64), 9);
    assert_string_equal(moves[4], "B2 Stake");
    assert_int_equal(sortie_position_undo(position, &error), SORTIE_BAD_INPUT);
    assert_int_equal(sortie_position_play(position, "B2 Stake", &error), SORTIE_OK);
    assert_int_equal(sortie_position_score(position), 22);
    assert_int_equal(sortie_position_to_move(position), 1);
    assert_int_equal(sortie_position_play(position, "B2 Stake", &error), SORTIE_BAD_INPUT);
    assert_string_equal(error.text, "expected an empty square, B2 is taken");

    sortie_position *copy = NULL;
    assert_int_equal(sortie_position_copy(position, &copy), SORTIE_OK);
    assert_int_equal(sortie_position_undo(position, &error), SORTIE_OK);
    assert_int_equal(sortie_position_score(position), 0);
    assert_int_equal(sortie_position_score(copy), 22);
    assert_int_equal(sortie_position_undo(copy, &error), SORTIE_OK);
    char *first = sortie_position_text(position);
    char *second = sortie_position_text(copy);
    assert_string_equal(first, second);
    sortie_free(first);
    sortie_free(second);
    char *svg = sortie_position_svg(position);
    assert_non_null(strstr(svg, "</svg>"));
    sortie_free(svg);
    sortie_position_free(position);
    sortie_position_free(copy);
}

static void test_bad_input(void **state) {
    (void)state;
    sortie_position *position = NULL;
    sortie_error error = {0};
    assert_int_equal(sortie_position_parse("3\nFLY\n", 6, &position, &error), SORTIE_BAD_INPUT);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 1);
    assert_null(position);
    assert_int_equal(sortie_position_start("chess", NULL, 0, &position, &error), SORTIE_BAD_INPUT);
    assert_int_equal(sortie_position_start("war", "pawns", 0, &position, &error), SORTIE_BAD_INPUT);
    assert_int_equal(sortie_position_start("war", "stake", 27, &position, &error), SORTIE_BAD_INPUT);
    assert_null(position);
}

static void count_report(void *user, const sortie_result *report) {
    assert_true(report->line_length >= 1);
    ++*(int *)user;
}

static void test_every_method_finds_the_move(void **state) {
    (void)state;
    sortie_position *position = parse(stake_file);
    sortie_engine *engine = NULL;
    sortie_error error = {0};
    assert_int_equal(sortie_engine_new(NULL, &engine, &error), SORTIE_OK);
    for (int method = SORTIE_MINIMAX; method <= SORTIE_ENGINE; method++) {
        int reports = 0;
        sortie_limits limits = SORTIE_INIT(sortie_limits);
        limits.method = (sortie_method)method;
        limits.goal = SORTIE_EXACT;
        limits.depth = 9;
        limits.on_info = count_report;
        limits.user = &reports;
        sortie_result result;
        assert_int_equal(sortie_engine_go(engine, position, &limits, &result, &error), SORTIE_OK);
        assert_string_equal(result.move, "C2 Stake");
        assert_int_equal(result.value, 169);
        assert_string_equal(result.line_moves[0], result.move);
        assert_true(reports > 0);
    }
    sortie_limits unset = {0};
    sortie_result result;
    assert_int_equal(sortie_engine_go(engine, position, &unset, &result, &error), SORTIE_BAD_INPUT);
    sortie_position *over = parse("1\nMINIMAX\nX\n1\n5\nX\n");
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    assert_int_equal(sortie_engine_go(engine, over, &limits, &result, &error), SORTIE_BAD_INPUT);
    sortie_position_free(over);
    sortie_position_free(position);
    sortie_engine_free(engine);
}

static void *stop_soon(void *engine) {
    usleep(50000);
    sortie_engine_stop(engine);
    return NULL;
}

/* A search with no end in sight answers soon after a stop from another thread. */
static void test_stop_from_another_thread(void **state) {
    (void)state;
    sortie_position *position = NULL;
    sortie_engine *engine = NULL;
    sortie_error error = {0};
    pthread_t thread;
    assert_int_equal(sortie_position_start("war", "stake", 20, &position, &error), SORTIE_OK);
    assert_int_equal(sortie_engine_new(NULL, &engine, &error), SORTIE_OK);
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, engine), 0);
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    limits.method = SORTIE_ENGINE;
    limits.wall_seconds = 60;
    sortie_result result;
    assert_int_equal(sortie_engine_go(engine, position, &limits, &result, &error), SORTIE_OK);
    pthread_join(thread, NULL);
    assert_true(result.wall_seconds < 10);
    assert_int_equal(sortie_position_play(position, result.move, &error), SORTIE_OK);
    sortie_position_free(position);
    sortie_engine_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_are_listed),
        cmocka_unit_test(test_play_and_undo),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_every_method_finds_the_move),
        cmocka_unit_test(test_stop_from_another_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
