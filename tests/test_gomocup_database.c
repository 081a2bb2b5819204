/* The database commands of analysis boards at the Gomocup brain, with the lines that Yixin-Board sends and the way it
 * reads the answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "analysis/board_store.h"
#include "base/text.h"
#include "protocols/gomocup/gomocup.h"

static char folder[64];
static struct text said; /* what has come since it was asked last, a line each */

static void hear(void *user, const char *line) {
    (void)user;
    text_addf(&said, "%s\n", line);
}

/* A path in the folder. */
static const char *file(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static struct gomocup *open_brain(const char *path) {
    struct gomocup_options options = {
        .hash_bytes = (size_t)4 << 20, .answer = hear, .store = &analysis_board_store, .store_path = path};
    struct gomocup *gomocup = gomocup_new(&options, NULL);
    assert_non_null(gomocup);
    return gomocup;
}

/* Says lines, and gives what is answered. */
static const char *say(struct gomocup *gomocup, const char *lines) {
    said.length = 0;
    for (const char *at = lines; *at;) {
        size_t length = strcspn(at, "\n");
        assert_true(gomocup_line(gomocup, at, length));
        at += length + (at[length] == '\n');
    }
    gomocup_wait(gomocup);
    return said.length ? text_string(&said) : "";
}

static struct gomocup *open_with_database(void) {
    char lines[256];
    unlink(file("a.db"));
    struct gomocup *gomocup = open_brain(NULL);
    snprintf(lines, sizeof lines, "START 15 15\nINFO usedatabase 1\nyxsetdatabase\n%s\n", file("a.db"));
    assert_non_null(strstr(say(gomocup, lines), "MESSAGE DATABASE LOAD DONE"));
    return gomocup;
}

#define NOTHING "MESSAGE DATABASE REFRESH\nMESSAGE DATABASE DONE\n"

static void test_comment_and_marks(void **state) {
    (void)state;
    struct gomocup *gomocup = open_with_database();
    assert_string_equal(say(gomocup, "yxquerydatabaseallt\n7,7\ndone\n"), NOTHING "MESSAGE DATABASE TEXT \"\"\n");
    /* the board sends the position right behind the quote, and lines of a comment as they are */
    assert_string_equal(say(gomocup, "yxedittextdatabase \"two \\\"lines\\\"\nend\n\nstop\"7,7\ndone\n"), "");
    assert_string_equal(say(gomocup, "yxquerydatabasetext\n7,7\ndone\n"),
                        "MESSAGE DATABASE TEXT \"two \\\"lines\\\"\nend\n\nstop\"\n");
    /* a comment is told of at the parent's square */
    assert_string_equal(say(gomocup, "yxquerydatabaseall\ndone\n"),
                        "MESSAGE DATABASE REFRESH\nMESSAGE DATABASE 7 7 -1 0 0 0 1 \nMESSAGE DATABASE DONE\n");
    assert_string_equal(say(gomocup, "yxeditlabeldatabase 3,4 abc\n7,7\n8,6\ndone\n"), "");
    assert_string_equal(say(gomocup, "yxquerydatabaseall\n7,7\n8,6\ndone\n"),
                        "MESSAGE DATABASE REFRESH\nMESSAGE DATABASE 3 4 -1 0 0 0 0 abc\nMESSAGE DATABASE DONE\n");
    assert_string_equal(say(gomocup, "yxeditlabeldatabase 3,4 \n7,7\n8,6\ndone\n"), "");
    assert_string_equal(say(gomocup, "yxquerydatabaseall\n7,7\n8,6\ndone\n"), NOTHING);
    assert_non_null(strstr(say(gomocup, "yxeditlabeldatabase 7,7 x\n7,7\ndone\n"), "expected an empty square"));
    assert_string_equal(say(gomocup, "yxedittextdatabase \"\"7,7\ndone\n"), "");
    assert_string_equal(say(gomocup, "yxquerydatabasetext\n7,7\ndone\n"), "MESSAGE DATABASE TEXT \"\"\n");
    gomocup_free(gomocup);
}

static void test_values(void **state) {
    (void)state;
    struct gomocup *gomocup = open_with_database();
    assert_string_equal(say(gomocup, "yxquerydatabaseone\n7,7\ndone\n"), "MESSAGE DATABASE ONE 0 0 0 0 \n");
    assert_string_equal(say(gomocup, "yxedittvddatabase 2 -1 -200 0\n7,7\ndone\n"),
                        "MESSAGE DATABASE ONE -1 -200 0 3 73%\n");
    assert_string_equal(say(gomocup, "yxedittvddatabase 4 -1 0 12\n7,7\ndone\n"),
                        "MESSAGE DATABASE ONE -1 -200 12 3 73%\n");
    /* "73%" is packed into a number */
    assert_non_null(strstr(say(gomocup, "yxquerydatabaseall\ndone\n"), "MESSAGE DATABASE 7 7 3617573 -200 12 3 0 \n"));
    /* lost in nine plies for who is to move: the move wins in ten */
    assert_string_equal(say(gomocup, "yxedittvddatabase 2 -1 -29991 0\n7,7\ndone\n"),
                        "MESSAGE DATABASE ONE -1 -29991 12 3 w10\n");
    assert_string_equal(say(gomocup, "yxedittvddatabase 1 119 0 0\n7,7\ndone\n"),
                        "MESSAGE DATABASE ONE 119 -29991 12 3 w\n");
    gomocup_free(gomocup);
}

/* What a search has found is there afterwards, on an image of the board too, and in a brain that is started later. */
static void test_search_is_kept(void **state) {
    (void)state;
    struct gomocup *gomocup = open_with_database();
    say(gomocup, "INFO timeout_turn 1000\nINFO max_node 3000\nyxboard\n7,7,2\n6,8,1\n8,8,2\ndone\nyxnbest 3\n");
    const char *known = say(gomocup, "yxquerydatabaseall\n7,7\n8,6\n8,8\ndone\n"); /* mirrored */
    int lines = 0;
    for (const char *at = known; (at = strstr(at, "MESSAGE DATABASE ")) != NULL; at++) {
        int x;
        int y;
        int tag;
        int value;
        int depth;
        int bound;
        if (sscanf(at, "MESSAGE DATABASE %d %d %d %d %d %d", &x, &y, &tag, &value, &depth, &bound) == 6) {
            assert_true(tag > 0 && depth > 0 && bound == 3);
            lines++;
        }
    }
    assert_int_equal(lines, 3);
    gomocup_free(gomocup);
    gomocup = open_brain(file("a.db"));
    say(gomocup, "START 15 15\n");
    assert_string_equal(say(gomocup, "yxquerydatabaseone\n7,7\n6,8\n8,8\ndone\n"), "");
    say(gomocup, "INFO usedatabase 1\n");
    assert_null(strstr(say(gomocup, "yxquerydatabaseone\n7,7\n6,8\n8,8\ndone\n"), "ONE 0"));
    assert_int_equal(strncmp(text_string(&said), "MESSAGE DATABASE ONE", 20), 0);
    gomocup_free(gomocup);
}

/* Only read: nothing changes, and a person is told. */
static void test_readonly(void **state) {
    (void)state;
    struct gomocup *gomocup = open_with_database();
    say(gomocup,
        "INFO database_readonly 1\nINFO timeout_turn 1000\nINFO max_node 500\nyxboard\n7,7,2\ndone\nyxnbest 1\n");
    assert_non_null(strstr(say(gomocup, "yxedittextdatabase \"x\"7,7\ndone\n"), "only read"));
    assert_string_equal(say(gomocup, "yxquerydatabaseall\n7,7\ndone\n"), NOTHING);
    say(gomocup, "INFO database_readonly 0\nINFO usedatabase 0\n");
    assert_string_equal(say(gomocup, "yxquerydatabaseall\n7,7\ndone\n"), "");
    assert_non_null(strstr(say(gomocup, "yxdeletedatabaseone\n7,7\ndone\n"), "no database is open"));
    gomocup_free(gomocup);
}

static void test_delete(void **state) {
    (void)state;
    struct gomocup *gomocup = open_with_database();
    say(gomocup, "yxedittvddatabase 2 -1 -29991 0\n7,7\n1,1\n2,2\ndone\n");
    say(gomocup, "yxedittvddatabase 2 -1 29980 0\n7,7\n1,1\n2,3\ndone\n");
    say(gomocup, "yxedittvddatabase 2 -1 50 0\n7,7\n1,1\n2,4\ndone\n");
    say(gomocup, "yxedittvddatabase 1 119 0 0\n7,7\n1,1\n2,5\ndone\n");
    assert_non_null(
        strstr(say(gomocup, "yxdeletedatabaseall wlinstep 10\n7,7\n1,1\ndone\n"), " 1 positions forgotten"));
    assert_non_null(strstr(say(gomocup, "yxdeletedatabaseall wlnostep\n7,7\n1,1\ndone\n"), " 1 positions forgotten"));
    assert_non_null(strstr(say(gomocup, "yxdeletedatabaseall nonwl\n7,7\n1,1\ndone\n"), " 1 positions forgotten"));
    assert_non_null(strstr(say(gomocup, "yxdeletedatabaseall\n7,7\n1,1\ndone\n"), " 1 positions forgotten"));
    assert_non_null(strstr(say(gomocup, "yxdeletedatabaseall wrong\n7,7\n1,1\ndone\n"), "expected nonwl"));
    say(gomocup, "yxedittextdatabase \"x\"7,7\ndone\n");
    assert_string_equal(say(gomocup, "yxdeletedatabaseone\n7,7\ndone\n"), "");
    assert_string_equal(say(gomocup, "yxquerydatabaseall\ndone\n"), NOTHING);
    gomocup_free(gomocup);
}

static void test_files(void **state) {
    (void)state;
    char lines[512];
    struct gomocup *gomocup = open_with_database();
    say(gomocup, "yxedittextdatabase \"kept\"7,7\ndone\nyxquerydatabaseall\ndone\n");
    say(gomocup, "yxedittextdatabase \"root\"done\n");
    snprintf(lines, sizeof lines, "yxdbtolib\n%s\n", file("a.lib"));
    assert_string_equal(say(gomocup, lines), "MESSAGE 1 positions\n");
    snprintf(lines, sizeof lines, "yxsetdatabase %s\n", file("b.db"));
    say(gomocup, lines);
    assert_string_equal(say(gomocup, "yxquerydatabaseall\ndone\n"), NOTHING);
    snprintf(lines, sizeof lines, "yxlibtodb\n%s\n", file("a.lib"));
    assert_string_equal(say(gomocup, lines), "MESSAGE 1 positions\n");
    assert_string_equal(say(gomocup, "yxquerydatabasetext\n7,7\ndone\n"), "MESSAGE DATABASE TEXT \"kept\"\n");
    snprintf(lines, sizeof lines, "yxdbmerge\n%s\n", file("a.db"));
    assert_non_null(strstr(say(gomocup, lines), " positions"));
    snprintf(lines, sizeof lines, "yxlibtodb\n%s\n", file("none.lib"));
    assert_non_null(strstr(say(gomocup, lines), "MESSAGE database: "));
    snprintf(lines, sizeof lines, "yxsetdatabase\n%s\n", file("a.lib"));
    assert_non_null(strstr(say(gomocup, lines), "expected a database of analysed positions"));
    assert_string_equal(say(gomocup, "yxquerydatabasetext\n7,7\ndone\n"), "MESSAGE DATABASE TEXT \"kept\"\n");
    gomocup_free(gomocup);
}

/* Whatever is left out, or wrong: the conversation goes on. */
static void test_wrong(void **state) {
    (void)state;
    struct gomocup *gomocup = open_with_database();
    assert_non_null(strstr(say(gomocup, "yxquerydatabaseall\n7,7\n7,7\ndone\n"), "ERROR expected lines"));
    assert_non_null(strstr(say(gomocup, "yxquerydatabaseall\n77\ndone\n"), "ERROR expected lines"));
    assert_non_null(strstr(say(gomocup, "yxquerydatabaseall 7,7 8,8 done\n"), "DATABASE DONE"));
    say(gomocup, "yxedittvddatabase\n7,7\ndone\nyxedittextdatabase\n7,7\ndone\nyxeditlabeldatabase\ndone\n");
    assert_string_equal(say(gomocup, "yxquerydatabaseall\n7,7\nINFO rule 0\n"), ""); /* no done: a command ends it */
    assert_non_null(strstr(say(gomocup, "ABOUT\n"), "name="));
    gomocup_free(gomocup);
    struct gomocup_options options = {.hash_bytes = (size_t)4 << 20, .answer = hear};
    gomocup = gomocup_new(&options, NULL); /* and without any database */
    assert_non_null(gomocup);
    assert_string_equal(say(gomocup, "START 15 15\nINFO usedatabase 1\nyxquerydatabaseallt\n7,7\ndone\n"), "OK\n");
    assert_non_null(strstr(say(gomocup, "yxsetdatabase\nx.db\n"), "no database in this build"));
    gomocup_free(gomocup);
}

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/test_gomocup_database.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    static const char *const names[] = {"a.db", "b.db", "a.lib"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unlink(file(names[i]));
    }
    text_free(&said);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comment_and_marks),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_search_is_kept),
        cmocka_unit_test(test_readonly),
        cmocka_unit_test(test_delete),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
