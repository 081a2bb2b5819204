/* Reads the course file of Laser Checkmate and writes its answer. */
#include "formats/laser.h"

bool laser_file_detect(const char *bytes, size_t length) {
    struct reader reader;
    reader_init(&reader, bytes, length);
    int64_t size;
    const char *row;
    if (!reader_next_line(&reader) || reader_integer(&reader, INT64_MIN, INT64_MAX, "N", &size, NULL) != STATUS_OK ||
        reader_skip_blanks(&reader) || !reader_next_line(&reader)) {
        return false;
    }
    size_t digits = reader_word(&reader, &row);
    for (size_t i = 0; i < digits; i++) {
        if (row[i] < '0' || row[i] > '3') {
            return false;
        }
    }
    return digits > 0 && !reader_skip_blanks(&reader);
}

enum status laser_file_parse(const char *bytes, size_t length, struct laser_position *out, struct error *error) {
    struct reader reader;
    reader_init(&reader, bytes, length);
    enum status status = reader_need_line(&reader, "N, the board size", error);
    int64_t size;
    if (status == STATUS_OK) {
        status =
            reader_integer(&reader, 1, LASER_MOST_SIZE, "N, the board size, a whole number of 1 to 32", &size, error);
    }
    if (status == STATUS_OK) {
        status = reader_need_line_end(&reader, "the end of the line after the board size", error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    laser_clear(out, (int)size);
    status = laser_read_rows(out, &reader, error);
    if (status == STATUS_OK) {
        status = reader_need_end(&reader, error);
    }
    if (status == STATUS_OK && laser_game.over((const struct game_position *)out)) {
        return error_at(error, 0, 0, "expected a board with a free square: no move is left, the game is over");
    }
    return status;
}

const char *laser_file_warning(const struct laser_position *position) {
    return laser_count_lit_emitters(position) > 0
               ? "emitters stand in each other's beams, which legal play never gives; a beam passes an emitter"
               : NULL;
}

void laser_file_write_answer(const struct laser_position *position, game_move move, struct text *text) {
    char answer[32];
    laser_game.move_text((const struct game_position *)position, move, answer);
    text_add_string(text, answer);
    text_add_char(text, '\n');
}
