/* What strangers wrote, for each place it is shown in: no byte of it commands a terminal, adds a line or a column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clean.h"
#include "base/json.h"
#include "base/rng.h"

/* What each byte of these means is in its escaped form. */
static const struct {
    const char *bytes;
    const char *shown;
} samples[] = {
    {"plain name", "plain name"},
    {"Größe 日本 😀", "Größe 日本 😀"},
    {"\033[31mred\033[0m", "\\x1b[31mred\\x1b[0m"},
    {"\033]0;title\007", "\\x1b]0;title\\x07"},
    {"two\nlines\r\tand\v\f", "two\\nlines\\r\\tand\\x0b\\x0c"},
    {"del\177", "del\\x7f"},
    {"csi \302\233"
     "31m",
     "csi \\u009b31m"},
    {"nel \302\205", "nel \\u0085"},
    {"raw c1 \233"
     "31m",
     "raw c1 \\x9b31m"},
    {"cut \303", "cut \\xc3"},
    {"overlong \300\257", "overlong \\xc0\\xaf"},
    {"surrogate \355\240\200", "surrogate \\xed\\xa0\\x80"},
    {"rlo \342\200\256gpj.exe", "rlo \\u202egpj.exe"},
    {"marks \342\200\216\342\200\217\330\234", "marks \\u200e\\u200f\\u061c"},
    {"isolates \342\201\246\342\201\251", "isolates \\u2066\\u2069"},
    {"ends \342\200\250\342\200\251", "ends \\u2028\\u2029"},
    {"nothing \342\200\213\342\200\215\342\201\240\357\273\277", "nothing \\u200b\\u200d\\u2060\\ufeff"},
    {"tag \363\240\200\201", "tag \\U000e0001"},
};

static void on_a_terminal(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct text text = TEXT_EMPTY;
        struct clean_line line;
        clean_add(&text, samples[i].bytes);
        assert_string_equal(text_string(&text), samples[i].shown);
        assert_string_equal(clean_string(&line, samples[i].bytes), samples[i].shown);
        text_free(&text);
    }
}

/* Whether a text has a byte of a control, or bytes that are no UTF-8. */
static bool has_hidden(const char *text, bool lines) {
    for (size_t left = strlen(text); left > 0;) {
        size_t length = text_utf8_length(text, left);
        bool kept = lines && (*text == '\n' || *text == '\t');
        if (length == 0 || (!kept && clean_is_hidden(clean_decode(text, length)))) {
            return true;
        }
        text += length;
        left -= length;
    }
    return false;
}

/* Random bytes, half of them from where it hurts. */
static void random_bytes(uint64_t *seed, char bytes[64]) {
    static const char painful[] = "\033\n\r\t,\";=+-@<>&'\\\177\302\205\233\342\200\256\350\357\273\277";
    for (int i = 0; i < 63; i++) {
        uint64_t number = rng_mix((*seed)++);
        bytes[i] =
            (char)(number & 256 ? 1 + number % 255 : (unsigned char)painful[number / 512 % (sizeof painful - 1)]);
    }
    bytes[63] = '\0';
}

static void whatever_comes(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        char bytes[64];
        struct text text = TEXT_EMPTY;
        random_bytes(&seed, bytes);
        clean_add(&text, bytes);
        clean_add_xml(&text, bytes);
        clean_add_csv(&text, bytes);
        clean_add_json(&text, bytes);
        text_add_json(&text, bytes);
        assert_false(has_hidden(text_string(&text), false));
        text.length = 0;
        clean_add_lines(&text, bytes, strlen(bytes));
        clean_add_xml_lines(&text, bytes, strlen(bytes));
        clean_add_csv_lines(&text, bytes, strlen(bytes));
        assert_false(has_hidden(text_string(&text), true));
        text_free(&text);
    }
}

static void no_cell_is_a_formula(void **state) {
    (void)state;
    static const char *const cells[][2] = {
        {"=1+2", "'=1+2"},
        {"+1", "'+1"},
        {"-1", "'-1"},
        {"@SUM(A1)", "'@SUM(A1)"},
        {"\t=1", "'\\t=1"},
        {"\r=1", "'\\r=1"},
        {"\n=1", "'\\n=1"},
        {" =1", "' =1"},
        {"1=1", "1=1"},
        {"a,b", "\"a,b\""},
        {"a\"b", "\"a\"\"b\""},
        {"a;b", "\"a;b\""},
        {"a\nb", "a\\nb"},
        {"", ""},
        {"=\"x\",1", "\"'=\"\"x\"\",1\""},
    };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        struct text text = TEXT_EMPTY;
        clean_add_csv(&text, cells[i][0]);
        assert_string_equal(text_string(&text), cells[i][1]);
        text_free(&text);
    }
}

static void a_column_keeps_its_width(void **state) {
    (void)state;
    struct text text = TEXT_EMPTY;
    clean_add_column(&text, "日本", 4, 9);
    clean_add_column(&text, "|123456789", 4, 5);
    clean_add_column(&text, "|1234", 4, 5);
    clean_add_column(&text, "|\033|", 8, 8);
    assert_string_equal(text_string(&text), "日本  |123…|1234|\\x1b|  ");
    assert_int_equal(clean_width("日\033\n"), 1 + 4 + 2);
    text_free(&text);
}

/* No text is longer than its place; one that must be judged is whole. */
static void overlong_texts_are_cut(void **state) {
    (void)state;
    static char longest[100000];
    struct clean_line line;
    struct text text = TEXT_EMPTY;
    memset(longest, 'x', sizeof longest - 1);
    clean_add(&text, longest);
    assert_true(text.length < CLEAN_MOST + 4);
    assert_string_equal(text_string(&text) + text.length - strlen("…"), "…");
    clean_string(&line, longest);
    assert_string_equal(line.text + strlen(line.text) - strlen("…"), "…");
    text.length = 0;
    clean_add_whole(&text, longest);
    assert_int_equal(text.length, sizeof longest - 1);
    memset(longest, '\033', sizeof longest - 1);
    assert_true(strlen(clean_string(&line, longest)) < sizeof line.text);
    text_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_terminal),          cmocka_unit_test(whatever_comes),
        cmocka_unit_test(no_cell_is_a_formula),   cmocka_unit_test(a_column_keeps_its_width),
        cmocka_unit_test(overlong_texts_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
