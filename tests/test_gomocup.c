/* The Gomocup protocol as a manager sees it: commands in, answers out. */
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
#include "games/gomoku/rules/gomoku.h"
#include "protocols/gomocup/gomocup.h"

/* All answers but MESSAGE and DEBUG, each behind a "|". */
static struct text heard;
/* Those too, since the last time they were forgotten. */
static struct text everything;
/* Of the last MESSAGE about a search. */
static int depth_heard;

static void listen(void *user, const char *line) {
    (void)user;
    text_addf(&everything, "|%s", line);
    sscanf(line, "MESSAGE depth %d", &depth_heard);
    if (strncmp(line, "MESSAGE", 7) != 0 && strncmp(line, "DEBUG", 5) != 0) {
        text_addf(&heard, "|%s", line);
    }
}

static void forget(void) {
    text_free(&heard);
    text_free(&everything);
    heard = everything = TEXT_EMPTY;
}

static struct gomocup *start(void) {
    struct gomocup_options options = {.hash_bytes = (size_t)4 << 20, .answer = listen};
    struct gomocup *gomocup = gomocup_new(&options, NULL);
    assert_non_null(gomocup);
    forget();
    return gomocup;
}

static bool say(struct gomocup *gomocup, const char *line) {
    return gomocup_line(gomocup, line, strlen(line));
}

static void assert_heard(struct gomocup *gomocup, const char *expected) {
    gomocup_wait(gomocup);
    assert_string_equal(text_string(&heard), expected);
    forget();
}

/* Takes the answer for a move; fails when it is none. */
static int heard_square(struct gomocup *gomocup, int size) {
    int x;
    int y;
    char rest;
    gomocup_wait(gomocup);
    assert_int_equal(sscanf(text_string(&heard), "|%d,%d%c", &x, &y, &rest), 2);
    assert_in_range(x, 0, size - 1);
    assert_in_range(y, 0, size - 1);
    forget();
    return y * size + x;
}

static void test_manners(void **state) {
    (void)state;
    struct gomocup *gomocup = start();
    static const char *const noise[][2] = {
        {"", ""},
        {"   ", ""},
        {"HELLO", "|UNKNOWN command"},
        {"BEGIN", "|ERROR expected START first"},
        {"TURN 3,3", "|ERROR expected START first"},
        {"START", "|ERROR expected a board size of 5 to 22"},
        {"START 4", "|ERROR expected a board size of 5 to 22"},
        {"START 23", "|ERROR expected a board size of 5 to 22"},
        {"START 15 14", "|ERROR only square boards are known"},
        {"START 15 23", "|ERROR expected a board size of 5 to 22"},
        {"START 15 15 15", "|ERROR expected a board size of 5 to 22"},
        {"START 15,15", "|ERROR expected a board size of 5 to 22"},
        {"START 99999999999999999999", "|ERROR expected a board size of 5 to 22"},
        {"START 18446744073709551631", "|ERROR expected a board size of 5 to 22"}, /* 15 in 64 bits */
        {"RECTSTART 10,12", "|ERROR only square boards are known"},
        {"RECTSTART 15", "|ERROR expected a width and a height as w,h"},
        {"RECTSTART 23,23", "|ERROR expected a board size of 5 to 22"},
        {"RECTSTART 4,4", "|ERROR expected a board size of 5 to 22"},
        {"RECTSTART 15,15", "|OK"},
        {"START 15\r\n", "|OK"},
        {"INFO", ""},
        {"INFO timeout_turn", ""},
        {"INFO timeout_turn 20", ""},
        {"INFO timeout_match 0", ""},
        {"INFO time_left 2147483647", ""},
        {"INFO max_memory 5000000", ""},
        {"INFO game_type 1", ""},
        {"INFO rule 0", ""},
        {"INFO folder /tmp", ""},
        {"info evaluate 3,4", ""},
        {"TURN", "|ERROR expected a square of the board as x,y"},
        {"TURN 15,0", "|ERROR expected a square of the board as x,y"},
        {"TURN -1,0", "|ERROR expected a square of the board as x,y"},
        {"TURN 3", "|ERROR expected a square of the board as x,y"},
        {"TURN 3,4,5", "|ERROR expected a square of the board as x,y"},
        {"TURN a,b", "|ERROR expected a square of the board as x,y"},
        {"TAKEBACK 3,3", "|ERROR expected the square of the last move"},
        {"restart", "|OK"},
    };
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++) {
        assert_true(say(gomocup, noise[i][0]));
        assert_heard(gomocup, noise[i][1]);
    }
    say(gomocup, "ABOUT");
    assert_non_null(strstr(text_string(&heard), "name=\"sortie\""));
    assert_false(say(gomocup, "END"));
    gomocup_free(gomocup);
}

