/* The first process of a sandbox: it starts programs, one after the other, reaps what each leaves behind and tells the
 * warden how it ended, which an exit status alone cannot tell: 137 may be an honest number or a signal.
 *
 *   first SOCKET
 *
 * takes orders (struct first_order) from the socket SOCKET and answers with words (struct first_word). It ends as soon
 * as a program has left a process behind, and with it all processes of its namespace. It is linked without a C library,
 * to start and to fork in no time and to run wherever the warden does: it is kept inside of sortie as bytes. */
#include "sandbox/first/first.h"

#include <asm/unistd.h>
#include <linux/fcntl.h>
#include <stddef.h>

#define ENOENT 2
#define ENOEXEC 8
#define ECHILD 10
#define EACCES 13
#define ENOTDIR 20
#define SIGCHLD 17
#define WNOHANG 1
#define RLIMIT_CPU 0
#define SCM_RIGHTS 1
#define MSG_CMSG_CLOEXEC 0x40000000
#define PR_SET_DUMPABLE 4
#define MOST_PATH 4096

/* -- the kernel -- */

#if defined __x86_64__
static long call(long number, long a, long b, long c, long d, long e) {
    long result;
    register long fourth __asm__("r10") = d;
    register long fifth __asm__("r8") = e;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth)
                     : "rcx", "r11", "memory");
    return result;
}
__asm__(".globl _start\n_start: xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call first_main\n");
#elif defined __aarch64__
static long call(long number, long a, long b, long c, long d, long e) {
    register long eighth __asm__("x8") = number;
    register long first __asm__("x0") = a;
    register long second __asm__("x1") = b;
    register long third __asm__("x2") = c;
    register long fourth __asm__("x3") = d;
    register long fifth __asm__("x4") = e;
    __asm__ volatile("svc #0" : "+r"(first) : "r"(eighth), "r"(second), "r"(third), "r"(fourth), "r"(fifth) : "memory");
    return first;
}
__asm__(".globl _start\n_start: mov x29, #0\n mov x0, sp\n bl first_main\n");
#endif

static _Noreturn void leave(int code) {
    for (;;) {
        call(__NR_exit_group, code, 0, 0, 0, 0);
    }
}

static void tell(int status, int kind, int value) {
    struct first_word word = {kind, value, 0, 0, 0};
    call(__NR_write, status, (long)&word, sizeof word, 0, 0);
}

/* -- running the command -- */

static const char *search_path(char **environment) {
    for (; *environment; environment++) {
        const char *at = *environment;
        if (at[0] == 'P' && at[1] == 'A' && at[2] == 'T' && at[3] == 'H' && at[4] == '=') {
            return at + 5;
        }
    }
    return "/usr/bin:/bin";
}

/* Runs a file; one that is a script without a first line that says whose is the shell's. Returns the cause. */
static int run_file(const char *path, char **words, char **environment) {
    int cause = -(int)call(__NR_execve, (long)path, (long)words, (long)environment, 0, 0);
    if (cause == ENOEXEC) {
        /* The word before the command is ours and no longer needed. */
        words[-1] = (char *)"/bin/sh";
        char *name = words[0];
        words[0] = (char *)path;
        call(__NR_execve, (long)"/bin/sh", (long)(words - 1), (long)environment, 0, 0);
        words[0] = name; /* what was looked for may be on our caller's stack */
    }
    return cause;
}

static int has_slash(const char *word) {
    for (; *word; word++) {
        if (*word == '/') {
            return 1;
        }
    }
    return 0;
}

/* Looks for the command as a shell does and runs it; returns the cause when that does not work. */
static int run_command(char **words, char **environment) {
    char path[MOST_PATH];
    const char *name = words[0];
    if (has_slash(name)) {
        return run_file(name, words, environment);
    }
    int cause = ENOENT;
    for (const char *at = search_path(environment); *at && cause != ENOEXEC; at += *at == ':') {
        size_t length = 0;
        while (*at && *at != ':' && length < MOST_PATH - 2) {
            path[length++] = *at++;
        }
        path[length++] = '/';
        const char *from = name;
        while (*from && length < MOST_PATH - 1) {
            path[length++] = *from++;
        }
        path[length] = '\0';
        int here = *from ? ENOENT : run_file(path, words, environment);
        if (here != ENOENT && here != ENOTDIR) {
            cause = here;
        }
    }
    return cause;
}

/* -- orders -- */

/* What the kernel takes and gives, as it lays it out. */
struct part {
    void *bytes;
    size_t length;
};
struct message {
    void *name;
    int name_length;
    struct part *parts;
    size_t part_count;
    void *control;
    size_t control_length;
    unsigned flags;
};
struct descriptors {
    size_t length;
    int level;
    int type;
    int list[3];
};
struct use {
    long user_seconds;
    long user_microseconds;
    long system_seconds;
    long system_microseconds;
    long peak_kilobytes;
    long rest[13];
};

static union {
    struct first_order order;
    char bytes[sizeof(struct first_order) + FIRST_MOST_BYTES];
} received;
static struct descriptors taken;
static char *words[FIRST_MOST_WORDS + 2]; /* the first is free: a script's shell takes it */

