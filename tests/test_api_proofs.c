/* Proofs through the public API: what is proved is checked, and what was changed is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sortie/sortie.h"

static const char war[] = "war sneak 3 X\n4 7 2\n5 1 8\n3 6 9\n...\n.O.\n...\n";
static const char laser[] = "laser 4 1\n0003\n0000\n0300\n0020\n";
static const char open_three[] = "gomoku freestyle 15\nH8 A1 I8 A3 J8 O1 H9 O15 H10 A15\n";

static sortie_position *parse(const char *text) {
    sortie_position *position = NULL;
    sortie_error error = {0};
    if (sortie_position_parse(text, strlen(text), &position, &error) != SORTIE_OK) {
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    }
    return position;
}

static sortie_proof prove(const char *text, sortie_claim claim) {
    sortie_position *position = parse(text);
    sortie_engine *engine = NULL;
    sortie_error error = {0};
    sortie_engine_options options = SORTIE_INIT(sortie_engine_options);
    sortie_prove_limits limits = SORTIE_INIT(sortie_prove_limits);
    sortie_proof proof = SORTIE_INIT(sortie_proof);
    options.hash_bytes = (size_t)16 << 20;
    limits.claim = claim;
    assert_int_equal(sortie_engine_new(&options, &engine, &error), SORTIE_OK);
    if (sortie_engine_prove(engine, position, &limits, &proof, &error) != SORTIE_OK) {
        fail_msg("%s", error.text);
    }
    assert_true(proof.settled);
    assert_non_null(proof.certificate);
    sortie_engine_free(engine);
    sortie_position_free(position);
    return proof;
}

/* What the certificate proves; the caller's. */
static char *verify(const char *bytes, size_t length) {
    char *proves = NULL;
    sortie_error error = {0};
    if (sortie_proof_verify(bytes, length, &proves, &error) != SORTIE_OK) {
        fail_msg("%s", error.text);
    }
    assert_non_null(proves);
    return proves;
}

/* The value is the one that the engine finds, and each side's part of it is certified. */
static void check_value(const char *text, const char *first, const char *second) {
    sortie_position *position = parse(text);
    sortie_engine *engine = NULL;
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    sortie_result result = SORTIE_INIT(sortie_result);
    limits.method = SORTIE_ENGINE;
    limits.goal = SORTIE_EXACT;
    assert_int_equal(sortie_engine_new(NULL, &engine, NULL), SORTIE_OK);
    assert_int_equal(sortie_engine_go(engine, position, &limits, &result, NULL), SORTIE_OK);
    sortie_proof proof = prove(text, SORTIE_CLAIM_ANY);
    assert_int_equal(proof.lower, result.value);
    assert_int_equal(proof.upper, result.value);
    char *proves = verify(proof.certificate, proof.certificate_length);
    char claim[80];
    snprintf(claim, sizeof claim, "%s to move: %s has a margin of at least %d at the end", first, first, result.value);
    assert_non_null(strstr(proves, claim));
    snprintf(claim, sizeof claim, "%s to move: %s has a margin of at least %d at the end", first, second,
             -result.value);
    assert_non_null(strstr(proves, claim));
    sortie_free(proves);
    sortie_free(proof.certificate);
    sortie_engine_free(engine);
    sortie_position_free(position);
}

static void test_values(void **state) {
    (void)state;
    check_value(war, "X", "O");
    check_value(laser, "1", "2");
}

static void test_gomoku(void **state) {
    (void)state;
    sortie_proof proof = prove(open_three, SORTIE_CLAIM_ANY);
    assert_int_equal(proof.claim, SORTIE_CLAIM_WINS);
    assert_int_equal(proof.lower, 1);
    assert_int_equal(proof.upper, 1);
    sortie_position *position = parse(open_three);
    assert_int_equal(sortie_position_play(position, proof.move, NULL), SORTIE_OK);
    sortie_position_free(position);
    char *proves = verify(proof.certificate, proof.certificate_length);
    assert_non_null(strstr(proves, "proved: gomoku freestyle 15x15, X to move: X wins\n"));
    sortie_free(proves);
    sortie_free(proof.certificate);

    proof = prove("gomoku freestyle 5\n", SORTIE_CLAIM_HOLDS);
    assert_int_equal(proof.claim, SORTIE_CLAIM_HOLDS);
    assert_int_equal(proof.lower, -1);
    assert_int_equal(proof.upper, 0);
    assert_string_equal(proof.move, "");
    proves = verify(proof.certificate, proof.certificate_length);
    assert_non_null(strstr(proves, "X to move: O holds\n"));
    sortie_free(proves);
    sortie_free(proof.certificate);
}

/* Refused, with a word on why, and nothing is handed out. */
static void refuse(const char *bytes, size_t length) {
    char *proves = (char *)"untouched";
    sortie_error error = {0};
    assert_int_equal(sortie_proof_verify(bytes, length, &proves, &error), SORTIE_BAD_INPUT);
    assert_string_equal(proves, "untouched");
    assert_true(strlen(error.text) > 0);
    assert_null(strchr(error.text, '\n'));
}

