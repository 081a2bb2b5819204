#include "protocols/lines/lines_words.h"

#include <string.h>

#define MOST_MOVE 31

void lines_add_move(struct text *text, const char *move) {
    text_add_char(text, ' ');
    for (; *move; move++) {
        text_add_char(text, *move == ' ' ? '_' : *move);
    }
}

bool lines_read_move(const char *word, size_t length, char move[32]) {
    if (length > MOST_MOVE || memchr(word, '\0', length)) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        move[i] = word[i] == '_' ? ' ' : word[i];
    }
    move[length] = '\0';
    return true;
}

void lines_add_position(struct text *text, const char *position) {
    for (; *position && strcmp(position, "\n") != 0; position++) {
        text_add_char(text, *position == '\n' ? '/' : *position);
    }
}

void lines_read_position(const char *bytes, size_t length, struct text *text) {
    for (size_t i = 0; i < length; i++) {
        text_add_char(text, bytes[i] == '/' ? '\n' : bytes[i]);
    }
    text_add_char(text, '\n');
}

bool lines_is(const char *word, size_t length, const char *name) {
    return length == strlen(name) && memcmp(word, name, length) == 0;
}
