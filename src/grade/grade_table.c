/* The tables a teacher writes: what cases are worth, who was late, and what is different for whom. Comma-separated, as
 * spreadsheets save them: a first line that names the columns, then a line each; fields may stand in quotes. */
#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "grade/find/grade_tree.h"
#include "grade/grade.h"

#define MOST_COLUMNS 64
#define MOST_FIELD 1024
#define MOST_ASKED 11 /* columns a reader asks for */

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

static enum status take_flag(const struct field *field, bool *flag, struct error *error) {
    static const char *const words[] = {"no", "false", "0", "yes", "true", "1", "x", "excused"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(field->text, words[i]) == 0) {
            *flag = i > 2;
            return STATUS_OK;
        }
    }
    return error_at(error, field->line, field->column, "expected yes or no, found '%.40s'", field->text);
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
    int where[MOST_ASKED];
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

enum points_column {
    NAME,
    POINTS,
    SHARES,
    VISIBILITY = SHARES + GRADE_CHECKS,
    HIDDEN,
    GROUP,
    BONUS,
    CAP,
    BY_VALUE,
    POINTS_COLUMNS
};

/* What a line says of the cases it names. */
struct points_line {
    const struct field *given[POINTS_COLUMNS]; /* NULL: the column is not there, or empty */
    double points;
    double shares[GRADE_CHECKS];
    int visibility; /* -1: nothing is said */
    int group;      /* from 1; 0: nothing is said */
    bool by_value;
};

static enum status take_visibility(struct points_line *line, struct error *error) {
    const struct field *field = line->given[VISIBILITY];
    bool hidden = false;
    line->visibility = -1;
    if (field) {
        while (++line->visibility < GRADE_VISIBILITIES &&
               strcasecmp(field->text, grade_visibility_names[line->visibility]) != 0) {
        }
        if (line->visibility == GRADE_VISIBILITIES) {
            return error_at(error, field->line, field->column,
                            "expected visible, hidden, after_due_date or after_published, found '%.40s'", field->text);
        }
    }
    field = line->given[HIDDEN];
    enum status status = field ? take_flag(field, &hidden, error) : STATUS_OK;
    if (field && hidden && line->visibility < GRADE_HIDDEN) {
        line->visibility = GRADE_HIDDEN;
    } else if (field && !hidden && line->visibility < 0) {
        line->visibility = GRADE_VISIBLE;
    }
    return status;
}

/* The group of that name, from 1, which is made when it is new; 0: no memory. */
static int group_of(struct grade *grade, const char *name) {
    for (int i = 0; i < grade->group_count; i++) {
        if (strcmp(grade->groups[i].name, name) == 0) {
            return i + 1;
        }
    }
    struct grade_group *larger = realloc(grade->groups, (size_t)(grade->group_count + 1) * sizeof *larger);
    if (!larger) {
        return 0;
    }
    grade->groups = larger;
    struct grade_group *group = &larger[grade->group_count++];
    *group = (struct grade_group){0};
    snprintf(group->name, sizeof group->name, "%s", name);
    return grade->group_count;
}

/* A number of a group, which every line that gives it must give alike. */
static enum status take_once(const struct field *field, const char *what, const char *group, double *value,
                             int *said_line, struct error *error) {
    double number = 0;
    enum status status = field ? read_number(field, what, 1e6, &number, error) : STATUS_OK;
    if (status == STATUS_OK && field && *said_line > 0 && number != *value) {
        return error_at(error, field->line, field->column, "expected %g, which line %d says of group '%.60s', found %g",
                        *value, *said_line, group, number);
    }
    if (status == STATUS_OK && field) {
        *value = number;
        *said_line = *said_line > 0 ? *said_line : field->line;
    }
    return status;
}

/* The group of a line, with its bonus and cap; where it has these and names none, its cases are one. */
static enum status take_group(struct grade *grade, struct points_line *line, struct error *error) {
    const struct field *field = line->given[GROUP];
    const struct field *name = field ? field : line->given[BONUS] || line->given[CAP] ? line->given[NAME] : NULL;
    if (!name) {
        return STATUS_OK;
    }
    if (strlen(name->text) >= sizeof grade->groups->name) {
        return error_at(error, name->line, name->column, "expected a group's name of at most %d characters",
                        (int)sizeof grade->groups->name - 1);
    }
    line->group = group_of(grade, name->text);
    if (line->group == 0) {
        return error_machine(error, "out of memory");
    }
    struct grade_group *group = &grade->groups[line->group - 1];
    enum status status =
        take_once(line->given[BONUS], "a bonus", group->name, &group->bonus, &group->bonus_line, error);
    return status == STATUS_OK ? take_once(line->given[CAP], "a cap", group->name, &group->cap, &group->cap_line, error)
                               : status;
}

