#include "grade/platform/grade_sources.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade/find/grade_tree.h"
#include "grade/grade_prepare.h"
#include "grade/grade_try.h"
#include "sandbox/warden.h"
#include "system/file.h"

#define GATHERED "sources" /* in the scratch folder */
#define MOST_GATHERED ((size_t)16 << 20)
#define MOST_SOURCE ((size_t)1 << 20)
#define SELF_INSIDE "/sortie"

/* -- inside -- */

struct gathering {
    struct text text;
};

static bool is_source(const char *name) {
    static const char *const endings[] = {".c",  ".h",  ".cc", ".cpp", ".cxx", ".hh",    ".hpp", ".hxx",
                                          ".py", ".js", ".ts", ".sh",  ".pl",  ".java",  ".kt",  ".cs",
                                          ".go", ".rs", ".rb", ".lua", ".hs",  ".scala", ".ml",  ".m"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (grade_tree_ends_with(name, endings[i])) {
            return true;
        }
    }
    return false;
}

/* Takes a source: its path and its length, ended by zeros, and its bytes. */
static bool gather(void *user, const struct grade_tree_entry *entry) {
    struct gathering *gathering = user;
    if (S_ISDIR(entry->about.st_mode)) {
        return !grade_tree_is_foreign(entry->folder, entry->name);
    }
    struct text bytes = TEXT_EMPTY;
    bool wanted = is_source(entry->name) && (size_t)entry->about.st_size <= MOST_SOURCE &&
                  grade_tree_read(entry->folder, entry->name, MOST_SOURCE, &bytes) && bytes.length > 0 &&
                  !memchr(bytes.data, '\0', bytes.length);
    if (wanted && gathering->text.length + bytes.length + strlen(entry->path) + 32 < MOST_GATHERED) {
        char length[24];
        snprintf(length, sizeof length, "%zu", bytes.length);
        text_add(&gathering->text, entry->path, strlen(entry->path) + 1);
        text_add(&gathering->text, length, strlen(length) + 1);
        text_add(&gathering->text, bytes.data, bytes.length);
    }
    text_free(&bytes);
    return false;
}

int grade_gather(const char *build) {
    struct gathering gathering = {TEXT_EMPTY};
    struct error error = {0};
    int folder = open(build, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        fprintf(stderr, "%s: %s\n", build, strerror(errno));
        return GRADE_INSIDE_MACHINE;
    }
    grade_tree_walk(folder, gather, &gathering);
    close(folder);
    enum status status = gathering.text.broken
                             ? error_machine(&error, "out of memory")
                             : file_write(GATHERED, text_string(&gathering.text), gathering.text.length, &error);
    text_free(&gathering.text);
    if (status != STATUS_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
    return status == STATUS_OK ? 0 : GRADE_INSIDE_MACHINE;
}

/* -- what comes out -- */

bool grade_sources_next(const char **at, const char *end, struct grade_source_file *file) {
    size_t left = (size_t)(end - *at);
    const char *path_end = left > 0 ? memchr(*at, '\0', left) : NULL;
    const char *number = path_end ? path_end + 1 : NULL;
    const char *number_end = number && number < end ? memchr(number, '\0', (size_t)(end - number)) : NULL;
    if (!number_end || number_end == number || number_end - number > 9) {
        return false;
    }
    size_t length = 0;
    for (; number < number_end; number++) {
        if (*number < '0' || *number > '9') {
            return false;
        }
        length = 10 * length + (size_t)(*number - '0');
    }
    if (length > (size_t)(end - number_end - 1)) {
        return false;
    }
    *file = (struct grade_source_file){*at, number_end + 1, length};
    *at = number_end + 1 + length;
    return true;
}

void grade_sources_name(const char *name, char clean[128]) {
    size_t length = 0;
    for (; *name && length + 1 < 128; name++) {
        bool plain = (*name >= '0' && *name <= '9') || (*name >= 'a' && *name <= 'z') ||
                     (*name >= 'A' && *name <= 'Z') || (length > 0 && strchr(".-", *name));
        /* What is no ASCII is one sign, however many bytes it has. */
        if (plain || ((unsigned char)*name & 0xc0) != 0x80) {
            clean[length++] = plain ? *name : '_';
        }
    }
    if (length == 0) {
        clean[length++] = '_';
    }
    clean[length] = '\0';
}

/* A folder below another, made where it is missing; -1 with errno. */
static int enter(int folder, const char *name) {
    return mkdirat(folder, name, 0755) == 0 || errno == EEXIST
               ? openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
               : -1;
}

/* A new file below a folder; a name that is taken gets a number in front. -1 with errno. */
static int make_file(int folder, const char *name) {
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    for (int i = 2; file < 0 && errno == EEXIST && i < 1000; i++) {
        char other[160];
        snprintf(other, sizeof other, "%d-%s", i, name);
        file = openat(folder, other, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    }
    return file;
}

/* Writes one file under a student's folder; 0, or the cause. */
static int write_source(int student, const struct grade_source_file *source) {
    char part[PATH_MAX];
    char clean[128];
    int folder = dup(student);
    const char *at = source->path;
    for (const char *slash; folder >= 0 && (slash = strchr(at, '/')) != NULL; at = slash + 1) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - at), at);
        grade_sources_name(part, clean);
        int inner = enter(folder, clean);
        close(folder);
        folder = inner;
    }
    grade_sources_name(at, clean);
    int file = folder >= 0 ? make_file(folder, clean) : -1;
    int cause = file < 0 ? errno : 0;
    for (size_t done = 0; !cause && done < source->length;) {
        ssize_t put = write(file, source->bytes + done, source->length - done);
        cause = put < 0 && errno != EINTR ? errno : 0;
        done += put > 0 ? (size_t)put : 0;
    }
    if (file >= 0 && close(file) != 0 && !cause) {
        cause = errno;
    }
    if (folder >= 0) {
        close(folder);
    }
    return cause;
}

