#include "protocols/gomocup.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/machine.h"
#include "base/reader.h"
#include "base/text.h"
#include "games/gomoku/swap2.h"
#include "protocols/gomocup_thinker.h"

#define USUAL_HASH ((size_t)96 << 20)
/* What the program needs beside its tables, kept free under max_memory. */
#define BESIDE_TABLES ((size_t)24 << 20)
#define LEAST_HASH ((size_t)2 << 20)
/* Managers say "no limit" by a large number, each by its own: a turn of more than a day is one without a limit. */
#define NO_LIMIT_MS 86400000
/* How long to think where nothing is limited, in seconds. */
#define USUAL_SECONDS 30.0
/* What the way to the manager and back may cost on a quiet machine, in seconds. */
#define MARGIN 0.03
/* Reports of the search are passed on from this moment on, in seconds: the first depths take no time. */
#define TELL_AFTER 0.05
#define TELL_MOVES 24
#define SWAP2_MOST 5      /* stones on the board when the last choice is made */
#define SWAP2_SECONDS 5.0 /* more thought does not change a choice */
/* On a busy one: three times somebody has to wake up (we for the question, we for the answer, the manager for the
 * answer), each as late as was measured, and this much beside. */
#define WAKING 3
#define BESIDE_WAKING 0.004
/* After so much of a line without an end, it is taken as one. */
#define MOST_LINE 65536
#define MOST_NUMBER INT64_C(1000000000000000)
#define MOST_THREADS 256
#define MOST_LINES 64
#define MOST_TABLE_POWER 30 /* of kilobytes */

struct gomocup {
    struct gomocup_options options;
    struct engine *engine; /* owned; NULL until the first game */
    size_t hash_bytes;     /* of its table */
    struct gomoku_position position;
    bool started; /* a START was accepted */
    bool reading_board;
    bool reading_swap2; /* the lines are those of SWAP2BOARD */
    bool board_waits;   /* YXBOARD: the position is taken, and nothing is thought yet */
    bool board_bad;     /* a line of BOARD was wrong; the rest up to DONE is skipped */
    int board_own;
    int board_other;
    uint16_t board_squares[2][GOMOKU_MOST_SQUARES]; /* own, other, in the order they came */

    int64_t timeout_turn; /* milliseconds */
    int64_t timeout_match;
    int64_t time_left;
    int64_t max_memory;
    int64_t max_depth;
    int64_t max_nodes;
    int threads;
    int rule;
    int lines;      /* how many best moves the search reports on; 0: one */
    bool show_best; /* a board wants to mark the best move while it is searched */

    pthread_mutex_t speaking; /* one answer at a time, whichever thread has one */
    struct thinker *thinker;  /* owned */
    bool thinking;            /* a move is asked for and not yet answered */
    bool searching;           /* the thinker is at work, perhaps after its answer was due */
    double asked_at;          /* when the line came that asked for it */
    double due;               /* when it must be answered, whatever the search has found; 0: no such moment */
    struct search_limits limits;
};

static void answer(struct gomocup *gomocup, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void answer(struct gomocup *gomocup, const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&gomocup->speaking);
    gomocup->options.answer(gomocup->options.user, line);
    pthread_mutex_unlock(&gomocup->speaking);
}

/* What analysis boards show: depth, which of the best moves it is where several are asked for, value, nodes, time and
 * the line that is expected, as x,y. */
static void tell_manager(struct gomocup *gomocup, const struct search_result *result) {
    char line[TELL_MOVES * 8 + 1] = "";
    size_t used = 0;
    int size = gomocup->position.size;
    double seconds = result->wall_seconds > 1e-6 ? result->wall_seconds : 1e-6;
    for (int i = 0; i < result->pv_length && i < TELL_MOVES; i++) {
        int square = (int)result->pv[i];
        used += (size_t)snprintf(line + used, sizeof line - used, " %d,%d", square % size, square / size);
    }
    char number[24] = "";
    if (gomocup->limits.multi_pv > 1) {
        snprintf(number, sizeof number, " multipv %d", result->line + 1);
    }
    answer(gomocup, "MESSAGE depth %d%s value %d nodes %llu nps %.0f time %.0f ms pv%s", result->depth, number,
           (int)result->value, (unsigned long long)result->nodes, (double)result->nodes / seconds,
           result->wall_seconds * 1000, line);
}

