#include "grade/platform/grade_metadata.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

#define MOST_DEPTH 64
#define MOST_PATH 200

/* -- times -- */

/* Days from 1970 to a date of the calendar we have now. */
static double days_to(int year, int month, int day) {
    int y = month > 2 ? year : year - 1;
    int m = month > 2 ? month - 3 : month + 9;
    int of_year = (153 * m + 2) / 5 + day - 1;
    return 365.0 * y + floor(y / 4.0) - floor(y / 100.0) + floor(y / 400.0) + of_year - 719468;
}

/* Takes so many digits; -1 when they are not there. */
static int take_digits(const char **at, int count) {
    int value = 0;
    for (int i = 0; i < count; i++, (*at)++) {
        if (!number_is_digit(**at)) {
            return -1;
        }
        value = 10 * value + (**at - '0');
    }
    return value;
}

/* Takes digits behind a sign that separates; -1 when one or the other is not there. */
static int take_part(const char **at, char sign, int count) {
    if (**at != sign) {
        return -1;
    }
    (*at)++;
    return take_digits(at, count);
}

/* Takes the zone at the end, in seconds east; NAN when it is none. */
static double take_zone(const char *at) {
    if (strcmp(at, "Z") == 0 || *at == '\0') {
        return 0;
    }
    double sign = *at == '-' ? -1 : *at == '+' ? 1 : NAN;
    at += *at != '\0';
    int hours = take_digits(&at, 2);
    at += *at == ':';
    int minutes = take_digits(&at, 2);
    return hours < 0 || minutes < 0 || *at ? NAN : sign * (3600.0 * hours + 60.0 * minutes);
}

double grade_metadata_time(const char *text) {
    const char *at = text;
    int year = take_digits(&at, 4);
    int month = take_part(&at, '-', 2);
    int day = take_part(&at, '-', 2);
    int hour = take_part(&at, *at == ' ' ? ' ' : 'T', 2);
    int minute = take_part(&at, ':', 2);
    int second = take_part(&at, ':', 2);
    double fraction = 0;
    if (year < 0 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || hour > 24 || minute < 0 ||
        minute > 59 || second < 0 || second > 60) {
        return NAN;
    }
    if (*at == '.') {
        double unit = 0.1;
        for (at++; number_is_digit(*at); at++, unit /= 10) {
            fraction += unit * (*at - '0');
        }
    }
    return 86400 * days_to(year, month, day) + 3600.0 * hour + 60.0 * minute + second + fraction - take_zone(at);
}

/* -- JSON -- */

/* A walk through a text of JSON: every value that is no object or list is told with the names that lead to it. */
struct walk {
    const char *begin;
    const char *at;
    const char *end;
    char path[MOST_PATH]; /* "/users/name": members of a list have the list's */
    struct text value;
    void (*take)(void *user, const char *path, const char *value);
    void (*ends_object)(void *user, const char *path);
    void *user;
};

static enum status expected(const struct walk *walk, const char *what, struct error *error) {
    int line = 1;
    const char *start = walk->begin;
    for (const char *at = walk->begin; at < walk->at; at++) {
        if (*at == '\n') {
            line++;
            start = at + 1;
        }
    }
    return error_at(error, line, (int)(walk->at - start) + 1, "expected %s", what);
}

static void skip_space(struct walk *walk) {
    while (walk->at < walk->end && number_is_space(*walk->at)) {
        walk->at++;
    }
}

static bool take_char(struct walk *walk, char c) {
    skip_space(walk);
    bool there = walk->at < walk->end && *walk->at == c;
    walk->at += there;
    return there;
}

static void add_character(struct text *out, unsigned code) {
    if (code < 0x80) {
        text_add_char(out, (char)code);
    } else if (code < 0x800) {
        text_add_char(out, (char)(0xc0 | code >> 6));
        text_add_char(out, (char)(0x80 | (code & 63)));
    } else {
        text_add_char(out, (char)(0xe0 | code >> 12));
        text_add_char(out, (char)(0x80 | (code >> 6 & 63)));
        text_add_char(out, (char)(0x80 | (code & 63)));
    }
}

/* Takes what stands behind a backslash; false when it means nothing. Halves of a pair become what stands for text that
 * cannot be read. */
static bool take_escape(struct walk *walk) {
    static const char names[] = "\"\\/bfnrt";
    static const char meant[] = "\"\\/\b\f\n\r\t";
    char c = *walk->at++;
    const char *found = c ? strchr(names, c) : NULL;
    if (found) {
        text_add_char(&walk->value, meant[found - names]);
        return true;
    }
    char digits[5] = "";
    if (c != 'u' || walk->end - walk->at < 4) {
        return false;
    }
    memcpy(digits, walk->at, 4);
    if (strspn(digits, "0123456789abcdefABCDEF") != 4) {
        return false;
    }
    unsigned code = (unsigned)strtoul(digits, NULL, 16);
    walk->at += 4;
    add_character(&walk->value, code == 0 || (code >= 0xd800 && code < 0xe000) ? 0xfffd : code);
    return true;
}

static enum status take_string(struct walk *walk, struct error *error) {
    walk->value.length = 0;
    text_add_string(&walk->value, "");
    if (!take_char(walk, '"')) {
        return expected(walk, "a string in quotes", error);
    }
    while (walk->at < walk->end && *walk->at != '"') {
        char c = *walk->at++;
        if (c != '\\') {
            text_add_char(&walk->value, c ? c : ' ');
        } else if (walk->at == walk->end || !take_escape(walk)) {
            return expected(walk, "what may stand behind a backslash", error);
        }
    }
    return take_char(walk, '"') ? STATUS_OK : expected(walk, "a quote that ends the string", error);
}

