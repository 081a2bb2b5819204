/* Games on a page: a line each, which opens to the moves and to a board that steps through them. */
#ifndef SORTIE_GRADE_GAMES_GRADE_GAME_PAGE_H
#define SORTIE_GRADE_GAMES_GRADE_GAME_PAGE_H

#include "grade/games/grade_facts.h"

/* The games of one case. A page that has no room for the `boards` of all has the moves alone. */
void grade_game_page_add(const struct grade_game *game, const struct course_request *request, const char *facts,
                         bool boards, struct text *out);
/* What the boards of a page need, once, at its end. */
void grade_game_page_end(struct text *out);

#endif
