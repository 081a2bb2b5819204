/* Faults on demand, loaded into a program by LD_PRELOAD: the n-th call of a kind fails, or the process that makes it is
 * killed. The calls are counted in a file that all processes of a run map, so that workers and wardens share one count.
 * What a sandbox runs has another environment and sees nothing of this.
 *
 *     SORTIE_FAULT=FILE:KIND:N:ERRNO:WAY
 *
 * FILE holds one count a kind, then the count of system calls of all kinds, then 1 once the fault has struck. KIND is
 * one of the names below, or "any" (of the system's calls). WAY is "count" (nothing fails), "once", "stays" (the n-th
 * and all after it), "half" (a write that takes half, after which the disk is full), "kill", "torn" (half a write,
 * then killed). SORTIE_FAULT_TRACE=1 shows on standard error where the fault struck.
 *
 * The C library's own streams call the system behind our back: fopen and fdopen give streams of ours instead. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum kind {
    WRITE,
    SYNC,
    RENAME,
    OPEN,
    READ,
    UNLINK,
    TRUNCATE,
    FOLDER,
    PIPE,
    SEND,
    MOUNT,
    FORK,
    THREAD,
    MAP,
    MEMORY,
    KINDS
};
static const char *const names[KINDS] = {"write", "sync", "rename", "open", "read",   "unlink", "truncate", "folder",
                                         "pipe",  "send", "mount",  "fork", "thread", "map",    "memory"};
enum way { COUNT, ONCE, STAYS, HALF, KILL, TORN, WAYS };
static const char *const way_names[WAYS] = {"count", "once", "stays", "half", "kill", "torn"};

/* The file all processes share. */
struct shared {
    _Atomic uint64_t counts[KINDS];
    _Atomic uint64_t calls; /* of the system, all kinds */
    _Atomic uint64_t struck;
};

static struct {
    struct shared *shared; /* NULL: nothing is counted (yet) */
    int kind;              /* KINDS: any */
    uint64_t number;
    int cause;
    enum way way;
    bool traces;
} plan;

/* Set while the shim itself works: what the loader or a trace allocates does not count. */
static _Thread_local bool quiet __attribute__((tls_model("initial-exec")));

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end);

/* The next definition of a function, which is the C library's. */
static void *real(const char *name) {
    quiet = true;
    void *found = dlsym(RTLD_NEXT, name);
    quiet = false;
    return found;
}

/* -- striking -- */

static void show_place(void) {
    void *frames[40];
    quiet = true;
    int count = backtrace(frames, 40);
    backtrace_symbols_fd(frames, count, STDERR_FILENO);
    quiet = false;
}

static _Noreturn void die(void) {
    for (;;) {
        syscall(SYS_kill, getpid(), SIGKILL);
        syscall(SYS_exit_group, 137); /* the first process of a namespace cannot kill itself */
    }
}

/* What happens to this call: COUNT for nothing. */
static enum way count_call(enum kind kind) {
    struct shared *shared = plan.shared;
    if (!shared || quiet) {
        return COUNT;
    }
    uint64_t number = atomic_fetch_add(&shared->counts[kind], 1) + 1;
    if (kind != MEMORY) {
        uint64_t calls = atomic_fetch_add(&shared->calls, 1) + 1;
        number = plan.kind == KINDS ? calls : number;
    }
    bool ours = plan.kind == (int)kind || (plan.kind == KINDS && kind != MEMORY);
    bool more = plan.way == STAYS || plan.way == HALF;
    if (plan.way == COUNT || !ours || !(number == plan.number || (more && number > plan.number))) {
        return COUNT;
    }
    atomic_store(&shared->struck, 1);
    if (plan.traces && number == plan.number) {
        show_place();
    }
    if (plan.way == KILL || (plan.way == TORN && kind != WRITE)) {
        die();
    }
    errno = plan.cause;
    return plan.way == HALF && number > plan.number ? STAYS : plan.way;
}

static bool fails(enum kind kind) {
    return count_call(kind) != COUNT;
}

/* -- memory -- */

void *malloc(size_t size) {
    return fails(MEMORY) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails(MEMORY) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    return fails(MEMORY) ? NULL : __libc_realloc(old, size);
}

void *mmap(void *at, size_t length, int protection, int flags, int file, off_t offset) {
    return fails(MAP) ? MAP_FAILED : (void *)syscall(SYS_mmap, at, length, protection, flags, file, offset);
}

void *mmap64(void *at, size_t length, int protection, int flags, int file, off_t offset) {
    return mmap(at, length, protection, flags, file, offset);
}

/* -- bytes of files; pipes and terminals are left alone -- */

static bool is_file(int file) {
    struct stat about;
    int before = errno;
    bool found = plan.shared && fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    errno = before;
    return found;
}