/* A rule that is not known is told of when a move is asked for, and not before: a manager that sends INFO does not
 * listen. Nothing is played then, and the game goes on as soon as the rule is one that is known. */
static void test_rules_not_known(void **state) {
    (void)state;
    static const char error[] =
        "|ERROR rule %d is not known, only 0 (five or more win), 1 (exactly five), 4 (renju) and 8 (caro)";
    static const int rules[] = {5, 9, 12, 13, 16, 64};
    struct gomocup *gomocup = start();
    say(gomocup, "START 15");
    say(gomocup, "INFO timeout_turn 20");
    assert_heard(gomocup, "|OK");
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        char line[40];
        char expected[160];
        snprintf(line, sizeof line, "INFO rule %d", rules[i]);
        snprintf(expected, sizeof expected, error, rules[i]);
        say(gomocup, line);
        gomocup_wait(gomocup);
        assert_string_equal(text_string(&everything), "");
        say(gomocup, "BEGIN");
        assert_heard(gomocup, expected);
        say(gomocup, "TURN 3,3");
        assert_heard(gomocup, expected);
        say(gomocup, "BOARD");
        say(gomocup, "3,3,2");
        say(gomocup, "DONE");
        assert_heard(gomocup, expected);
    }
    for (int rule = 0; rule < 12; rule++) { /* the second bit is a game that goes on, which changes nothing here */
        char line[40];
        if ((rule & 5) == 5 || (rule & 9) == 9) {
            continue;
        }
        snprintf(line, sizeof line, "INFO rule %d", rule);
        say(gomocup, "RESTART");
        say(gomocup, line);
        assert_heard(gomocup, "|OK");
        say(gomocup, "TURN 3,3");
        heard_square(gomocup, 15);
    }
    gomocup_free(gomocup);
}

/* Boards larger than those of tournaments, which managers offer. */
static void test_large_boards(void **state) {
    (void)state;
    struct gomocup *gomocup = start();
    for (int size = 21; size <= 22; size++) {
        char line[40];
        snprintf(line, sizeof line, "START %d", size);
        say(gomocup, line);
        say(gomocup, "INFO timeout_turn 30");
        assert_heard(gomocup, "|OK");
        snprintf(line, sizeof line, "TURN %d,%d", size - 1, size - 1);
        say(gomocup, line);
        assert_int_not_equal(heard_square(gomocup, size), size * size - 1);
        say(gomocup, "BOARD"); /* four in the last row, to the corner, beside three of the other side */
        for (int i = 0; i < 4; i++) {
            snprintf(line, sizeof line, "%d,%d,1", size - 1 - i, size - 1);
            say(gomocup, line);
            snprintf(line, sizeof line, "%d,%d,2", size - 1 - 2 * i, 0);
            say(gomocup, line);
        }
        say(gomocup, "DONE");
        assert_int_equal(heard_square(gomocup, size), size * size - 5);
    }
    gomocup_free(gomocup);
}

static void test_game(void **state) {
    (void)state;
    struct gomocup *gomocup = start();
    say(gomocup, "START 15");
    say(gomocup, "INFO timeout_turn 20");
    assert_heard(gomocup, "|OK");
    say(gomocup, "BEGIN");
    int first = heard_square(gomocup, 15);
    char line[40];
    snprintf(line, sizeof line, "TURN %d,%d", first % 15, first / 15);
    say(gomocup, line);
    assert_heard(gomocup, "|ERROR expected an empty square and a game that is not over");
    say(gomocup, "BEGIN");
    assert_heard(gomocup, "|ERROR expected an empty board");
    say(gomocup, "TURN 0,0");
    int second = heard_square(gomocup, 15);
    assert_int_not_equal(first, second);
    snprintf(line, sizeof line, "TAKEBACK %d,%d", second % 15, second / 15);
    say(gomocup, line);
    say(gomocup, "TAKEBACK 0,0");
    assert_heard(gomocup, "|OK|OK");
    say(gomocup, "TURN 0,0");
    heard_square(gomocup, 15);
    gomocup_free(gomocup);
}

