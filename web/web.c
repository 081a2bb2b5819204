/* The door of the page: texts go in, JSON comes out. It stands on the public API and is compiled with the same sources
 * as the program, to WebAssembly. No call keeps a position: the page sends the whole game each time, so that an engine
 * that was stopped by ending its worker is replaced by a fresh one and nothing is lost. */
#include "web.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "engine/bench.h"

static char *input; /* owned; what the page wrote */
static size_t input_length;
static struct text output;    /* the last answer */
static sortie_engine *engine; /* owned; lives as long as the worker */
static size_t hash_bytes = (size_t)64 << 20;

/* Advice about memory, which the C library for WebAssembly does not take. */
int madvise(void *memory, size_t length, int advice) {
    (void)memory, (void)length, (void)advice;
    return 0;
}

/* -- the way in and out -- */

/* Room for `length` bytes, to be filled by the page; NULL when that is too much. */
char *EXPORT(web_input)(size_t length) {
    free(input);
    input = length <= ASK_MOST_BYTES ? malloc(length + 1) : NULL;
    input_length = input ? length : 0;
    return input;
}

const char *EXPORT(web_output)(void) {
    return text_string(&output);
}

size_t EXPORT(web_output_length)(void) {
    return output.length;
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

sortie_engine *web_engine(sortie_error *error) {
    sortie_engine_options options = SORTIE_INIT(sortie_engine_options);
    options.hash_bytes = hash_bytes;
    if (!engine) {
        sortie_engine_new(&options, &engine, error);
    }
    return engine;
}

/* -- games and positions -- */

static void add_flag(struct text *text, const char *key, int flag) {
    text_addf(text, ", \"%s\": %s", key, flag ? "true" : "false");
}

static void add_string(struct text *text, const char *key, const char *string) {
    text_addf(text, ", \"%s\": ", key);
    text_add_json(text, string);
}

/* The list of games for the page's menu. */
int EXPORT(web_games)(void) {
    struct text *text = web_answer();
    const char *name;
    for (int i = 0; (name = sortie_game_name(i)) != NULL; i++) {
        sortie_game_info info = SORTIE_INIT(sortie_game_info);
        sortie_game_about(name, &info, NULL);
        const char *rules;
        for (int j = 0; (rules = sortie_game_rules(name, j)) != NULL; j++) {
            text_addf(text, "%s{\"least\": %d, \"most\": %d, \"usual\": %d", text->length ? ", " : "[", info.least_size,
                      info.most_size, info.usual_size);
            add_string(text, "game", name);
            add_string(text, "rules", rules);
            text_add_char(text, '}');
        }
    }
    text_add_char(text, ']');
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

static void add_cells(struct text *text, const sortie_position *position) {
    int columns = sortie_position_columns(position);
    int squares = sortie_position_rows(position) * columns;
    text_add_string(text, ", \"cells\": [");
    for (int i = 0; i < squares; i++) {
        sortie_cell cell = SORTIE_INIT(sortie_cell);
        sortie_position_cell(position, i / columns, i % columns, &cell, NULL);
        text_addf(text, "%s[\"%c\", \"%s\"]", i ? ", " : "", ".ab#pqr"[cell.ink], cell.label);
    }
    text_add_char(text, ']');
}

static void add_moves(struct text *text, const sortie_position *position) {
    int count = sortie_position_moves(position, NULL, 0);
    sortie_move *moves = count > 0 ? malloc((size_t)count * sizeof *moves) : NULL;
    text_add_string(text, ", \"moves\": [");
    for (int i = 0; moves && i < sortie_position_moves(position, moves, count); i++) {
        text_add_string(text, i ? ", " : "");
        text_add_json(text, moves[i]);
    }
    text_add_char(text, ']');
    free(moves);
}

/* The position as the page draws it: squares, legal moves, whose turn it is, and its own text. */
static void add_view(struct text *text, const sortie_position *position) {
    sortie_game_info info = SORTIE_INIT(sortie_game_info);
    sortie_game_about(sortie_position_game(position), &info, NULL);
    int over = sortie_position_is_over(position);
    text_addf(text, "{\"rows\": %d, \"columns\": %d, \"toMove\": %d, \"score\": %d", sortie_position_rows(position),
              sortie_position_columns(position), sortie_position_to_move(position),
              over || info.margin ? sortie_position_score(position) : 0);
    add_string(text, "game", info.name);
    add_string(text, "rules", sortie_position_rules(position));
    add_flag(text, "over", over);
    add_flag(text, "margin", info.margin);
    add_flag(text, "points", info.stones_on_points);
    add_flag(text, "numbers", info.numbered_from_zero);
    text_addf(text, ", \"swap\": %d", sortie_position_swap(position));
    char *own = sortie_position_text(position);
    add_string(text, "text", own ? own : "");
    sortie_free(own);
    add_cells(text, position);
    add_moves(text, position);
    text_add_char(text, '}');
}

int EXPORT(web_view)(void) {
    struct ask ask;
    if (!web_ask(&ask)) {
        return 2;
    }
    add_view(web_answer(), ask.position);
    ask_free(&ask);
    return 0;
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

/* Called by the page's clock while a search runs, where worker and page share memory. */
void EXPORT(web_stop)(void) {
    if (engine) {
        sortie_engine_stop(engine);
    }
}

/* Thinks as protocols/ask.h says. */
int EXPORT(web_think)(void) {
    struct ask ask;
    if (!web_ask(&ask)) {
        return 2;
    }
    sortie_error error = {0};
    int status = 2;
    if (web_engine(&error)) {
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
    char *own = sortie_position_text(position);
    struct text *text = web_answer();
    text_add_string(text, "{\"start\": ");
    text_add_json(text, own ? own : "");
    sortie_free(own);
    sortie_course *course = NULL;
    sortie_course_info info = SORTIE_INIT(sortie_course_info);
    if (sortie_course_parse(input, input_length, NULL, &course, NULL) == SORTIE_OK &&
        sortie_course_about(course, &info, NULL) == SORTIE_OK) {
        static const char *const methods[] = {"greedy", "minimax", "alphabeta", "engine"};
        add_string(text, "format", info.format);
        add_string(text, "method", methods[info.method]);
        add_string(text, "warning", info.warning);
        add_flag(text, "battle", info.battle);
        text_addf(text, ", \"depth\": %d, \"cpuLeft\": %g, \"seconds\": %g", info.depth, info.cpu_seconds_left,
                  info.wall_seconds);
    }
    text_add_char(text, '}');
    sortie_course_free(course);
    sortie_position_free(position);
    return 0;
}

static void keep_log(void *user, const char *bytes, size_t length) {
    text_add(user, bytes, length);
}

static void add_file(struct text *text, const char *name, const char *content) {
    text_add_string(text, "{\"name\": ");
    text_add_json(text, name);
    add_string(text, "text", content);
    text_add_char(text, '}');
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
    sortie_status status = web_engine(&error) ? SORTIE_OK : SORTIE_FAIL;
    if (status == SORTIE_OK) {
        status = sortie_course_answer(course, engine, &orders, &answer, &result, &error);
    }
    if (status == SORTIE_OK) {
        struct text *text = web_answer();
        text_add_string(text, "{\"move\": ");
        text_add_json(text, result.move);
        text_addf(text, ", \"value\": %d, \"nodes\": %llu, \"files\": [", result.value,
                  (unsigned long long)result.nodes);
        add_file(text, info.answer_file, answer);
        if (info.log_file && log.length) {
            text_add_string(text, ", ");
            add_file(text, info.log_file, text_string(&log));
        }
        text_add_string(text, "]}");
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
