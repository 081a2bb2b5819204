/* The greatest of many keys, for searches that take their moves best first but rarely need more than a few of them. */
#ifndef SORTIE_BASE_GREATEST_H
#define SORTIE_BASE_GREATEST_H

#include <stdint.h>
#include <string.h>

#include "base/assert.h"

/* The index of the greatest key from `from` on, the first one of equals; at least one key is there. Four at a time:
 * each lane keeps its own greatest one and where it was. */
static inline int greatest_from(const int32_t *keys, int from, int count) {
    ASSERT(from >= 0 && from < count);
    typedef int32_t lanes __attribute__((vector_size(16)));
    int32_t best = keys[from];
    int where = from;
    int i = from + 1;
    if (count - i >= 4) {
        lanes most = (lanes){0} + best;
        lanes place = (lanes){0} + from;
        lanes at = (lanes){0, 1, 2, 3} + i;
        for (; i + 4 <= count; i += 4) {
            lanes four;
            memcpy(&four, keys + i, sizeof four);
            lanes more = four > most;
            most = (four & more) | (most & ~more);
            place = (at & more) | (place & ~more);
            at += 4;
        }
        for (int lane = 0; lane < 4; lane++) {
            if (most[lane] > best || (most[lane] == best && place[lane] < where)) {
                best = most[lane];
                where = place[lane];
            }
        }
    }
    for (; i < count; i++) {
        if (keys[i] > best) {
            best = keys[i];
            where = i;
        }
    }
    return where;
}

#endif
