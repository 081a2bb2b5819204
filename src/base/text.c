#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/clean.h"
#include "base/number.h"

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
    ASSERT(bytes || length == 0);
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
    ASSERT(string);
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
    int length = number_vformat(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0 && reserve(text, (size_t)length)) {
        number_vformat(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

size_t text_utf8_length(const char *bytes, size_t left) {
    ASSERT(left >= 1);
    const unsigned char *at = (const unsigned char *)bytes;
    size_t length = at[0] < 0x80                    ? 1
                    : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                    : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                    : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                    : 0;
    if (length > left) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    /* Longer forms than needed, the surrogates, and what lies beyond the last character. */
    bool wrong = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] >= 0xa0) ||
                 (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] >= 0x90);
    return wrong ? 0 : length;
}

void text_add_json_bytes(struct text *text, const char *bytes, size_t length) {
    const unsigned char *at = (const unsigned char *)bytes;
    text_add_char(text, '"');
    for (size_t i = 0; i < length;) {
        size_t character = text_utf8_length(bytes + i, length - i);
        unsigned char c = at[i];
        if (character == 0) {
            text_add_string(text, "\\ufffd");
        } else if (c == '"' || c == '\\') {
            text_addf(text, "\\%c", c);
        } else if (c == '<' || (character < 4 && clean_is_hidden(clean_decode(bytes + i, character)))) {
            text_addf(text, "\\u%04x", (unsigned)clean_decode(bytes + i, character));
        } else {
            text_add(text, bytes + i, character);
        }
        i += character ? character : 1;
    }
    text_add_char(text, '"');
}

void text_add_json(struct text *text, const char *string) {
    ASSERT(string);
    text_add_json_bytes(text, string, strlen(string));
}

void text_add_xml(struct text *text, const char *string) {
    ASSERT(string);
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

void text_spend(struct text *part, struct text *whole) {
    bool broken = part->broken;
    text_free(part);
    if (broken) {
        text_free(whole);
        whole->broken = true;
    }
}
