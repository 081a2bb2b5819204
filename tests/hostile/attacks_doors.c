/* Knocking at every door of the kernel: files that give away their owner's rights, sockets that no namespace holds, and
 * calls that no game needs. Calls are made by their numbers, so that no C library is polite in between. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile.h"

/* Newer than some C libraries; all processors have the same numbers from 424 on. */
enum {
    PIDFD_OPEN = 434,
    CLONE3 = 435,
    OPENAT2 = 437,
    PIDFD_GETFD = 438,
    PROCESS_MADVISE = 440,
    MOUNT_SETATTR = 442,
    QUOTACTL_FD = 443,
    FCHMODAT2 = 452,
    SETXATTRAT = 463,
    FILE_SETATTR = 469
};

/* -- files with set-id bits -- */

/* leaked() when a file or folder of that name gives its rights away. */
static void look(const char *name) {
    struct stat about;
    if (lstat(name, &about) == 0 && (about.st_mode & (S_ISUID | S_ISGID)) != 0) {
        leaked("a file with the rights of its owner");
    }
}

static int make(const char *name) {
    umask(0);
    return open(name, O_RDWR | O_CREAT, 0755);
}

/* Also with something in the half of the register at which the kernel does not look. */
#define RUBBISH 0x5555555500000000

static void set_id_chmod(void) {
    close(make("shell"));
#ifdef SYS_chmod
    syscall(SYS_chmod, "shell", 04755);
    look("shell");
    syscall(SYS_chmod, "shell", RUBBISH | 0177755);
    look("shell");
#endif
    syscall(SYS_fchmodat, AT_FDCWD, "shell", 02755);
    look("shell");
}

static void set_id_fchmod(void) {
    int file = make("shell");
    syscall(SYS_fchmod, file, RUBBISH | 06755);
    look("shell");
}

static void set_id_fchmodat2(void) {
    int file = make("shell");
    syscall(FCHMODAT2, AT_FDCWD, "shell", 06755, 0);
    look("shell");
    syscall(FCHMODAT2, file, "", RUBBISH | 06755, AT_EMPTY_PATH);
    look("shell");
}

static void set_id_open(void) {
    umask(0);
#ifdef SYS_open
    syscall(SYS_open, "shell", O_RDWR | O_CREAT, RUBBISH | 06755);
    look("shell");
    syscall(SYS_creat, "created", 04755);
    look("created");
#endif
    syscall(SYS_openat, AT_FDCWD, "other", RUBBISH | O_RDWR | O_CREAT | O_EXCL, RUBBISH | 04755);
    look("other");
}

static void set_id_openat2(void) {
    struct {
        uint64_t flags;
        uint64_t mode;
        uint64_t resolve;
    } how = {O_RDWR | O_CREAT, 06755, 0};
    umask(0);
    syscall(OPENAT2, AT_FDCWD, "shell", &how, sizeof how);
    look("shell");
}

/* A file without a name, which gets one later. */
static void set_id_nameless(void) {
    char path[60];
    umask(0);
    int file = (int)syscall(SYS_openat, AT_FDCWD, ".", O_RDWR | O_TMPFILE, 06755);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    linkat(AT_FDCWD, path, AT_FDCWD, "shell", AT_SYMLINK_FOLLOW);
    look("shell");
}

static void set_id_folder(void) {
    umask(0);
    syscall(SYS_mkdirat, AT_FDCWD, "folder", 06777);
    look("folder");
#ifdef SYS_mkdir
    syscall(SYS_mkdir, "other", 06777);
    look("other");
#endif
    mkdir("third", 0777);
    chmod("third", 02777);
    look("third");
}

/* A plain file made as a device is made; and the one device that everybody may make, in two ways. */
static void set_id_mknod(void) {
    umask(0);
    syscall(SYS_mknodat, AT_FDCWD, "shell", S_IFREG | 06755, 0);
    look("shell");
#ifdef SYS_mknod
    syscall(SYS_mknod, "other", RUBBISH | S_IFREG | 04755, 0);
    look("other");
#endif
    close(make("moved"));
    if (mknod("nothing", S_IFCHR | 0666, makedev(0, 0)) == 0 ||
        syscall(SYS_renameat2, AT_FDCWD, "moved", AT_FDCWD, "there", RUBBISH | 4 /* RENAME_WHITEOUT */) == 0) {
        leaked("a device");
    }
}

