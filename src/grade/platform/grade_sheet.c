#include "grade/platform/grade_sheet.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char utf8_mark[] = "\xef\xbb\xbf";

/* -- reading -- */

struct scan {
    const char *at;
    const char *end;
    const char *line_start;
    int line;
};

/* Makes room for one more of `size` bytes each; false when there is no memory. */
static bool grow(void **list, size_t count, size_t *room, size_t size) {
    if (count < *room) {
        return true;
    }
    size_t more = *room ? 2 * *room : 64;
    void *longer = realloc(*list, more * size);
    if (!longer) {
        return false;
    }
    *list = longer;
    *room = more;
    return true;
}

/* What the first line has most of, outside of quotes. */
static char find_separator(const char *at, const char *end) {
    static const char separators[] = ",;\t";
    int counts[3] = {0};
    bool inside = false;
    for (; at < end && (inside || *at != '\n'); at++) {
        const char *found = *at && !inside ? strchr(separators, *at) : NULL;
        inside = inside != (*at == '"');
        counts[found ? found - separators : 0] += found != NULL;
    }
    int best = counts[1] > counts[0] ? 1 : 0;
    return separators[counts[2] > counts[best] ? 2 : best];
}

static void next_line(struct scan *scan) {
    scan->line++;
    scan->line_start = scan->at;
}

/* Takes what stands in quotes; two of them stand for one. */
static enum status read_quoted(struct sheet *sheet, struct scan *scan, struct sheet_field *field, struct error *error) {
    field->quoted = true;
    for (scan->at++; scan->at < scan->end;) {
        char c = *scan->at++;
        if (c == '"' && (scan->at == scan->end || *scan->at != '"')) {
            return STATUS_OK;
        }
        scan->at += c == '"';
        if (c == '\0') {
            return error_at(error, field->line, field->column, "expected a table in UTF-8, found a zero byte");
        }
        text_add_char(&sheet->bytes, c);
        if (c == '\n') {
            next_line(scan);
        }
    }
    return error_at(error, field->line, field->column, "expected a quote that ends this field");
}

static bool ends_field(const struct sheet *sheet, const struct scan *scan) {
    bool feed = *scan->at == '\n' || (*scan->at == '\r' && scan->at + 1 < scan->end && scan->at[1] == '\n');
    return feed || *scan->at == sheet->separator;
}

static enum status read_field(struct sheet *sheet, struct scan *scan, struct error *error) {
    size_t room = sheet->field_room;
    if (!grow((void **)&sheet->fields, sheet->field_count, &room, sizeof *sheet->fields)) {
        return error_machine(error, "out of memory");
    }
    sheet->field_room = room;
    struct sheet_field *field = &sheet->fields[sheet->field_count++];
    *field = (struct sheet_field){
        .at = sheet->bytes.length, .line = scan->line, .column = (int)(scan->at - scan->line_start) + 1};
    enum status status = STATUS_OK;
    if (scan->at < scan->end && *scan->at == '"') {
        status = read_quoted(sheet, scan, field, error);
    }
    for (; status == STATUS_OK && scan->at < scan->end && !ends_field(sheet, scan); scan->at++) {
        if (*scan->at == '\0') {
            return error_at(error, scan->line, (int)(scan->at - scan->line_start) + 1,
                            "expected a table in UTF-8, found a zero byte");
        }
        text_add_char(&sheet->bytes, *scan->at);
    }
    text_add(&sheet->bytes, "", 1);
    return sheet->bytes.broken ? error_machine(error, "out of memory") : status;
}

static enum status read_row(struct sheet *sheet, struct scan *scan, struct error *error) {
    size_t room = (size_t)sheet->row_room;
    if (!grow((void **)&sheet->rows, (size_t)sheet->row_count, &room, sizeof *sheet->rows)) {
        return error_machine(error, "out of memory");
    }
    sheet->row_room = (int)room;
    struct sheet_row *row = &sheet->rows[sheet->row_count++];
    *row = (struct sheet_row){.first = sheet->field_count, .line = scan->line};
    for (bool more = true; more;) {
        if (row->count == SHEET_MOST_COLUMNS) {
            return error_at(error, scan->line, 1, "expected at most %d columns", SHEET_MOST_COLUMNS);
        }
        enum status status = read_field(sheet, scan, error);
        row->count++;
        if (status != STATUS_OK) {
            return status;
        }
        more = scan->at < scan->end && *scan->at == sheet->separator;
        scan->at += more;
    }
    sheet->ends_in_feed = scan->at < scan->end;
    scan->at += scan->at < scan->end && *scan->at == '\r';
    scan->at += scan->at < scan->end;
    next_line(scan);
    return STATUS_OK;
}

