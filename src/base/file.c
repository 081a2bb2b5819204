#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum status file_read(const char *path, size_t most, char **bytes, size_t *length, struct error *error) {
    *bytes = NULL;
    *length = 0;
    bool standard = strcmp(path, "-") == 0;
    int descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return error_at(error, 0, 0, "cannot be read: %s", strerror(errno));
    }
    enum status status = STATUS_OK;
    char *buffer = NULL;
    size_t filled = 0;
    size_t capacity = 0;
    struct stat about;
    if (fstat(descriptor, &about) == 0 && S_ISDIR(about.st_mode)) {
        status = error_at(error, 0, 0, "expected a file, this is a folder");
    }
    while (status == STATUS_OK) {
        if (filled > most) {
            status = error_at(error, 1, 1, "expected a file of at most %zu bytes, this one is larger", most);
            break;
        }
        if (filled + 1 >= capacity) {
            capacity = capacity ? capacity * 2 : 16384;
            char *larger = realloc(buffer, capacity);
            if (!larger) {
                status = error_machine(error, "out of memory");
                break;
            }
            buffer = larger;
        }
        ssize_t got = read(descriptor, buffer + filled, capacity - filled - 1);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            status = error_at(error, 0, 0, "cannot be read: %s", strerror(errno));
        }
        if (got <= 0) {
            break;
        }
        filled += (size_t)got;
    }
    if (!standard) {
        close(descriptor);
    }
    if (status != STATUS_OK || !buffer) {
        free(buffer);
        return status;
    }
    buffer[filled] = '\0';
    *bytes = buffer;
    *length = filled;
    return STATUS_OK;
}

enum status file_out_open(struct file_out *out, const char *path, struct error *error) {
    *out = (struct file_out){0};
    struct stat about;
    if (stat(path, &about) == 0) {
        if (S_ISDIR(about.st_mode)) {
            return error_at(error, 0, 0, "cannot be written: it is a folder");
        }
        if (access(path, W_OK) != 0) {
            return error_at(error, 0, 0, "cannot be written: %s", strerror(errno));
        }
    }
    size_t size = strlen(path) + 16;
    out->target = strdup(path);
    out->temporary = malloc(size);
    if (!out->target || !out->temporary) {
        file_out_abandon(out);
        return error_machine(error, "out of memory");
    }
    snprintf(out->temporary, size, "%s.XXXXXX", path);
    int descriptor = mkstemp(out->temporary);
    if (descriptor < 0) {
        int cause = errno;
        free(out->temporary);
        out->temporary = NULL;
        file_out_abandon(out);
        return error_at(error, 0, 0, "cannot be written: %s", strerror(cause));
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    out->stream = fdopen(descriptor, "w");
    if (!out->stream) {
        close(descriptor);
        file_out_abandon(out);
        return error_machine(error, "out of memory");
    }
    setvbuf(out->stream, NULL, _IOFBF, 1 << 18); /* logs of gigabytes go through here */
    return STATUS_OK;
}

enum status file_out_finish(struct file_out *out, struct error *error) {
    if (!out->stream) {
        return STATUS_OK;
    }
    bool failed = fflush(out->stream) != 0 || ferror(out->stream);
    int cause = errno;
    if (fclose(out->stream) != 0 && !failed) {
        failed = true;
        cause = errno;
    }
    out->stream = NULL;
    return failed ? error_machine(error, "cannot be written: %s", strerror(cause)) : STATUS_OK;
}

enum status file_out_commit(struct file_out *out, struct error *error) {
    enum status status = file_out_finish(out, error);
    if (status == STATUS_OK && rename(out->temporary, out->target) != 0) {
        status = error_machine(error, "cannot be written: %s", strerror(errno));
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
        unlink(out->temporary);
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
    fwrite(bytes, 1, length, out.stream);
    return file_out_commit(&out, error);
}
