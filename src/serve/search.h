/* One search in a thread of its own, read line by line by a connection. */
#ifndef SORTIE_SERVE_SEARCH_H
#define SORTIE_SERVE_SEARCH_H

#include <stddef.h>
#include <sys/types.h>

#include "protocols/ask.h"

struct search;

/* Takes over *ask. NULL when there is no memory or no thread; *ask is freed then too. The engine must not be used by
 * anybody else until search_free. */
struct search *search_start(struct ask *ask, sortie_engine *engine);

/* Waits a moment for something to send and copies it: 0 at the end of the answer. While the engine is silent a line end
 * comes now and then, so that a connection that was closed is noticed. */
size_t search_read(struct search *search, char *buffer, size_t most);

/* Stops the search if it still runs; returns once the engine is free again. */
void search_free(struct search *search);

#endif
