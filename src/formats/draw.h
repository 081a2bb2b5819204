/* A position as people see it: in a terminal, or as an SVG picture. Both know only the game interface. */
#ifndef SORTIE_FORMATS_DRAW_H
#define SORTIE_FORMATS_DRAW_H

#include "base/text.h"
#include "game/game.h"

/* Letters above, numbers at the left; colours by ANSI codes when asked for. */
void draw_terminal(const struct game *game, const struct game_position *position, bool colour, struct text *text);

/* A whole SVG document. */
void draw_svg(const struct game *game, const struct game_position *position, struct text *text);

/* What a move on each square leads to, by row * columns + column. */
#define DRAW_MOST_HEAT 64
struct draw_heat {
    bool known[DRAW_MOST_HEAT]; /* others are shown as they are */
    int value[DRAW_MOST_HEAT];  /* for the side to move */
    int least, most;            /* of the known ones */
};

/* A board of at most DRAW_MOST_HEAT squares with the value of every move on its square, the better the greener. */
void draw_heat_svg(const struct game *game, const struct game_position *position, const struct draw_heat *heat,
                   struct text *text);

/* The name of a column as the game's notation has it: a letter, or a number from 0. */
void draw_column_name(const struct game *game, int column, char name[4]);

/* One line below a board: whose turn it is and who leads. */
void draw_caption(const struct game *game, const struct game_position *position, struct text *text);

#endif
