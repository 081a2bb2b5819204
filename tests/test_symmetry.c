/* The symmetries of a square board, checked on boards small enough to draw. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "game/symmetry.h"

/* Where each letter of a drawn 3x3 board goes. */
static void turned_board(int symmetry, char drawn[10]) {
    const char *board = "ABCDEFGHI";
    memset(drawn, 0, 10);
    for (int square = 0; square < 9; square++) {
        drawn[symmetry_turn(3, symmetry, square)] = board[square];
    }
}

static void boards_are_turned_as_drawn(void **state) {
    (void)state;
    static const char *const boards[SYMMETRY_COUNT] = {
        "ABC"
        "DEF"
        "GHI",
        "GHI"
        "DEF"
        "ABC",
        "CBA"
        "FED"
        "IHG",
        "IHG"
        "FED"
        "CBA",
        "ADG"
        "BEH"
        "CFI",
        "GDA"
        "HEB"
        "IFC",
        "CFI"
        "BEH"
        "ADG",
        "IFC"
        "HEB"
        "GDA",
    };
    for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
        char drawn[10];
        turned_board(symmetry, drawn);
        assert_string_equal(drawn, boards[symmetry]);
    }
}

/* Squares fold together exactly when some symmetry takes one to the other. */
static void images_fold_together(void **state) {
    (void)state;
    for (int size = 1; size <= 8; size++) {
        for (int a = 0; a < size * size; a++) {
            for (int b = 0; b < size * size; b++) {
                int images = 0;
                for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
                    images += symmetry_turn(size, symmetry, a) == b;
                }
                assert_int_equal(symmetry_fold(size, a) == symmetry_fold(size, b), images > 0);
            }
            int folded = symmetry_fold(size, a);
            assert_true(folded / size * 2 < size + size % 2 && folded % size <= folded / size);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards_are_turned_as_drawn),
        cmocka_unit_test(images_fold_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
