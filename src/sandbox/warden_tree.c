#include "sandbox/warden_tree.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool tree_read(pid_t pid, const char *name, char *bytes, size_t size) {
    char path[80];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, bytes, size - 1) : -1;
    if (file >= 0) {
        close(file);
    }
    bytes[got > 0 ? got : 0] = '\0';
    return got > 0;
}

/* -- listing -- */

/* Where the kernel keeps no list of children: looks at the parent of every process. */
static void search_children(pid_t parent, struct tree *tree) {
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    while (folder && tree->count < TREE_MOST && (entry = readdir(folder)) != NULL) {
        char line[512];
        pid_t pid = isdigit((unsigned char)entry->d_name[0]) ? (pid_t)atoi(entry->d_name) : 0;
        /* The name stands in parentheses and may hold anything; the state and the parent follow it. */
        const char *behind_name = pid > 0 && tree_read(pid, "stat", line, sizeof line) ? strrchr(line, ')') : NULL;
        int its_parent;
        if (behind_name && sscanf(behind_name + 1, " %*c %d", &its_parent) == 1 && its_parent == parent) {
            tree->processes[tree->count++] = pid;
        }
    }
    if (folder) {
        closedir(folder);
    }
}

static void add_children(pid_t parent, pid_t task, struct tree *tree) {
    char name[40];
    char bytes[16384];
    snprintf(name, sizeof name, "task/%d/children", (int)task);
    if (!tree_read(parent, name, bytes, sizeof bytes)) {
        return;
    }
    char *end;
    for (char *at = bytes; tree->count < TREE_MOST; at = end) {
        long child = strtol(at, &end, 10);
        if (end == at) {
            break;
        }
        tree->processes[tree->count++] = (pid_t)child;
    }
}

/* Children belong to the thread that forked them. */
static void add_children_of_threads(pid_t parent, struct tree *tree) {
    char path[60];
    snprintf(path, sizeof path, "/proc/%d/task", (int)parent);
    struct stat about;
    if (stat(path, &about) == 0 && about.st_nlink == 3) {
        add_children(parent, parent, tree); /* one thread, as nearly always */
        return;
    }
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && tree->count < TREE_MOST && (entry = readdir(folder)) != NULL) {
        if (isdigit((unsigned char)entry->d_name[0])) {
            add_children(parent, (pid_t)atoi(entry->d_name), tree);
        }
    }
    if (folder) {
        closedir(folder);
    }
}

static void list_children(pid_t parent, struct tree *tree) {
    static int has_lists = -1;
    if (has_lists < 0) {
        char path[60];
        snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)getpid(), (int)getpid());
        has_lists = access(path, R_OK) == 0;
    }
    if (has_lists) {
        add_children_of_threads(parent, tree);
    } else {
        search_children(parent, tree);
    }
}

void tree_list(pid_t parent, struct tree *tree) {
    tree->count = 0;
    list_children(parent, tree);
    for (int i = 0; i < tree->count; i++) {
        list_children(tree->processes[i], tree);
    }
}

/* -- the rest -- */

void tree_kill_children(void) {
    /* Ours alone: nobody else can reap them, so that the numbers cannot have come to mean other processes. */
    struct tree children = {.count = 0};
    list_children(getpid(), &children);
    for (int i = 0; i < children.count; i++) {
        kill(children.processes[i], SIGKILL);
    }
}

long tree_tasks_of_user(uid_t user) {
    long tasks = 0;
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        char path[300];
        struct stat about;
        snprintf(path, sizeof path, "/proc/%s/task", entry->d_name);
        if (isdigit((unsigned char)entry->d_name[0]) && stat(path, &about) == 0 && about.st_uid == user) {
            tasks += (long)about.st_nlink - 2;
        }
    }
    if (folder) {
        closedir(folder);
    }
    return tasks;
}
