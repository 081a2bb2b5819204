#include "formats/course.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "formats/laser.h"
#include "formats/position.h"
#include "formats/record.h"
#include "formats/sneak.h"
#include "formats/stake.h"

/* In the order they are tried on an unknown file. */
/* clang-format off */
static const struct course_format *const formats[] = {
    &position_format,
    &record_sgf,
    &record_psq,
    &record_lib,
    &record_pos,
    &record_offset,
    &stake_format,
    &sneak_format,
    &laser_format,
    NULL,
};
/* clang-format on */

const struct course_format *const *course_formats(void) {
    return formats;
}

const struct course_format *course_format_find(const char *name) {
    for (int i = 0; formats[i]; i++) {
        if (strcmp(formats[i]->name, name) == 0) {
            return formats[i];
        }
    }
    return NULL;
}

const struct course_format *course_format_of(const struct game *game, int variant) {
    ASSERT(variant >= 0);
    for (int i = 0; formats[i]; i++) {
        if (formats[i]->ask && formats[i]->game == game &&
            (formats[i]->variant == variant || formats[i]->variant < 0)) {
            return formats[i];
        }
    }
    return NULL;
}

static const struct course_format *find_by_looking(const char *bytes, size_t length) {
    for (int i = 0; formats[i]; i++) {
        if (formats[i]->sniff(bytes, length)) {
            return formats[i];
        }
    }
    return NULL;
}

static enum status unknown_content(const char *bytes, size_t length, struct error *error) {
    struct reader reader;
    reader_init(&reader, bytes, length);
    if (!reader_next_line(&reader)) {
        return error_at(error, 1, 1, "expected a course file, this one is empty");
    }
    return reader_expected(&reader, "a board size, a task number or the name of a game", error);
}

enum status course_parse_record(const char *bytes, size_t length, const char *name, int record,
                                struct course_request *request, struct error *error) {
    ASSERT(bytes || length == 0);
    memset(request, 0, sizeof *request);
    request->record = record;
    request->records = 1;
    const struct course_format *format = name ? course_format_find(name) : find_by_looking(bytes, length);
    if (!format && name) {
        return error_at(error, 0, 0, "unknown format '%.40s'", name);
    }
    const struct game *game = format && format->game ? format->game : position_game(bytes, length);
    if (!format || !game) {
        return unknown_content(bytes, length, error);
    }
    request->format = format;
    request->game = game;
    request->position = calloc(1, game->properties->position_size);
    if (!request->position) {
        return error_machine(error, "out of memory");
    }
    enum status status = format->parse(bytes, length, request, error);
    if (status == STATUS_OK && record > request->records) {
        status = error_at(error, 0, 0, "expected game 1 to %d of the file, found %d", request->records, record);
    }
    if (status != STATUS_OK) {
        course_request_free(request);
    }
    return status;
}

enum status course_parse_any(const char *bytes, size_t length, const char *name, struct course_request *request,
                             struct error *error) {
    return course_parse_record(bytes, length, name, 0, request, error);
}

enum status course_parse(const char *bytes, size_t length, const char *name, struct course_request *request,
                         struct error *error) {
    enum status status = course_parse_any(bytes, length, name, request, error);
    return status == STATUS_OK ? course_refuse_over(bytes, length, request, error) : status;
}

enum status course_refuse_over(const char *bytes, size_t length, struct course_request *request, struct error *error) {
    if (request->game->over(request->position)) {
        struct reader reader;
        reader_init(&reader, bytes, length);
        int last = 1;
        while (reader_next_line(&reader)) {
            last = reader.length ? reader.line_number : last;
        }
        course_request_free(request);
        return error_at(error, last, 1, "expected a position with a move left, the game is over");
    }
    return STATUS_OK;
}

void course_request_free(struct course_request *request) {
    free(request->position);
    request->position = NULL;
}
