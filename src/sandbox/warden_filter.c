#include "sandbox/warden_filter.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#if defined __x86_64__
#define FILTER_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define FILTER_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* -- the calls -- */

/* Newer than some C libraries; all processors have the same numbers from 424 on. */
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#ifndef SYS_map_shadow_stack
#define SYS_map_shadow_stack 453
#endif
#ifndef SYS_futex_wake
#define SYS_futex_wake 454
#define SYS_futex_wait 455
#define SYS_futex_requeue 456
#endif
#ifndef SYS_mseal
#define SYS_mseal 462
#endif
#ifndef SYS_setxattrat
#define SYS_setxattrat 463
#endif
#ifndef SYS_removexattrat
#define SYS_removexattrat 466
#endif

/* clang-format off */
#define ALLOWED(name) {SYS_##name, #name, FILTER_ALLOWED, 0}
#define DENIED(name) {SYS_##name, #name, FILTER_DENIED, 0}
#define RULED(name, rule, argument) {SYS_##name, #name, rule, argument}

/* By reason, and by name for one reason. Not here, and so refused with ENOSYS, are among others
 *   what no limit counts: memfd_create, memfd_secret, shmget, msgget, semget, mq_open
 *   what is counted for a user or for the whole machine, so that a program could use up another's share:
 *     inotify_init, inotify_init1, fanotify_init, io_setup, add_key
 *   the insides of other processes: process_vm_readv, process_vm_writev, pidfd_getfd, process_madvise, kcmp
 *   a byte that keeps a whole page in memory: splice, vmsplice, tee, sendfile
 *   doors that were often found open: bpf, io_uring_setup, perf_event_open, userfaultfd, modify_ldt
 *   ways around names and rights: open_by_handle_at, name_to_handle_at, fsopen, open_tree, move_mount, mount_setattr
 *   what hides its arguments behind a pointer: clone3, openat2
 *   filters and rule sets of its own: seccomp, landlock_create_ruleset. */
