/* Reaching for other processes, the network and more rights. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile.h"

static void kill_all(void) {
    kill(-1, SIGKILL);
    kill(getppid(), SIGKILL);
    kill(1, SIGKILL);
}

static void kill_victim(void) {
    if (target_number("victim") > 100 && kill((pid_t)target_number("victim"), SIGKILL) == 0) {
        leaked("a process of somebody else");
    }
}

/* Every process there may be. */
static void stop_all(void) {
    for (pid_t pid = 1; pid < 100000; pid++) {
        if (pid != getpid()) {
            kill(pid, SIGSTOP);
        }
    }
    kill(-getppid(), SIGSTOP);
}

/* Whether the first process has no capabilities, cannot get any, and is filtered as we are. */
static bool first_is_locked(void) {
    static const char *const wanted[] = {"Seccomp:\t2\n", "NoNewPrivs:\t1\n", "CapEff:\t0000000000000000\n",
                                         "CapPrm:\t0000000000000000\n"};
    char line[200];
    int locked = 0;
    FILE *file = fopen("/proc/1/status", "r");
    while (file && fgets(line, sizeof line, file)) {
        for (int i = 0; i < 4; i++) {
            locked += strcmp(line, wanted[i]) == 0;
        }
    }
    if (file) {
        fclose(file);
    }
    return locked == 4;
}

static void trace(void) {
    if (ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0 ||
        ptrace(PTRACE_ATTACH, (pid_t)target_number("victim"), NULL, NULL) == 0) {
        leaked("the inside of another process");
    }
    char path[60];
    snprintf(path, sizeof path, "/proc/%ld/mem", target_number("victim"));
    try_write(target_number("victim") > 100 ? path : "");
    /* The sandbox's own first process can be written to, being of the same user; it must have no more rights, once it
     * has started itself. */
    for (int turn = 0; turn < 100 && !first_is_locked(); turn++) {
        usleep(20000);
    }
    if (!first_is_locked()) {
        leaked("a process with more rights");
    }
}

static void network(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)target_number("port"))};
    int stream = socket(AF_INET, SOCK_STREAM, 0);
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    if (connect(stream, (struct sockaddr *)&address, sizeof address) == 0) {
        leaked("a server of this machine");
    }
    int datagram = socket(AF_INET, SOCK_DGRAM, 0);
    inet_pton(AF_INET, "192.0.2.1", &address.sin_addr);
    if (connect(datagram, (struct sockaddr *)&address, sizeof address) == 0) {
        leaked("a way out");
    }
    if (socket(AF_INET, SOCK_RAW, IPPROTO_ICMP) >= 0 || socket(AF_PACKET, SOCK_RAW, 0) >= 0) {
        leaked("raw packets");
    }
}

/* A socket with a name outside of all file systems. */
static void abstract_socket(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *name = target("socket");
    memcpy(address.sun_path + 1, name, strlen(name));
    int stream = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(stream, (struct sockaddr *)&address,
                (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name))) == 0) {
        leaked("an abstract socket");
    }
}

static void become_root(void) {
    if (setuid(0) == 0 || setresuid(0, 0, 0) == 0 || setgid(0) == 0) {
        leaked("root");
    }
    /* A copy of a shell with the bit set, and the system's own programs that have it. */
    pid_t pid = fork();
    if (pid == 0) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 0);
        dup2(nothing, 1);
        dup2(nothing, 2);
        execl("/bin/sh", "sh", "-c",
              "cp /bin/sh own; chmod 6755 own; ./own -c 'cat /etc/shadow >stolen'; mount -t tmpfs none /tmp && echo "
              ">stolen; su -c 'cat /etc/shadow' >>stolen",
              (char *)NULL);
        _exit(1);
    }
    waitpid(pid, NULL, 0);
    struct stat about;
    if (stat("stolen", &about) == 0 && about.st_size > 0) {
        leaked("the rights of root");
    }
}

static void namespaces(void) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) {
        leaked("namespaces of its own");
    }
    pid_t pid = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid == 0) {
        _exit(0);
    }
    if (pid > 0) {
        leaked("a user namespace");
    }
    if (mount("none", "/tmp", "tmpfs", 0, NULL) == 0 || chroot("/tmp") == 0 || umount("/proc") == 0) {
        leaked("mounts");
    }
}

static void priority(void) {
    struct sched_param parameters = {.sched_priority = 50};
    struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
    if (setpriority(PRIO_PROCESS, 0, -20) == 0 || sched_setscheduler(0, SCHED_FIFO, &parameters) == 0) {
        leaked("a better priority");
    }
    if (setrlimit(RLIMIT_FSIZE, &more) == 0 || setrlimit(RLIMIT_DATA, &more) == 0) {
        leaked("higher limits");
    }
}

static void terminal(void) {
    char letter = 'x';
    int keyboard = open("/dev/tty", O_RDWR);
    if (keyboard >= 0 && ioctl(keyboard, TIOCSTI, &letter) == 0) {
        leaked("somebody's keyboard");
    }
    if (ioctl(0, TIOCSTI, &letter) == 0) {
        leaked("standard input");
    }
}

static void kernel_calls(void) {
    if (syscall(SYS_add_key, "user", "evil", "x", 1, -3) >= 0 || syscall(SYS_bpf, 0, NULL, 0) == 0 ||
        syscall(425, 8, NULL) >= 0) {
        leaked("a door of the kernel");
    }
    if (sethostname("evil", 4) == 0) {
        leaked("the name of the machine");
    }
}

static void crashes(void) {
    raise(SIGSEGV);
}

const struct attack attacks_others[] = {
    {"kill-all", kill_all},
    {"kill-victim", kill_victim},
    {"stop-all", stop_all},
    {"trace", trace},
    {"network", network},
    {"abstract-socket", abstract_socket},
    {"become-root", become_root},
    {"namespaces", namespaces},
    {"priority", priority},
    {"terminal", terminal},
    {"kernel-calls", kernel_calls},
    {"crashes", crashes, "crash"},
    {NULL},
};
