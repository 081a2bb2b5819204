/* The registry: every game the program knows. */
#ifndef SORTIE_GAME_REGISTRY_H
#define SORTIE_GAME_REGISTRY_H

#include "game/game.h"

/* The list itself, in list.c; ended by NULL. */
extern const struct game *const game_registry[];

const struct game *const *game_list(void); /* ended by NULL */
const struct game *game_find(const char *name, size_t length);

#endif
