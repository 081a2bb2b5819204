#include "games/registry.h"

#include <string.h>

#include "games/gomoku/gomoku.h"
#include "games/laser/laser.h"
#include "games/war/war.h"

static const struct game *const games[] = {&war_game, &laser_game, &gomoku_game, NULL};

const struct game *const *game_list(void) {
    return games;
}

const struct game *game_find(const char *name, size_t length) {
    for (const struct game *const *game = games; *game; game++) {
        const char *known = (*game)->properties->name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) {
            return *game;
        }
    }
    return NULL;
}
