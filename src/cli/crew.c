#include "cli/crew.h"

#include "cli/cli.h"
#include "crew/backend.h"

int cli_join_crew(const char *command, const struct crew_link **link) {
    *link = NULL;
    if (!backend_one_of_many()) {
        return 0;
    }
    *link = backend_load("mpi", CREW_LINK_SYMBOL);
    cli_control(); /* one that died of an interrupt would end the job before the first has said what it has */
    return *link ? 0 : cli_usage("%s: started by mpirun, but this program was built without the MPI backend", command);
}