/* Rights that lie beside the mode of a file. */
static void attributes(void) {
    static const uint32_t rights[] = {0x02000001, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
    static const char list[] =
        "\2\0\0\0\1\0\7\0\377\377\377\377\2\0\7\0\1\0\0\0\4\0\7\0\377\377\377\377\20\0\7\0\377\377"
        "\377\377\40\0\7\0\377\377\377\377";
    static const char *const names[] = {"security.capability", "system.posix_acl_access", "user.note", "trusted.note"};
    int file = make("shell");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const void *value = i == 0 ? (const void *)rights : list;
        size_t size = i == 0 ? sizeof rights : sizeof list - 1;
        struct {
            uint64_t value;
            uint32_t size;
            uint32_t flags;
        } arguments = {(uint64_t)(uintptr_t)value, (uint32_t)size, 0};
        if (syscall(SYS_setxattr, "shell", names[i], value, size, 0) == 0 ||
            syscall(SYS_lsetxattr, "shell", names[i], value, size, 0) == 0 ||
            syscall(SYS_fsetxattr, file, names[i], value, size, 0) == 0 ||
            syscall(SETXATTRAT, AT_FDCWD, "shell", 0, names[i], &arguments, sizeof arguments) == 0) {
            leaked(names[i]);
        }
    }
}

/* Flags by which a file stays for ever, or belongs to somebody else's quota. */
static void file_flags(void) {
    int file = make("shell");
    unsigned flags = 0x40 | 0x80; /* no dump, no time of access */
    uint64_t attributes[4] = {0x40};
    if (ioctl(file, 0x40086602 /* FS_IOC_SETFLAGS */, &flags) == 0 ||
        syscall(FILE_SETATTR, AT_FDCWD, "shell", attributes, sizeof attributes, 0) == 0) {
        leaked("flags of a file");
    }
}

/* -- sockets -- */

static void try_family(int family) {
    static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET, SOCK_RAW};
    int pair[2];
    for (int i = 0; i < 4; i++) {
        if (syscall(SYS_socket, RUBBISH | (unsigned)family, types[i], 0) >= 0 ||
            syscall(SYS_socketpair, family, types[i], 0, pair) == 0) {
            leaked("a socket that no namespace holds");
        }
    }
}

/* To the machine this one runs on. */
static void socket_vsock(void) {
    try_family(40);
}

/* Ciphers of the kernel. */
static void socket_alg(void) {
    try_family(38);
}

static void socket_packet(void) {
    try_family(17);
}

static void socket_bluetooth(void) {
    try_family(31);
}

static void socket_kcm(void) {
    try_family(41);
}

static void socket_xdp(void) {
    try_family(44);
}

static void socket_families(void) {
    for (int family = 0; family < 64; family++) {
        if (family != AF_UNIX && family != AF_INET && family != AF_INET6 && family != AF_NETLINK) {
            try_family(family);
        }
    }
}

/* Other talks with the kernel than about interfaces, and protocols it would have to load. */
static void socket_protocols(void) {
    for (int protocol = 1; protocol < 32; protocol++) {
        if (socket(AF_NETLINK, SOCK_RAW, protocol) >= 0) {
            leaked("a talk with the kernel");
        }
    }
    static const int protocols[] = {33 /* DCCP */, 132 /* SCTP */, 136 /* UDP-Lite */, 262 /* MPTCP */};
    for (int i = 0; i < 4; i++) {
        if (socket(AF_INET, SOCK_STREAM, protocols[i]) >= 0 || socket(AF_INET6, SOCK_DGRAM, protocols[i]) >= 0) {
            leaked("an odd protocol");
        }
    }
}

