#include "system/file_out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/number.h"
#include "system/host.h"

/* How often, every 10 ms, a pipe is tried before nobody is taken to read it. */
#define PIPE_TURNS 300

/* Files begun and not yet renamed, so that a process that ends in a hurry can take them with it. A signal handler reads
 * this: a slot is filled only by one exchange, and the path in it stays valid until the slot is empty again. */
#define MOST_PENDING 16
static _Atomic(const char *) pending[MOST_PENDING];

static void pending_add(const char *path) {
    for (int i = 0; i < MOST_PENDING; i++) {
        const char *none = NULL;
        if (atomic_compare_exchange_strong(&pending[i], &none, path)) {
            return;
        }
    }
}

static void pending_remove(const char *path) {
    for (int i = 0; i < MOST_PENDING; i++) {
        const char *same = path;
        atomic_compare_exchange_strong(&pending[i], &same, NULL);
    }
}

void file_remove_unfinished(void) {
    for (int i = 0; i < MOST_PENDING; i++) {
        const char *path = atomic_exchange(&pending[i], NULL);
        if (path) {
            unlink(path);
        }
    }
}

static enum status refuse(struct error *error, const char *why) {
    return error_at(error, 0, 0, "cannot be written: %s", why);
}

/* Likewise, of a call of the system. */
static enum status refuse_for(struct error *error, int cause) {
    return error_system(error, cause, "cannot be written: %s", strerror(cause));
}

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The descriptor a path stands for: /dev/stdout and /dev/fd/N by name, and whatever standard output or standard error
 * lead to. It is written as it stands, since replacing the file would send what follows into a file without a name. */
static int descriptor_of(const char *path, const struct stat *about) {
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t length = strlen(folders[i]);
        char *end;
        if (strncmp(path, folders[i], length) == 0 && number_is_digit(path[length])) {
            long number = strtol(path + length, &end, 10);
            return *end == '\0' && number <= INT_MAX ? (int)number : -1;
        }
    }
    for (int standard = STDOUT_FILENO; standard <= STDERR_FILENO; standard++) {
        struct stat own;
        if (fstat(standard, &own) == 0 && same_file(&own, about)) {
            return standard;
        }
    }
    return -1;
}

/* A pipe is opened once somebody reads it; who waits for nobody is told so. */
static int open_pipe(const char *path) {
    struct timespec moment = {.tv_nsec = 10000000};
    int descriptor = -1;
    for (int turn = 0; turn < PIPE_TURNS; turn++) {
        descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        if (descriptor >= 0 || errno != ENXIO) {
            break;
        }
        nanosleep(&moment, NULL);
    }
    if (descriptor >= 0) {
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    }
    return descriptor;
}

/* What is no regular file is never replaced: a device or a pipe is written to, anything else is refused. */
static enum status open_special(struct file_out *out, const char *path, const struct stat *about, struct error *error) {
    int descriptor = descriptor_of(path, about);
    if (descriptor >= 0) {
        fflush(descriptor == STDOUT_FILENO ? stdout : stderr); /* what was printed before comes before */
        descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    } else if (S_ISCHR(about->st_mode)) {
        descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    } else if (S_ISFIFO(about->st_mode)) {
        descriptor = open_pipe(path);
    } else {
        return refuse(error, S_ISDIR(about->st_mode)   ? "it is a folder"
                             : S_ISBLK(about->st_mode) ? "it is a disk"
                                                       : "it is neither a file, a device nor a pipe");
    }
    if (descriptor < 0) {
        return errno == ENXIO && S_ISFIFO(about->st_mode) ? refuse(error, "nobody reads this pipe")
                                                          : refuse_for(error, errno);
    }
    out->stream = fdopen(descriptor, "w");
    if (!out->stream) {
        close(descriptor);
        return error_machine(error, "out of memory");
    }
    return STATUS_OK;
}

/* Whose the file is, and what it allows, as those of the one it will replace. */
static void set_attributes(int descriptor, const struct stat *old) {
    mode_t mask = umask(0);
    umask(mask);
    mode_t mode = 0666 & ~mask;
    if (old) {
        mode = old->st_mode & 0777;
        if ((old->st_uid != geteuid() || old->st_gid != getegid()) &&
            fchown(descriptor, old->st_uid, old->st_gid) != 0) {
            mode &= 0755; /* somebody else's group may read this one, and need not write it */
        }
    }
    fchmod(descriptor, mode);
}

/* Opens a new file in the target's folder. Its name does not depend on the target's, which may be as long as a name
 * can be. */
