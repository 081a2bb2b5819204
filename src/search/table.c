#include "search/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

#define BUCKET_BYTES (TABLE_WAYS * sizeof(struct table_entry))
#define LEAST_BUCKETS 64

#define PAGE_BYTES ((size_t)1 << PAGES_HUGE_BITS)

static bool map_buckets(struct table *table, size_t buckets, uint64_t mask) {
    *table = (struct table){.bytes = buckets * BUCKET_BYTES, .bucket_mask = mask};
    table->touched = calloc(pages_huge_count(table->bytes), sizeof *table->touched);
    table->entries = table->touched ? pages_new(table->bytes) : NULL;
    if (!table->entries) {
        table_close(table);
    }
    return table->entries != NULL;
}

bool table_open(struct table *table, size_t bytes) {
    ASSERT(!table->entries || table->bytes > 0);
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
    free(table->touched);
    table->touched = NULL;
}

/* What was never written to is left alone: to clear it would be to touch it. */
void table_clear(struct table *table) {
    ASSERT(table->entries);
    char *memory = (char *)table->entries;
    size_t before = (uintptr_t)memory & (PAGE_BYTES - 1); /* of the first page, what lies before the table */
    for (size_t page = 0; page * PAGE_BYTES < before + table->bytes; page++) {
        size_t from = page ? page * PAGE_BYTES - before : 0;
        size_t end = (page + 1) * PAGE_BYTES - before;
        if (atomic_load_explicit(&table->touched[page], memory_order_relaxed)) {
            memset(memory + from, 0, (end < table->bytes ? end : table->bytes) - from);
        }
    }
    table->generation = 0;
}

void table_limit(struct table *table, size_t entries) {
    ASSERT(table->bucket_mask != UINT64_MAX);
    size_t buckets = 1;
    while (buckets < table->bytes / BUCKET_BYTES && buckets * TABLE_WAYS < entries) {
        buckets *= 2;
    }
    table->bucket_mask = buckets - 1;
}
