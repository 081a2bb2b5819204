/* The door of the page: texts go in, JSON comes out. It stands on the public API and is compiled with the same sources
 * as the program, to WebAssembly. No call keeps a position: the page sends the whole game each time, so that an engine
 * that was stopped by ending its worker is replaced by a fresh one and nothing is lost. */
#include "web.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "engine/bench.h"
#include "formats/line.h"

#define MOST_INPUT ((size_t)128 << 20) /* the proof that the first player wins has 88 MB */

static char *input; /* owned; what the page wrote */
static size_t input_length;
static struct text output; /* the last answer */
/* What thinks alone, the same nodes every time, and what thinks on several threads: made when first asked for, owned,
 * and alive as long as the worker. */
static sortie_engine *engines[2];
static int threads = 1;          /* of the second */
static const char *several_game; /* what the second last thought about */
static size_t hash_bytes = (size_t)64 << 20;

#ifdef __wasm__
/* Advice about memory, which the C library for WebAssembly does not take. */
int madvise(void *memory, size_t length, int advice) {
    (void)memory, (void)length, (void)advice;
    return 0;
}
#endif

/* -- the way in and out -- */

/* Room for `length` bytes, to be filled by the page; NULL when that is too much. */
char *EXPORT(web_input)(size_t length) {
    free(input);
    input = length <= MOST_INPUT ? malloc(length + 1) : NULL;
    input_length = input ? length : 0;
    return input;
}

const char *EXPORT(web_output)(void) {
    return text_string(&output);
}

size_t EXPORT(web_output_length)(void) {
    return output.length;
}

const char *web_bytes(size_t *length) {
    *length = input_length;
    return input;
}

struct text *web_answer(void) {
    text_free(&output);
    output = TEXT_EMPTY;
    return &output;
}

int web_refuse(const sortie_error *error) {
    ask_write_error(error->line, error->column, error->text, web_answer());
    return 2;
}

bool web_ask(struct ask *ask) {
    struct error error = {0};
    if (ask_parse(input, input_length, ask, &error) != STATUS_OK) {
        ask_write_error(error.line, error.column, error.text, web_answer());
        return false;
    }
    return true;
}

/* The engine for several threads begins anew with another game: each game's searcher keeps its helpers waiting, and
 * there are no more of them than one game takes. */
static void begin_several(const char *game) {
    if (game != several_game) {
        sortie_engine_free(engines[true]);
        engines[true] = NULL;
        several_game = game;
    }
}

static sortie_engine *engine_of(bool several, sortie_error *error) {
    sortie_engine_options options = SORTIE_INIT(sortie_engine_options);
    options.hash_bytes = hash_bytes;
    options.threads = several ? threads : 1;
    if (!engines[several]) {
        sortie_engine_new(&options, &engines[several], error);
    }
    return engines[several];
}

sortie_engine *web_engine(sortie_error *error) {
    return engine_of(false, error);
}

/* -- games and positions -- */

/* The sizes of boards that there are. */
static void add_sizes(struct json *json, const sortie_game_info *info) {
    json_open_list(json, "sizes");
    for (int size = info->least_size; size <= info->most_size; size++) {
        if (sortie_game_takes(info->name, size, 0)) {
            json_int(json, NULL, size);
        }
    }
    json_close_list(json);
}

/* The list of games for the page's menu. */
int EXPORT(web_games)(void) {
    struct json json = {web_answer(), false};
    const char *name;
    json_open_list(&json, NULL);
    for (int i = 0; (name = sortie_game_name(i)) != NULL; i++) {
        sortie_game_info info = SORTIE_INIT(sortie_game_info);
        sortie_game_about(name, &info, NULL);
        const char *rules;
        for (int j = 0; (rules = sortie_game_rules(name, j)) != NULL; j++) {
            json_open_object(&json, NULL);
            json_string(&json, "game", name);
            json_string(&json, "rules", rules);
            json_string(&json, "title", info.title);
            json_int(&json, "usual", info.usual_size);
            add_sizes(&json, &info);
            json_close_object(&json);
        }
    }
    json_close_list(&json);
    return 0;
}

/* A fresh board in sortie's own text: rule set number `variant` of game number `index`; values and blocks are drawn
 * from the seed, a game of wins begins empty. */
int EXPORT(web_start)(int index, int variant, int size, unsigned seed) {
    const char *name = sortie_game_name(index);
    sortie_game_info info = SORTIE_INIT(sortie_game_info);
    sortie_error error = {0};
    sortie_position *position = NULL;
    sortie_status status = sortie_game_about(name ? name : "", &info, &error);
    if (status == SORTIE_OK) {
        sortie_start start = SORTIE_INIT(sortie_start);
        start.rules = sortie_game_rules(name, variant);
        start.rows = size;
        start.random = info.margin;
        start.seed = seed;
        status = sortie_position_start(name, &start, &position, &error);
    }
    if (status != SORTIE_OK) {
        return web_refuse(&error);
    }
    char *own = sortie_position_text(position);
    text_add_string(web_answer(), own ? own : "");
    sortie_free(own);
    sortie_position_free(position);
    return 0;
}

