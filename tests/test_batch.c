/* Moves as numbers, boards in bulk and batches, as another program would use them: only sortie/sortie.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sortie/sortie.h"

#define MOST 2048 /* actions, and bytes of the planes, of the boards here */

static sortie_position *parse(const char *text) {
    sortie_position *position = NULL;
    sortie_error error = {0};
    if (sortie_position_parse(text, strlen(text), &position, &error) != SORTIE_OK) {
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    }
    return position;
}

static sortie_position *start(const char *game) {
    sortie_position *position = NULL;
    assert_int_equal(sortie_position_start(game, NULL, &position, NULL), SORTIE_OK);
    return position;
}

/* -- actions -- */

/* Numbers and names say the same, and the mask is the list. */
static void check_actions(sortie_position *position) {
    static sortie_move names[MOST];
    static int32_t legal[MOST];
    static uint8_t mask[MOST];
    int actions = sortie_position_actions(position);
    int count = sortie_position_legal(position, legal, MOST);
    assert_int_equal(sortie_position_moves(position, names, MOST), count);
    assert_int_equal(sortie_position_mask(position, mask, MOST), actions);
    for (int i = 0; i < count; i++) {
        sortie_move name;
        assert_int_equal(sortie_position_action(position, names[i]), legal[i]);
        assert_int_equal(sortie_position_action_name(position, legal[i], name, NULL), SORTIE_OK);
        assert_string_equal(name, names[i]);
        assert_int_equal(mask[legal[i]], 1);
    }
    int ones = 0;
    for (int i = 0; i < actions; i++) {
        ones += mask[i];
    }
    assert_int_equal(ones, count);
}

static void test_moves_have_numbers(void **state) {
    (void)state;
    for (int i = 0; sortie_game_name(i); i++) {
        sortie_position *position = start(sortie_game_name(i));
        for (int ply = 0; !sortie_position_is_over(position); ply++) {
            int32_t legal[MOST];
            check_actions(position);
            int count = sortie_position_legal(position, legal, MOST);
            int32_t action = legal[ply * 7 % count];
            assert_int_equal(sortie_position_play_action(position, action, NULL), SORTIE_OK);
            assert_int_equal(sortie_position_move_action(position, ply), action);
        }
        check_actions(position);
        sortie_position_free(position);
    }
}

static void test_actions_mean_what_the_header_says(void **state) {
    (void)state;
    sortie_position *position = parse("war stake 3 X\n1 2 3\n4 5 6\n7 8 9\nX..\n...\n..O\n");
    sortie_error error = {0};
    sortie_move name;
    assert_int_equal(sortie_position_actions(position), 18);
    assert_int_equal(sortie_position_action(position, "B1 Stake"), 1);
    assert_int_equal(sortie_position_action(position, "B1 Raid"), 10);
    assert_int_equal(sortie_position_action(position, "A1 Raid"), -1);
    assert_int_equal(sortie_position_action(position, "nowhere"), -1);
    assert_int_equal(sortie_position_action(position, NULL), -1);
    assert_int_equal(sortie_position_action_name(position, 9, name, NULL), SORTIE_OK); /* though it is taken */
    assert_string_equal(name, "A1 Raid");
    assert_int_equal(sortie_position_play_action(position, 9, &error), SORTIE_BAD_INPUT);
    assert_string_equal(error.text, "expected a legal action, 9 is none here");
    assert_int_equal(sortie_position_play_action(position, 18, &error), SORTIE_BAD_INPUT);
    assert_string_equal(error.text, "expected an action of 0 to 17, got 18");
    assert_int_equal(sortie_position_play_action(position, INT32_MIN, &error), SORTIE_BAD_INPUT);
    assert_int_equal(sortie_position_action_name(position, -1, name, &error), SORTIE_BAD_INPUT);
    sortie_position_free(position);
    position = start("gomoku");
    assert_int_equal(sortie_position_actions(position), 225);
    assert_int_equal(sortie_position_action(position, "B1"), 1);
    assert_int_equal(sortie_position_action(position, "A2"), 15);
    sortie_position_free(position);
}