static enum status take_shares(struct points_line *line, const int *where, struct error *error) {
    enum status status = STATUS_OK;
    for (int check = 0; check < GRADE_CHECKS && status == STATUS_OK; check++) {
        const struct field *field = line->given[SHARES + check];
        line->shares[check] = where[SHARES + check] < 0;
        status = field ? read_number(field, "a share", 1e6, &line->shares[check], error) : STATUS_OK;
    }
    return status;
}

static enum status take_points(void *user, const struct field *fields, int count, const int *where,
                               struct error *error) {
    struct grade *grade = user;
    struct points_line line = {0};
    const struct field *name = &fields[where[NAME]];
    for (int i = 0; i < POINTS_COLUMNS; i++) {
        bool given = where[i] >= 0 && where[i] < count && fields[where[i]].text[0];
        line.given[i] = given ? &fields[where[i]] : NULL;
    }
    enum status status = read_number(&fields[where[POINTS]], "points", 1e6, &line.points, error);
    status = status == STATUS_OK ? take_shares(&line, where, error) : status;
    status = status == STATUS_OK ? take_visibility(&line, error) : status;
    status = status == STATUS_OK ? take_group(grade, &line, error) : status;
    if (status == STATUS_OK && line.given[BY_VALUE]) {
        status = take_flag(line.given[BY_VALUE], &line.by_value, error);
    }
    bool used = false;
    for (int i = 0; i < grade->case_count && status == STATUS_OK; i++) {
        struct grade_case *one = &grade->cases[i];
        if (fnmatch(name->text, one->name, 0) == 0) {
            one->points = line.points;
            memcpy(one->shares, line.shares, sizeof line.shares);
            one->visibility = line.visibility >= 0 ? (enum grade_visibility)line.visibility : one->visibility;
            one->by_value = line.given[BY_VALUE] ? line.by_value : one->by_value;
            one->group = line.group > 0 ? line.group : one->group;
            used = true;
        }
    }
    if (status == STATUS_OK && !used) {
        return error_at(error, name->line, name->column, "expected the name of a case, found '%.60s'", name->text);
    }
    return status;
}

enum status grade_read_points(struct grade *grade, const char *bytes, size_t length, struct error *error) {
    static const char *const names[POINTS_COLUMNS][3] = {{"case"},
                                                         {"points", "weight"},
                                                         {"move"},
                                                         {"board"},
                                                         {"log"},
                                                         {"visibility"},
                                                         {"hidden"},
                                                         {"group"},
                                                         {"bonus"},
                                                         {"cap"},
                                                         {"by value", "by_value"}};
    static const char *const *const columns[POINTS_COLUMNS] = {
        names[0], names[1], names[2], names[3], names[4], names[5], names[6], names[7], names[8], names[9], names[10]};
    static const struct layout layout = {columns, 2, POINTS_COLUMNS, take_points};
    return read_table(bytes, length, &layout, grade, error);
}

/* -- late days -- */

/* Of tables about submissions. */
struct named {
    struct grade *grade;
    void (*unknown)(void *user, int line, const char *name);
    void *user;
};

/* Whether a line is about a submission: by its name, or that of its file. */
static bool is_about(const struct field *name, const struct grade_submission *submission) {
    const char *file = strrchr(submission->path, '/');
    return strcmp(submission->name, name->text) == 0 || (file && strcmp(file + 1, name->text) == 0);
}

