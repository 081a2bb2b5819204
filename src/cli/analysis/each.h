/* Every position of a recorded game or tree of Gomoku, one after the other. */
#ifndef SORTIE_CLI_ANALYSIS_EACH_H
#define SORTIE_CLI_ANALYSIS_EACH_H

#include "cli/cli.h"

/* A position on the way through a file. */
struct each {
    const sortie_position *position;
    const char *played; /* the move that led to it; "" at the beginning */
    int ply;            /* stones on the board */
    int number;         /* of the position, from 1, in the order of the visits */
    int count;          /* of all of them */
};

/* Visits the positions of a file in which a move is left, those at the ends first: what is found there helps before.
 * `visit` returns an exit status; other than 0 ends it. Prints what is wrong with the file and returns the exit
 * status. */
int each_position(const char *file, const struct cli_source *source, int (*visit)(void *user, const struct each *each),
                  void *user);

#endif