static void test_board(void **state) {
    (void)state;
    struct gomocup *gomocup = start();
    say(gomocup, "START 15");
    say(gomocup, "INFO timeout_turn 20");
    static const char *const four[] = {"BOARD", "3,3,1", "3,7,2", "4,3,1", "4,7,2",
                                       "5,3,1", "5,7,2", "6,3,1", "6,7,2", "DONE"};
    for (size_t i = 0; i < sizeof four / sizeof *four; i++) {
        say(gomocup, four[i]);
    }
    gomocup_wait(gomocup);
    assert_true(strcmp(text_string(&heard), "|OK|2,3") == 0 || strcmp(text_string(&heard), "|OK|7,3") == 0);
    text_free(&heard);
    static const char *const bad[][4] = {
        {"3,3,1", "3,3,2", "DONE", NULL},  /* the same square twice */
        {"3,3,1", "4,4,1", "DONE", NULL},  /* out of balance */
        {"3,3,1", "15,4,2", "DONE", NULL}, /* off the board */
        {"3,3,1", "4,4,3", "DONE", NULL},  /* nobody's stone */
        {"3,3,1", "nonsense", "DONE", NULL},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        say(gomocup, "BOARD");
        for (int j = 0; bad[i][j]; j++) {
            say(gomocup, bad[i][j]);
        }
        gomocup_wait(gomocup);
        assert_memory_equal(text_string(&heard), "|ERROR", 6);
        text_free(&heard);
        heard = TEXT_EMPTY;
    }
    say(gomocup, "BOARD");
    say(gomocup, "DONE"); /* an empty board: the first move */
    heard_square(gomocup, 15);
    gomocup_free(gomocup);
}

/* STOP is answered at once, END in the middle of thinking ends it. */
static void test_stop(void **state) {
    (void)state;
    struct gomocup *gomocup = start();
    say(gomocup, "START 15");
    say(gomocup, "INFO timeout_turn 60000");
    assert_heard(gomocup, "|OK");
    double begin = clock_wall();
    say(gomocup, "TURN 7,7");
    say(gomocup, "STOP");
    heard_square(gomocup, 15);
    say(gomocup, "TURN 0,0");
    assert_false(say(gomocup, "END"));
    assert_true(clock_wall() - begin < 10);
    gomocup_free(gomocup);
}

static void doze(double seconds) {
    struct timespec span = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&span, NULL);
}

/* However a manager says that there is no limit, the brain thinks, and until it is stopped. */
static void test_no_limit(void **state) {
    (void)state;
    static const char *const limits[][2] = {
        {"INFO timeout_turn 1000000000", "INFO timeout_match 0"},
        {"INFO timeout_turn 999999999", "INFO timeout_match 1000000000"},
        {"INFO timeout_turn 99999999999999999999999999", "INFO time_left 99999999999999999999999999"},
        {"INFO timeout_turn 2147483647", "INFO max_memory 99999999999999999999999999"},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct gomocup *gomocup = start();
        say(gomocup, limits[i][0]);
        say(gomocup, limits[i][1]);
        say(gomocup, "START 15");
        assert_heard(gomocup, "|OK");
        depth_heard = 0;
        say(gomocup, "TURN 7,7");
        for (int turn = 0; turn < 3; turn++) {
            doze(0.2);
            assert_string_equal(text_string(&heard), "");
        }
        say(gomocup, "STOP");
        heard_square(gomocup, 15);
        assert_in_range(depth_heard, 2, 99);
        gomocup_free(gomocup);
    }
}

/* With no time left at all, and with less than none, there is still a move at once. */
static void test_no_time(void **state) {
    (void)state;
    static const char *const limits[] = {"INFO timeout_turn 0", "INFO timeout_turn -99999999999999999999",
                                         "INFO timeout_turn 1", "INFO time_left -5", "INFO time_left 0"};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct gomocup *gomocup = start();
        say(gomocup, "START 15");
        say(gomocup, "INFO timeout_match 1000");
        say(gomocup, limits[i]);
        assert_heard(gomocup, "|OK");
        double begin = clock_wall();
        say(gomocup, "TURN 7,7");
        heard_square(gomocup, 15);
        assert_true(clock_wall() - begin < 5);
        gomocup_free(gomocup);
    }
}