static void test_history(void **state) {
    (void)state;
    sortie_position *position = parse("war sneak 3 X\n1 2 3\n4 5 6\n7 8 9\n...\n...\n...\n");
    sortie_error error = {0};
    sortie_move move;
    static const char *const moves[] = {"A1 Sneak", "C3 Sneak", "B1 Raid", "B3 Raid"};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(sortie_position_play(position, moves[i], &error), SORTIE_OK);
    }
    sortie_position *copy = NULL;
    assert_int_equal(sortie_position_copy(position, &copy, NULL), SORTIE_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(sortie_position_move(copy, i, move, &error), SORTIE_OK);
        assert_string_equal(move, moves[i]);
    }
    assert_int_equal(sortie_position_move_action(copy, 3), 9 + 7);
    assert_int_equal(sortie_position_move_action(copy, 4), -1);
    assert_int_equal(sortie_position_move_action(copy, -1), -1);
    assert_int_equal(sortie_position_undo(copy, &error), SORTIE_OK);
    assert_int_equal(sortie_position_move(copy, 3, move, &error), SORTIE_BAD_INPUT);
    assert_string_equal(error.text, "expected the number of a move played, below 3, got 3");
    sortie_position_free(copy);
    sortie_position_free(position);
}

/* -- boards in bulk -- */

static void test_boards_in_bulk(void **state) {
    (void)state;
    for (int i = 0; sortie_game_name(i); i++) {
        uint8_t inks[MOST];
        int32_t values[MOST];
        sortie_position *position = start(sortie_game_name(i));
        for (int ply = 0; ply < 6; ply++) {
            int32_t legal[MOST];
            int count = sortie_position_legal(position, legal, MOST);
            assert_int_equal(sortie_position_play_action(position, legal[ply * 11 % count], NULL), SORTIE_OK);
        }
        int columns = sortie_position_columns(position);
        int squares = sortie_position_rows(position) * columns;
        assert_int_equal(sortie_position_board(position, inks, MOST), squares);
        assert_int_equal(sortie_position_values(position, values, MOST), squares);
        for (int square = 0; square < squares; square++) {
            sortie_cell cell = SORTIE_INIT(sortie_cell);
            assert_int_equal(sortie_position_cell(position, square / columns, square % columns, &cell, NULL),
                             SORTIE_OK);
            assert_int_equal(inks[square], cell.ink);
        }
        memset(inks, 77, sizeof inks);
        assert_int_equal(sortie_position_board(position, inks, 2), squares);
        assert_int_equal(inks[2], 77);
        assert_int_equal(sortie_position_board(position, NULL, 0), squares);
        sortie_position_free(position);
    }
    sortie_position *war = parse("war stake 2 X\n1 20\n300 4000\nXO\n..\n");
    int32_t values[4];
    static const int32_t expected[4] = {1, 20, 300, 4000};
    sortie_position_values(war, values, 4);
    assert_memory_equal(values, expected, sizeof expected);
    sortie_position_free(war);
}

static void check_planes(const char *text, const char *planes) {
    uint8_t seen[MOST];
    sortie_position *position = parse(text);
    assert_int_equal(sortie_position_planes(position, seen, MOST), (int)strlen(planes));
    for (size_t i = 0; planes[i]; i++) {
        seen[i] = (uint8_t)('0' + seen[i]);
    }
    seen[strlen(planes)] = '\0';
    assert_string_equal((const char *)seen, planes);
    sortie_position_free(position);
}

static void test_planes(void **state) {
    (void)state;
    check_planes("gomoku freestyle 5\nA1 B1 C2\n", /* the second side sees its one stone first */
                 "0100000000000000000000000"
                 "1000000100000000000000000");
    check_planes("laser 3 2\n103\n000\n000\n", "000000000"
                                               "100000000"
                                               "001000000"
                                               "000000000"
                                               "010110101");
    check_planes("laser 3 1\n103\n000\n000\n", "100000000"
                                               "000000000"
                                               "001000000"
                                               "010110101"
                                               "000000000");
    assert_string_equal(sortie_game_plane("war", 2), "values");
    assert_null(sortie_game_plane("war", 3));
    assert_string_equal(sortie_game_plane("laser", 4), "other field");
    assert_null(sortie_game_plane("laser", -1));
    assert_null(sortie_game_plane("gomoku", 2));
    assert_null(sortie_game_plane("chess", 0));
    uint8_t seen[12];
    static const uint8_t expected[12] = {1, 0, 0, 0, 0, 1, 0, 0, 1, 255, 64, 0 + 128};
    sortie_position *war = parse("war stake 2 X\n1 1000\n250 500\nXO\n..\n");
    assert_int_equal(sortie_position_planes(war, seen, 12), 12);
    assert_memory_equal(seen, expected, sizeof expected);
    sortie_position_free(war);
}

/* -- batches -- */

#define GAMES 16

