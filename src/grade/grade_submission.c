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
#include "grade/grade_lms.h"

/* More of a file, and of all files of a submission together, than this is not read to tell two submissions apart:
 * beyond it size and time must do. It is more than can be unpacked. */
#define MOST_PRINTED_BYTES ((size_t)64 << 20)
#define MOST_PRINTED_IN_ALL ((size_t)192 << 20)

#define METADATA "submission_metadata.yml" /* beside the folders of Gradescope: whose they are */
#define MOST_METADATA ((size_t)64 << 20)

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
static uint64_t print_of(const struct grade_submission *submission, const struct grade_options *options) {
    uint64_t print = grade_print_bytes(1, &options->seconds, sizeof options->seconds);
    print = grade_print_bytes(print, &options->clock, sizeof options->clock);
    print = grade_print_bytes(print, &options->limits.memory_bytes, sizeof options->limits.memory_bytes);
    print = grade_print_string(print, options->build_command);
    print = grade_print_string(print, options->run_command);
    for (int i = 0; i < GRADE_MOST_PYTHONS && options->pythons[i].path[0]; i++) {
        print = grade_print_string(print, options->pythons[i].path);
    }
    struct printing printing = {print, MOST_PRINTED_IN_ALL};
    int folder = submission->is_folder ? open(submission->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (folder >= 0) {
        grade_tree_walk(folder, print_entry, &printing);
        close(folder);
    }
    const char *slash = strrchr(submission->path, '/');
    for (int i = 0; folder < 0 && i < (submission->parts ? submission->part_count : 1); i++) {
        const struct grade_part *part = submission->parts ? &submission->parts[i] : NULL;
        struct grade_tree_entry entry = {.path = part    ? part->name
                                                 : slash ? slash + 1
                                                         : submission->path,
                                         .name = part ? part->path : submission->path,
                                         .folder = AT_FDCWD};
        if (stat(entry.name, &entry.about) == 0) {
            print_entry(&printing, &entry);
        }
    }
    return printing.print;
}

static struct grade_submission *find_name(const struct grade *grade, const char *name) {
    for (int i = 0; i < grade->submission_count; i++) {
        if (strcmp(grade->submissions[i].name, name) == 0) {
            return &grade->submissions[i];
        }
    }
    return NULL;
}

/* Adds one; the place for it is there. */
static enum status add(struct grade *grade, const char *path, const char *name, bool is_folder, struct error *error) {
    char absolute[PATH_MAX];
    if (!realpath(path, absolute)) {
        return error_system(error, errno, "%.200s: %s", path, strerror(errno));
    }
    const char *slash = strrchr(path, '/');
    const char *file = slash && slash[1] ? slash + 1 : strrchr(absolute, '/') + 1;
    size_t stem;
    char own[NAME_MAX + 1];
    snprintf(own, sizeof own, "%s", name ? name : file);
    if (!name && !is_folder && grade_is_archive(own, &stem)) {
        own[stem] = '\0';
        if (find_name(grade, own)) {
            snprintf(own, sizeof own, "%s", file);
        }
    }
    struct grade_submission *submission = &grade->submissions[grade->submission_count];
    *submission = (struct grade_submission){.name = strdup(own), .path = strdup(absolute), .is_folder = is_folder};
    if (!submission->name || !submission->path) {
        free(submission->name);
        free(submission->path);
        return error_machine(error, "out of memory");
    }
    grade->submission_count++;
    return STATUS_OK;
}

/* -- files of platforms -- */

static void leave_out(struct grade *grade, const char *name, const char *why) {
    text_addf(&grade->left_out, "%.200s: %s\n", name, why);
}

/* Adds a file to a submission. One of the same name takes the place of an earlier upload. */
static enum status add_part(struct grade *grade, struct grade_submission *submission, const char *path,
                            const struct grade_lms_name *name, struct error *error) {
    struct grade_part *part = NULL;
    const char *shown = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    for (int i = 0; i < submission->part_count && !part; i++) {
        part = strcmp(submission->parts[i].name, name->file) == 0 ? &submission->parts[i] : NULL;
    }
    if (part && part->turn >= name->turn) {
        leave_out(grade, shown, "there is a later upload of the same file");
        return STATUS_OK;
    }
    if (part) {
        leave_out(grade, strrchr(part->path, '/') + 1, "there is a later upload of the same file");
        free(part->path);
        free(part->name);
    } else {
        struct grade_part *more =
            realloc(submission->parts, ((size_t)submission->part_count + 1) * sizeof *submission->parts);
        if (!more) {
            return error_machine(error, "out of memory");
        }
        submission->parts = more;
        part = &more[submission->part_count++];
    }
    *part = (struct grade_part){realpath(path, NULL), strdup(name->file), name->turn};
    return part->path && part->name ? STATUS_OK : error_machine(error, "out of memory");
}

/* The submission of a student with that number, or a name for a new one. */
static struct grade_submission *find_student(struct grade *grade, const struct grade_lms_name *name,
                                             char own[NAME_MAX + 1]) {
    for (int i = 0; i < grade->submission_count; i++) {
        struct grade_submission *submission = &grade->submissions[i];
        if (strcmp(submission->id, name->id) == 0 &&
            strncmp(submission->name, name->student, strlen(name->student)) == 0) {
            return submission;
        }
    }
    snprintf(own, NAME_MAX + 1, "%.200s", name->student);
    if (find_name(grade, own)) {
        snprintf(own, NAME_MAX + 1, "%.200s (%s)", name->student, name->id);
    }
    return NULL;
}

/* Adds a file or folder whose name a platform has made. */
static enum status add_named(struct grade *grade, const char *path, const struct grade_lms_name *name, bool is_folder,
                             struct error *error) {
    char own[NAME_MAX + 1];
    struct grade_submission *submission = find_student(grade, name, own);
    const char *shown = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    if (submission && (is_folder || submission->is_folder)) {
        leave_out(grade, shown, "the student has handed in a folder as well");
        return STATUS_OK;
    }
    if (!submission) {
        enum status status = add(grade, path, own, is_folder, error);
        if (status != STATUS_OK) {
            return status;
        }
        submission = &grade->submissions[grade->submission_count - 1];
        snprintf(submission->id, sizeof submission->id, "%s", name->id);
        submission->platform = name->platform;
    }
    /* Canvas marks what is late without saying how late: a day has begun. */
    submission->late_marked = submission->late_marked || name->late;
    submission->late_days = submission->late_marked ? 1 : 0;
    return is_folder ? STATUS_OK : add_part(grade, submission, path, name, error);
}

/* Adds a folder, under the names Gradescope has for it where it has. */
static enum status add_folder(struct grade *grade, const char *path, const struct text *metadata, struct error *error) {
    const char *folder = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    struct grade_lms_name name;
    struct text names = TEXT_EMPTY;
    struct text people = TEXT_EMPTY;
    if (grade_lms_read(folder, &name) && !name.file[0]) {
        return add_named(grade, path, &name, true, error);
    }
    bool known =
        grade_lms_submitters(text_string(metadata), metadata->length, folder, &names, &people) && !names.broken;
    char own[NAME_MAX + 1];
    snprintf(own, sizeof own, "%.200s", text_string(&names));
    if (known && find_name(grade, own)) {
        snprintf(own, sizeof own, "%.150s (%.60s)", text_string(&names), folder);
    }
    enum status status = add(grade, path, known ? own : NULL, true, error);
    if (known && status == STATUS_OK) {
        struct grade_submission *submission = &grade->submissions[grade->submission_count - 1];
        submission->platform = GRADE_GRADESCOPE;
        snprintf(submission->id, sizeof submission->id, "%.23s",
                 strncmp(folder, "submission_", 11) == 0 ? folder + 11 : "");
        submission->people = people;
        people = TEXT_EMPTY;
    }
    text_free(&names);
    text_free(&people);
    return status;
}

/* Adds a file; one that cannot be a submission is named. */
static enum status add_file(struct grade *grade, const char *path, struct error *error) {
    const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    struct grade_lms_name name;
    size_t stem;
    if (grade_lms_read(file, &name) && name.file[0]) {
        return add_named(grade, path, &name, false, error);
    }
    if (grade_is_archive(file, &stem) || grade_tree_ends_with(file, ".ipynb") ||
        grade_kind_of(AT_FDCWD, path) != GRADE_KIND_NONE) {
        return add(grade, path, NULL, false, error);
    }
    if (strcmp(file, METADATA) != 0) {
        leave_out(grade, file, "neither a source, a program, an archive nor a folder");
    }
    return STATUS_OK;
}

static int not_litter(const struct dirent *entry) {
    return !grade_tree_is_litter(entry->d_name);
}

/* Adds all that lies in a folder. Folders first: a folder keeps its name, an archive of the same one is called by its
 * file. */
static enum status add_entries(struct grade *grade, const char *folder, struct dirent **entries, int count,
                               struct error *error) {
    char path[PATH_MAX];
    struct text metadata = TEXT_EMPTY;
    enum status status = STATUS_OK;
    if (grade_tree_join(path, folder, METADATA)) {
        grade_tree_read(AT_FDCWD, path, MOST_METADATA, &metadata);
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count && status == STATUS_OK; i++) {
            struct stat about;
            bool there = grade_tree_join(path, folder, entries[i]->d_name) && lstat(path, &about) == 0;
            if (there && pass == 0 && S_ISDIR(about.st_mode)) {
                status = add_folder(grade, path, &metadata, error);
            } else if (there && pass == 1 && S_ISREG(about.st_mode)) {
                status = add_file(grade, path, error);
            } else if (there && pass == 1 && !S_ISDIR(about.st_mode)) {
                /* A link could show a student's program what is not his. */
                leave_out(grade, entries[i]->d_name, S_ISLNK(about.st_mode) ? "a link" : "neither file nor folder");
            }
        }
    }
    text_free(&metadata);
    return status;
}