/* The mark a board puts on the best move so far. */
static void show_best(struct gomocup *gomocup, const struct search_result *result) {
    int size = gomocup->position.size;
    answer(gomocup, "MESSAGE REALTIME REFRESH");
    answer(gomocup, "MESSAGE REALTIME BEST %d,%d", (int)result->move % size, (int)result->move / size);
}

static void tell_report(void *user, const struct search_result *report) {
    struct gomocup *gomocup = user;
    if (report->wall_seconds >= TELL_AFTER) {
        tell_manager(gomocup, report);
        if (gomocup->show_best && report->line == 0) {
            show_best(gomocup, report);
        }
    }
}

struct gomocup *gomocup_new(const struct gomocup_options *options, struct error *error) {
    struct gomocup *gomocup = calloc(1, sizeof *gomocup);
    if (!gomocup) {
        error_machine(error, "no memory for the protocol");
        return NULL;
    }
    gomocup->options = *options;
    gomocup->timeout_turn = 30000;
    gomocup->time_left = INT32_MAX;
    gomocup->threads = options->threads;
    pthread_mutex_init(&gomocup->speaking, NULL);
    gomocup->thinker = thinker_new(tell_report, gomocup);
    if (!gomocup->thinker) {
        pthread_mutex_destroy(&gomocup->speaking);
        free(gomocup);
        error_machine(error, "no thread for the search");
        return NULL;
    }
    gomoku_clear(&gomocup->position, 15, GOMOKU_FREESTYLE);
    return gomocup;
}

static void forget_engine(struct gomocup *gomocup) {
    engine_free(gomocup->engine);
    gomocup->engine = NULL;
}

void gomocup_free(struct gomocup *gomocup) {
    if (gomocup) {
        thinker_free(gomocup->thinker);
        forget_engine(gomocup);
        pthread_mutex_destroy(&gomocup->speaking);
        free(gomocup);
    }
}

/* -- thinking -- */

static void play_own(struct gomocup *gomocup, const struct search_result *result) {
    int square = (int)result->move;
    int size = gomocup->position.size;
    gomocup->thinking = false;
    gomoku_put(&gomocup->position, square);
    tell_manager(gomocup, result);
    if (gomocup->show_best) {
        show_best(gomocup, result);
    }
    if (result->certainty == SEARCH_PROVED && result->value != 0) {
        int plies = GAME_WIN_VALUE - (result->value > 0 ? (int)result->value : -(int)result->value);
        answer(gomocup, "MESSAGE proved: %s in %d", result->value > 0 ? "wins" : "loses", (plies + 1) / 2);
    }
    answer(gomocup, "%d,%d", square % size, square / size);
}

/* Sleeps until the move is out, or until something can be read from `input` (-1: whatever comes). */
static void watch(struct gomocup *gomocup, int input) {
    while (gomocup->thinking) {
        enum thinker_news news = thinker_watch(gomocup->thinker, gomocup->due, input);
        if (news == THINKER_INPUT) {
            return;
        }
        struct search_result result;
        thinker_best(gomocup->thinker, &result);
        gomocup->searching = news != THINKER_OVER;
        thinker_stop(gomocup->thinker);
        play_own(gomocup, &result);
    }
}

/* Waits for the end of a search whose answer is out already; before its engine is changed. */
static void settle(struct gomocup *gomocup) {
    if (gomocup->searching) {
        thinker_stop(gomocup->thinker);
        thinker_watch(gomocup->thinker, 0, -1);
        gomocup->searching = false;
    }
}

