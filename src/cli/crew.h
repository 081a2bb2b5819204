/* A command whose work is spread over the processes of an MPI job. */
#ifndef SORTIE_CLI_CREW_H
#define SORTIE_CLI_CREW_H

#include "crew/crew.h"

/* *link is NULL where there is only this process. 0, or the exit status when the job cannot be joined. */
int cli_join_crew(const char *command, const struct crew_link **link);

#endif
