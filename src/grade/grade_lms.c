#include "grade/grade_lms.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grade/find/grade_tree.h"

#define MOODLE "assignsubmission_"

/* Takes digits up to an underscore; NULL when there are none. */
static const char *take_number(const char *at, size_t most) {
    size_t length = strspn(at, "0123456789");
    return length > 0 && length < most && at[length] == '_' ? at + length + 1 : NULL;
}

/* A second upload of the same file is called homework-1.java. A header may be meant so. */
static void undo_copy_number(char *file) {
    static const char *const endings[] = {".java", ".py", ".c", ".cpp", ".cc", ".cxx", ".zip", ".rar", ".7z", ".ipynb"};
    const char *dot = strrchr(file, '.');
    char *dash = strrchr(file, '-');
    bool known = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && dot; i++) {
        known = known || strcmp(dot, endings[i]) == 0;
    }
    if (known && dash && dash > file && dash < dot && dash + 1 + strspn(dash + 1, "0123456789") == dot &&
        dash + 1 < dot) {
        memmove(dash, dot, strlen(dot) + 1);
    }
}

static bool read_canvas(const char *name, struct grade_lms_name *out) {
    size_t student = strcspn(name, "_");
    const char *id = name + student + (name[student] == '_');
    out->late = strncmp(id, "LATE_", 5) == 0;
    id += out->late ? 5 : 0;
    const char *turn = student > 0 ? take_number(id, sizeof out->id) : NULL;
    const char *file = turn ? take_number(turn, 19) : NULL;
    if (!file || !*file) {
        return false;
    }
    snprintf(out->student, sizeof out->student, "%.*s", (int)student, name);
    snprintf(out->id, sizeof out->id, "%.*s", (int)(turn - id - 1), id);
    out->turn = strtoull(turn, NULL, 10);
    snprintf(out->file, sizeof out->file, "%s", file);
    undo_copy_number(out->file);
    out->platform = GRADE_CANVAS;
    return true;
}

static bool read_moodle(const char *name, struct grade_lms_name *out) {
    const char *mark = strstr(name, "_" MOODLE);
    const char *id = mark;
    while (id && id > name && isdigit((unsigned char)id[-1])) {
        id--;
    }
    if (!mark || id == mark || id < name + 2 || id[-1] != '_' || mark - id >= (int)sizeof out->id) {
        return false;
    }
    /* "file_" or "onlinetext_", then what it was called. */
    const char *kind = mark + 1 + strlen(MOODLE);
    const char *file = kind + strcspn(kind, "_");
    snprintf(out->student, sizeof out->student, "%.*s", (int)(id - 1 - name), name);
    snprintf(out->id, sizeof out->id, "%.*s", (int)(mark - id), id);
    out->turn = 0;
    out->platform = GRADE_MOODLE;
    snprintf(out->file, sizeof out->file, "%s", *file ? file + 1 : "");
    return true;
}

bool grade_lms_read(const char *name, struct grade_lms_name *out) {
    *out = (struct grade_lms_name){0};
    return strlen(name) <= NAME_MAX && (read_moodle(name, out) || read_canvas(name, out));
}

/* -- Gradescope's metadata -- */

/* The value of "- :name: VALUE" in a line, without quotes; false when the line says something else. */
static bool take_value(const char *line, size_t length, const char *key, struct text *value) {
    size_t at = 0;
    while (at < length && strchr(" -", line[at])) {
        at++;
    }
    size_t size = strlen(key);
    if (length - at < size || strncmp(line + at, key, size) != 0) {
        return false;
    }
    at += size;
    while (at < length && strchr(" '\"", line[at])) {
        at++;
    }
    while (length > at && strchr(" '\"\r", line[length - 1])) {
        length--;
    }
    for (; at < length; at++) {
        text_add_char(value, line[at] == '\t' || line[at] == '\0' ? ' ' : line[at]);
    }
    return true;
}

/* What is known of one of those who handed in. */
struct submitter {
    struct text parts[3]; /* name, address, number */
};

/* Ends a submitter: what is known of them becomes a line. */
static void end_submitter(struct submitter *one, struct text *names, struct text *people) {
    if (one->parts[0].length > 0) {
        text_add_string(names, names->length ? " and " : "");
        text_add_string(names, text_string(&one->parts[0]));
        text_addf(people, "%s\t%s\t%s\n", text_string(&one->parts[0]), text_string(&one->parts[1]),
                  text_string(&one->parts[2]));
    }
    for (int i = 0; i < 3; i++) {
        text_spend(&one->parts[i], people);
        one->parts[i] = TEXT_EMPTY;
    }
}

bool grade_lms_submitters(const char *bytes, size_t length, const char *folder, struct text *names,
                          struct text *people) {
    static const char *const keys[] = {":name:", ":email:", ":sid:"};
    size_t wanted = strlen(folder);
    bool inside = false;
    struct submitter one = {{TEXT_EMPTY, TEXT_EMPTY, TEXT_EMPTY}};
    for (const char *line = bytes, *end = bytes + length; line < end;) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));
        size_t size = (size_t)((feed ? feed : end) - line);
        if (size > 0 && !strchr(" -#\r", *line)) {
            end_submitter(&one, names, people);
            inside = size > wanted && strncmp(line, folder, wanted) == 0 && line[wanted] == ':';
        }
        for (int i = 0; i < 3 && inside; i++) {
            struct text value = TEXT_EMPTY;
            if (take_value(line, size, keys[i], &value)) {
                /* A part that is known already is the next one's. */
                if (one.parts[i].length > 0) {
                    end_submitter(&one, names, people);
                }
                text_add_string(&one.parts[i], text_string(&value));
            }
            text_spend(&value, names);
        }
        line += size + 1;
    }
    end_submitter(&one, names, people);
    return names->length > 0;
}