static enum status take_value(struct walk *walk, int depth, struct error *error);

static enum status take_members(struct walk *walk, int depth, bool object, struct error *error) {
    char close = object ? '}' : ']';
    size_t length = strlen(walk->path);
    walk->at++;
    if (take_char(walk, close)) {
        return STATUS_OK;
    }
    for (bool more = true; more; more = take_char(walk, ',')) {
        enum status status = object ? take_string(walk, error) : STATUS_OK;
        if (status == STATUS_OK && object) {
            snprintf(walk->path + length, sizeof walk->path - length, "/%.60s", text_string(&walk->value));
            status = take_char(walk, ':') ? STATUS_OK : expected(walk, "a colon", error);
        }
        status = status == STATUS_OK ? take_value(walk, depth + 1, error) : status;
        walk->path[length] = '\0';
        if (status != STATUS_OK) {
            return status;
        }
    }
    if (object) {
        walk->ends_object(walk->user, walk->path);
    }
    return take_char(walk, close) ? STATUS_OK : expected(walk, object ? "a comma or }" : "a comma or ]", error);
}

static enum status take_value(struct walk *walk, int depth, struct error *error) {
    skip_space(walk);
    if (walk->at == walk->end || depth > MOST_DEPTH) {
        return expected(walk, depth > MOST_DEPTH ? "fewer levels" : "a value", error);
    }
    if (*walk->at == '{' || *walk->at == '[') {
        return take_members(walk, depth, *walk->at == '{', error);
    }
    if (*walk->at == '"') {
        enum status status = take_string(walk, error);
        if (status == STATUS_OK) {
            walk->take(walk->user, walk->path, text_string(&walk->value));
        }
        return status;
    }
    size_t length = 0;
    while (walk->at + length < walk->end && walk->at[length] && strchr("+-.0123456789truefalsn", walk->at[length])) {
        length++;
    }
    if (length == 0) {
        return expected(walk, "a value", error);
    }
    walk->at += length;
    return STATUS_OK;
}

/* -- what is looked for -- */

struct reading {
    struct grade_metadata *metadata;
    struct text name;
    struct text email;
    double due; /* of a student */
};

static void take_member(void *user, const char *path, const char *value) {
    struct reading *reading = user;
    struct grade_metadata *metadata = reading->metadata;
    if (strcmp(path, "/created_at") == 0) {
        metadata->created = grade_metadata_time(value);
    } else if (strcmp(path, "/assignment/due_date") == 0) {
        metadata->due = grade_metadata_time(value);
    } else if (strcmp(path, "/assignment/late_due_date") == 0) {
        metadata->late_due = grade_metadata_time(value);
    } else if (strcmp(path, "/users/assignment/due_date") == 0) {
        reading->due = fmax(reading->due, grade_metadata_time(value));
    } else if (strcmp(path, "/users/name") == 0) {
        text_add_string(&reading->name, value);
    } else if (strcmp(path, "/users/email") == 0) {
        text_add_string(&reading->email, value);
    }
}

/* Tabulators and line feeds separate here, so they cannot be in a name. */
static void add_part(struct text *out, struct text *part) {
    for (const char *at = text_string(part); *at; at++) {
        text_add_char(out, *at == '\t' || *at == '\n' ? ' ' : *at);
    }
    text_spend(part, out);
    *part = TEXT_EMPTY;
}

static void end_member(void *user, const char *path) {
    struct reading *reading = user;
    if (strcmp(path, "/users") == 0) {
        struct text *people = &reading->metadata->people;
        add_part(people, &reading->name);
        text_add_char(people, '\t');
        add_part(people, &reading->email);
        text_add_string(people, "\t\n");
    }
}

enum status grade_metadata_read(struct grade_metadata *metadata, const char *bytes, size_t length,
                                struct error *error) {
    *metadata = (struct grade_metadata){.created = NAN, .due = NAN, .late_due = NAN};
    struct reading reading = {.metadata = metadata, .due = NAN};
    struct walk walk = {.begin = bytes,
                        .at = bytes,
                        .end = bytes + length,
                        .take = take_member,
                        .ends_object = end_member,
                        .user = &reading};
    enum status status = take_value(&walk, 0, error);
    skip_space(&walk);
    if (status == STATUS_OK && walk.at < walk.end) {
        status = expected(&walk, "the end of the file", error);
    }
    if (status == STATUS_OK && isnan(metadata->created)) {
        status = error_at(error, 1, 1, "expected the time of the submission, \"created_at\": \"2026-01-31T23:59:59Z\"");
    }
    metadata->due = isnan(reading.due) ? metadata->due : reading.due;
    bool broken = walk.value.broken || metadata->people.broken || reading.name.broken || reading.email.broken;
    text_free(&walk.value);
    text_free(&reading.name);
    text_free(&reading.email);
    return broken ? error_machine(error, "out of memory") : status;
}

void grade_metadata_free(struct grade_metadata *metadata) {
    text_free(&metadata->people);
}

double grade_metadata_late_days(const struct grade_metadata *metadata) {
    double seconds = metadata->created - metadata->due;
    return seconds > 0 ? fmin(seconds / 86400, 10000) : 0; /* what is not known is not late */
}
