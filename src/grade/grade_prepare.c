#include "grade/grade_prepare.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade/find/grade_tree.h"
#include "grade/find/grade_unpack.h"
#include "grade/grade_pythons.h"

#define SELF_INSIDE "/sortie"
#define HANDED_IN "handed-in" /* in the scratch folder */
#define SCRIPT "sortie-build" /* likewise */
#define BUILD "/build"
#define MOST_SHOWN_SCRIPT 2000
/* What a command to run may have; a warden takes more. */
#define MOST_COMMAND_WORDS 60
#define MOST_COMMAND_BYTES 32768

/* One submission on its way. */
struct preparing {
    struct warden *warden;
    struct grade_submission *submission;
    const struct grade_options *options;
    struct grade_plan *plan;
    struct grade_way *way; /* the one that is being built; NULL: none yet */
    struct error *error;
};

/* -- what goes wrong -- */

static __attribute__((format(printf, 3, 4))) void set_problem(struct preparing *preparing, enum grade_build_state state,
                                                              const char *format, ...) {
    char problem[sizeof preparing->plan->problem];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem, sizeof problem, format, arguments);
    va_end(arguments);
    if (preparing->way) {
        grade_way_give_up(preparing->way, state, "%s", problem);
    } else {
        preparing->plan->state = state;
        memcpy(preparing->plan->problem, problem, sizeof problem);
    }
}

/* How a run ended that did not end by itself; `what` begins the sentence. */
static void explain_end(struct preparing *preparing, const char *what, const struct warden_report *report) {
    enum grade_build_state failed = GRADE_BUILD_FAILED;
    switch (report->end) {
    case WARDEN_TIMEOUT:
        set_problem(preparing, failed, "%s takes more than %g s", what, preparing->options->build_seconds);
        break;
    case WARDEN_FLOODED:
        set_problem(preparing, failed, "%s wrote more than is allowed", what);
        break;
    case WARDEN_FORKED:
        set_problem(preparing, failed, "%s started more processes than is allowed", what);
        break;
    case WARDEN_MEMORY:
        set_problem(preparing, failed, "%s used more memory than is allowed", what);
        break;
    default:
        set_problem(preparing, failed, "%s was ended (%d)", what, report->code);
        break;
    }
}

/* -- the steps inside -- */

/* Takes the plan that a step has left. */
static enum status take_plan(struct preparing *preparing, const char *what) {
    struct text bytes = TEXT_EMPTY;
    struct error reason = {0};
    enum status status = STATUS_OK;
    enum warden_file file = warden_get(preparing->warden, GRADE_PLAN_FILE, GRADE_MOST_PLAN, &bytes, &reason);
    if (file == WARDEN_FILE_FAILED) {
        status = error_machine(preparing->error, "%s", reason.text);
    } else if (file != WARDEN_FILE_READ) {
        set_problem(preparing, GRADE_BUILD_UNREADABLE, "%s", reason.text);
    } else {
        grade_plan_free(preparing->plan);
        if (!grade_plan_read(preparing->plan, &bytes)) {
            status = error_machine(preparing->error, "%s left no plan", what);
        }
    }
    text_free(&bytes);
    return status;
}

/* Runs a step of our own and takes its plan. */
static enum status run_step(struct preparing *preparing, const char *const *words, const char *what) {
    struct text *messages = &preparing->submission->build.messages;
    struct warden_limits limits = preparing->options->limits;
    struct warden_report report;
    size_t before = messages->length;
    limits.wall_seconds = preparing->options->build_seconds;
    enum status status = warden_run(preparing->warden, words, &limits, &report, messages, preparing->error);
    if (status != STATUS_OK) {
        return status;
    }
    if (report.end == WARDEN_NOT_STARTED) {
        return error_machine(preparing->error, "sortie cannot be started in the sandbox: %s", strerror(report.code));
    }
    if (report.end == WARDEN_EXITED && report.code == GRADE_INSIDE_MACHINE) {
        const char *said = text_string(messages) + before;
        return error_machine(preparing->error, "%s failed: %.*s", what, (int)strcspn(said, "\n"), said);
    }
    if (report.end != WARDEN_EXITED || report.code != 0) {
        explain_end(preparing, what, &report);
        return STATUS_OK;
    }
    return take_plan(preparing, what);
}

