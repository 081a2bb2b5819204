/* Messages between processes: what was written is read again, and of bytes that are torn or changed nothing is taken
 * that is not of the right kind. Every message lies in memory of its own size, so that a sanitizer sees a read beyond
 * it. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "crew/wire.h"
#include "grade/grade_wire.h"
#include "results/record.h"

#define CASES 2
#define SUBMISSIONS 3

/* The first bytes of a message, in memory that ends where they end. */
static char *copy_of(const struct text *message, size_t length) {
    char *copy = malloc(length + (length == 0));
    assert_non_null(copy);
    memcpy(copy, text_string(message), length);
    return copy;
}

/* -- fields -- */

static void test_fields(void **state) {
    (void)state;
    struct text message = TEXT_EMPTY;
    struct text inner = TEXT_EMPTY;
    struct wire wire;
    char string[6];
    size_t length;
    text_add(&inner, "a\0b", 3);
    wire_add_number(&message, INT64_MIN);
    wire_add_number(&message, INT64_MAX);
    wire_add_number(&message, -1);
    wire_add_flag(&message, true);
    wire_add_flag(&message, false);
    wire_add_double(&message, -0.1);
    wire_add_string(&message, "horse");
    wire_add_string(&message, "");
    wire_add_text(&message, &inner);
    wire_add_bytes(&message, "xyz", 2);
    wire_init(&wire, text_string(&message), message.length);
    assert_true(wire_number(&wire, INT64_MIN, INT64_MAX) == INT64_MIN);
    assert_true(wire_number(&wire, INT64_MIN, INT64_MAX) == INT64_MAX);
    assert_int_equal(wire_number(&wire, -1, -1), -1);
    assert_true(wire_flag(&wire));
    assert_false(wire_flag(&wire));
    assert_true(wire_double(&wire) == -0.1);
    wire_string(&wire, string, sizeof string);
    assert_string_equal(string, "horse");
    wire_string(&wire, string, sizeof string);
    assert_string_equal(string, "");
    text_free(&inner);
    wire_text(&wire, &inner, 3);
    assert_int_equal(inner.length, 3);
    assert_memory_equal(inner.data, "a\0b", 3);
    assert_false(wire_end(&wire)); /* there is more */
    assert_memory_equal(wire_bytes(&wire, 2, &length), "xy", 2);
    assert_int_equal(length, 2);
    assert_true(wire_end(&wire));
    text_free(&inner);
    text_free(&message);
}

/* A text for which memory ran out makes no message. */
static void test_broken(void **state) {
    (void)state;
    struct text message = TEXT_EMPTY;
    struct text broken = {.broken = true};
    wire_add_text(&message, &broken);
    assert_true(message.broken);
    text_free(&message);
}

/* A failed reader gives nothing more, whatever is asked for. */
static void check_failed(struct wire *wire) {
    char string[4] = "abc";
    struct text text = TEXT_EMPTY;
    size_t length = 9;
    assert_true(wire->failed);
    assert_int_equal(wire_number(wire, 3, 5), 3);
    assert_false(wire_flag(wire));
    assert_true(wire_double(wire) == 0);
    wire_string(wire, string, sizeof string);
    assert_string_equal(string, "");
    wire_text(wire, &text, 100);
    assert_int_equal(text.length, 0);
    assert_null(wire_bytes(wire, 100, &length));
    assert_int_equal(length, 0);
    assert_false(wire_end(wire));
}

static void test_numbers_out_of_range(void **state) {
    (void)state;
    static const int64_t numbers[] = {INT64_MIN, -1, 0, 4, INT64_MAX};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct text message = TEXT_EMPTY;
        struct wire wire;
        wire_add_number(&message, numbers[i]);
        wire_add_number(&message, 2);
        wire_init(&wire, text_string(&message), message.length);
        assert_int_equal(wire_number(&wire, 1, 3), 1);
        check_failed(&wire);
        text_free(&message);
    }
}

static void test_doubles_without_end(void **state) {
    (void)state;
    const double numbers[] = {(double)INFINITY, -(double)INFINITY, (double)NAN};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct text message = TEXT_EMPTY;
        struct wire wire;
        wire_add_double(&message, numbers[i]);
        wire_init(&wire, text_string(&message), message.length);
        assert_true(wire_double(&wire) == 0);
        check_failed(&wire);
        text_free(&message);
    }
}

