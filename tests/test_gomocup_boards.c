/* Analysis boards at the Gomocup brain: what they send, command for command, and their way of reading the answers.
 *
 * Yixin-Board takes each line by its first words: REALTIME lines mark squares, INFO lines and FORBID set what they say,
 * OK, MESSAGE, ERROR and UNKNOWN go to its log, and everything else is the move it waits for. Boards in the browser
 * read lines "INFO key value" between "INFO PV n" and "INFO PV DONE". */
#include <ctype.h>
#include <pthread.h>
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
#include "protocols/gomocup/gomocup.h"

#define SIZE 15
#define MOST_MOVES 64
#define PATIENCE 60.0 /* seconds, before a test gives up on a line; the machine may be busy */

/* What a line of the log says of a search. */
struct saying {
    int number; /* of the line; 0: there is only one */
    int depth;
    int value;
    long long nodes;
    int count;
    int squares[MOST_MOVES]; /* as the board counts: row * SIZE + column */
};

/* A group of INFO lines. */
struct group {
    int pv, numpv, depth;
    long long totalnodes;
    char eval[16];
    double winrate;
    int count;
    int squares[MOST_MOVES];
};

/* The board's side of the conversation; whatever thread speaks, one line comes at a time. */
static pthread_mutex_t board_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int lines, okays, errors, unknown, marks, details, forbids;
    char forbidden[64];
    int moves; /* answers that are moves, and the last of them */
    int move[2][2];
    int best, pos, lost_count, done_count;
    int bestval;
    char bestline[1024];
    int threads, hash;
    char swap2[256];
    struct saying last;
    int sayings;
    int plain;      /* messages to a manager: "depth d value v nodes n nps s time t ms pv moves" */
    int deepest[8]; /* depth last heard for each number */
    int value[8];
    int first[8]; /* and the move */
    struct group group, groups[8];
    int group_count;
    bool in_group;
    char log[512]; /* the last other message, error or unknown */
} board;

/* "a1" is the lower left corner: the column's letter, and the row counted from below. */
static int read_letters(const char *text, int *used) {
    int row;
    char letter;
    if (sscanf(text, " %c%d%n", &letter, &row, used) != 2) {
        return -1;
    }
    int column = tolower((unsigned char)letter) - 'a';
    assert_in_range(column, 0, SIZE - 1);
    assert_in_range(row, 1, SIZE);
    return (SIZE - row) * SIZE + column;
}

/* "(k) depth d value v moves | nodes n nps s time t ms"; false when it is another message. */
static bool read_saying(const char *text, struct saying *saying) {
    int used = 0;
    memset(saying, 0, sizeof *saying);
    if (sscanf(text, "(%d) %n", &saying->number, &used) == 1) {
        text += used;
    }
    used = 0;
    if (sscanf(text, "depth %d value %d%n", &saying->depth, &saying->value, &used) != 2 ||
        strncmp(text + used, " nodes", 6) == 0) {
        return false;
    }
    text += used;
    while (strncmp(text, " |", 2) != 0) {
        assert_in_range(saying->count, 0, MOST_MOVES - 1);
        saying->squares[saying->count] = read_letters(text, &used);
        assert_true(saying->squares[saying->count++] >= 0);
        text += used;
    }
    double speed;
    double time;
    assert_int_equal(sscanf(text, " | nodes %lld nps %lf time %lf ms", &saying->nodes, &speed, &time), 3);
    return true;
}

static void hear_realtime(const char *text) {
    int row;
    int column;
    int square = -1;
    board.marks++;
    if (sscanf(text, "%*s %d,%d", &row, &column) == 2) {
        assert_in_range(row, 0, SIZE - 1);
        assert_in_range(column, 0, SIZE - 1);
        square = row * SIZE + column;
    }
    if (strncmp(text, "BEST ", 5) == 0) {
        board.best = square;
    } else if (strncmp(text, "POS ", 4) == 0) {
        board.pos = square;
    } else if (strncmp(text, "DONE ", 5) == 0) {
        board.done_count++;
        assert_int_equal(square, board.pos);
    } else if (strncmp(text, "LOST ", 5) == 0) {
        board.lost_count++;
    } else if (strncmp(text, "VAL ", 4) == 0) {
        assert_int_equal(sscanf(text + 4, "%d", &board.bestval), 1);
    } else if (strncmp(text, "PV ", 3) == 0) {
        snprintf(board.bestline, sizeof board.bestline, "%s", text + 3);
    } else {
        assert_string_equal(text, "REFRESH");
    }
}

