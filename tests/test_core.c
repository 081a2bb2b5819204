/* Cores: what is written is read again; a proof that is built is checked, its core unfolds to the same, and whatever is
 * changed in a core ends in one error and not in a proof of something else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/crc64.h"
#include "base/rng.h"
#include "prove/map/build.h"
#include "support/proof_file.h"
#include "support/scale.h"
#include "system/file.h"

/* X wins, O to move: few enough replies are hard. */
static const char *const moves[] = {"H8", "A1", "H6"};

static void set_up(struct gomoku_position *position) {
    gomoku_clear(position, 15, GOMOKU_FREESTYLE);
    for (int i = 0; i < 3; i++) {
        gomoku_put(position, gomoku_parse_square(15, moves[i], strlen(moves[i])));
    }
}

/* Searches the position and builds its proof. */
static void prove(struct build *build, const struct gomoku_position *position, int hero) {
    struct error error = {0};
    struct proved proved;
    struct prover *prover = calloc(1, sizeof *prover);
    struct prove_settings settings = {.claim = PROVE_WIN, .hero = hero, .hash_bytes = (size_t)32 << 20};
    assert_non_null(prover);
    proved_init(&proved);
    assert_true(prover_make(prover, position, &settings, &proved));
    assert_int_equal(prover_run(prover), PROVE_YES);
    prover_allow(prover, 0, 0, 0);
    *build = (struct build){.position = position, .hero = hero, .prover = prover};
    assert_int_equal(build_proof(build, &error), STATUS_OK);
    prover_free(prover);
    free(prover);
    proved_close(&proved);
}

static struct build whole; /* the proof of that */
static struct gomoku_position start;

static int make_core(void **state) {
    (void)state;
    set_up(&start);
    prove(&whole, &start, 0);
    return 0;
}

static int drop_core(void **state) {
    (void)state;
    build_free(&whole);
    return 0;
}

static void a_built_proof_is_checked_and_its_core_makes_it_again(void **state) {
    (void)state;
    struct proof_file file = {0};
    struct error error = {0};
    proof_file_open(&file);
    struct unfold asked = {.stream = file.stream};
    assert_int_equal(unfold_core(text_string(&whole.core), whole.core.length, &asked, &error), STATUS_OK);
    proof_file_close(&file);
    assert_int_equal(file.length, whole.bytes);
    assert_int_equal(proof_file_verify(&file, file.length, false), 0);
    assert_true(whole.positions > 1000);
    assert_true(asked.told > 100);
    proof_file_free(&file);
}

static void the_records_are_the_moves_that_are_told(void **state) {
    (void)state;
    struct text records = TEXT_EMPTY;
    struct error error = {0};
    struct unfold asked = {.records = &records};
    assert_int_equal(unfold_core(text_string(&whole.core), whole.core.length, &asked, &error), STATUS_OK);
    assert_int_equal(records.length, (asked.told - 1) * LEDGER_RECORD_BYTES); /* the head's own position is none */
    assert_int_equal(records.length, whole.records.length);
    assert_memory_equal(text_string(&records), text_string(&whole.records), records.length);
    text_free(&records);
}

/* A store of these alone is enough to build it again. */
static void what_is_kept_builds_the_proof_without_a_search(void **state) {
    (void)state;
    struct error error = {0};
    struct proved proved;
    struct prover *prover = calloc(1, sizeof *prover);
    struct prove_settings settings = {.claim = PROVE_WIN, .hero = 0, .hash_bytes = (size_t)32 << 20};
    assert_non_null(prover);
    proved_init(&proved);
    assert_true(proved_take(&proved, text_string(&whole.records), whole.records.length));
    assert_true(prover_make(prover, &start, &settings, &proved));
    struct build again = {.position = &start, .hero = 0, .prover = prover};
    assert_int_equal(build_proof(&again, &error), STATUS_OK);
    assert_int_equal(prover->counts.nodes, 0);
    assert_int_equal(again.core.length, whole.core.length);
    assert_memory_equal(text_string(&again.core), text_string(&whole.core), again.core.length);
    build_free(&again);
    prover_free(prover);
    free(prover);
    proved_close(&proved);
}

/* Makes the digest right, and unfolds. */
static enum status unfold_sealed(char *bytes, size_t length, struct error *error) {
    struct unfold asked = {0};
    uint8_t digest[CERTIFICATE_DIGEST_BYTES];
    if (length > sizeof digest) {
        certificate_write_digest(digest, crc64_add(0, (const uint8_t *)bytes, length - sizeof digest));
        memcpy(bytes + length - sizeof digest, digest, sizeof digest);
    }
    return unfold_core(bytes, length, &asked, error);
}

static void a_changed_core_is_refused(void **state) {
    (void)state;
    struct rng rng = {3};
    size_t length = whole.core.length;
    char *bytes = malloc(length);
    assert_non_null(bytes);
    for (int i = 0; i < SCALED(6); i++) {
        struct error error = {0};
        memcpy(bytes, text_string(&whole.core), length);
        size_t at = rng_below(&rng, (uint32_t)(length - CERTIFICATE_DIGEST_BYTES));
        bytes[at] = (char)(bytes[at] ^ (1 << rng_below(&rng, 8)));
        assert_int_equal(unfold_sealed(bytes, length, &error), STATUS_BAD_INPUT);
        assert_true(strlen(error.text) > 0 && !strchr(error.text, '\n'));
        memcpy(bytes, text_string(&whole.core), length);
        size_t cut = rng_below(&rng, (uint32_t)length);
        assert_int_equal(unfold_sealed(bytes, cut, &error), STATUS_BAD_INPUT);
    }
    free(bytes);
}

static void a_pipe_hands_bytes_on_as_they_are(void **state) {
    (void)state;
    FILE *reader;
    FILE *writer;
    struct error error = {0};
    char read[4] = "";
    assert_int_equal(file_pipe(&reader, &writer, &error), STATUS_OK);
    fwrite("\n\r\x1a", 1, 3, writer);
    fclose(writer);
    assert_int_equal(fread(read, 1, sizeof read, reader), 3);
    assert_memory_equal(read, "\n\r\x1a", 3);
    fclose(reader);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_built_proof_is_checked_and_its_core_makes_it_again),
        cmocka_unit_test(the_records_are_the_moves_that_are_told),
        cmocka_unit_test(what_is_kept_builds_the_proof_without_a_search),
        cmocka_unit_test(a_changed_core_is_refused),
        cmocka_unit_test(a_pipe_hands_bytes_on_as_they_are),
    };
    return cmocka_run_group_tests(tests, make_core, drop_core);
}