static const struct filter_call calls[] = {
#ifdef FILTER_ARCHITECTURE
    /* its own memory */
    ALLOWED(brk), ALLOWED(get_mempolicy), ALLOWED(madvise), ALLOWED(map_shadow_stack), ALLOWED(membarrier),
    ALLOWED(mincore), ALLOWED(mlock), ALLOWED(mlock2), ALLOWED(mlockall), ALLOWED(mprotect), ALLOWED(mremap),
    ALLOWED(mseal), ALLOWED(msync), ALLOWED(munlock), ALLOWED(munlockall), ALLOWED(munmap), ALLOWED(pkey_alloc),
    ALLOWED(pkey_free), ALLOWED(pkey_mprotect),
    /* its own processes and threads: there are no others in its namespace */
    ALLOWED(execve), ALLOWED(execveat), ALLOWED(exit), ALLOWED(exit_group), ALLOWED(getcpu), ALLOWED(getpgid),
    ALLOWED(getpid), ALLOWED(getppid), ALLOWED(getpriority), ALLOWED(getrlimit), ALLOWED(getrusage), ALLOWED(getsid),
    ALLOWED(gettid), ALLOWED(ioprio_get), ALLOWED(kill), ALLOWED(pidfd_open), ALLOWED(pidfd_send_signal),
    ALLOWED(rseq), ALLOWED(sched_get_priority_max), ALLOWED(sched_get_priority_min),
    ALLOWED(sched_getaffinity), ALLOWED(sched_getattr), ALLOWED(sched_getparam), ALLOWED(sched_getscheduler),
    ALLOWED(sched_rr_get_interval), ALLOWED(sched_setaffinity), ALLOWED(sched_setparam), ALLOWED(sched_yield),
    ALLOWED(set_tid_address), ALLOWED(setpgid), ALLOWED(setrlimit), ALLOWED(setsid),
    ALLOWED(tgkill), ALLOWED(tkill), ALLOWED(wait4), ALLOWED(waitid),
    /* waiting for one another */
    ALLOWED(futex), ALLOWED(futex_requeue), ALLOWED(futex_wait), ALLOWED(futex_waitv), ALLOWED(futex_wake),
    ALLOWED(get_robust_list), ALLOWED(set_robust_list),
    /* signals */
    ALLOWED(restart_syscall), ALLOWED(rt_sigaction), ALLOWED(rt_sigpending), ALLOWED(rt_sigprocmask),
    ALLOWED(rt_sigqueueinfo), ALLOWED(rt_sigreturn), ALLOWED(rt_sigsuspend), ALLOWED(rt_sigtimedwait),
    ALLOWED(rt_tgsigqueueinfo), ALLOWED(sigaltstack), ALLOWED(signalfd4),
    /* time and timers */
    ALLOWED(clock_getres), ALLOWED(clock_gettime), ALLOWED(clock_nanosleep), ALLOWED(getitimer),
    ALLOWED(gettimeofday), ALLOWED(nanosleep), ALLOWED(setitimer), ALLOWED(timer_create), ALLOWED(timer_delete),
    ALLOWED(timer_getoverrun), ALLOWED(timer_gettime), ALLOWED(timer_settime), ALLOWED(timerfd_create),
    ALLOWED(timerfd_gettime), ALLOWED(timerfd_settime), ALLOWED(times),
    /* who it is; it may become nobody else, which the kernel sees to */
    ALLOWED(capget), ALLOWED(capset), ALLOWED(getegid), ALLOWED(geteuid), ALLOWED(getgid), ALLOWED(getgroups),
    ALLOWED(getresgid), ALLOWED(getresuid), ALLOWED(getuid), ALLOWED(setfsgid), ALLOWED(setfsuid), ALLOWED(setgid),
    ALLOWED(setregid), ALLOWED(setresgid), ALLOWED(setresuid), ALLOWED(setreuid), ALLOWED(setuid), ALLOWED(umask),
    /* the machine: names, sizes, random bytes */
    ALLOWED(getrandom), ALLOWED(sysinfo), ALLOWED(uname),
    /* what is open already */
    ALLOWED(close), ALLOWED(close_range), ALLOWED(copy_file_range), ALLOWED(dup), ALLOWED(dup3), ALLOWED(fadvise64),
    ALLOWED(fallocate), ALLOWED(fdatasync), ALLOWED(flock), ALLOWED(fstat), ALLOWED(fstatfs), ALLOWED(fsync),
    ALLOWED(ftruncate), ALLOWED(getdents64), ALLOWED(lseek), ALLOWED(pread64), ALLOWED(preadv), ALLOWED(preadv2),
    ALLOWED(pwrite64), ALLOWED(pwritev), ALLOWED(pwritev2), ALLOWED(read), ALLOWED(readahead), ALLOWED(readv),
    ALLOWED(sync_file_range), ALLOWED(write), ALLOWED(writev),
    /* files by name */
    ALLOWED(chdir), ALLOWED(faccessat), ALLOWED(faccessat2), ALLOWED(fchdir), ALLOWED(fchown), ALLOWED(fchownat),
    ALLOWED(fgetxattr), ALLOWED(flistxattr), ALLOWED(getcwd), ALLOWED(getxattr), ALLOWED(lgetxattr), ALLOWED(linkat),
    ALLOWED(listxattr), ALLOWED(llistxattr), ALLOWED(newfstatat), ALLOWED(readlinkat), ALLOWED(renameat),
    ALLOWED(statfs), ALLOWED(statx), ALLOWED(symlinkat), ALLOWED(truncate), ALLOWED(unlinkat),
    ALLOWED(utimensat),
    /* many descriptors at once, and those that are nothing but counters or pipes */
    ALLOWED(epoll_create1), ALLOWED(epoll_ctl), ALLOWED(epoll_pwait), ALLOWED(epoll_pwait2), ALLOWED(eventfd2),
    ALLOWED(pipe2), ALLOWED(ppoll), ALLOWED(pselect6),
    /* sockets, of the families below */
    ALLOWED(accept), ALLOWED(accept4), ALLOWED(bind), ALLOWED(connect), ALLOWED(getpeername), ALLOWED(getsockname),
    ALLOWED(getsockopt), ALLOWED(listen), ALLOWED(recvfrom), ALLOWED(recvmmsg), ALLOWED(recvmsg), ALLOWED(sendmmsg),
    ALLOWED(sendmsg), ALLOWED(sendto), ALLOWED(shutdown),
    /* what depends on its arguments */
    RULED(clone, FILTER_CLONE, 0), RULED(fcntl, FILTER_FCNTL, 1), RULED(ioctl, FILTER_IOCTL, 1),
    RULED(mmap, FILTER_MMAP, 3), RULED(personality, FILTER_PERSONALITY, 0), RULED(prctl, FILTER_PRCTL, 0),
    RULED(prlimit64, FILTER_OWN, 0), RULED(sched_setscheduler, FILTER_SCHEDULER, 1), RULED(setpriority, FILTER_PRIORITY, 2),
    RULED(setsockopt, FILTER_SOCKET_OPTION, 1), RULED(socket, FILTER_SOCKET, 0),
    RULED(socketpair, FILTER_SOCKET_PAIR, 0),
    /* what gives a file its mode: no set-id bits, no devices. In a folder that is shared they would be on the disk of the machine,
     * for every local user to run, and as an ordinary user programs have the number of who started sortie. */
    RULED(fchmod, FILTER_MODE, 1), RULED(fchmodat, FILTER_MODE, 2), RULED(fchmodat2, FILTER_MODE, 2),
    RULED(mkdirat, FILTER_MODE, 2), RULED(mknodat, FILTER_NODE, 2), RULED(openat, FILTER_OPEN, 2),
    RULED(renameat2, FILTER_RENAME, 4),
    /* attributes of files: capabilities, access lists, and what no limit counts. cp and tar do without */
    RULED(fremovexattr, FILTER_UNSUPPORTED, 0), RULED(fsetxattr, FILTER_UNSUPPORTED, 0),
    RULED(lremovexattr, FILTER_UNSUPPORTED, 0), RULED(lsetxattr, FILTER_UNSUPPORTED, 0),
    RULED(removexattr, FILTER_UNSUPPORTED, 0), RULED(removexattrat, FILTER_UNSUPPORTED, 0),
    RULED(setxattr, FILTER_UNSUPPORTED, 0), RULED(setxattrat, FILTER_UNSUPPORTED, 0),
    /* would make everybody's disk busy; what a program writes lies in memory anyway */
    RULED(sync, FILTER_PRETENDED, 0), RULED(syncfs, FILTER_PRETENDED, 0),
    /* what only root may do: programs that try know EPERM */
    DENIED(acct), DENIED(adjtimex), DENIED(chroot), DENIED(clock_adjtime), DENIED(clock_settime),
    DENIED(delete_module), DENIED(finit_module), DENIED(init_module), DENIED(ioprio_set), DENIED(mount),
    DENIED(pivot_root), DENIED(ptrace), DENIED(quotactl), DENIED(reboot), DENIED(sched_setattr), DENIED(setdomainname),
    DENIED(setgroups), DENIED(sethostname), DENIED(setns), DENIED(settimeofday), DENIED(swapoff), DENIED(swapon),
    DENIED(syslog), DENIED(umount2), DENIED(unshare), DENIED(vhangup),
#ifdef __x86_64__
    /* older names for the same things, which newer processors never had */
    ALLOWED(access), ALLOWED(alarm), ALLOWED(arch_prctl), ALLOWED(chown), ALLOWED(dup2), ALLOWED(epoll_create),
    ALLOWED(epoll_wait), ALLOWED(eventfd), ALLOWED(fork), ALLOWED(futimesat), ALLOWED(getdents), ALLOWED(getpgrp),
    ALLOWED(lchown), ALLOWED(link), ALLOWED(lstat), ALLOWED(pause), ALLOWED(pipe), ALLOWED(poll), ALLOWED(readlink),
    ALLOWED(rename), ALLOWED(rmdir), ALLOWED(select), ALLOWED(signalfd), ALLOWED(stat), ALLOWED(symlink),
    ALLOWED(time), ALLOWED(unlink), ALLOWED(utime), ALLOWED(utimes), ALLOWED(vfork),
    DENIED(ioperm), DENIED(iopl),
    RULED(chmod, FILTER_MODE, 1), RULED(creat, FILTER_MODE, 1), RULED(mkdir, FILTER_MODE, 1),
    RULED(mknod, FILTER_NODE, 1), RULED(open, FILTER_OPEN, 1),
#endif
#else
    {-1, "", FILTER_ALLOWED, 0},
#endif
};
/* clang-format on */

