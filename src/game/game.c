#include "game/game.h"

#include <string.h>

int game_find_variant(const struct game *game, const char *name, size_t length) {
    for (int i = 0; i < 4 && game->properties->variants[i]; i++) {
        const char *known = game->properties->variants[i];
        if (strlen(known) == length && memcmp(known, name, length) == 0) {
            return i;
        }
    }
    return -1;
}
