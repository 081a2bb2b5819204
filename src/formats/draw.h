/* A position as people see it: in a terminal, or as an SVG picture. Both know only the game interface. */
#ifndef SORTIE_FORMATS_DRAW_H
#define SORTIE_FORMATS_DRAW_H

#include "base/text.h"
#include "game/game.h"

/* Letters above, numbers at the left; colours by ANSI codes when asked for. */
void draw_terminal(const struct game *game, const struct game_position *position, bool colour, struct text *text);

/* A whole SVG document. */
void draw_svg(const struct game *game, const struct game_position *position, struct text *text);

/* The name of a column as the game's notation has it: a letter, or a number from 0. */
void draw_column_name(const struct game *game, int column, char name[4]);

/* One line below a board: whose turn it is and who leads. */
void draw_caption(const struct game *game, const struct game_position *position, struct text *text);

#endif
