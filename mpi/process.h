/* The processes of an MPI job, for both of its users. */
#ifndef SORTIE_MPI_PROCESS_H
#define SORTIE_MPI_PROCESS_H

/* Begins MPI where that has not been done; it ends with the process. Which process this is. */
int process_rank(void);

#endif
