/* The list of games: the one line a new game adds outside of its folder. */
#include "game/registry.h"
#include "games/gomoku/rules/gomoku.h"
#include "games/laser/rules/laser.h"
#include "games/war/rules/war.h"

const struct game *const game_registry[] = {&war_game, &laser_game, &gomoku_game, NULL};
