/* The rules of Laser Checkmate against a plain second implementation, its text, its notation and its file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formats/course.h"
#include "games/laser/rules/laser.h"

static const struct game_position *generic(const struct laser_position *position) {
    return (const struct game_position *)position;
}

/* -- a plain board: one character a square, beams walked again for every question -- */

struct plain {
    int size;
    char squares[LASER_MOST_SIZE][LASER_MOST_SIZE]; /* '0' to '3' as in the file */
};

static bool plain_sees(const struct plain *plain, int row, int column, int to_row, int to_column) {
    int down = to_row - row;
    int right = to_column - column;
    int distance = abs(down) > abs(right) ? abs(down) : abs(right);
    if (distance == 0) {
        return true;
    }
    if (distance > 3 || (down != 0 && right != 0 && abs(down) != abs(right))) {
        return false;
    }
    for (int step = 1; step <= distance; step++) {
        if (plain->squares[row + down / distance * step][column + right / distance * step] == '3') {
            return false;
        }
    }
    return true;
}

static bool plain_covers(const struct plain *plain, char side, int to_row, int to_column) {
    for (int row = 0; row < plain->size; row++) {
        for (int column = 0; column < plain->size; column++) {
            if (plain->squares[row][column] == side && plain_sees(plain, row, column, to_row, to_column)) {
                return true;
            }
        }
    }
    return false;
}

/* Compares every square, the legal moves and the score of both boards. */
static void check_same(const struct plain *plain, const struct laser_position *position) {
    game_move moves[LASER_MOST_SQUARES];
    int count = laser_game.moves(generic(position), moves);
    int seen = 0;
    int score = 0;
    for (int row = 0; row < plain->size; row++) {
        for (int column = 0; column < plain->size; column++) {
            int square = row * plain->size + column;
            bool block = plain->squares[row][column] == '3';
            bool first = !block && plain_covers(plain, '1', row, column);
            bool second = !block && plain_covers(plain, '2', row, column);
            assert_int_equal(first, laser_has(position->covered[0], square));
            assert_int_equal(second, laser_has(position->covered[1], square));
            score += first - second;
            bool legal = !block && !first && !second;
            assert_int_equal(legal, laser_game.legal(generic(position), (game_move)square));
            if (legal) {
                assert_true(seen < count);
                assert_int_equal(moves[seen++], square);
            }
            struct game_cell cell;
            laser_game.cell(generic(position), row, column, &cell);
            assert_int_equal(cell.glyph, plain->squares[row][column]);
        }
    }
    assert_int_equal(seen, count);
    assert_int_equal(count == 0, laser_game.over(generic(position)));
    assert_int_equal(score, laser_game.score(generic(position)));
}

static void random_games_agree_with_the_plain_board(void **state) {
    (void)state;
    struct rng rng = {1};
    for (int size = 1; size <= LASER_MOST_SIZE; size++) {
        struct laser_position position;
        struct plain plain = {.size = size};
        assert_int_equal(laser_game.start_random((struct game_position *)&position, size, 0, &rng, NULL), STATUS_OK);
        for (int square = 0; square < size * size; square++) {
            plain.squares[square / size][square % size] = laser_has(position.blocks, square) ? '3' : '0';
        }
        int stop_checks = size > 16 ? 4 : 1000; /* the plain board is slow */
        for (int ply = 0;; ply++) {
            game_move moves[LASER_MOST_SQUARES];
            int count = laser_game.moves(generic(&position), moves);
            if (ply < stop_checks || count == 0) {
                check_same(&plain, &position);
            }
            if (count == 0) {
                break;
            }
            game_move move = moves[rng_below(&rng, (uint32_t)count)];
            plain.squares[(int)move / size][(int)move % size] = (char)('1' + laser_game.to_move(generic(&position)));
            struct laser_position before = position;
            struct game_undo undo;
            laser_game.play((struct game_position *)&position, move, &undo);
            laser_game.undo((struct game_position *)&position, &undo);
            assert_memory_equal(&before, &position, sizeof before);
            laser_game.play((struct game_position *)&position, move, &undo);
        }
    }
}

