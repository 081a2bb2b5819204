/* The swap map: its squares, its file, and what the agent makes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "formats/swapmap.h"
#include "games/gomoku/rules/gomoku.h"

static int square_of(const char *name) {
    return gomoku_parse_square(15, name, strlen(name));
}

static void test_symmetry(void **state) {
    (void)state;
    int members[GOMOKU_SWAP_SQUARES] = {0};
    for (int square = 0; square < 225; square++) {
        int row = square / 15;
        int column = square % 15;
        int index = gomoku_swap_index(square);
        assert_in_range(index, 0, GOMOKU_SWAP_SQUARES - 1);
        members[index]++;
        /* Turning and mirroring change nothing. */
        assert_int_equal(gomoku_swap_index(column * 15 + 14 - row), index);
        assert_int_equal(gomoku_swap_index(row * 15 + 14 - column), index);
    }
    int all = 0;
    for (int i = 0; i < GOMOKU_SWAP_SQUARES; i++) {
        assert_int_equal(gomoku_swap_index(gomoku_swap_square(i)), i);
        assert_true(members[i] == 1 || members[i] == 4 || members[i] == 8);
        all += members[i];
    }
    assert_int_equal(all, 225);
    assert_int_equal(gomoku_swap_index(square_of("A1")), 0);
    assert_int_equal(gomoku_swap_index(square_of("O15")), 0);
    assert_int_equal(gomoku_swap_index(square_of("H8")), 35);
}

static struct swapmap map;
static struct error failure;

static enum status parse(const char *text) {
    return swapmap_parse(text, strlen(text), &map, &failure);
}

static void test_file(void **state) {
    (void)state;
    static const char text[] =
        "# made so\n# square value depth nodes won drawn lost proved; all for the owner of the stone\n"
        "A1    -100   9     1234567    1    0    9\n"
        "H8     300  10         500    9    1    0\n";
    assert_int_equal(parse(text), STATUS_OK);
    assert_string_equal(map.comment, "made so");
    assert_true(map.entries[0].known);
    assert_int_equal(map.entries[0].value, -100);
    assert_int_equal(map.entries[35].won, 9);
    assert_false(map.entries[1].known);
    assert_true(swapmap_share(&map, 0) < 250);
    assert_true(swapmap_share(&map, 35) > 750);
    struct text written = TEXT_EMPTY;
    swapmap_write(&map, &written);
    assert_string_equal(text_string(&written), text);
    text_free(&written);
}

static void test_bad_files(void **state) {
    (void)state;
    assert_int_equal(parse("H1 0 0 0 0 0 0\n"), STATUS_BAD_INPUT); /* not of the eighth that is listed */
    assert_non_null(strstr(failure.text, "top left eighth"));
    assert_int_equal(parse("A1 0 0 0 0 0 0\nA1 0 0 0 0 0 0\n"), STATUS_BAD_INPUT);
    assert_int_equal(failure.line, 2);
    assert_int_equal(parse("A1 0 0 0 0 -1 0\n"), STATUS_BAD_INPUT);
    assert_int_equal(failure.column, 12);
    assert_int_equal(parse("A1 0 0 0 0 0\n"), STATUS_BAD_INPUT);
    assert_int_equal(parse("A1 0 0 0 0 0 0 0\n"), STATUS_BAD_INPUT);
    assert_int_equal(parse("A1 99999 0 0 0 0 0\n"), STATUS_BAD_INPUT);
}

/* The shipped table: sure of the middle and the corner, and an opening that is nearly even. */
static void test_shipped_table(void **state) {
    (void)state;
    assert_true(gomoku_swap_take(square_of("H8")));
    assert_true(gomoku_swap_take(square_of("J7")));
    assert_false(gomoku_swap_take(square_of("A1")));
    assert_false(gomoku_swap_take(square_of("O8")));
    for (uint64_t seed = 1; seed <= 500; seed++) {
        struct rng rng = {seed};
        int square = gomoku_swap_opening(&rng);
        assert_in_range(gomoku_swap_share[gomoku_swap_index(square)], 400, 600);
    }
}

