/* The filter of system calls, run here instruction by instruction: over all numbers there may be it must say what the
 * list says, and of arguments what is written down once more below. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sandbox/warden_filter.h"

#if defined __x86_64__
#define THIS_PROCESSOR AUDIT_ARCH_X86_64
#define ANOTHER_PROCESSOR AUDIT_ARCH_I386
#else
#define THIS_PROCESSOR AUDIT_ARCH_AARCH64
#define ANOTHER_PROCESSOR AUDIT_ARCH_ARM
#endif

#define ALLOW SECCOMP_RET_ALLOW
#define REFUSE(cause) (SECCOMP_RET_ERRNO | (uint32_t)(cause))
/* What the upper halves of registers hold: the kernel does not look at them. */
#define RUBBISH 0xdeadbeef00000000u
/* Above every number of a call. */
#define MOST_NUMBER 1100

static struct sock_filter program[WARDEN_FILTER_MOST];
static int length;
static int steps; /* of the last run */

/* Runs the filter on a call as the kernel does. */
static uint32_t run(const struct seccomp_data *data) {
    uint32_t value = 0;
    steps = 0;
    for (int at = 0; at < length; at++) {
        const struct sock_filter *line = &program[at];
        bool holds;
        steps++;
        switch (line->code) {
        case BPF_LD | BPF_W | BPF_ABS:
            assert_true(line->k % 4 == 0 && line->k < sizeof *data);
            memcpy(&value, (const char *)data + line->k, sizeof value);
            continue;
        case BPF_ALU | BPF_AND | BPF_K:
            value &= line->k;
            continue;
        case BPF_RET | BPF_K:
            return line->k;
        case BPF_JMP | BPF_JA:
            at += (int)line->k;
            continue;
        case BPF_JMP | BPF_JEQ | BPF_K:
            holds = value == line->k;
            break;
        case BPF_JMP | BPF_JGE | BPF_K:
            holds = value >= line->k;
            break;
        case BPF_JMP | BPF_JSET | BPF_K:
            holds = (value & line->k) != 0;
            break;
        default:
            fail_msg("an instruction that is not in use: %#x", line->code);
            return 0;
        }
        at += holds ? line->jt : line->jf;
    }
    fail_msg("no answer");
    return 0;
}

/* What becomes of a call whose arguments are these. */
static uint32_t asked(int number, const uint32_t arguments[6]) {
    struct seccomp_data data = {.nr = number, .arch = THIS_PROCESSOR};
    for (int i = 0; i < 6; i++) {
        data.args[i] = RUBBISH | arguments[i];
    }
    return run(&data);
}

static const struct filter_call *find(int number) {
    int count;
    const struct filter_call *calls = warden_filter_calls(&count);
    for (int i = 0; i < count; i++) {
        if (calls[i].number == number) {
            return &calls[i];
        }
    }
    return NULL;
}

/* Asks with one argument; the others are rubbish that no rule may take for anything. */
static void answers(int number, int argument, uint32_t value, uint32_t wanted) {
    uint32_t arguments[6] = {0};
    arguments[argument] = value;
    uint32_t found = asked(number, arguments);
    if (found != wanted) {
        const struct filter_call *call = find(number);
        fail_msg("%s(%d), argument %d being %#x: answer %#x, wanted %#x", call ? call->name : "?", number, argument,
                 value, found, wanted);
    }
}

static void answers_two(int number, int first, uint32_t value, uint32_t next, uint32_t wanted) {
    uint32_t arguments[6] = {0};
    arguments[first] = value;
    arguments[first + 1] = next;
    uint32_t found = asked(number, arguments);
    if (found != wanted) {
        fail_msg("call %d, arguments %d being %#x, %#x: answer %#x, wanted %#x", number, first, value, next, found,
                 wanted);
    }
}

