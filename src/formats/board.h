/* A board as JSON, for whatever draws it outside of this program, as web/board.js wants it:
 *
 *   {"rows": 2, "columns": 2, "points": false, "numbers": false, "sides": ["X", "O"],
 *    "inks": ".a#b",                 a letter a square, row by row: . empty, a and b pieces, # block, p, q, r covered
 *    "labels": ["5", "", "", "12"],  where any square has one
 *    "last": 3,                      where the position knows
 *    "forbidden": [0, 2]}            where the side to move may not play, though they are empty: if there are any
 */
#ifndef SORTIE_FORMATS_BOARD_H
#define SORTIE_FORMATS_BOARD_H

#include "base/json.h"
#include "game/game.h"

/* The whole board as one object. */
void board_json(struct json *json, const char *key, const struct game *game, const struct game_position *position);

/* What one move changed, as one string "3b12 1.-": the cells in which the two positions differ, each as index, ink and
 * new label (nothing: as before; "-": none any more), the one that was taken first. */
void board_json_step(struct json *json, const struct game *game, const struct game_position *before,
                     const struct game_position *after);

#endif
