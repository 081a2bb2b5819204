#include "protocols/lines/lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/line_input.h"
#include "base/number.h"
#include "base/rng.h"
#include "base/stopwatch.h"
#include "protocols/lines/lines_state.h"

#define USUAL_HASH 64
#define USUAL_OVERHEAD 30

/* -- answers -- */

void lines_answer_locked(struct lines *lines, const struct text *line) {
    if (line->broken) {
        lines->options.answer(lines->options.user, "error no memory for the answer");
        return;
    }
    for (size_t i = 0; i < line->length; i++) {
        if (line->data[i] < ' ' || line->data[i] > '~') {
            line->data[i] = '?';
        }
    }
    lines->options.answer(lines->options.user, text_string(line));
}

void lines_answer(struct lines *lines, const struct text *line) {
    pthread_mutex_lock(&lines->lock);
    lines_answer_locked(lines, line);
    pthread_mutex_unlock(&lines->lock);
}

void lines_answerf(struct lines *lines, const char *format, ...) {
    char buffer[1024];
    struct text text = TEXT_EMPTY;
    va_list arguments;
    va_start(arguments, format);
    number_vformat(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    text_add_string(&text, buffer);
    lines_answer(lines, &text);
    text_free(&text);
}

/* -- the beginning and the end -- */

struct lines *lines_new(const struct lines_options *options, struct error *error) {
    struct lines *lines = calloc(1, sizeof *lines);
    if (!lines) {
        error_machine(error, "no memory for the protocol");
        return NULL;
    }
    lines->options = *options;
    lines->threads = options->threads > 0 ? options->threads : 1;
    lines->hash_mib = options->hash_mib > 0 ? options->hash_mib : USUAL_HASH;
    lines->overhead = options->overhead >= 0 ? options->overhead : USUAL_OVERHEAD;
    lines->book = 1;
    lines->book_seed = rng_mix((uint64_t)(clock_wall() * 1e9));
    pthread_mutex_init(&lines->lock, NULL);
    pthread_cond_init(&lines->news, NULL);
    return lines;
}

void lines_free(struct lines *lines) {
    if (!lines) {
        return;
    }
    lines_stop(lines);
    lines_wait(lines);
    sortie_engine_free(lines->engine);
    sortie_position_free(lines->position);
    pthread_cond_destroy(&lines->news);
    pthread_mutex_destroy(&lines->lock);
    free(lines);
}

/* -- options -- */

static const struct {
    const char *name;
    size_t place; /* of an int in struct lines */
    int least;
    int most;
    bool of_engine; /* which is made anew with another value */
} settings[] = {
    {"Threads", offsetof(struct lines, threads), 1, LINES_MOST_THREADS, true},
    {"Hash", offsetof(struct lines, hash_mib), 1, LINES_MOST_HASH, true},
    {"Overhead", offsetof(struct lines, overhead), 0, LINES_MOST_OVERHEAD, false},
    {"Book", offsetof(struct lines, book), 0, 1, false},
};

#define SETTINGS (sizeof settings / sizeof *settings)

static int *setting_value(struct lines *lines, size_t index) {
    return (int *)(void *)((char *)lines + settings[index].place);
}

static enum status set_option(struct lines *lines, struct reader *reader, struct error *error) {
    static const char *const pattern[] = {"name", NULL, "value"};
    const char *word;
    size_t index = SETTINGS;
    for (int i = 0; i < 3; i++) {
        reader_skip_blanks(reader);
        size_t begin = reader->cursor;
        size_t length = reader_word(reader, &word);
        for (index = i == 1 ? 0 : index; i == 1 && index < SETTINGS; index++) {
            if (lines_is(word, length, settings[index].name)) {
                break;
            }
        }
        if (i == 1 ? index == SETTINGS : !lines_is(word, length, pattern[i])) {
            reader->cursor = begin;
            return reader_expected(reader, i == 1 ? "the name of an option" : i ? "'value'" : "'name'", error);
        }
    }
    char expected[60];
    int64_t value;
    number_format(expected, sizeof expected, "a number of %d to %d", settings[index].least, settings[index].most);
    enum status status = reader_integer(reader, settings[index].least, settings[index].most, expected, &value, error);
    if (status == STATUS_OK) {
        status = reader_need_line_end(reader, "the end of the line", error);
    }
    if (status == STATUS_OK) {
        *setting_value(lines, index) = (int)value;
        if (settings[index].of_engine) {
            lines_wait(lines);
            sortie_engine_free(lines->engine);
            lines->engine = NULL;
        }
    }
    return status;
}

/* -- commands -- */

static void introduce_game(struct lines *lines, const char *game) {
    sortie_game_info info = SORTIE_INIT(sortie_game_info);
    struct text text = TEXT_EMPTY;
    const char *rules;
    if (sortie_game_about(game, &info, NULL) != SORTIE_OK) {
        return;
    }
    text_addf(&text, "game %s size %d to %d usual %d rules", game, info.least_size, info.most_size, info.usual_size);
    for (int i = 0; (rules = sortie_game_rules(game, i)); i++) {
        text_addf(&text, " %s", rules);
    }
    lines_answer(lines, &text);
    text_free(&text);
}

static enum status introduce(struct lines *lines, struct reader *reader, struct error *error) {
    const char *game;
    (void)reader, (void)error;
    lines_answerf(lines, "id name sortie %s", sortie_version());
    lines_answerf(lines, "id author the sortie authors");
    for (int i = 0; (game = sortie_game_name(i)); i++) {
        introduce_game(lines, game);
    }
    for (size_t i = 0; i < SETTINGS; i++) {
        lines_answerf(lines, "option name %s type spin default %d min %d max %d", settings[i].name,
                      *setting_value(lines, i), settings[i].least, settings[i].most);
    }
    lines_answerf(lines, "sortieok");
    return STATUS_OK;
}

static enum status be_ready(struct lines *lines, struct reader *reader, struct error *error) {
    (void)reader;
    enum status status = lines_warm_up(lines, error);
    if (status == STATUS_OK) {
        lines_answerf(lines, "readyok");
    }
    return status;
}

static enum status new_game(struct lines *lines, struct reader *reader, struct error *error) {
    (void)reader, (void)error;
    lines_wait(lines);
    if (lines->engine) {
        sortie_engine_clear(lines->engine);
    }
    return STATUS_OK;
}

static enum status stop(struct lines *lines, struct reader *reader, struct error *error) {
    (void)reader, (void)error;
    lines_stop(lines);
    return STATUS_OK;
}

/* For scripts: a manager reads until the move comes. */
static enum status wait_for_move(struct lines *lines, struct reader *reader, struct error *error) {
    (void)reader;
    if (lines_is_thinking(lines) && lines->order.infinite) {
        return error_at(error, 0, 0, "expected a search that ends by itself");
    }
    lines_wait(lines);
    return STATUS_OK;
}

static const struct {
    const char *name;
    enum status (*run)(struct lines *lines, struct reader *reader, struct error *error);
    bool at_once;    /* also while it thinks */
    bool takes_more; /* words behind it */
} commands[] = {
    {"sortie", introduce, true, false},
    {"isready", be_ready, true, false},
    {"newgame", new_game, false, false},
    {"position", lines_position, false, true},
    {"setoption", set_option, false, true},
    {"go", lines_go, false, true},
    {"stop", stop, true, false},
    {"wait", wait_for_move, true, false},
    {"show", lines_show, true, false},
};

static enum status run_command(struct lines *lines, size_t index, struct reader *reader, struct error *error) {
    if (!commands[index].takes_more) {
        enum status status = reader_need_line_end(reader, "the end of the line", error);
        if (status != STATUS_OK) {
            return status;
        }
    }
    if (!commands[index].at_once && lines_is_thinking(lines)) {
        return error_at(error, 0, 0, "a search is under way: expected stop first");
    }
    return commands[index].run(lines, reader, error);
}

/* "error go: column 10: expected ..." */
static void answer_error(struct lines *lines, const char *command, const struct error *error) {
    struct text text = TEXT_EMPTY;
    text_addf(&text, "error %s%s", command, command[0] ? ": " : "");
    if (error->column > 0) {
        text_addf(&text, "column %d: ", error->column);
    }
    text_add_string(&text, error->text);
    lines_answer(lines, &text);
    text_free(&text);
}

bool lines_take(struct lines *lines, const char *bytes, size_t length) {
    struct reader reader;
    struct error error = {0};
    const char *word;
    reader_init(&reader, bytes, length);
    if (!reader_next_line(&reader) || !reader_skip_blanks(&reader)) {
        return true;
    }
    size_t begin = reader.cursor;
    size_t word_length = reader_word(&reader, &word);
    if (lines_is(word, word_length, "quit")) {
        return false;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (lines_is(word, word_length, commands[i].name)) {
            if (run_command(lines, i, &reader, &error) != STATUS_OK) {
                answer_error(lines, commands[i].name, &error);
            }
            return true;
        }
    }
    reader.cursor = begin;
    reader_expected(&reader, "sortie, isready, newgame, position, setoption, go, stop, wait, show or quit", &error);
    answer_error(lines, "", &error);
    return true;
}

/* -- the conversation -- */

int lines_loop(const struct lines_options *options, int descriptor) {
    struct lines *lines = lines_new(options, NULL);
    struct line_input input = {.most = LINES_MOST_LINE};
    const char *line;
    size_t length;
    bool more = lines != NULL;
    while (more) {
        char bytes[4096];
        if (line_input_take(&input, &line, &length)) {
            more = lines_take(lines, line, length);
        } else if (input.ended) {
            break;
        } else {
            ssize_t got = read(descriptor, bytes, sizeof bytes);
            if (got >= 0 || (errno != EINTR && errno != EAGAIN)) {
                line_input_add(&input, bytes, got > 0 ? (size_t)got : 0);
            }
        }
    }
    line_input_free(&input);
    lines_free(lines);
    return lines ? STATUS_OK : STATUS_FAIL;
}
