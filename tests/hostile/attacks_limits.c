/* Using more than the limits allow without being seen: memory that stands in no process's count, time of children that
 * nobody waits for, and numbers that look like something else. The class is given 256 MiB of memory. */
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hostile.h"

#define MIB ((size_t)1 << 20)
#define PIECE (16 * MIB)
/* Much more than the limit, whatever is seen a moment late. */
#define TOO_MUCH (1200 * MIB)
#define MOST_DESCRIPTORS 240

static char block[1 << 16];

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Waits long enough to be seen; who is still there has got away with it. */
static _Noreturn void got_away(const char *what) {
    usleep(400000);
    leaked(what);
}

/* Whether this is the first turn of a game: attacks that take long and play on are tried only then. */
static bool first_turn(void) {
    int mark = open("mark", O_WRONLY | O_CREAT | O_EXCL, 0600);
    close(mark);
    return mark >= 0;
}

/* Numbers that all our processes may change. */
static size_t *new_counter(void) {
    size_t *counter = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counter == MAP_FAILED) {
        abort();
    }
    return counter;
}

/* -- shared memory -- */

/* A piece of shared memory, all of it used. */
static char *new_piece(void) {
    char *piece = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED) {
        abort();
    }
    memset(piece, 1, PIECE);
    return piece;
}

/* Pages that are in memory and in no process. */
static void memory_dropped(void) {
    for (size_t total = 0; total < TOO_MUCH; total += PIECE) {
        madvise(new_piece(), PIECE, MADV_DONTNEED);
    }
    got_away("shared memory that is not mapped");
}

/* One page of each piece keeps the rest. */
static void memory_trimmed(void) {
    for (size_t total = 0; total < TOO_MUCH; total += PIECE) {
        munmap(new_piece() + 4096, PIECE - 4096);
    }
    got_away("shared memory of which one page is left");
}

/* All at once, before anybody looks. */
static void memory_at_once(void) {
    char *all = mmap(NULL, TOO_MUCH, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) {
        return;
    }
    for (size_t at = 0; at < TOO_MUCH; at += 4096) {
        all[at] = 1;
    }
    munmap(all + 4096, TOO_MUCH - 4096);
    got_away("a large piece of shared memory");
}

/* Honest: what it gives back it may have again. */
static void memory_given_back(void) {
    if (!first_turn()) {
        return;
    }
    char *piece = new_piece();
    for (int i = 0; i < 20; i++) {
        memset(piece, i, PIECE);
        if (madvise(piece, PIECE, MADV_REMOVE) != 0) {
            abort();
        }
    }
}

static void memory_device(void) {
    int zero = open("/dev/zero", O_RDWR);
    for (size_t total = 0; zero >= 0 && total < TOO_MUCH; total += PIECE) {
        char *piece = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED, zero, 0);
        if (piece == MAP_FAILED) {
            return;
        }
        memset(piece, 1, PIECE);
        munmap(piece + 4096, PIECE - 4096);
    }
    if (zero >= 0) {
        got_away("memory of a device");
    }
}

/* Reading too may take memory. */
static void memory_device_read(void) {
    int zero = open("/dev/zero", O_RDONLY);
    const volatile char *all = zero >= 0 ? mmap(NULL, TOO_MUCH, PROT_READ, MAP_SHARED, zero, 0) : MAP_FAILED;
    if (all == MAP_FAILED) {
        abort();
    }
    char sum = 0;
    for (size_t at = 0; at < TOO_MUCH; at += 4096) {
        sum = (char)(sum + all[at]);
        if (at % PIECE == 0) {
            madvise((void *)(uintptr_t)all, at, MADV_DONTNEED);
        }
    }
    got_away(sum ? "another device" : "memory of a device that is only read");
}

/* -- memory of its own -- */

static void memory_lazily_freed(void) {
    for (size_t total = 0; total < TOO_MUCH; total += MIB) {
        char *more = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (more == MAP_FAILED) {
            abort();
        }
        memset(more, 1, MIB);
        madvise(more, MIB, MADV_FREE);
    }
    got_away("memory that is to be freed some day");
}

