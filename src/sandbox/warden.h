/* A warden runs other people's programs and answers for what they do.
 *
 * It is a small process of its own, forked before anything else is allocated or any thread is started. It has a mount
 * namespace of its own with a world in it: a file system in memory, limited in size, that nobody outside sees and that
 * disappears with the warden, whatever modes and depth its folders have. Every program runs under bubblewrap, with
 * processes, mounts, network, users and IPC of its own. It sees
 *
 *   /usr, /lib, ...    the system, read-only; a few files of /etc; a /proc with its own processes only
 *   what is shown      files and folders of the caller's choice, read-only (warden_show)
 *   /scratch           its current folder, empty unless something was put there (warden_put)
 *   /tmp, /dev/shm     of the same world: all three together stay below limits.disk_bytes
 *   what is shared     one folder of the machine that it may write (warden_share), for programs that meet there
 *   /build             a folder that outlives the cleaning of the world (warden_show says whether, and how)
 *
 * and nothing else. The limits hold for all its processes together. When a run ends, nothing of it is left; when the
 * process that asked dies, the warden sees its socket close, ends the program and goes too.
 *
 * As root, programs have a user number of their own outside the sandbox too, which owns nothing.
 *
 * Where there is no sandbox (warden_secure) a caller may choose to go without: then a program has its own session,
 * limits and a folder, and sees and does what its user may; docs/trust.md has the difference. */
#ifndef SORTIE_SANDBOX_WARDEN_H
#define SORTIE_SANDBOX_WARDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

struct warden;

struct warden_limits {
    double wall_seconds;   /* then it is ended; 0: no limit */
    double cpu_seconds;    /* user CPU of all processes together; 0: no limit. System time has a wider one: below */
    double idle_seconds;   /* without using a processor or waiting for one that others have; 0: no limit */
    uint64_t memory_bytes; /* of all processes together, shared memory included */
    uint64_t disk_bytes;   /* of all files of the world together; 0: as in warden_usual_limits */
    uint64_t file_bytes;   /* of one file */
    uint64_t output_bytes; /* standard output and error together */
    int processes;
    int open_files;
};

/* What calls of the system may take where user CPU is limited: so many times that, and so much more. Courses that count
 * user seconds do not count it, but a run must end. */
#define WARDEN_SYSTEM_TIMES 10
#define WARDEN_SYSTEM_MORE 10

/* 2 GiB of memory, 256 MiB of files, 64 MiB a file, 8 MiB of babble, 64 processes, 256 open files, no time limit. */
extern const struct warden_limits warden_usual_limits;

enum warden_end {
    WARDEN_EXITED,      /* code: the exit status */
    WARDEN_SIGNALLED,   /* code: the signal */
    WARDEN_TIMEOUT,     /* the report's `late` says by which clock */
    WARDEN_FLOODED,     /* more output than allowed, or a file too large */
    WARDEN_FORKED,      /* more processes than allowed */
    WARDEN_MEMORY,      /* more memory than allowed */
    WARDEN_NOT_STARTED, /* code: errno */
    WARDEN_KILLED       /* by warden_close */
};

/* Which limit a run that is out of time came to. */
enum warden_late { WARDEN_LATE_WALL, WARDEN_LATE_CPU, WARDEN_LATE_SYSTEM, WARDEN_LATE_IDLE };

struct warden_report {
    enum warden_end end;
    int code;
    enum warden_late late;
    double wall_seconds;
    double user_seconds; /* all processes of the run together */
    double system_seconds;
    double starved_seconds; /* in which it was ready and others had the processor, as far as it was seen */
    uint64_t peak_bytes;    /* memory of all processes together, as far as it was seen */
};

/* How much of standard error is kept. */
#define WARDEN_MOST_ERROR 16384

/* Finds out, once for the process and all it forks, whether programs can be locked in here. Where they cannot:
 * STATUS_FAIL with the reason, or, when `unsafe`, STATUS_OK, and wardens run programs without a sandbox. *warning (may
 * be NULL) then gets a line that the caller must show. Whoever calls warden_start without this gets a sandbox or a
 * failure. */
enum status warden_secure(bool unsafe, struct text *warning, struct error *error);

/* Says, before warden_secure, that another way will do where namespaces are missing and this process is root: programs
 * then run as a user of their own, who may read the system and what is shown and write a folder of his own, under the
 * same filters of calls and without network. docs/trust.md has what that promises. */
void warden_accept_user(void);
/* Whether that is how programs run here. */
bool warden_is_user(void);
/* Whether the programs' user could read a file or enter a folder, or write there. */
bool warden_user_reads(const char *path);
bool warden_user_writes(const char *path);

