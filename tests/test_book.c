/* Certificates as a book: it has an answer to everything, and wins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "games/gomoku/book/book.h"
#include "prove/question.h"
#include "sortie/sortie.h"
#include "support/moves.h"

static const atomic_bool never = false;

/* Proves who wins a position; the caller frees the certificate. */
static char *make_certificate(const struct gomoku_position *position, enum question_answer answer, size_t *length) {
    struct question question;
    struct question_settings settings = {
        .threads = 1, .hash_bytes = (size_t)16 << 20, .nodes = 20000, .stop = &never, .wanted = {true, true, false}};
    struct proved proved;
    char *bytes = NULL;
    FILE *stream = open_memstream(&bytes, length);
    proved_init(&proved);
    assert_int_equal(question_ask(&question, position, &settings, &proved, stream, NULL), STATUS_OK);
    assert_int_equal(question.answer, answer);
    fclose(stream);
    proved_close(&proved);
    return bytes;
}

/* The same read as a book. */
static struct book make_book(const struct gomoku_position *position, enum question_answer answer) {
    struct book book = {0};
    size_t length;
    char *bytes = make_certificate(position, answer, &length);
    assert_true(book_read(&book, (const uint8_t *)bytes, length));
    free(bytes);
    return book;
}

/* A mirror image, so that the book's symmetries are used. */
static struct gomoku_position mirrored(const struct gomoku_position *position) {
    struct gomoku_position image;
    gomoku_clear(&image, position->size, position->variant);
    for (int i = 0; i < position->count; i++) {
        int row = position->order[i] / position->size;
        int column = position->order[i] % position->size;
        gomoku_put(&image, column * position->size + position->size - 1 - row);
    }
    return image;
}

static int random_reply(const struct gomoku_position *position, struct rng *rng) {
    for (;;) {
        int square = (int)rng_below(rng, (uint32_t)(position->size * position->size));
        if (position->board[square] == GOMOKU_EMPTY) {
            return square;
        }
    }
}

/* Plays the book's side against random replies: it always knows a move, both sides know how it will end, and the win
 * takes no longer than was said. */
static void play_out(const struct book *book, struct gomoku_position position, int hero, struct rng *rng) {
    int left = 400;
    while (position.winner == GOMOKU_NO_WINNER) {
        uint16_t move;
        int plies;
        bool hero_moves = (position.count & 1) == hero;
        if (hero_moves) {
            assert_true(book_look_up(book, &position, &move, &plies));
            assert_int_equal(position.board[move], GOMOKU_EMPTY);
            gomoku_put(&position, move);
        } else {
            assert_true(book_look_up_lost(book, &position, &plies));
            assert_false(book_look_up(book, &position, &move, &(int){0}));
            uint16_t longest;
            bool resists = rng_below(rng, 2) && book_resist(book, &position, &longest);
            gomoku_put(&position, resists ? longest : random_reply(&position, rng));
        }
        assert_in_range(plies, 1, left);
        left = plies - 1;
    }
    assert_int_equal(position.winner, hero + 1);
}

static void test_follow(void **state) {
    (void)state;
    static const struct {
        int size;
        const char *moves;
        enum question_answer answer;
        int hero;
    } cases[] = {
        {15, "I7 G9 H6 J8 I6 I8 I5 G8 H8 J7", ANSWER_WINS, 0},
        {15, "H8 A1 I8 A3 J8 O1 K8", ANSWER_LOSES, 0},
        {8, "D4 A1 D5 H8 E5 A8", ANSWER_WINS, 0},
    };
    struct rng rng = {1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gomoku_position position = position_of(cases[i].size, cases[i].moves);
        struct gomoku_position image = mirrored(&position);
        struct book book = make_book(&position, cases[i].answer);
        for (int game = 0; game < 200; game++) {
            play_out(&book, game % 2 ? image : position, cases[i].hero, &rng);
        }
        book_free(&book);
    }
}

/* A stone that breaks the win is not taken for one that does not. */
static void test_other_positions(void **state) {
    (void)state;
    struct gomoku_position position = position_of(8, "D4 A1 D5 H8 E5 A8");
    struct book book = make_book(&position, ANSWER_WINS);
    uint16_t move;
    int plies;
    struct gomoku_position fewer = position_of(8, "D4 A1 D5 H8");
    assert_false(book_look_up(&book, &fewer, &move, &plies));
    assert_false(book_look_up_lost(&book, &fewer, &plies));
    struct gomoku_position blocked = position_of(8, "D4 A1 D5 D3 E5 D6");
    assert_false(book_look_up(&book, &blocked, &move, &plies));
    book_free(&book);
}

