#include "prove/certificate.h"

#include "base/crc64.h"

static void put_bytes(struct certificate *certificate, const void *bytes, size_t length) {
    certificate->digest = crc64_add(certificate->digest, bytes, length);
    certificate->bytes += length;
    fwrite(bytes, 1, length, certificate->stream);
}

static void put_byte(struct certificate *certificate, int byte) {
    put_bytes(certificate, &(unsigned char){(unsigned char)byte}, 1);
}

void certificate_begin(struct certificate *certificate, FILE *stream, const struct certificate_claim *claim) {
    char head[CERTIFICATE_MOST_HEAD];
    *certificate = (struct certificate){.stream = stream, .squares = claim->size * claim->size};
    size_t length = certificate_write_head(head, claim);
    put_bytes(certificate, head, length);
}

void certificate_end(struct certificate *certificate) {
    uint8_t digest[CERTIFICATE_DIGEST_BYTES];
    size_t length = certificate_write_digest(digest, certificate->digest);
    put_bytes(certificate, digest, length);
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
    uint8_t number[CERTIFICATE_MOST_NUMBER];
    size_t length = certificate_write_number(number, name);
    put_bytes(certificate, number, length);
}

uint32_t certificate_named(struct certificate *certificate) {
    return certificate->names++;
}
