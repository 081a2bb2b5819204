#include "game/registry.h"

#include <string.h>

#include "base/assert.h"

const struct game *const *game_list(void) {
    return game_registry;
}

const struct game *game_find(const char *name, size_t length) {
    ASSERT(name || length == 0);
    for (const struct game *const *game = game_registry; *game; game++) {
        const char *known = (*game)->properties->name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) {
            return *game;
        }
    }
    return NULL;
}
