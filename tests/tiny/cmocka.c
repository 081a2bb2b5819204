#include "tiny/cmocka.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TINY_FAILED = 1, TINY_SKIPPED };

static jmp_buf leave;

_Noreturn void tiny_fail(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    longjmp(leave, TINY_FAILED);
}

_Noreturn void tiny_skip(void) {
    longjmp(leave, TINY_SKIPPED);
}

void print_message(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

void tiny_true(bool holds, const char *text, const char *file, int line) {
    if (!holds) {
        tiny_fail(file, line, "expected %s", text);
    }
}

void tiny_numbers(bool holds, uintmax_t a, uintmax_t b, const char *text, const char *file, int line) {
    if (!holds) {
        tiny_fail(file, line, "expected %s, found %" PRIdMAX " and %" PRIdMAX, text, (intmax_t)a, (intmax_t)b);
    }
}

void tiny_strings(bool same, const char *a, const char *b, const char *file, int line) {
    if ((strcmp(a, b) == 0) != same) {
        tiny_fail(file, line, "expected %s strings, found \"%s\" and \"%s\"", same ? "equal" : "different", a, b);
    }
}

void tiny_bytes(bool same, const void *a, const void *b, size_t size, const char *file, int line) {
    if ((memcmp(a, b, size) == 0) != same) {
        tiny_fail(file, line, "expected %s bytes, %zu of them", same ? "equal" : "different", size);
    }
}

/* 0, or how the test was left. */
static int run_one(const struct CMUnitTest *test, void **state) {
    int left = setjmp(leave);
    if (left == 0) {
        if (test->setup && test->setup(state) != 0) {
            return TINY_FAILED;
        }
        test->test(state);
    }
    return test->teardown && test->teardown(state) != 0 ? TINY_FAILED : left;
}

int tiny_run(const struct CMUnitTest *tests, size_t count, int (*setup)(void **state), int (*teardown)(void **state)) {
    static const char *const words[] = {"ok", "FAILED", "skipped"};
    void *group = NULL;
    int failed = setup && setup(&group) != 0;
    size_t many = failed ? 0 : count;
    for (size_t i = 0; i < many; i++) {
        void *state = group;
        int left = run_one(&tests[i], &state);
        printf("%s: %s\n", tests[i].name, words[left]);
        fflush(stdout);
        failed += left == TINY_FAILED;
    }
    return failed + (teardown && teardown(&group) != 0);
}