void gomocup_wait(struct gomocup *gomocup) {
    watch(gomocup, -1);
    settle(gomocup);
}

/* The table the manager's memory limit allows; made anew when that changed. */
static bool ready_engine(struct gomocup *gomocup) {
    size_t bytes = gomocup->options.hash_bytes ? gomocup->options.hash_bytes : USUAL_HASH;
    if (gomocup->max_memory > 0) {
        size_t most = (size_t)gomocup->max_memory;
        most = most > BESIDE_TABLES + LEAST_HASH ? most - BESIDE_TABLES : LEAST_HASH;
        bytes = bytes < most ? bytes : most;
    }
    if (gomocup->engine && gomocup->hash_bytes == bytes) {
        return true;
    }
    settle(gomocup);
    forget_engine(gomocup);
    gomocup->engine = engine_new(&(struct searcher_options){.threads = gomocup->threads, .hash_bytes = bytes});
    gomocup->hash_bytes = bytes;
    /* All of its memory is touched now: fresh memory can take a virtual machine longer than a move may take. */
    struct error error = {.text = "out of memory"};
    if (!gomocup->engine || engine_prepare(gomocup->engine, &gomoku_game, &error) != STATUS_OK) {
        answer(gomocup, "ERROR %s", error.text);
        forget_engine(gomocup);
        return false;
    }
    return true;
}

/* What is kept back of a limit: enough for the way to the manager, and for being woken late if that was seen lately. A
 * fifth of the time is thought in any case. */
static double kept_back(const struct gomocup *gomocup, double seconds) {
    double usual = seconds > 4 * MARGIN ? MARGIN : 0.25 * seconds;
    double busy = BESIDE_WAKING + WAKING * thinker_delay(gomocup->thinker);
    double kept = busy > usual ? busy : usual;
    return kept < 0.8 * seconds ? kept : 0.8 * seconds;
}

/* What is left of the match in milliseconds; NO_LIMIT_MS when it has no clock. */
static int64_t match_left(const struct gomocup *gomocup) {
    if (gomocup->timeout_match <= 0 || gomocup->timeout_match >= NO_LIMIT_MS) {
        return NO_LIMIT_MS;
    }
    return gomocup->time_left < gomocup->timeout_match ? gomocup->time_left : gomocup->timeout_match;
}

static void set_limits(struct gomocup *gomocup) {
    struct search_limits *limits = &gomocup->limits;
    int64_t left = match_left(gomocup);
    memset(limits, 0, sizeof *limits);
    gomocup->due = 0;
    limits->depth = (int)gomocup->max_depth;
    limits->nodes = (uint64_t)gomocup->max_nodes;
    limits->multi_pv = gomocup->lines;
    double turn = (double)gomocup->timeout_turn / 1000;
    if (gomocup->timeout_turn <= 0) {
        limits->wall_seconds = 0.005; /* as fast as possible */
    } else if (gomocup->timeout_turn < NO_LIMIT_MS) {
        limits->wall_seconds = turn - kept_back(gomocup, turn);
        gomocup->due = gomocup->asked_at + limits->wall_seconds;
    } else if (left >= NO_LIMIT_MS && !limits->depth && !limits->nodes) {
        limits->wall_seconds = USUAL_SECONDS;
    }
    if (left < NO_LIMIT_MS) {
        double seconds = (double)(left > 0 ? left : 0) / 1000;
        double rest = seconds - 2 * kept_back(gomocup, seconds);
        limits->wall_seconds_left = rest > 0.01 ? rest : 0.01;
    }
}

static void go(struct gomocup *gomocup) {
    const struct game_position *position = (const struct game_position *)&gomocup->position;
    if (gomoku_game.over(position)) {
        answer(gomocup, "ERROR the game is over");
        return;
    }
    if (!ready_engine(gomocup)) {
        return;
    }
    set_limits(gomocup);
    thinker_begin(gomocup->thinker, gomocup->engine, &gomocup->position, &gomocup->limits);
    gomocup->thinking = gomocup->searching = true;
}

