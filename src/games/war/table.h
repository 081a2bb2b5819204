/* The transposition table of the war board's searches: one block of memory shared by all threads without
 * locks. An entry is 16 bytes: its data, and the key combined with the data by exclusive or, so that an entry
 * torn by two writers fails the comparison and is simply not found. */
#ifndef SORTIE_GAMES_WAR_TABLE_H
#define SORTIE_GAMES_WAR_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WAR_TABLE_WAYS 4 /* entries of a bucket: one cache line */

struct war_table_entry {
    _Atomic uint64_t check; /* key ^ data */
    _Atomic uint64_t data;  /* 0: empty; bits 0..5 are the entry's worth, more is kept longer */
};

struct war_table {
    struct war_table_entry *entries; /* owned; buckets of WAR_TABLE_WAYS, aligned to cache lines */
    uint64_t bucket_mask;
    size_t bytes; /* as mapped */
};

#define WAR_TABLE_WORTH 63u

/* Takes at most `bytes` (at least a page). Memory is touched only when used. False when there is none. */
bool war_table_open(struct war_table *table, size_t bytes);
void war_table_close(struct war_table *table);
/* Forgets everything. */
void war_table_clear(struct war_table *table);

static inline struct war_table_entry *war_table_bucket(const struct war_table *table, uint64_t key) {
    return table->entries + (key & table->bucket_mask) * WAR_TABLE_WAYS;
}

static inline void war_table_prefetch(const struct war_table *table, uint64_t key) {
    __builtin_prefetch(war_table_bucket(table, key));
}

/* The data stored under a key, or 0. */
static inline uint64_t war_table_probe(const struct war_table *table, uint64_t key) {
    struct war_table_entry *entry = war_table_bucket(table, key);
    for (int i = 0; i < WAR_TABLE_WAYS; i++) {
        uint64_t data = atomic_load_explicit(&entry[i].data, memory_order_relaxed);
        if ((atomic_load_explicit(&entry[i].check, memory_order_relaxed) ^ data) == key && data) {
            return data;
        }
    }
    return 0;
}

/* Stores over the same key, else over the entry of the bucket that is worth least. The last way takes whatever
 * comes when all others are worth more, so that fresh small results find a place too. */
static inline void war_table_store(const struct war_table *table, uint64_t key, uint64_t data) {
    struct war_table_entry *entry = war_table_bucket(table, key);
    int victim = WAR_TABLE_WAYS - 1;
    uint64_t least = data & WAR_TABLE_WORTH;
    for (int i = 0; i < WAR_TABLE_WAYS; i++) {
        uint64_t old = atomic_load_explicit(&entry[i].data, memory_order_relaxed);
        if ((atomic_load_explicit(&entry[i].check, memory_order_relaxed) ^ old) == key || !old) {
            victim = i;
            break;
        }
        if ((old & WAR_TABLE_WORTH) < least) {
            least = old & WAR_TABLE_WORTH;
            victim = i;
        }
    }
    atomic_store_explicit(&entry[victim].check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&entry[victim].data, data, memory_order_relaxed);
}

#endif
