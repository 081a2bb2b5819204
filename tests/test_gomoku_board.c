/* The engine's board: what it calls the lines, and that play and undo keep it equal to one built afresh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/gomoku/board/lean.h"

static struct gboard_history history;
static struct gboard board;
static struct gboard fresh;

/* The kind a line has for X on the square marked '_'; '|' is the border, '.' empty. */
static int kind_of(int variant, const char *line) {
    const struct gomoku_tables *tables = gomoku_tables(variant);
    const uint8_t *const kinds[] = {tables->freestyle, tables->exact, tables->renju, tables->caro};
    int half = variant == GOMOKU_FREESTYLE ? 4 : 5;
    int middle = (int)(strchr(line, '_') - line);
    int length = (int)strlen(line);
    uint32_t key = 0;
    for (int i = 0; i < 2 * half; i++) {
        int at = middle + (i < half ? i - half : i - half + 1);
        char c = at < 0 || at >= length ? '.' : line[at];
        key |= (c == '.' ? 0u : c == 'X' ? 1u : c == 'O' ? 2u : 3u) << (2 * i);
    }
    return kinds[variant][key] & 15;
}

static void test_kinds(void **state) {
    (void)state;
    for (int variant = 0; variant < GOMOKU_CARO; variant++) {
        assert_int_equal(kind_of(variant, "OXX_XXO"), KIND_FIVE);
        assert_int_equal(kind_of(variant, ".XX_X."), KIND_OPEN_FOUR);
        assert_int_equal(kind_of(variant, "OXX_X."), KIND_FOUR);
        assert_int_equal(kind_of(variant, "OXX_.XO"), KIND_FOUR);
        assert_int_equal(kind_of(variant, "|XX_XO"), KIND_NONE);
        assert_int_equal(kind_of(variant, "..XX_.."), KIND_OPEN_THREE_A);
        assert_int_equal(kind_of(variant, "..X.X_.."), KIND_OPEN_THREE);
        assert_int_equal(kind_of(variant, "OXX_..."), KIND_BLOCKED_THREE);
        assert_int_equal(kind_of(variant, "O.XX_.O"), KIND_BLOCKED_THREE);
        assert_int_equal(kind_of(variant, "OX_.."), KIND_BLOCKED_TWO);
        assert_int_equal(kind_of(variant, "...X_..."), KIND_OPEN_TWO_B);
        assert_int_equal(kind_of(variant, "...._...."), KIND_OPEN_ONE);
        assert_int_equal(kind_of(variant, "O.._..O"), KIND_BLOCKED_ONE);
        assert_int_equal(kind_of(variant, "O.._.O"), KIND_NONE);
    }
    assert_int_equal(kind_of(GOMOKU_FREESTYLE, "XXX_XX"), KIND_FIVE);
    assert_int_equal(kind_of(GOMOKU_EXACT, "XXX_XX"), KIND_NONE);
    assert_int_equal(kind_of(GOMOKU_FREESTYLE, "X.XX_.X"), KIND_OPEN_FOUR);
    assert_int_equal(kind_of(GOMOKU_EXACT, "X.XX_X.X"), KIND_NONE);
    assert_int_equal(kind_of(GOMOKU_EXACT, "X.XX_X..."), KIND_FOUR);
    assert_int_equal(kind_of(GOMOKU_RENJU, "XXX_XX"), KIND_OVERLINE);
    assert_int_equal(kind_of(GOMOKU_RENJU, "X.XX_.X"), KIND_DOUBLE_FOUR);
    assert_int_equal(kind_of(GOMOKU_RENJU, "XX.X_.XX"), KIND_DOUBLE_FOUR);
    assert_int_equal(kind_of(GOMOKU_RENJU, "O.XX_..X"), KIND_BLOCKED_THREE); /* six on one side, O on the other */
    assert_int_equal(kind_of(GOMOKU_CARO, "OXX_XXO"), KIND_NONE);
    assert_int_equal(kind_of(GOMOKU_CARO, "|XX_XXO"), KIND_FIVE);
    assert_int_equal(kind_of(GOMOKU_CARO, "OXX_XX.O"), KIND_FIVE);
    assert_int_equal(kind_of(GOMOKU_CARO, "OXX_XXXO"), KIND_FIVE);
    assert_int_equal(kind_of(GOMOKU_CARO, "..XX_X.."), KIND_OPEN_FOUR);
    assert_int_equal(kind_of(GOMOKU_CARO, "O.XX_X.O"), KIND_FOUR); /* O on either side shuts both fives */
    assert_int_equal(kind_of(GOMOKU_CARO, "OXX_X..O"), KIND_FOUR);
    assert_int_equal(kind_of(GOMOKU_CARO, "OXX_X.O"), KIND_NONE); /* the five would be shut */
}

