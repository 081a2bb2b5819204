/* Whole conversations of the line protocol, as a manager would have them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "protocols/lines/lines.h"
#include "protocols/lines/lines_words.h"
#include "sortie/sortie.h"
#include "support/scale.h"

/* All answers, each behind a line feed; those of a search are added by its thread, under the protocol's own lock. */
static struct text heard;

static void listen(void *user, const char *line) {
    (void)user;
    text_addf(&heard, "\n%s", line);
}

static struct lines *start(void) {
    struct lines_options options = {.hash_mib = 4, .overhead = -1, .answer = listen};
    struct lines *lines = lines_new(&options, NULL);
    assert_non_null(lines);
    text_free(&heard);
    return lines;
}

static bool say(struct lines *lines, const char *line) {
    return lines_take(lines, line, strlen(line));
}

/* Says a line and compares what is answered, once nothing is thought about any more. */
static void expect(struct lines *lines, const char *line, const char *expected) {
    assert_true(say(lines, line));
    lines_wait(lines);
    assert_string_equal(text_string(&heard), expected);
    text_free(&heard);
}

/* Sends a go and takes its move out of the answers, with the blanks of the game's notation. */
static void ask_move(struct lines *lines, const char *go, char move[32]) {
    assert_true(say(lines, go));
    lines_wait(lines);
    const char *best = strstr(text_string(&heard), "\nbestmove ");
    assert_non_null(best);
    assert_null(strstr(best + 1, "\n"));
    assert_true(lines_read_move(best + 10, strlen(best + 10), move));
    text_free(&heard);
}

static void test_manners(void **state) {
    (void)state;
    struct lines *lines = start();
    static const char *const talk[][2] = {
        {"", ""},
        {"   \t\r", ""},
        {"isready", "\nreadyok"},
        {"  isready  \r", "\nreadyok"},
        {"stop", ""},
        {"wait", ""},
        {"newgame", ""},
        {"go", "\nerror go: expected a position first"},
        {"show", "\nerror show: expected a position first"},
        {"isready now", "\nerror isready: column 9: expected the end of the line, found 'now'"},
        {"hello", "\nerror column 1: expected sortie, isready, newgame, position, setoption, go, stop, wait, show or "
                  "quit, found 'hello'"},
        {" \x01\x80", "\nerror column 2: expected sortie, isready, newgame, position, setoption, go, stop, wait, show "
                      "or quit, found byte 0x01"},
        {"GO",
         "\nerror column 1: expected sortie, isready, newgame, position, setoption, go, stop, wait, show or quit, "
         "found 'GO'"},
        {"position", "\nerror position: column 9: expected 'start' or 'text', found the end of the line"},
        {"position fen", "\nerror position: column 10: expected 'start' or 'text', found 'fen'"},
        {"position start", "\nerror position: column 15: expected the name of a game, found the end of the line"},
        {"position start chess", "\nerror position: expected the name of a game"},
        {"position start gomoku size", "\nerror position: column 27: expected a board size such as 15 or 5x7, found "
                                       "the end of the line"},
        {"position start gomoku size x5", "\nerror position: column 28: expected a board size such as 15 or 5x7, found "
                                          "'x5'"},
        {"position start gomoku size 5x5x5", "\nerror position: column 28: expected a board size such as 15 or 5x7, "
                                             "found '5x5x5'"},
        {"position start gomoku size 99999", "\nerror position: column 28: expected a board size such as 15 or 5x7, "
                                             "found '99999'"},
        {"position start gomoku rules", "\nerror position: column 28: expected the name of a rule set, found the end "
                                        "of the line"},
        {"position start gomoku depth 4", "\nerror position: column 23: expected 'rules', 'size', 'random' or 'moves', "
                                          "found 'depth'"},
        {"position start gomoku moves H8 H8", "\nerror position: column 32: expected an empty square, H8 is taken"},
        {"position text", "\nerror position: column 14: expected a position, found the end of the line"},
        {"position text war stake 2 X/3 1/2 Q/../.O",
         "\nerror position: column 35: expected value 2 of 2, a positive integer, found 'Q'"},
        {"setoption", "\nerror setoption: column 10: expected 'name', found the end of the line"},
        {"setoption name Speed value 3", "\nerror setoption: column 16: expected the name of an option, found 'Speed'"},
        {"setoption name Hash 3", "\nerror setoption: column 21: expected 'value', found '3'"},
        {"setoption name Threads value 257",
         "\nerror setoption: column 30: expected a number of 1 to 256, found '257'"},
        {"setoption name Overhead value 5", ""},
        {"setoption name Hash value 2", ""},
        {"position start gomoku moves H8", ""},
        {"go depth", "\nerror go: column 9: expected a depth of 1 to 1000 plies, found the end of the line"},
        {"go depth 0", "\nerror go: column 10: expected a depth of 1 to 1000 plies, found '0'"},
        {"go movetime -5", "\nerror go: column 13: expected milliseconds, found '-5'"},
        {"go quickly", "\nerror go: column 4: expected depth, nodes, movetime, time1, time2, cpu, multipv, exact, win, "
                       "infinite or legal, found 'quickly'"},
    };
    for (size_t i = 0; i < sizeof talk / sizeof *talk; i++) {
        expect(lines, talk[i][0], talk[i][1]);
    }
    assert_true(lines_take(lines, "go\0depth", 8)); /* a word with a zero in it is no command */
    assert_non_null(strstr(text_string(&heard), "\nerror column 1: "));
    assert_false(say(lines, "quit"));
    lines_free(lines);
}

