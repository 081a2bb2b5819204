/* The list of games: a new one adds its header and its name. The tests link this list too, with games of their own
 * behind it (tests/list.c). */
#include "game/registry.h"
#include "games/gomoku/rules/gomoku.h"
#include "games/laser/rules/laser.h"
#include "games/war/rules/war.h"

#ifndef GAMES_BEHIND
#define GAMES_BEHIND
#endif

const struct game *const game_registry[] = {&war_game, &laser_game, &gomoku_game, GAMES_BEHIND NULL};