/* More room than a socket has, and programs that run in the kernel for it. */
static void socket_options(void) {
    struct sock_filter line = {BPF_RET | BPF_K, 0, 0, 0xffff};
    struct sock_fprog program = {1, &line};
    int pair[2];
    int before = 0;
    int after = 0;
    int wanted = 1 << 20;
    socklen_t size = sizeof before;
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0) {
        return;
    }
    getsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &before, &size);
    setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &wanted, sizeof wanted);
    getsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &after, &size);
    if (after > before || setsockopt(pair[0], SOL_SOCKET, SO_SNDBUFFORCE, &wanted, sizeof wanted) == 0) {
        leaked("more room in a socket");
    }
    if (setsockopt(pair[0], SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0) {
        leaked("a program in the kernel");
    }
}

/* -- what a user has only so many of -- */

/* As an ordinary user the instances would be missing for everything else the user runs. */
static void inotify(void) {
    if (syscall(SYS_inotify_init1, 0) >= 0 || syscall(SYS_fanotify_init, 0x200, 0) >= 0) {
        leaked("notices about files");
    }
#ifdef SYS_inotify_init
    if (syscall(SYS_inotify_init) >= 0) {
        leaked("notices about files");
    }
#endif
}

static void aio(void) {
    unsigned long context = 0;
    if (syscall(SYS_io_setup, 60000, &context) == 0) {
        leaked("the machine's requests");
    }
    char parameters[120] = "";
    if (syscall(425 /* io_uring_setup */, 8, parameters) >= 0) {
        leaked("a ring");
    }
}

/* The owner of a file can make everybody wait who opens it; as an ordinary user that is the submission too. */
static void leases(void) {
    int file = open("input.txt", O_RDONLY);
    int folder = open(".", O_RDONLY);
    if (fcntl(file, F_SETLEASE, F_RDLCK) == 0 || fcntl(folder, F_NOTIFY, DN_CREATE) == 0) {
        leaked("a lease");
    }
    int pipes[2];
    if (pipe(pipes) == 0 && fcntl(pipes[0], F_SETPIPE_SZ, 1 << 20) > 0) {
        leaked("a larger pipe");
    }
}

static void keys(void) {
    if (syscall(SYS_add_key, "user", "evil", "x", 1, -3) >= 0 || syscall(SYS_keyctl, 0, -4, 1) >= 0 ||
        syscall(SYS_request_key, "user", "evil", NULL, -3) >= 0) {
        leaked("keys");
    }
}

static void huge_pages(void) {
    for (int shift = 21; shift <= 30; shift += 9) {
        void *page =
            mmap(NULL, (size_t)1 << shift, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | shift << 26, -1, 0);
        if (page != MAP_FAILED || errno != ENOMEM) {
            leaked("pages of somebody else");
        }
    }
}

/* Messages and memory that no limit counts. */
static void messages(void) {
    if (syscall(SYS_msgget, 0, 01000 | 0600) >= 0 || syscall(SYS_semget, 0, 1000, 01000 | 0600) >= 0 ||
        syscall(SYS_mq_open, "evil", O_CREAT | O_RDWR, 0600, NULL) >= 0 || syscall(447 /* memfd_secret */, 0) >= 0) {
        leaked("messages");
    }
}

/* Keeping others off the processor. */
static void real_time(void) {
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t times[3];
    } attributes = {.size = 48, .policy = 0, .nice = 0};
    if (syscall(SYS_sched_setattr, 0, &attributes, 0) == 0 || prctl(62 /* PR_SCHED_CORE */, 1, 0, 0, 0) == 0) {
        leaked("a processor of its own");
    }
}

/* -- rights -- */

static void namespaces_by_struct(void) {
    struct {
        uint64_t flags, pidfd, child, parent, signal, rest[3];
    } arguments = {.flags = CLONE_NEWUSER | CLONE_NEWNS, .signal = SIGCHLD};
    static const unsigned long flags[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                          CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};
    pid_t pid = (pid_t)syscall(CLONE3, &arguments, sizeof arguments);
    for (int i = 0; i < 7 && pid < 0; i++) {
        pid = (pid_t)syscall(SYS_clone, RUBBISH | flags[i] | SIGCHLD, NULL, NULL, NULL, NULL);
    }
    if (pid == 0) {
        _exit(0);
    }
    if (pid > 0 || syscall(SYS_setns, open("/proc/self/ns/user", O_RDONLY), 0) == 0) {
        leaked("a namespace");
    }
}

