/* How long a run was ready to work and got no processor, and how long it had nothing to do. A machine that is busy with
 * other things makes a program late by the wall clock and not by its own doing; one that sleeps is late by its own.
 *
 * The kernel tells of every thread how long it has waited for a processor, once it gets one. Where it tells nothing, a
 * run that used some time since the look before counts as one that had something to do. */
#ifndef SORTIE_SANDBOX_WARDEN_WAIT_H
#define SORTIE_SANDBOX_WARDEN_WAIT_H

#include "sandbox/warden_tree.h"

struct wait {
    double looked;  /* when; the run's beginning at first */
    double cpu;     /* seconds the run had used by then, */
    double delayed; /* and those its living threads had waited for a processor */
    double idle;    /* seconds without anything to do so far */
    double starved; /* seconds that others had the processor */
};

void wait_begin(struct wait *wait, double now);
/* Whether the next look is due. */
bool wait_is_due(const struct wait *wait, double now);
/* Looks at the threads of the run, which has used `cpu_seconds` in all so far. */
void wait_look(struct wait *wait, const struct tree *tree, double now, double cpu_seconds);
/* What a look does, with the seconds the threads have waited so far; less than 0: nobody tells. */
void wait_add(struct wait *wait, double now, double cpu_seconds, double delayed);

#endif
