/* The line protocol, the engine's side: one command a line in, answers out (docs/protocol.md).
 *
 * Stands on the public API alone. A search runs on a thread of its own, so that stop, isready and quit are heard
 * meanwhile. Nothing that comes in ends the process: what is not understood is answered by one line "error ...". */
#ifndef SORTIE_PROTOCOLS_LINES_LINES_H
#define SORTIE_PROTOCOLS_LINES_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct lines;

struct lines_options {
    int threads;  /* 0: one */
    int hash_mib; /* 0: the usual */
    int overhead; /* milliseconds kept back of every clock; negative: the usual */
    /* Gets each answer without its line end, one at a time, from any thread. */
    void (*answer)(void *user, const char *line);
    void *user;
};

/* NULL when there is no memory. */
struct lines *lines_new(const struct lines_options *options, struct error *error);
/* Ends a search under way, whose move is answered first. */
void lines_free(struct lines *lines);

/* Takes one command line, without its line end. False after quit. */
bool lines_take(struct lines *lines, const char *bytes, size_t length);
/* Returns when the move being thought about, if any, is out. */
void lines_wait(struct lines *lines);

/* Reads commands from a descriptor until quit or the end of the input, which stops a search under way; returns the exit
 * status of the process. */
int lines_loop(const struct lines_options *options, int descriptor);

#endif
