/* The public C API: what all its parts share, and the games. */
#include "api/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "game/registry.h"

/* No struct of any version comes near this: a larger size was never set. */
#define MOST_STRUCT ((size_t)1 << 20)

const char *sortie_version(void) {
    return SORTIE_VERSION;
}

void sortie_free(char *text) {
    free(text);
}

sortie_status api_bad(sortie_error *error, const char *text) {
    ASSERT(text);
    return (sortie_status)error_at(api_error(error), 0, 0, "%s", text);
}

sortie_status api_no_memory(sortie_error *error) {
    return (sortie_status)error_machine(api_error(error), "out of memory");
}

/* The size every such struct begins with; 0 when it cannot be one. */
static size_t size_of(const void *given) {
    size_t size = 0;
    if (given) {
        memcpy(&size, given, sizeof size);
    }
    return size >= sizeof size && size <= MOST_STRUCT ? size : 0;
}

bool api_take(void *known, size_t known_size, const void *given) {
    ASSERT(known_size >= sizeof(size_t));
    size_t size = size_of(given);
    memset(known, 0, known_size);
    if (size == 0) {
        return false;
    }
    memcpy(known, given, size < known_size ? size : known_size);
    for (size_t i = known_size; i < size; i++) {
        if (((const unsigned char *)given)[i]) {
            return false;
        }
    }
    return true;
}

bool api_give(void *given, const void *known, size_t known_size) {
    ASSERT(known_size >= sizeof(size_t));
    size_t size = size_of(given);
    if (size > 0) {
        memset(given, 0, size);
        memcpy(given, known, size < known_size ? size : known_size);
        memcpy(given, &size, sizeof size);
    }
    return size > 0;
}

char *api_release(struct text *text) {
    if (!text->broken && !text->data) {
        text_add(text, "", 0); /* an empty text is one byte, not nothing */
    }
    char *data = text->broken ? NULL : text->data;
    if (!data) {
        text_free(text);
    }
    return data;
}

/* -- games -- */

static const struct game *find_game(const char *name) {
    return name ? game_find(name, strlen(name)) : NULL;
}

const char *sortie_game_name(int index) {
    const struct game *const *games = game_list();
    for (int i = 0; games[i]; i++) {
        if (i == index) {
            return games[i]->properties->name;
        }
    }
    return NULL;
}

const char *sortie_game_rules(const char *game, int index) {
    const struct game *found = find_game(game);
    for (int i = 0; found && i < 4 && found->properties->variants[i]; i++) {
        if (i == index) {
            return found->properties->variants[i];
        }
    }
    return NULL;
}

int sortie_game_takes(const char *game, int rows, int columns) {
    const struct game *found = find_game(game);
    return found && (columns == 0 || columns == rows) && game_takes_size(found, rows);
}

sortie_status sortie_game_about(const char *game, sortie_game_info *info, sortie_error *error) {
    const struct game *found = find_game(game);
    if (!found) {
        return api_bad(error, "expected the name of a game");
    }
    const struct game_properties *properties = found->properties;
    sortie_game_info known = {
        .name = properties->name,
        .title = properties->title,
        .sides = {properties->sides[0], properties->sides[1]},
        .least_size = properties->least_size,
        .most_size = properties->most_size,
        .usual_size = properties->usual_size,
        .most_moves = properties->most_moves,
        .most_plies = properties->most_plies,
        .margin = properties->score_kind == GAME_SCORE_MARGIN,
        .numbered_from_zero = properties->numbered_from_zero,
        .stones_on_points = properties->stones_on_points,
        .has_engine = found->think != NULL,
    };
    return api_give(info, &known, sizeof known) ? SORTIE_OK : api_bad(error, "expected the info's size to be set");
}