/* -- boards a person can check -- */

/* Reads a course file and gives back what it warns of. */
static const char *parse(const char *file, struct laser_position *position) {
    static char warning[sizeof((struct course_request *)0)->warning];
    struct error error = {0};
    struct course_request request;
    if (course_parse(file, strlen(file), NULL, &request, &error) != STATUS_OK) {
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    }
    assert_string_equal(request.format->name, "laser");
    memcpy(position, request.position, sizeof *position);
    memcpy(warning, request.warning, sizeof warning);
    course_request_free(&request);
    return warning;
}

/* Plays "row column", checks how many squares that covers afresh and how many replies it leaves. */
static void play(struct laser_position *position, const char *text, int covers, int leaves) {
    game_move move;
    struct error error = {0};
    assert_int_equal(laser_game.parse_move(generic(position), text, strlen(text), &move, &error), STATUS_OK);
    int sign = laser_game.to_move(generic(position)) == 0 ? 1 : -1;
    game_score before = laser_game.score(generic(position));
    struct game_undo undo;
    laser_game.play((struct game_position *)position, move, &undo);
    assert_int_equal((laser_game.score(generic(position)) - before) * sign, covers);
    game_move moves[LASER_MOST_SQUARES];
    assert_int_equal(laser_game.moves(generic(position), moves), leaves);
}

static void the_rules_own_example(void **state) {
    (void)state;
    struct laser_position position;
    parse("7\n"
          "0000300\n"
          "0000000\n"
          "0000030\n"
          "0000000\n"
          "0000000\n"
          "0000000\n"
          "0030000\n",
          &position);
    play(&position, "3 5", 15, 31);
    play(&position, "1 2", 17, 19);
}

/* Beams reach three squares, stop before a block, and may cross squares of the other side. */
static void beams_stop_at_blocks_and_after_three(void **state) {
    (void)state;
    struct laser_position position;
    parse("6\n"
          "100000\n"
          "000000\n"
          "003000\n"
          "000000\n"
          "000000\n"
          "000002\n",
          &position);
    static const char *drawn[] = {"aaaa..", /* a: side 1, b: side 2, x: a block */
                                  "aa....", "a.x..b", "a..b.b", "....bb", "..bbbb"};
    for (int square = 0; square < 36; square++) {
        char c = drawn[square / 6][square % 6];
        assert_int_equal(laser_has(position.covered[0], square), c == 'a');
        assert_int_equal(laser_has(position.covered[1], square), c == 'b');
        assert_int_equal(laser_game.legal(generic(&position), (game_move)square), c == '.');
    }
    assert_int_equal(laser_game.score(generic(&position)), 8 - 9);
}

/* A file may hold emitters that light each other: the beam goes on behind them, and a warning says so. */
static void emitters_in_beams_are_covered_by_the_letter(void **state) {
    (void)state;
    struct laser_position position;
    const char *warning = parse("5\n"
                                "11020\n"
                                "00000\n"
                                "00000\n"
                                "00000\n"
                                "00000\n",
                                &position);
    for (int column = 0; column < 5; column++) {
        assert_true(laser_has(position.covered[0], column)); /* the second emitter reaches column 4 through the 2 */
        assert_true(laser_has(position.covered[1], column));
    }
    assert_int_equal(laser_count_lit_emitters(&position), 3);
    assert_non_null(strstr(warning, "each other's beams"));
    assert_string_equal(parse("5\n10000\n00000\n02000\n00000\n00000\n", &position), "");
}

