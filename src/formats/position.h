/* sortie's own position text: what game->write writes. Its first word is the game's name. */
#ifndef SORTIE_FORMATS_POSITION_H
#define SORTIE_FORMATS_POSITION_H

#include "formats/course.h"

extern const struct course_format position_format;

/* The game the first word names, or NULL. */
const struct game *position_game(const char *bytes, size_t length);

/* The move on the first line, then the position after it. */
void position_answer(const struct game *game, const struct game_position *before, game_move move,
                     const struct game_position *after, struct text *text);

/* Where the text of one position ends in a file of several: at the next line that begins with the game's name. */
const char *position_end(const struct game *game, const char *bytes, const char *end);

#endif
