/* A lean board: freestyle alone, for searches of threats that play and take back many more moves than they look at
 * squares. It keeps the sets of squares up to date and no cells: what a square holds is worked out when it is asked
 * for. What threatens on a line is looked up by the whole line, in a table of lines met lately, and only squares whose
 * threats change are touched. All else is as on any other board. */
#ifndef SORTIE_GAMES_GOMOKU_BOARD_LEAN_H
#define SORTIE_GAMES_GOMOKU_BOARD_LEAN_H

#include "games/gomoku/board/board.h"

/* Room for what a lean board keeps; NULL when there is no memory. */
struct gboard_lean *lean_new(void);
void lean_free(struct gboard_lean *lean);

/* Makes a lean board of one that was loaded, has room for undo and is of freestyle. */
void lean_begin(struct gboard *board, struct gboard_lean *lean);

/* What gboard_play and gboard_undo leave to this: the sets. The stone is on its lines already, or still. */
void lean_play(struct gboard *board, int square);
void lean_undo(struct gboard *board, int square);

#endif
