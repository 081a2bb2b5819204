/* Feeds arbitrary bytes to the course file parser and to the position text; what is accepted must survive a
 * round trip and offer legal moves only. */
#include <stdlib.h>
#include <string.h>

#include "formats/course.h"
#include "games/laser/rules/laser.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_position(const struct laser_position *position) {
    const struct game_position *generic = (const struct game_position *)position;
    struct text text = TEXT_EMPTY;
    laser_game.write(generic, &text);
    struct laser_position again;
    struct reader reader;
    reader_init(&reader, text_string(&text), text.length);
    if (!text.broken && (laser_game.read((struct game_position *)&again, &reader, NULL) != STATUS_OK ||
                         memcmp(&again, position, sizeof again) != 0)) {
        abort();
    }
    text_free(&text);
    game_move moves[LASER_MOST_SQUARES];
    int count = laser_game.moves(generic, moves);
    for (int i = 0; i < count; i++) {
        if (!laser_game.legal(generic, moves[i])) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *bytes = (const char *)data;
    struct laser_position position;
    struct error error;
    struct course_request request;
    if (course_parse_any(bytes, size, "laser", &request, &error) == STATUS_OK) {
        check_position((const struct laser_position *)request.position);
        course_request_free(&request);
    }
    struct reader reader;
    reader_init(&reader, bytes, size);
    if (laser_game.read((struct game_position *)&position, &reader, &error) == STATUS_OK) {
        check_position(&position);
        game_move move;
        laser_game.parse_move((const struct game_position *)&position, bytes, size, &move, &error);
    }
    return 0;
}
