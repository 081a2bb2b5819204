/* Runs a match: worker processes play the games that are still missing, their results go to the store as
 * they come in.
 *
 * Workers are processes, not threads: each has its own CPU clock, a crash of an engine costs one game and not
 * the match, and the process that owns the store stays small and single-threaded. */
#ifndef SORTIE_MATCH_RUNNER_H
#define SORTIE_MATCH_RUNNER_H

#include <stdatomic.h>

#include "crew/crew.h"
#include "results/standings.h"
#include "results/store.h"

/* How things stand, for a progress line. */
struct runner_state {
    const struct plan *plan;
    struct standings *standings;
    int64_t done;
    int64_t left;        /* games still to play; an SPRT may end before */
    double seconds_left; /* a guess from the pace so far; negative when unknown */
    /* With an SPRT: judged over the pairs in the order of the plan without a gap, so that the decision does not
     * depend on which games happen to end first. */
    struct rating_pairs judged;
    double ratio;
    enum rating_verdict verdict;
};

struct runner_options {
    int concurrency;              /* without a crew */
    const struct crew_link *crew; /* other processes that play instead of our own; NULL: none */
    const atomic_bool *stop;      /* set from a signal handler: give up the games under way, keep the rest */
    void (*progress)(void *user, const struct runner_state *state); /* may be NULL; about five times a second */
    void *user;
};

/* Plays until nothing is missing, the SPRT is decided or *options->stop is set; *state (whose standings the
 * caller owns and frees) is the last state. The caller must have only one thread. */
enum status runner_run(const struct plan *plan, struct store *store, const struct runner_options *options,
                       struct standings *standings, struct runner_state *state, struct error *error);

/* What a helper of the crew does: plays the games it is given, with a worker of its own. */
enum status runner_help(const struct plan *plan, const struct crew_link *crew, struct error *error);

/* The plan as it is sent to helpers, and back. */
void runner_write_brief(const struct plan *plan, struct text *brief);
enum status runner_read_brief(struct plan *plan, struct text *brief, struct error *error);

#endif
