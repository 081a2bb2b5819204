#include "grade/find/grade_wish.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/reader.h"

bool grade_is_version(const char *text) {
    size_t digits = strspn(text, "0123456789");
    while (digits > 0 && text[digits] == '.') {
        size_t more = strspn(text + digits + 1, "0123456789");
        digits = more > 0 ? digits + 1 + more : 0;
    }
    return digits > 0 && digits < 16 && text[digits] == '\0';
}

bool grade_wish_is_empty(const struct grade_wish *wish) {
    return !wish->main[0] && !wish->python[0] && !wish->command[0] && !wish->build[0];
}

/* A word of a line, without the blanks around it. */
struct part {
    const char *at;
    size_t length;
};

static struct part trimmed(const char *at, size_t length) {
    while (length > 0 && isspace((unsigned char)at[length - 1])) {
        length--;
    }
    while (length > 0 && isspace((unsigned char)*at)) {
        at++;
        length--;
    }
    return (struct part){at, length};
}

static bool is_name(struct part part, const char *name) {
    return strlen(name) == part.length && strncasecmp(part.at, name, part.length) == 0;
}

/* Takes one line of a name and a value. */
static enum status take_line(const struct reader *reader, struct grade_wish *wish, struct error *error) {
    const struct {
        const char *name;
        char *target;
        size_t size;
    } fields[] = {{"main", wish->main, sizeof wish->main},
                  {"python", wish->python, sizeof wish->python},
                  {"command", wish->command, sizeof wish->command},
                  {"build", wish->build, sizeof wish->build}};
    int line = reader->line_number;
    size_t stop = 0;
    while (stop < reader->length && reader->line[stop] != ':' && reader->line[stop] != '=') {
        stop++;
    }
    struct part name = trimmed(reader->line, stop);
    if (stop == reader->length) {
        return error_at(error, line, 1, "expected 'name: value'");
    }
    struct part value = trimmed(reader->line + stop + 1, reader->length - stop - 1);
    int column = (int)(value.at - reader->line) + 1;
    if (is_name(name, "time") || is_name(name, "memory") || is_name(name, "excused")) {
        return error_at(error, line, 1, "'%.*s' is the teacher's to say, in overrides.csv", (int)name.length, name.at);
    }
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (!is_name(name, fields[i].name)) {
            continue;
        }
        if (value.length == 0 || value.length >= fields[i].size || memchr(value.at, '\0', value.length)) {
            return error_at(error, line, column, "expected a text of 1 to %d characters", (int)fields[i].size - 1);
        }
        memcpy(fields[i].target, value.at, value.length);
        fields[i].target[value.length] = '\0';
        if (fields[i].target == wish->python && !grade_is_version(wish->python)) {
            wish->python[0] = '\0';
            return error_at(error, line, column, "expected a version such as 2 or 3.8");
        }
        return STATUS_OK;
    }
    return error_at(error, line, 1, "expected main, python, command or build");
}

enum status grade_wish_read(const char *bytes, size_t length, struct grade_wish *wish, struct error *error) {
    struct reader reader;
    enum status status = STATUS_OK;
    reader_init(&reader, bytes, length);
    while (status == STATUS_OK && reader_next_line(&reader)) {
        struct part line = trimmed(reader.line, reader.length);
        if (line.length > 0 && *line.at != '#') {
            status = take_line(&reader, wish, error);
        }
    }
    return status;
}

/* -- on its way in -- */

static void add_string(struct text *out, const char *string) {
    text_add(out, string, strlen(string) + 1);
}

void grade_brief_write(const struct grade_brief *brief, struct text *out) {
    text_add_char(out, (char)('0' + (int)brief->course));
    add_string(out, brief->wish.main);
    add_string(out, brief->wish.python);
    add_string(out, brief->wish.command);
    add_string(out, brief->wish.build);
}

static bool take_string(const char **at, const char *end, char *to, size_t size) {
    const char *zero = *at < end ? memchr(*at, '\0', (size_t)(end - *at)) : NULL;
    if (!zero || (size_t)(zero - *at) >= size) {
        return false;
    }
    memcpy(to, *at, (size_t)(zero - *at) + 1);
    *at = zero + 1;
    return true;
}

bool grade_brief_read(struct grade_brief *brief, const struct text *bytes) {
    *brief = (struct grade_brief){0};
    if (bytes->length == 0) {
        return false;
    }
    const char *at = bytes->data + 1;
    const char *end = bytes->data + bytes->length;
    int course = bytes->data[0] - '0';
    struct grade_wish *wish = &brief->wish;
    brief->course = course >= 0 && course < GRADE_COURSES ? (enum grade_course)course : GRADE_COURSE_ANY;
    return course >= 0 && course < GRADE_COURSES && take_string(&at, end, wish->main, sizeof wish->main) &&
           take_string(&at, end, wish->python, sizeof wish->python) &&
           take_string(&at, end, wish->command, sizeof wish->command) &&
           take_string(&at, end, wish->build, sizeof wish->build) && at == end;
}
