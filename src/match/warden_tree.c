#include "match/warden_tree.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Reads the beginning of /proc/PID/NAME as a string; false when it cannot be read. */
static bool read_about(pid_t pid, const char *name, char *bytes, size_t size) {
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
        const char *behind_name = pid > 0 && read_about(pid, "stat", line, sizeof line) ? strrchr(line, ')') : NULL;
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
    if (!read_about(parent, name, bytes, sizeof bytes)) {
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

/* -- measuring -- */

/* The number of KiB behind a name at the beginning of a line, in bytes. */
static uint64_t line_bytes(const char *text, const char *name) {
    const char *at = strstr(text, name);
    return at ? strtoull(at + strlen(name), NULL, 10) * 1024 : 0;
}

static double live_seconds(pid_t pid) {
    clockid_t clock;
    struct timespec used;
    return clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &used) == 0
               ? (double)used.tv_sec + 1e-9 * (double)used.tv_nsec
               : 0.0;
}

/* Memory that is the process's own or shared, but not that of the files it runs. */
static uint64_t resident_bytes(pid_t pid) {
    char text[4096];
    return read_about(pid, "status", text, sizeof text)
               ? line_bytes(text, "\nRssAnon:") + line_bytes(text, "\nRssShmem:") + line_bytes(text, "\nVmSwap:")
               : 0;
}

void tree_measure(const struct tree *tree, struct tree_use *use) {
    double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
    *use = (struct tree_use){0};
    for (int i = 0; i < tree->count; i++) {
        char text[4096];
        unsigned long long user = 0;
        unsigned long long children_user = 0;
        unsigned long long children_system = 0;
        const char *behind_name = read_about(tree->processes[i], "stat", text, sizeof text) ? strrchr(text, ')') : NULL;
        if (behind_name && sscanf(behind_name + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %*u %llu %llu",
                                  &user, &children_user, &children_system) == 3) {
            use->user_seconds += (double)(user + children_user) * tick;
            use->cpu_seconds += live_seconds(tree->processes[i]) + (double)(children_user + children_system) * tick;
        }
        use->bytes += resident_bytes(tree->processes[i]);
    }
}

uint64_t tree_memory(const struct tree *tree) {
    uint64_t bytes = 0;
    for (int i = 0; i < tree->count; i++) {
        char text[4096];
        if (read_about(tree->processes[i], "smaps_rollup", text, sizeof text)) {
            bytes +=
                line_bytes(text, "\nPss_Anon:") + line_bytes(text, "\nPss_Shmem:") + line_bytes(text, "\nSwapPss:");
        } else {
            bytes += resident_bytes(tree->processes[i]);
        }
    }
    return bytes;
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
