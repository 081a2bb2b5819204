#include "formats/laser.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "formats/course_answer.h"
#include "games/laser/rules/laser.h"

#define MOST_SHAPE 39 /* bytes of a line that can be a move */

/* A number in the first line and another in the second; the number alone belongs to another format. */
static bool laser_sniff(const char *bytes, size_t length) {
    struct reader reader;
    reader_init(&reader, bytes, length);
    return reader_next_line(&reader) && reader_sees_number(&reader) && reader_next_line(&reader) &&
           reader_sees_number(&reader);
}

static enum status laser_parse(const char *bytes, size_t length, struct course_request *request, struct error *error) {
    struct laser_position *position = (struct laser_position *)request->position;
    struct reader reader;
    reader_init(&reader, bytes, length);
    enum status status = reader_need_line(&reader, "the board size, 1 to 32", error);
    int64_t size;
    if (status == STATUS_OK) {
        status = reader_integer(&reader, 1, LASER_MOST_SIZE, "the board size, 1 to 32", &size, error);
    }
    if (status == STATUS_OK) {
        status = reader_need_line_end(&reader, "the end of the line after the board size", error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    laser_clear(position, (int)size);
    status = laser_read_rows(position, &reader, error);
    if (status == STATUS_OK) {
        status = reader_need_end(&reader, error);
    }
    if (status == STATUS_OK && laser_count_lit_emitters(position) > 0) {
        snprintf(request->warning, sizeof request->warning,
                 "emitters stand in each other's beams, which legal play never gives; their beams pass each other");
    }
    request->players[0] = (struct course_player){.side = 0, .method = SEARCH_ENGINE, .wall_seconds = 10};
    return status;
}

static void laser_answer(const struct game *game, const struct game_position *before, game_move move,
                         const struct game_position *after, struct text *text) {
    (void)after;
    char answer[32];
    game->move_text(before, move, answer);
    text_addf(text, "%s\n", answer);
}

/* The side to move is 1 in the file, whichever side it is. */
static void laser_ask(const struct game_position *position, const struct course_question *question, struct text *text) {
    (void)question;
    struct laser_position seen = *(const struct laser_position *)position;
    if (seen.to_move == 1) {
        uint64_t own[LASER_WORDS];
        memcpy(own, seen.emitters[1], sizeof own);
        memcpy(seen.emitters[1], seen.emitters[0], sizeof own);
        memcpy(seen.emitters[0], own, sizeof own);
    }
    text_addf(text, "%d\n", seen.size);
    laser_write_rows(&seen, text);
}

/* Two numbers and nothing else. */
static bool laser_has_shape(const char *bytes, size_t length, int size) {
    (void)size;
    struct course_line first;
    const char *end = course_trim(bytes, length);
    if (!course_next_line(&bytes, end, &first) || bytes < end || first.length > MOST_SHAPE) {
        return false;
    }
    const char *stop = first.at + first.length;
    const char *row = number_skip_integer(first.at, stop);
    return row && number_skip_integer(row, stop) == stop;
}

const struct course_format laser_format = {
    .name = "laser",
    .title = "Laser Checkmate course file",
    .game = &laser_game,
    .variant = -1,
    .answer_file = "output.txt",
    .sniff = laser_sniff,
    .parse = laser_parse,
    .answer = laser_answer,
    .ask = laser_ask,
    .has_shape = laser_has_shape,
    .clock = {.per_move = 60},
};