/* -- commands -- */

static bool same_word(const char *word, size_t length, const char *name) {
    if (length != strlen(name)) {
        return false; /* also a word with a zero in it, which would compare equal to the end of the name */
    }
    for (size_t i = 0; i < length; i++) {
        char c = word[i] >= 'a' && word[i] <= 'z' ? (char)(word[i] - 32) : word[i];
        if (c != name[i]) {
            return false;
        }
    }
    return true;
}

/* Reads integers separated by commas and blanks; true when there are exactly `count`. One that is too large to be meant
 * is the largest. */
static bool read_numbers(const char *bytes, size_t length, int count, int64_t *numbers) {
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        while (at < length && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        bool negative = at < length && bytes[at] == '-';
        at += negative;
        size_t first = at;
        int64_t number = 0;
        while (at < length && bytes[at] >= '0' && bytes[at] <= '9') {
            number = number < MOST_NUMBER / 10 ? number * 10 + (bytes[at] - '0') : MOST_NUMBER;
            at++;
        }
        if (at == first) {
            return false;
        }
        numbers[i] = negative ? -number : number;
        while (at < length && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        if (i < count - 1) {
            if (at >= length || bytes[at] != ',') {
                return false;
            }
            at++;
        }
    }
    return at == length;
}

/* A square of the board from "x,y"; -1 when it is none. */
static int read_square(const struct gomocup *gomocup, const char *bytes, size_t length) {
    int64_t numbers[2];
    int size = gomocup->position.size;
    if (!read_numbers(bytes, length, 2, numbers) || numbers[0] < 0 || numbers[0] >= size || numbers[1] < 0 ||
        numbers[1] >= size) {
        return -1;
    }
    return (int)(numbers[1] * size + numbers[0]);
}

/* A search of one node: the engine makes its tables for these rules. */
static void warm_up(struct gomocup *gomocup) {
    struct search_limits limits = {.nodes = 1};
    struct search_control control = {0};
    struct search_result result;
    struct engine_request request = {.method = SEARCH_ENGINE, .limits = limits};
    engine_go(gomocup->engine, &gomoku_game, (const struct game_position *)&gomocup->position, &request, &control,
              &result, NULL);
}

/* Everything that takes time is done before the OK: the first move's clock starts behind it. */
static void new_game(struct gomocup *gomocup, int size) {
    gomoku_clear(&gomocup->position, size, gomocup->rule & 1 ? GOMOKU_EXACT : GOMOKU_FREESTYLE);
    gomocup->started = true;
    settle(gomocup);
    if (gomocup->engine) {
        engine_clear(gomocup->engine);
    }
    gomoku_prepare(gomocup->position.variant);
    thinker_measure(gomocup->thinker);
    if (ready_engine(gomocup)) {
        warm_up(gomocup);
        answer(gomocup, "OK");
    }
}

static void command_start(struct gomocup *gomocup, const char *rest, size_t length) {
    int64_t size;
    if (!read_numbers(rest, length, 1, &size) || size < GOMOKU_LEAST_SIZE || size > GOMOKU_MOST_SIZE) {
        answer(gomocup, "ERROR expected a board size of %d to %d", GOMOKU_LEAST_SIZE, GOMOKU_MOST_SIZE);
        return;
    }
    new_game(gomocup, (int)size);
}

static void command_begin(struct gomocup *gomocup) {
    if (gomocup->position.count > 0) {
        answer(gomocup, "ERROR expected an empty board");
        return;
    }
    go(gomocup);
}

static void command_turn(struct gomocup *gomocup, const char *rest, size_t length) {
    int square = read_square(gomocup, rest, length);
    if (square < 0 || !gomoku_game.legal((const struct game_position *)&gomocup->position, (game_move)square)) {
        answer(gomocup, square < 0 ? "ERROR expected a square of the board as x,y"
                                   : "ERROR expected an empty square and a game that is not over");
        return;
    }
    gomoku_put(&gomocup->position, square);
    go(gomocup);
}

static void command_takeback(struct gomocup *gomocup, const char *rest, size_t length) {
    struct gomoku_position *position = &gomocup->position;
    int square = read_square(gomocup, rest, length);
    if (square < 0 || position->count == 0 || position->order[position->count - 1] != square) {
        answer(gomocup, "ERROR expected the square of the last move");
        return;
    }
    struct game_undo undo = {.words = {GOMOKU_NO_WINNER}};
    gomoku_game.undo((struct game_position *)position, &undo);
    position->setup = position->setup > position->count ? position->count : position->setup;
    answer(gomocup, "OK");
}

/* One line of BOARD: x,y and whose stone it is, 1 for the brain's own. */
static void board_line(struct gomocup *gomocup, const char *bytes, size_t length) {
    int64_t numbers[3];
    int size = gomocup->position.size;
    bool good = !gomocup->board_bad && read_numbers(bytes, length, 3, numbers) && numbers[0] >= 0 &&
                numbers[0] < size && numbers[1] >= 0 && numbers[1] < size && (numbers[2] == 1 || numbers[2] == 2);
    int *count = good && numbers[2] == 1 ? &gomocup->board_own : &gomocup->board_other;
    if (!good || *count >= GOMOKU_MOST_SQUARES) {
        gomocup->board_bad = true;
        return;
    }
    gomocup->board_squares[numbers[2] - 1][(*count)++] = (uint16_t)(numbers[1] * size + numbers[0]);
}

/* Plays the stones in the order they came, each colour's apart: the side with more stones, or the own side when
 * both have the same, moved first. */
static void board_done(struct gomocup *gomocup) {
    struct gomoku_position position;
    gomoku_clear(&position, gomocup->position.size, gomocup->rule & 1 ? GOMOKU_EXACT : GOMOKU_FREESTYLE);
    gomocup->reading_board = false;
    int own = gomocup->board_own;
    int other = gomocup->board_other;
    bool good = !gomocup->board_bad && (own == other || own + 1 == other);
    int first = own == other ? 0 : 1;
    for (int i = 0; i < own + other && good; i++) {
        int square = gomocup->board_squares[(i & 1) ^ first][i / 2];
        good = position.board[square] == GOMOKU_EMPTY && position.winner == GOMOKU_NO_WINNER;
        if (good) {
            gomoku_put(&position, square);
        }
    }
    if (!good) {
        answer(gomocup, "ERROR expected a board of lines x,y,1 or x,y,2 on empty squares, with the brain to move");
        return;
    }
    gomocup->position = position;
    if (!gomocup->board_waits) {
        go(gomocup);
    }
}

/* One line of SWAP2BOARD: x,y of the next stone. They are collected as if they were all the brain's own. */
static void swap2_line(struct gomocup *gomocup, const char *bytes, size_t length) {
    int square = read_square(gomocup, bytes, length);
    if (gomocup->board_bad || square < 0 || gomocup->board_own >= SWAP2_MOST) {
        gomocup->board_bad = true;
        return;
    }
    gomocup->board_squares[0][gomocup->board_own++] = (uint16_t)square;
}

/* The engine's word on an opening, for swap2. */
static bool search_opening(void *user, const struct gomoku_position *position, double seconds,
                           struct search_result *result) {
    struct gomocup *gomocup = user;
    struct engine_request request = {.method = SEARCH_ENGINE, .limits = {.wall_seconds = seconds}};
    return engine_go(gomocup->engine, &gomoku_game, (const struct game_position *)position, &request, NULL, result,
                     NULL) == STATUS_OK;
}

/* Chooses by the stones there are, within the time of a turn. The game itself comes later, by BOARD. */
static void swap2_done(struct gomocup *gomocup) {
    struct gomoku_position position;
    gomoku_clear(&position, gomocup->position.size, gomocup->rule & 1 ? GOMOKU_EXACT : GOMOKU_FREESTYLE);
    gomocup->reading_board = false;
    int stones = gomocup->board_own;
    bool good = !gomocup->board_bad && (stones == 0 || stones == 3 || stones == 5);
    for (int i = 0; i < stones && good; i++) {
        good = position.board[gomocup->board_squares[0][i]] == GOMOKU_EMPTY;
        if (good) {
            gomoku_put(&position, gomocup->board_squares[0][i]);
        }
    }
    if (!good) {
        answer(gomocup, "ERROR expected no, three or five lines x,y of empty squares");
        return;
    }
    if (!ready_engine(gomocup)) {
        return;
    }
    settle(gomocup);
    set_limits(gomocup);
    double seconds = gomocup->limits.wall_seconds > 0 ? gomocup->limits.wall_seconds : SWAP2_SECONDS;
    struct swap2_answer choice;
    gomoku_swap2(search_opening, gomocup, &position, seconds < SWAP2_SECONDS ? seconds : SWAP2_SECONDS,
                 (uint64_t)(clock_wall() * 1e6), NULL, &choice);
    char line[64] = "SWAP";
    size_t used = 0;
    for (int i = 0; i < choice.count; i++) {
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%d,%d", i ? " " : "",
                                 choice.squares[i] % position.size, choice.squares[i] / position.size);
    }
    answer(gomocup, "%s", line);
}

