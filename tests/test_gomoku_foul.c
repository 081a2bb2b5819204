/* What renju forbids: boards to check by eye, and a second judge that has to say the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/gomoku/board/board.h"
#include "games/gomoku/rules/foul.h"
#include "games/gomoku/rules/gomoku.h"
#include "support/plain_foul.h"
#include "support/scale.h"

/* A drawn board with one `?`, which is X's to play, and what keeps X from it. */
struct sketch {
    enum gomoku_foul foul;
    const char *rows;
};

/* clang-format off */
static const struct sketch sketches[] = {
    {GOMOKU_NO_FOUL, /* one three */
     "........./........./........./....X..../....?..../....X..../........./........./........."},
    {GOMOKU_DOUBLE_THREE, /* two threes */
     "........./........./....X..../....X..../..XX?..../........./........./........./........."},
    {GOMOKU_NO_FOUL, /* the row can become a four, not a straight one: O stands beside it */
     "........./........./....X..../....X..../.OXX?..../........./........./........./........."},
    {GOMOKU_NO_FOUL, /* a four and a three */
     "........./....X..../....X..../....X..../..XX?..../........./....O..../........./........."},
    {GOMOKU_DOUBLE_FOUR,
     "........./....X..../....X..../....X..../.XXX?..../........./........./........./........."},
    {GOMOKU_DOUBLE_FOUR, /* in one row: A and E make five of the stones between, and E and I */
     "........./........./........./........./.X.X?X.X./........./........./........./........."},
    {GOMOKU_DOUBLE_FOUR, /* in one row, the stones in the middle belong to both */
     "........./........./........./........./XX.X?.XX./........./........./........./........."},
    {GOMOKU_NO_FOUL, /* a straight four is one */
     "........./........./........./........./...X?XX../........./........./........./........."},
    {GOMOKU_OVERLINE,
     "........./........./........./........./.XXX?XX../........./........./........./........."},
    {GOMOKU_NO_FOUL, /* five goes before everything: two threes and six in the column */
     "....X..../..X.X..../...XX..../....X..../.XXX?X.../....X..../....X..../........./........."},
    {GOMOKU_NO_FOUL, /* the row is no three: six would be made on the one side, and O stands on the other */
     "........./........./....X..../....X..../O.XX?..X./........./........./........./........."},
    {GOMOKU_DOUBLE_THREE, /* threes with a gap */
     "........./....X..../........./....X..../.X.X?..../........./........./........./........."},
};
/* clang-format on */

/* Reads a sketch; returns its size, and where the question mark stands. */
static int draw(const char *rows, uint8_t *board, int *square) {
    int size = (int)strcspn(rows, "/");
    int count = 0;
    for (const char *at = rows; *at; at++) {
        if (*at != '/') {
            *square = *at == '?' ? count : *square;
            board[count++] = *at == 'X' ? GOMOKU_X : *at == 'O' ? GOMOKU_O : GOMOKU_EMPTY;
        }
    }
    assert_int_equal(count, size * size);
    return size;
}

static void test_sketches(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof sketches / sizeof *sketches; i++) {
        uint8_t board[GOMOKU_MOST_SQUARES];
        int square = 0;
        int size = draw(sketches[i].rows, board, &square);
        enum gomoku_foul foul = gomoku_foul_at(board, size, square);
        if (foul != sketches[i].foul) {
            fail_msg("%s: %s, expected %s", sketches[i].rows, gomoku_foul_name(foul),
                     gomoku_foul_name(sketches[i].foul));
        }
        assert_int_equal(plain_foul_at((char *)board, size, square / size, square % size), (enum plain_foul)foul);
    }
}

/* Stones of both colours on a third to two thirds of the squares of a middle part; more of X's, who is the one judged.
 */
static void scatter(struct rng *rng, uint8_t *board, int size) {
    int share = 15 + (int)rng_below(rng, 35);
    memset(board, GOMOKU_EMPTY, (size_t)(size * size));
    for (int square = 0; square < size * size; square++) {
        if ((int)rng_below(rng, 100) < share) {
            board[square] = rng_below(rng, 4) == 0 ? GOMOKU_O : GOMOKU_X;
        }
    }
}

/* The rules, the second judge and the board of the search say the same of every empty square. */
static void test_three_judges(void **state) {
    (void)state;
    static struct gboard loaded;
    struct rng rng = {4};
    int seen[4] = {0};
    for (int round = 0; round < SCALED(600); round++) {
        int size = 7 + (int)rng_below(&rng, 9);
        uint8_t board[GOMOKU_MOST_SQUARES];
        struct gomoku_position position;
        scatter(&rng, board, size);
        gomoku_clear(&position, size, GOMOKU_RENJU);
        memcpy(position.board, board, (size_t)(size * size));
        gboard_load(&loaded, &position, NULL);
        for (int square = 0; square < size * size; square++) {
            if (board[square] != GOMOKU_EMPTY) {
                continue;
            }
            enum gomoku_foul foul = gomoku_foul_at(board, size, square);
            assert_int_equal(plain_foul_at((char *)board, size, square / size, square % size), (enum plain_foul)foul);
            assert_int_equal(gboard_is_open_to(&loaded, 0, square), foul == GOMOKU_NO_FOUL);
            assert_true(gboard_is_open_to(&loaded, 1, square));
            seen[foul]++;
        }
        assert_memory_equal(board, position.board, (size_t)(size * size));
    }
    for (int foul = 0; foul < 4; foul++) {
        assert_true(seen[foul] > SCALED(50)); /* none of them is only rarely met */
    }
}

/* The game leaves the square out, names the reason, and lets O play there. */
static void test_moves_of_the_game(void **state) {
    (void)state;
    struct gomoku_position position;
    struct error error;
    uint8_t board[GOMOKU_MOST_SQUARES];
    int square = 0;
    int size = draw(sketches[1].rows, board, &square);
    board[0] = board[8] = board[72] = board[80] = GOMOKU_O;
    assert_int_equal(gomoku_set_board(&position, size, GOMOKU_RENJU, board, &error), STATUS_OK);
    const struct game_position *interface = (const struct game_position *)&position;
    game_move moves[GOMOKU_MOST_SQUARES];
    int count = gomoku_game.moves(interface, moves);
    for (int i = 0; i < count; i++) {
        assert_int_not_equal(moves[i], square);
    }
    assert_int_equal(count, size * size - 8 - 1);
    assert_false(gomoku_game.legal(interface, (game_move)square));
    game_move move;
    assert_int_equal(gomoku_game.parse_move(interface, "E5", 2, &move, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "two threes"));
    gomoku_put(&position, 1); /* and O may */
    assert_true(gomoku_game.legal(interface, (game_move)square));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sketches),
        cmocka_unit_test(test_three_judges),
        cmocka_unit_test(test_moves_of_the_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
