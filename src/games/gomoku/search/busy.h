/* ABDADA's marks: which moves the threads of a search are at, so that two do not search the same one at the same time.
 * Whoever finds another at a move looks at the next ones first, and by the time it comes back the table mostly knows
 * the move.
 *
 * A move is known by the hash of the position it leads to. A place holds one of them; when two moves want the same, the
 * later one has it, and the other is searched twice at worst. */
#ifndef SORTIE_GAMES_GOMOKU_SEARCH_BUSY_H
#define SORTIE_GAMES_GOMOKU_SEARCH_BUSY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define BUSY_PLACES 4096

struct busy {
    _Atomic uint64_t places[BUSY_PLACES];
};

static inline bool busy_has(const struct busy *busy, uint64_t hash) {
    return atomic_load_explicit(&busy->places[hash % BUSY_PLACES], memory_order_relaxed) == hash;
}

static inline void busy_enter(struct busy *busy, uint64_t hash) {
    atomic_store_explicit(&busy->places[hash % BUSY_PLACES], hash, memory_order_relaxed);
}

static inline void busy_leave(struct busy *busy, uint64_t hash) {
    if (busy_has(busy, hash)) {
        atomic_store_explicit(&busy->places[hash % BUSY_PLACES], 0, memory_order_relaxed);
    }
}

#endif
