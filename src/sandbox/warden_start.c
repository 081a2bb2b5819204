/* Starting programs: in the sandbox that stands, in a new one, or without any. */
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/stopwatch.h"
#include "sandbox/warden_buffers.h"
#include "sandbox/warden_filter.h"
#include "sandbox/warden_guard.h"
#include "sandbox/warden_hide.h"
#include "sandbox/warden_sandbox.h"
#include "sandbox/warden_wire.h"

/* Tasks (threads count as well) a program may have before the kernel refuses more: so many for a process, and some. The
 * count of processes is kept by looking every few milliseconds; this is the wall behind it. */
#define TASKS_PER_PROCESS 4
#define MORE_TASKS 128

static bool limit(__rlimit_resource_t kind, uint64_t soft, uint64_t hard) {
    struct rlimit now;
    struct rlimit wanted = {soft, hard};
    if (getrlimit(kind, &now) == 0 && now.rlim_max != RLIM_INFINITY && now.rlim_max < wanted.rlim_max) {
        wanted.rlim_max = now.rlim_max;
        wanted.rlim_cur = wanted.rlim_cur < now.rlim_max ? wanted.rlim_cur : now.rlim_max;
    }
    return setrlimit(kind, &wanted) == 0;
}

uint64_t guard_most_tasks(const struct warden_limits *limits) {
    return (uint64_t)limits->processes * TASKS_PER_PROCESS + MORE_TASKS;
}

double guard_most_system(const struct warden_limits *limits) {
    return WARDEN_SYSTEM_TIMES * limits->cpu_seconds + WARDEN_SYSTEM_MORE;
}

uint64_t guard_most_kernel_seconds(const struct warden_limits *limits) {
    return (uint64_t)ceil(limits->cpu_seconds + guard_most_system(limits)) + 1;
}

static bool set_limits(const struct guard *guard) {
    const struct warden_limits *limits = &guard->limits;
    bool well = limit(RLIMIT_CORE, 0, 0) && limit(RLIMIT_FSIZE, limits->file_bytes, limits->file_bytes) &&
                limit(RLIMIT_NOFILE, (uint64_t)limits->open_files, (uint64_t)limits->open_files) &&
                limit(RLIMIT_DATA, limits->memory_bytes, limits->memory_bytes) &&
                limit(RLIMIT_AS, 8 * limits->memory_bytes, 8 * limits->memory_bytes);
    if (well && !guard->world.sandboxed && limits->cpu_seconds > 0.0) {
        uint64_t seconds = guard_most_kernel_seconds(limits);
        well = limit(RLIMIT_CPU, seconds, seconds + 1);
    }
    if (well && (guard->world.other_user || geteuid() != 0)) {
        uint64_t tasks = (uint64_t)(guard->world.other_user ? 0 : guard->user_tasks) + guard_most_tasks(limits);
        well = limit(RLIMIT_NPROC, tasks, tasks);
    }
    return well;
}

/* Goes to the folder the program starts in; inside a sandbox that is bubblewrap's to do. */
static bool enter_folder(const struct world *world) {
    return (world->sandboxed ? chdir("/") : world->shared ? chdir(world->shared) : fchdir(world->scratch)) == 0;
}

/* Holds this process and all it starts to the filters of a sandbox, and keeps it from the network, which it has no
 * other one of. False when that does not work. */
static bool install_filters(const struct guard *guard) {
    static struct sock_filter program[WARDEN_FILTER_MOST];
    const int files[] = {buffers_filter(!guard->cgroup.counts_memory), buffers_no_network(), sandbox_filter()};
    bool well = true;
    /* The last one is the strictest: it may refuse the very call that adds another. */
    for (size_t i = 0; i < sizeof files / sizeof *files && well; i++) {
        ssize_t got = files[i] >= 0 ? pread(files[i], program, sizeof program, 0) : -1;
        struct sock_fprog whole = {.len = (unsigned short)((size_t)(got > 0 ? got : 0) / sizeof *program),
                                   .filter = program};
        well = got > 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole, 0, 0) == 0;
    }
    return well;
}

