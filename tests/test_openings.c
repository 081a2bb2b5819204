/* The opening book: images, its file, what its positions are worth, what is searched next, and choosing by it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "game/symmetry.h"
#include "games/gomoku/openings/choose.h"
#include "games/gomoku/openings/file.h"
#include "games/gomoku/openings/grow.h"

static struct openings book;
static struct error failure;

static int square_of(const char *name) {
    return gomoku_parse_square(15, name, strcspn(name, " "));
}

/* A board of 15x15 with these stones. */
static struct gomoku_position board_of(const char *moves) {
    struct gomoku_position board;
    gomoku_clear(&board, 15, GOMOKU_FREESTYLE);
    while (*moves) {
        gomoku_put(&board, square_of(moves));
        moves += strcspn(moves, " ");
        moves += *moves == ' ';
    }
    return board;
}

/* The board seen under a symmetry. */
static struct gomoku_position turned(const struct gomoku_position *board, int symmetry) {
    struct gomoku_position other;
    gomoku_clear(&other, board->size, board->variant);
    for (int i = 0; i < board->count; i++) {
        gomoku_put(&other, symmetry_turn(board->size, symmetry, board->order[i]));
    }
    return other;
}

/* Makes *book* of these lines, with the digest they have. */
static enum status read_lines(const char *lines) {
    struct text text = TEXT_EMPTY;
    openings_free(&book);
    text_addf(&text, "sortie-book 1\n%s", lines);
    size_t body = text.length;
    text_add_string(&text, "digest 0\n");
    enum status status = openings_parse(text_string(&text), text.length, &book, &failure);
    const char *wanted = strstr(failure.text, "the digest ");
    if (status == STATUS_BAD_INPUT && wanted) {
        char digest[17] = "";
        memcpy(digest, wanted + strlen("the digest "), 16);
        text.length = body;
        text_addf(&text, "digest %s\n", digest);
        status = openings_parse(text_string(&text), text.length, &book, &failure);
    }
    text_free(&text);
    return status;
}

/* Puts a position into the book, in whichever image, and its moves: "G7 12 G8 3". */
static void put(const char *stones, int effort, const char *moves) {
    struct gomoku_position board = board_of(stones);
    struct openings_position position;
    unsigned leading = openings_fold(&board, &position);
    int symmetry = 0;
    while (!(leading >> symmetry & 1)) {
        symmetry++;
    }
    position.depth = 14;
    position.effort = (uint32_t)effort;
    while (*moves) {
        int square = symmetry_turn(15, symmetry, square_of(moves));
        int value = atoi(strchr(moves, ' '));
        openings_add_move(&position, openings_least_image(&position, openings_keep(&position), square), value);
        moves = strchr(moves, ' ') + 1;
        moves += strcspn(moves, " ");
        moves += *moves == ' ';
    }
    assert_true(openings_put(&book, &position));
    openings_settle(&book);
}

/* What the book says a position is worth. */
static int worth_of(const char *moves) {
    struct gomoku_position board = board_of(moves);
    struct openings_position said;
    assert_true(openings_ask(&book, &board, NULL, &said));
    return said.worth;
}

static void test_images_are_one(void **state) {
    (void)state;
    struct gomoku_position board = board_of("C4 D6 F5 G5 E7");
    struct openings_position first;
    openings_fold(&board, &first);
    assert_int_not_equal(openings_keep(&first), 0);
    for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
        struct gomoku_position other = turned(&board, symmetry);
        struct openings_position folded;
        unsigned leading = openings_fold(&other, &folded);
        assert_memory_equal(&folded, &first, sizeof first);
        for (int way = 0; way < SYMMETRY_COUNT; way++) {
            struct gomoku_position there = turned(&other, way);
            bool same = true;
            for (int i = 0; i < folded.stones; i++) {
                same = same && there.board[folded.squares[i]] == (i & 1 ? GOMOKU_O : GOMOKU_X);
            }
            assert_int_equal(leading >> way & 1, same); /* it says rightly which symmetries lead there */
        }
    }
    struct gomoku_position middle = board_of("H8");
    assert_int_equal(openings_fold(&middle, &first), 0xff); /* it is its own image in all ways */
    assert_int_equal(openings_least_image(&first, openings_keep(&first), square_of("I9")), square_of("G7"));
}

