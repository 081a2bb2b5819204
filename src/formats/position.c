#include "formats/position.h"

#include <string.h>

#include "game/registry.h"

const struct game *position_game(const char *bytes, size_t length) {
    struct reader reader;
    reader_init(&reader, bytes, length);
    reader_next_line(&reader);
    const char *word;
    size_t word_length = reader_word(&reader, &word);
    return game_find(word, word_length);
}

static bool position_sniff(const char *bytes, size_t length) {
    return position_game(bytes, length) != NULL;
}

static enum status position_parse(const char *bytes, size_t length, struct course_request *request,
                                  struct error *error) {
    struct reader reader;
    reader_init(&reader, bytes, length);
    enum status status = request->game->read(request->position, &reader, error);
    request->players[0].method = SEARCH_ENGINE;
    request->players[0].wall_seconds = 10;
    if (status == STATUS_OK) {
        request->players[0].side = request->game->to_move(request->position);
    }
    return status;
}

/* The move in the game's notation on the first line, then the position after it. */
void position_answer(const struct game *game, const struct game_position *before, game_move move,
                     const struct game_position *after, struct text *text) {
    char move_text[32];
    game->move_text(before, move, move_text);
    text_addf(text, "%s\n", move_text);
    game->write(after, text);
}

static const char *line_after(const char *at, const char *end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    return stop ? stop + 1 : end;
}

const char *position_end(const struct game *game, const char *bytes, const char *end) {
    const char *name = game->properties->name;
    size_t length = strlen(name);
    const char *stop = line_after(bytes, end);
    while (stop < end && !((size_t)(end - stop) > length && memcmp(stop, name, length) == 0)) {
        stop = line_after(stop, end);
    }
    return stop;
}

const struct course_format position_format = {
    .name = "position",
    .title = "position in sortie's own text",
    .variant = -1,
    .answer_file = "output.txt",
    .sniff = position_sniff,
    .parse = position_parse,
    .answer = position_answer,
};
