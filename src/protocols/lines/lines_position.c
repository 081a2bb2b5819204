/* Setting a position and showing it. */
#include <stdlib.h>
#include <string.h>

#include "protocols/lines/lines_state.h"

static enum status as_error(const sortie_error *from, sortie_status status, struct error *error) {
    error_fill(error, 0, 0, "%s", from->text);
    return (enum status)status;
}

/* -- position start -- */

/* "15" or "5x7". */
static enum status read_size(struct reader *reader, sortie_start *start, struct error *error) {
    const char *word;
    reader_skip_blanks(reader);
    size_t begin = reader->cursor;
    size_t length = reader_word(reader, &word);
    int sizes[2] = {0, 0};
    int digits[2] = {0, 0};
    int part = 0;
    for (size_t i = 0; i < length; i++) {
        bool digit = word[i] >= '0' && word[i] <= '9' && ++digits[part] <= 4;
        if (digit) {
            sizes[part] = sizes[part] * 10 + (word[i] - '0');
        }
        if ((!digit && (word[i] != 'x' || part++ > 0)) || part > 1) {
            digits[0] = 0;
            break;
        }
    }
    if (!digits[0] || (part && !digits[1])) {
        reader->cursor = begin;
        return reader_expected(reader, "a board size such as 15 or 5x7", error);
    }
    start->rows = sizes[0];
    start->columns = part ? sizes[1] : sizes[0];
    return STATUS_OK;
}

/* One of the pairs behind the game's name; the reader stands behind its first word. */
static enum status read_start_pair(struct reader *reader, const char *word, size_t length, sortie_start *start,
                                   char rules[32], struct error *error) {
    if (lines_is(word, length, "size")) {
        return read_size(reader, start, error);
    }
    if (lines_is(word, length, "random")) {
        int64_t seed = 0;
        enum status status = reader_integer(reader, 0, INT64_MAX, "a seed, a number", &seed, error);
        start->random = 1;
        start->seed = (uint64_t)seed;
        return status;
    }
    if (!lines_is(word, length, "rules")) {
        reader->cursor -= length;
        return reader_expected(reader, "'rules', 'size', 'random' or 'moves'", error);
    }
    reader_skip_blanks(reader);
    size_t begin = reader->cursor;
    length = reader_word(reader, &word);
    if (length == 0 || !lines_read_move(word, length, rules)) {
        reader->cursor = begin;
        return reader_expected(reader, "the name of a rule set", error);
    }
    start->rules = rules;
    return STATUS_OK;
}

