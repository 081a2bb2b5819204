/* One engine where two want it: threads, a callback that searches again, and the child of a fork. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sortie/sortie.h"

#define CHILD_SECONDS 60

static const char busy_text[] = "the engine is searching already";

struct shared {
    sortie_engine *engine;
    sortie_position *position;
    int answered;
    int refused;
};

static struct shared shared_new(int threads) {
    struct shared shared = {0};
    sortie_engine_options options = SORTIE_INIT(sortie_engine_options);
    options.threads = threads;
    options.hash_bytes = (size_t)1 << 20;
    assert_int_equal(sortie_engine_new(&options, &shared.engine, NULL), SORTIE_OK);
    assert_int_equal(sortie_position_start("gomoku", NULL, &shared.position, NULL), SORTIE_OK);
    assert_int_equal(sortie_position_play(shared.position, "H8", NULL), SORTIE_OK);
    return shared;
}

static void shared_free(struct shared *shared) {
    sortie_position_free(shared->position);
    sortie_engine_free(shared->engine);
}

static sortie_limits small_search(void) {
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    limits.method = SORTIE_ENGINE;
    limits.nodes = 20000;
    return limits;
}

/* A search that is refused for the right reason counts as refused. */
static void search_once(struct shared *shared, const sortie_limits *limits) {
    sortie_result result = SORTIE_INIT(sortie_result);
    sortie_error error = {0};
    sortie_status status = sortie_engine_go(shared->engine, shared->position, limits, &result, &error);
    shared->answered += status == SORTIE_OK;
    shared->refused += status == SORTIE_BAD_INPUT && strstr(error.text, busy_text);
}

static void search_again(void *user, const sortie_result *report) {
    (void)report;
    sortie_limits limits = small_search();
    search_once(user, &limits);
}

static void test_search_in_a_callback(void **state) {
    (void)state;
    struct shared shared = shared_new(1);
    struct shared inner = shared;
    sortie_limits limits = small_search();
    limits.on_info = search_again;
    limits.user = &inner;
    search_once(&shared, &limits);
    assert_int_equal(shared.answered, 1);
    assert_int_equal(inner.answered, 0);
    assert_true(inner.refused > 0);
    sortie_result lines[2] = {SORTIE_INIT(sortie_result)};
    int count;
    assert_int_equal(sortie_engine_analyze(shared.engine, shared.position, &limits, lines, 2, &count, NULL), SORTIE_OK);
    assert_int_equal(inner.answered, 0);
    shared_free(&shared);
}

static void *search_often(void *user) {
    struct shared *shared = user;
    sortie_limits limits = small_search();
    for (int i = 0; i < 20; i++) {
        search_once(shared, &limits);
    }
    return NULL;
}

static void test_three_threads(void **state) {
    (void)state;
    struct shared shared = shared_new(2);
    struct shared views[3] = {shared, shared, shared};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, search_often, &views[i]), 0);
    }
    int answered = 0;
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(views[i].answered + views[i].refused, 20);
        answered += views[i].answered;
    }
    assert_true(answered > 0);
    shared_free(&shared);
}

/* The child's part: true when the engine answers there. It is ended from outside should it hang. */
static bool child_answers(struct shared *shared) {
    pid_t child = fork();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        sortie_limits limits = small_search();
        shared->answered = 0;
        search_once(shared, &limits);
        search_once(shared, &limits);
        shared_free(shared);
        _exit(shared->answered == 2 ? 0 : 3);
    }
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void test_child_of_a_fork(void **state) {
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        struct shared shared = shared_new(threads);
        sortie_limits limits = small_search();
        assert_true(child_answers(&shared)); /* before the helpers are there */
        search_once(&shared, &limits);
        assert_true(child_answers(&shared)); /* and with them */
        search_once(&shared, &limits);
        assert_int_equal(shared.answered, 2);
        shared_free(&shared);
    }
}

/* Freed in the child without having been used there. */
static void test_freed_in_the_child(void **state) {
    (void)state;
    struct shared shared = shared_new(3);
    sortie_limits limits = small_search();
    search_once(&shared, &limits);
    pid_t child = fork();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        shared_free(&shared);
        _exit(0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    shared_free(&shared);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_search_in_a_callback),
        cmocka_unit_test(test_three_threads),
        cmocka_unit_test(test_child_of_a_fork),
        cmocka_unit_test(test_freed_in_the_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
