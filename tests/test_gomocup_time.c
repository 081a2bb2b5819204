/* What a Gomocup brain does with its time: the clock of a match, the other side's turns, and what it keeps from one
 * move to the next. These tests look inside (gomocup_state.h), so that a busy machine cannot make them fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/stopwatch.h"
#include "base/text.h"
#include "protocols/gomocup/bell.h"
#include "protocols/gomocup/gomocup_state.h"

static struct text everything;
/* Of the last message about a search. */
static int depth_heard;
static long long nodes_heard;

static void listen(void *user, const char *line) {
    (void)user;
    text_addf(&everything, "|%s", line);
    sscanf(line, "MESSAGE depth %d value %*d nodes %lld", &depth_heard, &nodes_heard);
}

static void say(struct gomocup *gomocup, const char *line) {
    assert_true(gomocup_line(gomocup, line, strlen(line)));
}

static struct gomocup *start(const char *const *lines) {
    struct gomocup_options options = {.hash_bytes = (size_t)16 << 20, .answer = listen};
    struct gomocup *gomocup = gomocup_new(&options, NULL);
    assert_non_null(gomocup);
    for (; *lines; lines++) {
        say(gomocup, *lines);
    }
    return gomocup;
}

/* Says it and waits for the move, but not for what goes on behind it. */
static void ask(struct gomocup *gomocup, const char *line) {
    say(gomocup, line);
    gomocup_watch(gomocup, NULL);
    assert_false(gomocup->thinking);
}

static void forget(void) {
    text_free(&everything);
    everything = TEXT_EMPTY;
    depth_heard = 0;
}

/* While it may be written. */
static int heard_depth(struct gomocup *gomocup) {
    pthread_mutex_lock(&gomocup->speaking);
    int depth = depth_heard;
    pthread_mutex_unlock(&gomocup->speaking);
    return depth;
}

static void doze(double seconds) {
    struct timespec span = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&span, NULL);
}

/* A manager that never says how much is left: the brain keeps the account, and begins it anew with every game. What
 * the manager says counts more. */
static void test_own_account(void **state) {
    (void)state;
    static const char *const lines[] = {"START 15", "INFO timeout_turn 100000", "INFO timeout_match 100000",
                                        "INFO max_depth 1", NULL};
    struct gomocup *gomocup = start(lines);
    ask(gomocup, "TURN 7,7");
    assert_true(gomocup->limits.wall_seconds_left > 80 && gomocup->limits.wall_seconds_left < 100);
    int64_t first = gomocup->time_left;
    assert_true(first > 80000 && first < 100000);
    ask(gomocup, "TURN 0,0");
    assert_true(gomocup->time_left < first);
    say(gomocup, "INFO time_left 50000");
    ask(gomocup, "TURN 14,14");
    assert_true(gomocup->limits.wall_seconds_left < 50);
    assert_true(gomocup->time_left < 50000);
    say(gomocup, "RESTART");
    ask(gomocup, "BEGIN");
    assert_true(gomocup->limits.wall_seconds_left > 80);
    say(gomocup, "INFO time_left 60000"); /* told before the game begins, it counts */
    say(gomocup, "RESTART");
    ask(gomocup, "BEGIN");
    assert_true(gomocup->limits.wall_seconds_left < 60);
    gomocup_free(gomocup);
}

/* A choice of swap2 has what is left of the turn, and searches not all of that. */
static void test_turn_of_swap2(void **state) {
    (void)state;
    static const char *const lines[] = {"START 15", "INFO timeout_turn 1000", NULL};
    struct gomocup *gomocup = start(lines);
    gomocup->asked_at = clock_wall() - 0.5; /* a rule's tables were made meanwhile */
    double seconds = gomocup_turn_seconds(gomocup, 5);
    assert_true(seconds >= 0 && seconds < 0.35);
    gomocup->asked_at = clock_wall() - 2;
    assert_true(gomocup_turn_seconds(gomocup, 5) == 0);
    say(gomocup, "INFO timeout_turn 100000");
    assert_true(gomocup_turn_seconds(gomocup, 5) == 5);
    gomocup_free(gomocup);
    forget();
}

/* "Stop thinking" in Piskvork's manager: a turn of nothing ends the move under way, and no move later. */
static void test_move_at_once(void **state) {
    (void)state;
    static const char *const lines[] = {"START 15", "INFO timeout_turn 100000", NULL};
    struct gomocup *gomocup = start(lines);
    say(gomocup, "TURN 7,7");
    assert_true(gomocup->thinking);
    say(gomocup, "INFO time_left 90000");
    assert_true(gomocup->thinking);
    say(gomocup, "INFO timeout_turn 0");
    assert_false(gomocup->thinking);
    assert_int_equal(gomocup->position.count, 2);
    say(gomocup, "INFO timeout_turn 0"); /* nothing is under way */
    assert_int_equal(gomocup->position.count, 2);
    say(gomocup, "INFO timeout_turn 100000");
    say(gomocup, "TURN 0,0");
    assert_true(gomocup->thinking);
    gomocup_free(gomocup);
    forget();
}