static void assert_same(void) {
    assert_int_equal(board.hash, fresh.hash);
    assert_memory_equal(board.lines, fresh.lines, sizeof board.lines);
    assert_memory_equal(board.sets, fresh.sets, sizeof board.sets);
    assert_memory_equal(board.set_counts, fresh.set_counts, sizeof board.set_counts);
    assert_memory_equal(board.near, fresh.near, sizeof board.near);
    assert_memory_equal(board.empty, fresh.empty, sizeof board.empty);
    assert_int_equal(board.side, fresh.side);
    for (int square = 0; square < board.squares; square++) {
        if (gboard_is_empty(&board, square)) {
            assert_int_equal(board.cells[square], fresh.cells[square]);
        }
    }
}

/* Random games on all sizes and rules: after every move and every undo the board equals a fresh one. */
static void test_play_and_undo(void **state) {
    (void)state;
    struct rng rng = {1};
    for (int size = GOMOKU_LEAST_SIZE; size <= GOMOKU_MOST_SIZE; size += size < 15 ? 5 : 1) {
        for (int variant = 0; variant < 2; variant++) {
            struct gomoku_position positions[61];
            int count = 0;
            gomoku_clear(&positions[0], size, variant);
            gboard_load(&board, &positions[0], &history);
            while (count < 60) {
                struct gomoku_position *now = &positions[count];
                game_move moves[GOMOKU_MOST_SQUARES];
                int legal = gomoku_game.moves((struct game_position *)now, moves);
                if (legal == 0) {
                    break;
                }
                int square = (int)moves[rng_below(&rng, (uint32_t)legal)];
                positions[count + 1] = *now;
                gomoku_put(&positions[count + 1], square);
                gboard_play(&board, square);
                count++;
                if (rng_below(&rng, 3) > 0) { /* so that the pools have to make up for several moves */
                    gboard_load(&fresh, &positions[count], NULL);
                    assert_same();
                }
            }
            while (count > 0) {
                gboard_undo(&board);
                gboard_load(&fresh, &positions[--count], NULL);
                assert_same();
            }
        }
    }
}

/* A lean board knows the same as a fresh one: its sets, and what it works out of a square. */
static void assert_lean_same(void) {
    assert_int_equal(board.hash, fresh.hash);
    assert_memory_equal(board.lines, fresh.lines, sizeof board.lines);
    assert_memory_equal(board.near, fresh.near, sizeof board.near);
    for (int side = 0; side < 2; side++) {
        for (enum gboard_set set = 0; set < SET_COUNT; set++) {
            assert_memory_equal(board.sets[side][set], fresh.sets[side][set], sizeof board.sets[side][set]);
            assert_int_equal(board.set_counts[side][set], fresh.set_counts[side][set]);
        }
        for (int square = 0; square < board.squares; square++) {
            if (gboard_is_empty(&board, square)) {
                assert_int_equal(gboard_class(&board, side, square), gboard_class(&fresh, side, square));
                assert_int_equal(gboard_code(&board, side, square), gboard_code(&fresh, side, square));
                for (int direction = 0; direction < 4; direction++) {
                    assert_int_equal(gboard_kind(&board, side, square, direction),
                                     gboard_kind(&fresh, side, square, direction));
                }
            }
        }
    }
}