static const char small[] = "# by hand\n"
                            "gomoku freestyle 15\n"
                            "H8 = 14 2000 : G7 12 H7 3\n"
                            "H8 G7 = 12 2000 : I7 5\n"
                            "H8 H7 = ?\n"
                            "gomoku freestyle 20\n"
                            "A1 = 3 1 : B2 29990\n"
                            "gomoku renju 15\n"
                            "H8 = 12 7 proved : H7 -29980\n";

static void test_file(void **state) {
    (void)state;
    assert_int_equal(read_lines(small), STATUS_OK);
    assert_int_equal(book.count, 5);
    struct text text = TEXT_EMPTY;
    openings_write(&book, &text);
    assert_memory_equal(text_string(&text), "sortie-book 1\n", 14);
    assert_memory_equal(text_string(&text) + 14, small, strlen(small));
    /* line ends of Windows are no other book */
    struct text windows = TEXT_EMPTY;
    for (const char *at = text_string(&text); *at; at++) {
        text_add_string(&windows, *at == '\n' ? "\r" : "");
        text_add_char(&windows, *at);
    }
    struct openings again = {0};
    assert_int_equal(openings_parse(text_string(&windows), windows.length, &again, &failure), STATUS_OK);
    assert_int_equal(again.count, 5);
    assert_true(again.digest == book.digest);
    openings_free(&again);
    text_free(&windows);
    /* every byte that is missing, and every line that is another one, is found */
    for (size_t length = 0; length + 1 < text.length; length++) {
        assert_int_equal(openings_parse(text_string(&text), length, &again, &failure), STATUS_BAD_INPUT);
        assert_true(failure.line > 0);
    }
    text.data[strlen("sortie-book 1\n# b")] = 'x';
    assert_int_equal(openings_parse(text_string(&text), text.length, &again, &failure), STATUS_BAD_INPUT);
    assert_non_null(strstr(failure.text, "the digest "));
    text_free(&text);
}

static void refuse(const char *lines, int line, int column, const char *why) {
    assert_int_equal(read_lines(lines), STATUS_BAD_INPUT);
    if (!strstr(failure.text, why)) {
        fail_msg("expected '%s' in '%s'", why, failure.text);
    }
    assert_int_equal(failure.line, line);
    assert_int_equal(failure.column, column);
}

static void test_bad_files(void **state) {
    (void)state;
    refuse("H8 = ?\n", 2, 1, "before the first position");
    refuse("gomoku chess 15\n", 2, 8, "the rule set");
    refuse("gomoku freestyle 4\n", 2, 18, "the board size");
    refuse("gomoku freestyle 15\ngomoku freestyle 15\n", 3, 1, "boards in order");
    refuse("gomoku freestyle 15\nH16 = ?\n", 3, 1, "a square from A1 to O15");
    refuse("gomoku freestyle 15\nI9 = ?\n", 3, 1, "position's images");
    refuse("gomoku freestyle 15\nH8 H8 = ?\n", 3, 4, "an empty square");
    refuse("gomoku freestyle 15\nH8 = ?\nH8 = ?\n", 4, 1, "in order, each once");
    refuse("gomoku freestyle 15\nH8 = 14 2000\n", 3, 13, "':' and moves");
    refuse("gomoku freestyle 15\nH8 = 14 2000 :\n", 3, 15, "a square");
    refuse("gomoku freestyle 15\nH8 = 14 2000 : H8 3\n", 3, 16, "a legal move");
    refuse("gomoku freestyle 15\nH8 = 14 2000 : I8 3\n", 3, 16, "images of this one");
    refuse("gomoku freestyle 15\nH8 = 14 2000 : H7 3 H7 2\n", 3, 21, "each move once");
    refuse("gomoku freestyle 15\nH8 = 14 2000 : H7 3 G7 4\n", 3, 21, "the best first");
    refuse("gomoku freestyle 15\nH8 = 14 2000 : H7 30001\n", 3, 19, "the move's value");
    refuse("gomoku freestyle 15\nA1 A2 B1 B2 C1 C2 D1 D2 E1 = ?\n", 3, 25, "nobody has won");
}

