/* A proof in jobs, as several processes share it: the tree above the jobs, and what is said about them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "crew/wire.h"
#include "prove/crew/jobs.h"
#include "prove/crew/jobs_wire.h"
#include "support/moves.h"

#define END (INT64_MIN + 1) /* of a list of numbers */

static const atomic_bool never = false;

/* What a helper does, with a memory of its own. */
static struct pn_value do_job(const struct jobs *jobs, const struct gomoku_position *position, struct proved *proved,
                              uint64_t limit) {
    struct question question;
    struct question_settings settings = {.threads = 1, .hash_bytes = (size_t)8 << 20, .nodes = limit, .stop = &never};
    bool hero_moves = jobs->prover.settings.hero == (position->count & 1);
    enum question_answer answer = jobs->prover.settings.claim == PROVE_HOLD ? ANSWER_HOLDS
                                  : hero_moves                              ? ANSWER_WINS
                                                                            : ANSWER_LOSES;
    settings.wanted[answer] = true;
    assert_int_equal(question_ask(&question, position, &settings, proved, NULL, NULL), STATUS_OK);
    return question.answer == ANSWER_NONE ? question.numbers[answer] : PN_REACHED;
}

/* Proves a claim in jobs of so few nodes that the root cannot be one of them; how many there were. */
static int prove_in_jobs(const struct gomoku_position *position, enum question_answer answer, uint64_t limit) {
    struct proved here;
    struct proved there;
    struct jobs jobs;
    struct text added = TEXT_EMPTY;
    struct gomoku_position job;
    struct prove_settings settings = {.hash_bytes = (size_t)8 << 20, .stop = &never};
    question_claim(answer, position, &settings.claim, &settings.hero);
    proved_init(&here);
    proved_init(&there);
    there.added = &added;
    assert_true(jobs_make(&jobs, position, &settings, &here, true));
    int count = 0;
    while (jobs_outcome(&jobs) == PROVE_OPEN && count < 5000) {
        int32_t node = jobs_next(&jobs, &job);
        if (node != JOB_NONE) {
            struct pn_value numbers = do_job(&jobs, &job, &there, limit);
            assert_true(proved_take(&here, text_string(&added), added.length));
            text_free(&added);
            assert_true(jobs_take(&jobs, node, numbers));
            assert_false(jobs_take(&jobs, node, numbers)); /* only once */
            count++;
        }
    }
    assert_int_equal(jobs_outcome(&jobs), PROVE_YES);
    jobs_free(&jobs);
    /* what came back is all that one process needs to have the whole proof */
    struct question question;
    struct question_settings whole = {.threads = 1, .hash_bytes = (size_t)8 << 20, .nodes = 2000, .stop = &never};
    whole.wanted[answer] = true;
    assert_int_equal(question_ask(&question, position, &whole, &here, NULL, NULL), STATUS_OK);
    assert_int_equal(question.answer, answer);
    proved_close(&here);
    proved_close(&there);
    return count;
}

static void test_prove_in_jobs(void **state) {
    (void)state;
    struct gomoku_position empty = position_of(7, "");
    assert_in_range(prove_in_jobs(&empty, ANSWER_HOLDS, 100), 2, 4999);
    struct gomoku_position open_three = position_of(15, "H8 A1 I8 A15 I9 O1 H7");
    assert_in_range(prove_in_jobs(&open_three, ANSWER_LOSES, 1), 1, 4999);
}

/* Nobody gets what another one is at, nor its mirror image. */
static void test_different_jobs(void **state) {
    (void)state;
    struct proved proved;
    struct jobs jobs;
    struct gomoku_position start = position_of(15, "H8");
    struct gomoku_position job;
    struct prove_settings settings = {.claim = PROVE_WIN, .hash_bytes = (size_t)8 << 20, .stop = &never};
    bool seen[225] = {false};
    proved_init(&proved);
    assert_true(jobs_make(&jobs, &start, &settings, &proved, true));
    int count = 0;
    while (jobs_next(&jobs, &job) != JOB_NONE) {
        assert_int_equal(job.count, 2);
        int row = job.order[1] / 15 > 7 ? 14 - job.order[1] / 15 : job.order[1] / 15;
        int column = job.order[1] % 15 > 7 ? 14 - job.order[1] % 15 : job.order[1] % 15;
        int image = row < column ? row * 15 + column : column * 15 + row;
        assert_false(seen[image]);
        seen[image] = true;
        count++;
    }
    assert_int_equal(count, 35);
    assert_false(jobs_take(&jobs, 0, PN_REACHED));
    assert_false(jobs_take(&jobs, 1000, PN_REACHED));
    assert_false(jobs_take(&jobs, -1, PN_REACHED));
    jobs_free(&jobs);
    proved_close(&proved);
}