/* The most memory a table may take, as the power of two of its kilobytes. */
static int most_table(void) {
    int power = 10;
    while (power < MOST_TABLE_POWER && UINT64_C(2048) << power <= machine_free_memory() / 2) {
        power++;
    }
    return power;
}

/* The table's size in kilobytes, as boards give it. */
static void set_table(struct gomocup *gomocup, int64_t kilobytes) {
    int64_t most = INT64_C(1) << most_table();
    int64_t least = (int64_t)(LEAST_HASH >> 10);
    kilobytes = kilobytes > most ? most : kilobytes < least ? least : kilobytes;
    gomocup->options.hash_bytes = (size_t)kilobytes << 10;
    if (gomocup->engine) {
        ready_engine(gomocup);
    }
}

/* Keys that mean nothing here are accepted in silence, as the protocol asks. */
static void command_info(struct gomocup *gomocup, const char *rest, size_t length) {
    struct reader reader;
    const char *key;
    int64_t number;
    reader_init(&reader, rest, length);
    reader_next_line(&reader);
    size_t key_length = reader_word(&reader, &key);
    reader_skip_blanks(&reader);
    if (key_length == 0 || !read_numbers(reader.line + reader.cursor, reader.length - reader.cursor, 1, &number)) {
        return;
    }
    if (same_word(key, key_length, "TIMEOUT_TURN")) {
        gomocup->timeout_turn = number;
    } else if (same_word(key, key_length, "TIMEOUT_MATCH")) {
        gomocup->timeout_match = number;
    } else if (same_word(key, key_length, "TIME_LEFT")) {
        gomocup->time_left = number;
    } else if (same_word(key, key_length, "MAX_MEMORY")) {
        gomocup->max_memory = number > 0 ? number : 0;
        if (gomocup->engine) {
            ready_engine(gomocup); /* now, and not when the clock runs */
        }
    } else if (same_word(key, key_length, "MAX_DEPTH")) {
        gomocup->max_depth = number > 0 && number < 1000 ? number : 0;
    } else if (same_word(key, key_length, "MAX_NODE")) {
        gomocup->max_nodes = number > 0 ? number : 0;
    } else if (same_word(key, key_length, "SHOW_DETAIL")) {
        gomocup->show_best = number & 1;
    } else if (same_word(key, key_length, "HASH_SIZE")) {
        set_table(gomocup, number);
    } else if (same_word(key, key_length, "THREAD_NUM")) {
        int threads = number > 0 && number <= MOST_THREADS ? (int)number : 1;
        if (threads != gomocup->threads) {
            gomocup->threads = threads;
            bool had = gomocup->engine != NULL;
            settle(gomocup);
            forget_engine(gomocup);
            if (had) {
                ready_engine(gomocup);
            }
        }
    } else if (same_word(key, key_length, "RULE")) {
        gomocup->rule = (int)(number & 7);
        if (gomocup->position.count == 0) {
            gomocup->position.variant = gomocup->rule & 1 ? GOMOKU_EXACT : GOMOKU_FREESTYLE;
            gomoku_prepare(gomocup->position.variant);
        }
        if (number & ~1) {
            answer(gomocup, "MESSAGE only the rules 0 (five or more) and 1 (exactly five) are known");
        }
    }
}

