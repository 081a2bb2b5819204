#include "prove/search/pn.h"

#include <string.h>

#include "system/pages.h"

#define GROUP 4

bool pn_table_make(struct pn_table *table, size_t bytes) {
    size_t groups = 1;
    while (groups * 2 * GROUP * sizeof *table->entries <= bytes) {
        groups *= 2;
    }
    *table = (struct pn_table){.mask = groups - 1};
    table->entries = pages_new(groups * GROUP * sizeof *table->entries);
    return table->entries != NULL;
}

void pn_table_free(struct pn_table *table) {
    if (table->entries) {
        pages_free(table->entries, (table->mask + 1) * GROUP * sizeof *table->entries);
    }
    table->entries = NULL;
}

void pn_table_clear(struct pn_table *table) {
    memset(table->entries, 0, (table->mask + 1) * GROUP * sizeof *table->entries);
}

void pn_table_prepare(const struct pn_table *table, uint64_t key) {
    const struct pn_entry *group = &table->entries[(key & table->mask) * GROUP];
    __builtin_prefetch(group);
    __builtin_prefetch((const char *)(group + GROUP) - 1);
}

const struct pn_entry *pn_table_find(struct pn_table *table, uint64_t key) {
    const struct pn_entry *group = &table->entries[(key & table->mask) * GROUP];
    table->probes++;
    for (int i = 0; i < GROUP; i++) {
        if (group[i].key == key) {
            table->hits++;
            return &group[i];
        }
    }
    return NULL;
}

void pn_table_keep(struct pn_table *table, const struct pn_entry *entry) {
    struct pn_entry *group = &table->entries[(entry->key & table->mask) * GROUP];
    struct pn_entry *least = group;
    for (int i = 0; i < GROUP; i++) {
        if (group[i].key == entry->key) {
            least = &group[i];
            break;
        }
        if (group[i].work < least->work) {
            least = &group[i];
        }
    }
    *least = *entry;
}

/* A child's delta as its brothers see it. */
static uint32_t weighed(const struct pn_child *child) {
    uint32_t delta = child->value.delta;
    return child->weight <= 1 || delta >= PN_NEVER ? delta
           : delta < PN_NEVER / child->weight      ? delta * child->weight
                                                   : PN_NEVER - 1;
}

struct pn_value pn_gather(struct pn_children *children) {
    struct pn_value value = {PN_NEVER, 0};
    children->best = -1;
    children->open = 0;
    children->next_delta = PN_NEVER;
    for (int i = 0; i < children->count; i++) {
        struct pn_value child = children->list[i].value;
        if (child.phi > 0) {
            children->open++;
            value.delta = child.phi > value.delta ? child.phi : value.delta;
        }
        uint32_t delta = weighed(&children->list[i]);
        if (delta < value.phi) {
            children->next_delta = value.phi;
            value.phi = delta;
            children->best = i;
        } else if (delta < children->next_delta) {
            children->next_delta = delta;
        }
    }
    if (value.phi == 0) {
        return PN_REACHED;
    }
    if (children->open == 0) {
        return PN_FAILED;
    }
    value.delta += children->open - 1;
    return value;
}

struct pn_value pn_limits(const struct pn_children *children, struct pn_value limits, uint32_t slack) {
    /* A little more than the second best, so that two brothers of like numbers do not take turns. */
    uint32_t next = children->next_delta;
    uint32_t delta = next >= PN_NEVER / 4 ? PN_NEVER
                     : children->patient  ? 3 * next + 100
                                          : next + next * slack / 100 + 1;
    uint32_t others = children->open - 1;
    uint32_t weight = children->list[children->best].weight;
    delta = delta < limits.phi ? delta : limits.phi;
    return (struct pn_value){
        .phi = limits.delta >= PN_NEVER ? PN_NEVER : limits.delta - others,
        .delta = weight <= 1 || delta >= PN_NEVER ? delta : delta / weight + 1,
    };
}