#ifdef FILTER_ARCHITECTURE
enum { CALLS = sizeof calls / sizeof *calls };
#else
enum { CALLS = 0 };
#endif

const struct filter_call *warden_filter_calls(int *count) {
    *count = CALLS;
    return calls;
}

#ifdef FILTER_ARCHITECTURE

/* -- numbers in arguments -- */

/* A list of values ends with this one, which no call takes. */
#define LIST_END 0xfffffffe

/* Its own descriptors and locks. Not there: leases and notices (F_SETLEASE, F_NOTIFY), by which the owner of a file
 * makes all who open it wait, and F_SETPIPE_SZ, which takes from what a user may have in all pipes. */
static const uint32_t fcntl_commands[] = {F_DUPFD,
                                          F_GETFD,
                                          F_SETFD,
                                          F_GETFL,
                                          F_SETFL,
                                          F_GETLK,
                                          F_SETLK,
                                          F_SETLKW,
                                          F_SETOWN,
                                          F_GETOWN,
                                          F_SETSIG,
                                          F_GETSIG,
                                          F_SETOWN_EX,
                                          F_GETOWN_EX,
                                          F_OFD_GETLK,
                                          F_OFD_SETLK,
                                          F_OFD_SETLKW,
                                          F_GETLEASE,
                                          F_DUPFD_CLOEXEC,
                                          F_GETPIPE_SZ,
                                          F_ADD_SEALS,
                                          F_GET_SEALS,
                                          1027 /* F_DUPFD_QUERY */,
                                          LIST_END};