/* -- what was handed out -- */

/* A fingerprint of a text, line ends and blanks at the ends of lines aside. */
static uint64_t print_of(const char *bytes, size_t length) {
    uint64_t print = 0;
    for (size_t start = 0; start < length;) {
        const char *feed = memchr(bytes + start, '\n', length - start);
        size_t end = feed ? (size_t)(feed - bytes) : length;
        size_t kept = end;
        while (kept > start && strchr(" \t\r", bytes[kept - 1])) {
            kept--;
        }
        print = grade_print_bytes(print, bytes + start, kept - start);
        print = grade_print_bytes(print, "\n", 1);
        start = end + 1;
    }
    return print;
}

static enum status skeleton_add(struct grade_skeleton *skeleton, const struct text *bytes, struct error *error) {
    uint64_t *more = realloc(skeleton->prints, ((size_t)skeleton->count + 1) * sizeof *more);
    if (!more || bytes->broken) {
        skeleton->prints = more ? more : skeleton->prints;
        return error_machine(error, "out of memory");
    }
    skeleton->prints = more;
    more[skeleton->count++] = print_of(text_string(bytes), bytes->length);
    return STATUS_OK;
}

struct skeleton_walk {
    struct grade_skeleton *skeleton;
    struct error *error;
    enum status status;
};

static bool add_handed_out(void *user, const struct grade_tree_entry *entry) {
    struct skeleton_walk *walk = user;
    struct text bytes = TEXT_EMPTY;
    if (S_ISREG(entry->about.st_mode) && walk->status == STATUS_OK &&
        grade_tree_read(entry->folder, entry->name, MOST_SOURCE, &bytes) && bytes.length > 0) {
        walk->status = skeleton_add(walk->skeleton, &bytes, walk->error);
    }
    text_free(&bytes);
    return true;
}

enum status grade_skeleton_read(struct grade_skeleton *skeleton, const char *path, struct error *error) {
    struct skeleton_walk walk = {skeleton, error, STATUS_OK};
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || fstat(file, &about) != 0) {
        enum status status = error_system(error, errno, "%.200s: %s", path, strerror(errno));
        if (file >= 0) {
            close(file);
        }
        return status;
    }
    if (S_ISDIR(about.st_mode)) {
        grade_tree_walk(file, add_handed_out, &walk);
    } else {
        struct grade_tree_entry entry = {.path = path, .name = path, .folder = AT_FDCWD, .about = about};
        add_handed_out(&walk, &entry);
    }
    close(file);
    return walk.status;
}

void grade_skeleton_free(struct grade_skeleton *skeleton) {
    free(skeleton->prints);
    *skeleton = (struct grade_skeleton){0};
}

static bool is_handed_out(const struct grade_skeleton *skeleton, const struct grade_source_file *source) {
    uint64_t print = skeleton->count > 0 ? print_of(source->bytes, source->length) : 0;
    for (int i = 0; i < skeleton->count; i++) {
        if (skeleton->prints[i] == print) {
            return true;
        }
    }
    return false;
}

/* -- the class -- */

