/* A crew without MPI: its processes are threads here, its messages lists. What is proved together, and what a leader
 * and a helper make of messages that are none. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "crew/wire.h"
#include "prove/crew/jobs_wire.h"
#include "prove/crew/prove_crew.h"
#include "support/moves.h"
#include "system/thread.h"

#define SIZE 4

/* -- the link -- */

struct message {
    struct message *next;
    size_t length;
    char bytes[];
};

static struct message *boxes[SIZE][SIZE]; /* [to][from], the oldest first */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static _Thread_local int own_rank;

static int link_rank(void) {
    return own_rank;
}

static int link_size(void) {
    return SIZE;
}

static void put(int to, int from, const char *bytes, size_t length) {
    struct message *message = malloc(sizeof *message + length);
    message->next = NULL;
    message->length = length;
    memcpy(message->bytes, bytes, length);
    pthread_mutex_lock(&lock);
    struct message **place = &boxes[to][from];
    while (*place) {
        place = &(*place)->next;
    }
    *place = message;
    pthread_cond_broadcast(&news);
    pthread_mutex_unlock(&lock);
}

static void link_send(int to, const char *bytes, size_t length) {
    put(to, own_rank, bytes, length);
}

static int link_wait(int milliseconds) {
    struct timespec end;
    int found = -1;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += milliseconds % 1000 * 1000000L;
    end.tv_sec += milliseconds / 1000 + end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_mutex_lock(&lock);
    for (bool late = false; found < 0 && !late;) {
        for (int from = 0; from < SIZE && found < 0; from++) {
            found = boxes[own_rank][from] ? from : -1;
        }
        late = found < 0 && pthread_cond_timedwait(&news, &lock, &end) != 0;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void link_receive(int from, struct text *bytes) {
    pthread_mutex_lock(&lock);
    while (!boxes[own_rank][from]) {
        pthread_cond_wait(&news, &lock);
    }
    struct message *message = boxes[own_rank][from];
    boxes[own_rank][from] = message->next;
    pthread_mutex_unlock(&lock);
    text_add(bytes, message->bytes, message->length);
    free(message);
}

static const struct crew_link threads_link = {link_rank, link_size, link_send, link_wait, link_receive};

static void empty_boxes(void) {
    for (int i = 0; i < SIZE * SIZE; i++) {
        while (boxes[i / SIZE][i % SIZE]) {
            struct message *message = boxes[i / SIZE][i % SIZE];
            boxes[i / SIZE][i % SIZE] = message->next;
            free(message);
        }
    }
}

/* -- proving together -- */

static atomic_bool stop;
static const struct question_settings usual = {
    .threads = 2, .hash_bytes = (size_t)8 << 20, .seconds = 60, .stop = &stop};

static void *help(void *rank) {
    struct error error = {0};
    own_rank = *(const int *)rank;
    return prove_crew_help(&threads_link, &usual, &error) == STATUS_OK ? NULL : rank;
}

static const int ranks[SIZE] = {0, 1, 2, 3};

/* Leads a crew of real helpers; they end when they are told. */
static void prove_together(struct prove_target *targets, int count, struct proved *proved) {
    struct prove_crew crew = {
        .link = &threads_link, .settings = &usual, .proved = proved, .targets = targets, .count = count};
    pthread_t threads[SIZE];
    struct error error = {0};
    for (int rank = 1; rank < SIZE; rank++) {
        assert_int_equal(thread_start(&threads[rank], help, (void *)&ranks[rank]), 0);
    }
    assert_int_equal(prove_crew_lead(&crew, &error), STATUS_OK);
    for (int rank = 1; rank < SIZE; rank++) {
        void *failed;
        link_send(rank, "", 0);
        pthread_join(threads[rank], &failed);
        assert_null(failed);
    }
    empty_boxes();
}

/* Three questions at once, each with another answer. */
static void test_prove(void **state) {
    (void)state;
    struct prove_target targets[3] = {0};
    struct proved proved;
    proved_init(&proved);
    for (int i = 0; i < 3; i++) {
        targets[i].wanted[ANSWER_WINS] = targets[i].wanted[ANSWER_LOSES] = true;
    }
    targets[2].wanted[ANSWER_HOLDS] = true;
    targets[0].position = position_of(15, "I7 G9 H6 J8 I6 I8 I5 G8 H8 J7");
    targets[1].position = position_of(15, "H8 A1 I8 A3 J8 O1 K8");
    targets[2].position = position_of(6, "");
    prove_together(targets, 3, &proved);
    assert_int_equal(targets[0].question.answer, ANSWER_WINS);
    assert_int_equal(targets[1].question.answer, ANSWER_LOSES);
    assert_int_equal(targets[2].question.answer, ANSWER_HOLDS);
    assert_true(proved.count > 0);
    proved_close(&proved);
}

/* The leader splits the root where helpers would have nothing to do, and they prove its replies. */
static void test_split(void **state) {
    (void)state;
    struct prove_target target = {.wanted = {[ANSWER_HOLDS] = true}};
    struct proved proved;
    proved_init(&proved);
    target.position = position_of(6, "");
    prove_together(&target, 1, &proved);
    assert_int_equal(target.question.answer, ANSWER_HOLDS);
    proved_close(&proved);
}

/* -- messages that are none -- */

/* What the leader says to a helper that answers so. */
static void lead_against(const char *answer, size_t length, const char *words) {
    struct prove_target target = {.wanted = {[ANSWER_WINS] = true}};
    struct proved proved;
    struct prove_crew crew = {
        .link = &threads_link, .settings = &usual, .proved = &proved, .targets = &target, .count = 1};
    struct error error = {0};
    proved_init(&proved);
    target.position = position_of(15, "H8 A1");
    put(0, 1, answer, length);
    assert_int_equal(prove_crew_lead(&crew, &error), STATUS_FAIL);
    assert_non_null(strstr(error.text, words));
    proved_close(&proved);
    empty_boxes();
}

static void lead_against_result(int64_t job, const char *records, const char *words) {
    struct job_result result = {.job = job, .numbers = {1, 1}, .nodes = 1, .records = records};
    struct text answer = TEXT_EMPTY;
    result.length = strlen(records);
    text_add_char(&answer, '+');
    job_result_write(&result, &answer);
    lead_against(text_string(&answer), answer.length, words);
    text_free(&answer);
}

static void test_bad_answers(void **state) {
    (void)state;
    lead_against("", 0, "sent nothing");
    lead_against("-no disk", 8, "process 1: no disk");
    lead_against("+", 1, "no result of a job");
    lead_against("+words\n", 7, "no result of a job");
    lead_against_result(0, "torn", "no result of a job");
    lead_against_result(0, "", "was not given");                   /* the root, which is split */
    lead_against_result(7, "", "was not given");                   /* another claim */
    lead_against_result(4000000000000000000, "", "was not given"); /* no node at all */
}

/* What a helper says to a leader that orders so. */
static void help_against(const char *order, size_t length) {
    struct text message = TEXT_EMPTY;
    struct text answer = TEXT_EMPTY;
    struct error error = {0};
    own_rank = 1;
    wire_add_number(&message, 0);
    text_add(&message, order, length);
    put(1, 0, "prove", 5);
    put(1, 0, text_string(&message), message.length);
    assert_int_equal(prove_crew_help(&threads_link, &usual, &error), STATUS_FAIL);
    assert_non_null(strstr(error.text, "the leader sent no job"));
    own_rank = 0;
    link_receive(1, &answer);
    assert_int_equal(text_string(&answer)[0], '-');
    text_free(&message);
    text_free(&answer);
    empty_boxes();
}

static void test_bad_orders(void **state) {
    (void)state;
    help_against("", 0);
    help_against("words", 5);
    struct text bytes = TEXT_EMPTY;
    struct job_order order = {.milliseconds = 1, .position = position_of(15, "H8"), .records = "torn", .length = 4};
    job_order_write(&order, &bytes);
    help_against(text_string(&bytes), bytes.length);
    text_free(&bytes);
    order.length = 0;
    order.position.order[order.position.count++] = order.position.order[0]; /* taken */
    job_order_write(&order, &bytes);
    help_against(text_string(&bytes), bytes.length);
    text_free(&bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prove),
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_bad_answers),
        cmocka_unit_test(test_bad_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
