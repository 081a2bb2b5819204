/* The warden process: one thread, one program at a time, one loop that waits for whatever happens next. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "match/warden_wire.h"

/* Tasks (threads count as well) a program may have before the kernel refuses more. The count of processes is
 * kept by looking every few milliseconds; this is the wall behind it. */
#define MOST_TASKS 1024

struct guard {
    int socket;
    int signals; /* a descriptor that becomes readable when a child changes state */
    struct warden_hello hello;
    long user_tasks; /* tasks of our own user when we started; used where programs run as the same user */

    /* The program under way. */
    bool running;
    bool client_gone;
    pid_t pid; /* also its session and process group; reaped when main_done */
    bool main_done;
    int main_status;
    bool ended; /* by us, for `why` */
    enum warden_end why;
    struct warden_limits limits;
    double begun;
    double finished;
    double deadline;             /* 0: none */
    enum warden_end at_deadline; /* what reaching it is called */
    struct timeval user;
    struct timeval system;
    uint64_t peak_bytes;
    int output;
    int errors;
    uint64_t output_bytes;
    size_t error_bytes;
    char error_text[WARDEN_MOST_ERROR];
};

/* -- the user a program runs as -- */

/* Becomes the given user, keeping only the right to read and search whatever root may read. */
static bool become_user(uint32_t user) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0}};
    data[0].effective = data[0].permitted = data[0].inheritable = 1u << CAP_DAC_READ_SEARCH;
    return prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 && syscall(SYS_setgroups, 0, NULL) == 0 &&
           setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0 &&
           syscall(SYS_capset, &header, data) == 0 &&
           prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0) == 0;
}

/* Whether this machine lets us (in some containers it does not); tried once in a process that ends at once. */
static bool can_become_user(uint32_t user) {
    pid_t pid = geteuid() == 0 ? fork() : -1;
    if (pid == 0) {
        _exit(become_user(user) ? 0 : 1);
    }
    int status = 1;
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* Tasks of our user now, from /proc: the limit on processes counts all of a user, ours and others'. */
static long tasks_of_user(uid_t user) {
    long tasks = 0;
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        char path[300];
        struct stat about;
        snprintf(path, sizeof path, "/proc/%s/task", entry->d_name);
        if (isdigit((unsigned char)entry->d_name[0]) && stat(path, &about) == 0 && about.st_uid == user) {
            tasks += (long)about.st_nlink - 2;
        }
    }
    if (folder) {
        closedir(folder);
    }
    return tasks;
}

/* -- starting -- */

static bool limit(__rlimit_resource_t kind, uint64_t soft, uint64_t hard) {
    struct rlimit now;
    struct rlimit wanted = {soft, hard};
    if (getrlimit(kind, &now) == 0 && now.rlim_max != RLIM_INFINITY && now.rlim_max < wanted.rlim_max) {
        wanted.rlim_max = now.rlim_max;
        wanted.rlim_cur = wanted.rlim_cur < now.rlim_max ? wanted.rlim_cur : now.rlim_max;
    }
    return setrlimit(kind, &wanted) == 0;
}

static bool set_limits(const struct guard *guard) {
    const struct warden_limits *limits = &guard->limits;
    bool well = limit(RLIMIT_CORE, 0, 0) && limit(RLIMIT_FSIZE, limits->file_bytes, limits->file_bytes) &&
                limit(RLIMIT_NOFILE, (uint64_t)limits->open_files, (uint64_t)limits->open_files) &&
                limit(RLIMIT_DATA, limits->memory_bytes, limits->memory_bytes) &&
                limit(RLIMIT_AS, 8 * limits->memory_bytes, 8 * limits->memory_bytes);
    if (well && limits->cpu_seconds > 0.0) {
        uint64_t seconds = (uint64_t)ceil(limits->cpu_seconds) + 1;
        well = limit(RLIMIT_CPU, seconds, seconds + 1);
    }
    if (well && (guard->hello.other_user || geteuid() != 0)) {
        uint64_t tasks = (uint64_t)(guard->hello.other_user ? 0 : guard->user_tasks) + MOST_TASKS;
        well = limit(RLIMIT_NPROC, tasks, tasks);
    }
    return well;
}

