#include "base/clean.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Characters that are not shown as they are: controls, direction, invisible ones, line ends that are none of ours. */
static const struct {
    uint32_t first;
    uint32_t last;
} hidden[] = {
    {0x0000, 0x001f},                                     /* C0 */
    {0x007f, 0x009f},                                     /* DEL, C1 */
    {0x00ad, 0x00ad},                                     /* the soft hyphen */
    {0x034f, 0x034f}, {0x061c, 0x061c},                   /* a mark of direction */
    {0x115f, 0x1160},                                     /* fillers without ink */
    {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200f}, /* no width; marks of direction */
    {0x2028, 0x202e}, /* line and paragraph ends; embeddings and overrides of direction */
    {0x2060, 0x206f}, /* no width; isolates of direction */
    {0x3164, 0x3164}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

bool clean_is_hidden(uint32_t character) {
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden && character >= hidden[i].first; i++) {
        if (character <= hidden[i].last) {
            return true;
        }
    }
    return false;
}

uint32_t clean_decode(const char *bytes, size_t length) {
    const unsigned char *at = (const unsigned char *)bytes;
    uint32_t character = length == 1 ? at[0] : at[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        character = character << 6 | (at[i] & 0x3f);
    }
    return character;
}

/* How one character is shown: itself, or its number. The bytes it takes; *shown has at most 10 characters. */
static size_t take(const char *bytes, size_t left, bool lines, char shown[16]) {
    size_t length = text_utf8_length(bytes, left);
    if (length == 0) {
        snprintf(shown, 16, "\\x%02x", (unsigned char)*bytes);
        return 1;
    }
    uint32_t character = clean_decode(bytes, length);
    const char *letter = character == '\n' ? "\\n" : character == '\r' ? "\\r" : character == '\t' ? "\\t" : NULL;
    bool kept = lines && (character == '\n' || character == '\t');
    if (kept || !clean_is_hidden(character)) {
        memcpy(shown, bytes, length);
        shown[length] = '\0';
    } else if (letter) {
        snprintf(shown, 16, "%s", letter);
    } else {
        snprintf(shown, 16,
                 character < 0x80      ? "\\x%02x"
                 : character < 0x10000 ? "\\u%04x"
                                       : "\\U%08x",
                 (unsigned)character);
    }
    return length;
}

/* How many characters stand in a column for what `take` gave. */
static int width_of(const char *shown) {
    return (unsigned char)shown[0] >= 0x80 ? 1 : (int)strlen(shown);
}

/* Adds at most `most` characters; the number that was added. */
static int add(struct text *out, const char *bytes, size_t length, bool lines, int most) {
    int width = 0;
    while (length > 0) {
        char shown[16];
        size_t taken = take(bytes, length, lines, shown);
        /* The last place is for the ellipsis, unless this ends it. */
        bool fits = width + width_of(shown) < most || (taken == length && width + width_of(shown) <= most);
        if (!fits) {
            text_add_string(out, "…");
            return width + 1;
        }
        text_add_string(out, shown);
        width += width_of(shown);
        bytes += taken;
        length -= taken;
    }
    return width;
}

void clean_add(struct text *out, const char *string) {
    add(out, string, strlen(string), false, CLEAN_MOST);
}

void clean_add_whole(struct text *out, const char *string) {
    add(out, string, strlen(string), false, INT_MAX);
}

void clean_add_column(struct text *out, const char *string, int width, int most) {
    int shown = add(out, string, strlen(string), false, most);
    text_addf(out, "%*s", shown < width ? width - shown : 0, "");
}

int clean_width(const char *string) {
    int width = 0;
    for (size_t left = strlen(string); left > 0 && width < CLEAN_MOST;) {
        char shown[16];
        size_t taken = take(string, left, false, shown);
        width += width_of(shown);
        string += taken;
        left -= taken;
    }
    return width < CLEAN_MOST ? width : CLEAN_MOST;
}

/* Messages are as long as whoever keeps them allows; the cut is against what nobody limited. */
#define MOST_IN_LINES (1 << 20)

void clean_add_lines(struct text *out, const char *bytes, size_t length) {
    add(out, bytes, length, true, MOST_IN_LINES);
}

const char *clean_string(struct clean_line *line, const char *string) {
    static const char ellipsis[] = "…";
    size_t filled = 0;
    for (size_t left = strlen(string); left > 0;) {
        char shown[16];
        size_t taken = take(string, left, false, shown);
        if (filled + strlen(shown) + sizeof ellipsis > sizeof line->text) {
            memcpy(line->text + filled, ellipsis, sizeof ellipsis - 1);
            filled += sizeof ellipsis - 1;
            break;
        }
        memcpy(line->text + filled, shown, strlen(shown));
        filled += strlen(shown);
        string += taken;
        left -= taken;
    }
    line->text[filled] = '\0';
    return line->text;
}

/* -- formats -- */

/* Spreadsheets calculate what begins so, some of them behind blanks too. */
static bool looks_like_formula(const char *bytes, size_t length) {
    size_t at = 0;
    while (at < length && bytes[at] == ' ') {
        at++;
    }
    return at < length && bytes[at] != '\0' && strchr("=+-@\t\r\n", bytes[at]);
}

static void add_csv(struct text *out, const char *bytes, size_t length, bool lines) {
    struct text clean = TEXT_EMPTY;
    if (looks_like_formula(bytes, length)) {
        text_add_char(&clean, '\'');
    }
    add(&clean, bytes, length, lines, lines ? MOST_IN_LINES : CLEAN_MOST);
    const char *at = text_string(&clean);
    bool quoted = strpbrk(at, ",;\"\n\t") != NULL;
    text_add_string(out, quoted ? "\"" : "");
    for (; *at; at++) {
        text_add_string(out, *at == '"' ? "\"" : "");
        text_add_char(out, *at);
    }
    text_add_string(out, quoted ? "\"" : "");
    text_spend(&clean, out);
}

void clean_add_csv(struct text *out, const char *string) {
    add_csv(out, string, strlen(string), false);
}

void clean_add_csv_lines(struct text *out, const char *bytes, size_t length) {
    add_csv(out, bytes, length, true);
}

void clean_add_xml(struct text *out, const char *string) {
    struct text clean = TEXT_EMPTY;
    clean_add(&clean, string);
    text_add_xml(out, text_string(&clean));
    text_spend(&clean, out);
}

void clean_add_xml_lines(struct text *out, const char *bytes, size_t length) {
    struct text clean = TEXT_EMPTY;
    clean_add_lines(&clean, bytes, length);
    text_add_xml(out, text_string(&clean));
    text_spend(&clean, out);
}

void clean_add_json(struct text *out, const char *string) {
    struct text clean = TEXT_EMPTY;
    clean_add(&clean, string);
    text_add_json_bytes(out, text_string(&clean), clean.length);
    text_spend(&clean, out);
}

void clean_add_json_lines(struct text *out, const char *bytes, size_t length) {
    struct text clean = TEXT_EMPTY;
    clean_add_lines(&clean, bytes, length);
    text_add_json_bytes(out, text_string(&clean), clean.length);
    text_spend(&clean, out);
}
