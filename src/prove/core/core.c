#include "prove/core/core.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc64.h"

static const char title[] = "sortie core 1\n";
static const char certificate_title[] = "sortie proof 1\n";

/* -- reading -- */

/* The line "proof BYTES DIGEST", which must be written exactly as it would be again. */
static bool read_proof_line(struct certificate_reader *reader, struct core_head *head) {
    char line[80] = "";
    char again[80];
    size_t length = 0;
    while (length < sizeof line - 1 && !reader->failed && (length == 0 || line[length - 1] != '\n')) {
        line[length++] = (char)certificate_read_byte(reader);
    }
    if (reader->failed ||
        sscanf(line, "proof %20" SCNu64 " %16" SCNx64, &head->proof_bytes, &head->proof_digest) != 2) {
        return false;
    }
    snprintf(again, sizeof again, "proof %" PRIu64 " %016" PRIx64 "\n", head->proof_bytes, head->proof_digest);
    return strcmp(line, again) == 0;
}

/* Where a byte stands in a text of lines. */
static enum status expected_at(const char *bytes, size_t length, size_t at, const char *expected, struct error *error) {
    int line = 1;
    int column = 1;
    for (size_t i = 0; i < at && i < length; i++) {
        column = bytes[i] == '\n' ? 1 : column + 1;
        line += bytes[i] == '\n';
    }
    return error_at(error, line, column, "expected %s", expected);
}

/* The lines of a certificate's head behind another title, read by the certificate's own reader. */
static bool read_claim(const char *bytes, size_t length, struct certificate_win *win, size_t *end) {
    char head[CERTIFICATE_MOST_HEAD] = "";
    size_t room = sizeof head - strlen(certificate_title);
    size_t copied = length - strlen(title) < room ? length - strlen(title) : room;
    memcpy(head, certificate_title, strlen(certificate_title));
    memcpy(head + strlen(certificate_title), bytes + strlen(title), copied);
    struct certificate_reader reader = {.bytes = (const uint8_t *)head, .length = strlen(certificate_title) + copied};
    bool good = certificate_read_win(&reader, win);
    *end = strlen(title);
    if (reader.at > strlen(certificate_title)) {
        *end += reader.at - strlen(certificate_title);
    }
    if (good) { /* whatever differs from the lines made again is refused */
        char again[CERTIFICATE_MOST_HEAD];
        struct certificate_claim claim = {.game = "gomoku",
                                          .rule = "freestyle",
                                          .size = win->size,
                                          .to_move = win->to_move,
                                          .hero = win->hero,
                                          .kind = CERTIFICATE_WINS,
                                          .board = win->board};
        good = certificate_write_head(again, &claim) == reader.at && memcmp(again, head, reader.at) == 0;
    }
    return good;
}

enum status core_open(struct core_reader *reader, const char *bytes, size_t length, struct core_head *head,
                      struct error *error) {
    size_t at = 0;
    if (length < strlen(title) || memcmp(bytes, title, strlen(title)) != 0) {
        return error_at(error, 1, 1, "expected a core of a proof, whose first line is 'sortie core 1'");
    }
    if (!read_claim(bytes, length, &head->win, &at)) {
        return expected_at(bytes, length, at, "the claim that a side wins at freestyle Gomoku, and the board", error);
    }
    *reader = (struct core_reader){
        .bytes = {.bytes = (const uint8_t *)bytes, .length = length, .at = at},
        .squares = head->win.size * head->win.size,
    };
    if (!read_proof_line(&reader->bytes, head)) {
        return expected_at(bytes, length, at, "'proof', the bytes of the certificate and its digest", error);
    }
    if (length - reader->bytes.at < CERTIFICATE_DIGEST_BYTES) {
        return error_at(error, 0, 0, "expected moves and a digest, found the end");
    }
    struct certificate_reader end = {.bytes = reader->bytes.bytes, .length = length};
    end.at = length - CERTIFICATE_DIGEST_BYTES;
    reader->bytes.length = end.at;
    return certificate_read_digest(&end, 0) ? STATUS_OK
                                            : error_at(error, 0, 0, "damaged: the digest at the end is another one");
}

/* A count, LEB128 of at most five bytes. */
static bool read_run(struct core_reader *reader) {
    reader->run = certificate_read_number(&reader->bytes);
    return !reader->bytes.failed;
}

bool core_begin(struct core_reader *reader, bool villain_moves, bool *bare) {
    int code = villain_moves ? certificate_read_byte(&reader->bytes) - reader->squares : CORE_COVERED;
    *bare = code == CORE_BARE;
    return (code == CORE_BARE || code == CORE_COVERED) && read_run(reader);
}

bool core_next(struct core_reader *reader, bool *by_threats, struct core_move *move) {
    *by_threats = reader->run > 0;
    if (*by_threats) {
        reader->run--;
        return true;
    }
    int byte = certificate_read_byte(&reader->bytes);
    move->bare = byte == reader->squares + CORE_BARE;
    move->square = move->bare ? certificate_read_byte(&reader->bytes) : byte;
    return move->square < reader->squares && read_run(reader);
}

bool core_ends(const struct core_reader *reader) {
    return reader->run == 0 && reader->bytes.at == reader->bytes.length;
}

/* -- writing -- */

static void add_run(struct core_writer *writer) {
    uint8_t number[CERTIFICATE_MOST_NUMBER];
    size_t length = certificate_write_number(number, (uint32_t)writer->run);
    text_add(&writer->body, (const char *)number, length);
    writer->run = 0;
}

void core_write_root(struct core_writer *writer, bool bare) {
    text_add_char(&writer->body, (char)(writer->squares + (bare ? CORE_BARE : CORE_COVERED)));
}

void core_write_threats(struct core_writer *writer) {
    writer->run++;
}

void core_write_move(struct core_writer *writer, struct core_move move) {
    add_run(writer);
    writer->moves++;
    if (move.bare) {
        text_add_char(&writer->body, (char)(writer->squares + CORE_BARE));
    }
    text_add_char(&writer->body, (char)move.square);
}

void core_write(struct core_writer *writer, const struct certificate_claim *claim, uint64_t proof_bytes,
                uint64_t proof_digest, struct text *core) {
    char head[CERTIFICATE_MOST_HEAD];
    size_t begun = core->length;
    size_t length = certificate_write_head(head, claim);
    add_run(writer);
    text_add_string(core, title);
    text_add(core, head + strlen(certificate_title), length - strlen(certificate_title));
    text_addf(core, "proof %" PRIu64 " %016" PRIx64 "\n", proof_bytes, proof_digest);
    text_add(core, text_string(&writer->body), writer->body.length);
    if (!core->broken && !writer->body.broken) {
        uint8_t digest[CERTIFICATE_DIGEST_BYTES];
        certificate_write_digest(digest, crc64_add(0, (const uint8_t *)core->data + begun, core->length - begun));
        text_add(core, (const char *)digest, sizeof digest);
    }
    core->broken = core->broken || writer->body.broken;
    text_free(&writer->body);
}
