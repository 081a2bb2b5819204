/* As much of cmocka's interface as the tests use, for C libraries that no cmocka is built for (musl). It needs nothing
 * but C, and ends a test at its first failure as cmocka does. */
#ifndef SORTIE_TESTS_TINY_CMOCKA_H
#define SORTIE_TESTS_TINY_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state);
    int (*teardown)(void **state);
};

/* The number of tests that failed. */
int tiny_run(const struct CMUnitTest *tests, size_t count, int (*setup)(void **state), int (*teardown)(void **state));

void tiny_true(bool holds, const char *text, const char *file, int line);
void tiny_numbers(bool holds, uintmax_t a, uintmax_t b, const char *text, const char *file, int line);
void tiny_strings(bool same, const char *a, const char *b, const char *file, int line);
void tiny_bytes(bool same, const void *a, const void *b, size_t size, const char *file, int line);
_Noreturn void tiny_fail(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
_Noreturn void tiny_skip(void);
void print_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define cmocka_unit_test(test)                                                                                         \
    { #test, test, NULL, NULL }
#define cmocka_unit_test_setup_teardown(test, setup, teardown)                                                         \
    { #test, test, setup, teardown }
#define cmocka_run_group_tests(tests, setup, teardown)                                                                 \
    tiny_run(tests, sizeof(tests) / sizeof(tests)[0], setup, teardown)

#define assert_true(c) tiny_true((c) != 0, #c, __FILE__, __LINE__)
#define assert_false(c) tiny_true((c) == 0, "not " #c, __FILE__, __LINE__)
#define assert_non_null(p) tiny_true((p) != NULL, #p " is there", __FILE__, __LINE__)
#define assert_null(p) tiny_true((p) == NULL, #p " is NULL", __FILE__, __LINE__)
#define assert_ptr_equal(a, b) tiny_true((const void *)(a) == (const void *)(b), #a " == " #b, __FILE__, __LINE__)
#define TINY_NUMBERS(a, b, relation, text)                                                                             \
    do {                                                                                                               \
        uintmax_t tiny_a = (uintmax_t)(a), tiny_b = (uintmax_t)(b);                                                    \
        tiny_numbers(tiny_a relation tiny_b, tiny_a, tiny_b, text, __FILE__, __LINE__);                                \
    } while (0)
#define assert_int_equal(a, b) TINY_NUMBERS(a, b, ==, #a " == " #b)
#define assert_int_not_equal(a, b) TINY_NUMBERS(a, b, !=, #a " != " #b)
#define assert_in_range(a, least, most)                                                                                \
    do {                                                                                                               \
        TINY_NUMBERS(a, least, >=, #a " >= " #least);                                                                  \
        TINY_NUMBERS(a, most, <=, #a " <= " #most);                                                                    \
    } while (0)
#define assert_string_equal(a, b) tiny_strings(true, a, b, __FILE__, __LINE__)
#define assert_string_not_equal(a, b) tiny_strings(false, a, b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, size) tiny_bytes(true, a, b, size, __FILE__, __LINE__)
#define assert_memory_not_equal(a, b, size) tiny_bytes(false, a, b, size, __FILE__, __LINE__)
#define fail_msg(...) tiny_fail(__FILE__, __LINE__, __VA_ARGS__)
#define fail() tiny_fail(__FILE__, __LINE__, "failed")
#define skip() tiny_skip()

/* Which cmocka watches for what is not given back; the sanitizers do so too. */
#define test_malloc(size) malloc(size)
#define test_calloc(count, size) calloc(count, size)
#define test_realloc(block, size) realloc(block, size)
#define test_free(block) free(block)

#endif
