#include "games/laser/kernel/laser_table.h"

#include "base/assert.h"

/* The data word: lower and upper bound, 16 bits each, the square, 11 bits, the weight, 10 bits, and one bit that
 * is always set, so that an empty entry never looks like a full one. */
static uint64_t laser_table_pack(struct laser_hit hit, int weight) {
    ASSERT(hit.square >= 0 && hit.square <= LASER_NO_SQUARE);
    return (uint64_t)(uint16_t)hit.lower | (uint64_t)(uint16_t)hit.upper << 16 | (uint64_t)(hit.square & 2047) << 32 |
           (uint64_t)(weight & 1023) << 43 | 1ULL << 63;
}

static int weight_of(uint64_t data, unsigned generation) {
    (void)generation;
    return (int)(data >> 43 & 1023);
}

bool laser_table_probe(const struct table *table, struct table_key key, struct laser_hit *hit) {
    uint64_t data = table_probe(table, key);
    if (!data) {
        return false;
    }
    hit->lower = (int16_t)(uint16_t)data;
    hit->upper = (int16_t)(uint16_t)(data >> 16);
    hit->square = (int)(data >> 32 & 2047);
    return true;
}

/* Three entries of a bucket go to the heaviest positions; what is lighter than all of them takes the last. */
bool laser_table_store(struct table *table, struct table_key key, struct laser_hit hit, int weight) {
    ASSERT(weight >= 0 && weight <= 1023);
    return table_store(table, key, laser_table_pack(hit, weight), weight + 1, weight_of);
}
