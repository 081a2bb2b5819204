/* A table as a platform exported it. What is not changed is written back byte for byte: the mark at its beginning, the
 * separator, quotes, line ends, and blanks in and around fields. */
#ifndef SORTIE_GRADE_PLATFORM_GRADE_SHEET_H
#define SORTIE_GRADE_PLATFORM_GRADE_SHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

#define SHEET_MOST_BYTES ((size_t)16 << 20)
#define SHEET_MOST_COLUMNS 2000

struct sheet_field {
    size_t at; /* where its text stands, ended by a zero byte */
    int line;
    int column; /* in bytes, from 1 */
    bool quoted;
};

struct sheet_row {
    size_t first; /* of its fields */
    int count;
    int line;
};

struct sheet {
    char separator;
    bool marked;       /* begins with the byte order mark of UTF-8 */
    bool ends_in_feed; /* the last line too */
    const char *line_end;
    struct text bytes; /* of all fields */
    struct sheet_field *fields;
    size_t field_count;
    size_t field_room;
    struct sheet_row *rows;
    int row_count;
    int row_room;
};

/* Reads a table separated by commas, semicolons or tabulators, whichever the first line has most of. */
enum status sheet_read(struct sheet *sheet, const char *bytes, size_t length, struct error *error);
void sheet_free(struct sheet *sheet);

/* A field as it stands; "" where the row is shorter. */
const char *sheet_at(const struct sheet *sheet, int row, int column);
/* The same without the blanks around it. */
void sheet_trimmed(const struct sheet *sheet, int row, int column, char *to, size_t size);
/* Whether a row says nothing: no field has a text. */
bool sheet_is_empty(const struct sheet *sheet, int row);
/* The column one of these names has in a row, blanks and the case of letters aside; -1: none. The list ends with NULL.
 */
int sheet_column(const struct sheet *sheet, int row, const char *const *names);

/* Changes a field that is there; false when the row is shorter. */
bool sheet_set(struct sheet *sheet, int row, int column, const char *text);

/* Writes a row: these columns of it, or all of them where `columns` is NULL. */
void sheet_write_row(const struct sheet *sheet, int row, const int *columns, int count, struct text *out);
/* Writes everything. */
void sheet_write(const struct sheet *sheet, struct text *out);

#endif
