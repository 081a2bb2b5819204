/* The part of preparing a submission that runs inside the sandbox. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "match/grade_detect.h"
#include "match/grade_prepare.h"
#include "match/grade_tree.h"
#include "match/grade_unpack.h"

#define MOST_NESTING 3

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

/* Runs a script in an open folder; its exit status, or 128 and more for a signal. */
static int run_script(const char *script, int folder) {
    fprintf(stderr, "$ %.2000s\n", script);
    pid_t pid = fork();
    if (pid == 0) {
        if (fchdir(folder) == 0) {
            execl("/bin/sh", "sh", "-c", script, (char *)NULL);
        }
        _exit(127);
    }
    int status = 0;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return pid < 0 ? 127 : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The words of a command given by the teacher; names of files of the submission are made absolute. */
static void take_run_command(const char *command, int folder, const char *path, struct grade_plan *plan) {
    char spec_text[PLAYER_MOST_SPEC + 16];
    struct player_spec spec;
    struct error error = {0};
    snprintf(spec_text, sizeof spec_text, "program:%s", command);
    if (fchdir(folder) != 0 || player_parse(spec_text, &spec, &error) != STATUS_OK) {
        snprintf(plan->problem, sizeof plan->problem, "the command given to run it: %.200s", error.text);
        return;
    }
    plan->problem[0] = plan->missing_tool[0] = '\0';
    plan->command.length = 0;
    const char *word = spec.command;
    if (!strchr(word, '/') && faccessat(folder, word, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
        text_addf(&plan->command, "%s/", path);
    }
    for (; *word; word += strlen(word) + 1) {
        text_add(&plan->command, word, strlen(word) + 1);
    }
}

/* Archives made elsewhere often lose the right to be run. */
static void allow_running(const struct grade_files *files, int folder) {
    for (int i = 0; i < files->count; i++) {
        if (files->list[i].kind == GRADE_KIND_PROGRAM) {
            fchmodat(folder, files->list[i].path, 0755, 0);
        }
    }
}

/* Builds, and looks for what came out of it. */
static void build(const struct grade_files *before, int folder, const char *path, struct grade_plan *plan) {
    int status = run_script(text_string(&plan->script), folder);
    if (status != 0) {
        snprintf(plan->problem, sizeof plan->problem, "does not build (%.100s ended with status %d)", plan->how,
                 status);
        return;
    }
    if (plan->command.length == 0) {
        struct grade_files after;
        grade_files_read(&after, folder);
        allow_running(&after, folder);
        grade_detect_built(before, &after, folder, path, plan);
        grade_files_free(&after);
    }
}

static void prepare(int folder, const char *path, const char *build_command, const char *run_command,
                    struct grade_plan *plan) {
    struct grade_files files;
    grade_files_read(&files, folder);
    allow_running(&files, folder);
    grade_detect(&files, folder, path, plan);
    if (*build_command) {
        plan->problem[0] = plan->missing_tool[0] = '\0';
        plan->command.length = plan->script.length = 0;
        snprintf(plan->how, sizeof plan->how, "%s", build_command);
        text_add_string(&plan->script, build_command);
    }
    if (*run_command && (plan->problem[0] || plan->script.length == 0)) {
        snprintf(plan->how, sizeof plan->how, "%s", run_command);
        plan->script.length = 0;
        plan->problem[0] = '\0';
    }
    if (!plan->problem[0] && plan->script.length > 0) {
        build(&files, folder, path, plan);
    }
    if (*run_command && strncmp(plan->problem, "does not build", 14) != 0) {
        take_run_command(run_command, folder, path, plan);
    }
    grade_files_free(&files);
}

/* The file for the outside: three texts and the words, each ended by a zero. */
static enum status write_plan(int folder, const struct grade_plan *plan, struct error *error) {
    struct text text = TEXT_EMPTY;
    text_add(&text, plan->how, strlen(plan->how) + 1);
    text_add(&text, plan->problem, strlen(plan->problem) + 1);
    text_add(&text, plan->missing_tool, strlen(plan->missing_tool) + 1);
    text_add(&text, text_string(&plan->command), plan->command.length);
    enum status status = fchdir(folder) != 0 || text.broken ? error_machine(error, "cannot write the plan")
                                                            : file_write("plan", text.data, text.length, error);
    text_free(&text);
    return status;
}

int grade_prepare_inside(const char *source, const char *folder_path, const char *build_command,
                         const char *run_command) {
    struct error error = {0};
    struct text notes = TEXT_EMPTY;
    struct grade_plan plan = {0};
    char path[PATH_MAX];
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    mkdir(folder_path, 0755);
    int folder = open(folder_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (here < 0 || folder < 0 || !realpath(folder_path, path)) {
        fprintf(stderr, "%s: %s\n", folder_path, strerror(errno));
        return 1;
    }
    if (grade_unpack(source, folder, &notes, &error) == STATUS_OK) {
        fputs(text_string(&notes), stderr);
        folder = descend(folder, path);
        prepare(folder, path, build_command, run_command, &plan);
    } else {
        snprintf(plan.problem, sizeof plan.problem, "what was handed in cannot be used: %.200s", error.text);
    }
    enum status status = write_plan(here, &plan, &error);
    if (status != STATUS_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
    text_free(&notes);
    grade_plan_free(&plan);
    close(folder);
    close(here);
    return (int)status;
}