/* A filter of one's own, with a supervisor who lets calls through; rule sets. */
static void own_filters(void) {
    struct sock_filter line = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
    struct sock_fprog program = {1, &line};
    uint64_t rules[3] = {1, 0, 0};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program) >= 0 ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) >= 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0) {
        leaked("a filter of its own");
    }
    if (syscall(444 /* landlock_create_ruleset */, rules, sizeof rules, 0) >= 0 ||
        syscall(444, NULL, 0, 1 /* which version? */) >= 0) {
        leaked("a set of rules");
    }
}

#ifdef __x86_64__
/* The same calls by their other numbers. */
static void x32_calls(void) {
    close(make("shell"));
    syscall(0x40000000 | SYS_chmod, "shell", 06755);
    look("shell");
    if (syscall(0x40000000 | SYS_getpid) > 0 || syscall(0x40000000 | SYS_memfd_create, "x", 0) >= 0 ||
        syscall(0x40000000 | SYS_socket, 40, SOCK_STREAM, 0) >= 0) {
        leaked("calls by other numbers");
    }
}

static long call_as_32(long number, long first, long second) {
    long result;
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"(number), "b"(first), "c"(second)
                     : "memory", "r8", "r9", "r10", "r11");
    return result;
}

/* By the door of 32-bit programs; where there is none at all, the child dies. */
static void int80_calls(void) {
    close(make("shell"));
    pid_t pid = fork();
    if (pid == 0) {
        char *name = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
        strcpy(name, "shell");
        call_as_32(15 /* chmod */, (long)name, 06755);
        _exit(call_as_32(20 /* getpid */, 0, 0) > 0 ? 77 : 0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    look("shell");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        leaked("calls of 32-bit programs");
    }
}
#endif

/* -- other processes and the kernel -- */

static void other_insides(void) {
    char byte = 0;
    struct iovec here = {&byte, 1};
    struct iovec there = {(void *)(uintptr_t)0x400000, 1};
    int self = (int)syscall(PIDFD_OPEN, getpid(), 0);
    int first = (int)syscall(PIDFD_OPEN, 1, 0);
    if (syscall(PIDFD_GETFD, first, 0, 0) >= 0 || syscall(PIDFD_GETFD, self, 0, 0) >= 0) {
        leaked("another's descriptor");
    }
    if (syscall(SYS_process_vm_writev, 1, &here, 1, &there, 1, 0) > 0 ||
        syscall(SYS_process_vm_readv, getpid(), &here, 1, &here, 1, 0) > 0) {
        leaked("another's memory");
    }
    struct iovec own = {mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096};
    if (syscall(PROCESS_MADVISE, self, &own, 1, 20 /* MADV_COLD */, 0) > 0 ||
        syscall(SYS_kcmp, getpid(), getpid(), 0, 0, 1) >= 0) {
        leaked("advice about another's memory");
    }
}

/* Files by numbers instead of names. */
static void handles(void) {
    struct {
        uint32_t bytes;
        int type;
        char handle[128];
    } handle = {.bytes = 128};
    int mount = 0;
    if (syscall(SYS_name_to_handle_at, AT_FDCWD, ".", &handle, &mount, 0) == 0 ||
        syscall(SYS_open_by_handle_at, AT_FDCWD, &handle, O_RDONLY) >= 0) {
        leaked("files without names");
    }
}

/* All memory executable, or at address 0. */
static void personalities(void) {
    static const unsigned kinds[] = {READ_IMPLIES_EXEC, MMAP_PAGE_ZERO, ADDR_COMPAT_LAYOUT, PER_SVR4};
    for (int i = 0; i < 4; i++) {
        if (syscall(SYS_personality, RUBBISH | kinds[i]) >= 0) {
            leaked("another personality");
        }
    }
}

static void faults(void) {
    if (syscall(SYS_userfaultfd, 1 /* only one's own */) >= 0 || open("/dev/userfaultfd", O_RDWR) >= 0) {
        leaked("page faults");
    }
    if (syscall(SYS_perf_event_open, "", 0, -1, -1, 0) >= 0 || syscall(SYS_bpf, 0, "", 0) >= 0) {
        leaked("counters of the kernel");
    }
}

/* Mounts by the newer calls: of the seven only one is needed to get somewhere. */
static void newer_mounts(void) {
    uint64_t attributes[4] = {0};
    if (syscall(428 /* open_tree */, AT_FDCWD, "/", 0) >= 0 || syscall(430 /* fsopen */, "tmpfs", 0) >= 0 ||
        syscall(433 /* fspick */, AT_FDCWD, "/", 0) >= 0 || syscall(432 /* fsmount */, 3, 0, 0) >= 0 ||
        syscall(429 /* move_mount */, AT_FDCWD, "/tmp", AT_FDCWD, "/scratch", 0) >= 0 ||
        syscall(MOUNT_SETATTR, AT_FDCWD, "/scratch", 0, attributes, sizeof attributes) >= 0 ||
        syscall(457 /* statmount */, attributes, NULL, 0, 0) >= 0) {
        leaked("mounts");
    }
}

static void quotas(void) {
    char buffer[200];
    if (syscall(QUOTACTL_FD, open("/", O_RDONLY), 0x80000100, 0, buffer) == 0 ||
        syscall(SYS_quotactl, 0x80000100, NULL, 0, NULL) == 0) {
        leaked("quotas");
    }
#ifdef SYS_lookup_dcookie
    if (syscall(SYS_lookup_dcookie, 0, buffer, sizeof buffer) >= 0) {
        leaked("names of files");
    }
#endif
}

/* A keyboard of its own, into which it types; and the console's menu. */
static void typing(void) {
    char letter = 'x';
    int master = open("/dev/ptmx", O_RDWR | O_NOCTTY);
    int zero = 0;
    ioctl(master, TIOCSPTLCK, &zero);
    int terminal = ioctl(master, TIOCGPTPEER, O_RDWR);
    setsid();
    ioctl(terminal, TIOCSCTTY, 0);
    for (int descriptor = 0; descriptor < 8; descriptor++) {
        if (syscall(SYS_ioctl, descriptor, RUBBISH | TIOCSTI, &letter) == 0 ||
            syscall(SYS_ioctl, descriptor, TIOCLINUX, &letter) == 0) {
            leaked("a keyboard");
        }
    }
}

const struct attack attacks_doors[] = {
    {"set-id-chmod", set_id_chmod},
    {"set-id-fchmod", set_id_fchmod},
    {"set-id-fchmodat2", set_id_fchmodat2},
    {"set-id-open", set_id_open},
    {"set-id-openat2", set_id_openat2},
    {"set-id-nameless", set_id_nameless},
    {"set-id-folder", set_id_folder},
    {"set-id-mknod", set_id_mknod},
    {"attributes", attributes},
    {"file-flags", file_flags},
    {"socket-vsock", socket_vsock},
    {"socket-alg", socket_alg},
    {"socket-packet", socket_packet},
    {"socket-bluetooth", socket_bluetooth},
    {"socket-kcm", socket_kcm},
    {"socket-xdp", socket_xdp},
    {"socket-families", socket_families},
    {"socket-protocols", socket_protocols},
    {"socket-options", socket_options},
    {"inotify", inotify},
    {"aio", aio},
    {"leases", leases},
    {"keys", keys},
    {"huge-pages", huge_pages},
    {"messages", messages},
    {"real-time", real_time},
    {"namespaces-by-struct", namespaces_by_struct},
    {"own-filters", own_filters},
#ifdef __x86_64__
    {"x32-calls", x32_calls},
    {"int80-calls", int80_calls},
#endif
    {"other-insides", other_insides},
    {"handles", handles},
    {"personalities", personalities},
    {"faults", faults},
    {"newer-mounts", newer_mounts},
    {"quotas", quotas},
    {"typing", typing},
    {NULL, NULL},
};