static void test_worth_comes_back(void **state) {
    (void)state;
    /* G7 looks better by 9, but is worth -40 two plies later; both orders lead to the same position */
    openings_free(&book);
    put("H8", 2000, "G7 12 G8 3");
    put("H8 G7", 1000, "I7 5 J9 -60");
    put("H8 G7 I7", 500, "I8 -40");
    assert_int_equal(worth_of("H8"), 3);
    assert_int_equal(worth_of("H8 G7"), 40);
    assert_int_equal(worth_of("I7 I9 H8"), -40);
    struct gomoku_position board = board_of("H8");
    struct openings_position said;
    assert_true(openings_ask(&book, &board, NULL, &said));
    assert_int_equal(said.behind, 3500);
    assert_int_equal(said.moves[0].square, square_of("H7")); /* the best one first, by worth */
    assert_int_equal(said.moves[1].worth, -40);
}

/* The moves of an answer are on the squares of the board that was asked about, whichever image it is. */
static void test_turned_back(void **state) {
    (void)state;
    openings_free(&book);
    put("C4 D6 F5", 2000, "G5 12");
    struct gomoku_position board = board_of("C4 D6 F5");
    for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
        struct gomoku_position other = turned(&board, symmetry);
        struct openings_position said;
        assert_true(openings_ask(&book, &other, NULL, &said));
        assert_int_equal(said.moves[0].square, symmetry_turn(15, symmetry, square_of("G5")));
    }
}

/* What a search of a step would say. */
static void learn(const struct openings_step *step, int square, int value) {
    struct search_result result = {.move = (game_move)square, .value = value, .nodes = 1000, .depth = 5};
    assert_true(openings_learn(&book, step, &result));
}

static void test_grows_best_first(void **state) {
    (void)state;
    static struct openings_step step;
    struct gomoku_position board = board_of("C4");
    bool added;
    openings_free(&book);
    assert_true(openings_want(&book, &board, &added));
    assert_true(added);
    board = turned(&board, 5);
    assert_true(openings_want(&book, &board, &added)); /* an image of it is there already */
    assert_false(added);
    assert_true(openings_next(&book, 14, &step)); /* what is wanted comes first */
    assert_int_equal(step.board.count, 1);
    assert_false(step.widen);
    learn(&step, square_of("E5"), 10);
    assert_true(openings_next(&book, 14, &step)); /* then the position its best move leads to */
    assert_int_equal(step.board.count, 2);
    learn(&step, square_of("F6"), 100); /* which turns out to be good for the other side */
    assert_int_equal(book.positions[0].worth, -100);
    assert_true(openings_next(&book, 14, &step)); /* so another move is asked for */
    assert_true(step.widen);
    assert_int_equal(step.board.count, 1);
    assert_true(gomoku_is_closed(step.closed, book.positions[0].moves[0].square));
    learn(&step, square_of("E4"), 5);
    assert_int_equal(book.positions[0].worth, 5);
    assert_int_equal(book.positions[0].move_count, 2);
    assert_true(openings_next(&book, 14, &step)); /* and followed; the line that was lost is left */
    assert_false(step.widen);
    assert_int_equal(step.board.count, 2);
    assert_int_equal(
        step.board.board[square_of("E4")] != GOMOKU_EMPTY || step.board.board[square_of("D5")] != GOMOKU_EMPTY, true);
}

