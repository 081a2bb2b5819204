#include "formats/laser.h"

#include <stdio.h>

#include "games/laser/laser.h"

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

const struct course_format laser_format = {
    .name = "laser",
    .title = "Laser Checkmate course file",
    .game = &laser_game,
    .answer_file = "output.txt",
    .sniff = laser_sniff,
    .parse = laser_parse,
    .answer = laser_answer,
};