/* at < 0: where the file stands. */
static ssize_t put(int file, const void *bytes, size_t length, off_t at) {
    enum way way = is_file(file) ? count_call(WRITE) : COUNT;
    if (way != COUNT && way != HALF && way != TORN) {
        return -1;
    }
    size_t taken = way == COUNT ? length : length / 2;
    ssize_t done = at < 0 ? syscall(SYS_write, file, bytes, taken) : syscall(SYS_pwrite64, file, bytes, taken, at);
    if (way == TORN) {
        die();
    }
    return done;
}

ssize_t write(int file, const void *bytes, size_t length) {
    return put(file, bytes, length, -1);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) {
    return put(file, bytes, length, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off_t at) {
    return put(file, bytes, length, at);
}

ssize_t read(int file, void *bytes, size_t length) {
    return is_file(file) && fails(READ) ? -1 : syscall(SYS_read, file, bytes, length);
}

ssize_t pread(int file, void *bytes, size_t length, off_t at) {
    return is_file(file) && fails(READ) ? -1 : syscall(SYS_pread64, file, bytes, length, at);
}

ssize_t pread64(int file, void *bytes, size_t length, off_t at) {
    return pread(file, bytes, length, at);
}

int fsync(int file) {
    return fails(SYNC) ? -1 : (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    return fails(SYNC) ? -1 : (int)syscall(SYS_fdatasync, file);
}

int ftruncate(int file, off_t length) {
    return fails(TRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, file, length);
}

int ftruncate64(int file, off_t length) {
    return ftruncate(file, length);
}

/* -- names -- */

static int open_at(int folder, const char *path, int flags, unsigned mode) {
    return fails(OPEN) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

/* Both read a mode that is there only when a file is made. */
int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    return open_at(folder, path, flags, mode);
}

int mkostemp(char *path, int flags) {
    int (*next)(char *, int) = real("mkostemp");
    return fails(OPEN) ? -1 : next(path, flags);
}

DIR *opendir(const char *path) {
    DIR *(*next)(const char *) = real("opendir");
    return fails(OPEN) ? NULL : next(path);
}

DIR *fdopendir(int file) {
    DIR *(*next)(int) = real("fdopendir");
    return fails(MEMORY) ? NULL : next(file);
}

int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **)) {
    int (*next)(const char *, struct dirent ***, int (*)(const struct dirent *),
                int (*)(const struct dirent **, const struct dirent **)) = real("scandir");
    return fails(OPEN) ? -1 : next(path, list, filter, compare);
}

int scandirat(int folder, const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
              int (*compare)(const struct dirent **, const struct dirent **)) {
    int (*next)(int, const char *, struct dirent ***, int (*)(const struct dirent *),
                int (*)(const struct dirent **, const struct dirent **)) = real("scandirat");
    return fails(OPEN) ? -1 : next(folder, path, list, filter, compare);
}