/* Replies are counted from the start where the villain is to move; the hero's own first moves are none. */
static void test_count(void **state) {
    (void)state;
    static const char *const starts[] = {"H8", "A1"};
    for (int hero = 0; hero < 2; hero++) {
        struct proved proved;
        struct jobs jobs;
        struct gomoku_position start = position_of(15, starts[hero]);
        struct gomoku_position job;
        struct prove_settings settings = {
            .claim = PROVE_WIN, .hero = hero, .hash_bytes = (size_t)8 << 20, .stop = &never};
        int answered = -1;
        int replies = -1;
        proved_init(&proved);
        assert_true(jobs_make(&jobs, &start, &settings, &proved, true));
        assert_int_not_equal(jobs_next(&jobs, &job), JOB_NONE);
        assert_true(jobs.nodes[0].count > 0);
        jobs_count(&jobs, &answered, &replies);
        assert_int_equal(answered, 0);
        assert_int_equal(replies, hero == 0 ? 35 : 0);
        if (hero == 1) { /* two of its moves have replies: the one that more are answered of counts */
            jobs.nodes = realloc(jobs.nodes, (size_t)(jobs.count + 5) * sizeof *jobs.nodes);
            assert_non_null(jobs.nodes);
            memset(jobs.nodes + jobs.count, 0, 5 * sizeof *jobs.nodes);
            for (int i = 0; i < 5; i++) {
                jobs.nodes[jobs.count + i].value.phi = i < 3; /* the last two, of the second move, are answered */
            }
            struct job_node *moves = &jobs.nodes[jobs.nodes[0].first];
            moves[0].first = jobs.count;
            moves[0].count = 2;
            moves[1].first = jobs.count + 2;
            moves[1].count = 3;
            jobs_count(&jobs, &answered, &replies);
            assert_int_equal(answered, 2);
            assert_int_equal(replies, 3);
        }
        jobs_free(&jobs);
        proved_close(&proved);
    }
}

static void test_orders(void **state) {
    (void)state;
    struct error error;
    struct job_order order = {.answer = ANSWER_LOSES,
                              .milliseconds = 1500,
                              .nodes = 7,
                              .position = position_of(15, "H8 I9 A1"),
                              .records = "\0\n x",
                              .length = 4};
    struct job_order again;
    struct text bytes = TEXT_EMPTY;
    job_order_write(&order, &bytes);
    assert_int_equal(job_order_read(&again, text_string(&bytes), bytes.length, &error), STATUS_OK);
    assert_int_equal(again.answer, ANSWER_LOSES);
    assert_int_equal(again.milliseconds, 1500);
    assert_int_equal(again.nodes, 7);
    assert_memory_equal(&again.position, &order.position, sizeof order.position);
    assert_int_equal(again.length, 4);
    assert_memory_equal(again.records, order.records, 4);
    for (size_t length = 0; length < bytes.length; length++) {
        assert_int_not_equal(job_order_read(&again, text_string(&bytes), length, &error), STATUS_OK);
    }
    text_free(&bytes);
}

/* Every number of an order or a result, and then no records. */
static struct text numbers_of(const int64_t *numbers) {
    struct text bytes = TEXT_EMPTY;
    for (; *numbers != END; numbers++) {
        wire_add_number(&bytes, *numbers);
    }
    wire_add_bytes(&bytes, "", 0);
    return bytes;
}

/* Answer, time, nodes, size, and as many squares as said. */
static void test_bad_orders(void **state) {
    (void)state;
    struct error error;
    struct job_order order;
    static const int64_t orders[][20] = {
        {0, 1, 0, 15, 2, 7, 8, END}, /* the one that is fine */
        {END},
        {0, 1, 0, END},
        {3, 1, 0, 15, 0, END},      /* no such answer */
        {-1, 1, 0, 15, 0, END},     /* nor this */
        {0, 0, 0, 15, 0, END},      /* no time */
        {0, 1, -1, 15, 0, END},     /* no nodes */
        {0, 1, 0, 4, 0, END},       /* no such board */
        {0, 1, 0, 16, 0, END},      /* none that can be proved */
        {0, 1, 0, 15, 1, 225, END}, /* no such square */
        {0, 1, 0, 15, 1, -1, END},
        {0, 1, 0, 15, 2, 7, 7, END}, /* taken */
        {0, 1, 0, 15, 1, 7, 9, END}, /* more than said */
        {0, 1, 0, 15, 3, 7, 8, END}, /* fewer */
        {0, 1, 0, 15, -1, END},
        {0, 1, 0, 5, 9, 0, 5, 1, 6, 2, 7, 3, 8, 4, END}, /* over */
        {0, 1, 0, 15, 1, INT64_MAX, END},
    };
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct text bytes = numbers_of(orders[i]);
        enum status status = job_order_read(&order, text_string(&bytes), bytes.length, &error);
        assert_int_equal(status == STATUS_OK, i == 0);
        text_free(&bytes);
    }
}

