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
int web_tree(int method, int depth, int most_nodes);
const char *web_nodes(void);
size_t web_nodes_length(void);
int web_count(int method, int depth);
int web_count_ordered(int depth, int most_work);

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

/* A node of a tree: its eight numbers. */
enum { PARENT, FIRST, COUNT, NAME, VALUE, LOW, HIGH, VISITED, WORDS };

static int32_t word(int node, int which) {
    int32_t value;
    memcpy(&value, web_nodes() + ((size_t)node * WORDS + (size_t)which) * sizeof value, sizeof value);
    return value;
}

static int nodes_there(void) {
    return (int)(web_nodes_length() / (WORDS * sizeof(int32_t)));
}

/* X takes A1 (9), and O's best answer is B2 (4): 5 for X. Whatever else X takes first, O answers A1, and the rest of
 * its answers is cut. */
static const char four_squares[] = "position\nwar sneak 2 X\n9 2\n3 4\n..\n..\n";

static void test_tree_of_minimax(void **state) {
    (void)state;
    ask(four_squares);
    assert_int_equal(web_tree(1, 2, 100), 0);
    assert_holds("\"nodes\": 17");
    assert_holds("\"cutShort\": false");
    assert_int_equal(nodes_there(), 1 + 4 + 12);
    assert_int_equal(word(0, PARENT), -1);
    assert_int_equal(word(0, COUNT), 4);
    for (int node = 1; node < nodes_there(); node++) {
        int parent = word(node, PARENT);
        assert_in_range(node, word(parent, FIRST), word(parent, FIRST) + word(parent, COUNT) - 1);
        assert_true(parent < node);
        assert_int_equal(word(node, VISITED), 1);
    }
    int a1 = word(0, FIRST);
    assert_int_equal(word(a1, VALUE), 9);
    assert_int_equal(word(word(a1, FIRST), VALUE), 7); /* then O takes B1 */
    /* Two orders of moves lead to two positions: the squares have other owners. */
    assert_int_not_equal(word(word(a1, FIRST), LOW), word(word(a1 + 1, FIRST), LOW));
}

static void test_tree_of_alphabeta(void **state) {
    (void)state;
    ask(four_squares);
    assert_int_equal(web_tree(2, 2, 100), 0);
    assert_holds("\"nodes\": 11");
    assert_int_equal(nodes_there(), 17); /* what is cut has a name too */
    int seen = 0;
    for (int node = 0; node < nodes_there(); node++) {
        seen += word(node, VISITED);
    }
    assert_int_equal(seen, 11);
    assert_int_equal(web_tree(1, 2, 10), 0);
    assert_holds("\"cutShort\": true");
}

/* The same position by two orders of moves has one hash: X takes A1 and C1, in either order, after O's A3. */
static void test_tree_transposes(void **state) {
    (void)state;
    ask("position\nwar sneak 3 X\n1 2 3\n4 5 6\n7 8 9\n...\n...\n...\n");
    assert_int_equal(web_tree(1, 3, 10000), 0);
    int squares[2][3] = {{0, 6, 2}, {2, 6, 0}};
    int32_t low[2];
    for (int order = 0; order < 2; order++) {
        int node = 0;
        int taken = 0;
        for (int ply = 0; ply < 3; ply++) {
            int square = squares[order][ply];
            int before = __builtin_popcount((unsigned)taken & ((1U << square) - 1));
            node = word(node, FIRST) + square - before;
            taken |= 1 << square;
        }
        low[order] = word(node, LOW);
    }
    assert_int_equal(low[0], low[1]);
}

static void test_counts(void **state) {
    (void)state;
    ask(four_squares);
    assert_int_equal(web_count(1, 2), 0);
    assert_holds("\"nodes\": 17, \"leaves\": 12, \"cuts\": 0, \"value\": 5");
    assert_int_equal(web_count(2, 2), 0);
    assert_holds("\"nodes\": 11, \"leaves\": 6, \"cuts\": 3, \"value\": 5");
    assert_int_equal(web_count(3, 2), 0);
    assert_int_equal(web_count_ordered(2, 10000), 0);
    assert_holds("\"nodes\": 11, \"value\": 5");
    assert_int_equal(web_count_ordered(2, 1), 0);
    assert_holds("\"nodes\": null");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_menu),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_view),
        cmocka_unit_test(test_tree_of_minimax),
        cmocka_unit_test(test_tree_of_alphabeta),
        cmocka_unit_test(test_tree_transposes),
        cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