/* Gets everything out of a sandbox in which a submission was laid out. */
static enum status get_sources(struct warden *warden, const struct grade_options *options, struct text *sources,
                               struct error *error) {
    struct warden_view view = {.build = WARDEN_BUILD_READ, .keep_output = true};
    const char *const words[] = {SELF_INSIDE,         "grade", GRADE_INSIDE, GRADE_INSIDE_GATHER,
                                 "/build/submission", "",      NULL};
    struct warden_report report;
    struct warden_limits limits = options->limits;
    limits.wall_seconds = options->build_seconds;
    warden_view_add(&view, options->self, SELF_INSIDE);
    enum status status = warden_show(warden, &view, error);
    status = status == STATUS_OK ? warden_clean(warden, error) : status;
    status = status == STATUS_OK ? warden_run(warden, words, &limits, &report, NULL, error) : status;
    if (status == STATUS_OK && (report.end != WARDEN_EXITED || report.code != 0)) {
        status = error_machine(error, "gathering sources failed (%d)", report.code);
    }
    if (status == STATUS_OK && warden_get(warden, GATHERED, MOST_GATHERED, sources, error) != WARDEN_FILE_READ) {
        status = STATUS_FAIL;
    }
    return status;
}

/* A new folder for a student, whose name in `own` gets a number where another's is the same; -1 with errno. */
static int make_student(int folder, const char *student, char own[160]) {
    char name[128];
    int made = -1;
    grade_sources_name(student, name);
    snprintf(own, 160, "%s", name);
    for (int i = 2; (made = mkdirat(folder, own, 0755)) != 0 && errno == EEXIST && i < 1000; i++) {
        snprintf(own, 160, "%s-%d", name, i);
    }
    return made == 0 ? openat(folder, own, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
}

/* Writes what came out under a name that is not taken. */
static enum status write_student(int folder, const struct grade_submission *submission, const struct text *sources,
                                 const struct grade_skeleton *skeleton, struct grade_gathered *gathered,
                                 struct error *error) {
    struct grade_source_file source;
    char own[160] = "";
    int student = -1;
    int cause = 0;
    const char *at = text_string(sources);
    const char *end = at + sources->length;
    while (!cause && grade_sources_next(&at, end, &source)) {
        if (is_handed_out(skeleton, &source)) {
            gathered->left_out++;
            continue;
        }
        if (student < 0) {
            student = make_student(folder, submission->name, own);
            cause = student < 0 ? errno : 0;
        }
        cause = cause ? cause : write_source(student, &source);
        gathered->files += !cause;
    }
    if (student < 0 && !cause) {
        text_addf(&gathered->empty, "%.200s: %.300s\n", submission->name,
                  submission->build.problem[0] ? submission->build.problem : "no source of its own");
    }
    gathered->students += student >= 0;
    if (student >= 0) {
        close(student);
    }
    return cause ? error_system(error, cause, "%.150s: %s", own, strerror(cause)) : STATUS_OK;
}

static enum status write_one(struct grade *grade, int number, const struct grade_options *options,
                             const struct grade_skeleton *skeleton, int folder, struct grade_gathered *gathered,
                             struct error *error) {
    struct grade_submission *submission = &grade->submissions[number];
    struct grade_options own = grade_options_for(submission, options);
    struct grade_prepared prepared = {0};
    struct warden *warden = NULL;
    struct text sources = TEXT_EMPTY;
    enum status status = warden_start(&warden, error);
    if (status == STATUS_OK) {
        status = grade_prepare(&prepared, warden, submission, &own, error);
        if (status == STATUS_OK && prepared.plan.state != GRADE_BUILD_UNREADABLE) {
            status = get_sources(warden, &own, &sources, error);
        }
        grade_prepared_free(&prepared);
    }
    warden_stop(warden);
    if (status == STATUS_OK) {
        status = write_student(folder, submission, &sources, skeleton, gathered, error);
    }
    text_free(&sources);
    return status;
}

/* Opens a folder that holds nothing yet; -1 with the message. */
static int open_empty(const char *path, struct error *error) {
    int folder = mkdir(path, 0755) == 0 || errno == EEXIST ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (folder < 0) {
        error_at(error, 0, 0, "%.200s: %s", path, strerror(errno));
        return -1;
    }
    DIR *list = opendir(path);
    int names = 0;
    while (list && readdir(list)) {
        names++;
    }
    if (list) {
        closedir(list);
    }
    if (names > 2) {
        error_at(error, 0, 0, "%.200s: expected a new or empty folder", path);
        close(folder);
        return -1;
    }
    return folder;
}

enum status grade_sources_write(struct grade *grade, const struct grade_options *options,
                                const struct grade_skeleton *skeleton, const char *folder,
                                struct grade_gathered *gathered, struct error *error) {
    int out = open_empty(folder, error);
    if (out < 0) {
        return STATUS_BAD_INPUT;
    }
    enum status status = STATUS_OK;
    for (int i = 0; i < grade->submission_count && status == STATUS_OK; i++) {
        if (options->stop && atomic_load(options->stop)) {
            break;
        }
        if (options->progress) {
            options->progress(options->user, grade, i, grade->submission_count, grade->submissions[i].name);
        }
        status = write_one(grade, i, options, skeleton, out, gathered, error);
    }
    close(out);
    return status;
}
