/* Single rules of certificates, on boards made for them: which stones a default must be asked about, references, and a
 * file that would keep the checker busy for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "prove/certificate.h"
#include "support/proof_file.h"

static struct proof_file file;
static struct certificate certificate;

/* -- a win with several ways, on 11x11 -- */

/* X has a four on H5, which O answers on I5, and threes that nothing blocks on B and K. */
static const char *const many_ways[11] = {"...........", "...........", "...........", "...........",
                                          "...OXXX....", "........O..", ".X......O.X", ".X........X",
                                          ".X........X", "...........", "..........."};

enum { B6 = 56, H5 = 51, K6 = 65, A1 = 0 };

static int width = 11; /* the board may be larger; its corner is the same */

static int place(int square) {
    return square / 11 * width + square % 11;
}

/* The four on H5, then the one on B6, which makes two. */
static void write_fours(void) {
    certificate_move(&certificate, place(H5));
    certificate_code(&certificate, CERTIFICATE_FORCED);
    certificate_move(&certificate, place(B6));
    certificate_code(&certificate, CERTIFICATE_WON);
}

/* Replies, each answered by the three on B or that on K. */
static void write_list(const bool *listed) {
    uint16_t list[121];
    int count = 0;
    for (int square = 0; square < 121; square++) {
        list[count] = (uint16_t)place(square);
        count += listed[square];
    }
    certificate_replies(&certificate, list, count);
    for (int i = 0; i < count; i++) {
        certificate_move(&certificate, place(list[i] % width == 1 ? K6 : B6));
        certificate_code(&certificate, CERTIFICATE_WON);
    }
}

/* `outer`: the fours are the default of a position behind a quiet move that is itself a default. */
static void write_ways(const uint8_t *stones, const bool *inner, const bool *outer) {
    struct certificate_claim claim = {.game = "gomoku", .rule = "freestyle", .size = 11, .to_move = 1, .board = stones};
    proof_file_open(&file);
    certificate_begin(&certificate, file.stream, &claim);
    if (outer) {
        certificate_cover(&certificate, true);
        certificate_move(&certificate, place(A1));
    }
    certificate_cover(&certificate, true);
    write_fours();
    write_list(inner);
    if (outer) {
        write_list(outer);
    }
    certificate_end(&certificate);
    proof_file_close(&file);
}

/* Adds what the checker asks an answer for until it is content; both ways of checking ask for the same. */
static int complete(const uint8_t *stones, bool *inner, bool *outer, bool *asked) {
    for (int count = 0; count < 121; count++) {
        char quick[sizeof file.said];
        int row;
        int column;
        write_ways(stones, inner, outer);
        int found = proof_file_verify(&file, file.length, false);
        memcpy(quick, file.said, sizeof quick);
        assert_int_equal(proof_file_verify(&file, file.length, true), found);
        if (found == 0) {
            return count;
        }
        assert_string_equal(file.said, quick);
        assert_int_equal(sscanf(strstr(file.said, "no answer"), "no answer to row %d, column %d", &row, &column), 2);
        asked[(row - 1) * 11 + column - 1] = true;
    }
    return -1;
}

static void read_ways(uint8_t *stones) {
    for (int square = 0; square < 121; square++) {
        char glyph = many_ways[square / 11][square % 11];
        stones[square] = glyph == 'X' ? 1 : glyph == 'O' ? 2 : 0;
    }
}

/* A stone beside the fours gives the villain a four of his own when he must block: it needs an answer. */
static void test_default(void **state) {
    (void)state;
    static const int breakers[] = {H5, 52, B6, 45, 100, 30, 41, 85, 96}; /* H5 I5 B6 B5 B10 I3 I4 I8 I9 */
    uint8_t stones[121];
    bool inner[121] = {false};
    bool expected[121] = {false};
    read_ways(stones);
    for (size_t i = 0; i < sizeof breakers / sizeof *breakers; i++) {
        expected[breakers[i]] = true;
    }
    assert_int_equal(complete(stones, inner, NULL, inner), 9);
    assert_memory_equal(inner, expected, sizeof inner);
    for (int square = 0; square < 121; square++) {
        if (inner[square]) {
            inner[square] = false;
            write_ways(stones, inner, NULL);
            assert_int_equal(proof_file_verify(&file, file.length, false), 1);
            inner[square] = true;
        }
    }
}

/* A default inside another: with one stone less of the villain's two more of them make the four. */
static void test_default_within(void **state) {
    (void)state;
    uint8_t stones[121];
    bool inner[121] = {false};
    bool outer[121] = {false};
    read_ways(stones);
    stones[74] = 0; /* I7 */
    assert_int_equal(complete(stones, inner, NULL, inner), 5);
    int asked = complete(stones, inner, outer, outer);
    assert_true(asked > 5 && asked < 40);
    assert_true(outer[74]);
}

