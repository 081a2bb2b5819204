#include "formats/line.h"

#include <string.h>

#include "base/assert.h"

int line_name(const struct game *game, const struct game_position *position, const game_move *moves, int length,
              struct game_position *scratch, line_move *names, int most) {
    ASSERT(length >= 0 && most >= 0);
    ASSERT(scratch != position);
    int count = 0;
    memcpy(scratch, position, game->properties->position_size);
    while (count < length && count < most && game->legal(scratch, moves[count])) {
        struct game_undo undo;
        game->move_text(scratch, moves[count], names[count]);
        game->play(scratch, moves[count++], &undo);
    }
    return count;
}

void line_join(const line_move *names, int count, const char *between, struct text *text) {
    ASSERT(count >= 0);
    for (int i = 0; i < count; i++) {
        text_add_string(text, i ? between : "");
        text_add_string(text, names[i]);
    }
}

void line_list(const line_move *names, int count, const char *key, struct json *json) {
    ASSERT(count >= 0);
    json_open_list(json, key);
    for (int i = 0; i < count; i++) {
        json_string(json, NULL, names[i]);
    }
    json_close_list(json);
}
