/* sortie's own position text: what game->write writes. Its first word is the game's name. */
#ifndef SORTIE_FORMATS_POSITION_H
#define SORTIE_FORMATS_POSITION_H

#include "formats/course.h"

extern const struct course_format position_format;

/* The game the first word names, or NULL. */
const struct game *position_game(const char *bytes, size_t length);

#endif
