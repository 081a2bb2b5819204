/* The warden process: one thread, one program at a time, one loop that waits for whatever happens next. */
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/stopwatch.h"
#include "sandbox/first/first.h"
#include "sandbox/warden_buffers.h"
#include "sandbox/warden_cgroup.h"
#include "sandbox/warden_count.h"
#include "sandbox/warden_filter.h"
#include "sandbox/warden_sandbox.h"
#include "sandbox/warden_tree.h"
#include "sandbox/warden_wait.h"
#include "sandbox/warden_wire.h"

/* Tasks (threads count as well) a program may have before the kernel refuses more: so many for a process, and some. The
 * count of processes is kept by looking every few milliseconds; this is the wall behind it. */
#define TASKS_PER_PROCESS 4
#define MORE_TASKS 128

/* The bytes of the first process of a sandbox. */
extern const char warden_first[];
extern const unsigned long warden_first_size;

struct guard {
    int socket;
    int signals;       /* a descriptor that becomes readable when a child changes state */
    int first_program; /* a descriptor of the program that is the first process of a sandbox; -1: none here */
    struct world world;
    struct cgroup cgroup;
    long user_tasks; /* of our own user that count as the program's too */

    /* The program under way. */
    bool running;
    bool client_gone;
    pid_t pid; /* also its session and process group; reaped when main_done */
    bool main_done;
    int main_status;
    bool ended; /* by us, for `why` */
    enum warden_end why;
    enum warden_late late; /* where it ended for its time */
    struct warden_limits limits;
    double begun;
    double finished;
    double deadline;             /* 0: none */
    enum warden_end at_deadline; /* what reaching it is called */
    struct timeval user;         /* of what was reaped */
    struct timeval system;
    struct count count;
    struct count_use use; /* the most that was seen of what lived */
    double measured;      /* when */
    struct wait wait;
    bool hasty; /* the next look must come soon */
    uint32_t chance;
    uint64_t peak_bytes;
    int status; /* where the first process says how the run goes; -1: nowhere */
    struct {
        bool begun;
        bool ended;
        int wait_status;
        int cause; /* why the command was not started; 0: it was */
    } first;
    int output;
    int errors;
    uint64_t output_bytes;
    size_t error_bytes;
    char error_text[WARDEN_MOST_ERROR];
};

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

static uint64_t most_tasks(const struct warden_limits *limits) {
    return (uint64_t)limits->processes * TASKS_PER_PROCESS + MORE_TASKS;
}

/* System time that a run may use, where its user time is limited. */
static double most_system(const struct warden_limits *limits) {
    return WARDEN_SYSTEM_TIMES * limits->cpu_seconds + WARDEN_SYSTEM_MORE;
}

/* The kernel's own limit counts user and system time together, a process at a time: it is the wall behind the looks. */
static uint64_t most_kernel_seconds(const struct warden_limits *limits) {
    return (uint64_t)ceil(limits->cpu_seconds + most_system(limits)) + 1;
}

