#include "grade/find/grade_unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clean.h"
#include "grade/find/grade_detect.h"
#include "grade/find/grade_tree.h"

#define MOST_NOTES 20

struct unpacking {
    int target;
    int files;
    int64_t bytes;
    int notes_made;
    struct text *notes;
    struct error *error;
    bool outside; /* of the sandbox: what is lacking there is the machine's, and not what a submission used up */
};

bool grade_is_archive(const char *name, size_t *stem) {
    static const char *const endings[] = {".zip",     ".tar",  ".tar.gz",  ".tgz", ".tar.xz", ".txz",
                                          ".tar.bz2", ".tbz2", ".tar.zst", ".7z",  ".rar"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (grade_tree_ends_with(name, endings[i])) {
            *stem = strlen(name) - strlen(endings[i]);
            return true;
        }
    }
    return false;
}

static void note(struct unpacking *unpacking, const char *name, const char *why) {
    if (unpacking->notes_made++ < MOST_NOTES) {
        text_add_string(unpacking->notes, "left out: ");
        clean_add_column(unpacking->notes, name, 0, 200);
        text_addf(unpacking->notes, ": %s\n", why);
    } else if (unpacking->notes_made == MOST_NOTES + 1) {
        text_add_string(unpacking->notes, "left out: and more\n");
    }
}

/* In the sandbox, memory is what a submission is allowed. */
static enum status lacks_memory(struct unpacking *unpacking) {
    return error_at(unpacking->error, 0, 0, "needs more memory than is allowed");
}

/* Counts one more file or folder against the limits. */
static enum status count_one(struct unpacking *unpacking) {
    return ++unpacking->files <= GRADE_UNPACK_MOST_FILES
               ? STATUS_OK
               : error_at(unpacking->error, 0, 0, "more than %d files and folders", GRADE_UNPACK_MOST_FILES);
}

/* -- making files below the target -- */

/* Whether a part of a path may be made: not "", "." or "..", and not too long. */
static bool is_plain_part(const char *part, size_t length) {
    return length > 0 && length <= NAME_MAX && !(length == 1 && part[0] == '.') &&
           !(length == 2 && part[0] == '.' && part[1] == '.');
}

/* Opens the folder a path below the target lies in, making what is missing; *last is its last part. -1 when the
 * path leads elsewhere or something that is no folder is in the way. */
