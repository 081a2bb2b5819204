/* Whole files in: apart from writing them, which libsortie has no part of. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"
#include "system/file.h"

enum status file_read(const char *path, size_t most, char **bytes, size_t *length, struct error *error) {
    ASSERT(path && bytes && length);
    *bytes = NULL;
    *length = 0;
    bool standard = strcmp(path, "-") == 0;
    int descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return error_system(error, errno, "cannot be read: %s", strerror(errno));
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
            status = error_system(error, errno, "cannot be read: %s", strerror(errno));
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
