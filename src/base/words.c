#include "base/words.h"

#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* Appends one word from `line` on; where it ends, or NULL when a quote in it is not closed. */
static const char *take_word(const char *line, struct text *words) {
    char quote = 0;
    for (; *line && (quote || !is_blank(*line)); line++) {
        if (quote ? *line == quote : (*line == '\'' || *line == '"')) {
            quote = quote ? 0 : *line;
            continue;
        }
        if (*line == '\\' && quote != '\'' && line[1]) {
            line++;
        }
        text_add_char(words, *line);
    }
    return quote ? NULL : line;
}

enum status words_split(const char *line, struct text *words, int *count, struct error *error) {
    for (*count = 0;; ++*count) {
        line += strspn(line, " \t");
        if (!*line) {
            break;
        }
        size_t before = words->length;
        line = take_word(line, words);
        if (!line) {
            return error_at(error, 0, 0, "a quote in the command is not closed");
        }
        if (words->length == before) {
            return error_at(error, 0, 0, "the command has an empty word");
        }
        text_add_char(words, '\0');
    }
    return words->broken ? error_machine(error, "out of memory") : STATUS_OK;
}