/* A line of a browser's board: key and value. */
static void hear_detail(const char *text) {
    struct group *group = &board.group;
    char value[512];
    int x;
    int y;
    board.details++;
    if (strcmp(text, "PV DONE") == 0) {
        assert_true(board.in_group);
        assert_true(group->count > 0);
        board.in_group = false;
        board.groups[group->pv & 7] = *group;
        board.group_count++;
    } else if (sscanf(text, "PV %d", &x) == 1) {
        assert_false(board.in_group);
        memset(group, 0, sizeof *group);
        group->pv = x;
        board.in_group = true;
    } else if (sscanf(text, "NUMPV %d", &x) == 1) {
        group->numpv = x;
    } else if (sscanf(text, "DEPTH %d", &x) == 1) {
        group->depth = x;
    } else if (sscanf(text, "TOTALNODES %lld", &group->totalnodes) == 1) {
        return;
    } else if (sscanf(text, "EVAL %15s", group->eval) == 1) {
        /* digits, or the plies to the end behind +M and -M */
        const char *digits = strchr(group->eval, 'M');
        assert_true(!digits || group->eval[0] == '+' || group->eval[0] == '-');
        digits = digits ? digits + 1 : group->eval + (group->eval[0] == '-');
        assert_true(digits[0] && strspn(digits, "0123456789") == strlen(digits));
    } else if (sscanf(text, "WINRATE %lf", &group->winrate) == 1) {
        assert_true(group->winrate >= 0 && group->winrate <= 1);
    } else if (sscanf(text, "BESTLINE %511[0-9, ]", value) == 1) {
        int used;
        for (const char *at = value; sscanf(at, " %d,%d%n", &x, &y, &used) == 2 && group->count < MOST_MOVES;
             at += used) {
            group->squares[group->count++] = y * SIZE + x;
        }
    } else {
        assert_true(sscanf(text, "SELDEPTH %d", &x) == 1 || sscanf(text, "NODES %d", &x) == 1 ||
                    sscanf(text, "TOTALTIME %d", &x) == 1 || sscanf(text, "SPEED %d", &x) == 1);
    }
}

static void hear_message(const char *text) {
    struct saying saying;
    if (strncmp(text, "REALTIME ", 9) == 0) {
        hear_realtime(text + 9);
    } else if (sscanf(text, "INFO MAX_THREAD_NUM %d", &board.threads) == 1 ||
               sscanf(text, "INFO MAX_HASH_SIZE %d", &board.hash) == 1) {
        return;
    } else if (strncmp(text, "SWAP2 ", 6) == 0) {
        strncat(board.swap2, text + 5, sizeof board.swap2 - strlen(board.swap2) - 1);
    } else if (read_saying(text, &saying)) {
        board.last = saying;
        board.sayings++;
        assert_in_range(saying.number, 0, 7);
        board.deepest[saying.number] = saying.depth;
        board.value[saying.number] = saying.value;
        board.first[saying.number] = saying.squares[0];
    } else {
        long long nodes;
        int x;
        int y;
        board.plain += sscanf(text, "depth %*d value %*d nodes %lld nps %*f time %*f ms pv %d,%d", &nodes, &x, &y) == 3;
        snprintf(board.log, sizeof board.log, "%s", text);
    }
}