static enum status add_class(struct grade *grade, const char *folder, struct error *error) {
    struct dirent **entries;
    int count = scandir(folder, &entries, not_litter, versionsort);
    if (count < 0) {
        return error_system(error, errno, "%.200s: %s", folder, strerror(errno));
    }
    grade->submissions = calloc((size_t)count + 1, sizeof *grade->submissions);
    enum status status =
        grade->submissions ? add_entries(grade, folder, entries, count, error) : error_machine(error, "out of memory");
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    return status;
}

static int by_name(const void *a, const void *b) {
    return strverscmp(((const struct grade_submission *)a)->name, ((const struct grade_submission *)b)->name);
}

static enum status read_all(struct grade *grade, const char *path, bool single, struct error *error) {
    struct stat about;
    if (stat(path, &about) != 0) {
        return error_system(error, errno, "%.200s: %s", path, strerror(errno));
    }
    if (!single && S_ISDIR(about.st_mode)) {
        enum status status = add_class(grade, path, error);
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
    grade->submissions = calloc(2, sizeof *grade->submissions);
    return grade->submissions ? add(grade, path, NULL, S_ISDIR(about.st_mode), error)
                              : error_machine(error, "out of memory");
}

enum status grade_read_submissions(struct grade *grade, const char *path, bool single,
                                   const struct grade_options *options, struct error *error) {
    enum status status = read_all(grade, path, single, error);
    for (int i = 0; i < grade->submission_count && status == STATUS_OK; i++) {
        grade->submissions[i].print = print_of(&grade->submissions[i], options);
    }
    return status;
}
