/* A crew whose other processes are a script: what the leader tells them is kept, what they answer is made up. For tests
 * of messages that no honest process sends. One at a time, of one thread. */
#ifndef SORTIE_TESTS_LIAR_H
#define SORTIE_TESTS_LIAR_H

#include <stdatomic.h>

#include "crew/crew.h"
#include "results/plan.h"

#define LIAR_SIZE 3 /* processes, the leader included */

struct liar {
    /* Makes the next message to us and says from whom it is; -1 when the script is over, which also sets `stop`. */
    int (*speak)(void *user, struct liar *liar, struct text *message);
    void *user;
    atomic_bool stop;         /* for the leader to end by */
    int rank;                 /* of us: 0 leads */
    int64_t units[LIAR_SIZE]; /* the last each helper was given; -1: none */
    struct text pending;      /* said but not heard yet */
    int pending_from;
    int told; /* messages that came from us */
};

void liar_init(struct liar *liar, int rank, int (*speak)(void *, struct liar *, struct text *), void *user);
void liar_free(struct liar *liar);
/* The link to it; holds until the next call. */
const struct crew_link *liar_link(struct liar *liar);

/* What an honest helper might have answered to a unit of each kind of work. */
void liar_honest_game(const struct plan *plan, int64_t unit, struct text *answer);
void liar_honest_squares(int64_t unit, struct text *answer);
void liar_honest_job(int64_t unit, struct text *answer);

/* Any answer to a unit of squares: the value of the search, and games won, drawn and lost. */
void liar_squares(struct text *answer, int64_t unit, int64_t value, const int games[3]);

#endif