static void hear(void *user, const char *line) {
    (void)user;
    pthread_mutex_lock(&board_lock);
    board.lines++;
    if (strcmp(line, "OK") == 0) {
        board.okays++;
    } else if (strncmp(line, "MESSAGE ", 8) == 0) {
        hear_message(line + 8);
    } else if (strncmp(line, "INFO ", 5) == 0) {
        hear_detail(line + 5);
    } else if (strncmp(line, "ERROR", 5) == 0 || strncmp(line, "UNKNOWN", 7) == 0) {
        board.errors += line[0] == 'E';
        board.unknown += line[0] == 'U';
        snprintf(board.log, sizeof board.log, "%s", line);
    } else if (strncmp(line, "FORBID ", 7) == 0) {
        snprintf(board.forbidden, sizeof board.forbidden, "%s", line + 7);
        board.forbids++;
    } else {
        char rest;
        board.moves++;
        assert_int_equal(sscanf(line, "%d,%d%c", &board.move[0][0], &board.move[0][1], &rest), 2);
    }
    pthread_mutex_unlock(&board_lock);
}

static struct gomocup *open_brain(void) {
    struct gomocup_options options = {.hash_bytes = (size_t)4 << 20, .answer = hear};
    struct gomocup *gomocup = gomocup_new(&options, NULL);
    assert_non_null(gomocup);
    memset(&board, 0, sizeof board);
    board.best = board.pos = -1;
    return gomocup;
}

static void say(struct gomocup *gomocup, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct gomocup *gomocup, const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert_true(gomocup_line(gomocup, line, strlen(line)));
}

