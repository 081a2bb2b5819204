/* The Gomocup (piskvork) protocol, the brain's side: one command a line in, answers out.
 *
 * Thinking runs on a thread of its own, so that STOP and END are heard meanwhile and the answer is out when it is due
 * (gomocup_thinker.h); every other command waits for the move to be out. Nothing that comes in can end the process or
 * make an illegal move go out: what is not understood is answered by ERROR or UNKNOWN. */
#ifndef SORTIE_PROTOCOLS_GOMOCUP_GOMOCUP_H
#define SORTIE_PROTOCOLS_GOMOCUP_GOMOCUP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct gomocup;
struct gomocup_store;

struct gomocup_options {
    int threads;                       /* 0: one */
    size_t hash_bytes;                 /* 0: the usual; max_memory lowers it */
    bool no_book;                      /* leave the opening book beside the program alone */
    const struct gomocup_store *store; /* a database for analysis boards (gomocup_store.h); NULL: none */
    const char *store_path;            /* the one that is used where a board names none and it is there; may be NULL */
    /* Gets each answer without its line end, one at a time. */
    void (*answer)(void *user, const char *line);
    void *user;
};

/* NULL when there is no memory. */
struct gomocup *gomocup_new(const struct gomocup_options *options, struct error *error);
/* Ends a thinking under way, without waiting for its move to be good. */
void gomocup_free(struct gomocup *gomocup);

/* Takes one command line, without its line end. False after END. */
bool gomocup_line(struct gomocup *gomocup, const char *bytes, size_t length);

/* Returns when the move being thought about, if any, is out. */
void gomocup_wait(struct gomocup *gomocup);

/* Reads commands from a descriptor until END or the end of the input, which ends a thinking under way; returns the exit
 * status of the process. */
int gomocup_loop(const struct gomocup_options *options, int descriptor);

#endif
