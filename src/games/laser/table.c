#include "games/laser/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/pages.h"

/* Four entries of two words fill a cache line. */
#define BUCKET_ENTRIES 4
#define BUCKET_WORDS 8
#define BUCKET_BYTES (BUCKET_WORDS * sizeof(uint64_t))

bool laser_table_init(struct laser_table *table, size_t bytes) {
    size_t buckets = 1;
    while (buckets * 2 * BUCKET_BYTES <= bytes) {
        buckets *= 2;
    }
    void *memory = pages_new(buckets * BUCKET_BYTES);
    if (!memory) {
        return false;
    }
    *table = (struct laser_table){.words = memory, .buckets = buckets, .used = buckets};
    return true;
}

void laser_table_free(struct laser_table *table) {
    if (table->words) {
        pages_free((void *)table->words, table->buckets * BUCKET_BYTES);
        table->words = NULL;
    }
}

void laser_table_clear(struct laser_table *table) {
    memset((void *)table->words, 0, table->buckets * BUCKET_BYTES);
}

void laser_table_limit(struct laser_table *table, size_t entries) {
    table->used = 1;
    while (table->used * 2 <= table->buckets && table->used * BUCKET_ENTRIES < entries) {
        table->used *= 2;
    }
}

/* The data word: lower and upper bound, 16 bits each, the square, 11 bits, the weight, 10 bits, and one bit that
 * is always set, so that an empty entry never looks like a full one. */
static uint64_t pack(struct laser_hit hit, int weight) {
    return (uint64_t)(uint16_t)hit.lower | (uint64_t)(uint16_t)hit.upper << 16 | (uint64_t)(hit.square & 2047) << 32 |
           (uint64_t)(weight & 1023) << 43 | 1ULL << 63;
}

static int weight_of(uint64_t data) {
    return (int)(data >> 43 & 1023);
}

static _Atomic uint64_t *bucket_of(const struct laser_table *table, struct laser_key key) {
    return table->words + (key.place & (table->used - 1)) * BUCKET_WORDS;
}

bool laser_table_probe(const struct laser_table *table, struct laser_key key, struct laser_hit *hit) {
    _Atomic uint64_t *bucket = bucket_of(table, key);
    for (int i = 0; i < BUCKET_WORDS; i += 2) {
        uint64_t mixed = atomic_load_explicit(bucket + i, memory_order_relaxed);
        uint64_t data = atomic_load_explicit(bucket + i + 1, memory_order_relaxed);
        if ((mixed ^ data) == key.check && data != 0) {
            hit->lower = (int16_t)(uint16_t)data;
            hit->upper = (int16_t)(uint16_t)(data >> 16);
            hit->square = (int)(data >> 32 & 2047);
            return true;
        }
    }
    return false;
}

/* Three entries of a bucket go to the heaviest positions; what is lighter than all of them takes the last. */
void laser_table_store(struct laser_table *table, struct laser_key key, struct laser_hit hit, int weight) {
    _Atomic uint64_t *bucket = bucket_of(table, key);
    int victim = BUCKET_WORDS - 2;
    int lightest = weight + 1;
    for (int i = 0; i < BUCKET_WORDS; i += 2) {
        uint64_t mixed = atomic_load_explicit(bucket + i, memory_order_relaxed);
        uint64_t data = atomic_load_explicit(bucket + i + 1, memory_order_relaxed);
        if ((mixed ^ data) == key.check || data == 0) {
            victim = i;
            break;
        }
        if (weight_of(data) < lightest) {
            lightest = weight_of(data);
            victim = i;
        }
    }
    uint64_t data = pack(hit, weight);
    atomic_store_explicit(bucket + victim, key.check ^ data, memory_order_relaxed);
    atomic_store_explicit(bucket + victim + 1, data, memory_order_relaxed);
}
