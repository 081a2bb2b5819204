#include "grade/find/grade_source.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* More names of a file are not followed. */
#define MOST_NAMES_BYTES ((size_t)6000)
#define MOST_NAME 160

/* -- what stands in texts -- */

static bool holds(const char *bytes, size_t length, const char *word) {
    size_t size = strlen(word);
    for (size_t i = 0; i + size <= length; i++) {
        if (tolower((unsigned char)bytes[i]) == *word && strncasecmp(bytes + i, word, size) == 0) {
            return true;
        }
    }
    return false;
}

unsigned grade_says_of(const char *bytes, size_t length) {
    static const struct {
        const char *word;
        unsigned says;
    } words[] = {
        {"input.txt", GRADE_SAYS_INPUT},  {"output.txt", GRADE_SAYS_OUTPUT},  {"next_state", GRADE_SAYS_NEXT},
        {"traverse_log", GRADE_SAYS_LOG}, {"trace_state", GRADE_SAYS_TRACE},  {"minimax", GRADE_SAYS_METHOD},
        {"alphabeta", GRADE_SAYS_METHOD}, {"competition", GRADE_SAYS_METHOD}, {"stake", GRADE_SAYS_STAKE},
        {"raid", GRADE_SAYS_STAKE},       {"move_file", GRADE_SAYS_MOVE},     {".go", GRADE_SAYS_GO},
        {"laser", GRADE_SAYS_LASER},      {"emitter", GRADE_SAYS_LASER},
    };
    unsigned says = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        says |= holds(bytes, length, words[i].word) ? words[i].says : 0;
    }
    return says;
}

bool grade_source_add_name(struct text *list, const char *name, size_t length) {
    if (length == 0 || length > MOST_NAME || list->length + length >= MOST_NAMES_BYTES) {
        return false;
    }
    const char *end = text_string(list) + list->length;
    for (const char *at = text_string(list); at < end; at += strlen(at) + 1) {
        if (strlen(at) == length && memcmp(at, name, length) == 0) {
            return true;
        }
    }
    text_add(list, name, length);
    text_add_char(list, '\0');
    return true;
}

static bool is_utf8(const char *bytes, size_t length) {
    while (length > 0) {
        size_t one = text_utf8_length(bytes, length);
        if (one == 0) {
            return false;
        }
        bytes += one;
        length -= one;
    }
    return true;
}

/* -- C and Java -- */

