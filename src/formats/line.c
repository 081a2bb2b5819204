#include "formats/line.h"

#include <stdlib.h>
#include <string.h>

int line_name(const struct game *game, const struct game_position *position, const game_move *moves, int length,
              struct game_position *scratch, char (*names)[32], int most) {
    int count = 0;
    memcpy(scratch, position, game->properties->position_size);
    while (count < length && count < most && game->legal(scratch, moves[count])) {
        struct game_undo undo;
        game->move_text(scratch, moves[count], names[count]);
        game->play(scratch, moves[count++], &undo);
    }
    return count;
}

/* The names of a line in memory of their own; NULL, and the text broken, when there is none. */
static char (*name_all(const struct game *game, const struct game_position *position, const game_move *moves,
                       int length, int *count, struct text *text))[32] {
    struct game_position *scratch = malloc(game->properties->position_size);
    char(*names)[32] = malloc((size_t)(length + 1) * sizeof *names);
    if (scratch && names) {
        *count = line_name(game, position, moves, length, scratch, names, length);
    } else {
        *count = 0;
        text->broken = true;
    }
    free(scratch);
    return names;
}

void line_write(const struct game *game, const struct game_position *position, const game_move *moves, int length,
                const char *between, struct text *text) {
    int count;
    char(*names)[32] = name_all(game, position, moves, length, &count, text);
    for (int i = 0; i < count; i++) {
        text_add_string(text, i ? between : "");
        text_add_string(text, names[i]);
    }
    free(names);
}

void line_json(const struct game *game, const struct game_position *position, const game_move *moves, int length,
               struct json *json, const char *key) {
    int count;
    char(*names)[32] = name_all(game, position, moves, length, &count, json->text);
    json_open_list(json, key);
    for (int i = 0; i < count; i++) {
        json_string(json, NULL, names[i]);
    }
    json_close_list(json);
    free(names);
}
