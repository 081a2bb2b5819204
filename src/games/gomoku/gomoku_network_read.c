/* From the text of a network to its numbers. */
#include <string.h>

#include "games/gomoku/gomoku_network.h"

#define FNV_START 0xcbf29ce484222325ULL
#define FNV_PRIME 0x100000001b3ULL

/* Takes bytes out of a text in base 64 one at a time. */
struct byte_reader {
    const char *at;
    uint32_t bits;
    int count; /* of bits that wait */
    uint64_t digest;
    bool broken;
};

/* The page's module holds the bytes themselves, and of each two rows of a line and its mirror image, which are equal,
 * only one: a packed page with the text in it would be half as large again. */
#ifdef GOMOKU_NETWORK_RAW
static uint8_t read_byte(struct byte_reader *reader) {
    uint8_t byte = (uint8_t)*reader->at++;
    reader->digest = (reader->digest ^ byte) * FNV_PRIME;
    return byte;
}
#else
static int digit_value(char c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

static uint8_t read_byte(struct byte_reader *reader) {
    while (reader->count < 8) {
        int value = digit_value(*reader->at);
        if (value < 0) {
            reader->broken = true;
            return 0;
        }
        reader->at++;
        reader->bits = reader->bits << 6 | (uint32_t)value;
        reader->count += 6;
    }
    reader->count -= 8;
    uint8_t byte = (uint8_t)(reader->bits >> reader->count);
    reader->digest = (reader->digest ^ byte) * FNV_PRIME;
    return byte;
}
#endif

static void read_8(struct byte_reader *reader, int8_t *to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        to[i] = (int8_t)read_byte(reader);
    }
}

static void read_16(struct byte_reader *reader, int16_t *to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned low = read_byte(reader);
        to[i] = (int16_t)(low | (unsigned)read_byte(reader) << 8);
    }
}

static void read_32(struct byte_reader *reader, int32_t *to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t value = 0;
        for (int byte = 0; byte < 4; byte++) {
            value |= (uint32_t)read_byte(reader) << (8 * byte);
        }
        to[i] = (int32_t)value;
    }
}

static void read_rows(struct byte_reader *reader, struct network *network) {
#ifdef GOMOKU_NETWORK_RAW
    for (int a = 0; a < NET_HALVES; a++) {
        for (int b = a; b < NET_HALVES; b++, reader->at += NET_VIEW) {
            memcpy(network->rows[a * NET_HALVES + b], reader->at, NET_VIEW);
            memcpy(network->rows[b * NET_HALVES + a], reader->at, NET_VIEW);
        }
    }
    const uint8_t *bytes = (const uint8_t *)network->rows; /* the digest is that of all rows */
    for (size_t i = 0; i < sizeof network->rows; i++) {
        reader->digest = (reader->digest ^ bytes[i]) * FNV_PRIME;
    }
#else
    read_8(reader, network->rows[0], sizeof network->rows);
#endif
}

bool network_read(struct network *network, const char *text, uint64_t digest) {
    struct byte_reader reader = {.at = text, .digest = FNV_START};
    read_rows(&reader, network);
    read_8(&reader, network->conv[0], sizeof network->conv);
    read_16(&reader, network->conv_bias, NET_CONV);
    read_16(&reader, network->region[0], NET_REGION_OUT * NET_SQUARE);
    read_32(&reader, network->region_bias, NET_REGION_OUT);
    read_16(&reader, network->hidden[0], NET_HIDDEN_SIZE * NET_INPUTS);
    read_32(&reader, network->hidden_bias, NET_HIDDEN_SIZE);
    read_16(&reader, network->second[0], NET_SECOND_SIZE * NET_HIDDEN_SIZE);
    read_32(&reader, network->second_bias, NET_SECOND_SIZE);
    read_16(&reader, network->out, NET_SECOND_SIZE);
    read_32(&reader, &network->out_bias, 1);
    read_16(&reader, network->policy[0], NET_SQUARE * NET_SQUARE);
    read_32(&reader, network->policy_bias, NET_SQUARE);
    read_16(&reader, network->draw[0][0], 2 * NET_AWAY * NET_AWAY);
#ifdef GOMOKU_NETWORK_RAW
    return reader.digest == digest;
#else
    return !reader.broken && reader.digest == digest && strspn(reader.at, "=") == strlen(reader.at);
#endif
}
