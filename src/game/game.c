#include "game/game.h"

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

struct game_shape game_shape(const struct game *game, const struct game_position *position) {
    int size = game->size(position);
    return game->shape ? game->shape(position) : (struct game_shape){size, size};
}
