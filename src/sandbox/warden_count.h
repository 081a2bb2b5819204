/* What the processes of a run use, seen from outside: their CPU time and their memory. Where a control group counts
 * one of the two, this is not asked about it.
 *
 * A process tells its own time and that of the children it has waited for. The time of a child that nobody waits for
 * (its parent ignores SIGCHLD) is told by nobody once it is gone. So every look remembers what each process had;
 * whoever is gone at the next look without somebody having inherited its time is charged here, with what was seen of it
 * and with what it may have used since at the pace it had. Looks come at moments a program cannot foresee: so children
 * too short to be seen every time are charged as a whole what they used, on the average. */
#ifndef SORTIE_SANDBOX_WARDEN_COUNT_H
#define SORTIE_SANDBOX_WARDEN_COUNT_H

#include "sandbox/warden_tree.h"

#include <stdint.h>

/* A process as it was at the last look. */
struct count_process {
    pid_t pid;
    unsigned long long start; /* ticks; with the number it names a process for ever */
    double own;               /* CPU seconds */
    double children;          /* of those it has waited for */
    double pace;              /* of a core, since it began */
};

struct count_use {
    double user_seconds; /* of those that live and of those they have waited for; steps of 10 ms */
    double cpu_seconds;  /* user and system, exact for those that live */
    uint64_t bytes;      /* of memory; may count shared pages once a process */
};

struct count {
    struct count_process seen[TREE_MOST];
    int seen_count;
    double looked;   /* when; 0: never */
    double reaped;   /* seconds of what the warden itself had reaped by then */
    double owed;     /* seconds seen of processes that are gone, less what somebody inherited */
    double whole;    /* the same with what they may have used unseen */
    double lost;     /* seconds that are charged for them */
    long last_birth; /* number of the newest process */
    bool births;     /* more processes began since the look before than were seen */
};

/* A run begins. */
void count_begin(struct count *count);
/* Looks at the processes; `reaped` is what the warden itself has reaped of the run so far, in CPU seconds. */
void count_look(struct count *count, const struct tree *tree, double reaped, struct count_use *use);

/* Memory of the processes: their own, the tables of pages, huge pages, and pieces of shared memory, each once and as no
 * less than `piece`; of shared anonymous memory that is in no process's count, it sees that it is there. `exact` counts
 * each page once that several have after a fork; that is slower. More than `most` may be less than it is. */
uint64_t count_memory(const struct tree *tree, uint64_t piece, uint64_t most, bool exact);
/* The cheap part of it, for a run whose limit is not kept here. */
uint64_t count_resident(const struct tree *tree);

#endif