static void test_introduction(void **state) {
    (void)state;
    struct lines *lines = start();
    assert_true(say(lines, "sortie"));
    const char *text = text_string(&heard);
    assert_int_equal(strncmp(text, "\nid name sortie ", 16), 0);
    assert_non_null(strstr(text, "\noption name Threads type spin default 1 min 1 max 256"));
    assert_string_equal(text + strlen(text) - 9, "\nsortieok");
    for (int i = 0; sortie_game_name(i); i++) {
        char line[64];
        snprintf(line, sizeof line, "\ngame %s size ", sortie_game_name(i));
        assert_non_null(strstr(text, line));
    }
    lines_free(lines);
}

/* A position that is refused leaves the one before. */
static void test_refused_position(void **state) {
    (void)state;
    struct lines *lines = start();
    expect(lines, "position text war stake 2 X/3 1/2 5/../.O moves A1_Stake", "");
    assert_true(say(lines, "position text war stake 2 X/3 1/2 5/../.O moves A1_Stake A1_Stake"));
    assert_non_null(strstr(text_string(&heard), "\nerror position: column 58: "));
    text_free(&heard);
    assert_true(say(lines, "show"));
    assert_non_null(strstr(text_string(&heard), "\nshow text war stake 2 O/3 1/2 5/X./.O\n"));
    assert_non_null(strstr(text_string(&heard), "\nshow side O\nshow legal B1_Stake A2_Stake B1_Raid A2_Raid\nshowok"));
    lines_free(lines);
}

/* Every game from start to end, and every position on the way told as a text again: the same board, the same moves. */
static void test_every_game(void **state) {
    (void)state;
    struct lines *lines = start();
    struct rng rng = {11};
    static const char *const starts[] = {"war rules stake size 4 random 3", "war rules sneak size 5 random 4",
                                         "laser size 6 random 5",           "gomoku rules freestyle size 7",
                                         "gomoku rules exact size 22",      "gomoku size 9 random 2"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        struct text moves = TEXT_EMPTY;
        bool over = false;
        for (int ply = 0; ply < 12 && !over; ply++) {
            char command[512];
            char move[32];
            snprintf(command, sizeof command, "position start %s moves%s", starts[i], text_string(&moves));
            expect(lines, command, "");
            assert_true(say(lines, "show"));
            struct text shown = heard;
            heard = TEXT_EMPTY;
            const char *text = strstr(text_string(&shown), "show text ") + 10;
            over = strstr(text_string(&shown), "\nshow over\n") != NULL;
            snprintf(command, sizeof command, "position text %.*s", (int)strcspn(text, "\n"), text);
            if (strcspn(text, "\n") < 480) {
                expect(lines, command, "");
                assert_true(say(lines, "show"));
                assert_string_equal(strstr(text_string(&heard), "show score"),
                                    strstr(text_string(&shown), "show score"));
                text_free(&heard);
            }
            text_free(&shown);
            ask_move(lines, rng_below(&rng, 2) ? "go nodes 200" : "go depth 2", move);
            lines_add_move(&moves, move);
            over = over || strcmp(move, "none") == 0;
        }
        text_free(&moves);
    }
    lines_free(lines);
}

static void test_game_over(void **state) {
    (void)state;
    struct lines *lines = start();
    expect(lines, "position start gomoku size 5 moves A1 A2 B1 B2 C1 C2 D1 D2 E1", "");
    expect(lines, "go depth 3", "\nbestmove none");
    assert_true(say(lines, "show"));
    assert_non_null(strstr(text_string(&heard), "\nshow score 1\nshow over\nshowok"));
    lines_free(lines);
}