static void memory_locked(void) {
    mlockall(MCL_CURRENT | MCL_FUTURE);
    for (size_t total = 0; total < TOO_MUCH; total += MIB) {
        char *more = malloc(MIB);
        if (!more) {
            abort();
        }
        memset(more, 1, MIB);
        mlock(more, MIB);
    }
    got_away("locked memory");
}

static void *use_stack(void *counter) {
    char stack[7 * MIB];
    memset(stack, 1, sizeof stack);
    __atomic_add_fetch((size_t *)counter, (size_t)stack[MIB] * sizeof stack, __ATOMIC_RELAXED);
    pause();
    return NULL;
}

static void memory_stacks(void) {
    pthread_t thread;
    size_t *counter = new_counter();
    for (int i = 0; i < 200; i++) {
        if (pthread_create(&thread, NULL, use_stack, counter) != 0) {
            abort();
        }
        usleep(1000);
    }
    sleep(1);
    if (*counter > TOO_MUCH) {
        leaked("the stacks of threads");
    }
    abort();
}

/* Little memory, and tables of its pages that take twice as much, in each of many processes. */
static void memory_tables(void) {
    for (int i = 0; i < 55; i++) {
        if (fork() == 0) {
            size_t size = 1800 * MIB;
            const volatile char *sparse =
                mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            char *own = malloc(2 * MIB);
            if (sparse == MAP_FAILED || !own) {
                _exit(1);
            }
            memset(own, 1, 2 * MIB);
            for (size_t at = 0; at < size; at += 2 * MIB) {
                *own = (char)(*own + sparse[at]);
            }
            pause();
        }
    }
    sleep(1);
    got_away("tables of pages");
}

/* What the kernel keeps about mappings is memory too. */
static void memory_mappings(void) {
    size_t *counter = new_counter();
    for (int i = 0; i < 8; i++) {
        if (fork() == 0) {
            /* Neighbours with different rights are not joined. */
            char *all = mmap(NULL, 200 * MIB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            for (size_t at = 0; at < 200 * MIB && mprotect(all + at, 4096, PROT_NONE) == 0; at += 8192) {
                __atomic_add_fetch(counter, 2, __ATOMIC_RELAXED);
            }
            pause();
        }
    }
    for (int i = 0; i < 40; i++) {
        usleep(100000);
        if (*counter > 300000) {
            got_away("mappings without end");
        }
    }
    abort();
}

/* -- pipes and sockets -- */

/* Writes to a descriptor until nothing more goes in; returns how much did. */
static size_t stuff(int descriptor) {
    size_t total = 0;
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    for (ssize_t put; (put = write(descriptor, block, sizeof block)) > 0;) {
        total += (size_t)put;
    }
    return total;
}

static void memory_pipes(void) {
    size_t *counter = new_counter();
    bool tries = first_turn();
    for (int i = 0; tries && i < 20; i++) {
        if (fork() == 0) {
            int ends[2];
            for (int k = 0; k < MOST_DESCRIPTORS / 2 && pipe(ends) == 0; k++) {
                fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
                __atomic_add_fetch(counter, stuff(ends[1]), __ATOMIC_RELAXED);
            }
            pause();
        }
    }
    for (int i = 0; tries && i < 10; i++) {
        usleep(50000);
    }
    if (*counter > 400 * MIB) {
        leaked("the insides of pipes");
    }
}

/* Sockets in many processes, all full. */
static void fill_sockets(size_t *counter, int type) {
    for (int i = 0; i < 16; i++) {
        if (fork() == 0) {
            int ends[2];
            int most = 64 << 20;
            for (int k = 0; k < MOST_DESCRIPTORS / 2 && socketpair(AF_UNIX, type, 0, ends) == 0; k++) {
                for (int end = 0; end < 2; end++) {
                    setsockopt(ends[end], SOL_SOCKET, SO_SNDBUF, &most, sizeof most);
                    __atomic_add_fetch(counter, stuff(ends[end]), __ATOMIC_RELAXED);
                }
            }
            pause();
        }
    }
    for (int i = 0; i < 20; i++) {
        usleep(100000);
        if (*counter > 500 * MIB) {
            got_away("the buffers of sockets");
        }
    }
    abort();
}

static void memory_sockets(void) {
    fill_sockets(new_counter(), SOCK_STREAM);
}

static void memory_datagrams(void) {
    fill_sockets(new_counter(), SOCK_DGRAM);
}

/* Sends a descriptor through a socket. */
static bool send_descriptor(int socket, int descriptor) {
    char byte = 0;
    struct iovec part = {&byte, 1};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return sendmsg(socket, &message, MSG_DONTWAIT) == 1;
}

/* Full sockets that no process has: they are on their way through another one. */
static void memory_in_flight(void) {
    size_t total = 0;
    for (int i = 0; i < 100; i++) {
        int carrier[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, carrier) != 0) {
            break;
        }
        bool going = true;
        while (going && total < TOO_MUCH) {
            int ends[2];
            int most = 64 << 20;
            going = socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
            if (going) {
                setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &most, sizeof most);
                size_t more = stuff(ends[0]);
                going = send_descriptor(carrier[0], ends[1]);
                total += going ? more : 0;
                close(ends[0]);
                close(ends[1]);
            }
        }
    }
    if (total > 400 * MIB) {
        got_away("sockets on their way");
    }
}