/* The answer is due before the match's time is over, and a reserve stays for the answers of a long game; however little
 * is left, some of it is thought. */
static void test_match_is_not_lost(void **state) {
    (void)state;
    static const char *const lines[] = {"START 20", "INFO timeout_turn 100000", "INFO timeout_match 100000", NULL};
    static const int left[] = {100000, 10000, 1000, 100, 20, 6, 0, -50};
    struct gomocup *gomocup = start(lines);
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        char line[40];
        snprintf(line, sizeof line, "INFO time_left %d", left[i]);
        say(gomocup, line);
        snprintf(line, sizeof line, "INFO max_depth %d", left[i] > 1000); /* the limits are what is looked at */
        say(gomocup, line);
        say(gomocup, "RESTART");
        ask(gomocup, "TURN 7,7");
        double seconds = (left[i] > 5 ? left[i] : 5) / 1000.0;
        double due = gomocup->due - gomocup->asked_at;
        double rest = gomocup->limits.wall_seconds_left;
        assert_true(due > 0 && due < seconds);
        assert_true(due <= 0.25 * seconds + 0.051); /* a search that is not let run costs no more than that */
        assert_true(rest > 0 && rest < seconds);
        /* 399 squares are empty: 200 answers cost at least 4 ms each, a third of the time at most */
        assert_true(rest <= seconds - 0.75 || rest <= 0.7 * seconds);
    }
    gomocup_free(gomocup);
}

/* What came while another command was being done (by some rules the first takes a while) is answered as if it had been
 * taken at once; what comes behind an answer cannot have come before it. */
static void test_clock_runs_since_it_came(void **state) {
    (void)state;
    static const char *const lines[] = {"START 15", "INFO timeout_turn 500", NULL};
    struct gomocup *gomocup = start(lines);
    double came = gomocup->heard_at = clock_wall() - 0.3;
    say(gomocup, "INFO rule 1");
    ask(gomocup, "TURN 7,7");
    assert_true(gomocup->asked_at == came);
    assert_true(gomocup->due - came < 0.5);
    assert_true(gomocup->heard_at > came + 0.3);
    gomocup_free(gomocup);
    struct bell_input input;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_true(bell_input_open(&input, ends[0]));
    assert_false(bell_input_ready(&input));
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_true(bell_input_ready(&input));
    bell_input_close(&input);
    close(ends[0]);
    close(ends[1]);
}

/* A choice of swap2 takes its share of a match, not all of the turn. */
static void test_swap2_in_a_match(void **state) {
    (void)state;
    static const char *const lines[] = {"INFO timeout_turn 5000", "INFO timeout_match 10000", "START 15", NULL};
    struct gomocup *gomocup = start(lines);
    assert_true(gomocup_turn_seconds(gomocup, 5) <= 0.5);
    say(gomocup, "SWAP2BOARD");
    say(gomocup, "DONE");
    assert_true(gomocup->time_left < 10000);
    say(gomocup, "INFO timeout_match 0");
    assert_true(gomocup_turn_seconds(gomocup, 5) > 0.5);
    gomocup_free(gomocup);
}

/* The nodes of a search to this depth with two stones on the board. */
static long long nodes_to(struct gomocup *gomocup, int depth) {
    static const char *const stones[] = {"BOARD", "7,7,1", "8,8,2", "DONE"};
    char line[40];
    snprintf(line, sizeof line, "INFO max_depth %d", depth);
    say(gomocup, line);
    for (size_t i = 0; i < sizeof stones / sizeof *stones; i++) {
        say(gomocup, stones[i]);
    }
    gomocup_wait(gomocup);
    return nodes_heard;
}

/* What one search has found out helps the next, whose entries are younger; a new game begins with nothing. */
static void test_keeps_its_table(void **state) {
    (void)state;
    static const char *const lines[] = {"START 15", "INFO timeout_turn 2147483647", NULL};
    struct gomocup *gomocup = start(lines);
    long long fresh = nodes_to(gomocup, 10);
    nodes_to(gomocup, 12);
    assert_true(nodes_to(gomocup, 10) < fresh / 2);
    say(gomocup, "RESTART");
    assert_int_equal(nodes_to(gomocup, 10), fresh);
    gomocup_free(gomocup);
}

/* A manager's turn that does not give the game away: what wins at once is not searched for long. */
static void sound_turn(const struct gomocup *gomocup, char turn[32]) {
    int square = (int)gomoku_quick_move(&gomocup->position, NULL);
    snprintf(turn, 32, "TURN %d,%d", square % 15, square / 15);
}

/* Only when it is asked to does it think in the other side's turn; nothing is said of it, and the move after it comes
 * from a search as ever. */
