#include "prove/certificate.h"

#include "base/crc64.h"

/* Hands on what is waiting. */
static void flush(struct certificate *certificate) {
    certificate->digest = crc64_add(certificate->digest, certificate->waiting, certificate->waiting_bytes);
    if (certificate->stream) {
        fwrite(certificate->waiting, 1, certificate->waiting_bytes, certificate->stream);
    }
    certificate->waiting_bytes = 0;
}

static void put_byte(struct certificate *certificate, int byte) {
    if (certificate->waiting_bytes == sizeof certificate->waiting) {
        flush(certificate);
    }
    certificate->waiting[certificate->waiting_bytes++] = (unsigned char)byte;
    certificate->bytes++;
}

static void put_bytes(struct certificate *certificate, const void *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        put_byte(certificate, ((const unsigned char *)bytes)[i]);
    }
}

void certificate_begin(struct certificate *certificate, FILE *stream, const struct certificate_claim *claim) {
    char head[CERTIFICATE_MOST_HEAD];
    *certificate = (struct certificate){.stream = stream, .squares = claim->size * claim->size};
    size_t length = certificate_write_head(head, claim);
    put_bytes(certificate, head, length);
}

void certificate_end(struct certificate *certificate) {
    uint8_t digest[CERTIFICATE_DIGEST_BYTES];
    flush(certificate);
    uint64_t whole = certificate->digest;
    put_bytes(certificate, digest, certificate_write_digest(digest, whole));
    flush(certificate);
    certificate->digest = whole;
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
