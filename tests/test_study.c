/* Studies: recorded games as sortie's own text and back, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "formats/records/sgf.h"
#include "formats/records/study.h"

static const char sgf[] =
    "(;GM[4]SZ[15]GN[Ladder]C[To begin with];B[hh];W[ig](;B[hi]C[One\nof two];W[hg])(;B[ii];W[gg]C[a \\] b]))";

static const char study[] = "sortie study\n"
                            "= Ladder\n"
                            "| gomoku freestyle 15\n"
                            "> To begin with\n"
                            "1 H8\n"
                            "2 I7\n"
                            "3 H9\n"
                            "> One\n"
                            "> of two\n"
                            "4 H7\n"
                            "3 I9\n"
                            "4 G7\n"
                            "> a ] b\n";

static void write_study(const char *record, struct text *text) {
    struct gametrees trees = {0};
    struct error error = {0};
    assert_int_equal(sgf_read_all(&trees, record, strlen(record), &error), STATUS_OK);
    assert_int_equal(study_write(&trees.items[0], text, &error), STATUS_OK);
    gametrees_free(&trees);
}

static void test_sgf_becomes_a_study(void **state) {
    (void)state;
    struct text text = TEXT_EMPTY;
    write_study(sgf, &text);
    assert_string_equal(text_string(&text), study);
    text_free(&text);
}

/* There and back again: nothing is lost, and once more nothing changes. */
static void test_a_study_becomes_sgf(void **state) {
    (void)state;
    struct gametrees trees = {0};
    struct error error = {0};
    struct text record = TEXT_EMPTY;
    struct text again = TEXT_EMPTY;
    assert_int_equal(study_read(&trees, study, strlen(study), &error), STATUS_OK);
    sgf_write_tree(&trees.items[0], &record);
    gametrees_free(&trees);
    assert_non_null(strstr(text_string(&record), "C[a \\] b]"));
    write_study(text_string(&record), &again);
    assert_string_equal(text_string(&again), study);
    text_free(&record);
    text_free(&again);
}

/* Stones that were set up are the position; the colour that plays first there is the side to move. */
static void test_set_up_stones(void **state) {
    (void)state;
    struct text text = TEXT_EMPTY;
    write_study("(;GM[4]SZ[5]AB[aa][bb]AW[cc][dd];B[ee];W[ba])", &text);
    assert_string_equal(text_string(&text), "sortie study\n"
                                            "| gomoku freestyle 5\n"
                                            "| X....\n| .X...\n| ..O..\n| ...O.\n| .....\n"
                                            "1 E5\n2 B1\n");
    text_free(&text);
    text = TEXT_EMPTY;
    write_study("(;GM[4]SZ[5]AB[aa]AW[cc];W[ee];B[ba])", &text); /* white is the first side here */
    assert_non_null(strstr(text_string(&text), "| O....\n"));
    text_free(&text);
}

/* Blanks that nobody sees and remarks that say nothing are left out, so that reading changes nothing. */
static void test_remarks_that_say_nothing(void **state) {
    (void)state;
    struct text text = TEXT_EMPTY;
    write_study("(;GM[4]SZ[15];B[hh]C[ \x1e];W[ii]C[one \n\ntwo])", &text);
    assert_string_equal(text_string(&text), "sortie study\n| gomoku freestyle 15\n1 H8\n2 I9\n> one\n>\n> two\n");
    text_free(&text);
}

static void assert_refused(const char *text, int line, int column, const char *words) {
    struct gametrees trees = {0};
    struct error error = {0};
    assert_int_equal(study_read(&trees, text, strlen(text), &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.text, words));
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
}

static void test_what_is_refused(void **state) {
    (void)state;
    assert_refused("", 1, 1, "sortie study");
    assert_refused("sortie study\n1 H8\n", 2, 1, "a position of Gomoku");
    assert_refused("sortie study\n| war stake 1 X\n| 1\n| .\n1 A1 Stake\n", 5, 1, "a position of Gomoku");
    assert_refused("sortie study\n| gomoku freestyle 99\n1 H8\n", 2, 20, "size");
    assert_refused("sortie study\n| gomoku freestyle 15\n2 H8\n", 3, 1, "one more than before");
    assert_refused("sortie study\n| gomoku freestyle 15\n1 H8\n2 H8\n", 4, 3, "an empty square");
    assert_refused("sortie study\n| gomoku freestyle 15\n1 H8 x\n", 3, 6, "the end of the line");
    assert_refused("sortie study\n| gomoku freestyle 15\nx\n", 3, 1, "a number of moves");
}

static void assert_record_refused(const char *record, const char *words) {
    struct gametrees trees = {0};
    struct error error = {0};
    struct text text = TEXT_EMPTY;
    assert_int_equal(sgf_read_all(&trees, record, strlen(record), &error), STATUS_OK);
    assert_int_equal(study_write(&trees.items[0], &text, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.text, words));
    assert_int_equal(error.line, 1);
    text_free(&text);
    gametrees_free(&trees);
}

/* Only the first line of a name is the study's, though a zero byte stand before its end. */
static void test_name_with_a_zero_byte(void **state) {
    (void)state;
    static const char record[] = "(;GM[4]GN[One\0 two\rthree];B[hh])";
    struct gametrees trees = {0};
    struct error error = {0};
    struct text text = TEXT_EMPTY;
    assert_int_equal(sgf_read_all(&trees, record, sizeof record - 1, &error), STATUS_OK);
    assert_int_equal(study_write(&trees.items[0], &text, &error), STATUS_OK);
    assert_non_null(strstr(text_string(&text), "\n= One two\n| gomoku"));
    text_free(&text);
    gametrees_free(&trees);
}

static void test_records_that_break_the_rules(void **state) {
    (void)state;
    assert_record_refused("(;GM[4];B[hh];B[ii])", "the other colour");
    assert_record_refused("(;GM[4];B[hh](;W[ii])(;W[hh]))", "an empty square");
    assert_record_refused("(;GM[4];B[])", "an empty square");
    assert_record_refused("(;GM[4];B[hh];W[ii]AB[aa])", "before the first move");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sgf_becomes_a_study),
        cmocka_unit_test(test_a_study_becomes_sgf),
        cmocka_unit_test(test_set_up_stones),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_name_with_a_zero_byte),
        cmocka_unit_test(test_records_that_break_the_rules),
        cmocka_unit_test(test_remarks_that_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
