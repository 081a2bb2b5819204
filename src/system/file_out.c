/* The end of every file that is written, on all systems: flushed, closed, put in place or taken away. */
#include "system/file_out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum status file_out_finish(struct file_out *out, struct error *error) {
    if (!out->stream) {
        return STATUS_OK;
    }
    errno = 0;
    bool failed = fflush(out->stream) != 0 || ferror(out->stream);
    int cause = errno;
    if (fclose(out->stream) != 0 && !failed) {
        failed = true;
        cause = errno;
    }
    out->stream = NULL;
    if (failed && cause == 0) {
        return error_machine(error, "cannot be written"); /* it failed before, and nobody kept the reason */
    }
    return failed ? error_machine(error, "cannot be written: %s", strerror(cause)) : STATUS_OK;
}

enum status file_out_commit(struct file_out *out, struct error *error) {
    enum status status = file_out_finish(out, error);
    if (status == STATUS_OK && out->temporary) {
        status = file_put_in_place(out, error);
    }
    if (status == STATUS_OK) {
        free(out->temporary);
        out->temporary = NULL;
    }
    file_out_abandon(out);
    return status;
}

void file_out_abandon(struct file_out *out) {
    if (out->stream) {
        fclose(out->stream);
    }
    if (out->temporary) {
        file_take_away(out->temporary);
    }
    free(out->temporary);
    free(out->target);
    *out = (struct file_out){0};
}

enum status file_write(const char *path, const char *bytes, size_t length, struct error *error) {
    struct file_out out;
    enum status status = file_out_open(&out, path, error);
    if (status != STATUS_OK) {
        return status;
    }
    if (fwrite(bytes, 1, length, out.stream) != length) {
        status = error_machine(error, "cannot be written: %s", strerror(errno));
        file_out_abandon(&out);
        return status;
    }
    return file_out_commit(&out, error);
}
