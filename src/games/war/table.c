#include "games/war/table.h"

#include "base/pages.h"

bool war_table_open(struct war_table *table, size_t bytes) {
    size_t buckets = 64;
    while (buckets * 2 * WAR_TABLE_WAYS * sizeof(struct war_table_entry) <= bytes) {
        buckets *= 2;
    }
    table->bytes = buckets * WAR_TABLE_WAYS * sizeof(struct war_table_entry);
    table->bucket_mask = buckets - 1;
    table->entries = pages_new(table->bytes);
    return table->entries != NULL;
}

void war_table_close(struct war_table *table) {
    if (table->entries) {
        pages_free(table->entries, table->bytes);
    }
    table->entries = NULL;
}

void war_table_clear(struct war_table *table) {
    size_t count = (table->bucket_mask + 1) * WAR_TABLE_WAYS;
    for (size_t i = 0; i < count; i++) {
        atomic_store_explicit(&table->entries[i].check, 0, memory_order_relaxed);
        atomic_store_explicit(&table->entries[i].data, 0, memory_order_relaxed);
    }
}
