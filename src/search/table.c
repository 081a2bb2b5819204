#include "search/table.h"

#include <string.h>

#include "base/pages.h"

#define BUCKET_BYTES (TABLE_WAYS * sizeof(struct table_entry))
#define LEAST_BUCKETS 64

static bool map_buckets(struct table *table, size_t buckets, uint64_t mask) {
    *table = (struct table){.bytes = buckets * BUCKET_BYTES, .bucket_mask = mask};
    table->entries = pages_new(table->bytes);
    return table->entries != NULL;
}

bool table_open(struct table *table, size_t bytes) {
    size_t buckets = LEAST_BUCKETS;
    while (buckets <= bytes / BUCKET_BYTES / 2) {
        buckets *= 2;
    }
    return map_buckets(table, buckets, buckets - 1);
}

bool table_open_whole(struct table *table, size_t bytes) {
    return map_buckets(table, bytes < BUCKET_BYTES ? 1 : bytes / BUCKET_BYTES, UINT64_MAX);
}

void table_close(struct table *table) {
    if (table->entries) {
        pages_free((void *)table->entries, table->bytes);
    }
    table->entries = NULL;
}

void table_clear(struct table *table) {
    memset((void *)table->entries, 0, table->bytes);
    table->generation = 0;
}

void table_limit(struct table *table, size_t entries) {
    size_t buckets = 1;
    while (buckets < table->bytes / BUCKET_BYTES && buckets * TABLE_WAYS < entries) {
        buckets *= 2;
    }
    table->bucket_mask = buckets - 1;
}
