/* The tables a teacher writes: what cases are worth, and who was late. Comma-separated, as spreadsheets save them:
 * a first line that names the columns, then a line each; fields may stand in quotes. */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grade/grade.h"

#define MOST_COLUMNS 64
#define MOST_FIELD 1024

struct field {
    int line;
    int column; /* in bytes, from 1 */
    char text[MOST_FIELD];
};

struct table {
    const char *at;
    const char *end;
    int line;
    const char *line_start;
};

static void table_init(struct table *table, const char *bytes, size_t length) {
    static const char mark[] = "\xef\xbb\xbf"; /* spreadsheets like to begin with it */
    bool marked = length >= 3 && memcmp(bytes, mark, 3) == 0;
    const char *start = marked ? bytes + 3 : bytes;
    *table = (struct table){.at = start, .end = bytes + length, .line = 1, .line_start = start};
}

/* Goes over a line end; false where there is none. */
static bool skip_line_end(struct table *table) {
    const char *at = table->at;
    at += at < table->end && *at == '\r';
    if (at >= table->end || *at != '\n') {
        return false;
    }
    table->at = at + 1;
    table->line++;
    table->line_start = table->at;
    return true;
}

static void trim(char *text) {
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1])) {
        text[--length] = '\0';
    }
    size_t blanks = strspn(text, " \t");
    memmove(text, text + blanks, length - blanks + 1);
}

/* Appends to a field; false when it is full or the byte cannot stand in a field. */
static bool put(struct field *field, size_t *length, char c) {
    if (*length + 1 >= MOST_FIELD || c == '\0') {
        return false;
    }
    field->text[(*length)++] = c;
    field->text[*length] = '\0';
    return true;
}

/* Reads the rest of a field in quotes; "" stands for one quote. */
static enum status read_quoted(struct table *table, struct field *field, size_t *length, struct error *error) {
    for (table->at++; table->at < table->end; table->at++) {
        if (*table->at == '"' && (table->at + 1 == table->end || table->at[1] != '"')) {
            table->at++;
            return STATUS_OK;
        }
        table->at += *table->at == '"';
        if (*table->at == '\n') {
            table->line++;
            table->line_start = table->at + 1;
        }
        if (!put(field, length, *table->at)) {
            return error_at(error, field->line, field->column, "expected a field of at most %d characters",
                            MOST_FIELD - 1);
        }
    }
    return error_at(error, field->line, field->column, "expected a quote that ends this field");
}

static enum status read_field(struct table *table, struct field *field, struct error *error) {
    size_t length = 0;
    while (table->at < table->end && (*table->at == ' ' || *table->at == '\t')) {
        table->at++;
    }
    field->line = table->line;
    field->column = (int)(table->at - table->line_start) + 1;
    field->text[0] = '\0';
    enum status status = STATUS_OK;
    if (table->at < table->end && *table->at == '"') {
        status = read_quoted(table, field, &length, error);
    }
    for (; status == STATUS_OK && table->at < table->end && *table->at != ',' && *table->at != '\n'; table->at++) {
        if (!put(field, &length, *table->at)) {
            return error_at(error, field->line, field->column, "expected text of at most %d characters",
                            MOST_FIELD - 1);
        }
    }
    trim(field->text);
    return status;
}

/* Reads one line of fields, empty lines and comments (#) left out; *count 0 at the end. */
static enum status read_line(struct table *table, struct field *fields, int *count, struct error *error) {
    *count = 0;
    for (bool skipped = true; skipped;) {
        skipped = skip_line_end(table);
        if (table->at < table->end && *table->at == '#') {
            const char *stop = memchr(table->at, '\n', (size_t)(table->end - table->at));
            table->at = stop ? stop : table->end;
            skipped = true;
        }
    }
    while (table->at < table->end) {
        if (*count == MOST_COLUMNS) {
            return error_at(error, table->line, 1, "expected at most %d columns", MOST_COLUMNS);
        }
        enum status status = read_field(table, &fields[(*count)++], error);
        if (status != STATUS_OK) {
            return status;
        }
        if (table->at >= table->end || *table->at != ',') {
            skip_line_end(table);
            break;
        }
        table->at++;
    }
    return STATUS_OK;
}

/* Reads the next line that says something: spreadsheets save empty rows as commas. */
static enum status read_row(struct table *table, struct field *fields, int *count, struct error *error) {
    enum status status;
    bool empty;
    do {
        status = read_line(table, fields, count, error);
        empty = status == STATUS_OK && *count > 0;
        for (int i = 0; i < *count && empty; i++) {
            empty = fields[i].text[0] == '\0';
        }
    } while (empty);
    return status;
}

/* Which column a name has in the first line; -1: none. Several names may mean the same. */
static int column_of(const struct field *heads, int count, const char *const *names) {
    for (; *names; names++) {
        for (int i = 0; i < count; i++) {
            if (strcasecmp(heads[i].text, *names) == 0) {
                return i;
            }
        }
    }
    return -1;
}

