/* The form of certificates that writer and book share: numbers, heads and digests there and back, and torn ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/crc64.h"
#include "certificate/certificate.h"

static void test_numbers(void **state) {
    (void)state;
    static const struct {
        uint32_t number;
        size_t length;
    } cases[] = {{0, 1}, {127, 1}, {128, 2}, {16383, 2}, {16384, 3}, {2097152, 4}, {268435456, 5}, {UINT32_MAX, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t bytes[CERTIFICATE_MOST_NUMBER];
        size_t length = certificate_write_number(bytes, cases[i].number);
        assert_int_equal(length, cases[i].length);
        struct certificate_reader reader = {.bytes = bytes, .length = length};
        assert_int_equal(certificate_read_number(&reader), cases[i].number);
        assert_false(reader.failed);
        assert_int_equal(reader.at, length);
        struct certificate_reader torn = {.bytes = bytes, .length = length - 1};
        certificate_read_number(&torn);
        assert_true(torn.failed);
    }
    static const uint8_t endless[6] = {255, 255, 255, 255, 255, 1};
    struct certificate_reader reader = {.bytes = endless, .length = sizeof endless};
    certificate_read_number(&reader);
    assert_true(reader.failed);
}

/* Writes the head of a win on 5x5 with a stone of each side. */
static size_t write_win(char head[CERTIFICATE_MOST_HEAD], const char *game, enum certificate_kind kind, int size) {
    static uint8_t board[CERTIFICATE_MOST_SQUARES];
    board[0] = 1;
    board[7] = 2;
    struct certificate_claim claim = {
        .game = game, .rule = "freestyle", .size = size, .to_move = 0, .hero = 1, .kind = kind, .board = board};
    return certificate_write_head(head, &claim);
}

static void test_heads(void **state) {
    (void)state;
    char head[CERTIFICATE_MOST_HEAD];
    struct certificate_win win;
    size_t length = write_win(head, "gomoku", CERTIFICATE_WINS, 5);
    static const char wanted[] = "sortie proof 1\ngame gomoku freestyle 5\nmove X\nclaim O wins 0\n"
                                 "X....\n..O..\n.....\n.....\n.....\n";
    assert_int_equal(length, strlen(wanted));
    assert_memory_equal(head, wanted, length);
    struct certificate_reader reader = {.bytes = (const uint8_t *)head, .length = length};
    assert_true(certificate_read_win(&reader, &win));
    assert_int_equal(reader.at, length);
    assert_int_equal(win.size, 5);
    assert_int_equal(win.to_move, 0);
    assert_int_equal(win.hero, 1);
    for (int square = 0; square < 25; square++) {
        assert_int_equal(win.board[square], square == 0 ? 1 : square == 7 ? 2 : 0);
    }
    for (size_t torn = 0; torn < length; torn++) {
        char *copy = malloc(torn + 1);
        memcpy(copy, head, torn);
        struct certificate_reader short_one = {.bytes = (const uint8_t *)copy, .length = torn};
        assert_false(certificate_read_win(&short_one, &win));
        assert_true(short_one.failed);
        free(copy);
    }
}

/* Whether this is the head of a win at Gomoku. */
static bool is_win(const char *game, enum certificate_kind kind, int size) {
    char head[CERTIFICATE_MOST_HEAD];
    struct certificate_win win;
    struct certificate_reader reader = {.bytes = (const uint8_t *)head, .length = write_win(head, game, kind, size)};
    return certificate_read_win(&reader, &win);
}

static void test_other_heads(void **state) {
    (void)state;
    assert_true(is_win("gomoku", CERTIFICATE_WINS, CERTIFICATE_MOST_SIZE));
    assert_false(is_win("gomoku", CERTIFICATE_WINS, CERTIFICATE_LEAST_SIZE - 1));
    assert_false(is_win("gomoku", CERTIFICATE_HOLDS, 15));
    assert_false(is_win("gomoku", CERTIFICATE_MARGIN, 15));
    assert_false(is_win("laser", CERTIFICATE_WINS, 15));
}

/* The largest head there is has room. */
static void test_largest_head(void **state) {
    (void)state;
    char head[CERTIFICATE_MOST_HEAD];
    uint8_t board[CERTIFICATE_MOST_SQUARES] = {0};
    int32_t values[CERTIFICATE_MOST_SQUARES];
    for (int i = 0; i < CERTIFICATE_MOST_SQUARES; i++) {
        values[i] = INT32_MIN;
    }
    struct certificate_claim claim = {.game = "war",
                                      .rule = "stake",
                                      .size = CERTIFICATE_MOST_SIZE,
                                      .kind = CERTIFICATE_MARGIN,
                                      .margin = INT32_MIN,
                                      .board = board,
                                      .values = values};
    size_t length = certificate_write_head(head, &claim);
    assert_in_range(length, CERTIFICATE_MOST_SQUARES * 12, CERTIFICATE_MOST_HEAD - 1);
    assert_memory_equal(head + length - 13, "-2147483648.\n", 13);
}

static void test_digests(void **state) {
    (void)state;
    uint8_t bytes[4 + 3 + CERTIFICATE_DIGEST_BYTES] = "formoku";
    certificate_write_digest(bytes + 7, crc64_add(0, bytes + 4, 3));
    for (size_t length = 7; length <= sizeof bytes; length++) {
        struct certificate_reader reader = {.bytes = bytes, .length = length, .at = 7};
        assert_int_equal(certificate_read_digest(&reader, 4), length == sizeof bytes);
    }
    for (size_t i = 4; i < sizeof bytes; i++) {
        struct certificate_reader reader = {.bytes = bytes, .length = sizeof bytes, .at = 7};
        bytes[i] ^= 1;
        assert_false(certificate_read_digest(&reader, 4));
        bytes[i] ^= 1;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),      cmocka_unit_test(test_heads),   cmocka_unit_test(test_other_heads),
        cmocka_unit_test(test_largest_head), cmocka_unit_test(test_digests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
