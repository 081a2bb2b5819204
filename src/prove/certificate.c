#include "prove/certificate.h"

#include <inttypes.h>
#include <string.h>

#define LEAST_WIDE_BOARD 241 /* squares from which on a value takes two bytes */

/* CRC-64 as xz has it, a bit at a time: writing is not what takes the time. */
static uint64_t digest_add(uint64_t digest, const unsigned char *bytes, size_t length) {
    digest = ~digest;
    for (size_t i = 0; i < length; i++) {
        digest ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            digest = digest >> 1 ^ (digest & 1 ? 0xC96C5795D7870F42 : 0);
        }
    }
    return ~digest;
}

static void put_bytes(struct certificate *certificate, const void *bytes, size_t length) {
    certificate->digest = digest_add(certificate->digest, bytes, length);
    certificate->bytes += length;
    fwrite(bytes, 1, length, certificate->stream);
}

static void put_byte(struct certificate *certificate, int byte) {
    put_bytes(certificate, &(unsigned char){(unsigned char)byte}, 1);
}

static void put_value(struct certificate *certificate, int value) {
    put_byte(certificate, value & 255);
    if (certificate->squares >= LEAST_WIDE_BOARD) {
        put_byte(certificate, value >> 8);
    }
}

static void put_count(struct certificate *certificate, uint32_t count) {
    for (; count >= 128; count >>= 7) {
        put_byte(certificate, (int)(count & 127) | 128);
    }
    put_byte(certificate, (int)count);
}

static void put_rows(struct certificate *certificate, const struct certificate_claim *claim) {
    const char *glyphs = strcmp(claim->game, "laser") == 0 ? "0123" : ".XO#";
    for (int square = 0; claim->values && square < certificate->squares; square++) {
        char value[24];
        int length = snprintf(value, sizeof value, "%" PRId32 "%c", claim->values[square],
                              square % claim->size == claim->size - 1 ? '\n' : ' ');
        put_bytes(certificate, value, (size_t)length);
    }
    for (int square = 0; square < certificate->squares; square++) {
        put_byte(certificate, glyphs[claim->board[square]]);
        if (square % claim->size == claim->size - 1) {
            put_byte(certificate, '\n');
        }
    }
}

void certificate_begin(struct certificate *certificate, FILE *stream, const struct certificate_claim *claim) {
    const char *sides = strcmp(claim->game, "laser") == 0 ? "12" : "XO";
    char what[24] = "wins";
    char head[160];
    *certificate = (struct certificate){.stream = stream, .squares = claim->size * claim->size};
    if (claim->kind == CERTIFICATE_HOLDS) {
        snprintf(what, sizeof what, "holds");
    } else if (claim->kind == CERTIFICATE_MARGIN) {
        snprintf(what, sizeof what, "margin %" PRId32, claim->margin);
    }
    int length = snprintf(head, sizeof head, "sortie proof 1\ngame %s %s %d\nmove %c\nclaim %c %s\n", claim->game,
                          claim->rule, claim->size, sides[claim->to_move], sides[claim->hero], what);
    put_bytes(certificate, head, (size_t)length);
    put_rows(certificate, claim);
}

void certificate_end(struct certificate *certificate) {
    uint64_t digest = certificate->digest;
    for (int i = 0; i < 8; i++) {
        put_byte(certificate, (int)(digest >> 8 * i & 255));
    }
}

void certificate_move(struct certificate *certificate, int square) {
    certificate->moves++;
    put_value(certificate, square);
}

void certificate_code(struct certificate *certificate, enum certificate_code code) {
    put_value(certificate, certificate->squares + (int)code);
}

void certificate_cover(struct certificate *certificate, int defaults) {
    certificate_code(certificate, CERTIFICATE_COVER);
    put_count(certificate, (uint32_t)defaults);
}

void certificate_replies(struct certificate *certificate, const uint16_t *squares, int count) {
    put_count(certificate, (uint32_t)count);
    for (int i = 0; i < count; i++) {
        put_value(certificate, squares[i]);
    }
}

void certificate_pairing(struct certificate *certificate, const uint16_t *squares, int count) {
    certificate_code(certificate, CERTIFICATE_PAIRING);
    put_count(certificate, (uint32_t)count);
    for (int i = 0; i < 2 * count; i++) {
        put_value(certificate, squares[i]);
    }
}

void certificate_refer(struct certificate *certificate, uint32_t name) {
    certificate_code(certificate, CERTIFICATE_REFER);
    put_count(certificate, name);
}

uint32_t certificate_named(struct certificate *certificate) {
    return certificate->names++;
}
