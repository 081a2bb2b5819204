/* Programs that play Gomoku through a referee's folder: under which name, and whether they play at all. */
#ifndef SORTIE_MATCH_CLASS_CLASS_TEAM_H
#define SORTIE_MATCH_CLASS_CLASS_TEAM_H

#include "grade/grade.h"
#include "sandbox/warden.h"

/* The team that a program, a file below a folder in the warden's /build, knows itself as; empty when its sources do not
 * say. */
enum status class_find_team(struct warden *warden, const struct grade_options *options, const char *folder,
                            const char *file, char team[PLAYER_MOST_NAME], struct error *error);

/* Whether a command, words ended by zeros, plays a first move as `team`; its last words are added to `said`. */
enum status class_moves(struct warden *warden, const struct grade_options *options, const char *command,
                        const char *team, bool *moves, struct text *said, struct error *error);

#endif