static void test_ponders_when_asked(void **state) {
    (void)state;
    static const char *const lines[] = {"START 15", "INFO timeout_turn 50", NULL};
    struct gomocup *gomocup = start(lines);
    char turn[32];
    ask(gomocup, "TURN 7,7");
    gomocup_settle(gomocup);
    assert_false(gomocup->searching);
    say(gomocup, "INFO pondering 1");
    sound_turn(gomocup, turn);
    ask(gomocup, turn);
    assert_true(gomocup->searching);
    forget();
    doze(0.2);
    assert_true(gomocup->searching);
    assert_int_equal(heard_depth(gomocup), 0);
    assert_string_equal(text_string(&everything), "");
    say(gomocup, "INFO timeout_turn 20000");
    sound_turn(gomocup, turn);
    say(gomocup, turn);
    for (int i = 0; i < 100 && heard_depth(gomocup) < 2; i++) {
        doze(0.1);
    }
    assert_in_range(heard_depth(gomocup), 2, 99);
    say(gomocup, "STOP");
    say(gomocup, "INFO timeout_turn 50");
    say(gomocup, "INFO pondering 0");
    sound_turn(gomocup, turn);
    ask(gomocup, turn);
    gomocup_settle(gomocup);
    assert_false(gomocup->searching);
    say(gomocup, "INFO pondering 1");
    say(gomocup, "INFO max_depth 3"); /* what is in the table would change the answer */
    sound_turn(gomocup, turn);
    ask(gomocup, turn);
    gomocup_settle(gomocup);
    assert_false(gomocup->searching);
    gomocup_free(gomocup);
}

/* Whatever comes while it ponders ends that, and is done. */
static void test_pondering_disturbs_nothing(void **state) {
    (void)state;
    static const char *const lines[] = {"START 15", "INFO timeout_turn 30", "INFO pondering 1", NULL};
    static const char *const disturbances[] = {
        "INFO thread_num 2", "INFO max_memory 30000000", "INFO rule 1", "STOP", "ABOUT", "YXHASHCLEAR",
        "YXSHOWFORBID",      "INFO show_detail 3"};
    struct gomocup *gomocup = start(lines);
    for (size_t i = 0; i < sizeof disturbances / sizeof *disturbances; i++) {
        say(gomocup, "RESTART");
        ask(gomocup, "TURN 7,7");
        say(gomocup, disturbances[i]);
        ask(gomocup, "TURN 0,0");
    }
    assert_null(strstr(text_string(&everything), "ERROR"));
    say(gomocup, "START 20");
    ask(gomocup, "BEGIN");
    assert_int_equal(gomocup->position.count, 1);
    gomocup_free(gomocup);
}

/* A search that ended by itself long before anybody asked is no sign of a busy machine, which would cost all later
 * moves their time. On this board pondering ends at once: a square or two are left, and nobody can win. */
static void test_an_end_long_ago(void **state) {
    (void)state;
    static const char *const lines[] = {"START 5", "INFO timeout_turn 1000", "INFO pondering 1", "BOARD", NULL};
    static const char drawn[] = "12121"
                                "12121"
                                "21212"
                                "21212"
                                "12...";
    struct gomocup *gomocup = start(lines);
    for (int square = 0; square < 25; square++) {
        char line[20];
        if (drawn[square] != '.') {
            snprintf(line, sizeof line, "%d,%d,%c", square % 5, square / 5, drawn[square]);
            say(gomocup, line);
        }
    }
    ask(gomocup, "DONE");
    assert_true(gomocup->searching);
    doze(2.0);
    gomocup_settle(gomocup);
    assert_true(thinker_delay(gomocup->thinker) < 1.5);
    gomocup_free(gomocup);
}

/* The end of the input ends the pondering, too. */
static void test_ends_with_the_input(void **state) {
    (void)state;
    static const char talk[] = "START 15\nINFO timeout_turn 30\nINFO pondering 1\nTURN 7,7\nTURN 0,0\n";
    struct gomocup_options options = {.hash_bytes = (size_t)16 << 20, .answer = listen};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], talk, sizeof talk - 1), (ssize_t)sizeof talk - 1);
    close(ends[1]);
    double begin = clock_wall();
    assert_int_equal(gomocup_loop(&options, ends[0]), STATUS_OK);
    assert_true(clock_wall() - begin < 20);
    close(ends[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_account),
        cmocka_unit_test(test_move_at_once),
        cmocka_unit_test(test_turn_of_swap2),
        cmocka_unit_test(test_match_is_not_lost),
        cmocka_unit_test(test_swap2_in_a_match),
        cmocka_unit_test(test_clock_runs_since_it_came),
        cmocka_unit_test(test_keeps_its_table),
        cmocka_unit_test(test_ponders_when_asked),
        cmocka_unit_test(test_pondering_disturbs_nothing),
        cmocka_unit_test(test_an_end_long_ago),
        cmocka_unit_test(test_ends_with_the_input),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    text_free(&everything);
    return failed;
}
