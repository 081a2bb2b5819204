/* A growable text. Appending never fails for the caller: when memory runs out the text is marked broken and
 * stays empty, and whoever uses it in the end checks `broken` once. */
#ifndef SORTIE_BASE_TEXT_H
#define SORTIE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *data; /* owned; always ends in a zero byte once something was appended */
    size_t length;
    size_t capacity;
    bool broken;
};

#define TEXT_EMPTY ((struct text){0})

void text_add(struct text *text, const char *bytes, size_t length);
void text_add_string(struct text *text, const char *string);
void text_add_char(struct text *text, char c);
void text_addf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends a JSON string with its quotes. It may stand inside an HTML script element, and the bytes need not be UTF-8:
 * what is not becomes the replacement character. */
void text_add_json(struct text *text, const char *string);
void text_add_json_bytes(struct text *text, const char *bytes, size_t length);

/* Appends with <, >, & and quotes escaped, for HTML and SVG. */
void text_add_xml(struct text *text, const char *string);

/* How many bytes from here on are one character of UTF-8; 0 when they are none. `left` at least 1. */
size_t text_utf8_length(const char *bytes, size_t left);

/* Lets go of a text that was made for another; when memory ran out for it, the other is broken too. */
void text_spend(struct text *part, struct text *whole);

/* The content as a C string, never NULL. */
const char *text_string(const struct text *text);

void text_free(struct text *text);

#endif
