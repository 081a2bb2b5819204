#include "crew/wire.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"

#define NUMBER_BYTES 8

static void add_bits(struct text *out, uint64_t bits) {
    char bytes[NUMBER_BYTES];
    for (int i = 0; i < NUMBER_BYTES; i++) {
        bytes[i] = (char)(bits >> (8 * i) & 255);
    }
    text_add(out, bytes, sizeof bytes);
}

void wire_add_number(struct text *out, int64_t number) {
    add_bits(out, (uint64_t)number);
}

void wire_add_flag(struct text *out, bool flag) {
    text_add_char(out, flag ? 1 : 0);
}

void wire_add_double(struct text *out, double number) {
    uint64_t bits;
    static_assert(sizeof bits == sizeof number, "a double has the size of a number");
    memcpy(&bits, &number, sizeof bits);
    add_bits(out, bits);
}

void wire_add_bytes(struct text *out, const char *bytes, size_t length) {
    add_bits(out, length);
    text_add(out, bytes, length);
}

void wire_add_string(struct text *out, const char *string) {
    wire_add_bytes(out, string, strlen(string));
}

void wire_add_text(struct text *out, const struct text *text) {
    wire_add_bytes(out, text_string(text), text->length);
    out->broken = out->broken || text->broken;
}

void wire_init(struct wire *wire, const char *bytes, size_t length) {
    ASSERT(bytes || length == 0);
    *wire = (struct wire){.at = bytes, .left = length};
}

/* The next bytes; NULL when there are not so many. */
static const char *take(struct wire *wire, uint64_t length) {
    if (wire->failed || wire->left < length) {
        wire->failed = true;
        return NULL;
    }
    const char *bytes = wire->at;
    wire->at += length;
    wire->left -= (size_t)length;
    return bytes;
}

static uint64_t take_bits(struct wire *wire) {
    const char *bytes = take(wire, NUMBER_BYTES);
    uint64_t bits = 0;
    for (int i = 0; i < NUMBER_BYTES && bytes; i++) {
        bits |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
    }
    return bits;
}

int64_t wire_number(struct wire *wire, int64_t least, int64_t most) {
    ASSERT(least <= most);
    int64_t number = (int64_t)take_bits(wire);
    wire->failed = wire->failed || number < least || number > most;
    return wire->failed ? least : number;
}

bool wire_flag(struct wire *wire) {
    const char *byte = take(wire, 1);
    wire->failed = wire->failed || (*byte != 0 && *byte != 1);
    return !wire->failed && *byte == 1;
}

double wire_double(struct wire *wire) {
    uint64_t bits = take_bits(wire);
    double number;
    memcpy(&number, &bits, sizeof number);
    wire->failed = wire->failed || !isfinite(number);
    return wire->failed ? 0 : number;
}

const char *wire_bytes(struct wire *wire, size_t most, size_t *length) {
    uint64_t wanted = take_bits(wire);
    wire->failed = wire->failed || wanted > most;
    const char *bytes = take(wire, wanted);
    *length = bytes ? (size_t)wanted : 0;
    return bytes;
}

void wire_string(struct wire *wire, char *string, size_t size) {
    ASSERT(size > 0);
    size_t length;
    const char *bytes = wire_bytes(wire, size - 1, &length);
    if (bytes && memchr(bytes, '\0', length)) {
        wire->failed = true;
        length = 0;
    }
    if (length > 0) {
        memcpy(string, bytes, length);
    }
    string[length] = '\0';
}

void wire_text(struct wire *wire, struct text *text, size_t most) {
    size_t length;
    const char *bytes = wire_bytes(wire, most, &length);
    if (bytes) {
        text_add(text, bytes, length);
        wire->failed = text->broken;
    }
}

bool wire_end(const struct wire *wire) {
    return !wire->failed && wire->left == 0;
}
