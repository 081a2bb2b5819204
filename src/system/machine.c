#include "system/machine.h"

#if defined(_WIN32)
#include <windows.h>
#elif !defined(__wasi__)
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

#include "base/assert.h"

#define LEAST_TABLE ((size_t)64 << 20)
/* About a million nodes a second and thread, two entries of sixteen bytes each. */
#define BYTES_A_SECOND 32e6
#define MOST_TABLE ((size_t)4 << 30)
#define MOST_FOR_PROOF ((size_t)6 << 30)

#if defined(_WIN32)

int machine_cores(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors > 0 ? (int)info.dwNumberOfProcessors : 1;
}

long machine_process(void) {
    return 0;
}

size_t machine_free_memory(void) {
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? (size_t)status.ullAvailPhys : 0;
}

#elif defined(__wasi__)

int machine_cores(void) {
    return 1;
}

long machine_process(void) {
    return 0;
}

size_t machine_free_memory(void) {
    return 0;
}

#else

long machine_process(void) {
    return (long)getpid();
}

/* The first line of a small file of the system; false when there is none. */
static int first_line(const char *path, char *line, int length) {
    FILE *file = fopen(path, "r");
    int found = file && fgets(line, length, file);
    if (file) {
        fclose(file);
    }
    return found;
}

int machine_cores(void) {
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

size_t machine_free_memory(void) {
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

#endif

size_t machine_proof_share(void) {
    size_t share = machine_free_memory() / 2;
    return share < LEAST_TABLE ? LEAST_TABLE : share > MOST_FOR_PROOF ? MOST_FOR_PROOF : share;
}

size_t machine_table_share(double seconds, int threads) {
    ASSERT(seconds >= 0);
    ASSERT(threads >= 0);
    size_t wanted = machine_free_memory() / 4;
    double filled = seconds * threads * BYTES_A_SECOND;
    if (seconds > 0 && filled < (double)wanted) {
        wanted = (size_t)filled;
    }
    size_t share = LEAST_TABLE;
    while (share < MOST_TABLE && 2 * share <= wanted) {
        share *= 2;
    }
    return share;
}