static enum status read_start(struct reader *reader, sortie_position **position, struct error *error) {
    const char *word;
    char game[32];
    char rules[32];
    sortie_start start = SORTIE_INIT(sortie_start);
    sortie_error cause;
    reader_skip_blanks(reader);
    size_t begin = reader->cursor;
    size_t length = reader_word(reader, &word);
    if (length == 0 || !lines_read_move(word, length, game)) {
        reader->cursor = begin;
        return reader_expected(reader, "the name of a game", error);
    }
    enum status status = STATUS_OK;
    while (status == STATUS_OK && reader_skip_blanks(reader)) {
        begin = reader->cursor;
        length = reader_word(reader, &word);
        if (lines_is(word, length, "moves")) {
            reader->cursor = begin;
            break;
        }
        status = read_start_pair(reader, word, length, &start, rules, error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    sortie_status made = sortie_position_start(game, &start, position, &cause);
    return made == SORTIE_OK ? STATUS_OK : as_error(&cause, made, error);
}

/* -- position text -- */

/* Where the text ends: before the word "moves", or with the line. */
static size_t text_end(struct reader *reader) {
    struct reader ahead = *reader;
    const char *word;
    while (reader_skip_blanks(&ahead)) {
        size_t begin = ahead.cursor;
        size_t length = reader_word(&ahead, &word);
        if (lines_is(word, length, "moves")) {
            return begin;
        }
    }
    return reader->length;
}

/* The column of the command line that a place in the text stands at: each of its bytes is one of the line's. */
static int column_of(const struct text *text, size_t begin, const sortie_error *cause) {
    const char *at = text_string(text);
    for (int line = 1; line < cause->line && at; line++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    size_t offset = at ? (size_t)(at - text_string(text)) : text->length;
    return (int)(begin + offset) + (cause->column > 0 ? cause->column : 1);
}

static enum status read_text(struct reader *reader, sortie_position **position, struct error *error) {
    struct text text = TEXT_EMPTY;
    sortie_error cause = {0};
    reader_skip_blanks(reader);
    size_t begin = reader->cursor;
    size_t end = text_end(reader);
    if (begin == end) {
        return reader_expected(reader, "a position", error);
    }
    lines_read_position(reader->line + begin, end - begin, &text);
    reader->cursor = end;
    sortie_status made = text.broken
                             ? SORTIE_FAIL
                             : sortie_position_parse_as(text_string(&text), text.length, "position", position, &cause);
    if (made != SORTIE_OK) {
        int column = text.broken || cause.line == 0 ? 0 : column_of(&text, begin, &cause);
        error_fill(error, column > 0, column, "%s", text.broken ? "no memory for the position" : cause.text);
    }
    text_free(&text);
    return (enum status)made;
}

/* -- moves -- */

static enum status read_moves(struct reader *reader, sortie_position *position, struct error *error) {
    const char *word;
    while (reader_skip_blanks(reader)) {
        sortie_move move;
        sortie_error cause = {0};
        int column = (int)reader->cursor + 1;
        size_t length = reader_word(reader, &word);
        if (!lines_read_move(word, length, move)) {
            return error_at(error, 1, column, "expected a move of at most 31 characters");
        }
        sortie_status status = sortie_position_play(position, move, &cause);
        if (status != SORTIE_OK) {
            error_fill(error, 1, column, "%s", cause.text);
            return (enum status)status;
        }
    }
    return STATUS_OK;
}

enum status lines_position(struct lines *lines, struct reader *reader, struct error *error) {
    const char *word;
    sortie_position *position = NULL;
    reader_skip_blanks(reader);
    size_t begin = reader->cursor;
    size_t length = reader_word(reader, &word);
    enum status status;
    if (lines_is(word, length, "start")) {
        status = read_start(reader, &position, error);
    } else if (lines_is(word, length, "text")) {
        status = read_text(reader, &position, error);
    } else {
        reader->cursor = begin;
        return reader_expected(reader, "'start' or 'text'", error);
    }
    if (status == STATUS_OK && reader_skip_blanks(reader)) {
        reader_word(reader, &word); /* nothing else ends what was read */
        status = read_moves(reader, position, error);
    }
    if (status != STATUS_OK) {
        sortie_position_free(position);
        return status;
    }
    sortie_position_free(lines->position);
    lines->position = position;
    return STATUS_OK;
}

/* -- show -- */

static void show_moves(struct lines *lines) {
    struct text text = TEXT_EMPTY;
    int count = sortie_position_moves(lines->position, NULL, 0);
    sortie_move *moves = count > 0 ? malloc((size_t)count * sizeof *moves) : NULL;
    if (moves) {
        sortie_position_moves(lines->position, moves, count);
        text_add_string(&text, "show legal");
        for (int i = 0; i < count; i++) {
            lines_add_move(&text, moves[i]);
        }
        lines_answer(lines, &text);
    }
    free(moves);
    text_free(&text);
}

/* The rows of a text, each as a line of its own. */
static void show_rows(struct lines *lines, const char *drawing) {
    while (drawing && *drawing) {
        size_t length = strcspn(drawing, "\n");
        lines_answerf(lines, "show board %.*s", (int)length, drawing);
        drawing += length + (drawing[length] == '\n');
    }
}

enum status lines_show(struct lines *lines, struct reader *reader, struct error *error) {
    sortie_game_info info = SORTIE_INIT(sortie_game_info);
    struct text line = TEXT_EMPTY;
    (void)reader;
    if (!lines->position) {
        return error_at(error, 0, 0, "expected a position first");
    }
    const sortie_position *position = lines->position;
    char *text = sortie_position_text(position);
    char *drawing = sortie_position_drawing(position, 0);
    if (!text || !drawing || sortie_game_about(sortie_position_game(position), &info, NULL) != SORTIE_OK) {
        sortie_free(text);
        sortie_free(drawing);
        return error_machine(error, "no memory for the board");
    }
    text_add_string(&line, "show text ");
    lines_add_position(&line, text);
    lines_answer(lines, &line);
    text_free(&line);
    show_rows(lines, drawing);
    lines_answerf(lines, "show score %d", sortie_position_score(position));
    if (sortie_position_is_over(position)) {
        lines_answerf(lines, "show over");
    } else {
        lines_answerf(lines, "show side %s", info.sides[sortie_position_to_move(position)]);
        show_moves(lines);
    }
    lines_answerf(lines, "showok");
    sortie_free(text);
    sortie_free(drawing);
    return STATUS_OK;
}