static void add_cells(struct json *json, const sortie_position *position) {
    int columns = sortie_position_columns(position);
    int squares = sortie_position_rows(position) * columns;
    json_open_list(json, "cells");
    for (int i = 0; i < squares; i++) {
        sortie_cell cell = SORTIE_INIT(sortie_cell);
        sortie_position_cell(position, i / columns, i % columns, &cell, NULL);
        json_open_list(json, NULL);
        json_bytes(json, NULL, &".ab#pqr"[cell.ink], 1);
        json_string(json, NULL, cell.label);
        json_close_list(json);
    }
    json_close_list(json);
}

static void add_moves(struct json *json, const sortie_position *position) {
    int count = sortie_position_moves(position, NULL, 0);
    sortie_move *moves = count > 0 ? malloc((size_t)count * sizeof *moves) : NULL;
    count = moves ? sortie_position_moves(position, moves, count) : 0;
    line_list(moves, count, "moves", json);
    free(moves);
}

static void add_own_text(struct json *json, const char *key, const sortie_position *position) {
    char *own = sortie_position_text(position);
    json_string(json, key, own ? own : "");
    sortie_free(own);
}

/* The position as the page draws it: squares, legal moves, whose turn it is, and its own text. */
static void add_view(struct json *json, const sortie_position *position) {
    sortie_game_info info = SORTIE_INIT(sortie_game_info);
    sortie_game_about(sortie_position_game(position), &info, NULL);
    int over = sortie_position_is_over(position);
    json_open_object(json, NULL);
    json_string(json, "game", info.name);
    json_string(json, "title", info.title);
    json_string(json, "rules", sortie_position_rules(position));
    json_open_list(json, "sides");
    json_string(json, NULL, info.sides[0]);
    json_string(json, NULL, info.sides[1]);
    json_close_list(json);
    json_int(json, "rows", sortie_position_rows(position));
    json_int(json, "columns", sortie_position_columns(position));
    json_int(json, "toMove", sortie_position_to_move(position));
    json_int(json, "score", over || info.margin ? sortie_position_score(position) : 0);
    json_bool(json, "over", over);
    json_bool(json, "margin", info.margin);
    json_bool(json, "points", info.stones_on_points);
    json_bool(json, "numbers", info.numbered_from_zero);
    json_int(json, "swap", sortie_position_swap(position));
    add_own_text(json, "text", position);
    add_cells(json, position);
    add_moves(json, position);
    json_close_object(json);
}

int EXPORT(web_view)(void) {
    struct ask ask;
    if (!web_ask(&ask)) {
        return 2;
    }
    add_view(&(struct json){web_answer(), false}, ask.position);
    ask_free(&ask);
    return 0;
}

/* Gomoku with the swap: where an engine puts the first stone, so that neither side is glad to have it. */
int EXPORT(web_swap_opening)(unsigned seed) {
    struct ask ask;
    if (!web_ask(&ask)) {
        return 2;
    }
    sortie_error error = {0};
    sortie_move move;
    sortie_status status = sortie_position_swap_opening(ask.position, seed, move, &error);
    if (status == SORTIE_OK) {
        struct json json = {web_answer(), false};
        json_open_object(&json, NULL);
        json_string(&json, "move", move);
        json_close_object(&json);
    }
    ask_free(&ask);
    return status == SORTIE_OK ? 0 : web_refuse(&error);
}

/* The game as SGF. */
int EXPORT(web_sgf)(void) {
    struct ask ask;
    if (!web_ask(&ask)) {
        return 2;
    }
    sortie_error error = {0};
    char *record = NULL;
    sortie_status status = sortie_position_sgf(ask.position, &record, &error);
    if (status == SORTIE_OK) {
        text_add_string(web_answer(), record);
    }
    sortie_free(record);
    ask_free(&ask);
    return status == SORTIE_OK ? 0 : web_refuse(&error);
}

/* -- searching -- */

static void report(void *user, const sortie_result *result) {
    (void)user;
    struct text text = TEXT_EMPTY;
    ask_write_result("info", result, &text);
    page_report(text_string(&text), text.length);
    text_free(&text);
}

/* Memory for the engine's table, before the first search. */
void EXPORT(web_hash)(int mebibytes) {
    hash_bytes = (size_t)mebibytes << 20;
}

/* How many threads a search may have that is not to be the same every time; before the first such. */
void EXPORT(web_threads)(int count) {
    threads = count;
}