static enum status take_late(void *user, const struct field *fields, int count, const int *where, struct error *error) {
    (void)count;
    struct named *late = user;
    const struct field *name = &fields[where[0]];
    double days = 0;
    enum status status =
        fields[where[1]].text[0] ? read_number(&fields[where[1]], "late days", 10000, &days, error) : STATUS_OK;
    bool used = false;
    for (int i = 0; i < late->grade->submission_count && status == STATUS_OK; i++) {
        struct grade_submission *submission = &late->grade->submissions[i];
        if (is_about(name, submission)) {
            submission->late_days = days;
            submission->late_said = true;
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
    struct named late = {grade, unknown, user};
    return read_table(bytes, length, &layout, &late, error);
}

/* -- overrides -- */

/* Takes a text that must fit. */
static enum status take_text(const struct field *field, char *to, size_t size, struct error *error) {
    if (strlen(field->text) >= size) {
        return error_at(error, field->line, field->column, "expected at most %d characters", (int)size - 1);
    }
    memcpy(to, field->text, strlen(field->text) + 1);
    return STATUS_OK;
}

static enum status take_python(const struct field *field, struct grade_wish *wish, struct error *error) {
    if (field->text[0] != '/' && !grade_is_version(field->text)) {
        return error_at(error, field->line, field->column,
                        "expected a version of Python (2 or 3.8) or the path of one, found '%.60s'", field->text);
    }
    return take_text(field, wish->python, sizeof wish->python, error);
}

/* 512M or 2G, as options have it; a plain number is MiB. */
static enum status take_size(const struct field *field, uint64_t *bytes, struct error *error) {
    double number = 0;
    size_t length = number_read(field->text, strlen(field->text), &number);
    const char *unit = field->text + length;
    static const char units[] = "kmg";
    const char *found = *unit ? strchr(units, tolower((unsigned char)*unit)) : units + 1;
    if (length == 0 || !found || (*unit && unit[1]) || !(number > 0) || number > 1e6) {
        return error_at(error, field->line, field->column, "expected a size such as 512M or 4G, found '%.40s'",
                        field->text);
    }
    for (const char *step = units; step <= found; step++) {
        number *= 1024;
    }
    *bytes = (uint64_t)number;
    return STATUS_OK;
}

/* Takes one field that is not empty. */
static enum status take_wish(int column, const struct field *field, struct grade_wish *wish, struct error *error) {
    switch (column) {
    case 1:
        return take_text(field, wish->main, sizeof wish->main, error);
    case 2:
        return take_python(field, wish, error);
    case 3:
        return take_text(field, wish->command, sizeof wish->command, error);
    case 4:
        return take_text(field, wish->build, sizeof wish->build, error);
    case 5:
        return read_number(field, "seconds", 1e6, &wish->seconds, error);
    case 6:
        return take_size(field, &wish->memory_bytes, error);
    default:
        return take_flag(field, &wish->excused, error);
    }
}

void grade_override(struct grade_submission *submission, const struct grade_wish *wish) {
    uint64_t print = submission->print;
    submission->wish = *wish;
    print = grade_print_string(print, wish->main);
    print = grade_print_string(print, wish->python);
    print = grade_print_string(print, wish->command);
    print = grade_print_string(print, wish->build);
    print = grade_print_bytes(print, &wish->seconds, sizeof wish->seconds);
    print = grade_print_bytes(print, &wish->memory_bytes, sizeof wish->memory_bytes);
    submission->print = print;
}

static enum status take_override(void *user, const struct field *fields, int count, const int *where,
                                 struct error *error) {
    struct named *named = user;
    struct grade_wish wish = {0};
    enum status status = STATUS_OK;
    for (int column = 1; column < 8 && status == STATUS_OK; column++) {
        const struct field *field = where[column] >= 0 && where[column] < count ? &fields[where[column]] : NULL;
        status = field && field->text[0] ? take_wish(column, field, &wish, error) : STATUS_OK;
    }
    bool used = false;
    for (int i = 0; i < named->grade->submission_count && status == STATUS_OK; i++) {
        if (is_about(&fields[where[0]], &named->grade->submissions[i])) {
            grade_override(&named->grade->submissions[i], &wish);
            used = true;
        }
    }
    if (status == STATUS_OK && !used) {
        named->unknown(named->user, fields[where[0]].line, fields[where[0]].text);
    }
    return status;
}

enum status grade_read_overrides(struct grade *grade, const char *bytes, size_t length,
                                 void (*unknown)(void *user, int line, const char *name), void *user,
                                 struct error *error) {
    static const char *const names[][4] = {{"submission", "student", "name"},
                                           {"main", "file", "program"},
                                           {"python", "interpreter"},
                                           {"command", "run"},
                                           {"build"},
                                           {"time", "seconds"},
                                           {"memory"},
                                           {"excused"}};
    static const char *const *const columns[] = {names[0], names[1], names[2], names[3],
                                                 names[4], names[5], names[6], names[7]};
    static const struct layout layout = {columns, 1, 8, take_override};
    struct named named = {grade, unknown, user};
    return read_table(bytes, length, &layout, &named, error);
}
