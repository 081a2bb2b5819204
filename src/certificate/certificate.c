#include "certificate/certificate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/crc64.h"

/* Puts down the rows of the board, on the war board with the values of the squares; how many bytes. */
static size_t write_rows(char *bytes, size_t room, const struct certificate_claim *claim) {
    const char *glyphs = strcmp(claim->game, "laser") == 0 ? "0123" : ".XO#";
    size_t length = 0;
    for (int square = 0; square < claim->size * claim->size; square++) {
        char value[16] = "";
        const char *end = square % claim->size == claim->size - 1 ? "\n" : "";
        if (claim->values) {
            snprintf(value, sizeof value, "%" PRId32, claim->values[square]);
        }
        length += (size_t)snprintf(bytes + length, room - length, "%s%c%s", value, glyphs[claim->board[square]], end);
    }
    return length;
}

size_t certificate_write_head(char bytes[CERTIFICATE_MOST_HEAD], const struct certificate_claim *claim) {
    static const char *const kinds[] = {"wins", "holds", "margin"};
    const char *sides = strcmp(claim->game, "laser") == 0 ? "12" : "XO";
    ASSERT(claim->size > 0 && claim->size <= CERTIFICATE_MOST_SIZE);
    size_t length = (size_t)snprintf(bytes, CERTIFICATE_MOST_HEAD,
                                     "sortie proof 1\ngame %s %s %d\nmove %c\nclaim %c %s %" PRId32 "\n", claim->game,
                                     claim->rule, claim->size, sides[claim->to_move], sides[claim->hero],
                                     kinds[claim->kind], claim->kind == CERTIFICATE_MARGIN ? claim->margin : 0);
    return length + write_rows(bytes + length, CERTIFICATE_MOST_HEAD - length, claim);
}

size_t certificate_write_number(uint8_t bytes[CERTIFICATE_MOST_NUMBER], uint32_t number) {
    size_t length = 0;
    for (; number >= 128; number >>= 7) {
        bytes[length++] = (uint8_t)(number & 127) | 128;
    }
    bytes[length++] = (uint8_t)number;
    return length;
}

size_t certificate_write_digest(uint8_t bytes[CERTIFICATE_DIGEST_BYTES], uint64_t digest) {
    for (int i = 0; i < CERTIFICATE_DIGEST_BYTES; i++) {
        bytes[i] = (uint8_t)(digest >> (8 * i) & 255);
    }
    return CERTIFICATE_DIGEST_BYTES;
}

/* Passes over a text that must stand here. */
static bool pass(struct certificate_reader *reader, const char *text) {
    size_t length = strlen(text);
    if (reader->length - reader->at < length || memcmp(reader->bytes + reader->at, text, length) != 0) {
        return false;
    }
    reader->at += length;
    return true;
}

/* One of the sides. */
static bool pass_side(struct certificate_reader *reader, int *side) {
    *side = pass(reader, "O");
    return *side || pass(reader, "X");
}

/* The size of a board, up to the end of the line. */
static bool pass_size(struct certificate_reader *reader, int *size) {
    for (*size = 0;
         *size <= CERTIFICATE_MOST_SIZE && reader->at < reader->length && reader->bytes[reader->at] != '\n';) {
        int digit = certificate_read_byte(reader) - '0';
        if (digit < 0 || digit > 9) {
            return false;
        }
        *size = 10 * *size + digit;
    }
    return *size >= CERTIFICATE_LEAST_SIZE && *size <= CERTIFICATE_MOST_SIZE;
}

bool certificate_read_win(struct certificate_reader *reader, struct certificate_win *win) {
    if (!pass(reader, "sortie proof 1\ngame gomoku freestyle ") || !pass_size(reader, &win->size) ||
        !pass(reader, "\nmove ") || !pass_side(reader, &win->to_move) || !pass(reader, "\nclaim ") ||
        !pass_side(reader, &win->hero) || !pass(reader, " wins 0\n")) {
        reader->failed = true;
        return false;
    }
    for (int square = 0; square < win->size * win->size; square++) {
        int glyph = certificate_read_byte(reader);
        win->board[square] = glyph == 'X' ? 1 : glyph == 'O' ? 2 : 0;
        if (square % win->size == win->size - 1) {
            certificate_read_byte(reader);
        }
    }
    return !reader->failed;
}

bool certificate_read_digest(struct certificate_reader *reader, size_t begun) {
    ASSERT(begun <= reader->at);
    uint8_t wanted[CERTIFICATE_DIGEST_BYTES];
    certificate_write_digest(wanted, crc64_add(0, reader->bytes + begun, reader->at - begun));
    for (int i = 0; i < CERTIFICATE_DIGEST_BYTES && !reader->failed; i++) {
        int byte = certificate_read_byte(reader);
        reader->failed = reader->failed || byte != wanted[i];
    }
    return !reader->failed;
}