enum status sheet_read(struct sheet *sheet, const char *bytes, size_t length, struct error *error) {
    *sheet = (struct sheet){.line_end = "\n"};
    if (length > SHEET_MOST_BYTES) {
        return error_at(error, 0, 0, "expected at most %zu bytes", SHEET_MOST_BYTES);
    }
    if (length >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0)) {
        return error_at(error, 1, 1, "expected a table in UTF-8, found UTF-16: save it as \"CSV UTF-8\"");
    }
    sheet->marked = length >= 3 && memcmp(bytes, utf8_mark, 3) == 0;
    struct scan scan = {.at = bytes + (sheet->marked ? 3 : 0), .end = bytes + length, .line = 1};
    scan.line_start = scan.at;
    sheet->separator = find_separator(scan.at, scan.end);
    const char *feed = scan.at < scan.end ? memchr(scan.at, '\n', (size_t)(scan.end - scan.at)) : NULL;
    sheet->line_end = feed && feed > scan.at && feed[-1] == '\r' ? "\r\n" : "\n";
    enum status status = STATUS_OK;
    while (scan.at < scan.end && status == STATUS_OK) {
        status = read_row(sheet, &scan, error);
    }
    return status;
}

void sheet_free(struct sheet *sheet) {
    text_free(&sheet->bytes);
    free(sheet->fields);
    free(sheet->rows);
    *sheet = (struct sheet){0};
}

/* -- looking -- */

static struct sheet_field *field_at(const struct sheet *sheet, int row, int column) {
    bool there = row >= 0 && row < sheet->row_count && column >= 0 && column < sheet->rows[row].count;
    return there ? &sheet->fields[sheet->rows[row].first + (size_t)column] : NULL;
}

const char *sheet_at(const struct sheet *sheet, int row, int column) {
    const struct sheet_field *field = field_at(sheet, row, column);
    return field ? text_string(&sheet->bytes) + field->at : "";
}

void sheet_trimmed(const struct sheet *sheet, int row, int column, char *to, size_t size) {
    const char *text = sheet_at(sheet, row, column);
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1])) {
        length--;
    }
    length = length < size ? length : size - 1;
    memcpy(to, text, length);
    to[length] = '\0';
}

bool sheet_is_empty(const struct sheet *sheet, int row) {
    for (int i = 0; i < sheet->rows[row].count; i++) {
        if (sheet_at(sheet, row, i)[0]) {
            return false;
        }
    }
    return true;
}

int sheet_column(const struct sheet *sheet, int row, const char *const *names) {
    char text[200];
    for (; *names && row < sheet->row_count; names++) {
        for (int i = 0; i < sheet->rows[row].count; i++) {
            sheet_trimmed(sheet, row, i, text, sizeof text);
            if (strcasecmp(text, *names) == 0) {
                return i;
            }
        }
    }
    return -1;
}

/* -- writing -- */

bool sheet_set(struct sheet *sheet, int row, int column, const char *text) {
    struct sheet_field *field = field_at(sheet, row, column);
    if (field) {
        field->at = sheet->bytes.length;
        text_add(&sheet->bytes, text, strlen(text) + 1);
    }
    return field != NULL;
}

static void write_field(const struct sheet *sheet, const struct sheet_field *field, struct text *out) {
    const char *text = text_string(&sheet->bytes) + field->at;
    const char reserved[] = {sheet->separator, '\n', '\r', '\0'};
    bool quoted = field->quoted || text[0] == '"' || strpbrk(text, reserved);
    text_add_string(out, quoted ? "\"" : "");
    for (; *text; text++) {
        text_add_string(out, quoted && *text == '"' ? "\"" : "");
        text_add_char(out, *text);
    }
    text_add_string(out, quoted ? "\"" : "");
}

void sheet_write_row(const struct sheet *sheet, int row, const int *columns, int count, struct text *out) {
    int all = sheet->rows[row].count;
    for (int i = 0; i < (columns ? count : all); i++) {
        const struct sheet_field *field = field_at(sheet, row, columns ? columns[i] : i);
        if (i > 0) {
            text_add_char(out, sheet->separator);
        }
        if (field) {
            write_field(sheet, field, out);
        }
    }
    if (row + 1 < sheet->row_count || sheet->ends_in_feed) {
        text_add_string(out, sheet->line_end);
    }
}

void sheet_write(const struct sheet *sheet, struct text *out) {
    text_add_string(out, sheet->marked ? utf8_mark : "");
    for (int i = 0; i < sheet->row_count; i++) {
        sheet_write_row(sheet, i, NULL, 0, out);
    }
    if (sheet->bytes.broken) {
        out->broken = true;
    }
}
