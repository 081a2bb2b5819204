/* The list of games: the one line a new game adds outside of its folder. */
#include "games/gomoku/gomoku.h"
#include "games/laser/laser.h"
#include "games/registry.h"
#include "games/war/war.h"

const struct game *const game_registry[] = {&war_game, &laser_game, &gomoku_game, NULL};
