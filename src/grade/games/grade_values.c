#include "grade/games/grade_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/reader.h"

#define MOST_VALUE 1000000000

void grade_values_free(struct grade_values *values) {
    free(values->items);
    *values = (struct grade_values){0};
}

const struct grade_value *grade_values_find(const struct grade_values *values, game_move move) {
    for (int i = 0; i < values->count; i++) {
        if (values->items[i].move == move) {
            return &values->items[i];
        }
    }
    return NULL;
}

double grade_values_share(const struct grade_values *values, int value) {
    double best = values->items[values->best].value;
    double worst = values->items[values->worst].value;
    return best > worst ? (value - worst) / (best - worst) : 1;
}

/* Where the value of a line begins: behind its last blank or colon. */
static size_t value_start(const struct reader *reader) {
    size_t at = reader->length;
    while (at > 0 && !number_is_space(reader->line[at - 1]) && reader->line[at - 1] != ':') {
        at--;
    }
    return at;
}

static enum status read_line(struct grade_values *values, const struct course_request *request,
                             const struct reader *reader, struct error *error) {
    struct grade_value *item = &values->items[values->count];
    struct error cause = {0};
    size_t start = value_start(reader);
    size_t length = start;
    double value = 0;
    while (length > 0 && (number_is_space(reader->line[length - 1]) || reader->line[length - 1] == ':')) {
        length--;
    }
    if (request->game->parse_move(request->position, reader->line, length, &item->move, &cause) != STATUS_OK) {
        return error_at(error, reader->line_number, cause.column > 0 ? cause.column : 1,
                        "expected a legal move and its value: %.150s", cause.text);
    }
    if (start == reader->length ||
        number_read(reader->line + start, reader->length - start, &value) != reader->length - start ||
        !(value >= -MOST_VALUE && value <= MOST_VALUE) || value != (int)value) {
        return error_at(error, reader->line_number, (int)start + 1, "expected a whole number, what the move is worth");
    }
    if (grade_values_find(values, item->move)) {
        return error_at(error, reader->line_number, 1, "expected every move once, this one has a value already");
    }
    item->value = (int)value;
    values->best = item->value > values->items[values->best].value ? values->count : values->best;
    values->worst = item->value < values->items[values->worst].value ? values->count : values->worst;
    values->count++;
    return STATUS_OK;
}

enum status grade_values_read(struct grade_values *values, const struct course_request *request, const char *bytes,
                              size_t length, struct error *error) {
    struct reader reader;
    enum status status = STATUS_OK;
    *values = (struct grade_values){
        .items = calloc((size_t)request->game->properties->most_moves + 1, sizeof *values->items)};
    if (!values->items) {
        return error_machine(error, "out of memory");
    }
    reader_init(&reader, bytes, length);
    while (status == STATUS_OK && reader_next_line(&reader)) {
        if (reader.length > 0 && reader.line[0] != '#') {
            status = read_line(values, request, &reader, error);
        }
    }
    if (status == STATUS_OK && values->count == 0) {
        status = error_at(error, 1, 1, "expected a line a move, the move and its value");
    }
    if (status != STATUS_OK) {
        grade_values_free(values);
    }
    return status;
}
