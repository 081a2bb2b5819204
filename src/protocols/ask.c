#include "protocols/ask.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/reader.h"
#include "formats/line.h"

#define MOST_SECONDS 100000000
#define MOST_LINES 64

static bool word_is(const char *bytes, size_t length, const char *word) {
    return strlen(word) == length && memcmp(bytes, word, length) == 0;
}

/* Whether the line is "move …"; the cursor then stands on the move, and is where it was otherwise. */
static bool is_move(struct reader *reader) {
    const char *word;
    size_t length = reader_word(reader, &word);
    bool found = word_is(word, length, "move");
    if (found) {
        reader_skip_blanks(reader);
    } else {
        reader->cursor = 0;
    }
    return found;
}

/* Seconds with up to six digits behind the point: "2", "0.25". */
static enum status read_seconds(struct reader *reader, double *seconds, struct error *error) {
    reader_skip_blanks(reader);
    size_t start = reader->cursor;
    const char *word;
    size_t length = reader_word(reader, &word);
    double value = 0;
    double unit = 0; /* 0 before the point */
    bool good = length > 0 && length < 20;
    for (size_t i = 0; i < length && good; i++) {
        bool digit = word[i] >= '0' && word[i] <= '9';
        good = digit || (word[i] == '.' && unit == 0 && length > 1);
        if (digit && unit == 0) {
            value = value * 10 + (word[i] - '0');
        } else if (digit) {
            value += unit * (word[i] - '0');
            unit /= 10;
        } else {
            unit = 0.1;
        }
    }
    if (!good || value <= 0 || value > MOST_SECONDS) {
        reader->cursor = start;
        return reader_expected(reader, "seconds, more than 0", error);
    }
    *seconds = value;
    return STATUS_OK;
}

static enum status read_goal(struct reader *reader, sortie_goal *goal, struct error *error) {
    reader_skip_blanks(reader);
    size_t start = reader->cursor;
    const char *word;
    size_t length = reader_word(reader, &word);
    if (word_is(word, length, "best")) {
        *goal = SORTIE_BEST;
    } else if (word_is(word, length, "exact")) {
        *goal = SORTIE_EXACT;
    } else if (word_is(word, length, "win")) {
        *goal = SORTIE_WIN;
    } else {
        reader->cursor = start;
        return reader_expected(reader, "best, exact or win", error);
    }
    return STATUS_OK;
}

/* One line of limits. */
static enum status read_limit(struct reader *reader, sortie_limits *limits, struct error *error) {
    const char *word;
    size_t length = reader_word(reader, &word);
    int64_t number = 0;
    enum status status;
    if (word_is(word, length, "time")) {
        status = read_seconds(reader, &limits->wall_seconds, error);
    } else if (word_is(word, length, "goal")) {
        status = read_goal(reader, &limits->goal, error);
    } else if (word_is(word, length, "nodes")) {
        status = reader_integer(reader, 1, INT64_MAX, "a number of nodes", &number, error);
        limits->nodes = (uint64_t)number;
    } else if (word_is(word, length, "depth")) {
        status = reader_integer(reader, 1, 1000, "a depth of 1 to 1000", &number, error);
        limits->depth = (int)number;
    } else if (word_is(word, length, "lines")) {
        status = reader_integer(reader, 1, MOST_LINES, "1 to 64 lines", &number, error);
        limits->multi_pv = (int)number;
    } else {
        reader->cursor = 0;
        return reader_expected(reader, "time, nodes, depth, lines, goal, move or position", error);
    }
    return status == STATUS_OK ? reader_need_line_end(reader, "the end of the line", error) : status;
}

static enum status hand_over(sortie_status status, const sortie_error *inner, int line, struct error *error) {
    if (status == SORTIE_OK) {
        return STATUS_OK;
    }
    error_fill(error, inner->line > 0 || line > 0 ? inner->line + line : 0, inner->column, "%s", inner->text);
    return status == SORTIE_FAIL ? STATUS_FAIL : STATUS_BAD_INPUT;
}