struct view {
    uint8_t planes[GAMES * 6 * 225];
    uint8_t masks[GAMES * 225];
    int32_t to_move[GAMES];
    float rewards[GAMES];
    uint8_t over[GAMES];
    int32_t scores[GAMES];
    int32_t values[GAMES * 225];
};

static void observe(const sortie_batch *batch, struct view *view) {
    sortie_observation observation = SORTIE_INIT(sortie_observation);
    observation.planes = view->planes;
    observation.masks = view->masks;
    observation.to_move = view->to_move;
    observation.rewards = view->rewards;
    observation.over = view->over;
    observation.scores = view->scores;
    observation.values = view->values;
    assert_int_equal(sortie_batch_observe(batch, &observation, NULL), SORTIE_OK);
}

static sortie_batch *batch_of(const char *game, int random, int restart) {
    sortie_batch *batch = NULL;
    sortie_error error = {0};
    sortie_start begin = SORTIE_INIT(sortie_start);
    sortie_batch_options options = SORTIE_INIT(sortie_batch_options);
    begin.random = random;
    options.count = GAMES;
    options.restart = restart;
    options.seed = 5;
    if (sortie_batch_new(game, &begin, &options, &batch, &error) != SORTIE_OK) {
        fail_msg("%s", error.text);
    }
    return batch;
}

/* What a batch shows of a game is what its position shows. */
static void check_view(const sortie_batch *batch, const struct view *view, int i) {
    uint8_t planes[MOST];
    uint8_t mask[MOST];
    sortie_position *position = NULL;
    assert_int_equal(sortie_batch_position(batch, i, &position, NULL), SORTIE_OK);
    int bytes = sortie_position_planes(position, planes, MOST);
    int actions = sortie_position_mask(position, mask, MOST);
    assert_int_equal(bytes, sortie_batch_planes(batch) * sortie_batch_rows(batch) * sortie_batch_columns(batch));
    assert_int_equal(actions, sortie_batch_actions(batch));
    assert_memory_equal(view->planes + i * bytes, planes, (size_t)bytes);
    assert_memory_equal(view->masks + i * actions, mask, (size_t)actions);
    assert_int_equal(view->to_move[i], sortie_position_to_move(position));
    sortie_position_free(position);
}

static void check_end(const struct view *view, int i, const sortie_position *shadow) {
    int over = sortie_position_is_over(shadow);
    int score = sortie_position_score(shadow);
    assert_int_equal(view->over[i], over);
    assert_int_equal(view->scores[i], score);
    assert_int_equal((int)view->rewards[i], over ? (score > 0) - (score < 0) : 0);
}

/* Every game of a batch goes as a position does that is played beside it, through ends and new starts. */
static void follow(const char *game, int restart) {
    static struct view view;
    sortie_position *shadow[GAMES];
    int32_t actions[GAMES];
    int ends = 0;
    sortie_batch *batch = batch_of(game, 1, restart);
    for (int i = 0; i < GAMES; i++) {
        assert_int_equal(sortie_batch_position(batch, i, &shadow[i], NULL), SORTIE_OK);
    }
    for (int ply = 0; ply < 260; ply++) {
        assert_int_equal(sortie_batch_random_step(batch, actions, NULL), SORTIE_OK);
        observe(batch, &view);
        for (int i = 0; i < GAMES; i++) {
            if (actions[i] < 0) {
                assert_int_equal(view.over[i], 1);
                assert_true(!restart && (int)view.rewards[i] == 0);
                continue;
            }
            assert_int_equal(sortie_position_play_action(shadow[i], actions[i], NULL), SORTIE_OK);
            check_end(&view, i, shadow[i]);
            check_view(batch, &view, i);
            if (view.over[i] && restart) {
                sortie_position_free(shadow[i]);
                assert_int_equal(sortie_batch_position(batch, i, &shadow[i], NULL), SORTIE_OK);
                assert_false(sortie_position_is_over(shadow[i]));
            }
            ends += view.over[i];
        }
    }
    assert_true(restart ? ends > GAMES : ends == GAMES);
    for (int i = 0; i < GAMES; i++) {
        sortie_position_free(shadow[i]);
    }
    sortie_batch_free(batch);
}

static void test_batches_play_the_games(void **state) {
    (void)state;
    for (int i = 0; sortie_game_name(i); i++) {
        follow(sortie_game_name(i), 0);
        follow(sortie_game_name(i), 1);
    }
}