static int open_parent(struct unpacking *unpacking, const char *path, const char **last) {
    int folder = openat(unpacking->target, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int depth = 0;
    for (;;) {
        path += strspn(path, "/");
        size_t length = strcspn(path, "/");
        bool at_end = path[length + strspn(path + length, "/")] == '\0';
        if (folder < 0 || at_end) {
            *last = path;
            return folder;
        }
        char part[NAME_MAX + 1];
        int inner = -1;
        if (length == 1 && path[0] == '.') {
            path += length;
            continue;
        }
        if (is_plain_part(path, length) && ++depth <= GRADE_TREE_MOST_DEPTH) {
            memcpy(part, path, length);
            part[length] = '\0';
            if (mkdirat(folder, part, 0755) == 0 && count_one(unpacking) != STATUS_OK) {
                depth = GRADE_TREE_MOST_DEPTH;
            }
            inner = openat(folder, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        }
        close(folder);
        folder = inner;
        path += length;
    }
}

/* The last part without slashes behind it; false when it cannot be made. */
static bool last_part(const char *last, char part[NAME_MAX + 1]) {
    size_t length = strcspn(last, "/");
    if (!is_plain_part(last, length)) {
        return false;
    }
    memcpy(part, last, length);
    part[length] = '\0';
    return true;
}

static void make_folder(struct unpacking *unpacking, const char *path) {
    const char *last;
    char part[NAME_MAX + 1];
    int parent = open_parent(unpacking, path, &last);
    if (parent >= 0) {
        if (last_part(last, part)) {
            mkdirat(parent, part, 0755);
        }
        close(parent);
    }
}

/* A new file at a path; a plain file that was there is replaced. -1 when it cannot be made. */
static int make_file(struct unpacking *unpacking, const char *path, bool executable) {
    const char *last;
    char part[NAME_MAX + 1];
    int file = -1;
    errno = 0;
    int parent = open_parent(unpacking, path, &last);
    if (parent >= 0) {
        if (last_part(last, part)) {
            unlinkat(parent, part, 0);
            file = openat(parent, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, executable ? 0755 : 0644);
        }
        close(parent);
    }
    return file;
}

static enum status write_bytes(struct unpacking *unpacking, int file, const char *bytes, size_t length) {
    unpacking->bytes += (int64_t)length;
    if (unpacking->bytes > GRADE_UNPACK_MOST_BYTES) {
        return error_at(unpacking->error, 0, 0, "more than %lld MiB", GRADE_UNPACK_MOST_BYTES >> 20);
    }
    while (length > 0) {
        ssize_t put = write(file, bytes, length);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return error_machine(unpacking->error, "cannot be written: %s", strerror(errno));
        }
        bytes += put;
        length -= (size_t)put;
    }
    return STATUS_OK;
}

/* -- archives -- */

static enum status unpack_file(struct unpacking *unpacking, struct archive *archive, const char *path, int file) {
    static const size_t step = 65536;
    char *buffer = malloc(step);
    enum status status = buffer ? STATUS_OK : lacks_memory(unpacking);
    while (status == STATUS_OK) {
        ssize_t got = archive_read_data(archive, buffer, step);
        if (got == 0) {
            break;
        }
        if (got < 0) {
            status = error_at(unpacking->error, 0, 0, "%.80s: %.120s", path, archive_error_string(archive));
        } else {
            status = write_bytes(unpacking, file, buffer, (size_t)got);
        }
    }
    free(buffer);
    return status;
}

static enum status unpack_entry(struct unpacking *unpacking, struct archive *archive, struct archive_entry *entry) {
    const char *path = archive_entry_pathname(entry);
    const char *raw = path ? path : archive_entry_pathname_utf8(entry);
    enum status status = count_one(unpacking);
    if (status != STATUS_OK || !raw) {
        if (!raw) {
            note(unpacking, "?", "a name that cannot be read");
        }
        return status;
    }
    if (raw[0] == '/' || strstr(raw, "../") || strcmp(raw, "..") == 0) {
        note(unpacking, raw, "leads out of the folder");
    } else if (archive_entry_hardlink(entry) || archive_entry_filetype(entry) == AE_IFLNK) {
        note(unpacking, raw, "a link");
    } else if (archive_entry_filetype(entry) == AE_IFDIR) {
        make_folder(unpacking, raw);
    } else if (archive_entry_filetype(entry) != AE_IFREG) {
        note(unpacking, raw, "neither file nor folder");
    } else {
        int file = make_file(unpacking, raw, (archive_entry_perm(entry) & 0111) != 0);
        if (file < 0) {
            note(unpacking, raw, "a name that cannot be used");
            return STATUS_OK;
        }
        status = unpack_file(unpacking, archive, raw, file);
        close(file);
    }
    return status;
}

static struct archive *new_reader(void) {
    struct archive *archive = archive_read_new();
    if (archive) {
        archive_read_support_format_zip(archive);
        archive_read_support_format_tar(archive);
        archive_read_support_format_7zip(archive);
        archive_read_support_format_rar(archive);
        archive_read_support_format_rar5(archive);
        archive_read_support_filter_gzip(archive);
        archive_read_support_filter_xz(archive);
        archive_read_support_filter_bzip2(archive);
        archive_read_support_filter_zstd(archive);
    }
    return archive;
}

/* Unpacks an archive that was opened with the given result, and lets go of it. */
static enum status unpack_archive(struct unpacking *unpacking, struct archive *archive, int opened) {
    if (!archive) {
        return lacks_memory(unpacking);
    }
    enum status status = STATUS_OK;
    struct archive_entry *entry;
    int next = opened;
    while (status == STATUS_OK && (next == ARCHIVE_OK || next == ARCHIVE_WARN)) {
        next = archive_read_next_header(archive, &entry);
        if (next == ARCHIVE_OK || next == ARCHIVE_WARN) {
            status = unpack_entry(unpacking, archive, entry);
        }
    }
    if (status == STATUS_OK && next != ARCHIVE_EOF) {
        status = error_at(unpacking->error, 0, 0, "cannot be unpacked: %.180s", archive_error_string(archive));
    }
    archive_read_free(archive);
    return status;
}

static enum status unpack_path(struct unpacking *unpacking, int folder, const char *name) {
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        return error_system(unpacking->error, errno, "cannot be read: %s", strerror(errno));
    }
    struct archive *archive = new_reader();
    enum status status = unpack_archive(unpacking, archive, archive ? archive_read_open_fd(archive, file, 65536) : 0);
    close(file);
    return status;
}

