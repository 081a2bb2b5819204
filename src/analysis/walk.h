/* Going through the positions of a database from one of them on: what it knows of the moves, and what lies behind. */
#ifndef SORTIE_ANALYSIS_WALK_H
#define SORTIE_ANALYSIS_WALK_H

#include "analysis/analyses.h"
#include "games/gomoku/rules/gomoku.h"

/* What is known behind a move. */
struct analysis_child {
    game_move move;
    bool repeats; /* an image of the position is behind an earlier move */
    const struct analysis *found;
    const struct game_position *position; /* behind it */
};

/* Tells of every move of the position behind which something is known, in the game's order; the analyses may not be
 * asked meanwhile. */
enum status analyses_children(struct analyses *analyses, const struct game *game, const struct game_position *position,
                              void (*tell)(void *user, const struct analysis_child *child), void *user,
                              struct error *error);

/* How the walk goes on at a position it has come to. */
enum analysis_verdict {
    ANALYSIS_STAY, /* the position stays, and so does what is behind it */
    ANALYSIS_PASS, /* it stays, but what is behind it is looked at */
    ANALYSIS_GO    /* it goes, and so does all behind it */
};

/* Forgets what is known behind a position, but not what other known positions of Gomoku lead to. `judge` is asked about
 * each entry until it says ANALYSIS_GO; NULL: everything goes. *gone counts. One transaction: STATUS_FAIL, and nothing
 * is forgotten, when `watch` says stop. */
enum status analyses_prune(struct analyses *analyses, const struct game *game, const struct game_position *position,
                           enum analysis_verdict (*judge)(void *user, const struct analysis *entry), void *user,
                           const struct analyses_watch *watch, int64_t *gone, struct error *error);

#endif