/* What is decided, and what has as many stones as are wanted, is not searched further. */
static void test_growth_ends(void **state) {
    (void)state;
    static struct openings_step step;
    openings_free(&book);
    put("C4", 2000, "E5 29990");
    assert_false(openings_next(&book, 14, &step));
    openings_free(&book);
    put("C4", 2000, "E5 10");
    assert_false(openings_next(&book, 1, &step));
    assert_true(openings_next(&book, 2, &step));
    /* of two openings the one that is more even */
    openings_free(&book);
    put("A1", 2000, "E5 90");
    put("C4", 2000, "E5 -20");
    assert_true(openings_next(&book, 14, &step));
    assert_int_equal(step.board.board[square_of("A1")], GOMOKU_EMPTY);
}

static void test_chooses_among_equals(void **state) {
    (void)state;
    openings_free(&book);
    put("H8", 2000, "G7 12 F8 9 G8 8 E8 -50");
    put("H8 G7", 1000, "I7 -12");
    put("H8 H6", 1000, "I7 -9");
    struct gomoku_position board = board_of("H8");
    struct search_result result;
    int near = 0;
    int seen[225] = {0};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct rng rng = {seed * 77};
        assert_true(openings_choose(&book, &board, 4000, &rng, &result));
        seen[result.move]++;
        near += result.value == 12;
        assert_in_range(result.value, 9, 12);
        assert_int_equal(result.pv_length, 2);
        assert_int_equal(result.pv[0], result.move);
    }
    assert_in_range(near, 50, 150); /* both moves that were looked at, and no other */
    assert_int_equal(seen[square_of("G8")] + seen[square_of("H7")], 0);
    int squares = 0;
    for (int i = 0; i < 225; i++) {
        squares += seen[i] > 0;
    }
    assert_int_equal(squares, 8); /* four images of each */
    struct rng rng = {1};
    assert_false(openings_choose(&book, &board, 4001, &rng, &result)); /* too little stands behind it */
    board = board_of("H8 G8 I8");
    assert_false(openings_choose(&book, &board, 0, &rng, &result));
    struct gomoku_position renju;
    gomoku_clear(&renju, 15, GOMOKU_RENJU);
    gomoku_put(&renju, square_of("H8"));
    assert_false(openings_choose(&book, &renju, 0, &rng, &result)); /* another rule set is another book */
}

/* A search is answered by the book when its wishes ask for that, and when it would look at less than stands behind the
 * book's move; never where nodes or depth make it the same everywhere. */
static void test_instead_of_a_search(void **state) {
    (void)state;
    openings_free(&book);
    put("C4 D6 F5", 2000, "G5 12");
    struct gomoku_position board = board_of("C4 D6 F5");
    struct gomoku_wishes wishes = {.book = true, .book_seed = 5};
    struct search_limits limits = {.wall_seconds = 1, .wishes = &wishes};
    struct search_result result;
    assert_true(openings_choose_within(&book, &board, &limits, &result));
    assert_int_equal(result.move, square_of("G5"));
    assert_int_equal(result.value, 12);
    assert_int_equal(result.depth, 14);
    limits.wall_seconds = 20;
    assert_false(openings_choose_within(&book, &board, &limits, &result)); /* a search sees more */
    limits = (struct search_limits){.wall_seconds_left = 100, .wishes = &wishes};
    assert_true(openings_choose_within(&book, &board, &limits, &result));
    limits.depth = 5;
    assert_false(openings_choose_within(&book, &board, &limits, &result));
    limits.depth = 0;
    limits.nodes = 5;
    assert_false(openings_choose_within(&book, &board, &limits, &result));
    limits.nodes = 0;
    limits.multi_pv = 2;
    assert_false(openings_choose_within(&book, &board, &limits, &result));
    limits.multi_pv = 0;
    wishes.book = false;
    assert_false(openings_choose_within(&book, &board, &limits, &result));
    limits.wishes = NULL;
    assert_false(openings_choose_within(&book, &board, &limits, &result));
    wishes.book = true;
    limits = (struct search_limits){.wishes = &wishes};
    assert_false(openings_choose_within(&book, &board, &limits, &result)); /* no clock at all */
}

