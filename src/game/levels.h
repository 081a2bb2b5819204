/* The games as compiled for the processor at hand. */
#ifndef SORTIE_GAME_LEVELS_H
#define SORTIE_GAME_LEVELS_H

#include "game/game.h"

/* The instance of a game whose searches use what this processor offers; positions are the same bytes in all of them.
 * The game itself where there is no other. SORTIE_LEVEL in the environment (plain, popcnt, avx2, avx512) chooses a
 * lower one, for tests and for measuring what a level is worth. */
const struct game *game_tuned(const struct game *game);

/* The name of the level in use: "plain" where there is only one. */
const char *game_level_name(void);

#endif
