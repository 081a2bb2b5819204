#include "sandbox/warden_count.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/stopwatch.h"

/* -- time -- */

/* What the kernel rounds away: both kinds of a process's children's time are told in ticks. */
#define SLACK_SECONDS 0.03
#define SLACK_PER_PROCESS 0.01

static double tick_seconds(void) {
    return 1.0 / (double)sysconf(_SC_CLK_TCK);
}

static double live_seconds(pid_t pid) {
    clockid_t clock;
    struct timespec used;
    return clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &used) == 0
               ? (double)used.tv_sec + 1e-9 * (double)used.tv_nsec
               : 0.0;
}

static double since_boot(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Looks at one process; false when it is gone. */
static bool look_at(pid_t pid, struct count_process *process, double *user) {
    char text[4096];
    unsigned long long own_user = 0;
    unsigned long long children_user = 0;
    unsigned long long children_system = 0;
    /* The name stands in parentheses and may hold anything. */
    const char *behind_name = tree_read(pid, "stat", text, sizeof text) ? strrchr(text, ')') : NULL;
    if (!behind_name ||
        sscanf(behind_name + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %*u %llu %llu %*d %*d %*d %*d %llu",
               &own_user, &children_user, &children_system, &process->start) != 4) {
        return false;
    }
    double tick = tick_seconds();
    process->pid = pid;
    process->own = live_seconds(pid);
    process->children = (double)(children_user + children_system) * tick;
    double age = since_boot() - (double)(process->start + 1) * tick;
    process->pace = process->own > 0.0 ? process->own / fmax(age, process->own) : 0.0;
    *user = (double)(own_user + children_user) * tick;
    return true;
}

static const struct count_process *find(const struct count_process *list, int length, const struct count_process *it) {
    for (int i = 0; i < length; i++) {
        if (list[i].pid == it->pid && list[i].start == it->start) {
            return &list[i];
        }
    }
    return NULL;
}

/* The number of the newest process of our process namespace: it tells how many began. */
static long newest(void) {
    char text[200];
    const char *blank = tree_read(getpid(), "../loadavg", text, sizeof text) ? strrchr(text, ' ') : NULL;
    return blank ? atol(blank) : 0;
}

static void charge(struct count *count, double seen, double inherited, double whole) {
    double missing = seen - inherited;
    count->owed = fmax(count->owed + missing, -SLACK_SECONDS);
    if (missing > 0.0) {
        count->whole += whole * missing / seen;
    }
    if (count->owed > SLACK_SECONDS + SLACK_PER_PROCESS * count->seen_count) {
        count->lost += fmax(count->owed, count->whole);
        count->owed = 0.0;
    }
    if (count->owed <= 0.0) {
        count->whole = 0.0;
    }
}

void count_begin(struct count *count) {
    count->seen_count = 0;
    count->looked = 0.0;
    count->reaped = 0.0;
    count->owed = count->whole = count->lost = 0.0;
    count->last_birth = newest();
    count->births = false;
}

/* Looks at a process and adds it to the list and to the sums; true when it is there. */
static bool add_process(pid_t pid, struct count_process *list, int *length, struct count_use *use) {
    double user;
    struct count_process *process = &list[*length];
    if (*length == TREE_MOST || !look_at(pid, process, &user)) {
        return false;
    }
    use->user_seconds += user;
    use->cpu_seconds += process->own + process->children;
    ++*length;
    return true;
}

void count_look(struct count *count, const struct tree *tree, double reaped, struct count_use *use) {
    static struct count_process now[TREE_MOST];
    int length = 0;
    double time = clock_wall();
    double between = count->looked > 0.0 ? time - count->looked : 0.0;
    *use = (struct count_use){0};
    for (int i = 0; i < tree->count; i++) {
        add_process(tree->processes[i], now, &length, use);
    }
    /* Who is gone, and what somebody inherited. A process may have changed its parent while the list was made: it is
     * looked at once more. What is gone since the list was made is left to the next look. */
    double seen = 0.0;
    double whole = 0.0;
    for (int i = 0; i < count->seen_count; i++) {
        const struct count_process *before = &count->seen[i];
        bool listed = false;
        for (int k = 0; k < tree->count && !listed; k++) {
            listed = tree->processes[k] == before->pid;
        }
        if (find(now, length, before)) {
            continue;
        }
        if (listed && length < TREE_MOST) {
            now[length++] = *before;
            use->cpu_seconds += before->own + before->children;
            continue;
        }
        struct count_process again;
        double user;
        if (look_at(before->pid, &again, &user) && again.start == before->start) {
            add_process(before->pid, now, &length, use);
            continue;
        }
        seen += before->own + before->children;
        whole += before->own + before->children + before->pace * between;
    }
    double inherited = reaped - count->reaped;
    int fresh = 0;
    for (int i = 0; i < length; i++) {
        const struct count_process *before = find(count->seen, count->seen_count, &now[i]);
        inherited += now[i].children - (before ? before->children : 0.0);
        fresh += !before;
    }
    memcpy(count->seen, now, (size_t)length * sizeof *now);
    count->seen_count = length;
    charge(count, seen, inherited, whole);
    long born = newest();
    count->births = count->looked > 0.0 && born - count->last_birth > fresh;
    count->last_birth = born;
    count->looked = time;
    count->reaped = reaped;
    use->user_seconds += count->lost;
    use->cpu_seconds += count->lost;
}

/* -- memory -- */

/* The number of KiB behind a name at the beginning of a line, in bytes. */
static uint64_t line_bytes(const char *text, const char *name) {
    const char *at = strstr(text, name);
    return at ? strtoull(at + strlen(name), NULL, 10) * 1024 : 0;
}

static uint64_t own_bytes(const char *status) {
    return line_bytes(status, "\nRssAnon:") + line_bytes(status, "\nVmSwap:");
}

uint64_t count_resident(const struct tree *tree) {
    uint64_t bytes = 0;
    for (int i = 0; i < tree->count; i++) {
        char text[4096];
        bytes += tree_read(tree->processes[i], "status", text, sizeof text)
                     ? own_bytes(text) + line_bytes(text, "\nRssShmem:")
                     : 0;
    }
    return bytes;
}

/* Pieces of shared anonymous memory, by the number the kernel gives each. */
#define MOST_PIECES 1024
/* A process whose list of mappings is longer has some 20,000 of them: each is memory of the kernel too. */
#define MOST_LIST ((size_t)1 << 20)

struct pieces {
    struct {
        unsigned long long inode;
        uint64_t bytes;
    } known[MOST_PIECES];
    int count;
    uint64_t bytes; /* of all, each once */
};

static void add_piece(struct pieces *pieces, unsigned long long inode, uint64_t bytes) {
    int i = 0;
    while (i < pieces->count && pieces->known[i].inode != inode) {
        i++;
    }
    if (i < pieces->count && pieces->known[i].bytes >= bytes) {
        return;
    }
    pieces->bytes += bytes - (i < pieces->count ? pieces->known[i].bytes : 0);
    if (i < MOST_PIECES) {
        pieces->known[i].inode = inode;
        pieces->known[i].bytes = bytes;
        pieces->count += i == pieces->count;
    }
}

/* The device on which the kernel keeps shared anonymous memory, as lists of mappings name it. */
static const char *shared_device(void) {
    static char device[20];
    if (!device[0]) {
        char text[65536];
        char wanted[40];
        void *piece = mmap(NULL, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        snprintf(wanted, sizeof wanted, "%lx-", (unsigned long)(uintptr_t)piece);
        const char *line = tree_read(getpid(), "maps", text, sizeof text) ? strstr(text, wanted) : NULL;
        if (!line || sscanf(line, "%*s %*s %*s %19s", device) != 1) {
            strcpy(device, "00:01");
        }
        munmap(piece, 4096);
    }
    return device;
}

/* Takes one line of a list of mappings. */
static void take_mapping(const char *line, uint64_t piece, struct pieces *pieces) {
    unsigned long long start;
    unsigned long long end;
    unsigned long long offset;
    unsigned long long inode;
    char shared;
    char device[20];
    const char *flags = strchr(line, ' ');
    if (!flags || flags[1] == '\0' || flags[4] != 's' ||
        sscanf(line, "%llx-%llx %*3c%c %llx %19s %llu", &start, &end, &shared, &offset, device, &inode) != 6 ||
        strcmp(device, shared_device()) != 0) {
        return;
    }
    uint64_t reaches = offset + (end - start);
    add_piece(pieces, inode, reaches > piece ? reaches : piece);
}

/* Goes through the mappings of a process; false when there are too many. */
static bool list_mappings(pid_t pid, uint64_t piece, struct pieces *pieces) {
    char path[40];
    char text[16384];
    size_t filled = 0;
    size_t total = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = 0;
    while (file >= 0 && total < MOST_LIST && (got = read(file, text + filled, sizeof text - 1 - filled)) > 0) {
        filled += (size_t)got;
        total += (size_t)got;
        text[filled] = '\0';
        char *line = text;
        for (char *stop; (stop = strchr(line, '\n')) != NULL; line = stop + 1) {
            *stop = '\0';
            take_mapping(line, piece, pieces);
        }
        filled -= (size_t)(line - text);
        /* A line is never longer than a path and some numbers; one that is has been cut by us and is passed over. */
        filled = filled < sizeof text / 2 ? filled : 0;
        memmove(text, line, filled);
    }
    if (file >= 0) {
        close(file);
    }
    return total < MOST_LIST;
}

uint64_t count_memory(const struct tree *tree, uint64_t piece, uint64_t most, bool exact) {
    static struct pieces pieces;
    uint64_t bytes = 0;
    pieces.count = 0;
    pieces.bytes = 0;
    for (int i = 0; i < tree->count && bytes <= most; i++) {
        char text[4096];
        pid_t pid = tree->processes[i];
        if (!tree_read(pid, "status", text, sizeof text)) {
            continue;
        }
        bytes += line_bytes(text, "\nVmPTE:") + line_bytes(text, "\nHugetlbPages:");
        uint64_t own = own_bytes(text);
        if (exact && tree_read(pid, "smaps_rollup", text, sizeof text)) {
            own = line_bytes(text, "\nPss_Anon:") + line_bytes(text, "\nSwapPss:");
        }
        bytes += own;
        if (!list_mappings(pid, piece, &pieces)) {
            bytes = most + 1;
        }
    }
    return bytes + pieces.bytes;
}
