/* The referee: sets up the start, asks the players in turn, keeps their clocks, judges every answer. A game
 * ends by its rules or by a fault of the player to move; nothing is decided by anybody's evaluation. */
#ifndef SORTIE_MATCH_REFEREE_H
#define SORTIE_MATCH_REFEREE_H

#include <stdatomic.h>

#include "results/record.h"

/* A seat at the table: a player and the warden of its side. */
struct referee_seat {
    const struct player_kind *kind;
    struct player *player;
    struct warden *warden; /* NULL when no player needs one */
    int *built;            /* whose build the warden has; -1: nobody's */
};

/* Plays one game of the plan and fills *record (which the caller frees). `turn` (may be NULL) always holds the
 * side that is being asked. Only a failure of the machine is not STATUS_OK. */
enum status referee_play(const struct plan *plan, const struct plan_game *game, const struct referee_seat seats[2],
                         atomic_int *turn, struct record *record, struct error *error);

#endif
