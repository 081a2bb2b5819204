/* The map of the swap: for which first stones on 15x15 the stone's owner wins, and for which the other side does. All
 * threads work on it, square after square: what is settled guides what is next to it. A folder keeps what is proved, so
 * that a run may end at any moment and the next one carries on. For a square, G8 say, it has
 *
 *     G8.store   positions and the hero's moves: of the proofs of single replies, then those of the whole proof
 *     G8.core    the core of the proof that settles it, which the checker has accepted
 *     G8.txt     a line about it
 *
 * start.core, of the empty board, is a guide too. Of a core whose store is not there the moves are learned first. */
#ifndef SORTIE_PROVE_MAP_MAP_H
#define SORTIE_PROVE_MAP_MAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* How a square stands. */
enum map_state { MAP_OPEN, MAP_OWNER_WINS, MAP_OTHER_WINS };

struct map_news {
    int index; /* of gomoku_swap_square */
    enum map_state state;
    const char *line; /* about it, without its name */
};

struct map_settings {
    const char *folder; /* NULL: nothing is kept */
    double seconds;     /* for all of it; what is under way then is lost, of one question each */
    int threads;
    size_t hash_bytes; /* of all tables together */
    const char *only;  /* squares to work on, "G8,F8"; NULL: all */
    const atomic_bool *stop;
    /* Told of each square that becomes settled, and in the end of all. Not from two threads at once. */
    void (*told)(void *user, const struct map_news *news, bool end);
    /* What is done at the moment, a line; a few times a second. */
    void (*progress)(void *user, const char *line);
    void *user;
};

/* Works on the map; *open says how many of the 36 squares are left, and *proved how many positions are known. */
enum status map_prove(const struct map_settings *settings, int *open, size_t *proved, struct error *error);

#endif