/* No number stands twice, and nothing is on the list that hands out what a sandbox is there to keep. */
static void lists_calls(void **state) {
    (void)state;
    static const char *const never[] = {"memfd_create",
                                        "memfd_secret",
                                        "shmget",
                                        "msgget",
                                        "semget",
                                        "mq_open",
                                        "inotify_init",
                                        "inotify_init1",
                                        "fanotify_init",
                                        "io_setup",
                                        "io_uring_setup",
                                        "add_key",
                                        "keyctl",
                                        "request_key",
                                        "bpf",
                                        "userfaultfd",
                                        "perf_event_open",
                                        "process_vm_readv",
                                        "process_vm_writev",
                                        "pidfd_getfd",
                                        "process_madvise",
                                        "kcmp",
                                        "open_by_handle_at",
                                        "name_to_handle_at",
                                        "open_tree",
                                        "move_mount",
                                        "fsopen",
                                        "fsmount",
                                        "fsconfig",
                                        "fspick",
                                        "mount_setattr",
                                        "quotactl_fd",
                                        "lookup_dcookie",
                                        "clone3",
                                        "openat2",
                                        "seccomp",
                                        "landlock_create_ruleset",
                                        "modify_ldt",
                                        "kexec_load",
                                        "vmsplice",
                                        "uselib"};
    int count;
    const struct filter_call *calls = warden_filter_calls(&count);
    assert_true(count > 200);
    for (int i = 0; i < count; i++) {
        assert_true(calls[i].number >= 0 && calls[i].number < MOST_NUMBER);
        assert_ptr_equal(find(calls[i].number), &calls[i]);
        for (size_t k = 0; k < sizeof never / sizeof *never; k++) {
            assert_string_not_equal(calls[i].name, never[k]);
        }
    }
}

/* What the list says of a call that is asked with nothing but zeros. */
static uint32_t plain_answer(const struct filter_call *call) {
    switch (call ? call->rule : FILTER_ALLOWED) {
    case FILTER_DENIED:
        return REFUSE(EPERM);
    case FILTER_PRETENDED:
        return REFUSE(0);
    case FILTER_UNSUPPORTED:
        return REFUSE(EOPNOTSUPP);
    case FILTER_IOCTL: /* there is no command 0 */
        return REFUSE(ENOTTY);
    case FILTER_PRCTL:
        return REFUSE(EINVAL);
    case FILTER_SOCKET:
    case FILTER_SOCKET_PAIR:
        return REFUSE(EAFNOSUPPORT);
    default:
        return call ? ALLOW : REFUSE(ENOSYS);
    }
}

static void follows_list(void **state) {
    (void)state;
    static const uint32_t nothing[6];
    for (int number = -2; number < MOST_NUMBER; number++) {
        uint32_t wanted = plain_answer(find(number));
        if (asked(number, nothing) != wanted) {
            fail_msg("call %d: answer %#x, wanted %#x", number, asked(number, nothing), wanted);
        }
    }
    assert_int_equal(asked(INT32_MAX, nothing), REFUSE(ENOSYS));
    assert_int_equal(asked(INT32_MIN, nothing), REFUSE(ENOSYS));
}

/* The same numbers mean other calls to 32-bit programs; x32 has a bit of its own. */
static void refuses_processors(void **state) {
    (void)state;
    static const uint32_t nothing[6];
    for (int number = 0; number < MOST_NUMBER; number++) {
        struct seccomp_data data = {.nr = number, .arch = ANOTHER_PROCESSOR};
        assert_int_equal(run(&data), REFUSE(ENOSYS));
        assert_int_equal(asked(0x40000000 | number, nothing), REFUSE(ENOSYS));
    }
}