static bool set_limits(const struct guard *guard) {
    const struct warden_limits *limits = &guard->limits;
    bool well = limit(RLIMIT_CORE, 0, 0) && limit(RLIMIT_FSIZE, limits->file_bytes, limits->file_bytes) &&
                limit(RLIMIT_NOFILE, (uint64_t)limits->open_files, (uint64_t)limits->open_files) &&
                limit(RLIMIT_DATA, limits->memory_bytes, limits->memory_bytes) &&
                limit(RLIMIT_AS, 8 * limits->memory_bytes, 8 * limits->memory_bytes);
    if (well && limits->cpu_seconds > 0.0) {
        uint64_t seconds = most_kernel_seconds(limits);
        well = limit(RLIMIT_CPU, seconds, seconds + 1);
    }
    if (well && (guard->world.other_user || geteuid() != 0)) {
        uint64_t tasks = (uint64_t)(guard->world.other_user ? 0 : guard->user_tasks) + most_tasks(limits);
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
    int status[2];  /* what the sandbox says */
};

static bool make_pipes(struct pipes *pipes, bool stays) {
    *pipes = (struct pipes){{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    bool well = pipe2(pipes->output, O_CLOEXEC) == 0 && pipe2(pipes->errors, O_CLOEXEC | O_NONBLOCK) == 0 &&
                pipe2(pipes->failure, O_CLOEXEC) == 0 && pipe2(pipes->status, O_CLOEXEC | O_NONBLOCK) == 0 &&
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
    close_two(pipes->status);
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

/* Forks and runs the command; 0, or the cause. No program runs in a sandbox without its filters. */
static int start_command(struct guard *guard, char *const *argv, struct pipes *pipes) {
    static struct sandbox_command command;
    struct sandbox_descriptors descriptors = {{-1, -1}, -1, -1};
    if (guard->world.sandboxed) {
        open_descriptors(guard, pipes->status[1], &descriptors);
        if (descriptors.filters[0] < 0 || descriptors.filters[1] < 0) {
            return close_filters(&descriptors, EIO); /* the machine's fault: where there is none, nothing came so far */
        }
        sandbox_command(&command, &guard->world, argv, &descriptors);
    } else {
        sandbox_plain_command(&command, &guard->world, argv);
    }
    int cause = command.full ? E2BIG : 0;
    if (cause == 0) {
        guard->begun = clock_wall();
        guard->pid = fork();
        if (guard->pid == 0) {
            hand_on(&descriptors);
            int output = guard->world.keep_output ? pipes->errors[1] : pipes->output[1];
            become_program(guard, command.words, pipes->input[0], output, pipes->errors[1], pipes->failure[1]);
        }
        cause = guard->pid < 0 ? errno : 0;
    }
    cause = close_filters(&descriptors, cause);
    close(pipes->failure[1]);
    pipes->failure[1] = -1;
    int told = 0;
    if (cause == 0 && read(pipes->failure[0], &told, sizeof told) == (ssize_t)sizeof told) {
        waitpid(guard->pid, NULL, 0);
        cause = told;
    }
    return cause;
}

/* Takes an end of a pipe out of the set that will be closed. */
static int keep(int *end) {
    int kept = *end;
    *end = -1;
    return kept;
}

/* Starts the program; `stays` says that its input and output go to the client through *to and *from. Returns 0
 * or the cause. */
static int start_program(struct guard *guard, char *const *argv, bool stays, int *to, int *from) {
    struct pipes pipes;
    int cause = make_pipes(&pipes, stays) ? start_command(guard, argv, &pipes) : errno;
    if (cause == 0) {
        guard->errors = keep(&pipes.errors[0]);
        guard->status = keep(&pipes.status[0]);
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

/* -- watching and ending -- */

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

/* The two processes of the sandbox itself do not count. */
static int most_processes(const struct guard *guard) {
    return guard->limits.processes + (guard->world.sandboxed ? 2 : 0);
}

/* Ends the program and all it started, and waits until they are gone. */
static void end_all(struct guard *guard) {
    if (guard->main_done && reap(guard)) {
        return;
    }
    struct tree tree;
    tree_list(getpid(), &tree);
    if (guard->main_done && !guard->ended && tree.count > most_processes(guard)) {
        guard->ended = true;
        guard->why = WARDEN_FORKED;
    }
    cgroup_kill(&guard->cgroup);
    if (!guard->main_done) {
        kill(-guard->pid, SIGKILL);
    }
    for (int turn = 0; !reap(guard); turn++) {
        /* Without a sandbox the user of a shared folder has other wardens' processes too. */
        if (guard->world.other_user && turn > 0 && (guard->world.sandboxed || !guard->world.shared)) {
            kill_user(guard->world.user);
        }
        tree_kill_children();
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

static double seconds_of(const struct timeval *time) {
    return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

/* The time a run has used so far. A control group knows it better: it does not lose what nobody waited for. */
static void measure_time(struct guard *guard, const struct tree *tree, struct count_use *use) {
    if (!cgroup_time(&guard->cgroup, &use->user_seconds, &use->cpu_seconds)) {
        count_look(&guard->count, tree, seconds_of(&guard->user) + seconds_of(&guard->system), use);
    }
}

/* The memory it uses now. */
static uint64_t measure_memory(const struct guard *guard, const struct tree *tree) {
    if (guard->cgroup.counts_memory) {
        return count_resident(tree);
    }
    uint64_t most = guard->limits.memory_bytes;
    uint64_t piece = guard->world.sandboxed ? BUFFERS_MOST_SHARED : 0;
    /* Every process of a sandbox has the sandbox's network. */
    uint64_t sockets = guard->world.sandboxed && tree->count > 0 ? buffers_of_sockets(tree->processes[0]) : 0;
    uint64_t bytes = count_memory(tree, piece, most, false);
    if (bytes + sockets > most) {
        bytes = count_memory(tree, piece, most, true);
    }
    return bytes + sockets;
}

/* Whether the next look must come soon: processes come and go unseen, or memory grows and is large or grows fast. */
static bool must_hurry(const struct guard *guard, uint64_t bytes) {
    uint64_t most = guard->limits.memory_bytes;
    uint64_t step = bytes > most / 2 ? 0 : most / 32;
    return (guard->world.sandboxed && guard->count.births) ||
           (!guard->cgroup.counts_memory && bytes > guard->use.bytes + step);
}

/* Whether a run has used up one of its times, other than the wall clock's; says which. */
static bool is_late(struct guard *guard, const struct count_use *use) {
    const struct warden_limits *limits = &guard->limits;
    if (limits->cpu_seconds > 0.0 && use->user_seconds > limits->cpu_seconds) {
        guard->late = WARDEN_LATE_CPU;
    } else if (limits->cpu_seconds > 0.0 && use->cpu_seconds - use->user_seconds > most_system(limits)) {
        guard->late = WARDEN_LATE_SYSTEM;
    } else if (limits->idle_seconds > 0.0 && guard->wait.idle > limits->idle_seconds) {
        guard->late = WARDEN_LATE_IDLE;
    } else {
        return false;
    }
    return true;
}

/* Looks at what lives now; true when that is too much, and why. */
static bool over_limits(struct guard *guard, enum warden_end *why) {
    struct tree tree;
    struct count_use use = {0};
    uint64_t most = guard->limits.memory_bytes;
    tree_list(getpid(), &tree);
    if (tree.count > most_processes(guard)) {
        *why = WARDEN_FORKED; /* at once: to look at so many takes a while, in which there are more */
        return true;
    }
    measure_time(guard, &tree, &use);
    use.bytes = measure_memory(guard, &tree);
    guard->hasty = must_hurry(guard, use.bytes);
    guard->measured = clock_wall();
    guard->use.user_seconds = fmax(guard->use.user_seconds, use.user_seconds);
    guard->use.cpu_seconds = fmax(guard->use.cpu_seconds, use.cpu_seconds);
    guard->use.bytes = use.bytes;
    guard->peak_bytes = guard->peak_bytes > use.bytes ? guard->peak_bytes : use.bytes;
    if (wait_is_due(&guard->wait, guard->measured)) {
        wait_look(&guard->wait, &tree, guard->measured, use.cpu_seconds);
    }
    *why = use.bytes > most ? WARDEN_MEMORY : WARDEN_TIMEOUT;
    return use.bytes > most || is_late(guard, &use);
}

/* How long to wait before the next look: a while that nobody can foresee. */
static double next_look(struct guard *guard, double age) {
    guard->chance = guard->chance * 1664525u + 1013904223u;
    return (age < 0.1 || guard->hasty ? 0.004 : 0.03) * (1.0 + (double)(guard->chance >> 16) / 98304.0);
}

/* One wait for something to happen, and what follows from it. */
static void watch(struct guard *guard, bool *requested) {
    double now = clock_wall();
    double age = now - guard->begun;
    double wait = next_look(guard, age);
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
    enum warden_end why;
    if (guard->client_gone) {
        end_for(guard, WARDEN_KILLED);
    } else if (guard->output_bytes > guard->limits.output_bytes) {
        end_for(guard, WARDEN_FLOODED);
    } else if (guard->deadline > 0.0 && clock_wall() >= guard->deadline) {
        end_for(guard, guard->at_deadline);
    } else if (age > 0.004 && now - guard->measured > 0.003 && over_limits(guard, &why)) {
        end_for(guard, why);
    }
}

/* -- requests -- */

/* Why a command did not start, from what the sandbox printed about it. */
static int cause_of(const struct guard *guard) {
    static const int causes[] = {ENOENT, EACCES, ENOEXEC, ENOTDIR, E2BIG, ENOMEM, EPERM};
    char said[400];
    size_t length = guard->error_bytes < sizeof said - 1 ? guard->error_bytes : sizeof said - 1;
    memcpy(said, guard->error_text, length);
    said[length] = '\0';
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        if (strstr(said, strerror(causes[i]))) {
            return causes[i];
        }
    }
    return EIO;
}

/* What is to be said about a run that is over. */
static void judge(struct guard *guard, struct warden_report *report) {
    report->wall_seconds = guard->finished - guard->begun;
    double total;
    report->system_seconds = seconds_of(&guard->system);
    if (cgroup_time(&guard->cgroup, &report->user_seconds, &total)) {
        report->system_seconds = total - report->user_seconds;
    } else {
        report->user_seconds = fmax(seconds_of(&guard->user) + guard->count.lost, guard->use.user_seconds);
    }
    report->peak_bytes = guard->peak_bytes;
    report->starved_seconds = guard->wait.starved;
    report->late = guard->late;
    if (guard->ended || cgroup_out_of_memory(&guard->cgroup)) {
        report->end = guard->ended ? guard->why : WARDEN_MEMORY;
        return;
    }
    if (guard->first_program >= 0 && guard->world.sandboxed && (guard->first.cause || !guard->first.begun)) {
        report->end = WARDEN_NOT_STARTED;
        report->code = guard->first.cause ? guard->first.cause : cause_of(guard);
        return;
    }
    int status = guard->first.ended ? guard->first.wait_status : guard->main_status;
    bool signalled = WIFSIGNALED(status);
    int code = signalled ? WTERMSIG(status) : WEXITSTATUS(status);
    if (guard->world.sandboxed && !guard->first.ended && !signalled && code > 128 && code <= 128 + SIGRTMAX) {
        signalled = true; /* bubblewrap says so as a shell does */
        code -= 128;
    }
    report->code = code;
    double used = report->user_seconds + report->system_seconds;
    bool out_of_time = signalled && (code == SIGXCPU || (code == SIGKILL && guard->limits.cpu_seconds > 0.0 &&
                                                         used >= (double)most_kernel_seconds(&guard->limits)));
    if (out_of_time) {
        bool by_user = report->user_seconds >= guard->limits.cpu_seconds;
        report->late = by_user ? WARDEN_LATE_CPU : WARDEN_LATE_SYSTEM;
    }
    report->end = !signalled        ? WARDEN_EXITED
                  : out_of_time     ? WARDEN_TIMEOUT
                  : code == SIGXFSZ ? WARDEN_FLOODED
                                    : WARDEN_SIGNALLED;
}

/* Hears what the first process said, now that it is gone. */
static void hear_first(struct guard *guard) {
    struct first_word word;
    while (guard->status >= 0 && read(guard->status, &word, sizeof word) == (ssize_t)sizeof word) {
        guard->first.begun = true;
        if (word.kind == FIRST_NOT_STARTED && !guard->first.cause) {
            guard->first.cause = word.value;
        } else if (word.kind == FIRST_ENDED) {
            guard->first.ended = true;
            guard->first.wait_status = word.value;
        }
    }
    if (guard->status >= 0) {
        close(guard->status);
        guard->status = -1;
    }
}

/* Ends the run and tells the client what became of it. */
static void finish(struct guard *guard) {
    end_all(guard);
    drain(guard, &guard->errors);
    hear_first(guard);
    for (int *pipe = &guard->output; pipe; pipe = pipe == &guard->output ? &guard->errors : NULL) {
        if (*pipe >= 0) {
            close(*pipe);
            *pipe = -1;
        }
    }
    struct warden_reply reply = {.error_bytes = (uint32_t)guard->error_bytes};
    judge(guard, &reply.report);
    if (guard->world.sandboxed && reply.report.end == WARDEN_NOT_STARTED && WIFSIGNALED(guard->main_status) &&
        WTERMSIG(guard->main_status) == SIGKILL) {
        /* Killed on its way into the sandbox, which no program can do. */
        reply.failed = true;
        reply.report.code = ECANCELED;
    }
    guard->running = false;
    if (!warden_send(guard->socket, &reply, sizeof reply) ||
        !warden_send(guard->socket, guard->error_text, guard->error_bytes)) {
        guard->client_gone = true;
    }
}

static void reply_not_started(struct guard *guard, int cause) {
    struct warden_reply reply = {.report = {.end = WARDEN_NOT_STARTED, .code = cause},
                                 .failed = error_status_of(cause) == STATUS_FAIL};
    guard->client_gone = !warden_send(guard->socket, &reply, sizeof reply);
}

/* Hands two descriptors to the client and closes ours. */
static void send_pipes(struct guard *guard, int to, int from) {
    guard->client_gone = !warden_send_descriptors(guard->socket, (int[2]){to, from});
    close(to);
    close(from);
}

static void begin_run(struct guard *guard, const struct warden_limits *limits) {
    guard->limits = *limits;
    guard->main_done = false;
    guard->ended = false;
    guard->user = guard->system = (struct timeval){0};
    guard->use = (struct count_use){0};
    count_begin(&guard->count);
    guard->measured = 0;
    guard->late = WARDEN_LATE_WALL;
    wait_begin(&guard->wait, clock_wall());
    guard->hasty = false;
    guard->peak_bytes = 0;
    guard->output = guard->errors = guard->status = -1;
    memset(&guard->first, 0, sizeof guard->first);
    guard->output_bytes = 0;
    guard->error_bytes = 0;
}

/* What answers an OPEN whose program could not be started: a pipe that is closed at the other end, and a run
 * that ended before it began. */
static void open_not_started(struct guard *guard, int cause) {
    int input[2];
    int output[2];
    if (error_status_of(cause) == STATUS_FAIL || pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) {
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

static void serve_cpu(struct guard *guard) {
    struct warden_reply reply = {0};
    if (guard->running && !guard->main_done) {
        struct tree tree;
        struct count_use use = {0};
        tree_list(getpid(), &tree);
        measure_time(guard, &tree, &use);
        reply.cpu_seconds = use.cpu_seconds;
    }
    guard->client_gone = !warden_send(guard->socket, &reply, sizeof reply);
}

static void serve_close(struct guard *guard, const struct warden_request *request) {
    if (!guard->running) {
        reply_not_started(guard, ESRCH);
        return;
    }
    guard->deadline = clock_wall() + request->limits.wall_seconds;
    guard->at_deadline = WARDEN_KILLED;
    while (!guard->main_done) {
        bool ignored;
        watch(guard, &ignored);
    }
    finish(guard);
}

/* Renews or changes the world; not while a program runs in it. */
static void serve_world(struct guard *guard, const struct warden_request *request, char *const *words, int count) {
    char why[400] = "a program is still running";
    struct world *world = &guard->world;
    bool cleans = request->kind != WARDEN_REQUEST_SHOW;
    bool well = !guard->running;
    errno = 0;
    if (well && request->kind == WARDEN_REQUEST_SHOW) {
        well = world_show(world, request, words, count, why, sizeof why);
    } else if (well && request->kind == WARDEN_REQUEST_SHARE) {
        well = count == 1 && world_share(world, words[0], request->user, why, sizeof why);
    }
    well = well && (!cleans || world_renew(world, why, sizeof why));
    struct warden_reply reply = {
        .failed = !well, .report.code = errno, .error_bytes = well ? 0 : (uint32_t)strlen(why)};
    guard->client_gone =
        !warden_send(guard->socket, &reply, sizeof reply) || !warden_send(guard->socket, why, reply.error_bytes) ||
        (cleans && well && !warden_send_descriptors(guard->socket, (int[2]){world->root, world->scratch}));
}

/* Starts a program; a RUN is answered when it is over. */
static void serve_start(struct guard *guard, const struct warden_request *request, char *const *argv) {
    bool stays = request->kind == WARDEN_REQUEST_OPEN;
    int to = -1;
    int from = -1;
    begin_run(guard, &request->limits);
    cgroup_begin(&guard->cgroup, request->limits.memory_bytes, most_tasks(&request->limits));
    world_resize(&guard->world,
                 request->limits.disk_bytes ? request->limits.disk_bytes : warden_usual_limits.disk_bytes);
    fchmod(guard->world.scratch, 0700); /* the run before may have closed it */
    bool ready = !guard->world.sandboxed || buffers_make_zero(guard->world.root, WORLD_ZERO);
    int cause = ready ? start_program(guard, argv, stays, &to, &from) : errno;
    if (cause != 0 && stays) {
        open_not_started(guard, cause);
        return;
    }
    if (cause != 0) {
        reply_not_started(guard, cause);
        return;
    }
    double wall = request->limits.wall_seconds;
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

/* Reads one request and does it. */
static void serve(struct guard *guard) {
    struct warden_request request;
    static char words[WARDEN_MOST_ARGUMENT_BYTES + 1];
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
    switch (request.kind) {
    case WARDEN_REQUEST_CPU:
        serve_cpu(guard);
        break;
    case WARDEN_REQUEST_CLOSE:
        serve_close(guard, &request);
        break;
    case WARDEN_REQUEST_CLEAN:
    case WARDEN_REQUEST_SHOW:
    case WARDEN_REQUEST_SHARE:
        serve_world(guard, &request, argv, count);
        break;
    case WARDEN_REQUEST_RUN:
    case WARDEN_REQUEST_OPEN:
        if (guard->running || count == 0) {
            guard->client_gone = true; /* a client that does not keep to the protocol */
        } else {
            serve_start(guard, &request, argv);
        }
        break;
    }
}

/* The program that is the first process of a sandbox, as a file that nobody can change; -1 where there is none for this
 * processor. */
static int open_first(void) {
    static const unsigned may_run = 0x10; /* MFD_EXEC, which kernels before 6.3 do not know */
    int file = warden_first_size > 0 ? memfd_create("first", MFD_CLOEXEC | MFD_ALLOW_SEALING | may_run) : -1;
    if (warden_first_size > 0 && file < 0 && errno == EINVAL) {
        file = memfd_create("first", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    }
    if (file >= 0 && (write(file, warden_first, warden_first_size) != (ssize_t)warden_first_size ||
                      fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) != 0)) {
        close(file);
        file = -1;
    }
    return file;
}

/* Since 5.14 the kernel counts the tasks of a user in every user namespace for itself; before, those outside of ours
 * count too. */
static long tasks_of_others(void) {
    struct utsname system;
    int major = 0;
    int minor = 0;
    bool counts = uname(&system) == 0 && sscanf(system.release, "%d.%d", &major, &minor) == 2;
    return counts && (major > 5 || (major == 5 && minor >= 14)) ? 0 : tree_tasks_of_user(getuid());
}

/* Makes the world and says hello. */
static void introduce(struct guard *guard, enum warden_wall wall) {
    bool sandboxed = wall == WARDEN_SANDBOX_WALL;
    struct warden_hello hello = {.folder = WORLD_SCRATCH};
    char why[sizeof hello.folder];
    /* Both before the world hides /sys and other processes. */
    cgroup_open(&guard->cgroup, NULL);
    hello.counts_memory = guard->cgroup.counts_memory;
    guard->user_tasks = sandboxed ? tasks_of_others() : tree_tasks_of_user(getuid());
    guard->first_program = sandboxed ? open_first() : -1;
    guard->chance = (uint32_t)getpid() * 2654435761u + (uint32_t)(clock_wall() * 1e6);
    if (!world_open(&guard->world, wall, why, sizeof why)) {
        hello.failed = true;
        memcpy(hello.folder, why, sizeof why);
    } else if (!sandboxed) {
        snprintf(hello.folder, sizeof hello.folder, "%.480s/world/scratch", guard->world.base);
    }
    guard->client_gone = !warden_send(guard->socket, &hello, sizeof hello) || hello.failed ||
                         !warden_send_descriptors(guard->socket, (int[2]){guard->world.root, guard->world.scratch});
}

_Noreturn void warden_live(int socket, enum warden_wall wall) {
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
    guard.output = guard.errors = guard.status = -1;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    guard.signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    introduce(&guard, wall);
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
    world_close(&guard.world);
    cgroup_close(&guard.cgroup);
    _exit(0);
}