/* A board without an empty square, or with one. */
static void test_full_board(void **state) {
    (void)state;
    /* rows of XXOOX and OOXXO in turn: nobody has five */
    static const uint8_t of_x[] = {0, 1, 4, 7, 8, 10, 11, 14, 17, 18, 20, 21, 24};
    static const uint8_t of_o[] = {2, 3, 5, 6, 9, 12, 13, 15, 16, 19, 22, 23};
    struct error error;
    struct job_order order = {.answer = ANSWER_HOLDS, .milliseconds = 1, .records = ""};
    for (int stones = 24; stones <= 25; stones++) {
        struct text bytes = TEXT_EMPTY;
        struct job_order again;
        gomoku_clear(&order.position, 5, GOMOKU_FREESTYLE);
        for (int i = 0; i < stones; i++) {
            gomoku_put(&order.position, i % 2 ? of_o[i / 2] : of_x[i / 2]);
        }
        job_order_write(&order, &bytes);
        enum status status = job_order_read(&again, text_string(&bytes), bytes.length, &error);
        assert_int_equal(status == STATUS_OK, stones == 24);
        text_free(&bytes);
    }
}

static void test_bad_results(void **state) {
    (void)state;
    struct error error;
    struct job_result result;
    static const int64_t results[][9] = {
        {1, 2, 3, 4, 5, 6, 7, END}, /* the one that is fine */
        {1, 2, 3, 4, 5, 6, END},     {-1, 2, 3, 4, 5, 6, 7, END},        {1, PN_NEVER + 1, 3, 4, 5, 6, 7, END},
        {1, 2, -3, 4, 5, 6, 7, END}, {1, 2, 3, INT64_MAX, 5, 6, 7, END}, {1, 2, 3, 4, 5, 6, 7, 9, END},
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        struct text bytes = numbers_of(results[i]);
        enum status status = job_result_read(&result, text_string(&bytes), bytes.length, &error);
        assert_int_equal(status == STATUS_OK, i == 0);
        text_free(&bytes);
    }
}

static void test_results(void **state) {
    (void)state;
    struct error error;
    struct job_result result = {.job = 77, .numbers = {3, 4}, .nodes = 5, .threat_nodes = 6, .probes = 8, .hits = 2};
    struct job_result again;
    struct proved proved;
    struct proved other;
    struct text bytes = TEXT_EMPTY;
    struct text records = TEXT_EMPTY;
    proved_init(&proved);
    proved_init(&other);
    for (uint64_t key = 1; key < 100; key++) {
        proved_add(&proved, key * 1000, (uint32_t)key);
    }
    proved_write(&proved, &records);
    result.records = text_string(&records);
    result.length = records.length;
    job_result_write(&result, &bytes);
    assert_int_equal(job_result_read(&again, text_string(&bytes), bytes.length, &error), STATUS_OK);
    assert_int_equal(again.job, 77);
    assert_int_equal(again.numbers.phi, 3);
    assert_int_equal(again.numbers.delta, 4);
    assert_int_equal(again.hits, 2);
    assert_true(proved_take(&other, again.records, again.length));
    assert_int_equal(other.count, 99);
    assert_int_equal(proved_find(&other, 42000), 42);
    /* a torn end and a flipped bit are noticed */
    assert_false(proved_take(&other, again.records, again.length - 1));
    records.data[20] ^= 1;
    assert_false(proved_take(&other, records.data, records.length));
    text_free(&bytes);
    text_free(&records);
    proved_close(&proved);
    proved_close(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prove_in_jobs), cmocka_unit_test(test_different_jobs), cmocka_unit_test(test_count),
        cmocka_unit_test(test_orders),        cmocka_unit_test(test_bad_orders),     cmocka_unit_test(test_full_board),
        cmocka_unit_test(test_bad_results),   cmocka_unit_test(test_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
