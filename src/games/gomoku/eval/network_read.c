/* From the text of a network to its numbers. */
#include <stddef.h>

#include "games/gomoku/eval/network.h"

#define FNV_START 0xcbf29ce484222325ULL
#define FNV_PRIME 0x100000001b3ULL

#define MORE_DIGITS 60 /* a digit from here on is not the last one of its number */
#define DIGIT_SHIFT 2  /* each digit counts four times the one before it */
#define MOST_SHIFT 32

/* Takes numbers out of a text one at a time. */
struct number_reader {
    const char *at;
    uint64_t digest;
    bool broken;
};

static int digit_value(char c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

static void digest_byte(struct number_reader *reader, uint8_t byte) {
    reader->digest = (reader->digest ^ byte) * FNV_PRIME;
}

/* The next number, which must fit into so many bytes. */
static int32_t network_read_number(struct number_reader *reader, int bytes) {
    uint64_t sum = 0;
    int value = MORE_DIGITS;
    for (int shift = 0; value >= MORE_DIGITS && !reader->broken; shift += DIGIT_SHIFT) {
        value = digit_value(*reader->at);
        reader->broken = value < 0 || shift > MOST_SHIFT;
        sum += reader->broken ? 0 : (uint64_t)value << shift;
        reader->at += !reader->broken;
    }
    int64_t number = sum & 1 ? -(int64_t)(sum >> 1) - 1 : (int64_t)(sum >> 1);
    int64_t most = ((int64_t)1 << (8 * bytes - 1)) - 1;
    reader->broken = reader->broken || number > most || number < -most - 1;
    return reader->broken ? 0 : (int32_t)number;
}

static int32_t read_digested(struct number_reader *reader, int bytes) {
    int32_t number = network_read_number(reader, bytes);
    for (int i = 0; i < bytes; i++) {
        digest_byte(reader, (uint8_t)((uint32_t)number >> (8 * i)));
    }
    return number;
}

static void read_8(struct number_reader *reader, int8_t *to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        to[i] = (int8_t)read_digested(reader, 1);
    }
}

static void read_16(struct number_reader *reader, int16_t *to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        to[i] = (int16_t)read_digested(reader, 2);
    }
}

static void read_32(struct number_reader *reader, int32_t *to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        to[i] = read_digested(reader, 4);
    }
}

/* A line and its mirror image have the same row, which is stored once: the first numbers of all rows, then the second
 * ones, and so on. The digest is that of all rows. */
static void read_rows(struct number_reader *reader, struct network *network) {
    for (int i = 0; i < NET_VIEW; i++) {
        for (int a = 0; a < NET_HALVES; a++) {
            for (int b = a; b < NET_HALVES; b++) {
                int8_t number = (int8_t)network_read_number(reader, 1);
                network->rows[a * NET_HALVES + b][i] = network->rows[b * NET_HALVES + a][i] = number;
            }
        }
    }
    for (int line = 0; line < NET_LINES; line++) {
        for (int i = 0; i < NET_VIEW; i++) {
            digest_byte(reader, (uint8_t)network->rows[line][i]);
        }
    }
}

bool network_read(struct network *network, const char *text, uint64_t digest) {
    struct number_reader reader = {.at = text, .digest = FNV_START};
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
    read_16(&reader, network->even, NET_SECOND_SIZE);
    read_32(&reader, &network->even_bias, 1);
    read_16(&reader, network->policy[0], NET_SQUARE * NET_SQUARE);
    read_32(&reader, network->policy_bias, NET_SQUARE);
    read_16(&reader, network->draw[0][0], 2 * NET_AWAY * NET_AWAY);
    return !reader.broken && reader.digest == digest && *reader.at == '\0';
}