/* A word with a zero in it is no command, and is not compared beyond the name's end. */
static void test_zero_byte(void **state) {
    (void)state;
    struct gomocup *gomocup = start();
    static const char start_zero[] = "START\0\0\0\0\0\0\0\0\0\0 15";
    static const char info_zero[] = "INFO timeout_turn\0\0\0\0 5";
    assert_true(gomocup_line(gomocup, start_zero, sizeof start_zero - 1));
    assert_heard(gomocup, "|UNKNOWN command");
    assert_true(gomocup_line(gomocup, info_zero, sizeof info_zero - 1));
    assert_heard(gomocup, "");
    gomocup_free(gomocup);
}

/* When the manager is gone the brain ends, whatever it was thinking about; what was asked is still answered. */
static void test_end_of_input(void **state) {
    (void)state;
    static const char *const talks[] = {"START 15\nINFO timeout_turn 60000\nTURN 7,7\n",
                                        "START 15\nINFO timeout_turn 60000\nTURN 7,7" /* and no line end */};
    for (int i = 0; i < 2; i++) {
        struct gomocup_options options = {.hash_bytes = (size_t)4 << 20, .answer = listen};
        int ends[2];
        heard = TEXT_EMPTY;
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], talks[i], strlen(talks[i])), (ssize_t)strlen(talks[i]));
        close(ends[1]);
        double begin = clock_wall();
        assert_int_equal(gomocup_loop(&options, ends[0]), STATUS_OK);
        assert_true(clock_wall() - begin < 10);
        assert_memory_equal(text_string(&heard), "|OK|", 4);
        assert_non_null(strchr(text_string(&heard), ','));
        close(ends[0]);
        text_free(&heard);
    }
    heard = TEXT_EMPTY;
}

/* Whole games on small boards against random moves, by all rules: never an illegal move. */
static void test_whole_games(void **state) {
    (void)state;
    struct rng rng = {5};
    for (int game = 0; game < 8; game++) {
        struct gomocup *gomocup = start();
        struct gomoku_position position;
        int size = 5 + 2 * (game / 2 + game % 2);
        char line[40];
        gomoku_clear(&position, size, game % GOMOKU_VARIANTS);
        say(gomocup, "INFO timeout_turn 5");
        static const int rules[] = {0, 1, 4, 8};
        snprintf(line, sizeof line, "INFO rule %d", rules[game % GOMOKU_VARIANTS]);
        say(gomocup, line);
        snprintf(line, sizeof line, "START %d", size);
        say(gomocup, line);
        assert_heard(gomocup, "|OK");
        const struct game_position *interface = (const struct game_position *)&position;
        while (!gomoku_game.over(interface)) {
            game_move moves[GOMOKU_MOST_SQUARES];
            int count = gomoku_game.moves(interface, moves);
            int square = (int)moves[rng_below(&rng, (uint32_t)count)];
            snprintf(line, sizeof line, "TURN %d,%d", square % size, square / size);
            gomoku_put(&position, square);
            say(gomocup, line);
            if (gomoku_game.over(interface)) {
                assert_heard(gomocup, "|ERROR the game is over");
                break;
            }
            square = heard_square(gomocup, size);
            assert_true(gomoku_game.legal(interface, (game_move)square));
            gomoku_put(&position, square);
        }
        gomocup_free(gomocup);
    }
}

/* The move for want of a better one is legal on every board, whatever the stack held before, and stops a five. */
static void test_quick_move(void **state) {
    (void)state;
    struct rng rng = {9};
    for (int game = 0; game < 40; game++) {
        struct gomoku_position position;
        gomoku_clear(&position, GOMOKU_LEAST_SIZE + game % (GOMOKU_MOST_SIZE - GOMOKU_LEAST_SIZE + 1),
                     game % GOMOKU_VARIANTS);
        const struct game_position *interface = (const struct game_position *)&position;
        while (!gomoku_game.over(interface)) {
            game_move moves[GOMOKU_MOST_SQUARES];
            memset(moves, (int)rng_below(&rng, 256), sizeof moves);
            game_move quick = gomoku_quick_move(&position, NULL);
            assert_true(gomoku_game.legal(interface, quick));
            int count = gomoku_game.moves(interface, moves);
            gomoku_put(&position, (int)(rng_below(&rng, 2) ? quick : moves[rng_below(&rng, (uint32_t)count)]));
        }
    }
    struct gomoku_position four;
    gomoku_clear(&four, 15, GOMOKU_FREESTYLE);
    static const int squares[] = {112, 0, 113, 2, 114, 30, 115, 111};
    for (size_t i = 0; i < sizeof squares / sizeof *squares - 1; i++) {
        gomoku_put(&four, squares[i]);
    }
    int stops = (int)gomoku_quick_move(&four, NULL);
    assert_true(stops == 111 || stops == 116);
}