/* Questions about descriptors, terminals of its own and network interfaces. Not there: putting letters into a terminal
 * (TIOCSTI, TIOCLINUX), flags of files, and whatever drivers and file systems have. */
static const uint32_t ioctl_commands[] = {FIOCLEX,
                                          FIONCLEX,
                                          FIONBIO,
                                          FIOASYNC,
                                          FIONREAD,
                                          TCGETS,
                                          TCSETS,
                                          TCSETSW,
                                          TCSETSF,
                                          TCSBRK,
                                          TCXONC,
                                          TCFLSH,
                                          0x802c542a /* TCGETS2 */,
                                          0x402c542b,
                                          0x402c542c,
                                          0x402c542d /* and the three that set */,
                                          TIOCSCTTY,
                                          TIOCNOTTY,
                                          TIOCGPGRP,
                                          TIOCSPGRP,
                                          TIOCGSID,
                                          TIOCOUTQ,
                                          TIOCGWINSZ,
                                          TIOCSWINSZ,
                                          TIOCGPTN,
                                          TIOCSPTLCK,
                                          TIOCGPTPEER,
                                          SIOCATMARK,
                                          SIOCGIFNAME,
                                          SIOCGIFCONF,
                                          SIOCGIFFLAGS,
                                          SIOCGIFADDR,
                                          SIOCGIFBRDADDR,
                                          SIOCGIFNETMASK,
                                          SIOCGIFMTU,
                                          SIOCGIFHWADDR,
                                          SIOCGIFINDEX,
                                          LIST_END};

