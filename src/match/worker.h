/* One worker process: asks for nothing, gets the numbers of games, answers with records. */
#ifndef SORTIE_MATCH_WORKER_H
#define SORTIE_MATCH_WORKER_H

#include <stdatomic.h>
#include <sys/types.h>

#include "results/record.h"

/* Shared memory: whom the worker is asking, for the case that it dies while a built-in player thinks. */
struct worker_note {
    atomic_int turn;
};

struct worker {
    pid_t pid;
    int socket;
    struct worker_note *note; /* shared */
    bool busy;
    int64_t game; /* under way, when busy */
};

/* Forks a worker for the plan, which must not change any more. The caller must have only one thread. */
enum status worker_start(struct worker *worker, const struct plan *plan, struct error *error);
/* Hands it a game; false when it is gone. */
bool worker_give(struct worker *worker, int64_t game);
enum worker_news {
    WORKER_RECORD, /* *record is filled */
    WORKER_FAILED, /* the machine failed it: *error has the text */
    WORKER_GONE    /* it died */
};
/* Reads its answer; call it when the socket has something to read. */
enum worker_news worker_hear(struct worker *worker, struct record *record, struct error *error);
/* It died: the built-in player it was asking has crashed and loses; *record says so, and a new worker is in its place.
 * A failure where it did not crash but was killed. */
enum status worker_bury(struct worker *worker, const struct plan *plan, struct record *record, struct error *error);
/* Ends it and waits for it; *status (may be NULL) is how it ended as waitpid tells. */
void worker_end(struct worker *worker, bool kill_it, int *status);

#endif
