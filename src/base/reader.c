#include "base/reader.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"

/* How many bytes the blank at `at` takes, 0 where there is none. What is copied out of a web page or a word processor
 * has non-breaking blanks, which look like the others. */
static size_t blank_at(const char *at, const char *end) {
    if (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) {
        return 1;
    }
    return end - at >= 2 && memcmp(at, "\xc2\xa0", 2) == 0 ? 2 : 0;
}

/* And of the blank that ends before `at`. */
static size_t blank_before(const char *start, const char *at) {
    if (at > start && blank_at(at - 1, at)) {
        return 1;
    }
    return at - start >= 2 && blank_at(at - 2, at) == 2 ? 2 : 0;
}

static bool blank_or_end(const struct reader *reader, size_t cursor) {
    return cursor == reader->length || blank_at(reader->line + cursor, reader->line + reader->length);
}

void reader_init(struct reader *reader, const char *bytes, size_t length) {
    ASSERT(bytes || length == 0);
    bool marked = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0; /* the mark some editors begin a file with */
    const char *begin = marked ? bytes + 3 : bytes;
    *reader = (struct reader){.next = begin, .end = bytes + length, .line = begin};
}

size_t reader_trimmed(const char *text, size_t length) {
    for (size_t blank; (blank = blank_before(text, text + length)) > 0;) {
        length -= blank;
    }
    return length;
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
    reader->line = start;
    reader->length = reader_trimmed(start, (size_t)(stop - start));
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

/* A byte that cannot be shown, by what it is most likely part of. */
static void describe_byte(const char *at, size_t left, char *out, size_t size) {
    unsigned char first = (unsigned char)at[0];
    if (left >= 2 && (memcmp(at, "\xff\xfe", 2) == 0 || memcmp(at, "\xfe\xff", 2) == 0)) {
        snprintf(out, size, "text in UTF-16: save it as UTF-8");
    } else if (blank_at(at, at + left) == 2) {
        snprintf(out, size, "a non-breaking blank");
    } else {
        snprintf(out, size, "byte 0x%02x", first);
    }
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
        describe_byte(at, left, out, size);
        return;
    }
    size_t shown = 0;
    while (shown < left && shown < 24 && at[shown] > 0x20 && at[shown] < 0x7f) {
        shown++;
    }
    bool odd = shown > 0 && shown < left && ((unsigned char)at[shown] < 0x20 || (unsigned char)at[shown] >= 0x7f);
    int length = snprintf(out, size, "'%.*s'", shown ? (int)shown : 1, at);
    if (odd && !blank_at(at + shown, at + left)) {
        snprintf(out + length, size - (size_t)length, " and byte 0x%02x", (unsigned char)at[shown]);
    }
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
    const char *end = reader->line + reader->length;
    for (size_t blank; (blank = blank_at(reader->line + reader->cursor, end)) > 0;) {
        reader->cursor += blank;
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
    bool ends = blank_or_end(reader, at);
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
    while (!blank_or_end(reader, reader->cursor)) {
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
