#include "sandbox/warden_cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* -- files of a group -- */

static bool write_to(int group, const char *name, const char *text) {
    int file = openat(group, name, O_WRONLY | O_CLOEXEC);
    bool well = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0) {
        close(file);
    }
    return well;
}

static bool read_from(int group, const char *name, char *bytes, size_t size) {
    int file = openat(group, name, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, bytes, size - 1) : -1;
    if (file >= 0) {
        close(file);
    }
    bytes[got > 0 ? got : 0] = '\0';
    return got >= 0;
}

/* The number behind a name that begins a line. */
static uint64_t number_in(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        if (strncmp(line, name, length) == 0 && line[length] == ' ') {
            return strtoull(line + length, NULL, 10);
        }
    }
    return 0;
}

/* Whether a list of words holds one. */
static bool lists(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        if ((at == text || at[-1] == ' ') && strchr(" \n", at[length])) {
            return true;
        }
    }
    return false;
}

/* -- finding one -- */

/* Our own group as a path; root takes the whole tree's first folder, where no process is in the way. */
static bool find_root(char path[PATH_MAX]) {
    char line[PATH_MAX] = "";
    char own[PATH_MAX] = "";
    FILE *mounts = setmntent("/proc/self/mounts", "re");
    struct mntent *mount;
    path[0] = '\0';
    while (mounts && !path[0] && (mount = getmntent(mounts)) != NULL) {
        if (strcmp(mount->mnt_type, "cgroup2") == 0) {
            snprintf(path, PATH_MAX, "%s", mount->mnt_dir);
        }
    }
    if (mounts) {
        endmntent(mounts);
    }
    if (path[0] && geteuid() != 0) {
        FILE *file = fopen("/proc/self/cgroup", "re");
        while (file && fgets(line, sizeof line, file)) {
            if (strncmp(line, "0::/", 4) == 0) {
                line[strcspn(line, "\n")] = '\0';
                snprintf(own, sizeof own, "%s", line + 3);
            }
        }
        if (file) {
            fclose(file);
        }
        size_t length = strlen(path);
        snprintf(path + length, PATH_MAX - length, "%s", own);
    }
    return path[0] != '\0';
}

/* A group with processes of its own cannot be divided: they go into a group below it, if all of them are ours. */
static bool step_down(int parent) {
    char list[8192];
    char own[PATH_MAX];
    char other[PATH_MAX];
    char path[60];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own);
    if (length < 0 || !read_from(parent, "cgroup.procs", list, sizeof list)) {
        return false;
    }
    for (char *at = list; *at; at = strchr(at, '\n') + 1) {
        snprintf(path, sizeof path, "/proc/%d/exe", atoi(at));
        if (readlink(path, other, sizeof other) != length || memcmp(own, other, (size_t)length) != 0 ||
            !strchr(at, '\n')) {
            return false;
        }
    }
    if (mkdirat(parent, "sortie", 0755) != 0 && errno != EEXIST) {
        return false;
    }
    bool well = true;
    for (char *at = list; well && *at; at = strchr(at, '\n') + 1) {
        char number[20];
        snprintf(number, sizeof number, "%d", atoi(at));
        well = write_to(parent, "sortie/cgroup.procs", number);
    }
    return well;
}

/* Asks for the controllers we want in the groups below. */
static void ask_for(int parent, const char *controller) {
    char text[400];
    char word[20];
    snprintf(word, sizeof word, "+%s", controller);
    bool lent = read_from(parent, "cgroup.controllers", text, sizeof text) && lists(text, controller);
    bool on = read_from(parent, "cgroup.subtree_control", text, sizeof text) && lists(text, controller);
    if (lent && !on && !write_to(parent, "cgroup.subtree_control", word) && step_down(parent)) {
        write_to(parent, "cgroup.subtree_control", word);
    }
}

/* Removes the groups of wardens that were killed and could not do it. */
static void sweep(int parent) {
    int again = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = again >= 0 ? fdopendir(again) : NULL;
    struct dirent *entry;
    while (list && (entry = readdir(list)) != NULL) {
        int pid = strncmp(entry->d_name, "sortie-", 7) == 0 ? atoi(entry->d_name + 7) : 0;
        if (pid > 0 && kill(pid, 0) != 0 && errno == ESRCH) {
            unlinkat(parent, entry->d_name, AT_REMOVEDIR);
        }
    }
    if (list) {
        closedir(list);
    }
}

