/* A Swiss tournament: in every round those meet who stand alike and have not met. */
#ifndef SORTIE_RESULTS_SWISS_H
#define SORTIE_RESULTS_SWISS_H

#include "results/standings.h"

/* Draws the next round and adds its meetings to the plan. `standings` has all games so far; NULL before the first
 * round, which is drawn by the seed. With an odd number of players the last one who had to pause least often does; it
 * counts like a meeting that was won. Who met before meet again only where there is no other way, or none is found in
 * time. */
enum status swiss_draw(struct plan *plan, const struct standings *standings, struct error *error);

#endif