/* What is proved stands beside the estimate, and counts before it. */
static void test_proved(void **state) {
    (void)state;
    static const char text[] =
        "# made so\n# square value depth nodes won drawn lost proved; all for the owner of the stone\n"
        "A1    -100   9     1234567    1    0    9 owner\n"
        "B2    -100   9     1234567    1    0    9\n"
        "H8     300  10         500    9    1    0 other\n";
    assert_int_equal(parse(text), STATUS_OK);
    assert_int_equal(map.entries[0].proof, GOMOKU_SWAP_OWNER_WINS);
    assert_int_equal(map.entries[35].proof, GOMOKU_SWAP_OTHER_WINS);
    assert_int_equal(swapmap_share(&map, 0), 1000);
    assert_int_equal(swapmap_share(&map, 35), 0);
    assert_true(swapmap_estimate(&map, 0) < 250);
    assert_true(swapmap_estimate(&map, 35) > 750);
    struct text written = TEXT_EMPTY;
    swapmap_write(&map, &written);
    assert_string_equal(text_string(&written), text);
    text_free(&written);
    swapmap_write_svg(&map, &written);
    int rings = 0;
    for (const char *at = text_string(&written); (at = strstr(at, "class=\"proved\"")) != NULL; at++) {
        rings++;
    }
    assert_int_equal(rings, 5); /* four corners and the middle */
    assert_non_null(strstr(text_string(&written), "for 2 of the 36 squares"));
    text_free(&written);
    assert_int_equal(parse("A1 0 0 0 0 0 0 nobody\n"), STATUS_BAD_INPUT);
    assert_int_equal(parse("A1 0 0 0 0 0 0 owner??\n"), STATUS_BAD_INPUT);
    assert_int_equal(failure.column, 16);
    assert_int_equal(parse("A1 0 0 0 0 0 0 owner other\n"), STATUS_BAD_INPUT);
}

/* What is claimed is kept and drawn as such, and counts for nothing. */
static void test_claimed(void **state) {
    (void)state;
    static const char text[] =
        "# made so\n# square value depth nodes won drawn lost proved; all for the owner of the stone\n"
        "A1    -100   9     1234567    1    0    9 owner?\n"
        "H8     300  10         500    9    1    0 other?\n";
    assert_int_equal(parse(text), STATUS_OK);
    assert_int_equal(map.entries[0].proof, GOMOKU_SWAP_OPEN);
    assert_int_equal(map.entries[0].claim, GOMOKU_SWAP_OWNER_WINS);
    assert_int_equal(map.entries[35].claim, GOMOKU_SWAP_OTHER_WINS);
    assert_int_equal(swapmap_share(&map, 0), swapmap_estimate(&map, 0));
    assert_int_equal(swapmap_share(&map, 35), swapmap_estimate(&map, 35));
    struct text written = TEXT_EMPTY;
    swapmap_write(&map, &written);
    assert_string_equal(text_string(&written), text);
    text_free(&written);
    swapmap_write_svg(&map, &written);
    assert_null(strstr(text_string(&written), "class=\"proved\""));
    assert_non_null(strstr(text_string(&written), "class=\"claimed\""));
    assert_non_null(strstr(text_string(&written), "for 0 of the 36 squares; broken rings: claimed, for 2"));
    text_free(&written);
}

/* The shipped table is as sure as what ships: a square of which no proof can be checked has its estimate. */
static void test_shipped_claims(void **state) {
    (void)state;
    static const char *const claims[] = {"E1"};
    static const char *const proved[] = {"H8", "G8", "G7", "F8", "F7", "F6", "A1", "B1", "C1", "D1", "H1"};
    for (int i = 0; i < 1; i++) {
        assert_false(gomoku_swap_settled(square_of(claims[i])));
        assert_false(gomoku_swap_take(square_of(claims[i])));
    }
    for (int i = 0; i < 11; i++) {
        assert_true(gomoku_swap_settled(square_of(proved[i])));
        assert_int_equal(gomoku_swap_take(square_of(proved[i])), i < 6);
    }
}

/* The agent's choice: proofs before estimates. */
static void test_settled(void **state) {
    (void)state;
    gomoku_swap_settle(square_of("O1"), GOMOKU_SWAP_OWNER_WINS); /* an image of A1 */
    gomoku_swap_settle(square_of("H8"), GOMOKU_SWAP_OTHER_WINS);
    assert_true(gomoku_swap_take(square_of("A1")));
    assert_false(gomoku_swap_take(square_of("H8")));
    assert_true(gomoku_swap_take(square_of("J7")));
    /* the squares that would serve to open are proved, so another one is chosen */
    struct rng rng = {1};
    for (int i = 0; i < 36; i++) {
        int square = gomoku_swap_opening(&rng);
        gomoku_swap_settle(square, GOMOKU_SWAP_OWNER_WINS);
        assert_true(gomoku_swap_take(square));
        if (i < 33) {
            assert_int_not_equal(gomoku_swap_index(gomoku_swap_opening(&rng)), gomoku_swap_index(square));
        }
    }
    assert_in_range(gomoku_swap_opening(&rng), 0, 224); /* all are: any */
    for (int i = 0; i < GOMOKU_SWAP_SQUARES; i++) {
        gomoku_swap_settle(gomoku_swap_square(i), GOMOKU_SWAP_OPEN);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symmetry),       cmocka_unit_test(test_file),    cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_shipped_table),  cmocka_unit_test(test_proved),  cmocka_unit_test(test_claimed),
        cmocka_unit_test(test_shipped_claims), cmocka_unit_test(test_settled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