/* Until a count of the board's has reached `least`. */
static void await(const int *count, int least) {
    double until = clock_wall() + PATIENCE;
    for (;;) {
        pthread_mutex_lock(&board_lock);
        int now = *count;
        pthread_mutex_unlock(&board_lock);
        if (now >= least) {
            return;
        }
        assert_true(clock_wall() < until);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

/* -- Yixin-Board -- */

/* Stones as row and column from the top, the first side's first. */
static const int stones[][2] = {{7, 7}, {6, 8}, {8, 8}, {6, 6}, {6, 7}, {8, 7}};
#define STONES 6

/* What it says when it is opened, at the level without a limit. */
static void greet(struct gomocup *gomocup) {
    static const char *const lines[] = {"info show_detail 1",
                                        "yxshowinfo",
                                        "START 15 15",
                                        "INFO max_node -1",
                                        "INFO timeout_match 100000000",
                                        "INFO time_left 100000000",
                                        "INFO timeout_turn 2000000",
                                        "INFO max_depth 225",
                                        "INFO time_increment 0",
                                        "INFO caution_factor 1",
                                        "INFO thread_num 1",
                                        "INFO hash_size 4096",
                                        "INFO pondering 0",
                                        "INFO vcthread 0",
                                        "INFO rule 0",
                                        "start 15 15",
                                        "yxboard",
                                        "done",
                                        "yxshowforbid",
                                        "yxquerydatabaseall",
                                        "done",
                                        "info usedatabase 1"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        say(gomocup, "%s", lines[i]);
    }
}

static void send_position(struct gomocup *gomocup, const char *command, int count) {
    say(gomocup, "start 15 15");
    say(gomocup, "%s", command);
    for (int i = 0; i < count; i++) {
        say(gomocup, "%d,%d,%d", stones[i][0], stones[i][1], count % 2 == i % 2 ? 1 : 2);
    }
    say(gomocup, "done");
}

/* After each change of the position it asks what its database knows. */
static void ask_database(struct gomocup *gomocup, int count) {
    say(gomocup, "yxquerydatabaseall");
    for (int i = 0; i < count; i++) {
        say(gomocup, "%d,%d", stones[i][0], stones[i][1]);
    }
    say(gomocup, "done");
}

static bool is_stone(int square, int count) {
    for (int i = 0; i < count; i++) {
        if (square == stones[i][0] * SIZE + stones[i][1]) {
            return true;
        }
    }
    return false;
}

/* Each move of a line is on an empty square. */
static void assert_playable(const int *squares, int count, int on_board) {
    for (int i = 0; i < count; i++) {
        assert_false(is_stone(squares[i], on_board));
        for (int k = 0; k < i; k++) {
            assert_int_not_equal(squares[i], squares[k]);
        }
    }
}

static int answered(void) {
    return board.move[0][0] * SIZE + board.move[0][1];
}

/* Opened, a position put up, the three best moves asked for, stopped when it has seen enough. */
static void test_yixin_analysis(void **state) {
    (void)state;
    struct gomocup *gomocup = open_brain();
    greet(gomocup);
    assert_int_equal(board.errors + board.unknown + board.moves, 0);
    assert_int_equal(board.okays, 2);
    assert_int_equal(board.forbids, 1);
    assert_in_range(board.threads, 1, 256);
    assert_in_range(board.hash, 10, 30);
    send_position(gomocup, "yxboard", STONES);
    say(gomocup, "yxshowforbid");
    ask_database(gomocup, STONES);
    say(gomocup, "info nbestsym 0");
    send_position(gomocup, "yxboard", STONES);
    assert_int_equal(board.moves, 0); /* nothing is thought yet */
    assert_int_equal(board.sayings, 0);
    say(gomocup, "yxnbest 3");
    await(&board.deepest[3], 7);
    await(&board.done_count, 1);
    ask_database(gomocup, STONES); /* does not wait for the search, nor end it */
    say(gomocup, "INFO timeout_turn 2000000");
    assert_int_equal(board.moves, 0);
    say(gomocup, "yxstop");
    assert_int_equal(board.moves, 1);
    assert_int_equal(board.errors + board.unknown + board.details, 0);
    assert_int_equal(answered(), board.best);
    assert_int_equal(answered(), board.first[1]);
    assert_false(is_stone(answered(), STONES));
    assert_true(board.first[1] != board.first[2] && board.first[1] != board.first[3] &&
                board.first[2] != board.first[3]);
    for (int i = 1; i < 3; i++) { /* the list at the end is in order, as far as the depth is the same */
        assert_true(board.value[i] >= board.value[i + 1] || board.deepest[i] > board.deepest[i + 1]);
    }
    assert_playable(board.last.squares, board.last.count, STONES);
    int used;
    assert_int_equal(read_letters(board.bestline, &used), board.best);
    say(gomocup, "yxstop"); /* idle: nothing to say */
    say(gomocup, "stop");
    assert_int_equal(board.moves, 1);
    gomocup_free(gomocup);
}

/* A move is taken back while it thinks: the board sends the position before it says stop, and leaves out one answer. */
static void test_yixin_takes_back(void **state) {
    (void)state;
    struct gomocup *gomocup = open_brain();
    greet(gomocup);
    say(gomocup, "INFO time_left 100000000");
    send_position(gomocup, "board", STONES);
    await(&board.sayings, 2);
    assert_int_equal(board.moves, 0);
    int okays = board.okays;
    send_position(gomocup, "yxboard", STONES - 2);
    assert_int_equal(board.moves, 1);
    assert_int_equal(board.okays, okays + 1);
    say(gomocup, "yxshowforbid");
    ask_database(gomocup, STONES - 2);
    int marks = board.marks;
    say(gomocup, "yxstop");
    ask_database(gomocup, STONES - 2);
    assert_int_equal(board.moves, 1);
    assert_int_equal(board.marks, marks);
    /* and the position is the new one: the stone taken back may be played */
    say(gomocup, "INFO max_node 2000");
    say(gomocup, "turn %d,%d", stones[STONES - 2][0], stones[STONES - 2][1]);
    gomocup_wait(gomocup);
    assert_int_equal(board.moves, 2);
    assert_int_equal(board.errors + board.unknown, 0);
    gomocup_free(gomocup);
}

/* "block compare": every empty square but two is blocked, one command each. */
static void test_yixin_blocks(void **state) {
    (void)state;
    struct gomocup *gomocup = open_brain();
    static const int open[2] = {7 * SIZE + 5, 0};
    greet(gomocup);
    say(gomocup, "INFO max_depth 6");
    say(gomocup, "yxblockreset");
    for (int square = 0; square < SIZE * SIZE; square++) {
        if (!is_stone(square, STONES) && square != open[0] && square != open[1]) {
            say(gomocup, "yxblock");
            say(gomocup, "%d,%d", square / SIZE, square % SIZE);
            say(gomocup, "done");
        }
    }
    send_position(gomocup, "yxboard", STONES);
    say(gomocup, "yxnbest 3");
    gomocup_wait(gomocup);
    assert_int_equal(answered(), open[0]);
    assert_int_equal(board.first[2], open[1]); /* the corner, far from all stones */
    assert_int_equal(board.deepest[3], 0);
    say(gomocup, "yxblock");
    say(gomocup, "%d,%d", open[0] / SIZE, open[0] % SIZE);
    say(gomocup, "done");
    send_position(gomocup, "board", STONES);
    gomocup_wait(gomocup);
    assert_int_equal(answered(), open[1]);
    assert_int_equal(board.errors, 0);
    say(gomocup, "yxblock 0,0 done");
    send_position(gomocup, "board", STONES);
    gomocup_wait(gomocup);
    assert_int_equal(board.errors, 1);
    assert_string_equal(board.log, "ERROR every empty square is blocked");
    say(gomocup, "yxblockundo");
    say(gomocup, "9,9");
    say(gomocup, "done");
    send_position(gomocup, "board", STONES);
    gomocup_wait(gomocup);
    assert_int_equal(answered(), 9 * SIZE + 9);
    say(gomocup, "yxblockreset");
    send_position(gomocup, "board", STONES);
    gomocup_wait(gomocup);
    assert_int_not_equal(answered(), 9 * SIZE + 9);
    assert_int_equal(board.errors, 1);
    gomocup_free(gomocup);
}

/* Renju is 2 to boards, and 4 to managers; the squares it forbids are told, column and row. */
static void test_yixin_forbidden(void **state) {
    (void)state;
    static const int rules[] = {2, 4};
    struct gomocup *gomocup = open_brain();
    greet(gomocup);
    for (int i = 0; i < 2; i++) {
        say(gomocup, "INFO rule %d", rules[i]);
        say(gomocup, "START 15");
        say(gomocup, "yxboard 7,6,1 0,0,2 7,5,1 14,0,2 6,8,1 0,14,2 5,8,1 14,14,2 done");
        say(gomocup, "yxshowforbid");
        assert_string_equal(board.forbidden, "0708.");
    }
    say(gomocup, "INFO rule 0");
    say(gomocup, "START 15");
    say(gomocup, "yxshowforbid");
    assert_string_equal(board.forbidden, ".");
    assert_int_equal(board.errors, 0);
    gomocup_free(gomocup);
}

/* What was learnt of a position is kept by a board's START, and goes when the board says so. */
static void test_yixin_keeps_its_table(void **state) {
    (void)state;
    struct gomocup *gomocup = open_brain();
    long long nodes[3];
    greet(gomocup);
    say(gomocup, "INFO max_depth 9");
    for (int i = 0; i < 3; i++) {
        if (i == 2) {
            say(gomocup, "yxhashclear");
        }
        send_position(gomocup, "board", STONES);
        gomocup_wait(gomocup);
        nodes[i] = board.last.nodes;
    }
    assert_true(nodes[1] < nodes[0]);
    assert_int_equal(nodes[2], nodes[0]);
    gomocup_free(gomocup);
}

/* Swap2 in the board's steps: three stones, a choice after three, a choice after five. */
static void test_yixin_swap2(void **state) {
    (void)state;
    struct gomocup *gomocup = open_brain();
    int at[3][2];
    greet(gomocup);
    say(gomocup, "INFO rule 1");
    say(gomocup, "INFO timeout_match 100000");
    say(gomocup, "INFO timeout_turn 300");
    say(gomocup, "yxswap2step1");
    assert_int_equal(sscanf(board.swap2, " MOVE1 %d %d MOVE2 %d %d MOVE3 %d %d", &at[0][0], &at[0][1], &at[1][0],
                            &at[1][1], &at[2][0], &at[2][1]),
                     6);
    for (int i = 0; i < 3; i++) {
        assert_in_range(at[i][0], 0, SIZE - 1);
        assert_in_range(at[i][1], 0, SIZE - 1);
    }
    /* two black stones side by side in the middle and a white one in the corner: black, which is not to move */
    static const char *const better_black[] = {"start 15 15", "yxboard", "7,7,2", "0,0,1", "7,8,2", "done"};
    board.swap2[0] = 0;
    for (size_t i = 0; i < sizeof better_black / sizeof *better_black; i++) {
        say(gomocup, "%s", better_black[i]);
    }
    say(gomocup, "yxswap2step2");
    assert_string_equal(board.swap2, " SWAP1 YES");
    /* the other way round after five stones: white, which is to move */
    static const char *const better_white[] = {"start 15 15", "yxboard", "0,0,2",  "7,7,1",
                                               "14,14,2",     "8,8,1",   "0,14,2", "done"};
    board.swap2[0] = 0;
    for (size_t i = 0; i < sizeof better_white / sizeof *better_white; i++) {
        say(gomocup, "%s", better_white[i]);
    }
    say(gomocup, "yxswap2step3");
    assert_string_equal(board.swap2, " SWAP2 NO");
    assert_int_equal(board.errors + board.unknown + board.moves, 0);
    say(gomocup, "yxswap2step2");
    assert_string_equal(board.log, "ERROR expected a position of 3 stones");
    gomocup_free(gomocup);
}

/* What it can say and means nothing here goes by without a trace in the game, with all its lines. */
static void test_foreign_commands(void **state) {
    (void)state;
    struct gomocup *gomocup = open_brain();
    static const char *const lines[] = {"yxblockpath",
                                        "7,7",
                                        "3,3",
                                        "done",
                                        "yxblockpathundo",
                                        "7,7",
                                        "done",
                                        "yxblockpathreset",
                                        "yxhashdump",
                                        "some file name",
                                        "yxhashload",
                                        "board",
                                        "yxsetdatabase",
                                        "start 3",
                                        "yxforbid add 3 3 0",
                                        "yxshowhashusage",
                                        "yxdraw",
                                        "yxresign",
                                        "yxdbcheck",
                                        "yxdeletedatabaseall wl",
                                        "7,7",
                                        "done",
                                        "yxeditlabeldatabase 3,3 a",
                                        "7,7",
                                        "done",
                                        "yxedittvddatabase 1 65 0 0",
                                        "7,7",
                                        "done",
                                        "yxsoosorvstep1",
                                        "yxsoosorvstep4 2",
                                        "7,7",
                                        "done",
                                        "yxbalancetwo 0",
                                        "yxsearchdefend",
                                        "yxprintfeature",
                                        "RELOADCONFIG",
                                        "RELOADCONFIG some.toml"};
    greet(gomocup);
    send_position(gomocup, "yxboard", STONES);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        say(gomocup, "%s", lines[i]);
    }
    assert_int_equal(board.errors + board.unknown + board.moves, 0);
    assert_string_equal(board.log, "there is no YXPRINTFEATURE here");
    /* a command behind lines that nobody ended is heard */
    say(gomocup, "yxquerydatabaseall");
    say(gomocup, "7,7");
    say(gomocup, "INFO max_node 2000");
    say(gomocup, "turn 0,0");
    gomocup_wait(gomocup);
    assert_int_equal(board.moves, 1);
    say(gomocup, "yxnosuchthing");
    assert_int_equal(board.unknown, 1);
    gomocup_free(gomocup);
}

/* -- boards in the browser -- */

static const char one_line[] = "YXBOARD 7,7,1 8,6,2 8,8,1 6,6,2 7,6,1 7,8,2 DONE";

/* A position on one line, three lines of analysis, each depth whole: places 0, 1, 2 of the same depth. */
static void test_detail(void **state) {
    (void)state;
    struct gomocup *gomocup = open_brain();
    static const char *const lines[] = {"INFO HASH_SIZE 4096",
                                        "INFO RULE 0",
                                        "INFO THREAD_NUM 1",
                                        "INFO CAUTION_FACTOR 2",
                                        "INFO STRENGTH 100",
                                        "INFO TIMEOUT_TURN -1",
                                        "INFO TIMEOUT_MATCH -1",
                                        "INFO MAX_DEPTH 100",
                                        "INFO MAX_NODE 0",
                                        "INFO SHOW_DETAIL 3",
                                        "INFO PONDERING 0",
                                        "INFO SWAPABLE 1",
                                        "START 15",
                                        "INFO TIME_LEFT 1"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        say(gomocup, "%s", lines[i]);
    }
    say(gomocup, "%s", one_line);
    assert_int_equal(board.moves, 0);
    say(gomocup, "YXNBEST 3");
    await(&board.group_count, 9);
    assert_int_equal(board.moves, 0); /* without a limit it goes on until the stop */
    say(gomocup, "YXSTOP");
    assert_int_equal(board.moves, 1);
    assert_int_equal(board.errors + board.unknown, 0);
    assert_false(board.in_group);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(board.groups[i].pv, i);
        assert_int_equal(board.groups[i].numpv, 3);
        assert_true(board.groups[i].depth >= 3 && board.groups[i].totalnodes > 0);
        for (int k = 0; k < i; k++) {
            assert_int_not_equal(board.groups[i].squares[0], board.groups[k].squares[0]);
        }
    }
    assert_int_equal(board.groups[0].squares[0], board.move[0][1] * SIZE + board.move[0][0]);
    assert_true(board.marks > 0);
    /* another says no limit by zeros */
    say(gomocup, "INFO TIMEOUT_TURN 0");
    say(gomocup, "INFO TIMEOUT_MATCH 0");
    say(gomocup, "INFO SHOW_DETAIL 2");
    int marks = board.marks;
    board.group_count = 0;
    say(gomocup, "%s", one_line);
    say(gomocup, "YXNBEST 2");
    await(&board.group_count, 4);
    assert_int_equal(board.moves, 1);
    say(gomocup, "YXSTOP");
    assert_int_equal(board.moves, 2);
    assert_int_equal(board.marks, marks);
    assert_int_equal(board.groups[1].numpv, 2);
    gomocup_free(gomocup);
}

