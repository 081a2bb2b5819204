#include "protocols/folder/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "system/host.h"

/* Where the system reports changes we still look by ourselves from time to time: network file systems do not report
 * what other machines do. */
#define POLL_SECONDS 0.01
#define NOTIFIED_POLL_SECONDS 0.1

int64_t folder_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Whether the user chose a bad place or the machine failed. */
static enum status write_failure(struct error *error, int cause) {
    if (cause == ENOSPC || cause == EDQUOT || cause == EIO || cause == ENOMEM || cause == EFBIG) {
        return error_machine(error, "cannot be written: %s", strerror(cause));
    }
    return error_at(error, 0, 0, "cannot be written: %s", strerror(cause));
}

/* A name that no other handle on the folder uses, be it in this process or another. Its process's number alone would
 * not do: programs in sandboxes of their own, or on other machines, have the same ones. */
static void temporary_name(const struct folder *folder, const char *name, char *text, size_t size) {
    snprintf(text, size, ".%.*s-%ld-%016llx", FOLDER_MOST_NAME + 32, name, (long)getpid(),
             (unsigned long long)folder->number);
}

enum status folder_open(struct folder *folder, const char *path, bool polling, struct error *error) {
    *folder = (struct folder){.directory = -1, .notify = -1, .poll_seconds = POLL_SECONDS, .number = host_chance()};
    folder->directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->directory < 0) {
        return error_at(error, 0, 0, "expected a folder: %s", strerror(errno));
    }
    char probe[64];
    temporary_name(folder, "probe", probe, sizeof probe);
    enum status status = folder_put(folder, probe, "probe\n", error);
    if (status != STATUS_OK) {
        folder_close(folder);
        return status;
    }
    folder_remove(folder, probe);
    folder->writable = true;
    if (!polling) {
        folder->notify = host_watch_folder(path);
        folder->poll_seconds = folder->notify >= 0 ? NOTIFIED_POLL_SECONDS : POLL_SECONDS;
    }
    return STATUS_OK;
}

void folder_close(struct folder *folder) {
    if (folder->notify >= 0) {
        close(folder->notify);
    }
    if (folder->directory >= 0) {
        close(folder->directory);
    }
    folder->notify = -1;
    folder->directory = -1;
}

bool folder_gone(const struct folder *folder) {
    struct stat about;
    return fstat(folder->directory, &about) != 0 || about.st_nlink == 0;
}

void folder_wait(struct folder *folder, double seconds) {
    ASSERT(seconds >= 0);
    seconds = seconds < folder->poll_seconds ? seconds : folder->poll_seconds;
    int milliseconds = seconds > 0 ? (int)(seconds * 1000) + 1 : 0;
    struct pollfd watched = {.fd = folder->notify, .events = POLLIN};
    if (poll(&watched, folder->notify >= 0 ? 1 : 0, milliseconds) > 0) {
        char events[4096];
        while (read(folder->notify, events, sizeof events) > 0) {
        }
    }
}

void folder_stamp(const struct folder *folder, const char *name, struct folder_stamp *stamp) {
    struct stat about;
    memset(stamp, 0, sizeof *stamp);
    if (fstatat(folder->directory, name, &about, AT_SYMLINK_NOFOLLOW) == 0) {
        stamp->exists = true;
        stamp->device = (uint64_t)about.st_dev;
        stamp->inode = (uint64_t)about.st_ino;
        stamp->size = (int64_t)about.st_size;
        stamp->modified = (int64_t)about.st_mtim.tv_sec * 1000000000 + about.st_mtim.tv_nsec;
        stamp->changed = (int64_t)about.st_ctim.tv_sec * 1000000000 + about.st_ctim.tv_nsec;
    }
}

bool folder_same_stamp(const struct folder_stamp *a, const struct folder_stamp *b) {
    return a->exists == b->exists && a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->modified == b->modified && a->changed == b->changed;
}

