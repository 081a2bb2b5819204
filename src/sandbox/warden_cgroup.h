/* A control group (version 2) of the warden's own, where the system lends one: then the kernel itself counts the
 * memory, tasks and CPU time of all processes of a run together. Whatever part of it is missing is watched from
 * outside. */
#ifndef SORTIE_SANDBOX_WARDEN_CGROUP_H
#define SORTIE_SANDBOX_WARDEN_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

struct cgroup {
    int parent; /* -1: no group */
    int group;  /* the folder of the group */
    char name[40];
    bool counts_memory; /* the controllers that are there */
    bool counts_tasks;
    uint64_t user_before; /* of the runs before, in microseconds */
    uint64_t total_before;
    uint64_t kills_before; /* times the kernel ended a process for its memory */
};

/* Makes the group below `root`, the folder of a group that is ours to divide; NULL: looks for one. False when there is
 * none. Must be called while the system's own /sys is still to be seen. */
bool cgroup_open(struct cgroup *cgroup, const char *root);
/* A run begins, with these limits. */
void cgroup_begin(struct cgroup *cgroup, uint64_t memory_bytes, uint64_t tasks);
/* Puts the calling process into the group. */
void cgroup_join(const struct cgroup *cgroup);
/* Seconds of CPU time of the run so far, user alone and all; false when nothing counts them. */
bool cgroup_time(const struct cgroup *cgroup, double *user, double *total);
/* Whether the kernel ended a process of the run for its memory. */
bool cgroup_out_of_memory(const struct cgroup *cgroup);
void cgroup_kill(const struct cgroup *cgroup);
void cgroup_close(struct cgroup *cgroup);

#endif
