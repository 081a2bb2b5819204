/* The transposition table: one block of memory in huge pages, shared by all threads without locks.
 *
 * An entry is two words: the data, and the check combined with the data by exclusive or, so that an entry torn by two
 * writers fails the comparison and is simply not found. Four of them fill a cache line and are searched together.
 * What the data mean is each game's own; 0 stands for no entry. So is what an entry is worth: a game hands a function
 * to table_store, which the compiler makes part of it.
 *
 * Whoever stores is told of the first entry in a huge page, which the system has to clear: a search then looks at the
 * clock, so that it never clears two of them between two looks. */
#ifndef SORTIE_SEARCH_TABLE_H
#define SORTIE_SEARCH_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/assert.h"
#include "base/bits.h"
#include "system/pages.h"

#define TABLE_WAYS 4

struct table_entry {
    _Atomic uint64_t check; /* of the key, exclusive or the data */
    _Atomic uint64_t data;
};

struct table {
    struct table_entry *entries; /* owned; buckets of TABLE_WAYS, aligned to cache lines */
    uint64_t bucket_mask;        /* of the buckets in use */
    size_t bytes;                /* as mapped */
    atomic_bool *touched;        /* owned; for each huge page it has a part in, whether that was written to */
    unsigned generation;         /* of the search, for games whose entries age */
};

/* `place` chooses the bucket by its low bits, `check` tells the positions of a bucket apart. They may be the same
 * number where few entries are compared, or two independent ones where a false hit would spoil a proof. */
struct table_key {
    uint64_t place;
    uint64_t check;
};

/* Takes the largest power of two of at most `bytes`, and 4 KiB at least. Memory is touched only when used. False when
 * there is none. */
bool table_open(struct table *table, size_t bytes);
/* Takes all of `bytes`, in whole buckets. The place of a key must then be a bucket's number: table_scale makes one of a
 * hash by its high bits. */
bool table_open_whole(struct table *table, size_t bytes);
void table_close(struct table *table);
/* Forgets everything. */
void table_clear(struct table *table);
/* Uses no more than about so many entries from now on: touching memory for the first time costs more than a small
 * search. What was found under another limit may not be found again. */
void table_limit(struct table *table, size_t entries);

/* What an entry is worth; the least is replaced first. */
typedef int table_worth(uint64_t data, unsigned generation);

static inline struct table_entry *table_bucket(const struct table *table, struct table_key key) {
    ASSERT(table->entries);
    ASSERT((key.place & table->bucket_mask) < table->bytes / (TABLE_WAYS * sizeof(struct table_entry)));
    return table->entries + (key.place & table->bucket_mask) * TABLE_WAYS;
}

static inline uint64_t table_scale(const struct table *table, uint64_t hash) {
    return bits_high_product(hash, table->bytes / (TABLE_WAYS * sizeof(struct table_entry)));
}

static inline void table_prefetch(const struct table *table, struct table_key key) {
    __builtin_prefetch((const void *)table_bucket(table, key));
}

/* The data stored under a key, or 0. */
static inline uint64_t table_probe(const struct table *table, struct table_key key) {
    struct table_entry *entry = table_bucket(table, key);
    for (int i = 0; i < TABLE_WAYS; i++) {
        uint64_t data = atomic_load_explicit(&entry[i].data, memory_order_relaxed);
        if ((atomic_load_explicit(&entry[i].check, memory_order_relaxed) ^ data) == key.check && data) {
            return data;
        }
    }
    return 0;
}

/* Where to store under a key: its own entry, a free one, or that worth least of those worth less than `below`. The last
 * way takes whatever comes when all are worth more, so that fresh small results find a place too. *old becomes the data
 * already there under this key, or 0. */
static inline __attribute__((always_inline)) struct table_entry *
table_find(const struct table *table, struct table_key key, int below, table_worth *worth, uint64_t *old) {
    struct table_entry *entry = table_bucket(table, key);
    struct table_entry *victim = &entry[TABLE_WAYS - 1];
    *old = 0;
    for (int i = 0; i < TABLE_WAYS; i++) {
        uint64_t data = atomic_load_explicit(&entry[i].data, memory_order_relaxed);
        bool same = (atomic_load_explicit(&entry[i].check, memory_order_relaxed) ^ data) == key.check;
        if (same || !data) {
            *old = same ? data : 0;
            return &entry[i];
        }
        int here = worth(data, table->generation);
        if (here < below) {
            below = here;
            victim = &entry[i];
        }
    }
    return victim;
}

/* True when this was the first entry in a page. Only where none was before can it be. */
static inline bool table_write(const struct table *table, struct table_entry *entry, struct table_key key,
                               uint64_t data) {
    bool fresh =
        !atomic_load_explicit(&entry->data, memory_order_relaxed) && pages_touch(table->touched, table->entries, entry);
    atomic_store_explicit(&entry->check, key.check ^ data, memory_order_relaxed);
    atomic_store_explicit(&entry->data, data, memory_order_relaxed);
    return fresh;
}

/* Stores under a key where table_find says; as table_write. */
static inline __attribute__((always_inline)) bool table_store(const struct table *table, struct table_key key,
                                                              uint64_t data, int below, table_worth *worth) {
    uint64_t old;
    return table_write(table, table_find(table, key, below, worth, &old), key, data);
}

#endif