bool folder_read(const struct folder *folder, const char *name, char *bytes, size_t size, size_t *length) {
    ASSERT(size >= 1);
    *length = 0;
    bytes[0] = '\0';
    /* O_NONBLOCK: opening a pipe that somebody put there must not wait for its writer. */
    int file = openat(folder->directory, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    struct stat about;
    bool plain = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    while (plain && *length < size - 1) {
        ssize_t got = read(file, bytes + *length, size - 1 - *length);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            plain = got == 0;
            break;
        }
        *length += (size_t)got;
    }
    close(file);
    bytes[*length] = '\0';
    return plain;
}

/* Fills and closes an open file; 0 or the cause of the failure. */
static int write_all(int file, const char *text) {
    size_t length = strlen(text);
    size_t done = 0;
    int cause = 0;
    while (done < length && !cause) {
        ssize_t wrote = write(file, text + done, length - done);
        if (wrote > 0) {
            done += (size_t)wrote;
        } else if (wrote == 0 || errno != EINTR) {
            cause = wrote == 0 ? ENOSPC : errno;
        }
    }
    if (close(file) != 0 && !cause) {
        cause = errno;
    }
    return cause;
}

/* Gives a folder that stands where a file should be another name; a program may have put one there. */
static bool put_aside(struct folder *folder, const char *name) {
    struct stat about;
    char aside[FOLDER_MOST_NAME + 40];
    if (fstatat(folder->directory, name, &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(about.st_mode)) {
        return false;
    }
    snprintf(aside, sizeof aside, ".%.*s-aside-%d", FOLDER_MOST_NAME, name, folder->aside++);
    return unlinkat(folder->directory, name, AT_REMOVEDIR) == 0 ||
           renameat(folder->directory, name, folder->directory, aside) == 0;
}

/* Creates a file; -1 with errno. As root it is given to the folder's owner, where that is allowed: programs that write
 * move_file in place, as nearly all do, are run by that user and not by root. */
static int create_file(const struct folder *folder, const char *name) {
    struct stat about;
    int file = openat(folder->directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file >= 0 && geteuid() == 0 && fstat(folder->directory, &about) == 0 && about.st_uid != 0 &&
        fchown(file, about.st_uid, about.st_gid) != 0) {
        return file; /* this root may not; then the programs are not run by another user either */
    }
    return file;
}

/* Writes a file beside and gives it its name; 0, or the cause. */
static int put_once(struct folder *folder, const char *name, const char *text) {
    char temporary[FOLDER_MOST_NAME + 80];
    temporary_name(folder, name, temporary, sizeof temporary);
    if (unlinkat(folder->directory, temporary, 0) != 0) {
        put_aside(folder, temporary);
    }
    int file = create_file(folder, temporary);
    int cause = file < 0 ? errno : write_all(file, text);
    if (!cause && renameat(folder->directory, temporary, folder->directory, name) != 0) {
        cause =
            put_aside(folder, name) && renameat(folder->directory, temporary, folder->directory, name) == 0 ? 0 : errno;
    }
    if (cause && file >= 0) {
        unlinkat(folder->directory, temporary, 0);
    }
    return cause;
}

enum status folder_put(struct folder *folder, const char *name, const char *text, struct error *error) {
    ASSERT(name && text);
    int cause = put_once(folder, name, text);
    if (cause == EACCES && folder->writable && fchmod(folder->directory, 0700) == 0) {
        cause = put_once(folder, name, text); /* a program of the same user took the rights away */
    }
    return cause ? write_failure(error, cause) : STATUS_OK;
}

enum status folder_add(struct folder *folder, const char *name, const char *text, struct error *error) {
    /* Made whole under another name and linked: link() fails when the name is taken, and a reader never sees an
     * empty file. Where there are no links, plain exclusive creation is nearly as good. */
    char temporary[FOLDER_MOST_NAME + 80];
    temporary_name(folder, name, temporary, sizeof temporary);
    enum status status = folder_put(folder, temporary, text, error);
    if (status != STATUS_OK) {
        return status;
    }
    bool linked = linkat(folder->directory, temporary, folder->directory, name, 0) == 0 || errno == EEXIST;
    unlinkat(folder->directory, temporary, 0);
    if (linked) {
        return STATUS_OK;
    }
    int file = create_file(folder, name);
    int cause = file >= 0 ? write_all(file, text) : errno;
    return cause && cause != EEXIST ? write_failure(error, cause) : STATUS_OK;
}

bool folder_take(struct folder *folder, const char *name, const char *new_name) {
    return renameat(folder->directory, name, folder->directory, new_name) == 0;
}

void folder_remove(struct folder *folder, const char *name) {
    if (unlinkat(folder->directory, name, 0) != 0 && errno == EISDIR) {
        put_aside(folder, name);
    }
}

bool folder_good_team(const char *team) {
    size_t length = strlen(team);
    if (length == 0 || length >= FOLDER_MOST_TEAM || team[0] == '.') {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)team[i] <= ' ' || team[i] == '/' || team[i] == 127) {
            return false;
        }
    }
    return true;
}

