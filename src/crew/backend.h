/* Shared objects that lend the program more machines than one processor: a graphics card, several machines. They lie
 * beside the program or in its library folder, and are missing where they were not built. */
#ifndef SORTIE_CREW_BACKEND_H
#define SORTIE_CREW_BACKEND_H

#include <stdbool.h>

/* The symbol of sortie-NAME.so, or NULL when there is no such file or it cannot be loaded here. */
void *backend_load(const char *name, const char *symbol);

/* Whether this process was started by mpirun or srun, with others. */
bool backend_one_of_many(void);

/* Whether another of them is the first. What all of them find out alike, such as a bad option, the first one says. */
bool backend_helps(void);

#endif
