/* The squares of the swap map, proved as far as time allows: for which first stones its owner wins, and for which the
 * other side does. */
#ifndef SORTIE_CLI_PROVE_MAP_H
#define SORTIE_CLI_PROVE_MAP_H

#include "match/crew.h"
#include "prove/question.h"

/* Works through the 36 squares that differ by symmetry; settings->seconds are for all of them, those left open share
 * what is left. What is proved goes into *proved, from which a later run carries on, and the certificates of settled
 * squares one after the other into `stream` unless that is NULL. Prints a line a square and returns the exit status: 0
 * when all are settled, `open_status` otherwise. */
int prove_map(const struct question_settings *settings, struct proved *proved, FILE *stream, int open_status);

/* The same over the processes of an MPI job, all squares at once. */
int prove_map_crew(const struct crew_link *link, const struct question_settings *settings, struct proved *proved,
                   FILE *stream, int open_status);

#endif
