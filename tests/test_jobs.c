/* A proof in jobs, as several processes share it: the tree above the jobs, and what is said about them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prove/crew/jobs.h"
#include "prove/crew/jobs_wire.h"
#include "support/moves.h"

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
    text_free(&bytes);
    static const char *const bad[] = {
        "",
        "0 1 0\n",
        "3 1 0 15\n",     /* no such answer */
        "0 0 0 15\n",     /* no time */
        "0 1 0 4\n",      /* no such board */
        "0 1 0 16\n",     /* none that can be proved */
        "0 1 0 15 225\n", /* no such square */
        "0 1 0 15 7 7\n", /* taken */
        "0 1 0 15 7 x\n",
        "0 1 0 5 0 5 1 6 2 7 3 8 4\n", /* over */
        "0 1 0 15 99999999999999999999\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_not_equal(job_order_read(&again, bad[i], strlen(bad[i]), &error), STATUS_OK);
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
    assert_int_not_equal(job_result_read(&again, "1 2 3 4 5 6\n", 12, &error), STATUS_OK);
    assert_int_not_equal(job_result_read(&again, "-1 2 3 4 5 6 7\n", 15, &error), STATUS_OK);
    assert_int_not_equal(job_result_read(&again, "1 2 3 4 5 6 7 8\n", 16, &error), STATUS_OK);
    text_free(&bytes);
    text_free(&records);
    proved_close(&proved);
    proved_close(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prove_in_jobs),
        cmocka_unit_test(test_different_jobs),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
