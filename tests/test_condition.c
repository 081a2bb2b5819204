/* Waits with a deadline, while somebody sets the machine's clock. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/condition.h"

int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

/* The machine's clock was an hour ahead when it was read, and is set right afterwards. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *time) {
    int result = __real_clock_gettime(clock, time);
    time->tv_sec += clock == CLOCK_REALTIME ? 3600 : 0;
    return result;
}

static void waits_as_long_as_it_should(void **state) {
    (void)state;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition;
    condition_init(&condition);
    pthread_mutex_lock(&lock);
    double start = clock_wall();
    alarm(60); /* else it would be an hour */
    while (condition_wait(&condition, &lock, start + 0.05)) {
    }
    alarm(0);
    assert_true(clock_wall() >= start + 0.05);
    assert_false(condition_wait(&condition, &lock, start));
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&condition);
}

static void *call(void *user) {
    pthread_cond_signal(user);
    return NULL;
}

static void hears_a_signal(void **state) {
    (void)state;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition;
    pthread_t thread;
    condition_init(&condition);
    pthread_mutex_lock(&lock);
    assert_int_equal(pthread_create(&thread, NULL, call, &condition), 0);
    bool heard = false;
    for (int turn = 0; turn < 100 && !heard; turn++) {
        heard = condition_wait(&condition, &lock, clock_wall() + 0.05);
        if (!heard) { /* it called before we listened */
            pthread_join(thread, NULL);
            assert_int_equal(pthread_create(&thread, NULL, call, &condition), 0);
        }
    }
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&condition);
    assert_true(heard);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_as_long_as_it_should),
        cmocka_unit_test(hears_a_signal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
