/* `sortie prove --map`: the map of the swap in one process. */
#ifndef SORTIE_CLI_SOLVING_PROVE_MAP_H
#define SORTIE_CLI_SOLVING_PROVE_MAP_H

#include <stddef.h>

struct prove_map_options {
    const char *folder; /* NULL: nothing is kept */
    const char *only;   /* squares; NULL: all */
    double seconds;
    int threads;
    size_t hash_bytes;
    int still_open; /* the exit status when squares are left */
};

/* Works on the map and prints what is settled; the exit status. */
int prove_map_here(const struct prove_map_options *options);

#endif