/* Plays an answer of swap2. */
static struct swap2_answer answer_swap2(const char *moves, uint64_t seed) {
    struct gomoku_position board = board_of(moves);
    struct rng rng = {seed};
    struct swap2_answer answer;
    assert_true(openings_swap2(&book, &board, &rng, &answer));
    for (int i = 0; i < answer.count; i++) {
        assert_int_equal(board.board[answer.squares[i]], GOMOKU_EMPTY);
        gomoku_put(&board, answer.squares[i]);
    }
    return answer;
}

static void test_swap2(void **state) {
    (void)state;
    openings_free(&book);
    put("C4 D6 F5", 2000, "G5 3");
    put("D4 D6 F5", 2000, "G5 90");
    put("E4 D6 F5", 2000, "G5 -90");
    put("C4 D6 F5 H8 I9", 2000, "G5 -5");
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct swap2_answer answer = answer_swap2("", seed);
        struct gomoku_position board;
        struct openings_position folded;
        gomoku_clear(&board, 15, GOMOKU_FREESTYLE);
        assert_int_equal(answer.count, 3);
        for (int i = 0; i < 3; i++) {
            gomoku_put(&board, answer.squares[i]);
        }
        openings_fold(&board, &folded);
        assert_int_equal(abs(book.positions[openings_find(&book, &folded)].worth), 3); /* the only even one */
    }
    struct swap2_answer answer = answer_swap2("C4 D6 F5", 1);
    assert_false(answer.swap);
    assert_int_equal(answer.count, 2); /* it is even: two more stones */
    answer = answer_swap2("D4 D6 F5", 1);
    assert_false(answer.swap);
    assert_int_equal(answer.count, 1);
    assert_int_equal(answer.squares[0], square_of("G5"));
    assert_true(answer_swap2("E4 D6 F5", 1).swap);
    assert_true(answer_swap2("C4 D6 F5 H8 I9", 1).swap);
    struct gomoku_position unknown = board_of("A1 B1 C1");
    struct rng rng = {1};
    assert_false(openings_swap2(&book, &unknown, &rng, &answer));
}

static void test_first_stones(void **state) {
    (void)state;
    openings_free(&book);
    put("A1", 5000, "G7 90");
    put("C4", 5000, "G7 4");
    put("D4", 3000, "G7 1");
    put("H8", 5000, "G7 -90");
    struct gomoku_position empty = board_of("");
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct rng rng = {seed};
        int square;
        assert_true(openings_first_stone(&book, &empty, &rng, &square));
        assert_int_equal(symmetry_fold(15, square), symmetry_fold(15, square_of("C4"))); /* D4 is not known well */
    }
    bool take;
    struct gomoku_position board = board_of("H8");
    assert_true(openings_take_stone(&book, &board, &take));
    assert_true(take);
    board = board_of("O15");
    assert_true(openings_take_stone(&book, &board, &take));
    assert_false(take);
    board = board_of("D4");
    assert_false(openings_take_stone(&book, &board, &take));
}

static int tear_down(void **state) {
    (void)state;
    openings_free(&book);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_images_are_one),      cmocka_unit_test(test_file),
        cmocka_unit_test(test_bad_files),           cmocka_unit_test(test_worth_comes_back),
        cmocka_unit_test(test_turned_back),         cmocka_unit_test(test_grows_best_first),
        cmocka_unit_test(test_growth_ends),         cmocka_unit_test(test_chooses_among_equals),
        cmocka_unit_test(test_instead_of_a_search), cmocka_unit_test(test_swap2),
        cmocka_unit_test(test_first_stones),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