static void test_flags(void **state) {
    (void)state;
    for (int byte = 2; byte < 256; byte++) {
        char bytes[1] = {(char)byte};
        struct wire wire;
        wire_init(&wire, bytes, 1);
        assert_false(wire_flag(&wire));
        check_failed(&wire);
    }
}

/* Lengths that are not those of what follows, up to the largest there are. */
static void test_lengths(void **state) {
    (void)state;
    static const int64_t lengths[] = {-1, INT64_MIN, INT64_MAX, 5, 4};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (int limited = 0; limited <= 1; limited++) {
            size_t most = limited ? 3 : SIZE_MAX;
            struct text message = TEXT_EMPTY;
            struct text text = TEXT_EMPTY;
            struct wire wire;
            wire_add_number(&message, lengths[i]);
            text_add_string(&message, "abcd");
            message.length -= lengths[i] == 4 && !limited; /* one too few */
            char *copy = copy_of(&message, message.length);
            wire_init(&wire, copy, message.length);
            wire_text(&wire, &text, most);
            assert_int_equal(text.length, 0);
            check_failed(&wire);
            free(copy);
            text_free(&message);
        }
    }
}

/* A string has room for its zero, and no other. */
static void test_strings(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
    } bad[] = {{"abcd", 4}, {"a\0b", 3}, {"\0", 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct text message = TEXT_EMPTY;
        struct wire wire;
        char string[4] = "xyz";
        wire_add_bytes(&message, bad[i].bytes, bad[i].length);
        wire_init(&wire, text_string(&message), message.length);
        wire_string(&wire, string, sizeof string);
        assert_string_equal(string, "");
        check_failed(&wire);
        text_free(&message);
    }
}

/* -- whole messages -- */

/* Reads a message; what it takes must be in range. Whether it took it. */
typedef bool reading(const char *bytes, size_t length);

/* Every part of it from the beginning is refused, and more than all of it. */
static void cut_everywhere(const struct text *message, reading *read) {
    for (size_t length = 0; length < message->length; length++) {
        char *copy = copy_of(message, length);
        assert_false(read(copy, length));
        free(copy);
    }
    struct text longer = TEXT_EMPTY;
    text_add(&longer, text_string(message), message->length);
    text_add_char(&longer, '\0');
    assert_false(read(text_string(&longer), longer.length));
    text_free(&longer);
}

/* Every byte as several others, alone and with the seven behind it; how many of these were taken. */
static int change_everywhere(const struct text *message, reading *read) {
    static const unsigned char others[] = {0, 1, 2, 3, 7, 0x7f, 0x80, 0xf0, 0xff};
    int taken = 0;
    for (size_t at = 0; at < message->length; at++) {
        for (size_t i = 0; i < sizeof others; i++) {
            for (size_t width = 1; width <= 8 && at + width <= message->length; width += 7) {
                char *copy = copy_of(message, message->length);
                memset(copy + at, others[i], width);
                taken += read(copy, message->length);
                free(copy);
            }
        }
    }
    return taken;
}

static void try_everything(const struct text *message, reading *read) {
    assert_true(read(text_string(message), message->length));
    cut_everywhere(message, read);
    int taken = change_everywhere(message, read);
    assert_true(taken > 0); /* other words, other numbers */
    assert_true(taken < (int)message->length * 18);
}

static bool read_record(const char *bytes, size_t length) {
    struct record record;
    if (!record_unpack(&record, bytes, length)) {
        return false;
    }
    const struct text *texts[] = {&record.position, &record.moves,     &record.times,
                                  &record.detail,   &record.errors[0], &record.errors[1]};
    size_t all = 0;
    for (int i = 0; i < 6; i++) {
        assert_false(texts[i]->broken);
        assert_int_equal(text_string(texts[i])[texts[i]->length], '\0');
        all += texts[i]->length;
    }
    assert_true(all < length);
    assert_true(record.index >= 0 && record.start >= 0 && record.plies >= 0);
    assert_true(record.points >= 0 && record.points <= 2);
    assert_true((unsigned)record.fault < PLAYER_FAULTS);
    assert_true(record.loser >= -1 && record.loser <= 1);
    for (int side = 0; side < 2; side++) {
        assert_true(record.players[side] >= 0 && record.players[side] < PLAN_MOST_PLAYERS);
        assert_true(isfinite(record.wall_seconds[side]) && isfinite(record.cpu_seconds[side]));
        assert_true(isfinite(record.slowest[side]));
    }
    record_free(&record);
    return true;
}

