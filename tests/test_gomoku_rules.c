/* The rules of Gomoku, its position text and its notation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "games/gomoku/rules/gomoku.h"

static struct gomoku_position position;
static struct game_position *const interface = (struct game_position *)&position;
static struct error failure;

static enum status read_text(const char *text) {
    struct reader reader;
    reader_init(&reader, text, strlen(text));
    return gomoku_game.read(interface, &reader, &failure);
}

static void assert_round_trip(const char *text) {
    struct text written = TEXT_EMPTY;
    assert_int_equal(read_text(text), STATUS_OK);
    gomoku_game.write(interface, &written);
    assert_string_equal(text_string(&written), text);
    text_free(&written);
}

static void assert_bad(const char *text, int line, int column, const char *words) {
    assert_int_equal(read_text(text), STATUS_BAD_INPUT);
    assert_non_null(strstr(failure.text, words));
    assert_int_equal(failure.line, line);
    assert_int_equal(failure.column, column);
}

static game_score score_of(const char *text) {
    assert_int_equal(read_text(text), STATUS_OK);
    return gomoku_game.over(interface) ? gomoku_game.score(interface) : 7;
}

/* Every row of five on the board wins, also along all edges; a row of four does not. */
static void test_every_five_wins(void **state) {
    (void)state;
    static const int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    int fives = 0;
    for (int variant = 0; variant < 2; variant++) {
        for (int direction = 0; direction < 4; direction++) {
            for (int start = 0; start < 225; start++) {
                int down = directions[direction][0];
                int right = directions[direction][1];
                int last_row = start / 15 + 4 * down;
                int last_column = start % 15 + 4 * right;
                if (last_row > 14 || last_column < 0 || last_column > 14) {
                    continue;
                }
                for (int last = 0; last < 5; last++) { /* which of the five stones is played last */
                    gomoku_clear(&position, 15, variant);
                    for (int i = 0; i < 5; i++) {
                        if (i != last) {
                            position.board[start + i * (15 * down + right)] = GOMOKU_X;
                        }
                    }
                    int square = start + last * (15 * down + right);
                    position.board[square] = GOMOKU_X;
                    assert_true(gomoku_wins_at(&position, square));
                    position.board[start + (last == 0 ? 4 : 0) * (15 * down + right)] = GOMOKU_EMPTY;
                    assert_false(gomoku_wins_at(&position, square));
                }
                fives++;
            }
        }
    }
    assert_int_equal(fives, 2 * 572);
}

static void test_six_in_a_row(void **state) {
    (void)state;
    assert_int_equal(score_of("gomoku freestyle 7\n"
                              "XXX.XX.\n"
                              "OOOO...\n"
                              ".......\n"
                              "......O\n"
                              ".......\n"
                              ".......\n"
                              ".......\n"
                              "D1\n"),
                     1);
    assert_int_equal(score_of("gomoku exact 7\n"
                              "XXX.XX.\n"
                              "OOOO...\n"
                              ".......\n"
                              "......O\n"
                              ".......\n"
                              ".......\n"
                              ".......\n"
                              "D1\n"),
                     7);
    assert_int_equal(score_of("gomoku exact 7\n"
                              "XXX.XX.\n"
                              "OOOO...\n"
                              ".......\n"
                              "......O\n"
                              ".......\n"
                              ".......\n"
                              ".......\n"
                              "D1 E2\n"),
                     -1);
}

/* Rows do not run around the edge of the board. */
static void test_no_wrapping(void **state) {
    (void)state;
    assert_int_equal(score_of("gomoku freestyle 5\n"
                              "..XXX\n"
                              "X....\n"
                              ".OOOO\n"
                              ".....\n"
                              ".....\n"
                              "B2\n"),
                     7);
}

static void test_full_board_is_a_tie(void **state) {
    (void)state;
    assert_int_equal(score_of("gomoku freestyle 5\n"
                              "XXOXO\n"
                              "OOXOX\n"
                              "XXOXO\n"
                              "OOXOX\n"
                              "XOOX.\n"),
                     7);
    struct game_undo undo;
    game_move moves[GOMOKU_MOST_SQUARES];
    assert_int_equal(gomoku_game.moves(interface, moves), 1);
    gomoku_game.play(interface, moves[0], &undo);
    assert_true(gomoku_game.over(interface));
    assert_int_equal(gomoku_game.score(interface), 0);
    assert_int_equal(gomoku_game.moves(interface, moves), 0);
}

