#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct text *text, size_t more) {
    if (text->broken) {
        return false;
    }
    if (text->capacity - text->length > more) {
        return true;
    }
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity - text->length <= more) {
        capacity *= 2;
    }
    char *data = realloc(text->data, capacity);
    if (!data) {
        text_free(text);
        text->broken = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void text_add(struct text *text, const char *bytes, size_t length) {
    if (!reserve(text, length)) {
        return;
    }
    if (length) {
        memcpy(text->data + text->length, bytes, length);
    }
    text->length += length;
    text->data[text->length] = '\0';
}

void text_add_string(struct text *text, const char *string) {
    text_add(text, string, strlen(string));
}

void text_add_char(struct text *text, char c) {
    text_add(text, &c, 1);
}

void text_addf(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0 && reserve(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void text_add_json(struct text *text, const char *string) {
    text_add_char(text, '"');
    for (const char *p = string; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\') {
            text_add_char(text, '\\');
            text_add_char(text, (char)c);
        } else if (c < 0x20) {
            text_addf(text, "\\u%04x", c);
        } else {
            text_add_char(text, (char)c);
        }
    }
    text_add_char(text, '"');
}

void text_add_xml(struct text *text, const char *string) {
    for (const char *p = string; *p; p++) {
        switch (*p) {
        case '<':
            text_add_string(text, "&lt;");
            break;
        case '>':
            text_add_string(text, "&gt;");
            break;
        case '&':
            text_add_string(text, "&amp;");
            break;
        case '"':
            text_add_string(text, "&quot;");
            break;
        default:
            text_add_char(text, *p);
        }
    }
}

const char *text_string(const struct text *text) {
    return text->data ? text->data : "";
}

void text_free(struct text *text) {
    free(text->data);
    *text = TEXT_EMPTY;
}
