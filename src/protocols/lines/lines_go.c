/* Searching, and what is said of it. */
#include <stdlib.h>

#include "base/assert.h"
#include "protocols/lines/lines_state.h"
#include "system/thread.h"

#define MOST_NODES INT64_C(1000000000000000)
#define MOST_MS INT64_C(100000000000)
/* Values this near to a sure win count plies. */
#define MOST_PLIES 1000

/* -- what a go asks for -- */

/* The numbers of a go as they stand in the line; -1: not given. */
struct request {
    int64_t depth;
    int64_t nodes;
    int64_t movetime;
    int64_t times[2];
    int64_t lines;
    bool infinite;
    bool cpu;
    sortie_goal goal;
};

/* A word that is followed by a number: where that goes; NULL when the word is none of these. */
static int64_t *number_of(struct request *request, const char *word, size_t length, int64_t *most,
                          const char **expected) {
    *most = MOST_MS;
    *expected = "milliseconds";
    if (lines_is(word, length, "movetime")) {
        return &request->movetime;
    }
    if (lines_is(word, length, "time1") || lines_is(word, length, "time2")) {
        return &request->times[word[4] - '1'];
    }
    if (lines_is(word, length, "depth")) {
        *most = MOST_PLIES;
        *expected = "a depth of 1 to 1000 plies";
        return &request->depth;
    }
    if (lines_is(word, length, "nodes")) {
        *most = MOST_NODES;
        *expected = "a number of nodes";
        return &request->nodes;
    }
    if (lines_is(word, length, "multipv")) {
        *most = LINES_MOST_LINES;
        *expected = "1 to 64 lines";
        return &request->lines;
    }
    return NULL;
}

static bool take_flag(struct request *request, const char *word, size_t length) {
    if (lines_is(word, length, "infinite")) {
        return request->infinite = true;
    }
    if (lines_is(word, length, "cpu")) {
        return request->cpu = true;
    }
    if (lines_is(word, length, "exact") || lines_is(word, length, "win")) {
        request->goal = word[0] == 'e' ? SORTIE_EXACT : SORTIE_WIN;
        return true;
    }
    return false;
}

static enum status read_request(struct reader *reader, struct request *request, struct error *error) {
    const char *word;
    const char *expected;
    int64_t most;
    while (reader_skip_blanks(reader)) {
        size_t begin = reader->cursor;
        size_t length = reader_word(reader, &word);
        if (lines_is(word, length, "legal")) {
            return STATUS_OK; /* the moves behind it are known here */
        }
        int64_t *number = number_of(request, word, length, &most, &expected);
        if (number) {
            enum status status = reader_integer(reader, 1, most, expected, number, error);
            if (status != STATUS_OK) {
                return status;
            }
        } else if (!take_flag(request, word, length)) {
            reader->cursor = begin;
            return reader_expected(
                reader, "depth, nodes, movetime, time1, time2, cpu, multipv, exact, win, infinite or legal", error);
        }
    }
    return STATUS_OK;
}

/* Seconds of a clock without what the way to the manager and back may take; a quarter of them in any case. */
static double kept(const struct lines *lines, int64_t milliseconds) {
    double seconds = 1e-3 * (double)milliseconds;
    double rest = seconds - 1e-3 * lines->overhead;
    return rest > 0.25 * seconds ? rest : 0.25 * seconds;
}

static void set_limits(const struct lines *lines, const struct request *request, struct lines_order *order) {
    sortie_limits *limits = &order->limits;
    int64_t left = request->times[sortie_position_to_move(lines->position)];
    double move_seconds = request->movetime > 0 ? kept(lines, request->movetime) : 0;
    double seconds_left = left > 0 ? kept(lines, left) : 0;
    *limits = SORTIE_INIT(sortie_limits);
    limits->method = SORTIE_ENGINE;
    limits->goal = request->goal;
    limits->depth = request->depth > 0 ? (int)request->depth : 0;
    limits->nodes = request->nodes > 0 ? (uint64_t)request->nodes : 0;
    *(request->cpu ? &limits->cpu_seconds : &limits->wall_seconds) = move_seconds;
    *(request->cpu ? &limits->cpu_seconds_left : &limits->wall_seconds_left) = seconds_left;
    limits->multi_pv = request->lines > 0 ? (int)request->lines : 1;
    limits->book = lines->book && !request->infinite;
    limits->book_seed = lines->book_seed;
    bool limited = limits->depth > 0 || limits->nodes > 0 || move_seconds > 0 || seconds_left > 0;
    order->infinite = request->infinite || (!limited && request->goal == SORTIE_BEST);
    if (!limited && request->goal == SORTIE_BEST) {
        limits->depth = MOST_PLIES;
    }
}