static enum status read_number(const struct field *field, const char *expected, double most, double *value,
                               struct error *error) {
    char *end;
    double number = strtod(field->text, &end);
    if (end == field->text || *end || !(number >= 0) || number > most) {
        return error_at(error, field->line, field->column, "expected %s (0 to %g), found '%.40s'", expected, most,
                        field->text);
    }
    *value = number;
    return STATUS_OK;
}

/* What a reader of tables does with a line: `columns` say where the fields it asked for are. */
struct layout {
    const char *const *const *names; /* of each column, ended by NULL */
    int needed;                      /* the first so many must be there */
    int columns;
    enum status (*row)(void *user, const struct field *fields, int count, const int *where, struct error *error);
};

static enum status read_table(const char *bytes, size_t length, const struct layout *layout, void *user,
                              struct error *error) {
    struct table table;
    struct field *fields = calloc(MOST_COLUMNS, sizeof *fields);
    int where[8];
    int count = 0;
    table_init(&table, bytes, length);
    enum status status = fields ? read_row(&table, fields, &count, error) : error_machine(error, "out of memory");
    for (int i = 0; i < layout->columns && status == STATUS_OK; i++) {
        where[i] = column_of(fields, count, layout->names[i]);
        if (i < layout->needed && where[i] < 0) {
            status = error_at(error, 1, 1, "expected a first line with a column '%s'", layout->names[i][0]);
        }
    }
    while (status == STATUS_OK) {
        status = read_row(&table, fields, &count, error);
        if (status != STATUS_OK || count == 0) {
            break;
        }
        for (int i = 0; i < layout->needed && status == STATUS_OK; i++) {
            if (where[i] >= count) {
                status = error_at(error, fields[0].line, 1, "expected a field for '%s', the line has only %d",
                                  layout->names[i][0], count);
            }
        }
        if (status == STATUS_OK) {
            status = layout->row(user, fields, count, where, error);
        }
    }
    free(fields);
    return status;
}

/* -- points -- */

static enum status take_points(void *user, const struct field *fields, int count, const int *where,
                               struct error *error) {
    struct grade *grade = user;
    const struct field *name = &fields[where[0]];
    double points;
    double shares[GRADE_CHECKS] = {1, 1, 1};
    enum status status = read_number(&fields[where[1]], "points", 1e6, &points, error);
    for (int check = 0; check < GRADE_CHECKS && status == STATUS_OK; check++) {
        int column = where[2 + check];
        if (column >= 0) {
            bool given = column < count && fields[column].text[0];
            shares[check] = 0;
            status = given ? read_number(&fields[column], "a share", 1e6, &shares[check], error) : STATUS_OK;
        }
    }
    bool used = false;
    for (int i = 0; i < grade->case_count && status == STATUS_OK; i++) {
        struct grade_case *one = &grade->cases[i];
        if (fnmatch(name->text, one->name, 0) == 0) {
            one->points = points;
            memcpy(one->shares, shares, sizeof shares);
            used = true;
        }
    }
    if (status == STATUS_OK && !used) {
        return error_at(error, name->line, name->column, "expected the name of a case, found '%.60s'", name->text);
    }
    return status;
}

enum status grade_read_points(struct grade *grade, const char *bytes, size_t length, struct error *error) {
    static const char *const names[][3] = {{"case"}, {"points", "weight"}, {"move"}, {"board"}, {"log"}};
    static const char *const *const columns[] = {names[0], names[1], names[2], names[3], names[4]};
    static const struct layout layout = {columns, 2, 5, take_points};
    return read_table(bytes, length, &layout, grade, error);
}

/* -- late days -- */

struct late {
    struct grade *grade;
    void (*unknown)(void *user, int line, const char *name);
    void *user;
};

static enum status take_late(void *user, const struct field *fields, int count, const int *where, struct error *error) {
    (void)count;
    struct late *late = user;
    const struct field *name = &fields[where[0]];
    double days = 0;
    enum status status =
        fields[where[1]].text[0] ? read_number(&fields[where[1]], "late days", 10000, &days, error) : STATUS_OK;
    bool used = false;
    for (int i = 0; i < late->grade->submission_count && status == STATUS_OK; i++) {
        struct grade_submission *submission = &late->grade->submissions[i];
        const char *file = strrchr(submission->path, '/');
        if (strcmp(submission->name, name->text) == 0 || (file && strcmp(file + 1, name->text) == 0)) {
            submission->late_days = days;
            used = true;
        }
    }
    if (status == STATUS_OK && !used) {
        late->unknown(late->user, name->line, name->text);
    }
    return status;
}

enum status grade_read_late(struct grade *grade, const char *bytes, size_t length,
                            void (*unknown)(void *user, int line, const char *name), void *user, struct error *error) {
    static const char *const names[][4] = {{"submission", "student", "name"}, {"days", "late_days", "late days"}};
    static const char *const *const columns[] = {names[0], names[1]};
    static const struct layout layout = {columns, 2, 2, take_late};
    struct late late = {grade, unknown, user};
    return read_table(bytes, length, &layout, &late, error);
}