/* Waits for an order; false when there will be none. */
static int receive(int status) {
    static const size_t all = offsetof(struct descriptors, list) + sizeof taken.list;
    struct part part;
    struct message message;
    part.bytes = &received;
    part.length = sizeof received;
    message.name = NULL;
    message.name_length = 0;
    message.parts = &part;
    message.part_count = 1;
    message.control = &taken;
    message.control_length = sizeof taken;
    message.flags = 0;
    long got = call(__NR_recvmsg, status, (long)&message, MSG_CMSG_CLOEXEC, 0, 0);
    if (got <= (long)sizeof received.order || received.bytes[got - 1] != '\0' || message.control_length < all ||
        taken.length != all || taken.type != SCM_RIGHTS || received.order.words < 2 ||
        received.order.words > FIRST_MOST_WORDS) {
        return 0;
    }
    char *at = received.bytes + sizeof received.order;
    char *end = received.bytes + got;
    int count = 0;
    for (; at < end && count < received.order.words; count++) {
        words[1 + count] = at;
        while (*at) {
            at++;
        }
        at++;
    }
    words[1 + count] = NULL;
    return count == received.order.words;
}

/* In the new process: from here to the program. */
static _Noreturn void become_program(int status, char **environment) {
    unsigned long seconds[2];
    long cause = call(__NR_setsid, 0, 0, 0, 0, 0);
    for (int i = 0; i < 3 && cause >= 0; i++) {
        cause = call(__NR_dup3, taken.list[i], i, 0, 0, 0);
    }
    if (cause >= 0 && received.order.most_seconds > 0) {
        seconds[0] = (unsigned long)received.order.most_seconds;
        seconds[1] = seconds[0] + 1;
        cause = call(__NR_prlimit64, 0, RLIMIT_CPU, (long)seconds, 0, 0);
    }
    if (cause >= 0) {
        cause = call(__NR_chdir, (long)words[1], 0, 0, 0, 0);
    }
    tell(status, FIRST_NOT_STARTED, cause < 0 ? -(int)cause : run_command(words + 2, environment));
    leave(127);
}

static void add_use(struct first_word *sum, const struct use *use) {
    sum->user_microseconds += 1000000 * use->user_seconds + use->user_microseconds;
    sum->system_microseconds += 1000000 * use->system_seconds + use->system_microseconds;
    if (use->peak_kilobytes > sum->peak_kilobytes) {
        sum->peak_kilobytes = use->peak_kilobytes;
    }
}

/* Runs what was ordered and says how it ended. True when nothing of it is left, so that there can be a next one. */
static int run(int status, char **environment) {
    struct first_word word;
    struct use use;
    int end = 0;
    word.kind = FIRST_QUIET;
    word.value = 0;
    word.user_microseconds = word.system_microseconds = word.peak_kilobytes = 0;
    long program = call(__NR_clone, SIGCHLD, 0, 0, 0, 0);
    if (program == 0) {
        become_program(status, environment);
    }
    /* Whoever reads the program's output must see its end when the program closes it. */
    for (int i = 0; i < 3; i++) {
        call(__NR_close, taken.list[i], 0, 0, 0, 0);
    }
    if (program < 0) {
        tell(status, FIRST_NOT_STARTED, -(int)program);
        return 0;
    }
    long gone = 0;
    while (gone != program) {
        gone = call(__NR_wait4, -1, (long)&end, 0, (long)&use, 0);
        if (gone > 0) {
            add_use(&word, &use);
        }
    }
    tell(status, FIRST_ENDED, end);
    while ((gone = call(__NR_wait4, -1, (long)&end, WNOHANG, (long)&use, 0)) > 0) {
        add_use(&word, &use);
    }
    if (gone != -ECHILD) {
        return 0;
    }
    call(__NR_write, status, (long)&word, sizeof word, 0, 0);
    return 1;
}

/* -- beginning -- */

/* The number at the end of a word. */
static int number_in(const char *word) {
    int number = 0;
    for (; *word; word++) {
        number = *word >= '0' && *word <= '9' ? 10 * number + (*word - '0') : 0;
    }
    return number;
}

/* What the kernel has put on the stack: the number of words, the words, the environment. */
_Noreturn void first_main(long *stack);
_Noreturn void first_main(long *stack) {
    long count = stack[0];
    char **own = (char **)(stack + 1);
    char **environment = own + count + 1;
    int status = count > 1 ? number_in(own[1]) : 0;
    if (status < 3) {
        leave(126);
    }
    /* The program is of our user: it must not reach our descriptors through /proc. */
    call(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
    /* Nor inherit them: where to report to, and the file that we are ourselves (/proc/self/fd/NUMBER). */
    call(__NR_fcntl, status, F_SETFD, FD_CLOEXEC, 0, 0);
    call(__NR_fcntl, number_in(own[0]), F_SETFD, FD_CLOEXEC, 0, 0);
    tell(status, FIRST_BEGUN, 0);
    while (receive(status) && run(status, environment)) {
    }
    leave(0);
}