/* In the new process: from here to the program. Tells `failure` the cause when that does not work. */
static _Noreturn void become_program(const struct guard *guard, char **argv, int input, int output, int errors,
                                     int failure) {
    signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    bool well = dup2(input, 0) == 0 && dup2(output, 1) == 1 && dup2(errors, 2) == 2 &&
                chdir(guard->hello.folder) == 0 && set_limits(guard) &&
                (!guard->hello.other_user || become_user(guard->hello.user)) &&
                prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0;
    if (well) {
        execvp(argv[0], argv);
    }
    int cause = errno;
    ssize_t told = write(failure, &cause, sizeof cause);
    _exit(told == sizeof cause ? 127 : 126);
}

static void close_two(int pipes[2]) {
    for (int i = 0; i < 2; i++) {
        if (pipes[i] >= 0) {
            close(pipes[i]);
        }
        pipes[i] = -1;
    }
}

/* Starts the program; `stays` says that its input and output go to the client through *to and *from. Returns 0
 * or the cause. */
static int start_program(struct guard *guard, char **argv, bool stays, int *to, int *from) {
    int input[2] = {-1, -1};
    int output[2] = {-1, -1};
    int errors[2] = {-1, -1};
    int failure[2] = {-1, -1};
    int cause = 0;
    if (pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC | O_NONBLOCK) != 0 || pipe2(failure, O_CLOEXEC) != 0 ||
        (stays && pipe2(input, O_CLOEXEC) != 0) ||
        (!stays && (input[0] = open("/dev/null", O_RDONLY | O_CLOEXEC)) < 0)) {
        cause = errno;
    }
    if (cause == 0) {
        /* Only our reading end of stderr does not block; the program's end behaves as usual. */
        fcntl(errors[1], F_SETFL, 0);
        guard->begun = clock_wall();
        guard->pid = fork();
        if (guard->pid == 0) {
            become_program(guard, argv, input[0], output[1], errors[1], failure[1]);
        }
        cause = guard->pid < 0 ? errno : 0;
    }
    if (cause == 0) {
        close(failure[1]);
        failure[1] = -1;
        int told = 0;
        if (read(failure[0], &told, sizeof told) == (ssize_t)sizeof told) {
            waitpid(guard->pid, NULL, 0);
            cause = told;
        }
    }
    close_two(failure);
    if (cause != 0) {
        close_two(input);
        close_two(output);
        close_two(errors);
        return cause;
    }
    close(input[0]);
    close(output[1]);
    close(errors[1]);
    guard->errors = errors[0];
    if (stays) {
        *to = input[1];
        *from = output[0];
        guard->output = -1;
    } else {
        guard->output = output[0];
        fcntl(guard->output, F_SETFL, O_NONBLOCK);
    }
    guard->running = true;
    return 0;
}

/* -- watching and ending -- */

/* Where the kernel keeps no list of children: looks at the parent of every process. */
static int search_children(pid_t parent, pid_t *children, int most) {
    int count = 0;
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    while (folder && count < most && (entry = readdir(folder)) != NULL) {
        char path[300];
        char line[512];
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *file = isdigit((unsigned char)entry->d_name[0]) ? fopen(path, "re") : NULL;
        size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
        if (file) {
            fclose(file);
        }
        line[length] = '\0';
        /* The name stands in parentheses and may hold anything; the state and the parent follow it. */
        const char *behind_name = strrchr(line, ')');
        int its_parent;
        if (behind_name && sscanf(behind_name + 1, " %*c %d", &its_parent) == 1 && its_parent == parent) {
            children[count++] = (pid_t)atoi(entry->d_name);
        }
    }
    if (folder) {
        closedir(folder);
    }
    return count;
}

/* Lists at most `most` children of a process, returns how many. */
static int list_children(pid_t parent, pid_t *children, int most) {
    char path[64];
    char buffer[16384];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return parent == getpid() ? search_children(parent, children, most) : 0;
    }
    ssize_t got = read(descriptor, buffer, sizeof buffer - 1);
    close(descriptor);
    buffer[got > 0 ? got : 0] = '\0';
    int count = 0;
    char *end;
    for (char *at = buffer; count < most; at = end) {
        long child = strtol(at, &end, 10);
        if (end == at) {
            break;
        }
        children[count++] = (pid_t)child;
    }
    return count;
}

/* Processes below a process, stopping beyond `most`: enough to see that there are too many. */
static int count_below(pid_t parent, int most, int depth) {
    pid_t children[256];
    int listed = depth < 100 ? list_children(parent, children, 256) : 0;
    int count = listed;
    for (int i = 0; i < listed && count <= most; i++) {
        count += count_below(children[i], most - count, depth + 1);
    }
    return count;
}

static void kill_children(void) {
    pid_t children[1024];
    int count = list_children(getpid(), children, 1024);
    for (int i = 0; i < count; i++) {
        kill(children[i], SIGKILL);
    }
}

