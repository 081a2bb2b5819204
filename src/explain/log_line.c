#include "explain/log_line.h"

#include <string.h>
#include <strings.h>

#include "base/number.h"

const char *const log_field_names[LOG_FIELDS] = {"value", "alpha", "beta"};

/* From here on a number is somebody's infinity: no board of the course is worth as much. */
#define HUGE_NUMBER 9999

/* Takes the next field off a line, without the blanks around it. */
static bool next_field(const char **at, const char *end, struct course_line *field, unsigned *odd) {
    if (*at > end) {
        return false;
    }
    const char *comma = *at < end ? memchr(*at, ',', (size_t)(end - *at)) : NULL;
    const char *stop = comma ? comma : end;
    const char *start = *at;
    while (start < stop && number_is_space(*start)) {
        start++;
        *odd |= LOG_ODD_BLANKS;
    }
    while (stop > start && number_is_space(stop[-1])) {
        stop--;
        *odd |= LOG_ODD_BLANKS;
    }
    *field = (struct course_line){start, (size_t)(stop - start)};
    *at = comma ? comma + 1 : end + 1;
    return true;
}

static bool is_word(struct course_line field, const char *word) {
    return field.length == strlen(word) && strncasecmp(field.at, word, field.length) == 0;
}

/* The spellings of infinity that languages print. */
static bool read_infinity(struct course_line field, game_score *number, unsigned *odd) {
    static const char *const words[] = {"Infinity", "inf", "oo", "infinite", "\xe2\x88\x9e"};
    struct course_line rest = field;
    bool sign = rest.length > 0 && (*rest.at == '-' || *rest.at == '+');
    rest.at += sign;
    rest.length -= sign;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (is_word(rest, words[i])) {
            *number = sign && *field.at == '-' ? -GAME_INFINITY : GAME_INFINITY;
            bool exact = strncmp(rest.at, words[0], rest.length) == 0 && i == 0 && !(sign && *field.at == '+');
            *odd |= exact ? 0 : LOG_ODD_INFINITY;
            return true;
        }
    }
    return false;
}

static bool read_number(struct course_line field, game_score *number, unsigned *odd) {
    double value;
    if (read_infinity(field, number, odd)) {
        return true;
    }
    if (field.length == 0 || number_read(field.at, field.length, &value) != field.length) {
        return false;
    }
    value = value > GAME_INFINITY - 1 ? GAME_INFINITY - 1 : value;
    value = value < 1 - GAME_INFINITY ? 1 - GAME_INFINITY : value;
    *number = (game_score)value;
    if (memchr(field.at, '.', field.length) || memchr(field.at, 'e', field.length)) {
        *odd |= LOG_ODD_FRACTION;
    }
    return (double)*number == value;
}

static bool read_node(struct course_line field, char node[8]) {
    if (field.length == 0 || field.length > 4) {
        return false;
    }
    for (size_t i = 0; i < field.length; i++) {
        char c = field.at[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !number_is_digit(c)) {
            return false;
        }
        node[i] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    node[field.length] = '\0';
    if (strcmp(node, "ROOT") == 0) {
        memcpy(node, "root", 5);
    }
    return true;
}

void log_line_read(struct course_line line, struct log_line *read) {
    *read = (struct log_line){0};
    if (!line.at) {
        return;
    }
    const char *at = line.at;
    const char *end = at + line.length;
    struct course_line field;
    game_score depth = -1;
    if (!next_field(&at, end, &field, &read->odd) || !read_node(field, read->node) ||
        !next_field(&at, end, &field, &read->odd) || !read_number(field, &depth, &read->odd)) {
        return;
    }
    int count = 0;
    while (count < LOG_FIELDS && next_field(&at, end, &field, &read->odd)) {
        if (!read_number(field, &read->numbers[count++], &read->odd)) {
            return;
        }
    }
    read->depth = depth;
    read->bounds = count == LOG_FIELDS;
    read->readable = at == end + 1 && (count == 1 || read->bounds) && depth >= 0 && depth < LOG_MOST_LEVELS;
}

bool log_number_means(game_score wanted, game_score found) {
    if (wanted == GAME_INFINITY || wanted == -GAME_INFINITY) {
        return wanted > 0 ? found >= HUGE_NUMBER : found <= -HUGE_NUMBER;
    }
    return wanted == found;
}

bool log_line_means(const struct log_line *wanted, const struct log_line *found) {
    bool same = wanted->readable && found->readable && wanted->bounds == found->bounds &&
                wanted->depth == found->depth && strcmp(wanted->node, found->node) == 0;
    for (int i = 0; i < LOG_FIELDS; i++) {
        same = same && log_number_means(wanted->numbers[i], found->numbers[i]);
    }
    return same;
}

void log_add_number(struct text *out, game_score number) {
    if (number == GAME_INFINITY || number == -GAME_INFINITY) {
        text_add_string(out, number > 0 ? "Infinity" : "-Infinity");
    } else {
        text_addf(out, "%d", (int)number);
    }
}
