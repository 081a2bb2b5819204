#include "system/host.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SHORTEST_SLICE_NS 100000

/* The first line of a small file of the system; false when there is none. */
static int first_line(const char *path, char *line, int length) {
    FILE *file = fopen(path, "r");
    int found = file && fgets(line, length, file);
    if (file) {
        fclose(file);
    }
    return found;
}

int host_processors(void) {
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    char line[64];
    /* "200000 100000": microseconds of each period, or "max". */
    if (first_line("/sys/fs/cgroup/cpu.max", line, sizeof line)) {
        char *end;
        long quota = strtol(line, &end, 10);
        long period = strtol(end, NULL, 10);
        if (quota > 0 && period > 0) {
            int allowed = (int)((quota + period - 1) / period);
            cores = allowed < cores ? allowed : cores;
        }
    }
    return cores > 0 ? cores : 1;
}

/* What a container may still take; SIZE_MAX where nothing bounds it. */
static size_t container_room(void) {
    char most[64];
    char used[64];
    if (!first_line("/sys/fs/cgroup/memory.max", most, sizeof most) || most[0] == 'm' ||
        !first_line("/sys/fs/cgroup/memory.current", used, sizeof used)) {
        return (size_t)-1;
    }
    size_t limit = strtoull(most, NULL, 10);
    size_t taken = strtoull(used, NULL, 10);
    return limit > taken ? limit - taken : 0;
}

/* What the process may still map under `ulimit -v`; SIZE_MAX where nothing bounds it. */
static size_t address_room(void) {
    struct rlimit limit;
    char line[64];
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        !first_line("/proc/self/statm", line, sizeof line)) {
        return (size_t)-1;
    }
    size_t taken = strtoull(line, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
    return limit.rlim_cur > taken ? (size_t)limit.rlim_cur - taken : 0;
}

size_t host_free_memory(void) {
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    size_t kibibytes = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "MemAvailable:", 13) == 0) {
            kibibytes = strtoull(line + 13, NULL, 10);
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    size_t room = container_room();
    size_t addresses = address_room();
    room = addresses < room ? addresses : room;
    return kibibytes << 10 < room ? kibibytes << 10 : room;
}

bool host_program_folder(char *folder, size_t size) {
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) {
        *slash = '\0';
    }
    return slash;
}

uint64_t host_chance(void) {
    uint64_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        number = ((uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec) ^ (uint64_t)getpid() << 40;
    }
    return number;
}

/* Linux from 6.12 on. */
void host_ask_for_short_slices(void) {
#ifdef SYS_sched_setattr
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } wanted = {.size = sizeof wanted, .policy = SCHED_OTHER, .runtime = SHORTEST_SLICE_NS};
    wanted.nice = getpriority(PRIO_PROCESS, 0);
    syscall(SYS_sched_setattr, 0, &wanted, 0);
#endif
}

int host_watch_folder(const char *path) {
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    uint32_t events = IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB;
    if (watch >= 0 && inotify_add_watch(watch, path, events) < 0) {
        close(watch);
        watch = -1;
    }
    return watch;
}

int host_poll(struct pollfd *watched, unsigned count, double seconds) {
    struct timespec span = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    return ppoll(watched, count, &span, NULL);
}

int host_make_file(char *pattern) {
    return mkostemp(pattern, O_CLOEXEC);
}