/* What a search says on its way. */
static void test_info(void **state) {
    (void)state;
    struct lines *lines = start();
    expect(lines, "position start gomoku moves H8 A1 I8 A2 J8 A3", "");
    assert_true(say(lines, "go depth 4"));
    lines_wait(lines);
    assert_non_null(strstr(text_string(&heard), " score win 3 proved wdl 1000 0 0 nodes "));
    text_free(&heard);
    expect(lines, "position text war stake 2 X/3 1/2 5/../.O", "");
    assert_true(say(lines, "go exact"));
    lines_wait(lines);
    assert_non_null(strstr(text_string(&heard), " score value -5 proved nodes "));
    assert_non_null(strstr(text_string(&heard), " pv A2_Stake"));
    text_free(&heard);
    expect(lines, "position start laser size 5", "");
    assert_true(say(lines, "go multipv 3 depth 3"));
    lines_wait(lines);
    assert_non_null(strstr(text_string(&heard), " multipv 1 score "));
    assert_non_null(strstr(text_string(&heard), " multipv 3 score "));
    lines_free(lines);
}

/* The seconds from here until the move is out. */
static double until_move(struct lines *lines, double since) {
    lines_wait(lines);
    double taken = clock_wall() - since;
    const char *first = strstr(text_string(&heard), "\nbestmove ");
    assert_non_null(first);
    assert_null(strstr(first + 1, "\n"));
    text_free(&heard);
    return taken;
}

/* On a machine that is busy with other things a promise of the clock is kept when it is kept once. */
#define TRIES 8

/* A search without an end is stopped after a moment; the seconds until its move. Others are refused meanwhile. */
static double stop_once(struct lines *lines, const char *go) {
    assert_true(say(lines, go));
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    assert_true(say(lines, "wait"));
    assert_true(say(lines, "newgame"));
    assert_true(say(lines, "go depth 1"));
    assert_true(say(lines, "isready"));
    double begun = clock_wall();
    assert_true(say(lines, "stop"));
    lines_wait(lines);
    double taken = clock_wall() - begun;
    const char *text = text_string(&heard);
    assert_non_null(strstr(text, "\nerror wait: expected a search that ends by itself"));
    assert_non_null(strstr(text, "\nerror newgame: a search is under way: expected stop first"));
    assert_non_null(strstr(text, "\nerror go: a search is under way: expected stop first"));
    assert_true(strstr(text, "\nreadyok") < strstr(text, "\nbestmove "));
    until_move(lines, begun);
    return taken;
}

/* In every game within a tenth of a second, also where the search itself is over long before. */
static void test_stop(void **state) {
    (void)state;
    struct lines *lines = start();
    static const char *const starts[] = {"position start gomoku moves H8", "position start war size 8 random 1",
                                         "position start laser size 14 random 2", "position start war rules sneak",
                                         "position start gomoku size 5 moves A1 E5 B1 E4 C1 E3 D1 D5"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        expect(lines, starts[i], "");
        expect(lines, "isready", "\nreadyok");
        double taken = 1;
        for (int try = 0; try < TRIES && taken > 0.1; try++) {
            taken = stop_once(lines, i & 1 ? "go" : "go infinite");
        }
        assert_true(taken <= 0.1 * PATIENT);
    }
    assert_true(say(lines, "position start gomoku moves H8"));
    for (int i = 0; i < 20; i++) { /* a stop that comes before the search has begun */
        assert_true(say(lines, "go infinite"));
        assert_true(say(lines, "stop"));
        until_move(lines, 0);
    }
    assert_true(say(lines, "go infinite"));
    lines_free(lines); /* the end of the conversation ends the search */
    assert_non_null(strstr(text_string(&heard), "\nbestmove "));
}

/* Whether one of some tries of a go takes between these seconds. */
static bool takes(struct lines *lines, const char *go, double least, double most) {
    for (int try = 0; try < TRIES; try++) {
        double begun = clock_wall();
        assert_true(say(lines, "newgame"));
        assert_true(say(lines, go));
        double taken = until_move(lines, begun);
        if (taken >= least && taken <= most * PATIENT) {
            return true;
        }
    }
    return false;
}

/* The clocks: a move's, and a share of the game's, of which only the own side's counts. */
static void test_clocks(void **state) {
    (void)state;
    struct lines *lines = start();
    expect(lines, "position start gomoku moves H8", "");
    expect(lines, "isready", "\nreadyok");
    assert_true(takes(lines, "go movetime 300", 0.15, 0.3));
    assert_true(takes(lines, "go time1 1 time2 4000", 0.02, 1.0));
    assert_true(takes(lines, "go cpu movetime 100", 0.02, 10));
    assert_true(takes(lines, "go time1 100000 time2 40 legal A1 B1", 0, 0.3));
    lines_free(lines);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_manners),    cmocka_unit_test(test_introduction), cmocka_unit_test(test_refused_position),
        cmocka_unit_test(test_every_game), cmocka_unit_test(test_game_over),    cmocka_unit_test(test_info),
        cmocka_unit_test(test_stop),       cmocka_unit_test(test_clocks),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    text_free(&heard);
    return failed;
}
