/* Whole files in, whole files out. A file is written beside its target and renamed over it, so that a reader
 * sees the old content or the new one and a failure leaves the old one in place. Only regular files are replaced:
 * through a link, the file behind it; devices and pipes are written to as they are. */
#ifndef SORTIE_SYSTEM_FILE_H
#define SORTIE_SYSTEM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* Reads a file of at most `most` bytes ("-" is standard input). On success *bytes is owned by the caller and
 * has a zero byte behind its *length bytes. A folder, an unreadable or too large file is STATUS_BAD_INPUT. */
enum status file_read(const char *path, size_t most, char **bytes, size_t *length, struct error *error);

/* A file being written: fill `stream`, then commit or abandon, exactly one of them. */
struct file_out {
    FILE *stream;
    char *target;    /* owned; NULL for a device or a pipe */
    char *temporary; /* owned; beside the target; NULL likewise */
};

/* STATUS_BAD_INPUT when the target cannot be written (missing folder, no permission, a folder, a disk, a socket, a link
 * that leads nowhere, a pipe that nobody has begun to read within a few seconds). */
enum status file_out_open(struct file_out *out, const char *path, struct error *error);
/* Flushes and closes, so that a full disk shows up before anything is renamed. */
enum status file_out_finish(struct file_out *out, struct error *error);
/* Finishes if need be and renames over the target. */
enum status file_out_commit(struct file_out *out, struct error *error);
void file_out_abandon(struct file_out *out);
/* Removes what was begun and not committed. For a signal handler that ends the process. */
void file_remove_unfinished(void);

/* All of the above for a text in memory. */
enum status file_write(const char *path, const char *bytes, size_t length, struct error *error);

/* Whether a file written here takes the place of what is there. Otherwise the path is a device or a pipe, which gets
 * what is written one behind the other. */
bool file_is_replaced(const char *path);
/* Finds out before long work whether its result can be written, as file_out_open would say it. */
enum status file_check(const char *path, struct error *error);

/* Makes a folder, unless there is one. */
enum status file_make_folder(const char *path, struct error *error);

/* Two ends of a pipe within the process: what is written to the one is read from the other, bytes as they are. */
enum status file_pipe(FILE **reader, FILE **writer, struct error *error);

#endif
