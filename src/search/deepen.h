/* The engine of a game that has none of its own: iterative-deepening alpha-beta over the game interface, with a
 * transposition table and moves ordered by what was learnt. It obeys time, nodes and stop like every engine, and proves
 * values where it gets to the end of the game. It asks nothing of a game but the interface: moves may stay legal after
 * being played, and sides need not alternate. */
#ifndef SORTIE_SEARCH_DEEPEN_H
#define SORTIE_SEARCH_DEEPEN_H

#include "search/limits.h"

struct deepen;

/* For one game; NULL when memory runs out. */
struct deepen *deepen_new(const struct game *game, const struct searcher_options *options, struct error *error);
void deepen_free(struct deepen *deepen);
/* Forgets what was learnt. */
void deepen_clear(struct deepen *deepen);

/* As `think` of the game interface. */
void deepen_think(struct deepen *deepen, const struct game_position *position, const struct search_limits *limits,
                  struct search_control *control, struct search_result *result);

#endif