/* What was said while thinking and before the move. */
static int messages;
static int longest_line;

static void listen_closely(void *user, const char *line) {
    int depth;
    int value;
    unsigned long long nodes;
    double speed;
    double time;
    int used = 0;
    listen(user, line);
    if (sscanf(line, "MESSAGE depth %d value %d nodes %llu nps %lf time %lf ms pv%n", &depth, &value, &nodes, &speed,
               &time, &used) == 5 &&
        used > 0) {
        int moves = 0;
        for (const char *c = line + used; *c; c++) {
            moves += *c == ',';
        }
        messages++;
        longest_line = moves > longest_line ? moves : longest_line;
    }
}

/* Analysis boards hear depth, value, nodes and line while the search goes on. */
static void test_tells_while_thinking(void **state) {
    (void)state;
    struct gomocup_options options = {.hash_bytes = (size_t)4 << 20, .answer = listen_closely};
    struct gomocup *gomocup = gomocup_new(&options, NULL);
    assert_non_null(gomocup);
    text_free(&heard);
    say(gomocup, "START 15");
    say(gomocup, "INFO timeout_turn 3000");
    say(gomocup, "INFO max_depth 12");
    assert_heard(gomocup, "|OK");
    messages = longest_line = 0;
    static const char *const board[] = {"BOARD", "7,7,1", "8,8,2", "8,6,1", "6,8,2", "7,8,1", "7,6,2", "DONE"};
    for (size_t i = 0; i < sizeof board / sizeof *board; i++) {
        say(gomocup, board[i]);
    }
    heard_square(gomocup, 15);
    assert_true(messages >= 2);
    assert_true(longest_line >= 2);
    gomocup_free(gomocup);
}

/* What boards hear, each line behind a "|"; numbers are left out. */
static struct text told;
static int lines_told; /* the greatest number of a line */
static int best_told = -1;
static bool proved_told;

static void listen_to_all(void *user, const char *line) {
    int number;
    int x;
    int y;
    listen(user, line);
    if (sscanf(line, "MESSAGE depth %*d multipv %d value", &number) == 1) {
        lines_told = number > lines_told ? number : lines_told;
    } else if (sscanf(line, "MESSAGE REALTIME BEST %d,%d", &x, &y) == 2) {
        best_told = y * 15 + x;
    } else if (strncmp(line, "MESSAGE INFO MAX_", 17) == 0) {
        text_addf(&told, "|%.*s", (int)strcspn(line + 13, " "), line + 13);
    }
    proved_told = proved_told || strncmp(line, "MESSAGE proved: wins in ", 24) == 0;
}

/* Yixin-Board's own commands: a position without a search, several best moves, the mark of the best one; what is not
 * known is harmless. */
