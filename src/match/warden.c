/* The client's side of a warden: starting one, asking it to run things, and the files in its folder. */
#include "match/warden.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "match/warden_wire.h"

struct warden {
    int socket;
    pid_t pid;
    struct warden_hello hello;
};

const struct warden_limits warden_usual_limits = {
    .memory_bytes = 2ULL << 30,
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

enum status warden_start(struct warden **out, struct error *error) {
    int sockets[2];
    struct warden *warden = calloc(1, sizeof *warden);
    if (!warden) {
        return error_machine(error, "out of memory");
    }
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
        warden_live(sockets[1]);
    }
    close(sockets[1]);
    warden->socket = sockets[0];
    warden->pid = pid;
    if (!warden_receive(warden->socket, &warden->hello, sizeof warden->hello)) {
        warden_stop(warden);
        return gone(error);
    }
    if (warden->hello.failed) {
        enum status status = error_machine(error, "%.200s", warden->hello.folder);
        warden_stop(warden);
        return status;
    }
    *out = warden;
    return STATUS_OK;
}

void warden_stop(struct warden *warden) {
    if (!warden) {
        return;
    }
    close(warden->socket);
    while (waitpid(warden->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    free(warden);
}

const char *warden_folder(const struct warden *warden) {
    return warden->hello.folder;
}

/* -- the folder -- */

/* Empties an open folder (and closes it). A program may have taken the permissions away from its own folders. */
static void empty_open_folder(int descriptor, int depth) {
    DIR *folder = fdopendir(descriptor);
    if (!folder) {
        close(descriptor);
        return;
    }
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        if (unlinkat(dirfd(folder), entry->d_name, 0) == 0 || depth > 64) {
            continue;
        }
        fchmodat(dirfd(folder), entry->d_name, 0700, AT_SYMLINK_NOFOLLOW);
        int inner = openat(dirfd(folder), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0) {
            empty_open_folder(inner, depth + 1);
        }
        unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
    }
    closedir(folder);
}

void warden_empty_folder(const char *folder) {
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0 && chmod(folder, 0700) == 0) {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
    if (descriptor >= 0) {
        empty_open_folder(descriptor, 0);
    }
}

enum status warden_clean(struct warden *warden, struct error *error) {
    warden_empty_folder(warden->hello.folder);
    struct stat about;
    bool there = lstat(warden->hello.folder, &about) == 0 && S_ISDIR(about.st_mode);
    if (!there && (mkdir(warden->hello.folder, 0700) != 0 ||
                   (warden->hello.other_user && chown(warden->hello.folder, warden->hello.user, (gid_t)-1) != 0))) {
        return error_machine(error, "%s: %s", warden->hello.folder, strerror(errno));
    }
    return STATUS_OK;
}

static bool path_of(const struct warden *warden, const char *name, char path[PATH_MAX]) {
    int length = snprintf(path, PATH_MAX, "%s/%s", warden->hello.folder, name);
    return length > 0 && length < PATH_MAX;
}

void warden_remove(struct warden *warden, const char *name) {
    char path[PATH_MAX];
    if (path_of(warden, name, path) && unlink(path) != 0 && errno != ENOENT) {
        warden_empty_folder(path);
        rmdir(path);
    }
}

enum status warden_put(struct warden *warden, const char *name, const char *bytes, size_t length, struct error *error) {
    char path[PATH_MAX];
    if (!path_of(warden, name, path)) {
        return error_machine(error, "%s: name too long", name);
    }
    warden_remove(warden, name);
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (descriptor < 0) {
        return error_machine(error, "%s: %s", path, strerror(errno));
    }
    while (length > 0) {
        ssize_t put = write(descriptor, bytes, length);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            int cause = errno;
            close(descriptor);
            return error_machine(error, "%s: %s", path, strerror(cause));
        }
        bytes += put;
        length -= (size_t)put;
    }
    close(descriptor);
    return STATUS_OK;
}

enum warden_file warden_get(struct warden *warden, const char *name, size_t most, struct text *out,
                            struct error *error) {
    char path[PATH_MAX];
    struct stat about;
    int descriptor =
        path_of(warden, name, path) ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
    if (descriptor < 0 && errno == ENOENT) {
        error_at(error, 0, 0, "no %s was written", name);
        return WARDEN_FILE_MISSING;
    }
    enum status status = STATUS_OK;
    if (descriptor < 0 || fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
        status = error_at(error, 0, 0, "%s is not a plain file", name);
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
            status = error_at(error, 0, 0, "%s cannot be read: %s", name, strerror(errno));
        } else if (got > 0) {
            text_add(out, buffer, (size_t)got);
            total += (size_t)got;
        }
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    return status == STATUS_OK ? WARDEN_FILE_READ : WARDEN_FILE_ODD;
}

/* -- requests -- */

static enum status ask(struct warden *warden, enum warden_request_kind kind, const char *const *argv,
                       const struct warden_limits *limits, struct error *error) {
    struct warden_request request = {.kind = kind, .limits = *limits};
    struct text words = TEXT_EMPTY;
    int count = 0;
    for (; argv && argv[count]; count++) {
        text_add(&words, argv[count], strlen(argv[count]) + 1);
    }
    if (count > WARDEN_MOST_ARGUMENTS || words.length > WARDEN_MOST_ARGUMENT_BYTES || words.broken) {
        text_free(&words);
        return error_machine(error, "the command is too long");
    }
    request.argument_bytes = (uint32_t)words.length;
    bool sent =
        warden_send(warden->socket, &request, sizeof request) && warden_send(warden->socket, words.data, words.length);
    text_free(&words);
    return sent ? STATUS_OK : gone(error);
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

enum status warden_run(struct warden *warden, const char *const *argv, const struct warden_limits *limits,
                       struct warden_report *report, struct text *errors, struct error *error) {
    struct warden_reply reply;
    enum status status = ask(warden, WARDEN_REQUEST_RUN, argv, limits, error);
    if (status == STATUS_OK) {
        status = hear(warden, &reply, errors, error);
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
    /* The pipes come with the first byte of a one-byte message. */
    char byte;
    struct iovec part = {&byte, 1};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t got;
    while ((got = recvmsg(warden->socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
    }
    struct cmsghdr *header = got == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (!header || header->cmsg_type != SCM_RIGHTS) {
        return gone(error);
    }
    int pipes[2];
    memcpy(pipes, CMSG_DATA(header), sizeof pipes);
    *to_program = pipes[0];
    *from_program = pipes[1];
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
    if (status == STATUS_OK && report) {
        *report = reply.report;
    }
    return status;
}
