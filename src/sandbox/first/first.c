/* The first process of a sandbox: it starts the program, reaps what the program leaves behind and tells the warden how
 * the program ended, which an exit status alone cannot tell: 137 may be an honest number or a signal.
 *
 *   first STATUS COMMAND [ARGUMENT ...]
 *
 * writes words of two numbers (struct first_word) to the descriptor STATUS. Whatever it says, all processes of its
 * namespace end with it. It is linked without a C library, to start in no time and to run wherever the warden does: it
 * is kept inside of sortie as bytes. */
#include "sandbox/first/first.h"

#include <asm/unistd.h>
#include <linux/fcntl.h>
#include <stddef.h>

#define ENOENT 2
#define ENOEXEC 8
#define EACCES 13
#define ENOTDIR 20
#define SIGCHLD 17
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
    struct first_word word = {kind, value};
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
        words[0] = (char *)path;
        call(__NR_execve, (long)"/bin/sh", (long)(words - 1), (long)environment, 0, 0);
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
    char **words = (char **)(stack + 1);
    char **environment = words + count + 1;
    int status = count > 2 ? number_in(words[1]) : 0;
    if (status < 3) {
        leave(126);
    }
    /* The program is of our user: it must not reach our descriptors through /proc. */
    call(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
    /* Nor inherit them: where to report to, and the file that we are ourselves (/proc/self/fd/NUMBER). */
    call(__NR_fcntl, status, F_SETFD, FD_CLOEXEC, 0, 0);
    call(__NR_fcntl, number_in(words[0]), F_SETFD, FD_CLOEXEC, 0, 0);
    tell(status, FIRST_BEGUN, 0);
    long program = call(__NR_clone, SIGCHLD, 0, 0, 0, 0);
    if (program == 0) {
        tell(status, FIRST_NOT_STARTED, run_command(words + 2, environment));
        leave(127);
    }
    if (program < 0) {
        tell(status, FIRST_NOT_STARTED, -(int)program);
        leave(127);
    }
    /* Whoever reads the program's output must see its end when the program closes it. */
    for (int descriptor = 0; descriptor < 3; descriptor++) {
        call(__NR_close, descriptor, 0, 0, 0, 0);
    }
    int end = 0;
    while (call(__NR_wait4, -1, (long)&end, 0, 0, 0) != program) {
    }
    tell(status, FIRST_ENDED, end);
    leave(0);
}