int rename(const char *from, const char *to) {
    return fails(RENAME) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    return fails(RENAME) ? -1 : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    return fails(RENAME) ? -1 : (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int unlink(const char *path) {
    return fails(UNLINK) ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int unlinkat(int folder, const char *path, int flags) {
    return fails(UNLINK) ? -1 : (int)syscall(SYS_unlinkat, folder, path, flags);
}

int mkdir(const char *path, mode_t mode) {
    return fails(FOLDER) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int mkdirat(int folder, const char *path, mode_t mode) {
    return fails(FOLDER) ? -1 : (int)syscall(SYS_mkdirat, folder, path, mode);
}

int mount(const char *from, const char *to, const char *type, unsigned long flags, const void *data) {
    return fails(MOUNT) ? -1 : (int)syscall(SYS_mount, from, to, type, flags, data);
}

int unshare(int flags) {
    return fails(MOUNT) ? -1 : (int)syscall(SYS_unshare, flags);
}

/* -- processes and what they say to each other -- */

pid_t fork(void) {
    pid_t (*next)(void) = real("fork");
    return fails(FORK) ? -1 : next();
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *user) {
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = real("pthread_create");
    return fails(THREAD) ? EAGAIN : next(thread, attributes, start, user);
}

int pipe2(int ends[2], int flags) {
    return fails(PIPE) ? -1 : (int)syscall(SYS_pipe2, ends, flags);
}

int pipe(int ends[2]) {
    return pipe2(ends, 0);
}

int socketpair(int domain, int type, int protocol, int ends[2]) {
    return fails(PIPE) ? -1 : (int)syscall(SYS_socketpair, domain, type, protocol, ends);
}

ssize_t send(int socket, const void *bytes, size_t length, int flags) {
    return fails(SEND) ? -1 : syscall(SYS_sendto, socket, bytes, length, flags, NULL, 0);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
    return fails(SEND) ? -1 : syscall(SYS_sendmsg, socket, message, flags);
}

/* -- streams -- */

#define MOST_STREAMS 64

/* A stream's file, for fileno. */
static struct stream {
    _Atomic(FILE *) stream;
    int file;
} streams[MOST_STREAMS];

static ssize_t stream_read(void *cookie, char *bytes, size_t length) {
    return read(((struct stream *)cookie)->file, bytes, length);
}

static ssize_t stream_write(void *cookie, const char *bytes, size_t length) {
    size_t done = 0;
    while (done < length) {
        ssize_t put_now = write(((struct stream *)cookie)->file, bytes + done, length - done);
        if (put_now <= 0) {
            break;
        }
        done += (size_t)put_now;
    }
    return (ssize_t)done;
}

static int stream_seek(void *cookie, off64_t *at, int from) {
    off_t found = lseek(((struct stream *)cookie)->file, *at, from);
    *at = found;
    return found < 0 ? -1 : 0;
}

static int stream_close(void *cookie) {
    struct stream *stream = cookie;
    atomic_store(&stream->stream, NULL);
    return close(stream->file);
}

FILE *fdopen(int file, const char *mode) {
    static const cookie_io_functions_t functions = {stream_read, stream_write, stream_seek, stream_close};
    FILE *(*next)(int, const char *) = real("fdopen");
    static FILE taken; /* marks a place before its stream is there */
    for (int i = 0; plan.shared && i < MOST_STREAMS; i++) {
        FILE *none = NULL;
        if (atomic_compare_exchange_strong(&streams[i].stream, &none, &taken)) {
            streams[i].file = file;
            FILE *made = fopencookie(&streams[i], mode, functions);
            atomic_store(&streams[i].stream, made);
            return made;
        }
    }
    return next(file, mode);
}

FILE *fopen(const char *path, const char *mode) {
    int flags = (strchr(mode, '+') ? O_RDWR
                 : mode[0] == 'r'  ? O_RDONLY
                                   : O_WRONLY) |
                (mode[0] == 'w'   ? O_CREAT | O_TRUNC
                 : mode[0] == 'a' ? O_CREAT | O_APPEND
                                  : 0) |
                (strchr(mode, 'e') ? O_CLOEXEC : 0);
    int file = open_at(AT_FDCWD, path, flags, 0666);
    FILE *made = file >= 0 ? fdopen(file, mode) : NULL;
    if (file >= 0 && !made) {
        int cause = errno;
        close(file);
        errno = cause;
    }
    return made;
}

int fileno(FILE *stream) {
    for (int i = 0; i < MOST_STREAMS; i++) {
        if (atomic_load(&streams[i].stream) == stream) {
            return streams[i].file;
        }
    }
    int (*next)(FILE *) = real("fileno");
    return next(stream);
}

/* -- beginning -- */

static int find(const char *name, const char *const *list, int count) {
    for (int i = 0; i < count; i++) {
        if (strcmp(list[i], name) == 0) {
            return i;
        }
    }
    return count;
}

/* Reads the environment and maps the counts. */
static void take_plan(void) {
    char path[256];
    char kind[16];
    char way[16];
    unsigned long long number;
    const char *text = getenv("SORTIE_FAULT");
    if (!text || sscanf(text, "%255[^:]:%15[^:]:%llu:%d:%15s", path, kind, &number, &plan.cause, way) != 5) {
        return;
    }
    plan.kind = find(kind, names, KINDS);
    plan.way = (enum way)find(way, way_names, WAYS);
    plan.number = number;
    plan.traces = getenv("SORTIE_FAULT_TRACE") != NULL;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    void *bytes =
        file >= 0 ? (void *)syscall(SYS_mmap, NULL, sizeof *plan.shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                  : MAP_FAILED;
    if (plan.way == WAYS || bytes == MAP_FAILED || (plan.kind == KINDS && strcmp(kind, "any") != 0)) {
        fprintf(stderr, "SORTIE_FAULT makes no sense: %s\n", text);
        _exit(99);
    }
    if (plan.traces) {
        void *frame;
        backtrace(&frame, 1); /* loads what it needs now */
    }
    close(file);
    plan.shared = bytes;
}

static int (*real_main)(int argc, char **argv, char **environment);

/* Counting begins with the program itself, not with the constructors of libraries. */
static int main_with_faults(int argc, char **argv, char **environment) {
    take_plan();
    return real_main(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
    int (*next)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
        real("__libc_start_main");
    real_main = main;
    return next(main_with_faults, argc, argv, init, fini, rtld_fini, stack_end);
}
