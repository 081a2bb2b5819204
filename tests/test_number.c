/* Numbers in texts: as exact as the C library's, which the tests hear in the C locale. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/number.h"
#include "base/rng.h"
#include "base/text.h"

static void assert_same_double(const char *text) {
    double value = -77;
    assert_true(number_parse(text, &value));
    double wanted = strtod(text, NULL);
    if (memcmp(&value, &wanted, sizeof value) != 0) {
        fail_msg("%s: %.17g, not %.17g", text, value, wanted);
    }
}

static void test_written_numbers(void **state) {
    (void)state;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "1",
                                        "10.5",
                                        "+2.5",
                                        ".5",
                                        "5.",
                                        "0.1",
                                        "0.3",
                                        "1e22",
                                        "1e23",
                                        "2e-3",
                                        "9007199254740993",
                                        "9007199254740992.9999999999999",
                                        "1E5",
                                        "1e+5",
                                        "179769313486231570000e289",
                                        "1.7976931348623157e308",
                                        "1e309",
                                        "1e99999999999",
                                        "1e-99999999999",
                                        "0e99999999999",
                                        "2.2250738585072014e-308",
                                        "00000000000000000000000000000000000000000000000000000000000000000000000010.5",
                                        "123456789012345678901234567890123456789012345678901234567890123456789"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_same_double(texts[i]);
    }
}

static void test_random_numbers(void **state) {
    (void)state;
    struct rng rng = {7};
    for (int i = 0; i < 20000; i++) {
        char text[64];
        uint64_t bits = rng_next(&rng);
        if (i % 2) {
            double value;
            memcpy(&value, &bits, sizeof value);
            if (!isfinite(value) || fabs(value) < 1e-300) {
                continue;
            }
            snprintf(text, sizeof text, "%.*g", 1 + (int)(rng_next(&rng) % 20), value);
        } else {
            snprintf(text, sizeof text, "%llu.%llue%d", (unsigned long long)(bits >> bits % 60),
                     (unsigned long long)rng_next(&rng), (int)(rng_next(&rng) % 400) - 200);
        }
        assert_same_double(text);
    }
}

static void test_what_is_none(void **state) {
    (void)state;
    static const char *const texts[] = {"",    ".",    "-",   "+",   "e5",  "1,5",   " 1", "1 ", "1e",
                                        "1e+", "0x10", "inf", "nan", "--1", "1.2.3", "-.", "1_0"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value;
        if (number_parse(texts[i], &value)) {
            fail_msg("'%s' is read as %g", texts[i], value);
        }
    }
    double value;
    assert_int_equal(number_read("12e", 3, &value), 2); /* what stands behind is the caller's */
    assert_int_equal(number_read("1234", 2, &value), 2);
    assert_true(value == 12);
}

static void test_lists(void **state) {
    (void)state;
    double values[3];
    assert_int_equal(number_parse_list("1,-2.5,3e1", ',', values, 3), 3);
    assert_true(values[0] == 1 && values[1] == -2.5 && values[2] == 30);
    assert_int_equal(number_parse_list("7", ',', values, 3), 1);
    static const char *const bad[] = {"", ",", "1,", "1,,2", "1;2", "1,2,3,4", "1,2,x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(number_parse_list(bad[i], ',', values, 3), -1);
    }
}

/* Checks one call against the C library's, whole and cut off. */
#define assert_formats(...)                                                                                            \
    do {                                                                                                               \
        char wanted[700];                                                                                              \
        char found[700];                                                                                               \
        int length = snprintf(wanted, sizeof wanted, __VA_ARGS__);                                                     \
        assert_int_equal(number_format(found, sizeof found, __VA_ARGS__), length);                                     \
        assert_string_equal(found, wanted);                                                                            \
        assert_int_equal(number_format(NULL, 0, __VA_ARGS__), length);                                                 \
        wanted[5] = '\0';                                                                                              \
        assert_int_equal(number_format(found, 6, __VA_ARGS__), length);                                                \
        assert_string_equal(found, wanted);                                                                            \
    } while (0)

static void test_formats(void **state) {
    (void)state;
    assert_formats("%s and %.3f", "text", 1.0 / 3);
    assert_formats("%d%% %g %5.1f|%-8.2f|%+.0f|%08.3f|% f", -7, 0.1, 2.25, -3.5, 4.5, 5.125, 6.0);
    assert_formats("%lld %llu %ld %lu %zu %c %x %.*f %*d %-*s|", -1LL, ~0ULL, -5L, 6UL, (size_t)7, 'c', 255u, 2, 1.005,
                   5, -42, 6, "ab");
    assert_formats("%.*s,%.2f,%.*s", 3, "abcdef", 9.999, -1, "whole");
    assert_formats("%e %E %G %.17g %f %f", 12345.678, 1e-9, 1e20, 0.1, INFINITY, -1e300);
    assert_formats("no number, %d", 3);
}

static void test_long_texts_beside_numbers(void **state) {
    (void)state;
    char *long_one = malloc(100001);
    memset(long_one, ',', 100000);
    long_one[100000] = '\0';
    struct text text = TEXT_EMPTY;
    text_addf(&text, "%s%.1f%s", long_one, 2.5, "\x01,5");
    assert_int_equal(text.length, 100006);
    assert_string_equal(text_string(&text) + 100000, "2.5\x01,5");
    text_free(&text);
    free(long_one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_numbers), cmocka_unit_test(test_random_numbers),
        cmocka_unit_test(test_what_is_none),    cmocka_unit_test(test_lists),
        cmocka_unit_test(test_formats),         cmocka_unit_test(test_long_texts_beside_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
