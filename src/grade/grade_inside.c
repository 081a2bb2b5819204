/* The parts of preparing a submission that run inside the sandbox: this same program, before anything of the submission
 * runs, and again after its build has ended. Both leave their plan in the scratch folder, which is new for each: no
 * process of the submission ever sees it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/words.h"
#include "grade/find/grade_detect.h"
#include "grade/find/grade_tree.h"
#include "grade/find/grade_unpack.h"
#include "grade/grade_prepare.h"
#include "sandbox/warden_folder.h"
#include "system/file.h"

#define MOST_NESTING 3
#define SUBMISSION "submission" /* below the build folder: what lies beside it is nobody else's */

/* Goes down through folders that hold nothing but one folder, as archives often do. `path` follows; the descriptor
 * is replaced. */
static int descend(int folder, char path[PATH_MAX]) {
    for (int level = 0; level < MOST_NESTING; level++) {
        struct dirent **entries;
        int count = scandirat(folder, ".", &entries, NULL, alphasort);
        int kept = 0;
        char only[NAME_MAX + 1] = "";
        for (int i = 0; i < count; i++) {
            if (!grade_tree_is_litter(entries[i]->d_name)) {
                kept++;
                snprintf(only, sizeof only, "%s", entries[i]->d_name);
            }
            free(entries[i]);
        }
        if (count >= 0) {
            free(entries);
        }
        int inner = kept == 1 ? openat(folder, only, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
        char longer[PATH_MAX];
        if (inner < 0 || !grade_tree_join(longer, path, only)) {
            if (inner >= 0) {
                close(inner);
            }
            break;
        }
        close(folder);
        folder = inner;
        memcpy(path, longer, PATH_MAX);
    }
    return folder;
}

/* Archives made elsewhere often lose the right to be run. Names the programs in the plan. */
static void allow_running(const struct grade_files *files, int folder, struct text *programs) {
    for (int i = 0; i < files->count; i++) {
        if (files->list[i].kind == GRADE_KIND_PROGRAM) {
            fchmodat(folder, files->list[i].path, 0755, 0);
            text_add(programs, files->list[i].path, strlen(files->list[i].path) + 1);
        }
    }
}

/* Makes what a compiler has made older than every source. */
static bool make_old(void *user, const struct grade_tree_entry *entry) {
    static const char *const made[] = {".o", ".obj", ".a", ".so", ".class", ".exe", ".out"};
    static const char *const begins[] = {"\177ELF", "MZ", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe"};
    const struct timespec old[2] = {{.tv_sec = GRADE_OLD_TIME}, {.tv_sec = GRADE_OLD_TIME}};
    struct text start = TEXT_EMPTY;
    bool is_made = false;
    (void)user;
    if (!S_ISREG(entry->about.st_mode)) {
        return true;
    }
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        is_made = is_made || grade_tree_ends_with(entry->name, made[i]);
    }
    if (!is_made && grade_tree_read(entry->folder, entry->name, 4, &start)) {
        for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
            size_t length = strlen(begins[i]);
            is_made = is_made || (start.length >= length && memcmp(start.data, begins[i], length) == 0);
        }
    }
    if (is_made) {
        utimensat(entry->folder, entry->name, old, AT_SYMLINK_NOFOLLOW);
    }
    text_free(&start);
    return true;
}

