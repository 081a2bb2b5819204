/* The registry's list with the stranger on it: what is linked in the place of src/games/list.c. */
#include "connect4/connect4.h"
#include "game/registry.h"
#include "games/gomoku/rules/gomoku.h"
#include "games/laser/rules/laser.h"
#include "games/war/rules/war.h"

const struct game *const game_registry[] = {&war_game, &laser_game, &gomoku_game, &connect4_game, NULL};
