/* The warden process: one thread, one program at a time, one loop that waits for whatever happens next. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
#include "sandbox/warden_guard.h"
#include "sandbox/warden_tree.h"
#include "sandbox/warden_wire.h"

/* The bytes of the first process of a sandbox. */
extern const char warden_first[];
extern const unsigned long warden_first_size;

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

static double seconds_of(const struct timeval *time) {
    return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
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
        guard->user += seconds_of(&use.ru_utime);
        guard->system += seconds_of(&use.ru_stime);
        if ((uint64_t)use.ru_maxrss * 1024 > guard->peak_bytes) {
            guard->peak_bytes = (uint64_t)use.ru_maxrss * 1024;
        }
        if (pid == guard->pid) {
            guard->main_done = true;
            guard->main_status = status;
            guard->finished = guard->first.ended ? guard->finished : clock_wall();
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

/* Ends the program and all it started, its sandbox too, and waits until they are gone. */
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

/* What is reaped at the end of a sandbox is reduced by what was reported before. */
static void begin_use(struct guard *guard) {
    guard->user = -guard->stand.user_seconds;
    guard->system = -guard->stand.system_seconds;
    guard->peak_bytes = 0;
}

void guard_take_down(struct guard *guard) {
    if (guard->stand.pid > 0) {
        bool done = guard->main_done;
        guard->pid = guard->stand.pid;
        guard->main_done = false;
        end_all(guard);
        guard->main_done = done;
        guard->main_status = 0; /* how a sandbox ends says nothing about the next run */
    }
    stand_forget(&guard->stand);
    begin_use(guard);
}

static void end_for(struct guard *guard, enum warden_end why) {
    if (!guard->ended && !guard->main_done) {
        guard->ended = true;
        guard->why = why;
    }
    end_all(guard);
}

/* The time a run has used so far. A control group knows it better: it does not lose what nobody waited for. */
static void measure_time(struct guard *guard, const struct tree *tree, struct count_use *use) {
    if (!cgroup_time(&guard->cgroup, &use->user_seconds, &use->cpu_seconds)) {
        count_look(&guard->count, tree, guard->user + guard->system, use);
        /* The first process of a sandbox that stands has inherited what earlier programs used. */
        const struct stand *stand = &guard->stand;
        use->user_seconds = fmax(use->user_seconds - stand->user_seconds, 0.0);
        use->cpu_seconds = fmax(use->cpu_seconds - stand->user_seconds - stand->system_seconds, 0.0);
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
    } else if (limits->cpu_seconds > 0.0 && use->cpu_seconds - use->user_seconds > guard_most_system(limits)) {
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

/* Hears what the first process of the sandbox says about the run. */
static void hear_first(struct guard *guard) {
    struct first_word word;
    while (!guard->quiet && stand_hear(&guard->stand, &word)) {
        guard->first.begun = true;
        if (word.kind == FIRST_NOT_STARTED && !guard->first.cause) {
            guard->first.cause = word.value;
        } else if (word.kind == FIRST_ENDED) {
            guard->first.ended = true;
            guard->first.wait_status = word.value;
            guard->finished = clock_wall();
        } else if (word.kind == FIRST_QUIET && !guard->ended && !guard->main_done) {
            guard->quiet = guard->main_done = true;
            guard->user = 1e-6 * (double)word.user_microseconds;
            guard->system = 1e-6 * (double)word.system_microseconds;
            guard->stand.user_seconds += guard->user;
            guard->stand.system_seconds += guard->system;
            guard->peak_bytes = guard->peak_bytes > (uint64_t)word.peak_kilobytes * 1024
                                    ? guard->peak_bytes
                                    : (uint64_t)word.peak_kilobytes * 1024;
        }
    }
}

/* One wait for something to happen, and what follows from it. */
static void watch(struct guard *guard, bool *requested) {
    double now = clock_wall();
    double age = now - guard->begun;
    double wait = next_look(guard, age);
    if (guard->deadline > 0.0 && guard->deadline - now < wait) {
        wait = guard->deadline > now ? guard->deadline - now : 0.0;
    }
    struct pollfd polls[5] = {{.fd = guard->socket, .events = POLLIN},
                              {.fd = guard->signals, .events = POLLIN},
                              {.fd = guard->output, .events = POLLIN},
                              {.fd = guard->errors, .events = POLLIN},
                              {.fd = guard->stand.socket, .events = POLLIN}};
    poll(polls, 5, (int)ceil(wait * 1e3));
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
    if (polls[4].revents) {
        hear_first(guard);
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
    report->system_seconds = fmax(guard->system, 0.0);
    if (cgroup_time(&guard->cgroup, &report->user_seconds, &total)) {
        report->system_seconds = total - report->user_seconds;
    } else {
        report->user_seconds = fmax(guard->user + guard->count.lost, guard->use.user_seconds);
    }
    report->peak_bytes = guard->peak_bytes;
    report->starved_seconds = guard->wait.starved;
    report->late = guard->late;
    if (guard->ended || cgroup_out_of_memory(&guard->cgroup)) {
        report->end = guard->ended ? guard->why : WARDEN_MEMORY;
        return;
    }
    if (guard->world.sandboxed && (guard->first.cause || !guard->first.begun)) {
        report->end = WARDEN_NOT_STARTED;
        report->code = guard->first.cause ? guard->first.cause : cause_of(guard);
        return;
    }
    int status = guard->first.ended ? guard->first.wait_status : guard->main_status;
    bool signalled = WIFSIGNALED(status);
    int code = signalled ? WTERMSIG(status) : WEXITSTATUS(status);
    report->code = code;
    double used = report->user_seconds + report->system_seconds;
    bool out_of_time = signalled && (code == SIGXCPU || (code == SIGKILL && guard->limits.cpu_seconds > 0.0 &&
                                                         used >= (double)guard_most_kernel_seconds(&guard->limits)));
    if (out_of_time) {
        bool by_user = report->user_seconds >= guard->limits.cpu_seconds;
        report->late = by_user ? WARDEN_LATE_CPU : WARDEN_LATE_SYSTEM;
    }
    report->end = !signalled        ? WARDEN_EXITED
                  : out_of_time     ? WARDEN_TIMEOUT
                  : code == SIGXFSZ ? WARDEN_FLOODED
                                    : WARDEN_SIGNALLED;
}

/* Ends the run and tells the client what became of it. */
static void finish(struct guard *guard) {
    if (!guard->quiet) {
        end_all(guard);
        hear_first(guard);
    }
    drain(guard, &guard->errors);
    if (guard->world.sandboxed && !guard->first.begun) {
        size_t room = sizeof guard->error_text - guard->error_bytes;
        guard->error_bytes += stand_read_said(&guard->stand, guard->error_text + guard->error_bytes, room);
    }
    if (!guard->quiet) {
        stand_forget(&guard->stand);
    }
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
    guard->main_done = guard->quiet = false;
    guard->main_status = 0;
    guard->ended = false;
    begin_use(guard);
    guard->use = (struct count_use){0};
    count_begin(&guard->count);
    guard->measured = 0;
    guard->late = WARDEN_LATE_WALL;
    wait_begin(&guard->wait, clock_wall());
    guard->hasty = false;
    guard->output = guard->errors = -1;
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
    if (well && (request->kind != WARDEN_REQUEST_CLEAN || world_is_fixed(world))) {
        guard_take_down(guard);
    }
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
    cgroup_begin(&guard->cgroup, request->limits.memory_bytes, guard_most_tasks(&request->limits));
    world_resize(&guard->world,
                 request->limits.disk_bytes ? request->limits.disk_bytes : warden_usual_limits.disk_bytes);
    fchmod(guard->world.scratch, 0700); /* the run before may have closed it */
    int cause = guard_start_program(guard, argv, stays, &to, &from);
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
    struct warden_hello hello = {.folder = WORLD_SCRATCH, .build = WORLD_BUILD};
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
        char real[PATH_MAX];
        const char *base = realpath(guard->world.base, real) ? real : guard->world.base;
        snprintf(hello.folder, sizeof hello.folder, "%.480s/world/scratch", guard->world.base);
        snprintf(hello.build, sizeof hello.build, "%.480s/build", base);
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
    guard.output = guard.errors = -1;
    guard.stand = (struct stand){.socket = -1, .said = -1};
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
    guard_take_down(&guard);
    world_close(&guard.world);
    cgroup_close(&guard.cgroup);
    _exit(0);
}