/* What Yixin-Board and boards like it say beside the protocol. False when it is nothing of that. */
static bool board_command(struct gomocup *gomocup, const char *word, size_t word_length, const char *rest,
                          size_t length) {
    int64_t lines;
    if (same_word(word, word_length, "YXSHOWINFO")) {
        answer(gomocup, "MESSAGE INFO MAX_THREAD_NUM %d", MOST_THREADS);
        answer(gomocup, "MESSAGE INFO MAX_HASH_SIZE %d", most_table());
    } else if (same_word(word, word_length, "YXSHOWFORBID")) {
        answer(gomocup, "FORBID ."); /* no rule that is known here forbids a square */
    } else if (same_word(word, word_length, "YXHASHCLEAR")) {
        settle(gomocup);
        if (gomocup->engine) {
            engine_clear(gomocup->engine);
        }
    } else if (same_word(word, word_length, "YXNBEST") && gomocup->started) {
        bool good = read_numbers(rest, length, 1, &lines) && lines >= 1;
        gomocup->lines = !good ? 1 : lines < MOST_LINES ? (int)lines : MOST_LINES;
        go(gomocup);
        gomocup->lines = 0;
    } else {
        return false;
    }
    return true;
}

bool gomocup_line(struct gomocup *gomocup, const char *bytes, size_t length) {
    struct reader reader;
    const char *word;
    reader_init(&reader, bytes, length);
    if (!reader_next_line(&reader) || !reader_skip_blanks(&reader)) {
        return true;
    }
    size_t word_length = reader_word(&reader, &word);
    reader_skip_blanks(&reader);
    const char *rest = reader.line + reader.cursor;
    size_t rest_length = reader.length - reader.cursor;

    if (same_word(word, word_length, "STOP") || same_word(word, word_length, "YXSTOP")) {
        thinker_stop(gomocup->thinker);
        gomocup_wait(gomocup);
        return true;
    }
    if (same_word(word, word_length, "END")) {
        thinker_stop(gomocup->thinker);
        gomocup_wait(gomocup);
        return false;
    }
    watch(gomocup, -1);
    gomocup->asked_at = clock_wall();
    if (gomocup->reading_board) {
        if (same_word(word, word_length, "DONE") && gomocup->reading_swap2) {
            swap2_done(gomocup);
        } else if (same_word(word, word_length, "DONE")) {
            board_done(gomocup);
        } else if (gomocup->reading_swap2) {
            swap2_line(gomocup, reader.line, reader.length);
        } else {
            board_line(gomocup, reader.line, reader.length);
        }
    } else if (same_word(word, word_length, "START")) {
        command_start(gomocup, rest, rest_length);
    } else if (same_word(word, word_length, "RECTSTART")) {
        answer(gomocup, "ERROR only square boards are known");
    } else if (same_word(word, word_length, "INFO")) {
        command_info(gomocup, rest, rest_length);
    } else if (same_word(word, word_length, "ABOUT")) {
        answer(gomocup, "name=\"sortie\", version=\"%s\", author=\"the sortie authors\", country=\"\"", SORTIE_VERSION);
    } else if (board_command(gomocup, word, word_length, rest, rest_length)) {
        return true;
    } else if (!gomocup->started) {
        static const char *const later[] = {"RESTART",    "BEGIN",    "TURN",    "BOARD",
                                            "SWAP2BOARD", "TAKEBACK", "YXBOARD", "YXNBEST"};
        bool known = false;
        for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
            known = known || same_word(word, word_length, later[i]);
        }
        answer(gomocup, known ? "ERROR expected START first" : "UNKNOWN command");
    } else if (same_word(word, word_length, "RESTART")) {
        new_game(gomocup, gomocup->position.size);
    } else if (same_word(word, word_length, "BEGIN")) {
        command_begin(gomocup);
    } else if (same_word(word, word_length, "TURN")) {
        command_turn(gomocup, rest, rest_length);
    } else if (same_word(word, word_length, "TAKEBACK")) {
        command_takeback(gomocup, rest, rest_length);
    } else if (same_word(word, word_length, "BOARD") || same_word(word, word_length, "YXBOARD") ||
               same_word(word, word_length, "SWAP2BOARD")) {
        gomocup->reading_board = true;
        gomocup->reading_swap2 = same_word(word, word_length, "SWAP2BOARD");
        gomocup->board_waits = same_word(word, word_length, "YXBOARD");
        gomocup->board_bad = false;
        gomocup->board_own = gomocup->board_other = 0;
    } else {
        answer(gomocup, "UNKNOWN command");
    }
    return true;
}