/* Answers of the kernel that nobody reads. */
static void memory_netlink(void) {
    size_t *counter = new_counter();
    for (int i = 0; i < 16; i++) {
        if (fork() == 0) {
            for (int k = 0; k < MOST_DESCRIPTORS; k++) {
                struct {
                    struct nlmsghdr head;
                    struct rtgenmsg body;
                } question = {{sizeof question, RTM_GETLINK, NLM_F_REQUEST | NLM_F_DUMP, 1, 0}, {AF_UNSPEC}};
                int most = 64 << 20;
                int netlink = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
                if (netlink < 0) {
                    _exit(0);
                }
                setsockopt(netlink, SOL_SOCKET, SO_RCVBUF, &most, sizeof most);
                for (int n = 0; n < 100 && send(netlink, &question, sizeof question, MSG_DONTWAIT) > 0; n++) {
                }
                __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
            }
            pause();
        }
    }
    for (int i = 0; i < 10; i++) {
        usleep(100000);
        if (*counter > 3000) {
            got_away("any number of kernel sockets");
        }
    }
}

/* A byte of a page in a pipe keeps the page, a huge one where there are some. */
static void memory_moved(void) {
    size_t total = 0;
    size_t huge = 2 * MIB;
    bool tries = first_turn();
    for (int i = 0; tries && i < MOST_DESCRIPTORS / 2; i++) {
        int ends[2];
        if (pipe(ends) != 0) {
            break;
        }
        for (int slot = 0; slot < 16; slot++) {
            char *piece = mmap(NULL, 2 * huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (piece == MAP_FAILED) {
                return;
            }
            char *start = (char *)(((uintptr_t)piece + huge - 1) / huge * huge);
            madvise(start, huge, MADV_HUGEPAGE);
            memset(start, 1, huge);
            struct iovec part = {start, 1};
            total += vmsplice(ends[1], &part, 1, SPLICE_F_NONBLOCK) == 1 ? huge : 0;
            munmap(piece, 2 * huge);
        }
        if (total > 400 * MIB) {
            got_away("pages in pipes");
        }
    }
}

/* Likewise from a file that is gone by then into sockets. */
static void memory_sent(void) {
    size_t total = 0;
    for (int i = 0; i < MOST_DESCRIPTORS / 2 - 4 && total < 400 * MIB; i++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
            break;
        }
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        for (bool going = true; going && total < 400 * MIB;) {
            int file = open("sent", O_RDWR | O_CREAT | O_TRUNC, 0600);
            for (int page = 0; page < 16; page++) {
                going = pwrite(file, block, 4096, (off_t)page * 4096) == 4096 && going;
            }
            for (int page = 0; page < 16 && going; page++) {
                off_t at = (off_t)page * 4096;
                going = syscall(SYS_sendfile, ends[0], file, &at, (size_t)1) == 1;
                total += going ? 4096 : 0;
            }
            close(file);
        }
    }
    unlink("sent");
    if (total >= 400 * MIB) {
        leaked("pages of a file that is gone");
    }
}

