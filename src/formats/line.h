/* A line of play in the game's notation: each move named as the position before it has it. */
#ifndef SORTIE_FORMATS_LINE_H
#define SORTIE_FORMATS_LINE_H

#include "base/json.h"
#include "game/game.h"

/* The name of a move, as the public API has it too. */
typedef char line_move[32];

/* Names the moves of a line, at most `most`, up to the first that is not legal; returns how many. `scratch` has room
 * for a position and is overwritten. */
int line_name(const struct game *game, const struct game_position *position, const game_move *moves, int length,
              struct game_position *scratch, line_move *names, int most);

/* Appends the names, each behind the first led by `between`. */
void line_join(const line_move *names, int count, const char *between, struct text *text);
/* The same as a list of strings. */
void line_list(const line_move *names, int count, const char *key, struct json *json);

#endif
