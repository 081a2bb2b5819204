/* Works out a swap map: searches and games of the engine with itself from every lone stone, several jobs at once. */
#ifndef SORTIE_PROVE_CREW_SWAPMAP_RUN_H
#define SORTIE_PROVE_CREW_SWAPMAP_RUN_H

#include "crew/crew.h"
#include "formats/swapmap.h"
#include "search/limits.h"

#define SWAPMAP_MOST_GAMES 10000
#define SWAPMAP_MOST_JOBS 256

struct swapmap_settings {
    struct search_limits search; /* of the stone's value */
    int games;                   /* in all from each square */
    uint64_t nodes;              /* a move in those games */
    size_t hash_bytes;           /* of each job's table */
    int jobs;
    const struct crew_link *crew; /* other processes that do the jobs; NULL: none */
};

/* Is told of every square that is finished, one at a time; when it fails no more is begun. */
typedef enum status swapmap_done(void *user, const struct swapmap *map, int index, struct error *error);

/* Fills what is missing in the map: squares that are not known, and games that a known square has too few of. Ends
 * early when control->stop is set. */
enum status swapmap_run(const struct swapmap_settings *settings, struct swapmap *map, struct search_control *control,
                        swapmap_done *done, void *user, struct error *error);

/* What a helper of the crew does, with the same settings as the leader. */
enum status swapmap_help(const struct swapmap_settings *settings, struct search_control *control, struct error *error);

#endif
