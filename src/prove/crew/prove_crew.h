/* Proving over the processes of an MPI job: the first keeps what is proved and the top of each proof, the others search
 * the positions below it, each for a moment at a time. */
#ifndef SORTIE_PROVE_CREW_PROVE_CREW_H
#define SORTIE_PROVE_CREW_PROVE_CREW_H

#include "crew/crew.h"
#include "prove/question.h"

/* One position that is asked about. */
struct prove_target {
    struct gomoku_position position;
    bool wanted[ANSWER_COUNT];
    struct question question; /* what came of it: an answer, or the numbers so far */
};

struct prove_crew {
    const struct crew_link *link;
    const struct question_settings *settings; /* seconds and nodes are for all targets together */
    struct proved *proved;
    struct prove_target *targets;
    int count;
    FILE *certificates;                     /* of what is settled, one after the other; NULL: nowhere */
    void (*settled)(void *user, int index); /* is told of each; may be NULL */
    void (*progress)(void *user, int jobs, uint64_t nodes, size_t proved); /* a few times a second; may be NULL */
    void *user;
};

/* What the leader does; ends when all is settled, or time, nodes or patience are used up. As everywhere an answer is
 * only given once its whole proof is built. */
enum status prove_crew_lead(const struct prove_crew *crew, struct error *error);

/* What the others do. */
enum status prove_crew_help(const struct crew_link *link, const struct question_settings *settings,
                            struct error *error);

#endif