/* -- what is said -- */

static void add_bound(struct text *text, int bound) {
    if (abs(bound) >= SORTIE_INFINITY) {
        text_add_string(text, bound < 0 ? " -inf" : " inf");
    } else {
        text_addf(text, " %d", bound);
    }
}

/* A value found by a depth may lie outside of the bounds that are proved meanwhile. */
static int value_of(const sortie_result *result) {
    int value = result->value;
    if (result->proved) {
        value = value < result->lower ? result->lower : value > result->upper ? result->upper : value;
    }
    return value;
}

/* Whether the margin is certain, or that the game is won, drawn or lost. */
static bool is_proved(const sortie_result *result, bool margin) {
    return result->proved &&
           (result->lower == result->upper || (!margin && (result->lower > SORTIE_WIN_VALUE - MOST_PLIES ||
                                                           result->upper < MOST_PLIES - SORTIE_WIN_VALUE)));
}

static void add_score(struct text *text, const sortie_result *result, bool margin) {
    int value = value_of(result);
    int plies = SORTIE_WIN_VALUE - abs(value);
    if (!margin && plies >= 0 && plies < MOST_PLIES) {
        text_addf(text, " score %s %d", value > 0 ? "win" : "loss", plies);
    } else {
        text_addf(text, " score value %d", value);
    }
    if (is_proved(result, margin)) {
        text_add_string(text, " proved");
    } else if (result->proved && margin) {
        text_add_string(text, " bounds");
        add_bound(text, result->lower);
        add_bound(text, result->upper);
    }
    if (result->win + result->draw + result->loss > 0) {
        text_addf(text, " wdl %.0f %.0f %.0f", 1000 * result->win, 1000 * result->draw, 1000 * result->loss);
    }
}

static void tell(void *user, const sortie_result *result) {
    struct lines *lines = user;
    struct text text = TEXT_EMPTY;
    sortie_game_info info = SORTIE_INIT(sortie_game_info);
    sortie_game_about(sortie_position_game(lines->order.position), &info, NULL);
    text_addf(&text, "info depth %d", result->depth);
    if (lines->order.limits.multi_pv > 1) {
        text_addf(&text, " multipv %d", result->line + 1);
    }
    add_score(&text, result, info.margin);
    double rate = result->wall_seconds > 1e-6 ? (double)result->nodes / result->wall_seconds : 0;
    text_addf(&text, " nodes %llu nps %.0f time %.0f pv", (unsigned long long)result->nodes, rate,
              1e3 * result->wall_seconds);
    for (int i = 0; i < result->line_length && i < SORTIE_MOST_LINE; i++) {
        lines_add_move(&text, result->line_moves[i]);
    }
    lines_answer(lines, &text);
    text_free(&text);
}

/* -- the thread that searches -- */

/* The last word, and the move; from here on the next go may come. */
static void answer_move(struct lines *lines, const char *move, const char *problem) {
    struct text text = TEXT_EMPTY;
    text_add_string(&text, problem ? "error " : "bestmove");
    if (problem) {
        text_add_string(&text, problem);
    } else {
        lines_add_move(&text, move);
    }
    pthread_mutex_lock(&lines->lock);
    while (lines->order.infinite && !lines->stopped) {
        pthread_cond_wait(&lines->news, &lines->lock);
    }
    lines->thinking = false;
    lines_answer_locked(lines, &text);
    pthread_cond_broadcast(&lines->news);
    pthread_mutex_unlock(&lines->lock);
    text_free(&text);
}

