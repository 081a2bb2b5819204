#include "grade/explain/grade_answer.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* A field as tables have it. */
static void add_field(struct text *out, const char *field) {
    bool quoted = strpbrk(field, ",\"\r\n#") || strspn(field, " \t") > 0;
    text_add_string(out, quoted ? "\"" : "");
    for (; *field; field++) {
        text_add_string(out, *field == '"' ? "\"" : "");
        text_add_char(out, *field);
    }
    text_add_string(out, quoted ? "\"" : "");
}

/* Whether a head of a column is one of these names, blanks and quotes around it apart. */
static bool is_head(const char *head, size_t length, const char *const *names) {
    while (length > 0 && strchr(" \t\r\"", head[length - 1])) {
        length--;
    }
    while (length > 0 && strchr(" \t\"", *head)) {
        head++;
        length--;
    }
    for (; *names; names++) {
        if (strlen(*names) == length && strncasecmp(head, *names, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Where the line with the heads begins: after a mark, empty lines and comments. */
static const char *find_heads(const char *at, const char *end) {
    at += end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < end && (*at == '#' || *at == '\n' || *at == '\r')) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        at = feed ? feed + 1 : end;
    }
    return at;
}

enum status grade_answer_add(const char *bytes, size_t length, const char *submission, const char *main,
                             struct text *out, struct error *error) {
    static const char *const submissions[] = {"submission", "student", "name", NULL};
    static const char *const mains[] = {"main", "file", "program", NULL};
    static const char usual[] = "submission,main\n";
    bool empty = length == 0;
    const char *end = empty ? usual + sizeof usual - 1 : bytes + length;
    const char *heads = find_heads(empty ? usual : bytes, end);
    const char *feed = memchr(heads, '\n', (size_t)(end - heads));
    const char *stop = feed ? feed : end;
    bool named[2] = {false, false};
    struct text line = TEXT_EMPTY;
    for (const char *at = heads;;) {
        const char *comma = memchr(at, ',', (size_t)(stop - at));
        size_t size = (size_t)((comma ? comma : stop) - at);
        if (!named[0] && is_head(at, size, submissions)) {
            add_field(&line, submission);
            named[0] = true;
        } else if (!named[1] && is_head(at, size, mains)) {
            add_field(&line, main);
            named[1] = true;
        }
        if (!comma) {
            break;
        }
        text_add_char(&line, ',');
        at = comma + 1;
    }
    if (!named[0] || !named[1]) {
        text_free(&line);
        return error_at(error, 1, 1, "expected columns 'submission' and 'main' to keep the answer in");
    }
    text_add(out, empty ? usual : bytes, empty ? sizeof usual - 1 : length);
    text_add_string(out, out->length > 0 && out->data && out->data[out->length - 1] != '\n' ? "\n" : "");
    text_add(out, text_string(&line), line.length);
    text_add_char(out, '\n');
    text_spend(&line, out);
    return out->broken ? error_machine(error, "out of memory") : STATUS_OK;
}