/* A certificate that is whole but proves nothing, about the first stone on a square: what a real one would say. */
static size_t write_stand_in(int square, char hero, uint8_t *bytes) {
    char board[16 * 15 + 1];
    for (int i = 0; i < 16 * 15; i++) {
        board[i] = '.';
        if (i % 16 == 15) {
            board[i] = '\n';
        }
    }
    board[square / 15 * 16 + square % 15] = 'X';
    board[16 * 15] = '\0';
    int length =
        sprintf((char *)bytes, "sortie proof 1\ngame gomoku freestyle 15\nmove O\nclaim %c wins 0\n%s", hero, board);
    static const uint8_t owner[] = {225 + 2, 1, 1, 225, 0}; /* whatever O plays, X plays B1 and "has two fives" */
    static const uint8_t other[] = {1, 225};                /* O plays B1 */
    const uint8_t *moves = hero == 'X' ? owner : other;
    size_t count = hero == 'X' ? sizeof owner : sizeof other;
    memcpy(bytes + length, moves, count);
    uint64_t digest = ~0ULL;
    for (size_t i = 0; i < (size_t)length + count; i++) {
        digest ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            digest = digest >> 1 ^ (digest & 1 ? 0xC96C5795D7870F42 : 0);
        }
    }
    for (int i = 0; i < 8; i++) {
        bytes[(size_t)length + count + (size_t)i] = (uint8_t)(~digest >> (8 * i));
    }
    return (size_t)length + count + 8;
}

/* A first stone that is proved for somebody is taken, or left, whatever the estimate says. */
static void test_swap(void **state) {
    (void)state;
    uint8_t bytes[600];
    struct book book = {0};
    int corner = gomoku_parse_square(15, "A1", 2);
    int middle = gomoku_parse_square(15, "H8", 2);
    assert_false(gomoku_swap_take(corner));
    assert_true(gomoku_swap_take(middle));
    assert_true(book_read(&book, bytes, write_stand_in(corner, 'X', bytes)));
    assert_true(book_read(&book, bytes, write_stand_in(middle, 'O', bytes)));
    assert_int_equal(book_first_stone(&book, corner), GOMOKU_SWAP_OWNER_WINS);
    assert_int_equal(book_first_stone(&book, gomoku_parse_square(15, "O15", 3)), GOMOKU_SWAP_OWNER_WINS);
    assert_int_equal(book_first_stone(&book, middle), GOMOKU_SWAP_OTHER_WINS);
    assert_int_equal(book_first_stone(&book, gomoku_parse_square(15, "A2", 2)), GOMOKU_SWAP_OPEN);
    book_settle_swap(&book);
    assert_true(gomoku_swap_take(corner));
    assert_false(gomoku_swap_take(middle));
    book_free(&book);
    book_settle_swap(&book);
    assert_false(gomoku_swap_take(corner));
    assert_true(gomoku_swap_take(middle));
}

/* What the library is handed it knows without a search, and plays. */
static void test_handed_over(void **state) {
    (void)state;
    static const char board[] = "gomoku freestyle 15\nI7 G9 H6 J8 I6 I8 I5 G8 H8 J7\n";
    struct gomoku_position position = position_of(15, "I7 G9 H6 J8 I6 I8 I5 G8 H8 J7");
    size_t length;
    char *bytes = make_certificate(&position, ANSWER_WINS, &length);
    sortie_position *handle = NULL;
    sortie_result result = SORTIE_INIT(sortie_result);
    sortie_error error = {0};
    size_t positions = 0;
    assert_int_equal(sortie_position_parse(board, strlen(board), &handle, NULL), SORTIE_OK);
    assert_int_equal(sortie_position_proved(handle, &result), 0);
    assert_int_equal(sortie_proofs_add("war", bytes, length, NULL, &error), SORTIE_BAD_INPUT);
    assert_int_equal(sortie_proofs_add("gomoku", bytes, length - 1, &positions, &error), SORTIE_BAD_INPUT);
    assert_int_equal(sortie_proofs_add("gomoku", bytes, length, &positions, &error), SORTIE_OK);
    assert_true(positions > 1);
    assert_int_equal(sortie_position_proved(handle, &result), 1);
    assert_true(result.proved && result.value > 0);
    sortie_move move;
    memcpy(move, result.move, sizeof move);
    assert_int_equal(sortie_position_play(handle, move, NULL), SORTIE_OK);
    assert_int_equal(sortie_position_proved(handle, &result), 1);
    assert_true(result.value < 0);
    sortie_position_free(handle);
    free(bytes);
}

int main(void) {
    setenv("SORTIE_PROOFS", "", 1); /* nothing but what the tests hand over */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follow),
        cmocka_unit_test(test_other_positions),
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_handed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
