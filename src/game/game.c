#include "game/game.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"

int game_find_variant(const struct game *game, const char *name, size_t length) {
    ASSERT(name || length == 0);
    for (int i = 0; i < 4 && game->properties->variants[i]; i++) {
        const char *known = game->properties->variants[i];
        if (strlen(known) == length && memcmp(known, name, length) == 0) {
            return i;
        }
    }
    return -1;
}

bool game_takes_size(const struct game *game, int size) {
    const struct game_properties *properties = game->properties;
    return size >= properties->least_size && size <= properties->most_size &&
           (!game->takes_size || game->takes_size(size));
}

void game_sizes_text(const struct game *game, char text[128]) {
    int least = game->properties->least_size;
    int most = game->properties->most_size;
    if (!game->takes_size) {
        snprintf(text, 128, "%d to %d", least, most);
        return;
    }
    size_t length = 0;
    for (int size = least; size <= most && length < 100; size++) {
        if (game->takes_size(size)) {
            length += (size_t)snprintf(text + length, 128 - length, "%s%d", length ? ", " : "", size);
        }
    }
}

struct game_shape game_shape(const struct game *game, const struct game_position *position) {
    int size = game->size(position);
    return game->shape ? game->shape(position) : (struct game_shape){size, size};
}

int game_actions(const struct game *game, const struct game_position *position) {
    struct game_shape shape = game_shape(game, position);
    return game->actions ? game->actions(position) : shape.rows * shape.columns;
}

int game_action(const struct game *game, const struct game_position *position, game_move move) {
    int action = game->action ? game->action(position, move) : (int)move;
    ASSERT(action >= 0 && action < game_actions(game, position));
    return action;
}

game_move game_action_move(const struct game *game, const struct game_position *position, int action) {
    ASSERT(action >= 0 && action < game_actions(game, position));
    return game->action_move ? game->action_move(position, action) : (game_move)action;
}

void game_inks(const struct game *game, const struct game_position *position, uint8_t *inks) {
    struct game_shape shape = game_shape(game, position);
    if (game->inks) {
        game->inks(position, inks);
        return;
    }
    for (int square = 0; square < shape.rows * shape.columns; square++) {
        struct game_cell cell;
        game->cell(position, square / shape.columns, square % shape.columns, &cell);
        inks[square] = (uint8_t)cell.ink;
    }
}

void game_values(const struct game *game, const struct game_position *position, int32_t *values) {
    struct game_shape shape = game_shape(game, position);
    if (game->values) {
        game->values(position, values);
    } else {
        memset(values, 0, (size_t)(shape.rows * shape.columns) * sizeof *values);
    }
}
