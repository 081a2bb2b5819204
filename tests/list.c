/* The program's list of games, whatever stands on it, and two games of the tests behind it: what is linked in the place
 * of src/games/list.c. */
#include "connect4/connect4.h"
#include "othello/othello.h"

#define GAMES_BEHIND &connect4_game, &othello_game,
#include "games/list.c"