/* -- the conversation -- */

/* What came in and is not yet taken. */
struct input {
    int descriptor;
    bool ended;
    size_t taken;
    struct text bytes;
};

/* A whole line among what came in; the rest, when nothing more will come. False when there is none. */
static bool take_line(struct input *input, const char **line, size_t *length) {
    const char *at = text_string(&input->bytes) + input->taken;
    size_t left = input->bytes.length - input->taken;
    const char *end = left > 0 ? memchr(at, '\n', left) : NULL;
    if (left == 0 || (!end && !input->ended && left < MOST_LINE)) {
        return false;
    }
    *line = at;
    *length = end ? (size_t)(end - at) : left;
    input->taken += *length + (end != NULL);
    return true;
}

/* Waits for more to come in and takes it. */
static void take_more(struct input *input) {
    char bytes[4096];
    size_t left = input->bytes.length - input->taken;
    if (left > 0) {
        memmove(input->bytes.data, input->bytes.data + input->taken, left);
    }
    input->bytes.length = left;
    input->taken = 0;
    ssize_t got = read(input->descriptor, bytes, sizeof bytes);
    if (got > 0) {
        text_add(&input->bytes, bytes, (size_t)got);
    }
    input->ended = got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN) || input->bytes.broken;
}

int gomocup_loop(const struct gomocup_options *options, int descriptor) {
    struct error error;
    struct gomocup *gomocup = gomocup_new(options, &error);
    if (!gomocup) {
        return STATUS_FAIL;
    }
    struct input input = {.descriptor = descriptor, .bytes = TEXT_EMPTY};
    bool more = true;
    while (more) {
        const char *line;
        size_t length;
        if (take_line(&input, &line, &length)) {
            more = gomocup_line(gomocup, line, length);
        } else if (input.ended) {
            break;
        } else {
            watch(gomocup, descriptor);
            take_more(&input);
        }
    }
    /* Nobody is there any more who would wait for a better move. */
    thinker_stop(gomocup->thinker);
    gomocup_wait(gomocup);
    text_free(&input.bytes);
    gomocup_free(gomocup);
    return STATUS_OK;
}