static bool is_name_byte(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Blanks out a comment or a text that begins at `i`; returns where the code goes on. */
static size_t blank_comment(char *text, size_t length, size_t i) {
    bool block = text[i + 1] == '*';
    size_t from = i;
    for (i += 2; i < length && (block ? text[i - 1] != '*' || text[i] != '/' || i < from + 3 : text[i] != '\n'); i++) {
    }
    i += block && i < length;
    for (size_t k = from; k < i; k++) {
        text[k] = text[k] == '\n' ? '\n' : ' ';
    }
    return i;
}

static size_t blank_text(char *text, size_t length, size_t i, unsigned *says) {
    char quote = text[i];
    size_t from = i + 1;
    for (i = from; i < length && text[i] != quote && text[i] != '\n'; i++) {
        i += text[i] == '\\' && i + 1 < length;
    }
    *says |= grade_says_of(text + from, (i < length ? i : length) - from);
    memset(text + from, ' ', (i < length ? i : length) - from);
    return i < length ? i + 1 : length;
}

/* Blanks out comments and texts, so that what is found is code, and takes what the texts say. */
static unsigned blank(char *text, size_t length) {
    unsigned says = 0;
    for (size_t i = 0; i < length;) {
        char next = i + 1 < length ? text[i + 1] : '\0';
        if (text[i] == '/' && (next == '/' || next == '*')) {
            i = blank_comment(text, length, i);
        } else if (text[i] == '"' || text[i] == '\'') {
            i = blank_text(text, length, i, &says);
        } else {
            i++;
        }
    }
    return says;
}

/* The next name at or after `at`; NULL at the end. */
static const char *next_name(const char *at, size_t *length) {
    while (*at && (!is_name_byte(*at) || isdigit((unsigned char)*at))) {
        if (isdigit((unsigned char)*at)) {
            while (is_name_byte(*at)) {
                at++;
            }
        } else {
            at++;
        }
    }
    *length = 0;
    while (is_name_byte(at[*length])) {
        ++*length;
    }
    return *at ? at : NULL;
}

static bool is_word(const char *at, size_t length, const char *word) {
    return strlen(word) == length && memcmp(at, word, length) == 0;
}

/* Whether the function that is called or defined at this name's end takes arguments in brackets. */
static bool has_bracket(const char *after) {
    return after[strspn(after, " \t\r\n")] == '(';
}

/* #include "name" names what a file uses; the texts must still be there. */
static void take_includes(const char *text, struct text *uses) {
    for (const char *at = text; (at = strstr(at, "#include")) != NULL;) {
        at += strlen("#include");
        at += strspn(at, " \t");
        size_t length = *at == '"' ? strcspn(at + 1, "\"\n") : 0;
        if (length > 0) {
            grade_source_add_name(uses, at + 1, length);
        }
    }
}

void grade_source_c(char *text, size_t length, struct grade_source *source) {
    take_includes(text, &source->uses);
    source->says = blank(text, length);
    size_t size;
    for (const char *at = text; (at = next_name(at, &size)) != NULL; at += size) {
        source->has_main = source->has_main || (is_word(at, size, "main") && has_bracket(at + size));
        source->says |= is_word(at, size, "argv") ? GRADE_SAYS_ARGUMENTS : 0;
        source->says |= grade_says_of(at, size) & GRADE_SAYS_LASER;
    }
    source->runs = source->has_main;
}

/* A walk over the code of a Java file. */
struct java_walk {
    int depth;        /* of braces */
    bool is_static;   /* the statement has the word */
    bool is_public;   /* likewise */
    char top[120];    /* the class at the top this place is in */
    char main[120];   /* the class main is in; "" so far */
    char public[120]; /* the first type at the top that is public */
};

/* Follows braces between two names. */
static void pass_signs(struct java_walk *walk, const char *from, const char *to) {
    for (; from < to; from++) {
        walk->depth += *from == '{' ? 1 : *from == '}' ? -1 : 0;
        if (strchr("{};", *from)) {
            walk->is_static = walk->is_public = false;
        }
    }
}

static void take_java_name(struct java_walk *walk, const char *at, size_t size, const char *own) {
    size_t next;
    const char *name = NULL;
    bool begins = is_word(at, size, "class") || is_word(at, size, "enum") || is_word(at, size, "record") ||
                  is_word(at, size, "interface");
    if (walk->depth == 0 && begins && (name = next_name(at + size, &next)) != NULL) {
        snprintf(walk->top, sizeof walk->top, "%.*s", (int)(next < 119 ? next : 119), name);
        if (walk->is_public && !walk->public[0]) {
            memcpy(walk->public, walk->top, sizeof walk->public);
        }
    }
    walk->is_public = walk->is_public || is_word(at, size, "public");
    walk->is_static = walk->is_static || is_word(at, size, "static");
    if (walk->is_static && is_word(at, size, "main") && has_bracket(at + size) &&
        (!walk->main[0] || strcmp(walk->top, own) == 0)) {
        snprintf(walk->main, sizeof walk->main, "%s", walk->top);
    }
}

/* The package a file says it is in, with a dot behind it. */
static void add_package(const char *text, char package[80]) {
    size_t size;
    package[0] = '\0';
    for (const char *at = text; (at = next_name(at, &size)) != NULL && !is_word(at, size, "class"); at += size) {
        if (is_word(at, size, "package")) {
            size_t length = 0;
            for (at += size; *at && *at != ';' && length < 78; at++) {
                package[length] = *at;
                length += is_name_byte(*at) || *at == '.';
            }
            package[length] = '.';
            package[length + (length > 0)] = '\0';
            return;
        }
    }
}

void grade_source_java(char *text, size_t length, const char *path, struct grade_source *source) {
    struct java_walk walk = {0};
    const char *slash = strrchr(path, '/');
    char own[120];
    char package[80];
    source->latin = !is_utf8(text, length);
    source->says = blank(text, length);
    snprintf(own, sizeof own, "%.*s", (int)strcspn(slash ? slash + 1 : path, "."), slash ? slash + 1 : path);
    size_t size;
    const char *from = text;
    for (const char *at = text; (at = next_name(at, &size)) != NULL; from = at += size) {
        pass_signs(&walk, from, at);
        take_java_name(&walk, at, size, own);
        source->says |= is_word(at, size, "args") || is_word(at, size, "argv") ? GRADE_SAYS_ARGUMENTS : 0;
        source->says |= grade_says_of(at, size) & GRADE_SAYS_LASER;
        if (isupper((unsigned char)*at) && !is_word(at, size, own)) {
            grade_source_add_name(&source->uses, at, size);
        }
    }
    source->runs = source->has_main = walk.main[0] != '\0';
    add_package(text, package);
    snprintf(source->class, sizeof source->class, "%s%s", package, walk.main[0] ? walk.main : own);
    memcpy(source->public, walk.public, sizeof source->public);
}

/* -- Python and the rest -- */

void grade_source_python(const char *text, size_t length, struct grade_source *source) {
    struct grade_python_facts facts = {0};
    grade_python_read(text, length, &facts);
    source->has_main = facts.has_main;
    source->runs = facts.has_main || facts.runs;
    source->says = facts.says;
    source->uses = facts.imports;
    source->python = facts.version;
    source->sign = facts.sign;
}

void grade_source_script(const char *text, size_t length, struct grade_source *source) {
    source->says = grade_says_of(text, length);
    source->runs = true;
}

void grade_source_free(struct grade_source *source) {
    text_free(&source->uses);
}