/* How the limit on the memory of programs is kept here, in a few words; NULL as long as nothing has asked for wardens.
 */
const char *warden_memory_words(void);

/* Forks a warden; the caller must have only one thread. */
enum status warden_start(struct warden **warden, struct error *error);
void warden_stop(struct warden *warden);
/* The number of its process. */
int warden_process(const struct warden *warden);
/* Makes a call under way in another thread, and all later ones, fail at once; the program ends. Stop it after that. */
void warden_abandon(struct warden *warden);

/* What a program sees besides the system and its scratch folder. Plain data; the strings are the caller's. */
#define WARDEN_MOST_SHOWN 64
enum warden_build {
    WARDEN_NO_BUILD,
    WARDEN_BUILD_NEW,   /* an empty /build that the program may fill, in place of any before */
    WARDEN_BUILD_WRITE, /* the /build there is, for another step that fills it */
    WARDEN_BUILD_READ   /* the /build there is, read-only */
};
struct warden_view {
    struct {
        const char *from; /* a file or folder here; links on the way are followed */
        const char *at;   /* its absolute path for the program; NULL: the same */
    } shown[WARDEN_MOST_SHOWN];
    int count;
    enum warden_build build;
    bool keep_output; /* standard output goes where standard error goes, as the messages of a compiler should */
};
/* For all runs from now on; NULL: nothing. STATUS_BAD_INPUT when something cannot be shown. */
enum status warden_show(struct warden *warden, const struct warden_view *view, struct error *error);
/* Adds a file or folder; false when it is full. */
bool warden_view_add(struct warden_view *view, const char *from, const char *at);

/* Once for a warden: a folder of this machine, by its real path, that programs may write. They see it at that path and
 * start in it, not in the scratch folder. Several wardens may share one: as root, programs are `user` from now on, who
 * must own it. Cleans the world. */
enum status warden_share(struct warden *warden, const char *folder, uint32_t user, struct error *error);
/* A user number for programs that nobody else has while this process lives. */
uint32_t warden_new_user(void);

/* Whether every program sees this path anyway, as part of the system. */
bool warden_is_system(const char *path);

/* The scratch folder as the program sees it, and as this process does: a path through a descriptor, good until the next
 * warden_clean. Nothing in it may be trusted: no link may be followed, nothing be opened that may block. */
const char *warden_folder(const struct warden *warden);
const char *warden_path(const struct warden *warden);
/* /build as the program sees it, by its real path: where there is no sandbox every warden has another. */
const char *warden_build(const struct warden *warden);
/* Throws the whole world but /build away and makes a new, empty one. */
enum status warden_clean(struct warden *warden, struct error *error);
/* Puts a new file into the folder; whatever had the name before is removed, a link is never followed. What fails here
 * is the program's doing: it has filled its world. */
enum status warden_put(struct warden *warden, const char *name, const char *bytes, size_t length, struct error *error);
/* Likewise with a copy of a file of this machine; STATUS_BAD_INPUT when that cannot be read. */
enum status warden_put_copy(struct warden *warden, const char *name, const char *path, struct error *error);
void warden_remove(struct warden *warden, const char *name);
enum warden_file {
    WARDEN_FILE_READ,
    WARDEN_FILE_MISSING,
    WARDEN_FILE_ODD,   /* not a plain file, longer than allowed, unreadable */
    WARDEN_FILE_FAILED /* the machine failed: no memory, no descriptors; nothing is known of the file */
};
/* Reads a plain file of at most `most` bytes from the folder; when that fails *error has the text. */
enum warden_file warden_get(struct warden *warden, const char *name, size_t most, struct text *out,
                            struct error *error);

/* Runs a program to its end. Its standard error is appended to *errors (may be NULL). Only a failure of the
 * warden itself is an error; whatever the program does is in the report. */
enum status warden_run(struct warden *warden, const char *const *argv, const struct warden_limits *limits,
                       struct warden_report *report, struct text *errors, struct error *error);

/* Starts a program that stays: what is written to *to_program arrives at its standard input, *from_program
 * gives its standard output. Neither blocks, whatever the program does to its ends. The caller closes both, then calls
 * warden_close. One at a time for a warden. */
enum status warden_open(struct warden *warden, const char *const *argv, const struct warden_limits *limits,
                        int *to_program, int *from_program, struct error *error);
/* CPU seconds of the program started by warden_open and all it started so far; 0 when it is gone. */
double warden_cpu(struct warden *warden);
/* Gives it `grace_seconds` to end by itself, then ends it. */
enum status warden_close(struct warden *warden, double grace_seconds, struct warden_report *report, struct text *errors,
                         struct error *error);

#endif
