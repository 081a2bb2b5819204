/* A line of play in the game's notation: each move named as the position before it has it. */
#ifndef SORTIE_FORMATS_LINE_H
#define SORTIE_FORMATS_LINE_H

#include "base/json.h"
#include "game/game.h"

/* Names the moves of a line, at most `most`, up to the first that is not legal; returns how many. `scratch` has room
 * for a position and is overwritten. */
int line_name(const struct game *game, const struct game_position *position, const game_move *moves, int length,
              struct game_position *scratch, char (*names)[32], int most);

/* Appends a line, each move behind the first led by `between`. When there is no memory the text is broken. */
void line_write(const struct game *game, const struct game_position *position, const game_move *moves, int length,
                const char *between, struct text *text);

/* The same as a list of strings. */
void line_json(const struct game *game, const struct game_position *position, const game_move *moves, int length,
               struct json *json, const char *key);

#endif
