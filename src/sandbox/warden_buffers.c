#include "sandbox/warden_buffers.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/if.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* -- the filter -- */

#if defined __x86_64__
#define FILTER_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define FILTER_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef FILTER_ARCHITECTURE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(field))
/* The low and the high half of an argument. */
#define LOW(number) LOAD(offsetof(struct seccomp_data, args[number]))
#define HIGH(number) LOAD(offsetof(struct seccomp_data, args[number]) + 4)
#define IF_EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), yes, no)
#define IF_ABOVE(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, (uint32_t)(value), yes, no)
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (uint32_t)(value))

/* Both filters begin so; jumps count from the next line. Calls for another processor are the other filter's. A byte of
 * a page that was moved and not copied keeps the whole page in memory, and counts as a byte. */
#define HEAD                                                                                                           \
    LOAD(offsetof(struct seccomp_data, arch)), IF_EQUAL(FILTER_ARCHITECTURE, 1, 0), RETURN(SECCOMP_RET_ALLOW),         \
        LOAD(offsetof(struct seccomp_data, nr)), IF_EQUAL(SYS_vmsplice, 3, 0), IF_EQUAL(SYS_splice, 2, 0),             \
        IF_EQUAL(SYS_tee, 1, 0), IF_EQUAL(SYS_sendfile, 0, 1), RETURN(SECCOMP_RET_ERRNO | ENOSYS)

static const struct sock_filter plain_filter[] = {HEAD, RETURN(SECCOMP_RET_ALLOW)};

static const struct sock_filter small_filter[] = {
    HEAD,
    IF_EQUAL(SYS_mmap, 0, 9),
    LOW(3),
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, MAP_SHARED | MAP_ANONYMOUS),
    IF_EQUAL(MAP_SHARED | MAP_ANONYMOUS, 0, 4),
    HIGH(1),
    IF_EQUAL(0, 0, 3),
    LOW(1),
    IF_ABOVE(BUFFERS_MOST_SHARED, 1, 0),
    RETURN(SECCOMP_RET_ALLOW),
    RETURN(SECCOMP_RET_ERRNO | ENOMEM),
    IF_EQUAL(SYS_setsockopt, 0, 5),
    LOW(1),
    IF_EQUAL(SOL_SOCKET, 0, 3),
    LOW(2),
    IF_EQUAL(SO_SNDBUF, 2, 0),
    IF_EQUAL(SO_RCVBUF, 1, 0),
    RETURN(SECCOMP_RET_ALLOW),
    RETURN(SECCOMP_RET_ERRNO | 0), /* as if it had been done: the kernel too gives less than is asked for */
};

/* Calls for another processor are the other filter's here too. */
static const struct sock_filter local_filter[] = {
    LOAD(offsetof(struct seccomp_data, arch)),
    IF_EQUAL(FILTER_ARCHITECTURE, 0, 4),
    LOAD(offsetof(struct seccomp_data, nr)),
    IF_EQUAL(SYS_socket, 0, 2),
    LOW(0),
    IF_EQUAL(AF_UNIX, 0, 1),
    RETURN(SECCOMP_RET_ALLOW),
    RETURN(SECCOMP_RET_ERRNO | EAFNOSUPPORT),
};

/* A descriptor to a file with this program; -1 when there is no memory for it. */
static int write_filter(const struct sock_filter *program, size_t size) {
    int file = memfd_create("buffers", MFD_CLOEXEC);
    if (file >= 0 && write(file, program, size) == (ssize_t)size && lseek(file, 0, SEEK_SET) == 0) {
        return file;
    }
    if (file >= 0) {
        close(file);
    }
    return -1;
}
#endif

int buffers_filter(bool keep_small) {
#ifdef FILTER_ARCHITECTURE
    return keep_small ? write_filter(small_filter, sizeof small_filter)
                      : write_filter(plain_filter, sizeof plain_filter);
#else
    (void)keep_small;
    return -1;
#endif
}

int buffers_no_network(void) {
#ifdef FILTER_ARCHITECTURE
    return write_filter(local_filter, sizeof local_filter);
#else
    return -1;
#endif
}

/* -- sockets -- */

static void set(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t put = write(file, text, strlen(text));
        (void)put; /* a kernel without TCP */
        close(file);
    }
}

/* Raises the loopback; a root that may not do that, as in some containers, gives programs no network at all. */
static void raise_loopback(void) {
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (any >= 0) {
        ioctl(any, SIOCSIFFLAGS, &request);
        close(any);
    }
}

bool buffers_network(void) {
    if (unshare(CLONE_NEWNET) != 0) {
        return false;
    }
    raise_loopback();
    /* Those of other kinds have the system's usual size, and no program may ask for more. */
    set("/proc/sys/net/ipv4/tcp_wmem", "4096 16384 131072");
    set("/proc/sys/net/ipv4/tcp_rmem", "4096 65536 131072");
    return true;
}

uint64_t buffers_of_sockets(pid_t process) {
    char path[60];
    char text[200];
    snprintf(path, sizeof path, "/proc/%d/net/sockstat", (int)process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0) {
        close(file);
    }
    text[got > 0 ? got : 0] = '\0';
    const char *used = strstr(text, "sockets: used ");
    return used ? strtoull(used + strlen("sockets: used "), NULL, 10) * BUFFERS_OF_SOCKET : 0;
}

/* -- zeros -- */

/* As many as there may ever be, within what this process may write into a file. */
static off_t most_zeros(void) {
    struct rlimit limit;
    off_t most = (off_t)1 << 40;
    bool limited = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < (rlim_t)most;
    return limited ? (off_t)limit.rlim_cur : most;
}

bool buffers_make_zero(int folder, const char *name) {
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);
    if (file < 0) {
        return errno == EEXIST;
    }
    bool well = ftruncate(file, most_zeros()) == 0 && fchmod(file, 0444) == 0;
    close(file);
    return well;
}
