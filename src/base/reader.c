#include "base/reader.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

void reader_init(struct reader *reader, const char *bytes, size_t length) {
    ASSERT(bytes || length == 0);
    *reader = (struct reader){.next = bytes, .end = bytes + length, .line = bytes};
}

bool reader_next_line(struct reader *reader) {
    ASSERT(reader->next <= reader->end);
    if (reader->next == reader->end) {
        reader->line = reader->end;
        reader->length = 0;
        reader->cursor = 0;
        return false;
    }
    const char *start = reader->next;
    const char *stop = memchr(start, '\n', (size_t)(reader->end - start));
    reader->next = stop ? stop + 1 : reader->end;
    if (!stop) {
        stop = reader->end;
    }
    while (stop > start && is_blank(stop[-1])) {
        stop--;
    }
    reader->line = start;
    reader->length = (size_t)(stop - start);
    reader->cursor = 0;
    reader->line_number++;
    return true;
}

enum status reader_need_line(struct reader *reader, const char *expected, struct error *error) {
    if (!reader_next_line(reader)) {
        return error_at(error, reader->line_number + 1, 1, "expected %s, found the end of the file", expected);
    }
    return STATUS_OK;
}

/* Shows what stands at the cursor in a message: printable text in quotes, other bytes by number. */
static void describe(const struct reader *reader, char *out, size_t size) {
    size_t left = reader->length - reader->cursor;
    const char *at = reader->line + reader->cursor;
    if (left == 0) {
        snprintf(out, size, "the end of the line");
        return;
    }
    unsigned char first = (unsigned char)at[0];
    if (first < 0x20 || first >= 0x7f) {
        snprintf(out, size, "byte 0x%02x", first);
        return;
    }
    size_t shown = 0;
    while (shown < left && shown < 24 && at[shown] > 0x20 && at[shown] < 0x7f) {
        shown++;
    }
    snprintf(out, size, "'%.*s'", shown ? (int)shown : 1, at);
}

enum status reader_expected(const struct reader *reader, const char *expected, struct error *error) {
    ASSERT(reader->cursor <= reader->length);
    char found[48];
    describe(reader, found, sizeof found);
    return error_at(error, reader->line_number, (int)reader->cursor + 1, "expected %s, found %s", expected, found);
}

enum status reader_need_end(struct reader *reader, struct error *error) {
    while (reader_next_line(reader)) {
        if (reader_skip_blanks(reader)) {
            return reader_expected(reader, "the end of the file", error);
        }
    }
    return STATUS_OK;
}

bool reader_skip_blanks(struct reader *reader) {
    ASSERT(reader->cursor <= reader->length);
    while (reader->cursor < reader->length && is_blank(reader->line[reader->cursor])) {
        reader->cursor++;
    }
    return reader->cursor < reader->length;
}

bool reader_sees_number(struct reader *reader) {
    if (!reader_skip_blanks(reader)) {
        return false;
    }
    char c = reader->line[reader->cursor];
    return (c >= '0' && c <= '9') || c == '-' || c == '+';
}

enum status reader_integer(struct reader *reader, int64_t least, int64_t most, const char *expected, int64_t *value,
                           struct error *error) {
    ASSERT(least <= most);
    reader_skip_blanks(reader);
    size_t start = reader->cursor;
    size_t at = start;
    bool negative = at < reader->length && reader->line[at] == '-';
    if (negative || (at < reader->length && reader->line[at] == '+')) {
        at++;
    }
    size_t digits = 0;
    int64_t magnitude = 0;
    bool overflow = false;
    for (; at < reader->length && reader->line[at] >= '0' && reader->line[at] <= '9'; at++, digits++) {
        if (magnitude > (INT64_MAX - 9) / 10) {
            overflow = true;
        } else {
            magnitude = magnitude * 10 + (reader->line[at] - '0');
        }
    }
    bool ends = at == reader->length || is_blank(reader->line[at]);
    int64_t result = negative ? -magnitude : magnitude;
    if (digits == 0 || !ends || overflow || result < least || result > most) {
        return reader_expected(reader, expected, error);
    }
    reader->cursor = at;
    *value = result;
    return STATUS_OK;
}

size_t reader_word(struct reader *reader, const char **word) {
    reader_skip_blanks(reader);
    *word = reader->line + reader->cursor;
    size_t start = reader->cursor;
    while (reader->cursor < reader->length && !is_blank(reader->line[reader->cursor])) {
        reader->cursor++;
    }
    return reader->cursor - start;
}

enum status reader_need_line_end(struct reader *reader, const char *expected, struct error *error) {
    if (reader_skip_blanks(reader)) {
        return reader_expected(reader, expected, error);
    }
    return STATUS_OK;
}

bool reader_line_is(const struct reader *reader, const char *word) {
    return strlen(word) == reader->length && memcmp(reader->line, word, reader->length) == 0;
}