#define SPOILT 40

static void test_spoilt_certificates(void **state) {
    (void)state;
    const char *const texts[] = {war, open_three};
    for (int text = 0; text < 2; text++) {
        sortie_proof proof = prove(texts[text], SORTIE_CLAIM_ANY);
        size_t length = proof.certificate_length;
        char *bytes = malloc(length + 1);
        assert_non_null(bytes);
        for (size_t i = 0; i < SPOILT; i++) {
            size_t place = i * (length - 1) / (SPOILT - 1);
            memcpy(bytes, proof.certificate, length);
            bytes[place] = (char)(bytes[place] ^ (1 << i % 8));
            refuse(bytes, length);
            refuse(proof.certificate,
                   text == 0 ? i : place); /* cut short; one side's proof of the war board is whole */
        }
        memcpy(bytes, proof.certificate, length);
        bytes[length] = 'x'; /* the beginning of another one */
        refuse(bytes, length + 1);
        free(bytes);
        sortie_free(proof.certificate);
    }
    refuse(NULL, 0);
    refuse("sortie proof 1\n", 15);
    refuse("something else", 14);
}

/* Where the fault lies is told. */
static void test_reason(void **state) {
    (void)state;
    sortie_proof proof = prove(open_three, SORTIE_CLAIM_ANY);
    sortie_error error = {0};
    size_t last = proof.certificate_length - 1;
    proof.certificate[last] = (char)(proof.certificate[last] ^ 1);
    assert_int_equal(sortie_proof_verify(proof.certificate, last + 1, NULL, &error), SORTIE_BAD_INPUT);
    char expected[80];
    snprintf(expected, sizeof expected, "byte %zu: the digest is another one", last + 1);
    assert_string_equal(error.text, expected);
    sortie_free(proof.certificate);
}

static void test_left_open(void **state) {
    (void)state;
    const char *const texts[] = {"gomoku freestyle 15\n", "laser 8 1\n00000000\n00000000\n00000000\n00000000\n"
                                                          "00000000\n00000000\n00000000\n00000000\n"};
    for (int i = 0; i < 2; i++) {
        sortie_position *position = parse(texts[i]);
        sortie_engine *engine = NULL;
        sortie_prove_limits limits = SORTIE_INIT(sortie_prove_limits);
        sortie_proof proof = SORTIE_INIT(sortie_proof);
        limits.wall_seconds = 0.05;
        assert_int_equal(sortie_engine_new(NULL, &engine, NULL), SORTIE_OK);
        assert_int_equal(sortie_engine_prove(engine, position, &limits, &proof, NULL), SORTIE_OK);
        assert_false(proof.settled);
        assert_null(proof.certificate);
        assert_true(proof.lower < proof.upper);
        sortie_engine_arm(engine); /* and a stop counts at once */
        sortie_engine_stop(engine);
        limits.wall_seconds = 0;
        assert_int_equal(sortie_engine_prove(engine, position, &limits, &proof, NULL), SORTIE_OK);
        assert_false(proof.settled);
        sortie_engine_free(engine);
        sortie_position_free(position);
    }
}

static void ask(const char *text, sortie_prove_limits limits, const char *complaint) {
    sortie_position *position = parse(text);
    sortie_engine *engine = NULL;
    sortie_proof proof = SORTIE_INIT(sortie_proof);
    sortie_error error = {0};
    assert_int_equal(sortie_engine_new(NULL, &engine, NULL), SORTIE_OK);
    assert_int_equal(sortie_engine_prove(engine, position, &limits, &proof, &error), SORTIE_BAD_INPUT);
    assert_string_equal(error.text, complaint);
    sortie_engine_free(engine);
    sortie_position_free(position);
}

static void test_what_cannot_be_asked(void **state) {
    (void)state;
    sortie_prove_limits limits = SORTIE_INIT(sortie_prove_limits);
    ask("gomoku exact 15\n", limits, "expected the freestyle rule on a board of at most 15x15");
    ask("gomoku freestyle 19\n", limits, "expected the freestyle rule on a board of at most 15x15");
    ask("gomoku freestyle 5\nA1 A2 B1 B2 C1 C2 D1 D2 E1\n", limits,
        "expected a position with a move left, the game is over");
    limits.claim = SORTIE_CLAIM_WINS;
    ask(war, limits, "expected a claim and a number of nodes with Gomoku only");
    limits.claim = (sortie_claim)9;
    ask(war, limits, "expected a claim: any, wins, loses or holds");
    limits.claim = SORTIE_CLAIM_ANY;
    limits.wall_seconds = -1;
    ask(war, limits, "expected limits in seconds that are not negative");
    limits.wall_seconds = 0;
    limits.size = 0;
    ask(war, limits, "expected the limits' size to be set, and nothing in them this version does not know");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),    cmocka_unit_test(test_gomoku),
        cmocka_unit_test(test_reason),    cmocka_unit_test(test_spoilt_certificates),
        cmocka_unit_test(test_left_open), cmocka_unit_test(test_what_cannot_be_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