/* Leaves the plan for the outside. */
static int leave_plan(int here, const struct grade_plan *plan) {
    struct error error = {0};
    struct text text = TEXT_EMPTY;
    grade_plan_write(plan, &text);
    enum status status = fchdir(here) != 0 || text.broken ? error_machine(&error, "the plan is too long")
                                                          : file_write(GRADE_PLAN_FILE, text.data, text.length, &error);
    text_free(&text);
    if (status != STATUS_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
    return status == STATUS_OK ? 0 : GRADE_INSIDE_MACHINE;
}

/* -- before the build -- */

/* What lies where no program was found. */
struct others {
    char *problem;
    size_t size;
    int count;
    bool notebook;
};

static bool name_other(void *user, const struct grade_tree_entry *entry) {
    struct others *others = user;
    if (!S_ISREG(entry->about.st_mode)) {
        return true;
    }
    size_t length = strlen(others->problem);
    if (others->count < 3) {
        snprintf(others->problem + length, others->size - length, "%s%.60s", others->count ? ", " : "; there is ",
                 entry->name);
    }
    others->count++;
    others->notebook = others->notebook || grade_tree_ends_with(entry->name, ".ipynb");
    return true;
}

/* Says what was handed in instead of a program. */
static void name_others(int folder, struct grade_plan *plan) {
    struct others others = {.problem = plan->problem, .size = sizeof plan->problem};
    grade_tree_walk(folder, name_other, &others);
    size_t length = strlen(plan->problem);
    snprintf(plan->problem + length, sizeof plan->problem - length, "%s%s", others.count > 3 ? " and more" : "",
             others.notebook ? "; a notebook is no program: it must be saved as a script (.py)" : "");
}

/* Looks at what was laid out in an open folder, called `base`/submission, which is closed. */
static void look(int folder, const char *base, const struct grade_brief *brief, struct grade_plan *plan) {
    char path[PATH_MAX];
    struct grade_files files;
    grade_tree_join(path, base, SUBMISSION);
    folder = descend(folder, path);
    grade_files_read(&files, folder);
    grade_detect(&files, folder, path, brief, plan);
    allow_running(&files, folder, &plan->programs);
    if (files.has_makefile || files.has_cmake) {
        grade_tree_walk(folder, make_old, NULL);
    }
    if (plan->state == GRADE_BUILD_NO_PROGRAM) {
        name_others(folder, plan);
    }
    snprintf(plan->folder, sizeof plan->folder, "%s", path + strlen(base) + 1);
    grade_files_free(&files);
    close(folder);
}

/* What the outside has said about it. */
static bool read_brief(int here, struct grade_brief *brief) {
    struct text text = TEXT_EMPTY;
    bool well = grade_tree_read(here, GRADE_BRIEF_FILE, GRADE_MOST_PLAN, &text) && grade_brief_read(brief, &text);
    text_free(&text);
    if (!well) {
        fprintf(stderr, "there is no brief\n");
    }
    return well;
}

int grade_lay_out(const char *source, const char *build) {
    struct error error = {0};
    struct grade_brief brief;
    struct text notes = TEXT_EMPTY;
    struct grade_plan plan = {0};
    char base[PATH_MAX];
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int top = realpath(build, base) ? open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int folder = top >= 0 && mkdirat(top, SUBMISSION, 0755) == 0
                     ? openat(top, SUBMISSION, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                     : -1;
    if (here < 0 || folder < 0) {
        fprintf(stderr, "%s: %s\n", build, strerror(errno));
        return GRADE_INSIDE_MACHINE;
    }
    if (!read_brief(here, &brief)) {
        return GRADE_INSIDE_MACHINE;
    }
    enum status status = grade_unpack(source, folder, &notes, &error);
    fputs(text_string(&notes), stderr);
    text_free(&notes);
    if (status == STATUS_FAIL) {
        fprintf(stderr, "%s\n", error.text);
        return GRADE_INSIDE_MACHINE;
    }
    if (status == STATUS_OK) {
        look(folder, base, &brief, &plan);
    } else {
        plan.state = GRADE_BUILD_UNREADABLE;
        snprintf(plan.problem, sizeof plan.problem, "what was handed in cannot be used: %.200s", error.text);
        close(folder);
    }
    int exit_status = leave_plan(here, &plan);
    grade_plan_free(&plan);
    close(top);
    close(here);
    return exit_status;
}

/* -- after it -- */

/* Opens a folder below another, whatever the build has made of the way to it: no link is followed, and rights that were
 * taken are taken back. -1 when it is not there any more. */
static int open_below(int top, const char *path) {
    int folder = dup(top);
    while (folder >= 0 && *path) {
        char part[NAME_MAX + 1];
        size_t length = strcspn(path, "/");
        snprintf(part, sizeof part, "%.*s", (int)(length < NAME_MAX ? length : NAME_MAX), path);
        int inner = warden_folder_open(folder, part);
        close(folder);
        folder = inner;
        path += length + (path[length] == '/');
    }
    return folder;
}

/* Where a word of a command leads to: a file where the submission begins, or below all that was handed in. */
static const char *place_of(const char *word, int top, int folder, const char *path, char handed_in[PATH_MAX]) {
    char below[PATH_MAX];
    const char *end = strstr(path, "/" SUBMISSION);
    if (word[0] == '/' || word[0] == '-' || !end) {
        return NULL;
    }
    if (faccessat(folder, word, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
        return path;
    }
    snprintf(handed_in, PATH_MAX, "%.*s/" SUBMISSION, (int)(end - path), path);
    return grade_tree_join(below, SUBMISSION, word) && faccessat(top, below, F_OK, AT_SYMLINK_NOFOLLOW) == 0 ? handed_in
                                                                                                             : NULL;
}

/* The words of a command that was given; names of files of the submission are made absolute. */
static void take_run_command(const char *command, int top, int folder, const char *path, struct grade_way *way) {
    struct text words = TEXT_EMPTY;
    struct error error = {0};
    int count;
    way->command.length = 0;
    way->is_python = false;
    if (words_split(command, &words, &count, &error) != STATUS_OK) {
        grade_way_give_up(way, GRADE_BUILD_NO_PROGRAM, "the command given to run it: %.200s", error.text);
        count = 0;
    }
    const char *word = text_string(&words);
    for (int i = 0; i < count; i++, word += strlen(word) + 1) {
        char handed_in[PATH_MAX];
        const char *place = place_of(word, top, folder, path, handed_in);
        text_addf(&way->command, "%s%s%s", place ? place : "", place ? "/" : "", word);
        text_add_char(&way->command, '\0');
    }
    text_free(&words);
}

/* Looks for what the build made, or takes the command that was given. */
static void look_again(int top, const char *base, const struct grade_brief *brief, struct grade_plan *plan, int way) {
    char path[PATH_MAX];
    struct grade_files files;
    int folder = grade_tree_join(path, base, plan->folder) ? open_below(top, plan->folder) : -1;
    if (folder < 0) {
        grade_way_give_up(&plan->ways[way], GRADE_BUILD_FAILED, "building it removed its own folder");
        return;
    }
    if (brief->wish.command[0]) {
        take_run_command(brief->wish.command, top, folder, path, &plan->ways[way]);
    } else {
        struct text programs = TEXT_EMPTY;
        grade_files_read(&files, folder);
        allow_running(&files, folder, &programs);
        grade_detect_built(&files, folder, path, brief, plan, way);
        grade_files_free(&files);
        text_free(&programs);
    }
    close(folder);
}

int grade_look_again(const char *build, const char *way) {
    struct grade_plan plan = {0};
    struct grade_brief brief;
    struct text text = TEXT_EMPTY;
    char base[PATH_MAX];
    int number = way[0] - '0';
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int top = realpath(build, base) ? open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    bool well = here >= 0 && top >= 0 && grade_tree_read(here, GRADE_PLAN_FILE, GRADE_MOST_PLAN, &text) &&
                grade_plan_read(&plan, &text) && number >= 0 && number < plan.way_count && read_brief(here, &brief);
    if (well) {
        look_again(top, base, &brief, &plan, number);
    } else {
        fprintf(stderr, "%s: %s\n", build, top < 0 ? strerror(errno) : "there is no plan");
    }
    int exit_status = well ? leave_plan(here, &plan) : GRADE_INSIDE_MACHINE;
    grade_plan_free(&plan);
    text_free(&text);
    close(top);
    close(here);
    return exit_status;
}