/* A proved win is given by its plies. */
static void test_detail_of_a_win(void **state) {
    (void)state;
    struct gomocup *gomocup = open_brain();
    say(gomocup, "START 15");
    say(gomocup, "INFO SHOW_DETAIL 2");
    say(gomocup, "BOARD 3,3,1 0,0,2 4,3,1 0,2,2 5,3,1 0,4,2 6,3,1 0,6,2 DONE");
    gomocup_wait(gomocup);
    assert_string_equal(board.groups[0].eval, "+M1");
    assert_true(board.groups[0].winrate >= 1);
    assert_int_equal(board.move[0][1], 3);
    gomocup_free(gomocup);
}

/* The most even move: among all, the one whose value is nearest to what is asked for. */
static void test_balance(void **state) {
    (void)state;
    struct gomocup *gomocup = open_brain();
    int value[2];
    say(gomocup, "START 15");
    say(gomocup, "INFO MAX_DEPTH 4");
    say(gomocup, "INFO SHOW_DETAIL 2");
    for (int i = 0; i < 2; i++) {
        say(gomocup, "YXBOARD 7,7,1 8,8,2 7,8,1 8,6,2 DONE");
        say(gomocup, "YXBALANCEONE %d", i ? -100000000 : 0);
        gomocup_wait(gomocup);
        assert_int_equal(board.moves, i + 1);
        assert_int_equal(board.group_count, i + 1); /* the answer's alone */
        assert_int_equal(board.group.squares[0], board.move[0][1] * SIZE + board.move[0][0]);
        assert_int_equal(sscanf(board.group.eval, "%d", &value[i]), 1);
    }
    assert_true(value[1] < value[0]);
    assert_in_range(value[0] + 100, 0, 200);
    gomocup_free(gomocup);
}

