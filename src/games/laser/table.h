/* The table of positions already searched, shared by the threads of one searcher without locks.
 *
 * An entry is two words, the data and the key mixed with the data, so that an entry torn by two writers fails
 * its own check and reads as absent. The place comes from one 64 bit hash and the check from another: a wrong
 * match has a chance of about 4 in 2^64 a probe. */
#ifndef SORTIE_GAMES_LASER_TABLE_H
#define SORTIE_GAMES_LASER_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LASER_NO_SQUARE 2047

struct laser_key {
    uint64_t place;
    uint64_t check;
};

/* What is known of a position: its value lies in [lower, upper], in the searching function's own unit. */
struct laser_hit {
    int lower;
    int upper;
    int square; /* the move to try first, or LASER_NO_SQUARE */
};

/* Bounds beyond every value, where nothing is known. */
#define LASER_UNKNOWN 32000

struct laser_table {
    _Atomic uint64_t *words; /* owned */
    size_t buckets;          /* a power of two */
    size_t used;             /* how many of them this search spreads over: small boards touch little memory */
};

/* At most `bytes`; false when memory runs out. All entries are empty. */
bool laser_table_init(struct laser_table *table, size_t bytes);
void laser_table_free(struct laser_table *table);
void laser_table_clear(struct laser_table *table);
/* Spreads over about `entries` entries from now on. */
void laser_table_limit(struct laser_table *table, size_t entries);

bool laser_table_probe(const struct laser_table *table, struct laser_key key, struct laser_hit *hit);
/* `weight` (0 to 1023) says how much work an entry holds: light ones are replaced first. */
void laser_table_store(struct laser_table *table, struct laser_key key, struct laser_hit hit, int weight);

static inline void laser_table_prefetch(const struct laser_table *table, struct laser_key key) {
    __builtin_prefetch((const void *)(table->words + (key.place & (table->used - 1)) * 8));
}

#endif
