/* Playing right under the course's referee: fives it does not see, rows that only it sees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "engine/engine.h"
#include "games/gomoku/referee/course.h"
#include "games/gomoku/referee/course_rows.h"
#include "protocols/folder/folder_game.h"

static struct gomoku_position position;
static atomic_bool stop;

/* Fifteen rows of fifteen from the top; the side with fewer stones is to move. */
static void set_board(const char *const rows[15]) {
    uint8_t board[FOLDER_SQUARES];
    struct error error = {0};
    for (int square = 0; square < FOLDER_SQUARES; square++) {
        char c = rows[square / 15][square % 15];
        board[square] = (uint8_t)(c == 'X' ? GOMOKU_X : c == 'O' ? GOMOKU_O : GOMOKU_EMPTY);
    }
    if (gomoku_set_board(&position, 15, GOMOKU_FREESTYLE, board, &error) != STATUS_OK) {
        fail_msg("%s", error.text);
    }
}

static void assert_square(int square, const char *expected) {
    char name[8] = "none";
    if (square >= 0) {
        gomoku_square_text(15, square, name);
    }
    assert_string_equal(name, expected);
}

#define EMPTY_ROW "..............."

/* Four at the right edge, shut in at the left: O15... the fifth square O3 makes a five that nobody sees. */
static const char *const edge_four[15] = {
    EMPTY_ROW, EMPTY_ROW,         ".........OXXXX.", EMPTY_ROW, EMPTY_ROW,
    EMPTY_ROW, ".....O.........", "......O........", EMPTY_ROW, EMPTY_ROW,
    EMPTY_ROW, EMPTY_ROW,         ".....O.........", EMPTY_ROW, EMPTY_ROW,
};

/* A1 B15 C14 D13 are X's: E12 completes a row of the course's referee. */
static const char *const wrapped_four[15] = {
    "X..............", EMPTY_ROW, EMPTY_ROW,         "......O........", EMPTY_ROW,
    EMPTY_ROW,         EMPTY_ROW, EMPTY_ROW,         ".......O.......", EMPTY_ROW,
    EMPTY_ROW,         EMPTY_ROW, "...X.....O.....", "..X........O...", ".X.............",
};

static void test_unseen_four_is_no_threat(void **state) {
    (void)state;
    set_board(edge_four);
    assert_int_equal(gomoku_game.to_move((struct game_position *)&position), 0);
    assert_square(gomoku_course_forced(&position, 1), "none");
    struct search_result result = {.move = 2 * 15 + 14, .value = GAME_WIN_VALUE - 1, .pv_length = 1, .pv = {44}};
    assert_false(gomoku_course_trusts(&position, &result, 1));
    int move = gomoku_course_search(&position, 0.2, &stop);
    assert_true(move != 2 * 15 + 14);
    assert_int_equal(position.board[move], GOMOKU_EMPTY);
}

static void test_phantom_row_wins_and_is_stopped(void **state) {
    (void)state;
    set_board(wrapped_four);
    assert_square(gomoku_course_forced(&position, 1), "E12"); /* X to move wins */
    gomoku_put(&position, 7 * 15 + 7);
    assert_square(gomoku_course_forced(&position, 1), "E12"); /* O must go there */
}

static void test_win_by_fours(void **state) {
    (void)state;
    static const char *const rows[15] = {
        EMPTY_ROW,         EMPTY_ROW,         EMPTY_ROW,         "....OXXX.......", "........X......",
        "........X......", "........X......", "........O......", EMPTY_ROW,         "......O........",
        "..O............", "..O.O..........", EMPTY_ROW,         EMPTY_ROW,         EMPTY_ROW,
    };
    set_board(rows);
    assert_int_equal(gomoku_game.to_move((struct game_position *)&position), 0);
    /* I4 makes two fours at once: the row F4 to I4 and the column I4 to I7. */
    int move = gomoku_course_forced(&position, 1);
    assert_true(move >= 0);
    /* It must be a real win: play it out against the only answers. */
    struct folder_game game = {.rules = FOLDER_COURSE_RULES, .position = position, .count = 2};
    for (int ply = 0; ply < 20 && game.state == FOLDER_GOING; ply++) {
        move = gomoku_course_forced(&game.position, 1);
        assert_true(move >= 0);
        folder_game_play(&game, move);
    }
    assert_int_equal(game.state, FOLDER_WON);
    assert_int_equal(game.position.count % 2, 1); /* X made the last move */
}

/* A claim is believed when its five is seen. */
static void test_claims(void **state) {
    (void)state;
    static const char *const rows[15] = {
        EMPTY_ROW, EMPTY_ROW, "OXXXX.........O", EMPTY_ROW, EMPTY_ROW, EMPTY_ROW, EMPTY_ROW,         "......O........",
        EMPTY_ROW, EMPTY_ROW, EMPTY_ROW,         EMPTY_ROW, EMPTY_ROW, EMPTY_ROW, "......O........",
    };
    set_board(rows);
    struct search_result result = {.move = 2 * 15 + 5, .value = GAME_WIN_VALUE - 1, .pv_length = 1, .pv = {35}};
    assert_true(gomoku_course_trusts(&position, &result, 1));
    result.move = 0; /* throws the win away, but loses nothing to fours */
    result.value = 100;
    result.pv[0] = 0;
    assert_true(gomoku_course_trusts(&position, &result, 1));
    gomoku_put(&position, 0);
    result.move = 1; /* leaves X's four alone */
    result.pv[0] = 1;
    assert_false(gomoku_course_trusts(&position, &result, 1));
}

/* A five stands on the board and the game goes on: the engine must still give a legal move. */
static void test_engine_after_unseen_five(void **state) {
    (void)state;
    static const char *const rows[15] = {
        EMPTY_ROW, EMPTY_ROW, ".........OXXXXX", EMPTY_ROW, EMPTY_ROW, EMPTY_ROW,         "......OO.......", EMPTY_ROW,
        EMPTY_ROW, EMPTY_ROW, EMPTY_ROW,         EMPTY_ROW, EMPTY_ROW, "...OO..........", EMPTY_ROW,
    };
    uint8_t board[FOLDER_SQUARES];
    for (int square = 0; square < FOLDER_SQUARES; square++) {
        char c = rows[square / 15][square % 15];
        board[square] = (uint8_t)(c == 'X' ? GOMOKU_X : c == 'O' ? GOMOKU_O : GOMOKU_EMPTY);
    }
    board[7 * 15 + 7] = GOMOKU_X; /* O to move, with X's five unseen */
    assert_int_equal(gomoku_set_board(&position, 15, GOMOKU_FREESTYLE, board, NULL), STATUS_OK);
    assert_int_equal(position.winner, GOMOKU_X);
    position.winner = GOMOKU_NO_WINNER;
    assert_false(gomoku_course_sees_five(&position));
    struct engine *engine = engine_new(NULL);
    struct engine_request request = {.method = SEARCH_ENGINE, .limits = {.nodes = 5000}};
    struct search_result result;
    struct error error;
    assert_int_equal(
        engine_go(engine, &gomoku_game, (struct game_position *)&position, &request, NULL, &result, &error), STATUS_OK);
    assert_true(result.move < FOLDER_SQUARES);
    assert_int_equal(position.board[result.move], GOMOKU_EMPTY);
    engine_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unseen_four_is_no_threat),
        cmocka_unit_test(test_phantom_row_wins_and_is_stopped),
        cmocka_unit_test(test_win_by_fours),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_engine_after_unseen_five),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