/* Kills every process of the program's own user at one stroke. */
static void kill_user(uint32_t user) {
    pid_t pid = fork();
    if (pid == 0) {
        if (setresuid(user, user, user) == 0) {
            kill(-1, SIGKILL);
        }
        _exit(0);
    }
    if (pid > 0) {
        waitpid(pid, NULL, 0);
    }
}

static void add_time(struct timeval *sum, const struct timeval *more) {
    sum->tv_sec += more->tv_sec;
    sum->tv_usec += more->tv_usec;
    if (sum->tv_usec >= 1000000) {
        sum->tv_sec++;
        sum->tv_usec -= 1000000;
    }
}

/* Reaps what has ended; true when no child is left at all. Since orphans become our children, that means that
 * nothing of the program is left. */
static bool reap(struct guard *guard) {
    for (;;) {
        int status;
        struct rusage use;
        pid_t pid = wait4(-1, &status, WNOHANG, &use);
        if (pid < 0 && errno == ECHILD) {
            return true;
        }
        if (pid <= 0) {
            return false;
        }
        add_time(&guard->user, &use.ru_utime);
        add_time(&guard->system, &use.ru_stime);
        if ((uint64_t)use.ru_maxrss * 1024 > guard->peak_bytes) {
            guard->peak_bytes = (uint64_t)use.ru_maxrss * 1024;
        }
        if (pid == guard->pid) {
            guard->main_done = true;
            guard->main_status = status;
            guard->finished = clock_wall();
        }
    }
}

/* Reads what a pipe holds now, up to a bounded amount; keeps the first bytes of standard error. */
static void drain(struct guard *guard, int *pipe) {
    char buffer[65536];
    for (int turn = 0; turn < 16 && *pipe >= 0; turn++) {
        ssize_t got = read(*pipe, buffer, sizeof buffer);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
            close(*pipe);
            *pipe = -1;
        }
        if (got <= 0) {
            return;
        }
        guard->output_bytes += (uint64_t)got;
        if (pipe == &guard->errors) {
            size_t room = sizeof guard->error_text - guard->error_bytes;
            size_t keep = (size_t)got < room ? (size_t)got : room;
            memcpy(guard->error_text + guard->error_bytes, buffer, keep);
            guard->error_bytes += keep;
        }
    }
}

/* Ends the program and all it started, and waits until they are gone. */
static void end_all(struct guard *guard) {
    if (guard->main_done && reap(guard)) {
        return;
    }
    if (guard->main_done && !guard->ended &&
        count_below(getpid(), guard->limits.processes, 0) > guard->limits.processes) {
        guard->ended = true;
        guard->why = WARDEN_FORKED;
    }
    if (!guard->main_done) {
        kill(-guard->pid, SIGKILL);
    }
    for (int turn = 0; !reap(guard); turn++) {
        if (guard->hello.other_user && turn > 0) {
            kill_user(guard->hello.user);
        }
        kill_children();
        struct timespec moment = {0, turn < 20 ? 200000 : 5000000};
        nanosleep(&moment, NULL);
    }
}

static void end_for(struct guard *guard, enum warden_end why) {
    if (!guard->ended && !guard->main_done) {
        guard->ended = true;
        guard->why = why;
    }
    end_all(guard);
}