void folder_go_name(const char *team, char name[FOLDER_MOST_NAME]) {
    ASSERT(strlen(team) < FOLDER_MOST_TEAM);
    snprintf(name, FOLDER_MOST_NAME, "%.*s.go", FOLDER_MOST_TEAM - 1, team);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}

/* The next word of [*at, end); its length, 0 at the end of the line. */
static size_t next_word(const char **at, const char *end, const char **word) {
    while (*at < end && is_blank(**at)) {
        (*at)++;
    }
    *word = *at;
    while (*at < end && !is_blank(**at)) {
        (*at)++;
    }
    return (size_t)(*at - *word);
}

/* A decimal number as the course's referee reads it: a sign and leading zeros may stand there. False when it is none.
 */
static bool read_number(const char *word, size_t length, int *number) {
    bool negative = length > 0 && word[0] == '-';
    size_t i = length > 0 && (word[0] == '-' || word[0] == '+') ? 1 : 0;
    if (i == length) {
        return false;
    }
    int value = 0;
    for (; i < length; i++) {
        if (word[i] < '0' || word[i] > '9') {
            return false;
        }
        value = value < 100000 ? value * 10 + (word[i] - '0') : value;
    }
    *number = negative ? -value : value;
    return true;
}

void folder_parse_line(const char *bytes, size_t length, struct folder_line *line) {
    ASSERT(bytes || length == 0);
    const char *end = bytes + length;
    const char *word;
    *line = (struct folder_line){.content = FOLDER_EMPTY, .square = -1};
    const char *start = bytes;
    while (start < end && (is_blank(*start) || *start == '\n')) {
        start++;
    }
    if (start == end) {
        return;
    }
    const char *line_end = memchr(start, '\n', (size_t)(end - start));
    line->ended = line_end != NULL;
    line_end = line_end ? line_end : end;
    line->content = FOLDER_PART;
    size_t count = next_word(&start, line_end, &word);
    if (count >= FOLDER_MOST_TEAM || (start == line_end && !line->ended)) {
        return;
    }
    memcpy(line->team, word, count);
    line->team[count] = '\0';
    size_t letters = next_word(&start, line_end, &word);
    int column = letters == 1 ? (word[0] | 32) - 'a' : -1;
    if (letters != 1 || column < 0 || column > 25) {
        return;
    }
    int row;
    count = next_word(&start, line_end, &word);
    if (!read_number(word, count, &row)) {
        return;
    }
    line->content = FOLDER_MOVE;
    if (column < FOLDER_SIZE && row >= 1 && row <= FOLDER_SIZE) {
        line->square = (row - 1) * FOLDER_SIZE + column;
    }
}

void folder_read_move(const struct folder *folder, struct folder_line *line) {
    char bytes[1024];
    size_t length;
    if (folder_read(folder, FOLDER_MOVE_FILE, bytes, sizeof bytes, &length)) {
        folder_parse_line(bytes, length, line);
    } else {
        *line = (struct folder_line){.content = FOLDER_MISSING, .square = -1};
    }
}

void folder_move_text(const char *team, int square, bool lower, char text[FOLDER_MOST_LINE]) {
    ASSERT(square >= 0 && square < FOLDER_SQUARES);
    snprintf(text, FOLDER_MOST_LINE, "%s %c %d\n", team, (lower ? 'a' : 'A') + square % FOLDER_SIZE,
             square / FOLDER_SIZE + 1);
}