static void text_and_file_round_trip(void **state) {
    (void)state;
    static const char *drawn = "laser 4 2\n"
                               "0013\n"
                               "0000\n"
                               "0000\n"
                               "0002\n";
    struct laser_position position;
    struct reader reader;
    reader_init(&reader, drawn, strlen(drawn));
    assert_int_equal(laser_game.read((struct game_position *)&position, &reader, NULL), STATUS_OK);
    assert_int_equal(laser_game.to_move(generic(&position)), 1);
    struct text text = TEXT_EMPTY;
    laser_game.write(generic(&position), &text);
    assert_string_equal(text_string(&text), drawn);
    text_free(&text);

    struct laser_position plain;
    struct laser_position odd;
    parse("4\n0013\n0000\n0000\n0002\n", &plain);
    parse(" 4 \r\n0013  \r\n  0000\r\n0000\t\r\n0002", &odd); /* CRLF, padded rows, no final line end */
    assert_memory_equal(&plain, &odd, sizeof plain);
    course_format_find("laser")->answer(&laser_game, generic(&plain), 1 * 4 + 0, NULL, &text);
    assert_string_equal(text_string(&text), "1 0\n");
    text_free(&text);
}

static void bad_files_name_the_place(void **state) {
    (void)state;
    static const struct {
        const char *file;
        int line;
        int column;
        const char *says;
    } cases[] = {
        {"", 1, 1, "board size"},
        {"0\n", 1, 1, "1 to 32"},
        {"33\n", 1, 1, "1 to 32"},
        {"-3\n", 1, 1, "1 to 32"},
        {"x\n", 1, 1, "1 to 32"},
        {"2 2\n00\n00\n", 1, 3, "end of the line"},
        {"3\n000\n000\n", 4, 1, "row 3"},
        {"3\n000\n00\n000\n", 3, 3, "digit"},
        {"3\n000\n0000\n000\n", 3, 4, "end of the line"},
        {"3\n000\n0a0\n000\n", 3, 2, "digit"},
        {"3\n000\n040\n000\n", 3, 2, "digit"},
        {"2\n00\n00\n00\n", 4, 1, "end of the file"},
        {"2\n10\n00\n", 3, 1, "game is over"},
        {"1\n3\n", 2, 1, "game is over"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct course_request request;
        struct error error = {0};
        assert_int_equal(course_parse(cases[i].file, strlen(cases[i].file), "laser", &request, &error),
                         STATUS_BAD_INPUT);
        assert_int_equal(error.line, cases[i].line);
        assert_int_equal(error.column, cases[i].column);
        if (!strstr(error.text, cases[i].says)) {
            fail_msg("'%s' does not say '%s'", error.text, cases[i].says);
        }
    }
}

static void bad_moves_are_refused(void **state) {
    (void)state;
    struct laser_position position;
    parse("4\n0013\n0000\n0000\n0002\n", &position);
    static const char *bad[] = {"", "0", "0 3", "0 2", "0 0", "4 0", "-1 0", "1 0 0", "a b", "1 0\n1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        game_move move;
        struct error error = {0};
        assert_int_equal(laser_game.parse_move(generic(&position), bad[i], strlen(bad[i]), &move, &error),
                         STATUS_BAD_INPUT);
        assert_true(error.text[0] != '\0');
    }
}

static void files_are_recognised(void **state) {
    (void)state;
    static const char *yes[] = {"3\n000\n000\n000\n", "12\r\n0123", " 7 \n 0000000 \n"};
    static const char *no[] = {"", "3\n", "3\nMINIMAX\nX\n2\n", "1\nX\n2\n", "laser 3 1\n000\n"};
    const struct course_format *format = course_format_find("laser");
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        assert_true(format->sniff(yes[i], strlen(yes[i])));
    }
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
        assert_false(format->sniff(no[i], strlen(no[i])));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_games_agree_with_the_plain_board),
        cmocka_unit_test(the_rules_own_example),
        cmocka_unit_test(beams_stop_at_blocks_and_after_three),
        cmocka_unit_test(emitters_in_beams_are_covered_by_the_letter),
        cmocka_unit_test(text_and_file_round_trip),
        cmocka_unit_test(bad_files_name_the_place),
        cmocka_unit_test(bad_moves_are_refused),
        cmocka_unit_test(files_are_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