/* About itself. Not there: filters (PR_SET_SECCOMP), its own memory map (PR_SET_MM), and keeping others off the
 * processor it runs on (PR_SCHED_CORE). */
static const uint32_t prctl_options[] = {PR_SET_PDEATHSIG,
                                         PR_GET_PDEATHSIG,
                                         PR_GET_DUMPABLE,
                                         PR_SET_DUMPABLE,
                                         PR_GET_KEEPCAPS,
                                         PR_SET_NAME,
                                         PR_GET_NAME,
                                         PR_GET_SECCOMP,
                                         PR_CAPBSET_READ,
                                         PR_GET_SECUREBITS,
                                         PR_SET_TIMERSLACK,
                                         PR_GET_TIMERSLACK,
                                         PR_SET_CHILD_SUBREAPER,
                                         PR_GET_CHILD_SUBREAPER,
                                         PR_SET_NO_NEW_PRIVS,
                                         PR_GET_NO_NEW_PRIVS,
                                         PR_GET_TID_ADDRESS,
                                         PR_SET_THP_DISABLE,
                                         PR_GET_THP_DISABLE,
                                         PR_CAP_AMBIENT,
                                         PR_SVE_SET_VL,
                                         PR_SVE_GET_VL,
                                         PR_GET_SPECULATION_CTRL,
                                         PR_SET_SPECULATION_CTRL,
                                         PR_PAC_RESET_KEYS,
                                         PR_SET_TAGGED_ADDR_CTRL,
                                         PR_GET_TAGGED_ADDR_CTRL,
                                         PR_SET_PTRACER,
                                         0x53564d41 /* PR_SET_VMA: names of memory */,
                                         LIST_END};

/* The usual one, that of 32-bit programs as far as its name goes, no random addresses (debuggers and sanitizers), and
 * the question. Not there: what makes all memory executable. */
static const uint32_t personalities[] = {PER_LINUX,  PER_LINUX32, ADDR_NO_RANDOMIZE, PER_LINUX32 | ADDR_NO_RANDOMIZE,
                                         0xffffffff, LIST_END};

/* Limits of others are not a program's business: those of the first process are what the next run begins with. */
static const uint32_t own[] = {0, LIST_END};

/* To be nicer than usual. A user may have the right to real time; a program must not. */
#define RESET_ON_FORK 0x40000000
static const uint32_t policies[] = {0 /* SCHED_OTHER */,
                                    3 /* SCHED_BATCH */,
                                    5 /* SCHED_IDLE */,
                                    RESET_ON_FORK,
                                    RESET_ON_FORK | 3,
                                    RESET_ON_FORK | 5,
                                    LIST_END};

/* Over its own loopback: what every C library knows, and no protocol that the kernel would have to load. */
static const uint32_t internet_families[] = {AF_INET, AF_INET6, LIST_END};
static const uint32_t internet_protocols[] = {0, IPPROTO_TCP, IPPROTO_UDP, LIST_END};
/* Netlink is how interfaces are listed. */
static const uint32_t netlink_protocols[] = {0 /* NETLINK_ROUTE */, LIST_END};
/* Options of sockets: of the kind, and for TCP all but other protocols above it. */
static const uint32_t option_levels[] = {IPPROTO_IP, IPPROTO_IPV6, LIST_END};
#define SOCKET_LAYER_ABOVE 31 /* TCP_ULP */
/* How much waits in a socket is a wish in the kernel too, which cuts it: here it always stays as it was. */
static const uint32_t buffer_sizes[] = {SO_SNDBUF, SO_RCVBUF, LIST_END};
/* Larger ones by force; programs for the kernel; memory that is sent without being copied. */
static const uint32_t odd_options[] = {
    SO_SNDBUFFORCE, SO_RCVBUFFORCE,           SO_ATTACH_FILTER,         SO_ATTACH_BPF, SO_ZEROCOPY,
    SO_TXTIME,      SO_ATTACH_REUSEPORT_CBPF, SO_ATTACH_REUSEPORT_EBPF, LIST_END};

