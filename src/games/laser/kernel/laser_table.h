/* What the searches of Laser Checkmate keep in the shared table. The place comes from one 64 bit hash and the check
 * from another: a wrong match has a chance of about 4 in 2^64 a probe. */
#ifndef SORTIE_GAMES_LASER_KERNEL_LASER_TABLE_H
#define SORTIE_GAMES_LASER_KERNEL_LASER_TABLE_H

#include "search/table.h"

#define LASER_NO_SQUARE 2047

/* What is known of a position: its value lies in [lower, upper], in the searching function's own unit. */
struct laser_hit {
    int lower;
    int upper;
    int square; /* the move to try first, or LASER_NO_SQUARE */
};

/* Bounds beyond every value, where nothing is known. */
#define LASER_UNKNOWN 32000

bool laser_table_probe(const struct table *table, struct table_key key, struct laser_hit *hit);
/* `weight` (0 to 1023) says how much work an entry holds: light ones are replaced first. */
bool laser_table_store(struct table *table, struct table_key key, struct laser_hit hit, int weight);

#endif
