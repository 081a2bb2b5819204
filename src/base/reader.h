/* Reads lines out of a buffer for the file formats, keeping the place for error messages. It never reads
 * past the length, never needs a zero byte at the end, and treats CRLF and LF alike. A UTF-8 mark at the beginning is
 * passed over, and a non-breaking blank (U+00A0) is a blank. */
#ifndef SORTIE_BASE_READER_H
#define SORTIE_BASE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct reader {
    const char *next; /* where the next line begins */
    const char *end;
    const char *line; /* the current line, without its line end and without trailing blanks */
    size_t length;
    size_t cursor;   /* how much of the current line was consumed by the field readers */
    int line_number; /* of the current line, from 1; 0 before the first */
};

void reader_init(struct reader *reader, const char *bytes, size_t length);

/* The length without the blanks at the end. */
size_t reader_trimmed(const char *text, size_t length);

/* Moves to the next line; false at the end of the buffer. */
bool reader_next_line(struct reader *reader);

/* Moves to the next line, or reports that `expected` was expected there. */
enum status reader_need_line(struct reader *reader, const char *expected, struct error *error);

/* Reports that `expected` was expected at the cursor of the current line, showing what stands there. */
enum status reader_expected(const struct reader *reader, const char *expected, struct error *error);

/* Accepts blank lines up to the end of the buffer, anything else is reported. */
enum status reader_need_end(struct reader *reader, struct error *error);

/* Skips blanks and tabs; true when something is left on the line. */
bool reader_skip_blanks(struct reader *reader);

/* Whether a number stands at the cursor, after blanks: a digit or a sign. */
bool reader_sees_number(struct reader *reader);

/* Reads one decimal integer of [least, most] standing between blanks. `expected` names it in messages. */
enum status reader_integer(struct reader *reader, int64_t least, int64_t most, const char *expected, int64_t *value,
                           struct error *error);

/* Reads one run of non-blank bytes; *word points into the buffer. Length 0 when the line is used up. */
size_t reader_word(struct reader *reader, const char **word);

/* Reports anything left on the current line after the cursor. */
enum status reader_need_line_end(struct reader *reader, const char *expected, struct error *error);

/* True when the current line (trailing blanks aside) is exactly `word`. */
bool reader_line_is(const struct reader *reader, const char *word);

#endif