/* Called by the page's clock while a search runs, where worker and page share memory. */
void EXPORT(web_stop)(void) {
    for (int i = 0; i < 2; i++) {
        if (engines[i]) {
            sortie_engine_stop(engines[i]);
        }
    }
}

/* Thinks as protocols/ask.h says, on one thread or on as many as there may be. */
int EXPORT(web_think)(int several) {
    struct ask ask;
    if (!web_ask(&ask)) {
        return 2;
    }
    sortie_error error = {0};
    int status = 2;
    several = several && threads > 1;
    if (several) {
        begin_several(sortie_position_game(ask.position));
    }
    sortie_engine *engine = engine_of(several, &error);
    if (engine) {
        ask.limits.on_info = report;
        status = ask_answer(&ask, engine, web_answer());
    } else {
        web_refuse(&error);
    }
    ask_free(&ask);
    return status;
}

/* -- course files -- */

/* The file in the input, or NULL with the answer saying why not. */
static sortie_course *read_course(void) {
    sortie_error error = {0};
    sortie_course *course = NULL;
    if (sortie_course_parse(input, input_length, NULL, &course, &error) != SORTIE_OK) {
        web_refuse(&error);
        return NULL;
    }
    return course;
}

/* What a file asks for, and its position in sortie's own text. Also takes what is no course file but a position. */
int EXPORT(web_course)(void) {
    sortie_error error = {0};
    sortie_position *position = NULL;
    if (sortie_position_parse(input, input_length, &position, &error) != SORTIE_OK) {
        return web_refuse(&error);
    }
    struct json json = {web_answer(), false};
    json_open_object(&json, NULL);
    add_own_text(&json, "start", position);
    sortie_course *course = NULL;
    sortie_course_info info = SORTIE_INIT(sortie_course_info);
    if (sortie_course_parse(input, input_length, NULL, &course, NULL) == SORTIE_OK &&
        sortie_course_about(course, &info, NULL) == SORTIE_OK) {
        static const char *const methods[] = {"greedy", "minimax", "alphabeta", "engine"};
        json_string(&json, "format", info.format);
        json_string(&json, "method", methods[info.method]);
        json_string(&json, "warning", info.warning);
        json_bool(&json, "battle", info.battle);
        json_int(&json, "depth", info.depth);
        json_number(&json, "cpuLeft", info.cpu_seconds_left, 6);
        json_number(&json, "seconds", info.wall_seconds, 6);
    }
    json_close_object(&json);
    sortie_course_free(course);
    sortie_position_free(position);
    return 0;
}

static void keep_log(void *user, const char *bytes, size_t length) {
    text_add(user, bytes, length);
}

static void add_file(struct json *json, const char *name, const char *content) {
    json_open_object(json, NULL);
    json_string(json, "name", name);
    json_string(json, "text", content);
    json_close_object(json);
}

/* Answers the file as the course asks: the files `sortie move` would write. */
int EXPORT(web_course_answer)(void) {
    sortie_course *course = read_course();
    if (!course) {
        return 2;
    }
    struct text log = TEXT_EMPTY;
    sortie_course_orders orders = SORTIE_INIT(sortie_course_orders);
    sortie_course_info info = SORTIE_INIT(sortie_course_info);
    static sortie_result result;
    result = SORTIE_INIT(sortie_result);
    sortie_error error = {0};
    char *answer = NULL;
    orders.on_log = keep_log;
    orders.user = &log;
    sortie_course_about(course, &info, NULL);
    sortie_engine *engine = web_engine(&error);
    sortie_status status = SORTIE_FAIL;
    if (engine) {
        status = sortie_course_answer(course, engine, &orders, &answer, &result, &error);
    }
    if (status == SORTIE_OK) {
        struct json json = {web_answer(), false};
        json_open_object(&json, NULL);
        json_string(&json, "move", result.move);
        json_int(&json, "value", result.value);
        json_int(&json, "nodes", (int64_t)result.nodes);
        json_open_list(&json, "files");
        add_file(&json, info.answer_file, answer);
        if (info.log_file && log.length) {
            add_file(&json, info.log_file, text_string(&log));
        }
        json_close_list(&json);
        json_close_object(&json);
    }
    sortie_free(answer);
    text_free(&log);
    sortie_course_free(course);
    return status == SORTIE_OK ? 0 : web_refuse(&error);
}

/* -- checking -- */

/* The signature of `sortie bench`, from the module the page runs. */
int EXPORT(web_bench)(int nodes) {
    struct search_control control = {0};
    struct bench_total total;
    struct error error = {0};
    if (bench_run((uint64_t)nodes, &control, NULL, NULL, &total, &error) != STATUS_OK) {
        ask_write_error(error.line, error.column, error.text, web_answer());
        return 2;
    }
    text_addf(web_answer(), "signature %016llx\n", (unsigned long long)total.signature);
    return 0;
}
