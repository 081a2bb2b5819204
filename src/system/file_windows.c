/* The files of system/file.h on Windows: plain streams, and a rename that replaces what is there. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include "system/file_out.h"

#define PIECE ((size_t)1 << 16)

static bool is_folder(const char *path) {
    DWORD about = GetFileAttributesA(path);
    return about != INVALID_FILE_ATTRIBUTES && (about & FILE_ATTRIBUTE_DIRECTORY);
}

/* Reads a stream to its end, `most` bytes at most. */
static enum status read_all(FILE *stream, size_t most, char **bytes, size_t *length, struct error *error) {
    size_t capacity = PIECE;
    char *data = malloc(capacity + 1);
    *length = 0;
    while (data) {
        *length += fread(data + *length, 1, capacity - *length, stream);
        if (*length < capacity) {
            break;
        }
        if (*length > most) {
            free(data);
            return error_at(error, 0, 0, "expected a file of at most %zu bytes", most);
        }
        char *more = realloc(data, 2 * capacity + 1);
        if (!more) {
            free(data);
        }
        data = more;
        capacity *= 2;
    }
    if (!data) {
        return error_machine(error, "out of memory");
    }
    if (ferror(stream) || *length > most) {
        free(data);
        return error_at(error, 0, 0, *length > most ? "expected a smaller file" : "cannot be read");
    }
    data[*length] = '\0';
    *bytes = data;
    return STATUS_OK;
}

enum status file_read(const char *path, size_t most, char **bytes, size_t *length, struct error *error) {
    bool standard = strcmp(path, "-") == 0;
    if (!standard && is_folder(path)) {
        return error_at(error, 0, 0, "cannot be read: is a folder");
    }
    FILE *stream = standard ? stdin : fopen(path, "rb");
    if (!stream) {
        return error_at(error, 0, 0, "cannot be read: %s", strerror(errno));
    }
    enum status status = read_all(stream, most, bytes, length, error);
    if (!standard) {
        fclose(stream);
    }
    return status;
}

enum status file_out_open(struct file_out *out, const char *path, struct error *error) {
    size_t length = strlen(path);
    *out = (struct file_out){0};
    if (is_folder(path)) {
        return error_at(error, 0, 0, "cannot be written: is a folder");
    }
    out->target = malloc(length + 1);
    out->temporary = malloc(length + 32);
    if (!out->target || !out->temporary) {
        file_out_abandon(out);
        return error_machine(error, "out of memory");
    }
    memcpy(out->target, path, length + 1);
    snprintf(out->temporary, length + 32, "%s.%lu.tmp", path, (unsigned long)GetCurrentProcessId());
    out->stream = fopen(out->temporary, "wb");
    if (!out->stream) {
        enum status status = error_at(error, 0, 0, "cannot be written: %s", strerror(errno));
        free(out->temporary);
        out->temporary = NULL;
        file_out_abandon(out);
        return status;
    }
    return STATUS_OK;
}

enum status file_put_in_place(const struct file_out *out, struct error *error) {
    return MoveFileExA(out->temporary, out->target, MOVEFILE_REPLACE_EXISTING)
               ? STATUS_OK
               : error_machine(error, "cannot be written: error %lu", (unsigned long)GetLastError());
}

void file_take_away(const char *temporary) {
    DeleteFileA(temporary);
}

void file_remove_unfinished(void) {
}

bool file_is_replaced(const char *path) {
    (void)path;
    return true;
}

enum status file_check(const char *path, struct error *error) {
    struct file_out out;
    enum status status = file_out_open(&out, path, error);
    file_out_abandon(&out);
    return status;
}

enum status file_make_folder(const char *path, struct error *error) {
    if (is_folder(path) || _mkdir(path) == 0) {
        return STATUS_OK;
    }
    return error_system(error, errno, "cannot be made a folder: %s", strerror(errno));
}

enum status file_pipe(FILE **reader, FILE **writer, struct error *error) {
    int ends[2];
    if (_pipe(ends, 1 << 16, _O_BINARY | _O_NOINHERIT) != 0) {
        return error_machine(error, "no pipe to be had: %s", strerror(errno));
    }
    *reader = _fdopen(ends[0], "rb");
    *writer = _fdopen(ends[1], "wb");
    if (!*reader || !*writer) {
        return error_machine(error, "out of memory");
    }
    return STATUS_OK;
}