static void test_records(void **state) {
    (void)state;
    struct record record = {.index = 77,
                            .players = {3, 1},
                            .start = 2,
                            .points = 2,
                            .fault = PLAYER_LATE,
                            .loser = 1,
                            .score = -5,
                            .plies = 2,
                            .wall_seconds = {0.5, 1.25},
                            .cpu_seconds = {0.25, 0.75},
                            .slowest = {0.125, 0.375}};
    struct text message = TEXT_EMPTY;
    struct record copy;
    text_add_string(&record.position, "war stake 1 X\n1\n.\n");
    text_add_string(&record.moves, "A1 Stake;B2 Raid");
    text_add_string(&record.times, "0.25;1.5");
    text_add_string(&record.detail, "2.00 s");
    text_add(&record.errors[1], "x\0y", 3);
    record_pack(&record, &message);
    assert_true(record_unpack(&copy, text_string(&message), message.length));
    assert_int_equal(copy.index, 77);
    assert_memory_equal(copy.players, record.players, sizeof copy.players);
    assert_int_equal(copy.start, 2);
    assert_int_equal(copy.points, 2);
    assert_int_equal(copy.fault, PLAYER_LATE);
    assert_int_equal(copy.loser, 1);
    assert_int_equal(copy.score, -5);
    assert_int_equal(copy.plies, 2);
    assert_memory_equal(copy.wall_seconds, record.wall_seconds, sizeof copy.wall_seconds);
    assert_memory_equal(copy.cpu_seconds, record.cpu_seconds, sizeof copy.cpu_seconds);
    assert_memory_equal(copy.slowest, record.slowest, sizeof copy.slowest);
    assert_string_equal(text_string(&copy.position), text_string(&record.position));
    assert_string_equal(text_string(&copy.moves), text_string(&record.moves));
    assert_string_equal(text_string(&copy.times), text_string(&record.times));
    assert_string_equal(text_string(&copy.detail), text_string(&record.detail));
    assert_int_equal(copy.errors[0].length, 0);
    assert_int_equal(copy.errors[1].length, 3);
    record_free(&copy);
    try_everything(&message, read_record);
    text_free(&message);
    record_free(&record);
}

/* A class, as far as messages speak of it. */
static struct grade_case cases[CASES];
static struct grade_submission submissions[SUBMISSIONS];
static struct grade_result results[CASES * SUBMISSIONS];
static const struct grade class = {.cases = cases,
                                   .case_count = CASES,
                                   .submissions = submissions,
                                   .submission_count = SUBMISSIONS,
                                   .results = results};

static bool ends_in(const char *string, size_t size) {
    return memchr(string, '\0', size) != NULL;
}

static void check_result(const struct grade_result *result) {
    unsigned char done;
    memcpy(&done, &result->done, 1);
    assert_true(done <= 1);
    for (int i = 0; i < GRADE_CHECKS; i++) {
        assert_true((unsigned)result->marks[i] < GRADE_MARKS);
    }
    assert_true((unsigned)result->fault < PLAYER_FAULTS);
    assert_true(isfinite(result->wall_seconds) && isfinite(result->cpu_seconds));
    assert_true(ends_in(result->difference, sizeof result->difference));
    assert_true(ends_in(result->errors, sizeof result->errors));
}

static bool read_judged(const char *bytes, size_t length) {
    struct error error;
    struct grade_judged judged;
    struct text message = {.data = (char *)(uintptr_t)bytes, .length = length}; /* only read */
    if (grade_read_judged(&class, &message, &judged, &error) != STATUS_OK) {
        assert_string_equal(error.text, "a helper's answer is no judged submission");
        return false;
    }
    assert_true(judged.submission >= 0 && judged.submission < SUBMISSIONS);
    assert_true((unsigned)judged.build.state < GRADE_BUILD_STATES);
    assert_true(ends_in(judged.unjudged, sizeof judged.unjudged));
    assert_true(ends_in(judged.build.how, sizeof judged.build.how));
    assert_true(ends_in(judged.build.problem, sizeof judged.build.problem));
    assert_true(ends_in(judged.build.missing_tool, sizeof judged.build.missing_tool));
    assert_true(judged.build.messages.length < length);
    for (int i = 0; i < CASES; i++) {
        check_result(&judged.results[i]);
    }
    text_free(&judged.build.messages);
    free(judged.results);
    return true;
}

