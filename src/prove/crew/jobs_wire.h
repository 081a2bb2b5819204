/* What a leader and a helper tell each other about a job: numbers, and behind them what is proved, as the records of a
 * store. */
#ifndef SORTIE_PROVE_CREW_JOBS_WIRE_H
#define SORTIE_PROVE_CREW_JOBS_WIRE_H

#include "base/text.h"
#include "prove/question.h"

/* A position to be searched for one answer. */
struct job_order {
    enum question_answer answer;
    int64_t milliseconds;
    uint64_t nodes; /* 0: no limit */
    struct gomoku_position position;
    const char *records; /* borrowed: what others have proved */
    size_t length;
};

/* What came of it. */
struct job_result {
    int64_t job;
    struct pn_value numbers; /* for the hero; a proof number of 0: proved */
    uint64_t nodes;
    uint64_t threat_nodes;
    uint64_t probes;
    uint64_t hits;
    const char *records; /* borrowed: what was proved on the way */
    size_t length;
};

void job_order_write(const struct job_order *order, struct text *bytes);
/* The position is one of freestyle Gomoku that is not over. */
enum status job_order_read(struct job_order *order, const char *bytes, size_t length, struct error *error);

void job_result_write(const struct job_result *result, struct text *bytes);
enum status job_result_read(struct job_result *result, const char *bytes, size_t length, struct error *error);

#endif