static void test_boards(void **state) {
    (void)state;
    struct gomocup_options options = {.hash_bytes = (size_t)4 << 20, .answer = listen_to_all};
    struct gomocup *gomocup = gomocup_new(&options, NULL);
    assert_non_null(gomocup);
    text_free(&heard);
    say(gomocup, "YXSHOWINFO");
    assert_string_equal(text_string(&told), "|MAX_THREAD_NUM|MAX_HASH_SIZE");
    text_free(&told);
    say(gomocup, "YXNBEST 2");
    assert_heard(gomocup, "|ERROR expected START first");
    static const char *const quiet[] = {"START 15",
                                        "INFO timeout_turn 60000",
                                        "INFO max_depth 10",
                                        "INFO show_detail 1",
                                        "INFO hash_size 8192",
                                        "INFO hash_size -1",
                                        "INFO hash_size x",
                                        "INFO caution_factor 2",
                                        "INFO pondering 1",
                                        "INFO usedatabase 0",
                                        "INFO nbestsym 0",
                                        "yxhashclear",
                                        "YXBOARD",
                                        "7,7,1",
                                        "8,8,2",
                                        "8,6,1",
                                        "6,8,2",
                                        "DONE"};
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
        say(gomocup, quiet[i]);
    }
    assert_heard(gomocup, "|OK");
    say(gomocup, "YXSHOWFORBID");
    assert_heard(gomocup, "|FORBID .");
    say(gomocup, "YXNBEST 3");
    int square = heard_square(gomocup, 15);
    assert_int_equal(lines_told, 3);
    assert_int_equal(best_told, square);
    /* the next move is an ordinary one again; the engine's own stands on the board */
    lines_told = 0;
    char turn[40];
    snprintf(turn, sizeof turn, "TURN %d,%d", square % 15, square / 15);
    say(gomocup, turn);
    assert_heard(gomocup, "|ERROR expected an empty square and a game that is not over");
    say(gomocup, "TURN 0,0");
    heard_square(gomocup, 15);
    assert_int_equal(lines_told, 0);
    static const char *const strange[] = {"YXNBEST", "yxsomething 1 2"};
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        say(gomocup, strange[i]);
        gomocup_wait(gomocup);
        assert_true(text_string(&heard)[0] == '|');
        text_free(&heard);
    }
    /* a win that is found is called proved */
    static const char *const four[] = {"RESTART", "BOARD", "3,3,1", "0,0,2", "4,3,1", "0,2,2",
                                       "5,3,1",   "0,4,2", "6,3,1", "0,6,2", "DONE"};
    proved_told = false;
    for (size_t i = 0; i < sizeof four / sizeof *four; i++) {
        say(gomocup, four[i]);
    }
    gomocup_wait(gomocup);
    assert_true(proved_told);
    gomocup_free(gomocup);
}

/* Swap2: three stones, a choice after three, a choice after five; anything else is an error that changes nothing. */
static void test_swap2(void **state) {
    (void)state;
    struct gomocup *gomocup = start();
    say(gomocup, "SWAP2BOARD");
    assert_heard(gomocup, "|ERROR expected START first");
    say(gomocup, "START 15");
    say(gomocup, "INFO timeout_turn 300");
    say(gomocup, "SWAP2BOARD");
    say(gomocup, "DONE");
    int x[3];
    int y[3];
    char rest;
    assert_int_equal(
        sscanf(text_string(&heard), "|OK|%d,%d %d,%d %d,%d%c", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2], &rest), 6);
    assert_false((x[0] == x[1] && y[0] == y[1]) || (x[0] == x[2] && y[0] == y[2]) || (x[1] == x[2] && y[1] == y[2]));
    text_free(&heard);
    static const char *const better_black[] = {"swap2board", "7,7", "0,0", "7,8", "DONE"};
    for (size_t i = 0; i < sizeof better_black / sizeof *better_black; i++) {
        say(gomocup, better_black[i]);
    }
    assert_heard(gomocup, "|SWAP");
    static const char *const better_white[] = {"SWAP2BOARD", "0,0", "7,7", "14,14", "8,8", "0,14", "DONE"};
    for (size_t i = 0; i < sizeof better_white / sizeof *better_white; i++) {
        say(gomocup, better_white[i]);
    }
    heard_square(gomocup, 15);
    static const char *const bad[][3] = {
        {"1,1", NULL}, {"1,1", "1,1", "2,2"}, {"1,1", "15,3", "2,2"}, {"1,1", "x", "2,2"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        say(gomocup, "SWAP2BOARD");
        for (int k = 0; k < 3 && bad[i][k]; k++) {
            say(gomocup, bad[i][k]);
        }
        say(gomocup, "DONE");
        assert_heard(gomocup, "|ERROR expected no, three or five lines x,y of empty squares");
    }
    say(gomocup, "BEGIN"); /* nothing of it has become the game */
    heard_square(gomocup, 15);
    gomocup_free(gomocup);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quick_move),
        cmocka_unit_test(test_boards),
        cmocka_unit_test(test_swap2),
        cmocka_unit_test(test_manners),
        cmocka_unit_test(test_game),
        cmocka_unit_test(test_rules_not_known),
        cmocka_unit_test(test_large_boards),
        cmocka_unit_test(test_board),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_whole_games),
        cmocka_unit_test(test_no_limit),
        cmocka_unit_test(test_no_time),
        cmocka_unit_test(test_zero_byte),
        cmocka_unit_test(test_end_of_input),
        cmocka_unit_test(test_tells_while_thinking),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    forget();
    return failed;
}