/* Files that a platform keeps side by side lie together again, under their own names; one alone stands for itself. */
static enum status hand_over_parts(const struct grade_submission *submission, int folder, const char *name,
                                   struct text *messages, struct error *error) {
    enum status status = STATUS_OK;
    if (submission->part_count == 1) {
        return grade_hand_over_file(submission->parts[0].path, folder, name, messages, error);
    }
    for (int i = 0; i < submission->part_count && status == STATUS_OK; i++) {
        char at[PATH_MAX];
        status = grade_tree_join(at, name, submission->parts[i].name)
                     ? grade_hand_over_file(submission->parts[i].path, folder, at, messages, error)
                     : error_at(error, 0, 0, "a name is too long");
    }
    return status;
}

/* What it is called where it is looked at. */
static const char *name_inside(const struct grade_submission *submission) {
    const char *slash = strrchr(submission->path, '/');
    return submission->part_count == 1 ? submission->parts[0].name
           : submission->part_count    ? "files"
           : slash                     ? slash + 1
                                       : submission->path;
}

/* Copies what was handed in into the scratch folder. */
static enum status hand_over(struct preparing *preparing, const char *name) {
    struct text *messages = &preparing->submission->build.messages;
    struct error cause = {0};
    enum status status = warden_clean(preparing->warden, preparing->error);
    if (status != STATUS_OK) {
        return status;
    }
    int scratch = open(warden_path(preparing->warden), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int folder = scratch >= 0 && mkdirat(scratch, HANDED_IN, 0755) == 0
                     ? openat(scratch, HANDED_IN, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                     : -1;
    const struct grade_submission *submission = preparing->submission;
    status = folder < 0          ? error_machine(&cause, "no folder for what was handed in: %s", strerror(errno))
             : submission->parts ? hand_over_parts(submission, folder, name, messages, &cause)
                                 : grade_hand_over(submission->path, folder, name, messages, &cause);
    if (folder >= 0) {
        close(folder);
    }
    if (scratch >= 0) {
        close(scratch);
    }
    if (status == STATUS_BAD_INPUT) {
        set_problem(preparing, GRADE_BUILD_UNREADABLE, "what was handed in cannot be used: %.200s", cause.text);
        return STATUS_OK;
    }
    if (status == STATUS_FAIL) {
        *preparing->error = cause;
    }
    return status;
}

/* Tells a step about the submission. */
static enum status put_brief(struct preparing *preparing) {
    struct grade_brief brief = {preparing->options->course, preparing->submission->wish};
    const char *run_command = preparing->options->run_command;
    struct text bytes = TEXT_EMPTY;
    if (!brief.wish.command[0]) {
        snprintf(brief.wish.command, sizeof brief.wish.command, "%s",
                 run_command && *run_command ? run_command : preparing->plan->wish.command);
    }
    grade_brief_write(&brief, &bytes);
    enum status status =
        warden_put(preparing->warden, GRADE_BRIEF_FILE, text_string(&bytes), bytes.length, preparing->error);
    text_free(&bytes);
    return status;
}

/* Step 1. */
static enum status lay_out(struct preparing *preparing) {
    const struct grade_options *options = preparing->options;
    struct warden_view view = {.build = WARDEN_BUILD_NEW, .keep_output = true};
    const char *name = name_inside(preparing->submission);
    char source[PATH_MAX];
    snprintf(source, sizeof source, "/scratch/" HANDED_IN "/%s", name);
    const char *const words[] = {SELF_INSIDE, "grade", GRADE_INSIDE, GRADE_INSIDE_LAY_OUT, source, BUILD, NULL};
    warden_view_add(&view, options->self, SELF_INSIDE);
    enum status status = warden_show(preparing->warden, &view, preparing->error);
    /* Nothing of the submission is shown: what cannot be, is ours. */
    status = status == STATUS_BAD_INPUT ? STATUS_FAIL : status;
    if (status == STATUS_OK) {
        status = hand_over(preparing, name);
    }
    if (status == STATUS_OK && preparing->plan->state == GRADE_BUILD_UNKNOWN) {
        status = put_brief(preparing);
        status = status == STATUS_OK ? run_step(preparing, words, "looking at it") : status;
    }
    return status;
}

/* Step 4. */
static enum status look_again(struct preparing *preparing) {
    const struct grade_options *options = preparing->options;
    struct warden_view view = {.build = WARDEN_BUILD_WRITE, .keep_output = true};
    const char number[2] = {(char)('0' + (preparing->way - preparing->plan->ways)), '\0'};
    const char *const words[] = {SELF_INSIDE, "grade", GRADE_INSIDE, GRADE_INSIDE_LOOK_AGAIN, BUILD, number, NULL};
    struct text plan = TEXT_EMPTY;
    grade_plan_write(preparing->plan, &plan);
    warden_view_add(&view, options->self, SELF_INSIDE);
    enum status status = warden_show(preparing->warden, &view, preparing->error);
    status = status == STATUS_BAD_INPUT ? STATUS_FAIL : status;
    if (status == STATUS_OK) {
        status = warden_clean(preparing->warden, preparing->error);
    }
    if (status == STATUS_OK) {
        status = warden_put(preparing->warden, GRADE_PLAN_FILE, text_string(&plan), plan.length, preparing->error);
    }
    status = status == STATUS_OK ? put_brief(preparing) : status;
    text_free(&plan);
    return status == STATUS_OK ? run_step(preparing, words, "looking at what was built") : status;
}

/* -- the build -- */

/* Where the line of a compiler's messages begins that says what is wrong; NULL when none does. A command that is
 * echoed may have the word in it (-Werror), and so may what make says at the end. */
static const char *first_error(const char *messages) {
    static const char *const signs[] = {"error: ", "undefined reference", "rror: ", "not found", "error", NULL};
    for (const char *const *sign = signs; *sign; sign++) {
        const char *at = strcasestr(messages, *sign);
        if (at) {
            while (at > messages && at[-1] != '\n') {
                at--;
            }
            return at;
        }
    }
    return NULL;
}

/* It goes into the reason. */
static void quote_first_error(struct grade_way *way, const char *messages) {
    const char *at = first_error(messages);
    if (at) {
        size_t length = strlen(way->problem);
        snprintf(way->problem + length, sizeof way->problem - length, ": %.*s", (int)strcspn(at, "\r\n"), at);
    }
}

/* A build that failed for want of a tool or a header this machine could have is not the student's fault. */
static void find_lack(struct grade_way *way, const char *messages) {
    static const char *const lacks[][3] = {{"javac: not found", "javac", "default-jdk-headless"},
                                           {"make: javac: No such file", "javac", "default-jdk-headless"},
                                           {"g++: not found", "g++", "g++"},
                                           {"make: g++: No such file", "g++", "g++"},
                                           {"clang++: not found", "clang++", "clang"},
                                           {"make: clang++: No such file", "clang++", "clang"},
                                           {"clang: not found", "clang", "clang"},
                                           {"make: clang: No such file", "clang", "clang"},
                                           {"cmake: not found", "cmake", "cmake"},
                                           {"error: package javafx", "JavaFX", "openjfx"},
                                           {"fatal error: boost/", "boost", "libboost-all-dev"},
                                           {"fatal error: Eigen/", "Eigen", "libeigen3-dev"},
                                           {"fatal error: gmp.h", "gmp", "libgmp-dev"},
                                           {"fatal error: ncurses.h", "ncurses", "libncurses-dev"}};
    if (strstr(messages, "fatal error: windows.h") || strstr(messages, "fatal error: conio.h")) {
        snprintf(way->missing_tool, sizeof way->missing_tool, "Windows");
        grade_way_give_up(way, GRADE_BUILD_LACKS_TOOL, "is written for Windows (windows.h or conio.h)");
        return;
    }
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++) {
        if (strstr(messages, lacks[i][0])) {
            snprintf(way->missing_tool, sizeof way->missing_tool, "%s", lacks[i][1]);
            grade_way_give_up(way, GRADE_BUILD_LACKS_TOOL,
                              "needs %s, which is not installed on this machine: apt-get install %s", lacks[i][1],
                              lacks[i][2]);
            return;
        }
    }
}

/* What a program prints may have zeros in it. */
static void drop_zeros(struct text *text) {
    for (size_t i = 0; i < text->length; i++) {
        text->data[i] = text->data[i] ? text->data[i] : '?';
    }
}

/* Runs a script in the submission's folder, for at most so many seconds. It goes in as a file: a command line is too
 * short for many sources. */
static enum status run_script(struct preparing *preparing, const char *commands, double seconds, struct text *messages,
                              struct warden_report *report) {
    struct warden_limits limits = preparing->options->limits;
    struct warden_view view = {.build = WARDEN_BUILD_WRITE, .keep_output = true};
    struct text script = TEXT_EMPTY;
    char folder[PATH_MAX + sizeof BUILD];
    snprintf(folder, sizeof folder, BUILD "/%s", preparing->plan->folder);
    const char *const words[] = {"/bin/sh", "/scratch/" SCRIPT, folder, NULL};
    text_addf(&script, "cd -- \"$1\" || exit 127\nset --\n%s\n", commands);
    limits.wall_seconds = seconds;
    enum status status = warden_show(preparing->warden, &view, preparing->error);
    if (status == STATUS_OK) {
        status = warden_clean(preparing->warden, preparing->error);
    }
    if (status == STATUS_OK) {
        status = warden_put(preparing->warden, SCRIPT, text_string(&script), script.length, preparing->error);
    }
    if (status == STATUS_OK) {
        status = warden_run(preparing->warden, words, &limits, report, messages, preparing->error);
    }
    text_free(&script);
    return status;
}

/* A build that failed may be one that an older compiler, or a newer one, would have liked. Of those that fail too
 * nothing is said: the reason is what the first one was. Each has the whole time, because on a busy machine the first
 * took most of it; one that does not end is the last. */
static enum status build_otherwise(struct preparing *preparing, bool *built) {
    struct grade_way *way = preparing->way;
    struct text *messages = &preparing->submission->build.messages;
    enum status status = STATUS_OK;
    const char *note = text_string(&way->others);
    const char *end = note + way->others.length;
    bool going = true;
    while (note < end && status == STATUS_OK && !*built && going) {
        const char *script = note + strlen(note) + 1;
        struct warden_report report = {0};
        struct text said = TEXT_EMPTY;
        status = run_script(preparing, script, preparing->options->build_seconds, &said, &report);
        going = status == STATUS_OK && report.end == WARDEN_EXITED;
        *built = going && report.code == 0;
        if (*built) {
            size_t length = strlen(way->why);
            snprintf(way->why + length, sizeof way->why - length, "; %s", note);
            text_addf(messages, "%s:\n$ %.*s\n", note, MOST_SHOWN_SCRIPT, script);
            text_add(messages, text_string(&said), said.length);
            drop_zeros(messages);
        }
        text_free(&said);
        note = script + strlen(script) + 1;
    }
    return status;
}

/* Step 3. */
static enum status build(struct preparing *preparing) {
    struct grade_way *way = preparing->way;
    struct text *messages = &preparing->submission->build.messages;
    double seconds = preparing->options->build_seconds;
    struct warden_report report = {0};
    bool built = false;
    text_addf(messages, "$ %.*s\n", MOST_SHOWN_SCRIPT, text_string(&way->script));
    size_t before = messages->length;
    enum status status = run_script(preparing, text_string(&way->script), seconds, messages, &report);
    if (status != STATUS_OK) {
        return status;
    }
    if (report.end == WARDEN_NOT_STARTED) {
        return error_machine(preparing->error, "/bin/sh cannot be started in the sandbox: %s", strerror(report.code));
    }
    drop_zeros(messages);
    if (report.end == WARDEN_EXITED && report.code != 0) {
        status = build_otherwise(preparing, &built);
    }
    if (report.end != WARDEN_EXITED) {
        explain_end(preparing, "building it", &report);
    } else if (report.code != 0 && !built && status == STATUS_OK) {
        const char *said = text_string(messages) + before;
        set_problem(preparing, GRADE_BUILD_FAILED, "does not build (%.100s ended with status %d)", way->how,
                    report.code);
        quote_first_error(way, said);
        find_lack(way, said);
    }
    return status;
}

/* -- the whole -- */

/* What was said goes before what was found: by the teacher for this submission, for all, or by its own folder. */
static void take_commands(struct preparing *preparing) {
    const struct grade_options *options = preparing->options;
    const struct grade_wish *wish = &preparing->submission->wish;
    struct grade_plan *plan = preparing->plan;
    const char *builds[] = {wish->build, options->build_command, plan->wish.build};
    const char *runs[] = {wish->command, options->run_command, plan->wish.command};
    static const char *const who[] = {"the teacher says so", "--build or --run", GRADE_WISH_FILE " says so"};
    if (plan->state == GRADE_BUILD_UNREADABLE || plan->state == GRADE_BUILD_FAILED) {
        return;
    }
    int build = 0;
    int run = 0;
    while (build < 3 && !(builds[build] && *builds[build])) {
        build++;
    }
    while (run < 3 && !(runs[run] && *runs[run])) {
        run++;
    }
    struct grade_way *way = &plan->ways[0];
    if (build == 3 &&
        (run == 3 || (plan->way_count > 0 && way->state == GRADE_BUILD_READY && way->script.length > 0))) {
        return;
    }
    /* One way is left: the one that was said. */
    for (int i = 1; i < plan->way_count; i++) {
        grade_way_free(&plan->ways[i]);
    }
    if (plan->way_count > 0) {
        grade_way_free(way);
    }
    *way = (struct grade_way){.state = GRADE_BUILD_READY};
    plan->way_count = 1;
    plan->state = GRADE_BUILD_READY;
    snprintf(way->how, sizeof way->how, "%s", build < 3 ? builds[build] : runs[run]);
    snprintf(way->why, sizeof way->why, "%s", who[build < 3 ? build : run]);
    text_add_string(&way->script, build < 3 ? builds[build] : "");
}

/* Whether somebody has given the command that runs it. */
static bool is_given(const struct preparing *preparing) {
    const char *run_command = preparing->options->run_command;
    return (run_command && *run_command) || preparing->submission->wish.command[0] || preparing->plan->wish.command[0];
}

enum status grade_prepare(struct grade_prepared *prepared, struct warden *warden, struct grade_submission *submission,
                          const struct grade_options *options, struct error *error) {
    struct preparing preparing = {
        .warden = warden, .submission = submission, .options = options, .plan = &prepared->plan, .error = error};
    *prepared = (struct grade_prepared){0};
    text_free(&submission->build.messages);
    submission->build = (struct grade_build){0};
    enum status status = lay_out(&preparing);
    if (status != STATUS_OK) {
        return status;
    }
    take_commands(&preparing);
    submission->build.state = prepared->plan.state;
    snprintf(submission->build.problem, sizeof submission->build.problem, "%s", prepared->plan.problem);
    return is_given(&preparing) ? STATUS_OK : grade_pythons_settle(prepared, warden, submission, options, error);
}

/* Whether the command is one a warden can run. */
static bool is_command(const struct text *command) {
    int words = 0;
    for (size_t i = 0; i < command->length; i++) {
        words += command->data[i] == '\0';
    }
    return words <= MOST_COMMAND_WORDS && command->length <= MOST_COMMAND_BYTES;
}

/* The words of the way. Java takes its heap from the machine's memory and not from what a program may have, and would
 * fail where it could have tidied up. */
static void add_command(const struct preparing *preparing, struct text *command) {
    const struct text *words = &preparing->way->command;
    const char *first = text_string(words);
    size_t used = 0;
    if (strcmp(first, "java") == 0 && !is_given(preparing)) {
        used = strlen(first) + 1;
        text_add(command, first, used);
        text_add(command, "-XX:+UseSerialGC", sizeof "-XX:+UseSerialGC");
        text_addf(command, "-Xmx%dm", (int)(preparing->options->limits.memory_bytes / 8 * 5 >> 20));
        text_add_char(command, '\0');
    }
    text_add(command, first + used, words->length - used);
    text_add_char(command, '\0');
}

/* Hands the way on: what is known about the build, and the words that run it. */
static void finish(struct preparing *preparing, const struct grade_interpreter *python, struct text *command) {
    struct grade_way *way = preparing->way;
    struct grade_build *build = &preparing->submission->build;
    if (way->state == GRADE_BUILD_READY && way->command.length == 0) {
        set_problem(preparing, GRADE_BUILD_NO_PROGRAM, "no program found");
    } else if (way->state == GRADE_BUILD_READY && !is_command(&way->command)) {
        set_problem(preparing, GRADE_BUILD_NO_PROGRAM, "the command that would run it is too long");
    }
    build->state = way->state;
    memcpy(build->file, way->file, sizeof build->file);
    memcpy(build->how, way->how, sizeof build->how);
    snprintf(build->why, sizeof build->why, "%s", way->why);
    memcpy(build->problem, way->problem, sizeof build->problem);
    memcpy(build->missing_tool, way->missing_tool, sizeof build->missing_tool);
    if (python) {
        snprintf(build->tool, sizeof build->tool, "Python %s", python->version);
    } else {
        grade_tool_version(preparing->warden, way, preparing->options, build->tool);
    }
    add_command(preparing, command);
}

enum status grade_prepare_way(struct grade_prepared *prepared, int number, struct warden *warden,
                              struct grade_submission *submission, const struct grade_options *options,
                              struct text *command, struct error *error) {
    struct preparing preparing = {.warden = warden,
                                  .submission = submission,
                                  .options = options,
                                  .plan = &prepared->plan,
                                  .way = &prepared->plan.ways[number],
                                  .error = error};
    struct grade_way *way = preparing.way;
    enum status status = STATUS_OK;
    if (way->state == GRADE_BUILD_READY && way->script.length > 0) {
        status = build(&preparing);
    }
    if (status == STATUS_OK && way->state == GRADE_BUILD_READY && (is_given(&preparing) || way->command.length == 0)) {
        status = look_again(&preparing);
        if (status == STATUS_OK && way->is_python && !prepared->pythons[number]) {
            status = grade_pythons_settle_one(prepared, number, warden, submission, options, error);
        }
    }
    if (status == STATUS_OK) {
        finish(&preparing, prepared->pythons[number], command);
        status =
            command->broken || submission->build.messages.broken ? error_machine(error, "out of memory") : STATUS_OK;
    }
    struct warden_view runs = {.build = WARDEN_BUILD_READ};
    grade_pythons_show(prepared->pythons[number], &runs);
    return status == STATUS_OK ? warden_show(warden, &runs, error) : status;
}

enum status grade_prepare_first(struct grade_prepared *prepared, struct warden *warden,
                                struct grade_submission *submission, const struct grade_options *options,
                                struct text *command, struct error *error) {
    enum status status = grade_prepare(prepared, warden, submission, options, error);
    for (int i = 0; i < prepared->plan.way_count && status == STATUS_OK; i++) {
        command->length = 0;
        status = grade_prepare_way(prepared, i, warden, submission, options, command, error);
        if (submission->build.state == GRADE_BUILD_READY) {
            break;
        }
    }
    return status;
}

void grade_prepared_free(struct grade_prepared *prepared) {
    grade_plan_free(&prepared->plan);
}
