/* Finding what was handed in. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade/find/grade_detect.h"
#include "grade/find/grade_tree.h"
#include "grade/find/grade_unpack.h"
#include "grade/grade.h"

/* More of a file, and of all files of a submission together, than this is not read to tell two submissions apart:
 * beyond it size and time must do. It is more than can be unpacked. */
#define MOST_PRINTED_BYTES ((size_t)64 << 20)
#define MOST_PRINTED_IN_ALL ((size_t)192 << 20)

struct printing {
    uint64_t print;
    size_t left; /* bytes that may still be read */
};

static bool print_entry(void *user, const struct grade_tree_entry *entry) {
    struct printing *printing = user;
    uint64_t print = grade_print_string(printing->print, entry->path);
    if (S_ISDIR(entry->about.st_mode)) {
        printing->print = print;
        return true;
    }
    struct text bytes = TEXT_EMPTY;
    size_t most = printing->left < MOST_PRINTED_BYTES ? printing->left : MOST_PRINTED_BYTES;
    bool read = grade_tree_read(entry->folder, entry->name, most, &bytes);
    print = grade_print_bytes(print, text_string(&bytes), bytes.length);
    print = grade_print_bytes(print, &read, sizeof read);
    bool executable = (entry->about.st_mode & 0111) != 0;
    print = grade_print_bytes(print, &executable, sizeof executable);
    if ((size_t)entry->about.st_size > bytes.length) {
        print = grade_print_bytes(print, &entry->about.st_size, sizeof entry->about.st_size);
        print = grade_print_bytes(print, &entry->about.st_mtim, sizeof entry->about.st_mtim);
    }
    printing->print = print;
    printing->left -= bytes.length;
    text_free(&bytes);
    return false;
}

/* The fingerprint of a submission: its files and everything that decides how they are judged. */
static uint64_t print_of(const char *path, bool is_folder, const struct grade_options *options) {
    uint64_t print = grade_print_bytes(1, &options->seconds, sizeof options->seconds);
    print = grade_print_bytes(print, &options->clock, sizeof options->clock);
    print = grade_print_bytes(print, &options->limits.memory_bytes, sizeof options->limits.memory_bytes);
    print = grade_print_string(print, options->build_command);
    print = grade_print_string(print, options->run_command);
    for (int i = 0; i < GRADE_MOST_PYTHONS && options->pythons[i].path[0]; i++) {
        print = grade_print_string(print, options->pythons[i].path);
    }
    struct printing printing = {print, MOST_PRINTED_IN_ALL};
    int folder = is_folder ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : AT_FDCWD;
    if (is_folder && folder >= 0) {
        grade_tree_walk(folder, print_entry, &printing);
        close(folder);
    } else {
        const char *name = strrchr(path, '/');
        struct grade_tree_entry entry = {.path = name ? name + 1 : path, .name = path, .folder = AT_FDCWD};
        if (stat(path, &entry.about) == 0) {
            print_entry(&printing, &entry);
        }
    }
    return printing.print;
}

static bool name_taken(const struct grade *grade, const char *name) {
    for (int i = 0; i < grade->submission_count; i++) {
        if (strcmp(grade->submissions[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds one; the place for it is there. */
static enum status add(struct grade *grade, const char *path, bool is_folder, const struct grade_options *options,
                       struct error *error) {
    char absolute[PATH_MAX];
    if (!realpath(path, absolute)) {
        return error_system(error, errno, "%.200s: %s", path, strerror(errno));
    }
    const char *slash = strrchr(path, '/');
    const char *file = slash && slash[1] ? slash + 1 : strrchr(absolute, '/') + 1;
    size_t stem;
    char name[NAME_MAX + 1];
    snprintf(name, sizeof name, "%s", file);
    if (!is_folder && grade_is_archive(name, &stem)) {
        name[stem] = '\0';
        if (name_taken(grade, name)) {
            snprintf(name, sizeof name, "%s", file);
        }
    }
    struct grade_submission *submission = &grade->submissions[grade->submission_count];
    *submission = (struct grade_submission){.name = strdup(name), .path = strdup(absolute), .is_folder = is_folder};
    if (!submission->name || !submission->path) {
        free(submission->name);
        free(submission->path);
        return error_machine(error, "out of memory");
    }
    submission->print = print_of(absolute, is_folder, options);
    grade->submission_count++;
    return STATUS_OK;
}

static int not_litter(const struct dirent *entry) {
    return !grade_tree_is_litter(entry->d_name);
}

static enum status add_class(struct grade *grade, const char *folder, const struct grade_options *options,
                             struct error *error) {
    struct dirent **entries;
    int count = scandir(folder, &entries, not_litter, versionsort);
    if (count < 0) {
        return error_system(error, errno, "%.200s: %s", folder, strerror(errno));
    }
    enum status status = STATUS_OK;
    grade->submissions = calloc((size_t)count + 1, sizeof *grade->submissions);
    if (!grade->submissions) {
        status = error_machine(error, "out of memory");
    }
    /* Folders first: a folder keeps its name, an archive of the same one is called by its file. */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count && status == STATUS_OK; i++) {
            char path[PATH_MAX];
            struct stat about;
            size_t stem;
            /* A link could show a student's program what is not his. */
            if (!grade_tree_join(path, folder, entries[i]->d_name) || lstat(path, &about) != 0 ||
                S_ISDIR(about.st_mode) != (pass == 0)) {
                continue;
            }
            if (pass == 0 || (S_ISREG(about.st_mode) && (grade_is_archive(entries[i]->d_name, &stem) ||
                                                         grade_kind_of(AT_FDCWD, path) != GRADE_KIND_NONE))) {
                status = add(grade, path, pass == 0, options, error);
            }
        }
    }
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    return status;
}

static int by_name(const void *a, const void *b) {
    return strverscmp(((const struct grade_submission *)a)->name, ((const struct grade_submission *)b)->name);
}

enum status grade_read_submissions(struct grade *grade, const char *path, bool single,
                                   const struct grade_options *options, struct error *error) {
    struct stat about;
    if (stat(path, &about) != 0) {
        return error_system(error, errno, "%.200s: %s", path, strerror(errno));
    }
    if (!single && S_ISDIR(about.st_mode)) {
        enum status status = add_class(grade, path, options, error);
        if (status == STATUS_OK && grade->submission_count == 0) {
            return error_at(error, 0, 0,
                            "%.160s: expected folders, archives, sources or programs handed in, found none", path);
        }
        if (status == STATUS_OK) {
            qsort(grade->submissions, (size_t)grade->submission_count, sizeof *grade->submissions, by_name);
        }
        return status;
    }
    if (!S_ISDIR(about.st_mode) && !S_ISREG(about.st_mode)) {
        return error_at(error, 0, 0, "%.200s: expected a folder, an archive or a program", path);
    }
    grade->submissions = calloc(1, sizeof *grade->submissions);
    return grade->submissions ? add(grade, path, S_ISDIR(about.st_mode), options, error)
                              : error_machine(error, "out of memory");
}
