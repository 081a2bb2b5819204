/* The squares of the swap map, proved as far as time allows: for which first stones its owner wins, and for which the
 * other side does. */
#ifndef SORTIE_PROVE_CREW_PROVE_MAP_H
#define SORTIE_PROVE_CREW_PROVE_MAP_H

#include "crew/crew.h"
#include "prove/question.h"

/* What is wanted of the map, and who hears of it. */
struct prove_map {
    const struct question_settings *settings; /* the seconds are for all squares; those left open share what is left */
    struct proved *proved;                    /* what is proved goes there, and a later run carries on from it */
    FILE *stream;                             /* gets the certificates of settled squares; NULL: they are not built */
    /* Called for a square of gomoku_swap_square that is settled, and in the end for each that is not. */
    void (*told)(void *user, int index, const struct question *question);
    void *user;
};

/* Works through the 36 squares that differ by symmetry, all at once, over the processes of an MPI job; *open says how
 * many are left. */
enum status prove_map_crew(const struct prove_map *map, const struct crew_link *link, int *open, struct error *error);

#endif