static void test_starts_of_a_batch(void **state) {
    (void)state;
    static struct view first;
    static struct view second;
    static struct view third;
    sortie_batch *batch = batch_of("war", 1, 1);
    sortie_batch *same = batch_of("war", 1, 1);
    observe(batch, &first);
    observe(same, &second);
    assert_memory_equal(first.values, second.values, sizeof first.values); /* the same seed */
    assert_memory_not_equal(first.values, first.values + 25, 25 * sizeof(int32_t));
    assert_int_equal(sortie_batch_reset(batch, 3, NULL), SORTIE_OK);
    observe(batch, &third);
    assert_memory_equal(first.values, third.values, 3 * 25 * sizeof(int32_t));
    assert_memory_not_equal(first.values + 75, third.values + 75, 25 * sizeof(int32_t));
    assert_int_equal(sortie_batch_reset(batch, GAMES, NULL), SORTIE_BAD_INPUT);
    sortie_batch_free(same);
    sortie_batch_free(batch);
}

static void test_wrong_steps(void **state) {
    (void)state;
    static struct view before;
    static struct view after;
    sortie_batch *batch = batch_of("gomoku", 0, 0);
    sortie_error error = {0};
    int32_t actions[GAMES] = {0};
    observe(batch, &before);
    actions[5] = 225;
    assert_int_equal(sortie_batch_step(batch, actions, &error), SORTIE_BAD_INPUT);
    assert_string_equal(error.text, "expected a legal action for game 5, 225 is none");
    actions[5] = -1;
    assert_int_equal(sortie_batch_step(batch, actions, &error), SORTIE_BAD_INPUT);
    assert_int_equal(sortie_batch_step(batch, NULL, &error), SORTIE_BAD_INPUT);
    observe(batch, &after);
    assert_memory_equal(&before, &after, sizeof before);
    actions[5] = 224;
    assert_int_equal(sortie_batch_step(batch, actions, &error), SORTIE_OK);
    assert_int_equal(sortie_batch_step(batch, actions, &error), SORTIE_BAD_INPUT); /* taken now */
    assert_string_equal(error.text, "expected a legal action for game 0, 0 is none");
    sortie_batch_free(batch);
}

static void test_wrong_batches(void **state) {
    (void)state;
    sortie_batch *batch = NULL;
    sortie_error error = {0};
    sortie_start begin = SORTIE_INIT(sortie_start);
    sortie_batch_options options = SORTIE_INIT(sortie_batch_options);
    assert_int_equal(sortie_batch_new("chess", NULL, NULL, &batch, &error), SORTIE_BAD_INPUT);
    begin.rows = 1000;
    assert_int_equal(sortie_batch_new("war", &begin, NULL, &batch, &error), SORTIE_BAD_INPUT);
    options.count = -1;
    assert_int_equal(sortie_batch_new("war", NULL, &options, &batch, &error), SORTIE_BAD_INPUT);
    options.count = 1 << 30;
    assert_int_equal(sortie_batch_new("war", NULL, &options, &batch, &error), SORTIE_BAD_INPUT);
    options.size = 3;
    assert_int_equal(sortie_batch_new("war", NULL, &options, &batch, &error), SORTIE_BAD_INPUT);
    assert_null(batch);
    assert_int_equal(sortie_batch_new("war", NULL, NULL, &batch, &error), SORTIE_OK);
    assert_int_equal(sortie_batch_count(batch), 1);
    sortie_observation nothing = SORTIE_INIT(sortie_observation);
    assert_int_equal(sortie_batch_observe(batch, &nothing, &error), SORTIE_OK);
    nothing.size = 0;
    assert_int_equal(sortie_batch_observe(batch, &nothing, &error), SORTIE_BAD_INPUT);
    sortie_position *position = NULL;
    assert_int_equal(sortie_batch_position(batch, 1, &position, &error), SORTIE_BAD_INPUT);
    assert_int_equal(sortie_batch_position(batch, -1, &position, &error), SORTIE_BAD_INPUT);
    sortie_batch_free(batch);
    sortie_batch_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves_have_numbers),
        cmocka_unit_test(test_actions_mean_what_the_header_says),
        cmocka_unit_test(test_history),
        cmocka_unit_test(test_boards_in_bulk),
        cmocka_unit_test(test_planes),
        cmocka_unit_test(test_batches_play_the_games),
        cmocka_unit_test(test_starts_of_a_batch),
        cmocka_unit_test(test_wrong_steps),
        cmocka_unit_test(test_wrong_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