/* -- files -- */

/* Files without a name that are open. */
static void fill_nameless(void) {
    size_t total = 0;
    bool tries = first_turn();
    for (int i = 0; tries && i < 100; i++) {
        int file = open("nameless", O_RDWR | O_CREAT | O_EXCL, 0600);
        unlink("nameless");
        for (int part = 0; part < 500; part++) {
            ssize_t put = write(file, block, sizeof block);
            total += put > 0 ? (size_t)put : 0;
        }
    }
    if (total > 300 * MIB) {
        leaked("files without a name");
    }
    for (int file = 3; file < 250; file++) {
        close(file);
    }
}

/* Space that is asked for and not written. */
static void fill_holes(void) {
    size_t total = 0;
    char name[20];
    if (!first_turn()) {
        return;
    }
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "hole-%d", i);
        int file = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
        bool given = fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 32 * (off_t)MIB) == 0;
        close(file);
        if (!given) {
            break;
        }
        total += 32 * MIB;
    }
    if (total > 300 * MIB) {
        leaked("space that was never written");
    }
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "hole-%d", i);
        unlink(name);
    }
}

/* -- tasks -- */

static void *stay(void *nothing) {
    pause();
    return nothing;
}

/* As many tasks as there may be: the limit is the program's own, whatever else its user runs. */
static void all_tasks(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 65536);
    int tasks = 0;
    while (tasks < 500 && pthread_create(&thread, &attributes, stay, NULL) == 0) {
        tasks++;
    }
    if (tasks == 500) {
        leaked("more tasks than its own limit");
    }
    if (tasks < 100) {
        leaked("fewer tasks than its own limit, for those of others");
    }
}

/* -- time -- */

/* The class of these is given half a second of CPU time; so much more is a leak. */
#define BURNT_TOO_MUCH 2.5

/* Burns CPU time in a child and adds it to the sum, in microseconds. */
static void burn(size_t *sum, double how_long) {
    double now;
    while ((now = seconds(CLOCK_PROCESS_CPUTIME_ID)) < how_long) {
        for (volatile int i = 0; i < 50000; i++) { /* time of the kernel's does not count */
        }
    }
    __atomic_add_fetch(sum, (size_t)(1e6 * now), __ATOMIC_RELAXED);
}

/* Children one behind the other that nobody waits for, until they have burnt too much. */
static void burn_unseen(double each, bool orphaned) {
    size_t *sum = new_counter();
    while (*sum < (size_t)(1e6 * BURNT_TOO_MUCH)) {
        int ends[2];
        if (pipe(ends) != 0) {
            abort();
        }
        pid_t pid = fork();
        if (pid == 0) {
            if (orphaned && fork() != 0) {
                _exit(0);
            }
            close(ends[0]);
            burn(sum, each);
            _exit(0);
        }
        close(ends[1]);
        char byte;
        if (read(ends[0], &byte, 1) < 0) { /* it ends with the child */
            abort();
        }
        close(ends[0]);
        if (orphaned) {
            waitpid(pid, NULL, 0);
        }
    }
    leaked("CPU time of children");
}

static void cpu_ignored(void) {
    signal(SIGCHLD, SIG_IGN);
    burn_unseen(0.005, false);
}

static void cpu_very_short(void) {
    signal(SIGCHLD, SIG_IGN);
    burn_unseen(0.001, false);
}

static void cpu_long(void) {
    signal(SIGCHLD, SIG_IGN);
    burn_unseen(0.04, false);
}

static void nothing(int number) {
    (void)number;
}

/* It seems to care for its children. */
static void cpu_no_wait(void) {
    struct sigaction action = {.sa_handler = nothing, .sa_flags = SA_NOCLDWAIT | SA_RESTART};
    sigaction(SIGCHLD, &action, NULL);
    burn_unseen(0.005, false);
}

static void cpu_orphans(void) {
    burn_unseen(0.005, true);
}

