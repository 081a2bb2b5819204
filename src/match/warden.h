/* A warden runs other people's programs and answers for what they do.
 *
 * It is a small process of its own, forked before anything else is allocated or any thread is started. Every
 * program it runs gets its own session, a scratch folder as its current folder, limits on CPU, memory, file
 * size, open files and processes, and pipes that are read only up to a limit. The warden is the reaper of
 * all descendants, so that a program that forks, detaches itself and forks again is still found: when a run
 * ends, nothing of it is left. When the process that asked dies, the warden sees its socket close, ends the
 * program, removes the folder and goes too.
 *
 * As root, a program runs under a user number of its own that may read everything and write only its folder:
 * the kernel counts processes per user and exempts root, and all processes of a user can be killed at once. */
#ifndef SORTIE_MATCH_WARDEN_H
#define SORTIE_MATCH_WARDEN_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

struct warden;

struct warden_limits {
    double wall_seconds;   /* then it is ended; 0: no limit */
    double cpu_seconds;    /* user and system, per process, rounded up to whole seconds; 0: no limit */
    uint64_t memory_bytes; /* writable memory of each process; eight times as much address space */
    uint64_t file_bytes;   /* of one file */
    uint64_t output_bytes; /* standard output and error together */
    int processes;
    int open_files;
};

/* 2 GiB of memory, 64 MiB a file, 8 MiB of babble, 64 processes, 256 open files, no time limit. */
extern const struct warden_limits warden_usual_limits;

enum warden_end {
    WARDEN_EXITED,      /* code: the exit status */
    WARDEN_SIGNALLED,   /* code: the signal */
    WARDEN_TIMEOUT,     /* wall or CPU */
    WARDEN_FLOODED,     /* more output than allowed, or a file too large */
    WARDEN_FORKED,      /* more processes than allowed */
    WARDEN_NOT_STARTED, /* code: errno */
    WARDEN_KILLED       /* by warden_close */
};

struct warden_report {
    enum warden_end end;
    int code;
    double wall_seconds;
    double user_seconds; /* all processes of the run together */
    double system_seconds;
    uint64_t peak_bytes; /* of the largest process */
};

/* How much of standard error is kept. */
#define WARDEN_MOST_ERROR 16384

/* Forks a warden; the caller must have only one thread. */
enum status warden_start(struct warden **warden, struct error *error);
void warden_stop(struct warden *warden);

/* Its scratch folder, where programs run. */
const char *warden_folder(const struct warden *warden);
/* Empties the folder, and afterwards the programs' user owns it as before. */
enum status warden_clean(struct warden *warden, struct error *error);
/* Puts a new file into the folder; whatever had the name before is removed, a link is never followed. */
enum status warden_put(struct warden *warden, const char *name, const char *bytes, size_t length, struct error *error);
void warden_remove(struct warden *warden, const char *name);
enum warden_file {
    WARDEN_FILE_READ,
    WARDEN_FILE_MISSING,
    WARDEN_FILE_ODD /* not a plain file, longer than allowed, unreadable */
};
/* Reads a plain file of at most `most` bytes from the folder; when that fails *error has the text. */
enum warden_file warden_get(struct warden *warden, const char *name, size_t most, struct text *out,
                            struct error *error);

/* Runs a program to its end. Its standard error is appended to *errors (may be NULL). Only a failure of the
 * warden itself is an error; whatever the program does is in the report. */
enum status warden_run(struct warden *warden, const char *const *argv, const struct warden_limits *limits,
                       struct warden_report *report, struct text *errors, struct error *error);

/* Starts a program that stays: what is written to *to_program arrives at its standard input, *from_program
 * gives its standard output. The caller closes both, then calls warden_close. One at a time for a warden. */
enum status warden_open(struct warden *warden, const char *const *argv, const struct warden_limits *limits,
                        int *to_program, int *from_program, struct error *error);
/* CPU seconds of the program started by warden_open so far; 0 when it is gone. */
double warden_cpu(struct warden *warden);
/* Gives it `grace_seconds` to end by itself, then ends it. */
enum status warden_close(struct warden *warden, double grace_seconds, struct warden_report *report, struct text *errors,
                         struct error *error);

#endif
