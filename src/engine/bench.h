/* The fixed set of positions behind `sortie bench`, searched by the textbook and by the engine on one thread: the same
 * nodes, moves and values everywhere, the browser included. */
#ifndef SORTIE_ENGINE_BENCH_H
#define SORTIE_ENGINE_BENCH_H

#include "engine/engine.h"

/* One search of the set. */
struct bench_search {
    const struct game *game;
    int variant;
    int size;
    int plies; /* played at random before it */
    enum search_method method;
    const struct game_position *position;
    struct search_result result;
};

struct bench_total {
    uint64_t nodes;
    uint64_t signature; /* of nodes, moves and values */
};

/* Searches the whole set, `nodes` each where the engine does; ends early when control->stop is set. `each` (may be
 * NULL) sees every search. */
enum status bench_run(uint64_t nodes, struct search_control *control,
                      void (*each)(void *user, const struct bench_search *search), void *user,
                      struct bench_total *total, struct error *error);

#endif