/* Every mode there is, for every call that takes one. */
static void refuses_set_id(void **state) {
    (void)state;
    static const struct {
        int number;
        int argument;
    } modes[] = {
        {SYS_fchmod, 1}, {SYS_fchmodat, 2}, {452 /* fchmodat2 */, 2}, {SYS_mkdirat, 2},
#ifdef __x86_64__
        {SYS_chmod, 1},  {SYS_creat, 1},    {SYS_mkdir, 1},
#endif
    };
    for (uint32_t mode = 0; mode <= 0177777; mode++) {
        uint32_t wanted = mode & 06000 ? REFUSE(EPERM) : ALLOW;
        for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
            answers(modes[i].number, modes[i].argument, mode, wanted);
            answers(modes[i].number, modes[i].argument, mode | 0xffff0000, wanted);
        }
        answers_two(SYS_openat, 2, O_RDWR | O_CREAT, mode, wanted);
        answers_two(SYS_openat, 2, O_RDWR | O_TMPFILE, mode, wanted);
        answers_two(SYS_openat, 2, O_RDWR | (O_TMPFILE & ~O_DIRECTORY), mode, wanted);
        answers_two(SYS_openat, 2, O_RDWR | O_DIRECTORY, mode, ALLOW); /* whatever the register held */
        bool device = (mode & S_IFMT) == S_IFCHR || (mode & S_IFMT) == S_IFBLK;
        answers(SYS_mknodat, 2, mode, device ? REFUSE(EPERM) : wanted);
#ifdef __x86_64__
        answers_two(SYS_open, 1, O_CREAT, mode, wanted);
        answers_two(SYS_open, 1, O_TMPFILE, mode, wanted);
        answers_two(SYS_open, 1, O_RDWR, mode, ALLOW);
        answers(SYS_mknod, 1, mode, device ? REFUSE(EPERM) : wanted);
#endif
    }
}

static void refuses_sockets(void **state) {
    (void)state;
    for (uint32_t family = 0; family < 64; family++) {
        bool internet = family == 2 || family == 10;
        answers(SYS_socketpair, 0, family, family == 1 ? ALLOW : REFUSE(EAFNOSUPPORT));
        for (uint32_t protocol = 0; protocol < 300; protocol++) {
            uint32_t arguments[6] = {family, SOCK_STREAM, protocol};
            bool known = protocol == 0 || (internet && (protocol == 6 || protocol == 17));
            uint32_t wanted = family == 1                ? ALLOW
                              : internet || family == 16 ? (known ? ALLOW : REFUSE(EPROTONOSUPPORT))
                                                         : REFUSE(EAFNOSUPPORT);
            assert_int_equal(asked(SYS_socket, arguments), wanted);
        }
    }
    answers(SYS_socket, 0, 0x10001, REFUSE(EAFNOSUPPORT));
}

static void refuses_socket_options(void **state) {
    (void)state;
    for (uint32_t level = 0; level < 300; level++) {
        for (uint32_t option = 0; option < 100; option++) {
            bool size = option == SO_SNDBUF || option == SO_RCVBUF;
            bool odd = option == 26 || option == 32 || option == 33 || option == 50 || option == 51 || option == 52 ||
                       option == 60 || option == 61;
            uint32_t wanted = level == SOL_SOCKET                       ? (size  ? REFUSE(0)
                                                                           : odd ? REFUSE(EPERM)
                                                                                 : ALLOW)
                              : level == 6 && option == 31              ? REFUSE(ENOPROTOOPT)
                              : level == 0 || level == 6 || level == 41 ? ALLOW
                                                                        : REFUSE(ENOPROTOOPT);
            answers_two(SYS_setsockopt, 1, level, option, wanted);
        }
    }
}

/* Bits and commands, one by one. */
static void refuses_arguments(void **state) {
    (void)state;
    for (int bit = 0; bit < 32; bit++) {
        uint32_t flag = 1u << bit;
        bool namespaces = flag == 0x20000 || (flag >= 0x02000000 && flag <= 0x40000000);
        answers(SYS_clone, 0, flag | SIGCHLD, namespaces ? REFUSE(EPERM) : ALLOW);
        answers(SYS_mmap, 3, flag, flag == MAP_HUGETLB ? REFUSE(ENOMEM) : ALLOW);
        answers(SYS_renameat2, 4, flag, flag == 4 ? REFUSE(EINVAL) : ALLOW);
        answers(SYS_setpriority, 2, flag, bit == 31 ? REFUSE(EPERM) : ALLOW);
        answers(SYS_prlimit64, 0, flag, REFUSE(EPERM));
        bool usual = flag == 8 || flag == 0x40000;
        answers(SYS_personality, 0, flag, usual ? ALLOW : REFUSE(EPERM));
    }
    answers(SYS_setpriority, 2, (uint32_t)-1, REFUSE(EPERM));
    answers(SYS_prlimit64, 0, 0, ALLOW);
    answers(SYS_personality, 0, 0xffffffff, ALLOW);
    for (uint32_t policy = 0; policy < 16; policy++) {
        bool nice = policy == 0 || policy == 3 || policy == 5;
        answers(SYS_sched_setscheduler, 1, policy, nice ? ALLOW : REFUSE(EPERM));
        answers(SYS_sched_setscheduler, 1, policy | 0x40000000, nice ? ALLOW : REFUSE(EPERM));
    }
    for (uint32_t command = 0; command < 2000; command++) {
        bool known = command <= 11 || command == 15 || command == 16 || (command >= 36 && command <= 38) ||
                     command == 1025 || command == 1027 || command == 1030 || (command >= 1032 && command <= 1034);
        answers(SYS_fcntl, 1, command, known ? ALLOW : REFUSE(EINVAL));
    }
}

