/* All processes below one: how many there are, what they use, and their end. */
#ifndef SORTIE_MATCH_WARDEN_TREE_H
#define SORTIE_MATCH_WARDEN_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Enough to see that there are too many. */
#define TREE_MOST 1024

struct tree {
    pid_t processes[TREE_MOST];
    int count;
};

struct tree_use {
    double user_seconds; /* of those that live and of those they have waited for; steps of 10 ms */
    double cpu_seconds;  /* user and system, exact for those that live */
    uint64_t bytes;      /* of memory; may count shared pages once a process */
};

/* Lists everything below `parent`, without it, at most TREE_MOST. */
void tree_list(pid_t parent, struct tree *tree);
void tree_measure(const struct tree *tree, struct tree_use *use);
/* Their memory with every shared page counted once; slower. */
uint64_t tree_memory(const struct tree *tree);
/* Kills the children of this process. */
void tree_kill_children(void);

/* Tasks of a user now, from /proc: the limit on processes counts all of a user, ours and others'. */
long tree_tasks_of_user(uid_t user);

#endif
