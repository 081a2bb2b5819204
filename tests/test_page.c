/* What the page asks of the C behind it, without a page: its menu is made of the games that there are, and their boards
 * and moves come with all it shows of a game that it has no words of its own for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "web.h"

/* What the page calls; web.h does not name them, since only the page does. */
char *web_input(size_t length);
const char *web_output(void);
int web_games(void);
int web_start(int index, int variant, int size, unsigned seed);
int web_view(void);

void page_report(const char *bytes, size_t length) {
    (void)bytes, (void)length;
}

/* What the page does to the text as JSON is of no interest here: blanks aside, it holds this. */
static void assert_holds(const char *part) {
    if (!strstr(web_output(), part)) {
        fail_msg("no %s in\n%s", part, web_output());
    }
}

static void ask(const char *text) {
    memcpy(web_input(strlen(text)), text, strlen(text));
}

static void test_menu(void **state) {
    (void)state;
    assert_int_equal(web_games(), 0);
    for (int i = 0; sortie_game_name(i); i++) {
        assert_holds(sortie_game_name(i));
    }
    assert_holds("\"game\": \"othello\", \"rules\": \"plain\", \"title\": \"Othello\", \"usual\": 8, "
                 "\"sizes\": [4, 6, 8, 10]");
    assert_holds("\"game\": \"war\", \"rules\": \"sneak\", \"title\": \"War board\"");
}

static void test_start(void **state) {
    (void)state;
    int othello = 0;
    while (strcmp(sortie_game_name(othello), "othello") != 0) {
        othello++;
    }
    assert_int_equal(web_start(othello, 0, 6, 1), 0);
    assert_holds("othello plain 6 X");
    assert_int_equal(web_start(othello, 0, 7, 1), 2);
    assert_holds("expected an even board size");
}

static void test_view(void **state) {
    (void)state;
    ask("position\nothello plain 4 X\nOX..\n....\n....\n....\n");
    assert_int_equal(web_view(), 0);
    assert_holds("\"title\": \"Othello\"");
    assert_holds("\"sides\": [\"X\", \"O\"]");
    assert_holds("\"moves\": [\"pass\"]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_menu),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