static void test_judged(void **state) {
    (void)state;
    struct grade_submission *one = &submissions[1];
    struct error error;
    struct grade_judged judged;
    struct text message = TEXT_EMPTY;
    one->build = (struct grade_build){.state = GRADE_BUILD_FAILED, .how = "make", .problem = "no rule"};
    strcpy(one->build.missing_tool, "ghc");
    memset(one->unjudged, 'u', sizeof one->unjudged - 1); /* as long as it can be */
    text_add(&one->build.messages, "cc\0x", 4);
    results[CASES] = (struct grade_result){.done = true,
                                           .marks = {GRADE_RIGHT, GRADE_WRONG},
                                           .fault = PLAYER_CRASHED,
                                           .wall_seconds = 1.5,
                                           .cpu_seconds = 0.5,
                                           .difference = "line 3",
                                           .errors = "oops"};
    grade_write_judged(&class, 1, &message);
    assert_int_equal(grade_read_judged(&class, &message, &judged, &error), STATUS_OK);
    assert_int_equal(judged.submission, 1);
    assert_string_equal(judged.unjudged, one->unjudged);
    assert_int_equal(judged.build.state, GRADE_BUILD_FAILED);
    assert_string_equal(judged.build.how, "make");
    assert_string_equal(judged.build.problem, "no rule");
    assert_string_equal(judged.build.missing_tool, "ghc");
    assert_int_equal(judged.build.messages.length, 4);
    assert_true(judged.results[0].done);
    assert_int_equal(judged.results[0].marks[0], GRADE_RIGHT);
    assert_int_equal(judged.results[0].marks[1], GRADE_WRONG);
    assert_int_equal(judged.results[0].fault, PLAYER_CRASHED);
    assert_true(judged.results[0].wall_seconds == 1.5 && judged.results[0].cpu_seconds == 0.5);
    assert_string_equal(judged.results[0].difference, "line 3");
    assert_string_equal(judged.results[0].errors, "oops");
    assert_false(judged.results[1].done);
    text_free(&judged.build.messages);
    free(judged.results);
    try_everything(&message, read_judged);
    text_free(&message);
    text_free(&one->build.messages);
}

/* -- the brief of a class -- */

/* A helper's class: the same, with nothing done and no answers. */
static bool read_brief(const char *bytes, size_t length) {
    struct error error;
    struct grade_case own_cases[CASES] = {{.print = 5}, {.print = 6}};
    struct grade_submission own_submissions[SUBMISSIONS] = {{0}};
    struct grade_result own_results[CASES * SUBMISSIONS] = {{0}};
    struct grade own = {.cases = own_cases,
                        .case_count = CASES,
                        .submissions = own_submissions,
                        .submission_count = SUBMISSIONS,
                        .results = own_results};
    struct text message = {.data = (char *)(uintptr_t)bytes, .length = length};
    bool taken = grade_read_brief(&own, &message, &error) == STATUS_OK;
    for (int i = 0; i < CASES * SUBMISSIONS; i++) {
        check_result(&own_results[i]);
    }
    for (int i = 0; i < CASES; i++) {
        assert_in_range(own_cases[i].expected_count, 0, GRADE_MOST_FILES);
        for (int k = 0; k < own_cases[i].expected_count; k++) {
            bool known = false;
            for (int file = 0; file < GRADE_MOST_FILES; file++) {
                known = known || own_cases[i].expected[k].name == grade_answer_files[file];
            }
            assert_true(known);
            text_free(&own_cases[i].expected[k].text);
        }
    }
    return taken;
}

static void test_brief(void **state) {
    (void)state;
    struct text message = TEXT_EMPTY;
    cases[0].print = 5;
    cases[1].print = 6;
    results[3].done = true;
    cases[1].expected_count = 1;
    cases[1].expected[0].name = grade_answer_files[1];
    text_add_string(&cases[1].expected[0].text, "A1 Stake\n");
    grade_write_brief(&class, &message);
    try_everything(&message, read_brief);
    text_free(&message);
    text_free(&cases[1].expected[0].text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_broken),
        cmocka_unit_test(test_numbers_out_of_range),
        cmocka_unit_test(test_doubles_without_end),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_judged),
        cmocka_unit_test(test_brief),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