#ifndef RENAME_WHITEOUT
#define RENAME_WHITEOUT 4
#endif
#define SET_ID_BITS (S_ISUID | S_ISGID)
/* O_TMPFILE has a bit of its own and O_DIRECTORY; the kernel looks at the former. */
#define MAKING_FLAGS (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))
#define NAMESPACES                                                                                                     \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

/* -- writing a program -- */

struct writer {
    struct sock_filter *program;
    int length;
};

static void put(struct writer *writer, uint16_t code, uint8_t yes, uint8_t no, uint32_t value) {
    writer->program[writer->length++] = (struct sock_filter){code, yes, no, value};
}

static void load(struct writer *writer, size_t offset) {
    put(writer, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

/* The half of an argument that the kernel looks at; both processors have it first. */
static void load_argument(struct writer *writer, int argument) {
    load(writer, offsetof(struct seccomp_data, args) + 8 * (size_t)argument);
}

static void answer(struct writer *writer, uint32_t action) {
    put(writer, BPF_RET | BPF_K, 0, 0, action);
}

static uint32_t refusal(int cause) {
    return SECCOMP_RET_ERRNO | (uint32_t)cause;
}

/* What was loaded has one of these bits: this is the answer. */
static void answer_bits(struct writer *writer, uint32_t bits, uint32_t action) {
    put(writer, BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits);
    answer(writer, action);
}

/* What was loaded is on the list: this is the answer, which stands behind the list once. */
static void answer_list(struct writer *writer, const uint32_t *list, uint32_t action) {
    int count = 0;
    while (list[count] != LIST_END) {
        count++;
    }
    for (int i = 0; i < count; i++) {
        put(writer, BPF_JMP | BPF_JEQ | BPF_K, (uint8_t)(count - 1 - i), i + 1 == count, list[i]);
    }
    answer(writer, action);
}

/* What is written until end_if holds when that value was loaded; it must give an answer. */
static int begin_if(struct writer *writer, uint32_t value) {
    put(writer, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, value);
    return writer->length;
}

static void end_if(struct writer *writer, int begun) {
    writer->program[begun - 1].jf = (uint8_t)(writer->length - begun);
}

/* -- the rules -- */

/* Only what is on the list is allowed. */
static void write_list(struct writer *writer, int argument, const uint32_t *list, int cause) {
    load_argument(writer, argument);
    answer_list(writer, list, SECCOMP_RET_ALLOW);
    answer(writer, refusal(cause));
}

/* All is allowed but these bits. */
static void write_bits(struct writer *writer, int argument, uint32_t bits, int cause) {
    load_argument(writer, argument);
    answer_bits(writer, bits, refusal(cause));
    answer(writer, SECCOMP_RET_ALLOW);
}

/* A mode counts only when the flags make a file; else it is whatever the register held. */
static void write_open(struct writer *writer, int flags) {
    load_argument(writer, flags);
    put(writer, BPF_JMP | BPF_JSET | BPF_K, 1, 0, MAKING_FLAGS);
    answer(writer, SECCOMP_RET_ALLOW);
    write_bits(writer, flags + 1, SET_ID_BITS, EPERM);
}

static void write_node(struct writer *writer, int mode) {
    static const uint32_t devices[] = {S_IFCHR, S_IFBLK, LIST_END};
    load_argument(writer, mode);
    answer_bits(writer, SET_ID_BITS, refusal(EPERM));
    put(writer, BPF_ALU | BPF_AND | BPF_K, 0, 0, S_IFMT);
    answer_list(writer, devices, refusal(EPERM));
    answer(writer, SECCOMP_RET_ALLOW);
}

static void write_socket(struct writer *writer) {
    static const uint32_t local[] = {AF_UNIX, LIST_END};
    load_argument(writer, 0);
    answer_list(writer, local, SECCOMP_RET_ALLOW);
    for (const uint32_t *family = internet_families; *family != LIST_END; family++) {
        int internet = begin_if(writer, *family);
        write_list(writer, 2, internet_protocols, EPROTONOSUPPORT);
        end_if(writer, internet);
    }
    int netlink = begin_if(writer, AF_NETLINK);
    write_list(writer, 2, netlink_protocols, EPROTONOSUPPORT);
    end_if(writer, netlink);
    answer(writer, refusal(EAFNOSUPPORT));
}

static void write_socket_option(struct writer *writer) {
    static const uint32_t above[] = {SOCKET_LAYER_ABOVE, LIST_END};
    load_argument(writer, 1);
    int kind = begin_if(writer, SOL_SOCKET);
    load_argument(writer, 2);
    answer_list(writer, buffer_sizes, refusal(0));
    answer_list(writer, odd_options, refusal(EPERM));
    answer(writer, SECCOMP_RET_ALLOW);
    end_if(writer, kind);
    int stream = begin_if(writer, IPPROTO_TCP);
    load_argument(writer, 2);
    answer_list(writer, above, refusal(ENOPROTOOPT));
    answer(writer, SECCOMP_RET_ALLOW);
    end_if(writer, stream);
    answer_list(writer, option_levels, SECCOMP_RET_ALLOW);
    answer(writer, refusal(ENOPROTOOPT));
}

/* The answer to a call at which nothing is looked at; NULL: one that is not on the list. */
static uint32_t plain_answer(const struct filter_call *call) {
    return !call                              ? refusal(ENOSYS)
           : call->rule == FILTER_DENIED      ? refusal(EPERM)
           : call->rule == FILTER_PRETENDED   ? refusal(0)
           : call->rule == FILTER_UNSUPPORTED ? refusal(EOPNOTSUPP)
                                              : SECCOMP_RET_ALLOW;
}

/* What is to be done about a call. */
static void write_rule(struct writer *writer, const struct filter_call *call) {
    static const uint32_t local[] = {AF_UNIX, LIST_END};
    switch (call ? call->rule : FILTER_DENIED) {
    case FILTER_ALLOWED:
    case FILTER_DENIED:
    case FILTER_PRETENDED:
    case FILTER_UNSUPPORTED:
        answer(writer, plain_answer(call));
        break;
    case FILTER_MODE:
        write_bits(writer, call->argument, SET_ID_BITS, EPERM);
        break;
    case FILTER_OPEN:
        write_open(writer, call->argument);
        break;
    case FILTER_NODE:
        write_node(writer, call->argument);
        break;
    case FILTER_CLONE:
        write_bits(writer, call->argument, NAMESPACES, EPERM);
        break;
    case FILTER_FCNTL:
        write_list(writer, call->argument, fcntl_commands, EINVAL);
        break;
    case FILTER_IOCTL:
        write_list(writer, call->argument, ioctl_commands, ENOTTY);
        break;
    case FILTER_MMAP: /* huge pages are set aside for somebody else */
        write_bits(writer, call->argument, MAP_HUGETLB, ENOMEM);
        break;
    case FILTER_PERSONALITY:
        write_list(writer, call->argument, personalities, EPERM);
        break;
    case FILTER_PRCTL:
        write_list(writer, call->argument, prctl_options, EINVAL);
        break;
    case FILTER_OWN: /* 0 is the process that calls */
        write_list(writer, call->argument, own, EPERM);
        break;
    case FILTER_PRIORITY: /* a negative number */
        write_bits(writer, call->argument, 0x80000000, EPERM);
        break;
    case FILTER_RENAME:
        write_bits(writer, call->argument, RENAME_WHITEOUT, EINVAL);
        break;
    case FILTER_SCHEDULER:
        write_list(writer, call->argument, policies, EPERM);
        break;
    case FILTER_SOCKET:
        write_socket(writer);
        break;
    case FILTER_SOCKET_OPTION:
        write_socket_option(writer);
        break;
    case FILTER_SOCKET_PAIR:
        write_list(writer, call->argument, local, EAFNOSUPPORT);
        break;
    }
}

/* -- the search -- */

/* Numbers from `first` up to the next span's, with one rule for them all. */
struct span {
    uint32_t first;
    const struct filter_call *call; /* any of them; NULL: not on the list */
};

static bool is_plain(const struct filter_call *call) {
    return !call || call->rule <= FILTER_UNSUPPORTED;
}

static bool is_same(const struct filter_call *a, const struct filter_call *b) {
    return is_plain(a) && is_plain(b) && plain_answer(a) == plain_answer(b);
}

/* Adds numbers from `first` on to the spans, or to the last of them. */
static int add_span(struct span *spans, int count, uint32_t first, const struct filter_call *call) {
    if (count == 0 || !is_same(spans[count - 1].call, call)) {
        spans[count++] = (struct span){first, call};
    }
    return count;
}

static int compare_numbers(const void *a, const void *b) {
    return ((const struct filter_call *)a)->number - ((const struct filter_call *)b)->number;
}

/* All numbers there are, in order; `sorted` is the list by numbers. */
static int list_spans(const struct filter_call sorted[CALLS], struct span spans[2 * CALLS + 1]) {
    uint32_t next = 0;
    int count = 0;
    for (int i = 0; i < CALLS; i++) {
        uint32_t number = (uint32_t)sorted[i].number;
        if (number > next) {
            count = add_span(spans, count, next, NULL);
        }
        count = add_span(spans, count, number, &sorted[i]);
        next = number + 1;
    }
    return add_span(spans, count, next, NULL);
}

/* A binary search: which half, then which quarter. The number is loaded, and falls into one of the spans. */
static void write_search(struct writer *writer, const struct span *spans, int count) {
    if (count == 1) {
        write_rule(writer, spans->call);
        return;
    }
    int half = count / 2;
    put(writer, BPF_JMP | BPF_JGE | BPF_K, 0, 0, spans[half].first);
    int begin = writer->length;
    write_search(writer, spans, half);
    int size = writer->length - begin;
    if (size <= UINT8_MAX) {
        writer->program[begin - 1].jt = (uint8_t)size;
    } else {
        /* Too far for a jump with a condition. What was written jumps only within itself and can be moved. */
        memmove(writer->program + begin + 1, writer->program + begin, (size_t)size * sizeof *writer->program);
        writer->program[begin - 1].jf = 1;
        writer->program[begin] = (struct sock_filter){BPF_JMP | BPF_JA, 0, 0, (uint32_t)size};
        writer->length++;
    }
    write_search(writer, spans + half, count - half);
}

int warden_filter_write(struct sock_filter program[WARDEN_FILTER_MOST]) {
    struct writer writer = {.program = program};
    struct filter_call sorted[CALLS];
    struct span spans[2 * CALLS + 1];
    memcpy(sorted, calls, sizeof sorted);
    qsort(sorted, CALLS, sizeof *sorted, compare_numbers);
    int count = list_spans(sorted, spans);
    /* Programs for another processor have other numbers. */
    load(&writer, offsetof(struct seccomp_data, arch));
    put(&writer, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, FILTER_ARCHITECTURE);
    answer(&writer, refusal(ENOSYS));
    load(&writer, offsetof(struct seccomp_data, nr));
    write_search(&writer, spans, count);
    return writer.length;
}

#else

int warden_filter_write(struct sock_filter program[WARDEN_FILTER_MOST]) {
    (void)program;
    return 0;
}

#endif
