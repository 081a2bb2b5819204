#include "prove/certificate.h"

#include <inttypes.h>
#include <string.h>

#include "base/crc64.h"

static void put_bytes(struct certificate *certificate, const void *bytes, size_t length) {
    certificate->digest = crc64_add(certificate->digest, bytes, length);
    certificate->bytes += length;
    fwrite(bytes, 1, length, certificate->stream);
}

static void put_byte(struct certificate *certificate, int byte) {
    put_bytes(certificate, &(unsigned char){(unsigned char)byte}, 1);
}

static void put_rows(struct certificate *certificate, const struct certificate_claim *claim) {
    const char *glyphs = strcmp(claim->game, "laser") == 0 ? "0123" : ".XO#";
    for (int square = 0; square < certificate->squares; square++) {
        char text[24];
        int length = claim->values ? snprintf(text, sizeof text, "%" PRId32, claim->values[square]) : 0;
        put_bytes(certificate, text, (size_t)length);
        put_byte(certificate, glyphs[claim->board[square]]);
        if (square % claim->size == claim->size - 1) {
            put_byte(certificate, '\n');
        }
    }
}

void certificate_begin(struct certificate *certificate, FILE *stream, const struct certificate_claim *claim) {
    static const char *const kinds[] = {"wins", "holds", "margin"};
    const char *sides = strcmp(claim->game, "laser") == 0 ? "12" : "XO";
    char head[160];
    *certificate = (struct certificate){.stream = stream, .squares = claim->size * claim->size};
    int length = snprintf(head, sizeof head, "sortie proof 1\ngame %s %s %d\nmove %c\nclaim %c %s %" PRId32 "\n",
                          claim->game, claim->rule, claim->size, sides[claim->to_move], sides[claim->hero],
                          kinds[claim->kind], claim->kind == CERTIFICATE_MARGIN ? claim->margin : 0);
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
    put_byte(certificate, square);
}

void certificate_code(struct certificate *certificate, enum certificate_code code) {
    put_byte(certificate, certificate->squares + (int)code);
}

void certificate_cover(struct certificate *certificate, bool with_default) {
    certificate_code(certificate, CERTIFICATE_COVER);
    put_byte(certificate, with_default);
}

void certificate_replies(struct certificate *certificate, const uint16_t *squares, int count) {
    put_byte(certificate, count);
    for (int i = 0; i < count; i++) {
        put_byte(certificate, squares[i]);
    }
}

void certificate_pairing(struct certificate *certificate, const uint16_t *squares, int count) {
    certificate_code(certificate, CERTIFICATE_PAIRING);
    put_byte(certificate, count);
    for (int i = 0; i < 2 * count; i++) {
        put_byte(certificate, squares[i]);
    }
}

void certificate_refer(struct certificate *certificate, uint32_t name) {
    certificate_code(certificate, CERTIFICATE_REFER);
    for (; name >= 128; name >>= 7) {
        put_byte(certificate, (int)(name & 127) | 128);
    }
    put_byte(certificate, (int)name);
}

uint32_t certificate_named(struct certificate *certificate) {
    return certificate->names++;
}