/* Children that share our memory and are gone before it goes on. */
static void cpu_vfork(void) {
    size_t *sum = new_counter();
    signal(SIGCHLD, SIG_IGN);
    while (*sum < (size_t)(1e6 * BURNT_TOO_MUCH)) {
        if (syscall(SYS_clone, CLONE_VFORK | SIGCHLD, NULL, NULL, NULL, NULL) == 0) {
            burn(sum, 0.003);
            _exit(0);
        }
    }
    leaked("CPU time of children");
}

/* Those that are waited for hide others. */
static void cpu_mixed(void) {
    size_t *sum = new_counter();
    while (*sum < (size_t)(1e6 * BURNT_TOO_MUCH)) {
        pid_t pid = fork();
        if (pid == 0) {
            signal(SIGCHLD, SIG_IGN);
            for (int i = 0; i < 4; i++) {
                if (syscall(SYS_clone, CLONE_VFORK | SIGCHLD, NULL, NULL, NULL, NULL) == 0) {
                    burn(sum, 0.004);
                    _exit(0);
                }
            }
            _exit(0);
        }
        waitpid(pid, NULL, 0);
    }
    leaked("CPU time of children");
}

/* Honest: many children, all waited for, and little time. */
static void cpu_honest(void) {
    for (int i = 0; i < 150; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            _exit(0);
        }
        waitpid(pid, NULL, 0);
        usleep(1000);
    }
}

/* Honest too, and careless: nobody waits for children that do nothing. */
static void cpu_careless(void) {
    signal(SIGCHLD, SIG_IGN);
    for (int i = 0; i < 100; i++) {
        if (fork() == 0) {
            _exit(0);
        }
        usleep(2000);
    }
}

/* -- numbers that look like signals -- */

static void exit_with(int code) {
    play();
    _exit(code);
}

static void exits_129(void) {
    exit_with(129);
}

static void exits_137(void) {
    exit_with(137);
}

static void exits_139(void) {
    exit_with(139);
}

static void exits_192(void) {
    exit_with(192);
}

/* The other way round: this one is a signal, before any answer. */
static void really_killed(void) {
    raise(SIGKILL);
}

const struct attack attacks_limits[] = {
    {"memory-dropped", memory_dropped, "crash"},
    {"memory-trimmed", memory_trimmed, "crash"},
    {"memory-at-once", memory_at_once},
    {"memory-given-back", memory_given_back},
    {"memory-device", memory_device},
    {"memory-device-read", memory_device_read, "crash"},
    {"memory-lazily-freed", memory_lazily_freed, "crash"},
    {"memory-locked", memory_locked, "crash"},
    {"memory-stacks", memory_stacks, "crash"},
    {"memory-tables", memory_tables, "crash"},
    {"memory-mappings", memory_mappings, "crash"},
    {"memory-pipes", memory_pipes},
    {"memory-sockets", memory_sockets, "crash"},
    {"memory-datagrams", memory_datagrams, "crash"},
    {"memory-in-flight", memory_in_flight, "fine|crash"}, /* it comes near its limit, or over it */
    {"memory-netlink", memory_netlink, "fine|crash"},     /* such sockets count, or there are none */
    {"memory-moved", memory_moved},
    {"memory-sent", memory_sent},
    {"fill-nameless", fill_nameless},
    {"fill-holes", fill_holes},
    {"all-tasks", all_tasks},
    {"cpu-ignored", cpu_ignored, "too late", .group = "cpu"},
    {"cpu-very-short", cpu_very_short, "too late", .group = "cpu"},
    {"cpu-long", cpu_long, "too late", .group = "cpu"},
    {"cpu-no-wait", cpu_no_wait, "too late", .group = "cpu"},
    {"cpu-orphans", cpu_orphans, "too late", .group = "cpu"},
    {"cpu-vfork", cpu_vfork, "too late", .group = "cpu"},
    {"cpu-mixed", cpu_mixed, "too late", .group = "cpu"},
    {"cpu-honest", cpu_honest, .group = "cpu"},
    {"cpu-careless", cpu_careless, .group = "cpu"},
    {"exits-129", exits_129},
    {"exits-137", exits_137},
    {"exits-139", exits_139},
    {"exits-192", exits_192},
    {"really-killed", really_killed, "crash"},
    {NULL},
};