/* The position stands behind the moves, so the moves are read a second time, once there is a board for them. */
static enum status play_moves(const char *bytes, size_t length, sortie_position *position, struct error *error) {
    struct reader reader;
    reader_init(&reader, bytes, length);
    enum status status = STATUS_OK;
    while (status == STATUS_OK && reader_next_line(&reader) && !reader_line_is(&reader, "position")) {
        if (!is_move(&reader)) {
            continue;
        }
        sortie_move move;
        size_t move_length = reader.length - reader.cursor;
        if (move_length == 0 || move_length >= sizeof move) {
            return reader_expected(&reader, "a move", error);
        }
        memcpy(move, reader.line + reader.cursor, move_length);
        move[move_length] = '\0';
        sortie_error inner = {0};
        sortie_status played = sortie_position_play(position, move, &inner);
        inner.line = 0;
        inner.column += (int)reader.cursor;
        status = hand_over(played, &inner, reader.line_number, error);
    }
    return status;
}

enum status ask_parse(const char *bytes, size_t length, struct ask *ask, struct error *error) {
    memset(ask, 0, sizeof *ask);
    ask->limits = SORTIE_INIT(sortie_limits);
    ask->limits.method = SORTIE_ENGINE;
    if (length > ASK_MOST_BYTES) {
        return error_at(error, 0, 0, "expected at most %zu bytes, got %zu", ASK_MOST_BYTES, length);
    }
    struct reader reader;
    reader_init(&reader, bytes, length);
    for (;;) {
        enum status status = reader_need_line(&reader, "a limit, a move or 'position'", error);
        if (status == STATUS_OK && reader_line_is(&reader, "position")) {
            break;
        }
        if (status == STATUS_OK && !is_move(&reader)) {
            status = read_limit(&reader, &ask->limits, error);
        }
        if (status != STATUS_OK) {
            return status;
        }
    }
    sortie_error inner = {0};
    sortie_status parsed =
        sortie_position_parse(reader.next, (size_t)(reader.end - reader.next), &ask->position, &inner);
    enum status status = hand_over(parsed, &inner, reader.line_number, error);
    if (status == STATUS_OK) {
        status = play_moves(bytes, length, ask->position, error);
        if (status != STATUS_OK) {
            ask_free(ask);
        }
    }
    return status;
}

void ask_free(struct ask *ask) {
    sortie_position_free(ask->position);
    ask->position = NULL;
}

/* Several lines are asked for with analyze, which looks at each of the best moves in every game. */
int ask_answer(const struct ask *ask, sortie_engine *engine, struct text *text) {
    int capacity = ask->limits.multi_pv > 1 ? ask->limits.multi_pv : 1;
    sortie_result *lines = calloc((size_t)capacity, sizeof *lines);
    sortie_error error = {0};
    sortie_status status = SORTIE_FAIL;
    int count = 0;
    if (lines) {
        lines[0].size = sizeof *lines;
        status = capacity > 1
                     ? sortie_engine_analyze(engine, ask->position, &ask->limits, lines, capacity, &count, &error)
                     : sortie_engine_go(engine, ask->position, &ask->limits, &lines[0], &error);
    }
    if (status == SORTIE_OK) {
        ask_write_result("best", &lines[0], text);
    } else {
        ask_write_error(0, 0, lines ? error.text : "out of memory", text);
    }
    free(lines);
    return status == SORTIE_OK ? 0 : 2;
}

void ask_write_result(const char *kind, const sortie_result *result, struct text *text) {
    struct json json = {text, false};
    json_open_object(&json, NULL);
    json_open_object(&json, kind);
    json_string(&json, "move", result->move);
    json_int(&json, "line", result->line);
    json_int(&json, "depth", result->depth);
    json_int(&json, "value", result->value);
    json_int(&json, "nodes", (int64_t)result->nodes);
    json_number(&json, "seconds", result->wall_seconds, 6);
    if (result->proved) {
        json_int(&json, "lower", result->lower);
        json_int(&json, "upper", result->upper);
    }
    line_list(result->line_moves, result->line_length, "moves", &json);
    json_close_object(&json);
    json_close_object(&json);
    text_add_char(text, '\n');
}

void ask_write_error(int line, int column, const char *message, struct text *text) {
    struct text whole = TEXT_EMPTY;
    struct json json = {text, false};
    if (line > 0) {
        text_addf(&whole, "line %d, column %d: ", line, column);
    }
    text_add_string(&whole, message);
    json_open_object(&json, NULL);
    json_string(&json, "error", text_string(&whole));
    json_close_object(&json);
    text_add_char(text, '\n');
    text_free(&whole);
}