/* -- references -- */

/* Where the node is that gets a name. */
enum where { BEFORE_THE_MOVE, AFTER_A_REPLY, AFTER_THE_MOVE };

/* Writes a claim that holds by itself, the last node referring to a name; `rows` has three empty squares, and nobody
 * can make five. */
static int refer_to(const char *const *rows, enum where named) {
    uint8_t stones[25];
    uint16_t list[3];
    int count = 0;
    for (int square = 0; square < 25; square++) {
        char glyph = rows[square / 5][square % 5];
        stones[square] = glyph == 'X' ? 1 : glyph == 'O' ? 2 : 0;
        if (glyph == '.') {
            list[count++] = (uint16_t)square;
        }
    }
    struct certificate_claim claim = {
        .game = "gomoku", .rule = "freestyle", .size = 5, .to_move = 1, .kind = CERTIFICATE_HOLDS, .board = stones};
    proof_file_open(&file);
    certificate_begin(&certificate, file.stream, &claim);
    certificate_cover(&certificate, false);
    certificate_replies(&certificate, list, 3);
    if (named != BEFORE_THE_MOVE) {
        certificate_move(&certificate, list[1]);
    }
    if (named == AFTER_A_REPLY) {
        certificate_cover(&certificate, false);
        certificate_replies(&certificate, &list[2], 1);
    }
    certificate_code(&certificate, CERTIFICATE_NAME);
    certificate_pairing(&certificate, NULL, 0);
    certificate_pairing(&certificate, NULL, 0);
    if (named == AFTER_THE_MOVE) { /* the same position turned, with the other side to move */
        certificate_move(&certificate, list[1]);
        certificate_cover(&certificate, true);
    }
    certificate_refer(&certificate, certificate_named(&certificate));
    certificate_end(&certificate);
    proof_file_close(&file);
    return proof_file_verify(&file, file.length, false);
}

static void test_references(void **state) {
    (void)state;
    static const char *const turned_rows[5] = {".XOXX", "XOXOX", "OX.XO", "XOXOX", ".XOXX"};
    static const char *const plain_rows[5] = {".XOXX", "XOXOX", "OX.XO", "OXXOX", ".XOXX"};
    assert_int_equal(refer_to(turned_rows, BEFORE_THE_MOVE), 0); /* A5 is A1 turned */
    assert_int_equal(refer_to(plain_rows, BEFORE_THE_MOVE), 1);
    assert_non_null(strstr(file.said, "another one"));
    assert_int_equal(refer_to(turned_rows, AFTER_A_REPLY), 1); /* there the hero has a stone more */
    assert_non_null(strstr(file.said, "another one"));
    assert_int_equal(refer_to(turned_rows, AFTER_THE_MOVE), 1);
    assert_non_null(strstr(file.said, "another one"));
}

/* -- work -- */

/* Defaults in defaults, each behind a quiet move, and the threes on B or K for what concerns them. */
static void write_nest(int depth, const bool *listed) {
    static const int quiet[] = {-1, 2, 5};
    bool all[121];
    memcpy(all, listed, sizeof all);
    certificate_cover(&certificate, true);
    if (depth > 0) {
        certificate_move(&certificate, place(quiet[depth]));
        write_nest(depth - 1, listed);
    } else {
        certificate_move(&certificate, place(B6));
        certificate_code(&certificate, CERTIFICATE_WON);
    }
    for (int i = depth; i > 0; i--) {
        all[quiet[i]] = true;
        for (int row = 0; row < 11; row++) {
            all[row * 11 + 10] = listed[row * 11 + 1]; /* K as B */
        }
    }
    write_list(all);
}

/* Played through against every stone three defaults take millions of steps, more than so short a file is granted; that
 * most stones concern none of them is found out in a moment. */
static void test_work_is_limited(void **state) {
    (void)state;
    uint8_t small[121];
    uint8_t stones[225] = {0};
    bool listed[121] = {false};
    read_ways(small);
    width = 15;
    for (int square = 0; square < 121; square++) {
        stones[place(square)] = small[square] == 1;              /* the O's left out */
        listed[square] = square % 11 == 1 && small[square] == 0; /* B */
    }
    struct certificate_claim claim = {.game = "gomoku", .rule = "freestyle", .size = 15, .to_move = 1, .board = stones};
    proof_file_open(&file);
    certificate_begin(&certificate, file.stream, &claim);
    write_nest(2, listed);
    certificate_end(&certificate);
    proof_file_close(&file);
    assert_int_equal(proof_file_verify(&file, file.length, false), 0);
    assert_int_equal(proof_file_verify(&file, file.length, true), 1);
    assert_non_null(strstr(file.said, "more work"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default),
        cmocka_unit_test(test_default_within),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_work_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