bool cgroup_open(struct cgroup *cgroup, const char *root) {
    char path[PATH_MAX];
    char text[400];
    *cgroup = (struct cgroup){.parent = -1, .group = -1};
    if (root) {
        snprintf(path, sizeof path, "%s", root);
    } else if (!find_root(path)) {
        return false;
    }
    cgroup->parent = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    snprintf(cgroup->name, sizeof cgroup->name, "sortie-%d", (int)getpid());
    if (cgroup->parent >= 0) {
        sweep(cgroup->parent);
        ask_for(cgroup->parent, "memory");
        ask_for(cgroup->parent, "pids");
        if (mkdirat(cgroup->parent, cgroup->name, 0755) == 0) {
            cgroup->group = openat(cgroup->parent, cgroup->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        }
    }
    if (cgroup->group < 0 || faccessat(cgroup->group, "cgroup.procs", W_OK, 0) != 0) {
        cgroup_close(cgroup);
        return false;
    }
    if (read_from(cgroup->group, "cgroup.controllers", text, sizeof text)) {
        cgroup->counts_memory = lists(text, "memory");
        cgroup->counts_tasks = lists(text, "pids");
    }
    return true;
}

/* -- a run -- */

static bool read_times(const struct cgroup *cgroup, uint64_t *user, uint64_t *total) {
    char text[1024];
    if (cgroup->group < 0 || !read_from(cgroup->group, "cpu.stat", text, sizeof text) || !strstr(text, "usage_usec ")) {
        return false;
    }
    *user = number_in(text, "user_usec");
    *total = number_in(text, "usage_usec");
    return true;
}

static uint64_t count_kills(const struct cgroup *cgroup) {
    char text[1024];
    return cgroup->counts_memory && read_from(cgroup->group, "memory.events", text, sizeof text)
               ? number_in(text, "oom_kill")
               : 0;
}

void cgroup_begin(struct cgroup *cgroup, uint64_t memory_bytes, uint64_t tasks) {
    char number[30];
    if (cgroup->group < 0) {
        return;
    }
    if (cgroup->counts_memory) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)memory_bytes);
        write_to(cgroup->group, "memory.max", number);
        write_to(cgroup->group, "memory.swap.max", "0");
    }
    if (cgroup->counts_tasks) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)tasks);
        write_to(cgroup->group, "pids.max", number);
    }
    read_times(cgroup, &cgroup->user_before, &cgroup->total_before);
    cgroup->kills_before = count_kills(cgroup);
}

void cgroup_join(const struct cgroup *cgroup) {
    if (cgroup->group >= 0) {
        write_to(cgroup->group, "cgroup.procs", "0");
    }
}

bool cgroup_time(const struct cgroup *cgroup, double *user, double *total) {
    uint64_t user_now;
    uint64_t total_now;
    if (!read_times(cgroup, &user_now, &total_now)) {
        return false;
    }
    *user = 1e-6 * (double)(user_now - cgroup->user_before);
    *total = 1e-6 * (double)(total_now - cgroup->total_before);
    return true;
}

bool cgroup_out_of_memory(const struct cgroup *cgroup) {
    return count_kills(cgroup) > cgroup->kills_before;
}

void cgroup_kill(const struct cgroup *cgroup) {
    if (cgroup->group >= 0) {
        write_to(cgroup->group, "cgroup.kill", "1");
    }
}

void cgroup_close(struct cgroup *cgroup) {
    if (cgroup->group >= 0) {
        close(cgroup->group);
        /* The kernel needs a moment to forget the last process. */
        for (int turn = 0; turn < 100 && unlinkat(cgroup->parent, cgroup->name, AT_REMOVEDIR) != 0; turn++) {
            struct timespec moment = {0, 1000000};
            nanosleep(&moment, NULL);
        }
        unlinkat(cgroup->parent, "sortie", AT_REMOVEDIR);
    }
    if (cgroup->parent >= 0) {
        close(cgroup->parent);
    }
    cgroup->parent = cgroup->group = -1;
}