static void test_text(void **state) {
    (void)state;
    assert_round_trip("gomoku freestyle 15\n");
    assert_round_trip("gomoku exact 20\nJ10 T20 A1\n");
    assert_round_trip("gomoku freestyle 15\nH8 H9 I9 G7 I8 I7 J8 G8 K8 L8\nG9\n");
    assert_round_trip("gomoku freestyle 5\n"
                      "X....\n"
                      ".O...\n"
                      "..X..\n"
                      ".....\n"
                      "....O\n"
                      "E1 A5\n");
    assert_int_equal(gomoku_game.to_move(interface), 0);
    struct game_cell cell;
    gomoku_game.cell(interface, 4, 0, &cell);
    assert_int_equal(cell.ink, GAME_INK_SECOND);
    assert_string_equal(cell.label, "6");
    assert_true(cell.last);
    gomoku_game.cell(interface, 0, 0, &cell);
    assert_string_equal(cell.label, "");
}

static void test_notation(void **state) {
    (void)state;
    char text[32];
    game_move move;
    gomoku_clear(&position, 15, GOMOKU_FREESTYLE);
    assert_int_equal(gomoku_game.parse_move(interface, "H8", 2, &move, &failure), STATUS_OK);
    assert_int_equal(move, 7 * 15 + 7);
    assert_int_equal(gomoku_game.parse_move(interface, " o15 ", 5, &move, &failure), STATUS_OK);
    assert_int_equal(move, 224);
    gomoku_game.move_text(interface, move, text);
    assert_string_equal(text, "O15");
    gomoku_put(&position, 224);
    static const char *const bad[] = {"", "H", "8", "H0", "H16", "P1", "H08", "H8 H9", "88", "O15", "H8x", "H-1", "@1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(gomoku_game.parse_move(interface, bad[i], strlen(bad[i]), &move, &failure), STATUS_BAD_INPUT);
    }
}

static void test_bad_text(void **state) {
    (void)state;
    assert_bad("", 1, 1, "gomoku");
    assert_bad("go freestyle 15\n", 1, 1, "gomoku");
    assert_bad("gomoku pente 15\n", 1, 8, "freestyle");
    assert_bad("gomoku exact 4\n", 1, 14, "5 to 22");
    assert_bad("gomoku exact 23\n", 1, 14, "5 to 22");
    assert_bad("gomoku exact 15 X\n", 1, 17, "end of the line");
    assert_bad("gomoku exact 15\nH8 P1\n", 2, 4, "A1 to O15");
    assert_bad("gomoku exact 15\nH8 H9\nH8\n", 3, 1, "empty square");
    assert_bad("gomoku freestyle 15\nA1 A2 B1 B2 C1 C2 D1 D2 E1 E2\n", 2, 28, "no move after");
    assert_bad("gomoku freestyle 5\nX....\n.....\n.....\n.....\n....X\n", 2, 1, "as many X as O");
    assert_bad("gomoku freestyle 5\nXXXXX\n.....\n.....\n.....\nOOOOO\n", 2, 1, "no five of X");
    assert_bad("gomoku freestyle 5\nX....\n....\n.....\n.....\n....O\n", 3, 5, "X, O or .");
    assert_bad("gomoku freestyle 5\nX....\n......\n.....\n.....\n....O\n", 3, 6, "end of the line");
    assert_bad("gomoku freestyle 5\nX....\n.....\n", 4, 1, "row 3");
}

static void test_random_starts(void **state) {
    (void)state;
    struct rng rng = {7};
    for (int size = GOMOKU_LEAST_SIZE; size <= GOMOKU_MOST_SIZE; size++) {
        for (int variant = 0; variant < 2; variant++) {
            struct rng again = rng;
            struct gomoku_position other;
            assert_int_equal(gomoku_game.start_random(interface, size, variant, &rng, &failure), STATUS_OK);
            assert_int_equal(gomoku_game.start_random((struct game_position *)&other, size, variant, &again, &failure),
                             STATUS_OK);
            assert_memory_equal(&position, &other, sizeof other);
            assert_false(gomoku_game.over(interface));
            assert_int_equal(gomoku_game.size(interface), size);
        }
    }
    assert_int_equal(gomoku_game.start(interface, GOMOKU_MOST_SIZE + 1, 0, &failure), STATUS_BAD_INPUT);
    assert_int_equal(gomoku_game.start(interface, 4, 0, &failure), STATUS_BAD_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_five_wins),
        cmocka_unit_test(test_six_in_a_row),
        cmocka_unit_test(test_no_wrapping),
        cmocka_unit_test(test_full_board_is_a_tie),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_notation),
        cmocka_unit_test(test_bad_text),
        cmocka_unit_test(test_random_starts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
