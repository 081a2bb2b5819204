/* The opening book beside the program: the file that the environment's SORTIE_BOOK names ("off" or nothing: no book),
 * otherwise gomoku.book in the program's folder, or ../share/sortie/gomoku.book from there. Read when first asked for;
 * a file that is not in order is no book to play by (`sortie book --check` says what is wrong with it). */
#ifndef SORTIE_GAMES_GOMOKU_OPENINGS_INSTALLED_H
#define SORTIE_GAMES_GOMOKU_OPENINGS_INSTALLED_H

#include "games/gomoku/openings/openings.h"

/* Never NULL; without positions where there is no book. */
const struct openings *openings_installed(void);
/* The file's path, "" where there is none. */
const char *openings_installed_path(void);

#endif
