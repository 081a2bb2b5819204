/* All processes below one: how many there are, and their end. */
#ifndef SORTIE_SANDBOX_WARDEN_TREE_H
#define SORTIE_SANDBOX_WARDEN_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Enough to see that there are too many. */
#define TREE_MOST 1024

struct tree {
    pid_t processes[TREE_MOST];
    int count;
};

/* Lists everything below `parent`, without it, at most TREE_MOST. */
void tree_list(pid_t parent, struct tree *tree);
/* Kills the children of this process. */
void tree_kill_children(void);

/* Reads the beginning of /proc/PID/NAME as a string; false when it cannot be read. */
bool tree_read(pid_t pid, const char *name, char *bytes, size_t size);

/* Tasks of a user now, from /proc: the limit on processes counts all of a user, ours and others'. */
long tree_tasks_of_user(uid_t user);

#endif