/* -- managers, and what nobody means -- */

/* Who asks for nothing of all this hears none of it: neither marks nor lines of numbers, and a turn without time or
 * without a limit ends by itself. */
static void test_manager_hears_nothing_new(void **state) {
    (void)state;
    struct gomocup *gomocup = open_brain();
    say(gomocup, "START 15");
    say(gomocup, "INFO timeout_match 0");
    say(gomocup, "INFO timeout_turn 0");
    say(gomocup, "TURN 7,7");
    gomocup_wait(gomocup);
    assert_int_equal(board.moves, 1);
    say(gomocup, "INFO timeout_turn 400");
    say(gomocup, "TURN 0,0");
    say(gomocup, "TURN 0,1"); /* waits for the move that is due */
    assert_int_equal(board.moves, 2);
    gomocup_wait(gomocup);
    assert_int_equal(board.moves, 3);
    assert_int_equal(board.marks + board.details + board.sayings, 0);
    assert_true(board.plain >= 3);
    gomocup_free(gomocup);
}

static void test_hostile(void **state) {
    (void)state;
    struct gomocup *gomocup = open_brain();
    static const char *const bad_positions[] = {"YXBOARD 7,7,1 7,7,2 DONE",
                                                "YXBOARD 7,7,3 DONE",
                                                "YXBOARD 7,7,0 DONE",
                                                "YXBOARD 15,7,1 8,8,2 DONE",
                                                "YXBOARD -1,7,1 8,8,2 DONE",
                                                "YXBOARD 7,7,1 DONE",
                                                "YXBOARD 99999999999999999999999999999,7,1 8,8,2 DONE",
                                                "YXBOARD 7 7 1 DONE",
                                                "YXBOARD 7,7,1,1 DONE",
                                                "YXBOARD x DONE"};
    say(gomocup, "YXNBEST 3");
    say(gomocup, "YXBLOCK 3,3 DONE");
    say(gomocup, "YXSWAP2STEP1");
    assert_int_equal(board.errors, 3);
    say(gomocup, "START 15");
    say(gomocup, "INFO max_depth 2");
    for (size_t i = 0; i < sizeof bad_positions / sizeof *bad_positions; i++) {
        board.errors = 0;
        say(gomocup, "%s", bad_positions[i]);
        assert_int_equal(board.errors, 1);
    }
    static const char *const counts[] = {
        "0", "-1", "500", "99999999999999999999999", "-99999999999999999999999", "1.5", "x", "", "3 4", "3,4"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        board.errors = board.moves = 0;
        say(gomocup, "YXBOARD 7,7,1 8,8,2 DONE");
        say(gomocup, "YXNBEST %s", counts[i]);
        gomocup_wait(gomocup);
        assert_int_equal(board.moves, 1);
        assert_int_equal(board.errors, 0);
    }
    board.errors = 0;
    say(gomocup, "YXBLOCK 15,0 -1,0 3 x 99999999999999999999,1 DONE");
    assert_int_equal(board.errors, 5);
    say(gomocup, "INFO show_detail 99999999999999999999999");
    say(gomocup, "INFO show_detail -1");
    say(gomocup, "INFO show_detail");
    say(gomocup, "INFO hash_size 0");
    say(gomocup, "INFO thread_num -5");
    board.moves = 0;
    say(gomocup, "BOARD 7,7,1 8,8,2 DONE and what follows is nobody's");
    gomocup_wait(gomocup);
    assert_int_equal(board.moves, 1);
    gomocup_free(gomocup);
}