enum status grade_unpack_bytes(const void *bytes, size_t length, int target, struct text *notes, struct error *error) {
    struct unpacking unpacking = {.target = target, .notes = notes, .error = error};
    struct archive *archive = new_reader();
    return unpack_archive(&unpacking, archive, archive ? archive_read_open_memory(archive, bytes, length) : 0);
}

/* -- folders and files -- */

static void close_both(int from, int to) {
    if (from >= 0) {
        close(from);
    }
    if (to >= 0) {
        close(to);
    }
}

static enum status copy_file(struct unpacking *unpacking, int folder, const char *name, const char *path,
                             bool executable) {
    char buffer[65536];
    int from = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    int to = from >= 0 ? make_file(unpacking, path, executable) : -1;
    enum status status = STATUS_OK;
    int cause = from < 0 || to < 0 ? errno : 0;
    if (unpacking->outside && error_status_of(cause) == STATUS_FAIL) {
        close_both(from, to);
        return error_machine(unpacking->error, "%.100s cannot be copied: %s", path, strerror(cause));
    }
    if (from < 0 || to < 0) {
        note(unpacking, path, from < 0 ? strerror(cause) : "a name that cannot be used");
    }
    while (status == STATUS_OK && to >= 0) {
        ssize_t got = read(from, buffer, sizeof buffer);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            status = error_system(unpacking->error, errno, "%.100s cannot be read: %s", path, strerror(errno));
        } else if (got > 0) {
            status = write_bytes(unpacking, to, buffer, (size_t)got);
        }
    }
    close_both(from, to);
    return status;
}

struct copying {
    struct unpacking *unpacking;
    enum status status;
};

static bool copy_entry(void *user, const struct grade_tree_entry *entry) {
    struct copying *copying = user;
    if (copying->status == STATUS_OK) {
        copying->status = count_one(copying->unpacking);
    }
    if (copying->status != STATUS_OK) {
        return false;
    }
    if (S_ISDIR(entry->about.st_mode)) {
        make_folder(copying->unpacking, entry->path);
        return true;
    }
    copying->status =
        copy_file(copying->unpacking, entry->folder, entry->name, entry->path, (entry->about.st_mode & 0111) != 0);
    return true;
}

static enum status copy_tree(struct unpacking *unpacking, const char *source) {
    int folder = open(source, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return error_system(unpacking->error, errno, "cannot be read: %s", strerror(errno));
    }
    struct copying copying = {unpacking, STATUS_OK};
    bool whole = grade_tree_walk(folder, copy_entry, &copying);
    int lacks = errno;
    if (unpacking->outside && !whole && lacks && copying.status == STATUS_OK) {
        copying.status = error_machine(unpacking->error, "cannot be read: %s", strerror(lacks));
    } else if (!whole) {
        const char *slash = strrchr(source, '/');
        note(unpacking, slash ? slash + 1 : source, "some folders are too deep, too full or cannot be read");
    }
    close(folder);
    return copying.status;
}

enum status grade_hand_over_file(const char *path, int target, const char *name, struct text *notes,
                                 struct error *error) {
    struct unpacking unpacking = {.target = target, .notes = notes, .error = error, .outside = true};
    struct stat about;
    if (stat(path, &about) != 0) {
        return error_system(error, errno, "cannot be read: %s", strerror(errno));
    }
    return copy_file(&unpacking, AT_FDCWD, path, name, (about.st_mode & 0111) != 0);
}