/* Random games on boards of all sizes, also from within a game, played to the end and taken back. */
static void test_lean(void **state) {
    (void)state;
    struct gboard_lean *lean = lean_new();
    struct rng rng = {3};
    assert_non_null(lean);
    for (int size = GOMOKU_LEAST_SIZE; size <= GOMOKU_MOST_SIZE; size += size < 15 ? 2 : 1) {
        static struct gomoku_position positions[161];
        int count = 0;
        int begin = (int)rng_below(&rng, 20);
        gomoku_clear(&positions[0], size, GOMOKU_FREESTYLE);
        while (count < 160 && positions[count].winner == GOMOKU_NO_WINNER) {
            game_move moves[GOMOKU_MOST_SQUARES];
            int legal = gomoku_game.moves((struct game_position *)&positions[count], moves);
            if (legal == 0) {
                break;
            }
            int square = (int)moves[rng_below(&rng, (uint32_t)legal)];
            if (count == begin) {
                gboard_load(&board, &positions[count], &history);
                lean_begin(&board, lean);
            }
            positions[count + 1] = positions[count];
            gomoku_put(&positions[++count], square);
            if (count > begin && positions[count].winner == GOMOKU_NO_WINNER) {
                gboard_play(&board, square);
                gboard_load(&fresh, &positions[count], NULL);
                assert_lean_same();
            }
        }
        count -= positions[count].winner != GOMOKU_NO_WINNER;
        while (count > begin) {
            gboard_undo(&board);
            gboard_load(&fresh, &positions[--count], NULL);
            assert_lean_same();
        }
    }
    lean_free(lean);
}

/* A square is in a side's set of fives exactly when the rules say that playing there wins. */
static void test_fives_are_the_rules_fives(void **state) {
    (void)state;
    struct rng rng = {2};
    for (int game = 0; game < 200; game++) {
        struct gomoku_position position;
        int size = 7 + (int)rng_below(&rng, 9);
        gomoku_clear(&position, size, game & 1);
        while (position.winner == GOMOKU_NO_WINNER && position.count < size * size) {
            gboard_load(&fresh, &position, NULL);
            game_move moves[GOMOKU_MOST_SQUARES];
            int legal = gomoku_game.moves((struct game_position *)&position, moves);
            for (int i = 0; i < legal; i++) {
                for (int side = 0; side < 2; side++) {
                    struct gomoku_position after = position;
                    after.board[moves[i]] = (uint8_t)(side + 1);
                    assert_int_equal(gomoku_wins_at(&after, (int)moves[i]),
                                     gboard_in_set(&fresh, side, SET_FIVE, (int)moves[i]));
                }
            }
            gomoku_put(&position, (int)moves[rng_below(&rng, (uint32_t)legal)]);
        }
    }
}

static void test_spoilers(void **state) {
    (void)state;
    static const char text[] = "gomoku freestyle 9\n"
                               ".........\n"
                               ".........\n"
                               "......O..\n"
                               "......O..\n"
                               "...XXX.O.\n"
                               ".........\n"
                               ".........\n"
                               ".........\n"
                               ".........\n";
    struct gomoku_position position;
    struct reader reader;
    struct error failure;
    reader_init(&reader, text, sizeof text - 1);
    assert_int_equal(gomoku_game.read((struct game_position *)&position, &reader, &failure), STATUS_OK);
    gboard_load(&board, &position, &history);
    assert_int_equal(gboard_set_first(&board, 0, SET_OPEN_FOUR), 4 * 9 + 2);
    uint16_t squares[10];
    int count = gboard_spoilers(&board, 0, 4 * 9 + 2, 0, KIND_OPEN_FOUR, squares);
    assert_int_equal(count, 2); /* B5 and G5; C5 itself is not in the list */
    assert_int_equal(squares[0], 4 * 9 + 1);
    assert_int_equal(squares[1], 4 * 9 + 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),    cmocka_unit_test(test_play_and_undo),
        cmocka_unit_test(test_lean),     cmocka_unit_test(test_fives_are_the_rules_fives),
        cmocka_unit_test(test_spoilers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
