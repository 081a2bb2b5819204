/* The client's side of a warden: starting one, asking it to run things, and the files in its folder. */
#include "sandbox/warden.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/warden_folder.h"
#include "sandbox/warden_sandbox.h"
#include "sandbox/warden_wire.h"
#include "sandbox/warden_world.h"

struct warden {
    int socket;
    pid_t pid;
    struct warden_hello hello;
    int root;    /* of the world: what is removed goes to its folder "gone" */
    int scratch; /* the programs' current folder */
    unsigned gone;
    char path[40];
    struct text shown; /* the view the warden has, as it was sent */
};

/* What warden_secure found out. */
static enum { SECURITY_UNKNOWN, SECURITY_SANDBOX, SECURITY_USER, SECURITY_NONE } security;
static bool accepts_user;
static bool kernel_counts_memory;

const struct warden_limits warden_usual_limits = {
    .memory_bytes = 2ULL << 30,
    .disk_bytes = 256ULL << 20,
    .file_bytes = 64ULL << 20,
    .output_bytes = 8ULL << 20,
    .processes = 64,
    .open_files = 256,
};

bool warden_send(int socket, const void *bytes, size_t length) {
    const char *from = bytes;
    while (length > 0) {
        ssize_t sent = send(socket, from, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        from += sent;
        length -= (size_t)sent;
    }
    return true;
}

bool warden_receive(int socket, void *bytes, size_t length) {
    char *to = bytes;
    while (length > 0) {
        ssize_t got = recv(socket, to, length, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        to += got;
        length -= (size_t)got;
    }
    return true;
}

void warden_close_from(int first) {
    if (close_range((unsigned)first, ~0u, 0) == 0) {
        return;
    }
    /* A kernel before 5.9. */
    long most = sysconf(_SC_OPEN_MAX);
    for (int descriptor = first; descriptor < (most > 0 && most < 65536 ? most : 65536); descriptor++) {
        close(descriptor);
    }
}

static enum status gone(struct error *error) {
    return error_machine(error, "the process that watches over programs is gone");
}

/* -- requests -- */

static enum status send_request(struct warden *warden, struct warden_request *request, const struct text *words,
                                struct error *error) {
    int count = 0;
    for (size_t i = 0; i < words->length; i++) {
        count += words->data[i] == '\0';
    }
    if (count > WARDEN_MOST_ARGUMENTS || words->length > WARDEN_MOST_ARGUMENT_BYTES || words->broken) {
        return error_machine(error, "the command is too long");
    }
    request->argument_bytes = (uint32_t)words->length;
    return warden_send(warden->socket, request, sizeof *request) &&
                   warden_send(warden->socket, words->data, words->length)
               ? STATUS_OK
               : gone(error);
}

static enum status ask(struct warden *warden, enum warden_request_kind kind, const char *const *argv,
                       const struct warden_limits *limits, struct error *error) {
    struct warden_request request = {.kind = kind, .limits = *limits};
    struct text words = TEXT_EMPTY;
    for (; argv && *argv; argv++) {
        text_add(&words, *argv, strlen(*argv) + 1);
    }
    enum status status = send_request(warden, &request, &words, error);
    text_free(&words);
    return status;
}

static enum status hear(struct warden *warden, struct warden_reply *reply, struct text *errors, struct error *error) {
    if (!warden_receive(warden->socket, reply, sizeof *reply)) {
        return gone(error);
    }
    static const size_t step = 4096;
    char buffer[4096];
    for (size_t left = reply->error_bytes; left > 0;) {
        size_t now = left < step ? left : step;
        if (!warden_receive(warden->socket, buffer, now)) {
            return gone(error);
        }
        if (errors) {
            text_add(errors, buffer, now);
        }
        left -= now;
    }
    return STATUS_OK;
}

/* -- starting -- */

static void close_world(struct warden *warden) {
    if (warden->root >= 0) {
        close(warden->root);
        close(warden->scratch);
    }
    warden->root = warden->scratch = -1;
}

bool warden_send_descriptors(int socket, const int descriptors[2]) {
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
    memcpy(CMSG_DATA(header), descriptors, 2 * sizeof(int));
    return sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

bool warden_receive_descriptors(int socket, int descriptors[2]) {
    char byte;
    struct iovec part = {&byte, 1};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t got;
    while ((got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
    }
    struct cmsghdr *header = got == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(2 * sizeof(int))) {
        return false;
    }
    memcpy(descriptors, CMSG_DATA(header), 2 * sizeof(int));
    return true;
}

/* Takes the descriptors of a new world. */
static bool take_world(struct warden *warden) {
    int descriptors[2];
    if (!warden_receive_descriptors(warden->socket, descriptors)) {
        return false;
    }
    close_world(warden);
    warden->root = descriptors[0];
    warden->scratch = descriptors[1];
    snprintf(warden->path, sizeof warden->path, "/proc/self/fd/%d", warden->scratch);
    return true;
}

/* Forks a warden and hears its greeting. */
static enum status start(struct warden **out, enum warden_wall wall, struct error *error) {
    int sockets[2];
    struct warden *warden = calloc(1, sizeof *warden);
    if (!warden) {
        return error_machine(error, "out of memory");
    }
    warden->root = warden->scratch = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
        free(warden);
        return error_machine(error, "cannot make a socket pair: %s", strerror(errno));
    }
    pid_t pid = fork();
    if (pid < 0) {
        int cause = errno;
        close(sockets[0]);
        close(sockets[1]);
        free(warden);
        return error_machine(error, "cannot fork: %s", strerror(cause));
    }
    if (pid == 0) {
        close(sockets[0]);
        warden_live(sockets[1], wall);
    }
    close(sockets[1]);
    warden->socket = sockets[0];
    warden->pid = pid;
    if (!warden_receive(warden->socket, &warden->hello, sizeof warden->hello)) {
        warden_stop(warden);
        return gone(error);
    }
    if (warden->hello.failed || !take_world(warden)) {
        enum status status = warden->hello.failed ? error_machine(error, "%.200s", warden->hello.folder) : gone(error);
        warden_stop(warden);
        return status;
    }
    *out = warden;
    return STATUS_OK;
}

enum status warden_start(struct warden **out, struct error *error) {
    if (security == SECURITY_UNKNOWN) {
        enum status status = warden_secure(false, NULL, error);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return start(out,
                 security == SECURITY_SANDBOX ? WARDEN_SANDBOX_WALL
                 : security == SECURITY_USER  ? WARDEN_USER_WALL
                                              : WARDEN_NO_WALL,
                 error);
}

void warden_stop(struct warden *warden) {
    if (!warden) {
        return;
    }
    close(warden->socket);
    close_world(warden);
    while (waitpid(warden->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    text_free(&warden->shown);
    free(warden);
}

int warden_process(const struct warden *warden) {
    return (int)warden->pid;
}

void warden_abandon(struct warden *warden) {
    shutdown(warden->socket, SHUT_RDWR);
}

/* Whether a program can be run in a sandbox here: one is, that does nothing. */
static enum status try_sandbox(struct error *error) {
    if (!sandbox_found()) {
        return error_machine(error, "bubblewrap (the program bwrap) is not installed");
    }
    int filter = sandbox_filter();
    if (filter < 0) {
        return error_machine(error, "no filter of system calls: %s", strerror(errno));
    }
    close(filter);
    struct warden *warden = NULL;
    struct warden_report report = {0};
    struct text errors = TEXT_EMPTY;
    const char *const nothing[] = {"true", NULL};
    enum status status = start(&warden, WARDEN_SANDBOX_WALL, error);
    if (status == STATUS_OK) {
        status = warden_run(warden, nothing, &warden_usual_limits, &report, &errors, error);
    }
    kernel_counts_memory = status == STATUS_OK && warden->hello.counts_memory;
    if (status == STATUS_OK && (report.end != WARDEN_EXITED || report.code != 0)) {
        status = error_machine(error, "bubblewrap cannot run: %.*s", (int)strcspn(text_string(&errors), "\n"),
                               text_string(&errors));
    }
    text_free(&errors);
    warden_stop(warden);
    return status;
}

void warden_accept_user(void) {
    accepts_user = true;
}

bool warden_is_user(void) {
    return security == SECURITY_USER;
}

bool warden_user_reads(const char *path) {
    return world_user_may(path, R_OK) || world_user_may(path, X_OK);
}

bool warden_user_writes(const char *path) {
    return world_user_may(path, W_OK);
}

/* Whether a user of their own keeps programs in here. */
static bool try_user(void) {
    char why[200];
    int filter = sandbox_filter();
    if (filter >= 0) {
        close(filter);
    }
    return accepts_user && filter >= 0 && world_can_wall(why, sizeof why);
}

enum status warden_secure(bool unsafe, struct text *warning, struct error *error) {
    struct error cause = {0};
    if (security == SECURITY_UNKNOWN && try_sandbox(&cause) == STATUS_OK) {
        security = SECURITY_SANDBOX;
    }
    if (security != SECURITY_UNKNOWN) {
        return STATUS_OK;
    }
    if (try_user()) {
        security = SECURITY_USER;
        if (warning) {
            text_addf(
                warning,
                "note: no sandbox (%.120s): programs run as a user of their own, who reads the system and nothing "
                "else; docs/trust.md tells the difference",
                cause.text);
        }
        return STATUS_OK;
    }
    if (!unsafe) {
        return error_machine(error,
                             "other people's programs cannot be locked in on this machine: %.120s; --unsafe runs them "
                             "all the same",
                             cause.text);
    }
    security = SECURITY_NONE;
    if (warning) {
        text_addf(warning,
                  "WARNING: no sandbox (%.150s): programs can read and change whatever you can, and reach the network",
                  cause.text);
    }
    return STATUS_OK;
}

const char *warden_memory_words(void) {
    return security == SECURITY_UNKNOWN ? NULL
           : kernel_counts_memory       ? "counted by the kernel"
                                        : "watched every 4 to 50 ms";
}

/* -- the world -- */

const char *warden_folder(const struct warden *warden) {
    return warden->hello.folder;
}

const char *warden_path(const struct warden *warden) {
    return warden->path;
}

const char *warden_build(const struct warden *warden) {
    return warden->hello.build;
}

/* Asks for a new world and takes it. */
static enum status change_world(struct warden *warden, struct warden_request *request, const struct text *words,
                                struct error *error) {
    struct text reason = TEXT_EMPTY;
    struct warden_reply reply;
    enum status status = send_request(warden, request, words, error);
    if (status == STATUS_OK) {
        status = hear(warden, &reply, &reason, error);
    }
    if (status == STATUS_OK && reply.failed) {
        status = error_machine(error, "%.200s", text_string(&reason));
    } else if (status == STATUS_OK && !take_world(warden)) {
        status = gone(error);
    }
    text_free(&reason);
    return status;
}

enum status warden_clean(struct warden *warden, struct error *error) {
    return change_world(warden, &(struct warden_request){.kind = WARDEN_REQUEST_CLEAN}, &TEXT_EMPTY, error);
}

enum status warden_share(struct warden *warden, const char *folder, uint32_t user, struct error *error) {
    struct text words = TEXT_EMPTY;
    text_add(&words, folder, strlen(folder) + 1);
    enum status status =
        change_world(warden, &(struct warden_request){.kind = WARDEN_REQUEST_SHARE, .user = user}, &words, error);
    text_free(&words);
    return status;
}

/* Whether numbers of users up to this one mean anything here: in a container of an ordinary user's they may not. */
static bool has_users_to(uint32_t most) {
    unsigned long long first;
    unsigned long long outside;
    unsigned long long count;
    FILE *map = fopen("/proc/self/uid_map", "re");
    bool has = map == NULL;
    while (map && fscanf(map, "%llu %llu %llu", &first, &outside, &count) == 3) {
        has = has || (first <= most && most - first < count);
    }
    if (map) {
        fclose(map);
    }
    return has;
}

uint32_t warden_new_user(void) {
    static const uint32_t high = 1u << 30;
    static const uint32_t low = 20000; /* above those that a system gives, below those of a map of 65,536 */
    static const uint32_t lows = 45000;
    uint32_t process = (uint32_t)getpid();
    return has_users_to(high + process) ? high + process : low + process % lows;
}

bool warden_view_add(struct warden_view *view, const char *from, const char *at) {
    if (view->count == WARDEN_MOST_SHOWN) {
        return false;
    }
    view->shown[view->count].from = from;
    view->shown[view->count++].at = at;
    return true;
}

/* The view as words; two views with the same words are the same. */
static void write_view(const struct warden_view *view, struct text *words) {
    for (int i = 0; i < view->count; i++) {
        const char *from = view->shown[i].from;
        const char *at = view->shown[i].at ? view->shown[i].at : from;
        text_add(words, from, strlen(from) + 1);
        text_add(words, at, strlen(at) + 1);
    }
}

enum status warden_show(struct warden *warden, const struct warden_view *view, struct error *error) {
    static const struct warden_view nothing;
    struct text words = TEXT_EMPTY;
    struct text reason = TEXT_EMPTY;
    struct warden_reply reply;
    view = view ? view : &nothing;
    write_view(view, &words);
    text_add_char(&words, (char)('0' + view->build));
    text_add_char(&words, (char)('0' + view->keep_output));
    if (words.broken) {
        return error_machine(error, "out of memory");
    }
    if (view->build != WARDEN_BUILD_NEW && words.length == warden->shown.length &&
        memcmp(words.data, warden->shown.data, words.length) == 0) {
        text_free(&words);
        return STATUS_OK;
    }
    words.length -= 2;
    struct warden_request request = {
        .kind = WARDEN_REQUEST_SHOW, .build = view->build, .keep_output = view->keep_output};
    enum status status = send_request(warden, &request, &words, error);
    words.length += 2;
    if (status == STATUS_OK) {
        status = hear(warden, &reply, &reason, error);
    }
    if (status == STATUS_OK && reply.failed) {
        status = error_system(error, reply.report.code, "%.200s", text_string(&reason));
    }
    text_free(&warden->shown);
    warden->shown = status == STATUS_OK ? words : TEXT_EMPTY;
    if (status != STATUS_OK) {
        text_free(&words);
    }
    text_free(&reason);
    return status;
}

/* -- files in the scratch folder -- */

/* A program may have taken the rights to its folder from itself, and so from us. */
static void regain_folder(const struct warden *warden) {
    fchmod(warden->scratch, 0700);
}

void warden_remove(struct warden *warden, const char *name) {
    regain_folder(warden);
    if (unlinkat(warden->scratch, name, 0) == 0 || errno == ENOENT) {
        return;
    }
    /* A folder, perhaps a deep one: it goes where the program does not see it, and away with the world. Only who may
     * write a folder can move it. */
    char away[40];
    snprintf(away, sizeof away, "gone/%u", warden->gone++);
    int folder = warden_folder_open(warden->scratch, name);
    if (folder >= 0) {
        close(folder);
    }
    renameat(warden->scratch, name, warden->root, away);
}

/* A new file of this name, in the place of whatever was there; -1 with errno. */
static int make_file(struct warden *warden, const char *name) {
    struct stat about;
    warden_remove(warden, name);
    int file = openat(warden->scratch, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    /* As root, programs have a user of their own, to whom the folder belongs. */
    if (file >= 0 && geteuid() == 0 && fstat(warden->scratch, &about) == 0 &&
        fchown(file, about.st_uid, about.st_gid) != 0) {
        int cause = errno;
        close(file);
        errno = cause;
        return -1;
    }
    return file;
}

/* Writes everything; 0, or the cause. */
static int write_all(int descriptor, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t put = write(descriptor, bytes, length);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return errno;
        }
        bytes += put;
        length -= (size_t)put;
    }
    return 0;
}

enum status warden_put(struct warden *warden, const char *name, const char *bytes, size_t length, struct error *error) {
    int descriptor = make_file(warden, name);
    int cause = descriptor < 0 ? errno : write_all(descriptor, bytes, length);
    if (descriptor >= 0) {
        close(descriptor);
    }
    return cause == 0
               ? STATUS_OK
               : error_machine(error, "%s cannot be written into the program's folder: %s", name, strerror(cause));
}

enum status warden_put_copy(struct warden *warden, const char *name, const char *path, struct error *error) {
    static const size_t step = 1 << 16;
    int source = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    struct stat about;
    char *buffer = malloc(step);
    if (source < 0 || fstat(source, &about) != 0 || !S_ISREG(about.st_mode) || !buffer) {
        enum status status =
            error_at(error, 0, 0, "%.180s: %s", path, source < 0 ? strerror(errno) : "not a plain file");
        if (source >= 0) {
            close(source);
        }
        free(buffer);
        return status;
    }
    int target = make_file(warden, name);
    int cause = target < 0 ? errno : 0;
    ssize_t got;
    while (!cause && (got = read(source, buffer, step)) != 0) {
        cause = got < 0 ? errno : write_all(target, buffer, (size_t)got);
    }
    if (!cause) {
        fchmod(target, about.st_mode & 0111 ? 0755 : 0644);
    }
    if (target >= 0) {
        close(target);
    }
    close(source);
    free(buffer);
    return cause == 0
               ? STATUS_OK
               : error_machine(error, "%.150s cannot be copied into the program's folder: %s", path, strerror(cause));
}

enum warden_file warden_get(struct warden *warden, const char *name, size_t most, struct text *out,
                            struct error *error) {
    struct stat about;
    regain_folder(warden);
    int descriptor = warden_folder_open_file(warden->scratch, name);
    if (descriptor < 0 && errno == ENOENT) {
        error_at(error, 0, 0, "no %s was written", name);
        return WARDEN_FILE_MISSING;
    }
    enum status status = STATUS_OK;
    if (descriptor < 0 || fstat(descriptor, &about) != 0) {
        status = errno == EINVAL ? error_at(error, 0, 0, "%s is not a plain file", name)
                                 : error_system(error, errno, "%s cannot be read: %s", name, strerror(errno));
    } else if ((uint64_t)about.st_size > most) {
        status =
            error_at(error, 0, 0, "%s has %lld bytes, at most %zu are taken", name, (long long)about.st_size, most);
    }
    char buffer[4096];
    for (size_t total = 0; status == STATUS_OK && total <= most;) {
        ssize_t got = read(descriptor, buffer, sizeof buffer);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            status = error_system(error, errno, "%s cannot be read: %s", name, strerror(errno));
        } else if (got > 0) {
            text_add(out, buffer, (size_t)got);
            total += (size_t)got;
        }
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    if (status == STATUS_OK && out->broken) {
        status = error_machine(error, "out of memory");
    }
    return status == STATUS_OK ? WARDEN_FILE_READ : status == STATUS_FAIL ? WARDEN_FILE_FAILED : WARDEN_FILE_ODD;
}

/* -- running -- */

/* For what the machine lacks, which is no fault of the program. */
static enum status not_started(const struct warden_reply *reply, struct error *error) {
    return error_machine(error, "a program cannot be started: %s", strerror(reply->report.code));
}

enum status warden_run(struct warden *warden, const char *const *argv, const struct warden_limits *limits,
                       struct warden_report *report, struct text *errors, struct error *error) {
    struct warden_reply reply;
    enum status status = ask(warden, WARDEN_REQUEST_RUN, argv, limits, error);
    if (status == STATUS_OK) {
        status = hear(warden, &reply, errors, error);
    }
    if (status == STATUS_OK && reply.failed) {
        status = not_started(&reply, error);
    }
    if (status == STATUS_OK) {
        *report = reply.report;
    }
    return status;
}

enum status warden_open(struct warden *warden, const char *const *argv, const struct warden_limits *limits,
                        int *to_program, int *from_program, struct error *error) {
    enum status status = ask(warden, WARDEN_REQUEST_OPEN, argv, limits, error);
    if (status != STATUS_OK) {
        return status;
    }
    int pipes[2];
    if (!warden_receive_descriptors(warden->socket, pipes)) {
        return gone(error);
    }
    *to_program = pipes[0];
    *from_program = pipes[1];
    /* The program has the other ends, and through /proc ours too: it can fill the one and empty the other. */
    for (int i = 0; i < 2; i++) {
        if (fcntl(pipes[i], F_SETFL, O_NONBLOCK) != 0) {
            return error_machine(error, "a pipe cannot be kept from blocking: %s", strerror(errno));
        }
    }
    return STATUS_OK;
}

double warden_cpu(struct warden *warden) {
    struct warden_reply reply;
    bool well = ask(warden, WARDEN_REQUEST_CPU, NULL, &warden_usual_limits, NULL) == STATUS_OK &&
                hear(warden, &reply, NULL, NULL) == STATUS_OK;
    return well ? reply.cpu_seconds : 0.0;
}

enum status warden_close(struct warden *warden, double grace_seconds, struct warden_report *report, struct text *errors,
                         struct error *error) {
    struct warden_limits grace = {.wall_seconds = grace_seconds};
    struct warden_reply reply = {0};
    enum status status = ask(warden, WARDEN_REQUEST_CLOSE, NULL, &grace, error);
    if (status == STATUS_OK) {
        status = hear(warden, &reply, errors, error);
    }
    if (status == STATUS_OK && reply.failed) {
        status = not_started(&reply, error);
    }
    if (status == STATUS_OK && report) {
        *report = reply.report;
    }
    return status;
}
