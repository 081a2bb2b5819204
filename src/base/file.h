/* Whole files in, whole files out. A file is written beside its target and renamed over it, so that a reader
 * sees the old content or the new one and a failure leaves the old one in place. */
#ifndef SORTIE_BASE_FILE_H
#define SORTIE_BASE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* Reads a file of at most `most` bytes ("-" is standard input). On success *bytes is owned by the caller and
 * has a zero byte behind its *length bytes. A folder, an unreadable or too large file is STATUS_BAD_INPUT. */
enum status file_read(const char *path, size_t most, char **bytes, size_t *length, struct error *error);

/* A file being written: fill `stream`, then commit or abandon, exactly one of them. */
struct file_out {
    FILE *stream;
    char *target;    /* owned */
    char *temporary; /* owned; beside the target */
};

/* STATUS_BAD_INPUT when the target cannot be written (missing folder, no permission, is a folder). */
enum status file_out_open(struct file_out *out, const char *path, struct error *error);
/* Flushes and closes, so that a full disk shows up before anything is renamed. */
enum status file_out_finish(struct file_out *out, struct error *error);
/* Finishes if need be and renames over the target. */
enum status file_out_commit(struct file_out *out, struct error *error);
void file_out_abandon(struct file_out *out);

/* All of the above for a text in memory. */
enum status file_write(const char *path, const char *bytes, size_t length, struct error *error);

#endif