static void refuses_commands(void **state) {
    (void)state;
    static const uint32_t refused[] = {TIOCSTI,
                                       TIOCLINUX,
                                       TIOCSETD,
                                       TIOCCONS,
                                       0x40086602 /* FS_IOC_SETFLAGS */,
                                       0x401c5820 /* FS_IOC_FSSETXATTR */,
                                       0x800c6613 /* set encryption policy */,
                                       0x40049409 /* FICLONE */,
                                       0x5452 + 1};
    static const uint32_t known[] = {TCGETS, TIOCGWINSZ, FIONREAD, FIOCLEX, 0x80045430 /* TIOCGPTN */};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        answers(SYS_ioctl, 1, refused[i], REFUSE(ENOTTY));
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        answers(SYS_ioctl, 1, known[i], ALLOW);
    }
    answers(SYS_prctl, 0, PR_SET_NAME, ALLOW);
    answers(SYS_prctl, 0, PR_SET_PDEATHSIG, ALLOW);
    answers(SYS_prctl, 0, PR_SET_SECCOMP, REFUSE(EINVAL));
    answers(SYS_prctl, 0, PR_SET_MM, REFUSE(EINVAL));
    answers(SYS_prctl, 0, 62 /* PR_SCHED_CORE */, REFUSE(EINVAL));
}

/* A call that is only looked up costs as many steps as a search among some hundred takes. */
static void is_short(void **state) {
    (void)state;
    int most = 0;
    for (int number = 0; number < MOST_NUMBER; number++) {
        const struct filter_call *call = find(number);
        if (!call || call->rule <= FILTER_UNSUPPORTED) {
            static const uint32_t nothing[6];
            asked(number, nothing);
            most = steps > most ? steps : most;
        }
    }
    printf("%d instructions, at most %d of them for a call without rules\n", length, most);
    assert_true(length > 100 && length <= WARDEN_FILTER_MOST);
    assert_true(most <= 16);
}

/* The kernel takes it and does as it says; what the exit status is, failed. */
static int behaves(void) {
    struct sock_fprog filter = {.len = (unsigned short)length, .filter = program};
    char name[] = "/tmp/sortie-filter-XXXXXX";
    int file = mkstemp(name);
    unlink(name);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
        return 1;
    }
    struct stat about;
    errno = 0;
    int failed = syscall(SYS_fchmod, file, 04755) == -1 && errno == EPERM ? 0 : 2;
    failed +=
        syscall(SYS_fchmod, file, 0755) == 0 && fstat(file, &about) == 0 && (about.st_mode & 07777) == 0755 ? 0 : 4;
    failed += syscall(SYS_getppid) > 0 ? 0 : 8;
    failed += syscall(SYS_memfd_create, "x", 0) == -1 && errno == ENOSYS ? 0 : 16;
    failed += socket(40, SOCK_STREAM, 0) == -1 && errno == EAFNOSUPPORT ? 0 : 32;
    return failed;
}

static void is_taken(void **state) {
    (void)state;
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        _exit(behaves());
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_calls),        cmocka_unit_test(follows_list),
        cmocka_unit_test(refuses_processors), cmocka_unit_test(refuses_set_id),
        cmocka_unit_test(refuses_sockets),    cmocka_unit_test(refuses_socket_options),
        cmocka_unit_test(refuses_arguments),  cmocka_unit_test(refuses_commands),
        cmocka_unit_test(is_short),           cmocka_unit_test(is_taken),
    };
    length = warden_filter_write(program);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