static void *search(void *argument) {
    struct lines *lines = argument;
    struct lines_order *order = &lines->order;
    int wanted = order->limits.multi_pv;
    int count = 0;
    sortie_error error = {.text = "no memory for the search"};
    sortie_result *results = calloc((size_t)wanted, sizeof *results);
    sortie_status status = results ? SORTIE_OK : SORTIE_FAIL;
    if (results) {
        results->size = sizeof *results;
        status = sortie_engine_analyze(lines->engine, order->position, &order->limits, results, wanted, &count, &error);
    }
    for (int i = 0; results && i < count; i++) {
        tell(lines, &results[i]);
    }
    sortie_position_free(order->position);
    order->position = NULL;
    answer_move(lines, count > 0 ? results[0].move : "none", status == SORTIE_OK ? NULL : error.text);
    free(results);
    return NULL;
}

/* -- the thread that listens -- */

void lines_stop(struct lines *lines) {
    pthread_mutex_lock(&lines->lock);
    if (lines->thinking) {
        lines->stopped = true;
        sortie_engine_stop(lines->engine);
        pthread_cond_broadcast(&lines->news);
    }
    pthread_mutex_unlock(&lines->lock);
}

bool lines_is_thinking(struct lines *lines) {
    pthread_mutex_lock(&lines->lock);
    bool thinking = lines->thinking;
    pthread_mutex_unlock(&lines->lock);
    return thinking;
}

void lines_wait(struct lines *lines) {
    pthread_mutex_lock(&lines->lock);
    while (lines->thinking) {
        pthread_cond_wait(&lines->news, &lines->lock);
    }
    pthread_mutex_unlock(&lines->lock);
    if (lines->joinable) {
        pthread_join(lines->thread, NULL);
        lines->joinable = false;
    }
}

static enum status ready_engine(struct lines *lines, struct error *error) {
    sortie_engine_options options = SORTIE_INIT(sortie_engine_options);
    sortie_error cause = {0};
    options.threads = lines->threads;
    options.hash_bytes = (size_t)lines->hash_mib << 20;
    if (!lines->engine && sortie_engine_new(&options, &lines->engine, &cause) != SORTIE_OK) {
        return error_machine(error, "%s", cause.text);
    }
    return STATUS_OK;
}

enum status lines_warm_up(struct lines *lines, struct error *error) {
    if (!lines->position || sortie_position_is_over(lines->position) || lines_is_thinking(lines)) {
        return STATUS_OK;
    }
    lines_wait(lines);
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    sortie_error cause = {0};
    enum status status = ready_engine(lines, error);
    sortie_result *result = status == STATUS_OK ? calloc(1, sizeof *result) : NULL;
    if (status != STATUS_OK || !result) {
        return status != STATUS_OK ? status : error_machine(error, "no memory for the search");
    }
    limits.method = SORTIE_ENGINE;
    limits.nodes = 1;
    result->size = sizeof *result;
    if (sortie_engine_go(lines->engine, lines->position, &limits, result, &cause) != SORTIE_OK) {
        status = error_machine(error, "%s", cause.text);
    }
    free(result);
    return status;
}

enum status lines_go(struct lines *lines, struct reader *reader, struct error *error) {
    struct request request = {.times = {0}};
    sortie_error cause = {0};
    ASSERT(!lines_is_thinking(lines));
    if (!lines->position) {
        return error_at(error, 0, 0, "expected a position first");
    }
    enum status status = read_request(reader, &request, error);
    if (status != STATUS_OK) {
        return status;
    }
    if (sortie_position_is_over(lines->position)) {
        lines_answerf(lines, "bestmove none");
        return STATUS_OK;
    }
    lines_wait(lines);
    status = ready_engine(lines, error);
    if (status == STATUS_OK && sortie_position_copy(lines->position, &lines->order.position, &cause) != SORTIE_OK) {
        status = error_machine(error, "%s", cause.text);
    }
    if (status != STATUS_OK) {
        return status;
    }
    set_limits(lines, &request, &lines->order);
    lines->order.limits.on_info = tell;
    lines->order.limits.user = lines;
    lines->stopped = false;
    lines->thinking = true;
    sortie_engine_arm(lines->engine); /* a stop may come before the thread has begun */
    lines->joinable = thread_start(&lines->thread, search, lines) == 0;
    if (!lines->joinable) {
        lines->thinking = false;
        sortie_position_free(lines->order.position);
        return error_machine(error, "no thread for the search");
    }
    return STATUS_OK;
}