/* One wait for something to happen, and what follows from it. */
static void watch(struct guard *guard, bool *requested) {
    double now = clock_wall();
    double age = now - guard->begun;
    double wait = age < 0.1 ? 0.005 : 0.05;
    if (guard->deadline > 0.0 && guard->deadline - now < wait) {
        wait = guard->deadline > now ? guard->deadline - now : 0.0;
    }
    struct pollfd polls[4] = {{.fd = guard->socket, .events = POLLIN},
                              {.fd = guard->signals, .events = POLLIN},
                              {.fd = guard->output, .events = POLLIN},
                              {.fd = guard->errors, .events = POLLIN}};
    poll(polls, 4, (int)ceil(wait * 1e3));
    if (polls[0].revents) {
        char byte;
        ssize_t got = recv(guard->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        guard->client_gone = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
        *requested = got > 0;
    }
    if (polls[1].revents) {
        struct signalfd_siginfo information;
        ssize_t got = read(guard->signals, &information, sizeof information);
        (void)got;
        reap(guard);
    }
    if (polls[2].revents) {
        drain(guard, &guard->output);
    }
    if (polls[3].revents) {
        drain(guard, &guard->errors);
    }
    if (guard->main_done) {
        return;
    }
    if (guard->client_gone) {
        end_for(guard, WARDEN_KILLED);
    } else if (guard->output_bytes > guard->limits.output_bytes) {
        end_for(guard, WARDEN_FLOODED);
    } else if (guard->deadline > 0.0 && clock_wall() >= guard->deadline) {
        end_for(guard, guard->at_deadline);
    } else if (age > 0.004 && count_below(getpid(), guard->limits.processes, 0) > guard->limits.processes) {
        end_for(guard, WARDEN_FORKED);
    }
}

/* -- requests -- */

static double seconds_of(const struct timeval *time) {
    return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

/* Ends the run and tells the client what became of it. */
static void finish(struct guard *guard) {
    end_all(guard);
    drain(guard, &guard->errors);
    for (int *pipe = &guard->output; pipe; pipe = pipe == &guard->output ? &guard->errors : NULL) {
        if (*pipe >= 0) {
            close(*pipe);
            *pipe = -1;
        }
    }
    struct warden_reply reply = {.error_bytes = (uint32_t)guard->error_bytes};
    struct warden_report *report = &reply.report;
    report->wall_seconds = guard->finished - guard->begun;
    report->user_seconds = seconds_of(&guard->user);
    report->system_seconds = seconds_of(&guard->system);
    report->peak_bytes = guard->peak_bytes;
    if (guard->ended) {
        report->end = guard->why;
    } else if (WIFSIGNALED(guard->main_status)) {
        int number = WTERMSIG(guard->main_status);
        double used = report->user_seconds + report->system_seconds;
        bool out_of_time = number == SIGXCPU || (number == SIGKILL && guard->limits.cpu_seconds > 0.0 &&
                                                 used >= ceil(guard->limits.cpu_seconds));
        report->end = out_of_time ? WARDEN_TIMEOUT : number == SIGXFSZ ? WARDEN_FLOODED : WARDEN_SIGNALLED;
        report->code = number;
    } else {
        report->end = WARDEN_EXITED;
        report->code = WEXITSTATUS(guard->main_status);
    }
    guard->running = false;
    if (!warden_send(guard->socket, &reply, sizeof reply) ||
        !warden_send(guard->socket, guard->error_text, guard->error_bytes)) {
        guard->client_gone = true;
    }
}

static void reply_not_started(struct guard *guard, int cause) {
    struct warden_reply reply = {.report = {.end = WARDEN_NOT_STARTED, .code = cause}};
    guard->client_gone = !warden_send(guard->socket, &reply, sizeof reply);
}

/* Hands two descriptors to the client and closes ours. */
static void send_pipes(struct guard *guard, int to, int from) {
    char byte = 0;
    struct iovec part = {&byte, 1};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(2 * sizeof(int));
    int pipes[2] = {to, from};
    memcpy(CMSG_DATA(header), pipes, sizeof pipes);
    guard->client_gone = sendmsg(guard->socket, &message, MSG_NOSIGNAL) != 1;
    close(to);
    close(from);
}

static void begin_run(struct guard *guard, const struct warden_limits *limits) {
    guard->limits = *limits;
    guard->main_done = false;
    guard->ended = false;
    guard->user = guard->system = (struct timeval){0};
    guard->peak_bytes = 0;
    guard->output = guard->errors = -1;
    guard->output_bytes = 0;
    guard->error_bytes = 0;
}

/* What answers an OPEN whose program could not be started: a pipe that is closed at the other end, and a run
 * that ended before it began. */
static void open_not_started(struct guard *guard, int cause) {
    int input[2];
    int output[2];
    if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) {
        guard->client_gone = true;
        return;
    }
    close(input[0]);
    close(output[1]);
    send_pipes(guard, input[1], output[0]);
    guard->running = true;
    guard->main_done = true;
    guard->main_status = 127 << 8;
    guard->begun = guard->finished = clock_wall();
    guard->error_bytes = (size_t)snprintf(guard->error_text, sizeof guard->error_text, "%s", strerror(cause));
}

/* Reads one request and does it; a RUN is answered when it is over. */
static void serve(struct guard *guard) {
    struct warden_request request;
    char words[WARDEN_MOST_ARGUMENT_BYTES + 1];
    char *argv[WARDEN_MOST_ARGUMENTS + 1];
    if (!warden_receive(guard->socket, &request, sizeof request) ||
        request.argument_bytes > WARDEN_MOST_ARGUMENT_BYTES ||
        !warden_receive(guard->socket, words, request.argument_bytes)) {
        guard->client_gone = true;
        return;
    }
    words[request.argument_bytes] = '\0';
    int count = 0;
    for (char *at = words; at < words + request.argument_bytes && count < WARDEN_MOST_ARGUMENTS; at += strlen(at) + 1) {
        argv[count++] = at;
    }
    argv[count] = NULL;
    bool starts = request.kind == WARDEN_REQUEST_RUN || request.kind == WARDEN_REQUEST_OPEN;
    if (starts && (guard->running || count == 0)) {
        guard->client_gone = true; /* a client that does not keep to the protocol */
        return;
    }
    if (request.kind == WARDEN_REQUEST_CPU) {
        struct warden_reply reply = {0};
        clockid_t clock;
        struct timespec used;
        if (guard->running && !guard->main_done && clock_getcpuclockid(guard->pid, &clock) == 0 &&
            clock_gettime(clock, &used) == 0) {
            reply.cpu_seconds = (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
        }
        guard->client_gone = !warden_send(guard->socket, &reply, sizeof reply);
        return;
    }
    if (request.kind == WARDEN_REQUEST_CLOSE) {
        if (!guard->running) {
            reply_not_started(guard, ESRCH);
            return;
        }
        guard->deadline = clock_wall() + request.limits.wall_seconds;
        guard->at_deadline = WARDEN_KILLED;
        while (!guard->main_done) {
            bool ignored;
            watch(guard, &ignored);
        }
        finish(guard);
        return;
    }
    begin_run(guard, &request.limits);
    bool stays = request.kind == WARDEN_REQUEST_OPEN;
    int to = -1;
    int from = -1;
    int cause = start_program(guard, argv, stays, &to, &from);
    if (cause != 0 && stays) {
        open_not_started(guard, cause);
    } else if (cause != 0) {
        reply_not_started(guard, cause);
    } else {
        double wall = request.limits.wall_seconds;
        guard->deadline = wall > 0.0 ? guard->begun + wall : 0.0;
        guard->at_deadline = WARDEN_TIMEOUT;
        if (stays) {
            send_pipes(guard, to, from);
            return;
        }
        while (!guard->main_done) {
            bool requested = false;
            watch(guard, &requested);
            guard->client_gone |= requested; /* nothing may be asked now */
        }
        finish(guard);
    }
}

/* Makes the folder and says hello. */
static void introduce(struct guard *guard) {
    struct warden_hello *hello = &guard->hello;
    const char *base = getenv("TMPDIR");
    char folder[sizeof hello->folder] = "";
    hello->user = (1u << 30) + (uint32_t)getpid();
    hello->other_user = can_become_user(hello->user);
    guard->user_tasks = hello->other_user ? 0 : tasks_of_user(getuid());
    int length = snprintf(folder, sizeof folder, "%s/sortie-XXXXXX", base && *base ? base : "/tmp");
    if (length >= (int)sizeof folder || !mkdtemp(folder) ||
        (hello->other_user && chown(folder, hello->user, (gid_t)-1) != 0)) {
        hello->failed = true;
        snprintf(hello->folder, sizeof hello->folder, "no scratch folder can be made: %s", strerror(errno));
    } else {
        memcpy(hello->folder, folder, sizeof folder);
    }
    guard->client_gone = !warden_send(guard->socket, hello, sizeof *hello) || hello->failed;
}

_Noreturn void warden_live(int socket) {
    static struct guard guard;
    setsid();
    prctl(PR_SET_NAME, "sortie-warden", 0, 0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nothing, 0);
    dup2(nothing, 1);
    dup2(nothing, 2);
    /* Every other descriptor belongs to the process we come from; keeping one would hide from its owner that
     * the other end is gone. */
    dup2(socket, 3);
    fcntl(3, F_SETFD, FD_CLOEXEC);
    warden_close_from(4);
    guard.socket = 3;
    guard.output = guard.errors = -1;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    guard.signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    introduce(&guard);
    while (!guard.client_gone) {
        if (!guard.running) {
            serve(&guard);
            continue;
        }
        bool requested = false;
        if (guard.main_done) {
            /* A program that was to stay is gone; nothing to watch but the client. */
            char byte;
            requested = recv(guard.socket, &byte, 1, MSG_PEEK) > 0;
            guard.client_gone = !requested;
        } else {
            watch(&guard, &requested);
        }
        if (requested) {
            serve(&guard);
        }
    }
    if (guard.running) {
        end_for(&guard, WARDEN_KILLED);
    }
    if (!guard.hello.failed) {
        warden_empty_folder(guard.hello.folder);
        rmdir(guard.hello.folder);
    }
    _exit(0);
}