static enum status open_beside(struct file_out *out, const struct stat *old, struct error *error) {
    static const char name[] = ".sortie-XXXXXX";
    const char *slash = strrchr(out->target, '/');
    size_t folder = slash ? (size_t)(slash + 1 - out->target) : 0;
    out->temporary = malloc(folder + sizeof name);
    if (!out->temporary) {
        return error_machine(error, "out of memory");
    }
    memcpy(out->temporary, out->target, folder);
    memcpy(out->temporary + folder, name, sizeof name);
    int descriptor = host_make_file(out->temporary);
    if (descriptor < 0) {
        int cause = errno;
        free(out->temporary);
        out->temporary = NULL;
        bool wrong_place = cause == EACCES || cause == EPERM || cause == EROFS || cause == ENOENT || cause == ENOTDIR ||
                           cause == ENAMETOOLONG || cause == ELOOP;
        return wrong_place ? refuse(error, strerror(cause))
                           : error_machine(error, "cannot be written: %s", strerror(cause));
    }
    pending_add(out->temporary);
    set_attributes(descriptor, old);
    out->stream = fdopen(descriptor, "w");
    if (!out->stream) {
        close(descriptor);
        return error_machine(error, "out of memory");
    }
    return STATUS_OK;
}

/* Finds the regular file behind a path that may be a link. The system is asked to open it first, since it knows which
 * links must not be followed (those that others left in a folder everybody may write to). */
static enum status find_target(struct file_out *out, const char *path, struct stat *about, struct error *error) {
    int descriptor = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) {
        return refuse_for(error, errno);
    }
    struct stat named;
    bool known = fstat(descriptor, about) == 0;
    close(descriptor);
    out->target = realpath(path, NULL);
    if (!out->target && errno == ENOMEM) {
        return error_machine(error, "out of memory");
    }
    if (!known || !out->target || stat(out->target, &named) != 0 || !same_file(about, &named)) {
        return refuse(error, "its name leads somewhere else every time");
    }
    return STATUS_OK;
}

/* A link somebody else made, met by root: it may lead to any file of the system. */
static bool is_foreign_link(const char *path) {
    struct stat about;
    return geteuid() == 0 && lstat(path, &about) == 0 && S_ISLNK(about.st_mode) && about.st_uid != 0;
}

static enum status open_out(struct file_out *out, const char *path, struct error *error) {
    struct stat about;
    if (is_foreign_link(path)) {
        return refuse(error, "it is a link that another user made, and this is root");
    }
    if (stat(path, &about) != 0) {
        if (errno != ENOENT || lstat(path, &about) == 0) {
            return errno == ENOENT ? refuse(error, "it is a link that leads nowhere") : refuse_for(error, errno);
        }
        out->target = strdup(path);
        return out->target ? open_beside(out, NULL, error) : error_machine(error, "out of memory");
    }
    if (!S_ISREG(about.st_mode) || descriptor_of(path, &about) >= 0) {
        return open_special(out, path, &about, error);
    }
    enum status status = find_target(out, path, &about, error);
    return status == STATUS_OK ? open_beside(out, &about, error) : status;
}

enum status file_out_open(struct file_out *out, const char *path, struct error *error) {
    ASSERT(path);
    *out = (struct file_out){0};
    enum status status = open_out(out, path, error);
    if (status != STATUS_OK) {
        file_out_abandon(out);
        return status;
    }
    setvbuf(out->stream, NULL, _IOFBF, 1 << 18); /* logs of gigabytes go through here */
    return STATUS_OK;
}

enum status file_put_in_place(const struct file_out *out, struct error *error) {
    if (rename(out->temporary, out->target) != 0) {
        return error_machine(error, "cannot be written: %s", strerror(errno));
    }
    pending_remove(out->temporary);
    return STATUS_OK;
}

void file_take_away(const char *temporary) {
    unlink(temporary);
    pending_remove(temporary);
}

bool file_is_replaced(const char *path) {
    struct stat about;
    return stat(path, &about) != 0 || (S_ISREG(about.st_mode) && descriptor_of(path, &about) < 0);
}

enum status file_check(const char *path, struct error *error) {
    struct stat about;
    if (stat(path, &about) == 0 && (S_ISCHR(about.st_mode) || S_ISFIFO(about.st_mode))) {
        return STATUS_OK; /* opening a pipe and closing it again would tell its reader that all is over */
    }
    struct file_out out;
    enum status status = file_out_open(&out, path, error);
    if (status == STATUS_OK) {
        file_out_abandon(&out);
    }
    return status;
}

enum status file_make_folder(const char *path, struct error *error) {
    struct stat about;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode))) {
        return STATUS_OK;
    }
    return error_system(error, errno, "cannot be made a folder: %s", strerror(errno));
}

enum status file_pipe(FILE **reader, FILE **writer, struct error *error) {
    int ends[2];
    if (pipe(ends) != 0) {
        return error_machine(error, "no pipe to be had: %s", strerror(errno));
    }
    *reader = fdopen(ends[0], "r");
    *writer = fdopen(ends[1], "w");
    if (!*reader || !*writer) {
        return error_machine(error, "out of memory");
    }
    return STATUS_OK;
}