/* A board that goes away: within a block, before its file name, while it thinks without a limit. */
static void test_end_of_input(void **state) {
    (void)state;
    static const char *const talks[] = {"START 15 15\nYXBOARD\n7,7,1\n", "START 15 15\nYXBOARD\n7,7,1\n8,8",
                                        "START 15 15\nyxhashdump\n", "START 15 15\nyxquerydatabaseall\n1,1\n",
                                        "INFO show_detail 3\nSTART 15\nINFO timeout_turn -1\nYXNBEST 5\n"};
    for (size_t i = 0; i < sizeof talks / sizeof *talks; i++) {
        struct gomocup_options options = {.hash_bytes = (size_t)4 << 20, .answer = hear};
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], talks[i], strlen(talks[i])), (ssize_t)strlen(talks[i]));
        close(ends[1]);
        double begin = clock_wall();
        assert_int_equal(gomocup_loop(&options, ends[0]), 0);
        assert_true(clock_wall() - begin < PATIENCE);
        close(ends[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_yixin_analysis),
        cmocka_unit_test(test_yixin_takes_back),
        cmocka_unit_test(test_yixin_blocks),
        cmocka_unit_test(test_yixin_keeps_its_table),
        cmocka_unit_test(test_yixin_swap2),
        cmocka_unit_test(test_yixin_forbidden),
        cmocka_unit_test(test_foreign_commands),
        cmocka_unit_test(test_detail),
        cmocka_unit_test(test_detail_of_a_win),
        cmocka_unit_test(test_balance),
        cmocka_unit_test(test_manager_hears_nothing_new),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_end_of_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
