/* What POSIX promises, and where something is widely known beyond it (the number of processors, the size of the
 * memory), that where its name is defined. */
#include "system/host.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int host_processors(void) {
    long count = 1;
#ifdef _SC_NPROCESSORS_ONLN
    count = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return count < 1 ? 1 : count > INT_MAX ? INT_MAX : (int)count;
}

/* How much of the memory is free is nowhere told alike: half of it is a guess that leaves others theirs. */
size_t host_free_memory(void) {
    long pages = 0;
#ifdef _SC_PHYS_PAGES
    pages = sysconf(_SC_PHYS_PAGES);
#endif
    long bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? (size_t)pages / 2 * (size_t)bytes : 0;
}

bool host_program_folder(char *folder, size_t size) {
    (void)size;
    folder[0] = '\0';
    return false;
}

uint64_t host_chance(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t number = ((uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec) ^ (uint64_t)getpid() << 40;
    int source = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    uint64_t drawn;
    if (source >= 0 && read(source, &drawn, sizeof drawn) == sizeof drawn) {
        number ^= drawn;
    }
    if (source >= 0) {
        close(source);
    }
    return number;
}

void host_ask_for_short_slices(void) {
}

int host_watch_folder(const char *path) {
    (void)path;
    return -1;
}

int host_poll(struct pollfd *watched, unsigned count, double seconds) {
    double milliseconds = seconds * 1000;
    return poll(watched, count, milliseconds < INT_MAX - 1 ? (int)milliseconds + 1 : INT_MAX);
}

/* Between the two calls another thread may start a program: it inherits a file that is beside and has no name yet. */
int host_make_file(char *pattern) {
    int file = mkstemp(pattern);
    if (file >= 0) {
        fcntl(file, F_SETFD, FD_CLOEXEC);
    }
    return file;
}