enum status grade_hand_over(const char *path, int target, const char *name, struct text *notes, struct error *error) {
    struct unpacking unpacking = {.target = target, .notes = notes, .error = error, .outside = true};
    struct stat about;
    if (stat(path, &about) != 0) {
        return error_system(error, errno, "cannot be read: %s", strerror(errno));
    }
    if (!S_ISDIR(about.st_mode)) {
        return grade_hand_over_file(path, target, name, notes, error);
    }
    unpacking.target =
        mkdirat(target, name, 0755) == 0 ? openat(target, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (unpacking.target < 0) {
        return error_machine(error, "cannot be copied: %s", strerror(errno));
    }
    enum status status = copy_tree(&unpacking, path);
    close(unpacking.target);
    return status;
}

/* Archives inside of what was handed in are unpacked while there is nothing but them that could be a program: a report
 * or a README often lies beside the one that has the sources. */
#define MOST_ROUNDS 3
#define MOST_INNER 4

struct inner {
    bool has_program;
    bool has_others;
    int count;
    char paths[MOST_INNER][PATH_MAX];
};

static bool look_for_inner(void *user, const struct grade_tree_entry *entry) {
    struct inner *inner = user;
    size_t stem;
    if (grade_tree_is_litter(entry->name)) {
        return false;
    }
    if (!S_ISREG(entry->about.st_mode)) {
        return true;
    }
    if (grade_is_archive(entry->name, &stem)) {
        if (inner->count < MOST_INNER) {
            snprintf(inner->paths[inner->count], PATH_MAX, "%s", entry->path);
        }
        inner->count++;
    } else {
        inner->has_others = true;
        inner->has_program = inner->has_program || strcasecmp(entry->name, "Makefile") == 0 ||
                             strcmp(entry->name, "CMakeLists.txt") == 0 ||
                             grade_kind_of(entry->folder, entry->name) != GRADE_KIND_NONE;
    }
    return !inner->has_program;
}

/* Unpacks one archive: where it lies, or into a folder of its name where there are several. */
static enum status unpack_inner(struct unpacking *unpacking, char *path, bool alone) {
    struct unpacking below = *unpacking;
    char name[PATH_MAX];
    size_t stem;
    snprintf(name, sizeof name, "%s", path);
    if (!alone && grade_is_archive(name, &stem)) {
        name[stem] = '\0';
        make_folder(unpacking, name);
        below.target = openat(unpacking->target, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (below.target < 0) {
            note(unpacking, path, "no folder can be made for it");
            return STATUS_OK;
        }
    }
    struct archive *archive = new_reader();
    int file = openat(unpacking->target, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    enum status status = unpack_archive(&below, archive, archive ? archive_read_open_fd(archive, file, 65536) : 0);
    close_both(file, below.target == unpacking->target ? -1 : below.target);
    below.target = unpacking->target;
    *unpacking = below;
    unlinkat(unpacking->target, path, 0);
    return status;
}

static enum status unpack_inners(struct unpacking *unpacking) {
    enum status status = STATUS_OK;
    struct inner *inner = malloc(sizeof *inner);
    if (!inner) {
        return lacks_memory(unpacking);
    }
    for (int round = 0; round < MOST_ROUNDS && status == STATUS_OK; round++) {
        *inner = (struct inner){0};
        grade_tree_walk(unpacking->target, look_for_inner, inner);
        if (inner->has_program || inner->count == 0 || inner->count > MOST_INNER) {
            break;
        }
        for (int i = 0; i < inner->count && status == STATUS_OK; i++) {
            status = unpack_inner(unpacking, inner->paths[i], inner->count == 1);
            if (status == STATUS_BAD_INPUT && (inner->has_others || inner->count > 1)) {
                note(unpacking, inner->paths[i], unpacking->error->text);
                status = STATUS_OK;
            }
        }
    }
    free(inner);
    return status;
}

enum status grade_unpack(const char *source, int target, struct text *notes, struct error *error) {
    struct unpacking unpacking = {.target = target, .notes = notes, .error = error};
    struct stat about;
    size_t stem;
    const char *slash = strrchr(source, '/');
    const char *name = slash ? slash + 1 : source;
    if (stat(source, &about) != 0) {
        return error_system(error, errno, "cannot be read: %s", strerror(errno));
    }
    enum status status;
    if (S_ISDIR(about.st_mode)) {
        status = copy_tree(&unpacking, source);
    } else if (grade_is_archive(name, &stem)) {
        status = unpack_path(&unpacking, AT_FDCWD, source);
    } else {
        status = copy_file(&unpacking, AT_FDCWD, source, name, (about.st_mode & 0111) != 0);
    }
    return status == STATUS_OK ? unpack_inners(&unpacking) : status;
}