/* In the new process: runs the command as a user of its own, under the filters, with nothing of our environment. */
static void run_walled(const struct guard *guard, char *const *argv) {
    static char home[600];
    static char temporary[600];
    static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin:/usr/games";
    static char user[] = "USER=player";
    static char language[] = "LANG=C.UTF-8";
    snprintf(home, sizeof home, "HOME=%s/world/scratch", guard->world.base);
    snprintf(temporary, sizeof temporary, "TMPDIR=%s/world/tmp", guard->world.base);
    char *const environment[] = {path, home, user, temporary, language, NULL};
    setenv("PATH", path + strlen("PATH="), 1); /* where the command is looked for */
    umask(022);
    if (install_filters(guard)) {
        execvpe(argv[0], argv, environment);
    }
}

/* In the new process: from here to the program. Tells `failure` the cause when that does not work. */
static _Noreturn void become_program(const struct guard *guard, char *const *argv, int input, int output, int errors,
                                     int failure) {
    static const int usual[] = {SIGPIPE, SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        signal(usual[i], SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    const struct world *world = &guard->world;
    cgroup_join(&guard->cgroup);
    bool well = dup2(input, 0) == 0 && dup2(output, 1) == 1 && dup2(errors, 2) == 2 && enter_folder(world) &&
                (!world->sandboxed || buffers_network()) && set_limits(guard) && world_become_user(world) &&
                prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0;
    if (well && world->sandboxed) {
        /* The sandbox's own processes are seen inside of it: they must know nothing of our environment either. */
        static char *const nothing[] = {NULL};
        execvpe(argv[0], argv, nothing);
    } else if (well && world->walled) {
        run_walled(guard, argv);
    } else if (well) {
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

/* The pipes of a run: [0] is read, [1] written. */
struct pipes {
    int input[2];
    int output[2];
    int errors[2];
    int failure[2]; /* why the command could not be run */
};

static bool make_pipes(struct pipes *pipes, bool stays) {
    *pipes = (struct pipes){{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    bool well = pipe2(pipes->output, O_CLOEXEC) == 0 && pipe2(pipes->errors, O_CLOEXEC | O_NONBLOCK) == 0 &&
                pipe2(pipes->failure, O_CLOEXEC) == 0 &&
                (stays ? pipe2(pipes->input, O_CLOEXEC) == 0
                       : (pipes->input[0] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0);
    /* Only our reading end of stderr does not block; the program's end behaves as usual. */
    return well && fcntl(pipes->errors[1], F_SETFL, 0) == 0;
}

static void close_pipes(struct pipes *pipes) {
    close_two(pipes->input);
    close_two(pipes->output);
    close_two(pipes->errors);
    close_two(pipes->failure);
}

/* What a sandbox inherits; to be closed here once it has started. */
static void open_descriptors(const struct guard *guard, int status, struct sandbox_descriptors *descriptors) {
    *descriptors =
        (struct sandbox_descriptors){.filters = {buffers_filter(!guard->cgroup.counts_memory), sandbox_filter()},
                                     .first = guard->first_program,
                                     .status = status};
}

/* In the new process: lets the sandbox have them. */
static void hand_on(const struct sandbox_descriptors *descriptors) {
    const int all[] = {descriptors->filters[0], descriptors->filters[1], descriptors->first, descriptors->status};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i] >= 0) {
            fcntl(all[i], F_SETFD, 0);
        }
    }
}

/* Closes what only the sandbox needed; gives `cause` back. */
static int close_filters(const struct sandbox_descriptors *descriptors, int cause) {
    for (int i = 0; i < 2; i++) {
        if (descriptors->filters[i] >= 0) {
            close(descriptors->filters[i]);
        }
    }
    return cause;
}

/* Forks and runs a command; 0, or the cause. */
static int start_command(struct guard *guard, struct sandbox_command *command,
                         const struct sandbox_descriptors *descriptors, const int ends[3], int failure[2]) {
    int told = 0;
    if (command->full) {
        return E2BIG;
    }
    guard->begun = clock_wall();
    guard->pid = fork();
    if (guard->pid == 0) {
        hand_on(descriptors);
        become_program(guard, command->words, ends[0], ends[1], ends[2], failure[1]);
    }
    int cause = guard->pid < 0 ? errno : 0;
    close(failure[1]);
    failure[1] = -1;
    if (cause == 0 && read(failure[0], &told, sizeof told) == (ssize_t)sizeof told) {
        waitpid(guard->pid, NULL, 0);
        cause = told;
    }
    return cause;
}

/* -- a sandbox that stands -- */

/* Whether it can run a program with these limits. */
static bool stand_fits(const struct stand *stand, const struct warden_limits *limits, bool hides) {
    const struct warden_limits *own = &stand->limits;
    return stand->pid > 0 && stand->socket >= 0 && stand->hides == hides && own->memory_bytes == limits->memory_bytes &&
           own->file_bytes == limits->file_bytes && own->processes == limits->processes &&
           own->open_files == limits->open_files;
}

/* Waits until it stands: 1. 0 when it has ended, -1 when `client` is gone. */
static int stand_wait(const struct stand *stand, int client) {
    struct first_word word;
    struct pollfd polls[2] = {{.fd = stand->socket, .events = POLLIN}, {.fd = client}};
    while (!polls[0].revents) {
        if ((poll(polls, 2, -1) < 0 && errno != EINTR) || polls[1].revents) {
            return -1;
        }
    }
    return recv(stand->socket, &word, sizeof word, MSG_PEEK | MSG_DONTWAIT) == (ssize_t)sizeof word ? 1 : 0;
}

/* The order as bytes; how many, or 0 when there are too many. */
static size_t write_order(char *bytes, const char *folder, char *const *argv, long most_seconds) {
    struct first_order order = {.most_seconds = most_seconds};
    size_t length = sizeof order;
    for (const char *word = folder; word; word = argv[order.words++]) {
        size_t size = strlen(word) + 1;
        if (order.words == FIRST_MOST_WORDS || length + size > sizeof order + FIRST_MOST_BYTES) {
            return 0;
        }
        memcpy(bytes + length, word, size);
        length += size;
    }
    memcpy(bytes, &order, sizeof order);
    return length;
}

/* Has it run a command, which starts in `folder` and gets three descriptors; 0 or the cause. */
static int stand_order(const struct stand *stand, const char *folder, char *const *argv, long most_seconds,
                       const int descriptors[3]) {
    static char bytes[sizeof(struct first_order) + FIRST_MOST_BYTES];
    struct iovec part = {bytes, write_order(bytes, folder, argv, most_seconds)};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(3 * sizeof(int))];
    } control;
    if (part.iov_len == 0) {
        return E2BIG;
    }
    memset(&control, 0, sizeof control);
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(3 * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, 3 * sizeof(int));
    return sendmsg(stand->socket, &message, MSG_NOSIGNAL) == (ssize_t)part.iov_len ? 0 : errno;
}

bool stand_hear(struct stand *stand, struct first_word *word) {
    ssize_t got = stand->socket >= 0 ? recv(stand->socket, word, sizeof *word, MSG_DONTWAIT) : -1;
    if (got == 0 || (got < 0 && stand->socket >= 0 && errno != EAGAIN && errno != EINTR)) {
        close(stand->socket);
        stand->socket = -1;
    }
    return got == (ssize_t)sizeof *word;
}

size_t stand_read_said(const struct stand *stand, char *text, size_t size) {
    ssize_t got = stand->said >= 0 ? read(stand->said, text, size) : -1;
    return got > 0 ? (size_t)got : 0;
}

void stand_forget(struct stand *stand) {
    if (stand->socket >= 0) {
        close(stand->socket);
    }
    if (stand->said >= 0) {
        close(stand->said);
    }
    *stand = (struct stand){.socket = -1, .said = -1};
}

/* Makes the sandbox in which the next programs run; 0, or the cause. One that ends before it stands is no cause: what
 * it said tells why. No program runs in a sandbox without its filters. */
static int make_stand(struct guard *guard, bool hides, int failure[2]) {
    static struct sandbox_command command;
    struct sandbox_descriptors descriptors = {{-1, -1}, -1, -1};
    int sockets[2];
    int said[2] = {-1, -1};
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool well = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) == 0;
    int cause = !well || nothing < 0 || pipe2(said, O_CLOEXEC | O_NONBLOCK) != 0 ? EIO : 0;
    if (cause == 0) {
        world_lower(&guard->world);
        open_descriptors(guard, sockets[1], &descriptors);
        cause = descriptors.filters[0] < 0 || descriptors.filters[1] < 0 || descriptors.first < 0 ? EIO : 0;
    }
    if (cause == 0) {
        sandbox_command(&command, &guard->world, hides, &descriptors);
        cause = start_command(guard, &command, &descriptors, (const int[]){nothing, nothing, said[1]}, failure);
    }
    cause = close_filters(&descriptors, cause);
    guard->stand = (struct stand){
        .pid = guard->pid, .socket = well ? sockets[0] : -1, .said = said[0], .limits = guard->limits, .hides = hides};
    const int done[] = {well ? sockets[1] : -1, said[1], nothing};
    for (size_t i = 0; i < sizeof done / sizeof *done; i++) {
        if (done[i] >= 0) {
            close(done[i]);
        }
    }
    if (cause != 0) {
        stand_forget(&guard->stand);
    } else {
        int news = stand_wait(&guard->stand, guard->socket);
        cause = news < 0 ? ECANCELED : news > 0 && !world_raise(&guard->world) ? EIO : 0;
    }
    return cause;
}

/* Lets the sandbox that stands run the command, or makes one first; 0, or the cause. */
static int start_in_sandbox(struct guard *guard, char *const *argv, const int ends[3], int failure[2]) {
    bool hides = hide_wanted(&guard->world, argv);
    if (!stand_fits(&guard->stand, &guard->limits, hides)) {
        guard_take_down(guard);
        int cause = make_stand(guard, hides, failure);
        if (cause != 0) {
            guard_take_down(guard);
            return cause;
        }
    }
    guard->begun = clock_wall();
    guard->pid = guard->stand.pid;
    long most = guard->limits.cpu_seconds > 0.0 ? (long)guard_most_kernel_seconds(&guard->limits) : 0;
    const char *folder = guard->world.shared ? guard->world.shared : WORLD_SCRATCH;
    int cause = stand_order(&guard->stand, folder, argv, most, ends);
    /* One that is gone is heard of soon, and why. */
    return cause == EPIPE || cause == ECONNRESET ? 0 : cause;
}

static int start_plainly(struct guard *guard, char *const *argv, const int ends[3], int failure[2]) {
    static struct sandbox_command command;
    static const struct sandbox_descriptors none = {{-1, -1}, -1, -1};
    sandbox_plain_command(&command, &guard->world, argv);
    return start_command(guard, &command, &none, ends, failure);
}

/* Takes an end of a pipe out of the set that will be closed. */
static int keep(int *end) {
    int kept = *end;
    *end = -1;
    return kept;
}

int guard_start_program(struct guard *guard, char *const *argv, bool stays, int *to, int *from) {
    struct pipes pipes;
    int cause = make_pipes(&pipes, stays) ? 0 : errno;
    if (cause == 0) {
        int output = guard->world.keep_output ? pipes.errors[1] : pipes.output[1];
        const int ends[] = {pipes.input[0], output, pipes.errors[1]};
        cause = guard->world.sandboxed ? start_in_sandbox(guard, argv, ends, pipes.failure)
                                       : start_plainly(guard, argv, ends, pipes.failure);
    }
    if (cause == 0) {
        guard->errors = keep(&pipes.errors[0]);
        guard->running = true;
    }
    if (cause == 0 && stays) {
        *to = keep(&pipes.input[1]);
        *from = keep(&pipes.output[0]);
    } else if (cause == 0) {
        guard->output = keep(&pipes.output[0]);
        fcntl(guard->output, F_SETFL, O_NONBLOCK);
    }
    close_pipes(&pipes);
    return cause;
}
