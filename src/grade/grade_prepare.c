#include "grade/grade_prepare.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade/find/grade_unpack.h"

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
    struct grade_plan plan;
    struct text bytes; /* the plan as it came */
    struct error *error;
};

/* -- what goes wrong -- */

static void set_problem(struct preparing *preparing, enum grade_build_state state, const char *problem) {
    preparing->plan.state = state;
    snprintf(preparing->plan.problem, sizeof preparing->plan.problem, "%s", problem);
}

/* How a run ended that did not end by itself; `what` begins the sentence. */
static void explain_end(struct preparing *preparing, const char *what, const struct warden_report *report) {
    char problem[200];
    switch (report->end) {
    case WARDEN_TIMEOUT:
        snprintf(problem, sizeof problem, "%s takes more than %g s", what, preparing->options->build_seconds);
        break;
    case WARDEN_FLOODED:
        snprintf(problem, sizeof problem, "%s wrote more than is allowed", what);
        break;
    case WARDEN_FORKED:
        snprintf(problem, sizeof problem, "%s started more processes than is allowed", what);
        break;
    case WARDEN_MEMORY:
        snprintf(problem, sizeof problem, "%s used more memory than is allowed", what);
        break;
    default:
        snprintf(problem, sizeof problem, "%s was ended (%d)", what, report->code);
        break;
    }
    set_problem(preparing, GRADE_BUILD_FAILED, problem);
}

/* -- the steps inside -- */

/* Runs a step of our own and takes its plan. */
static enum status run_step(struct preparing *preparing, const char *const *words, const char *what) {
    struct text *messages = &preparing->submission->build.messages;
    struct warden_limits limits = preparing->options->limits;
    struct warden_report report;
    struct error reason = {0};
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
    grade_plan_free(&preparing->plan);
    preparing->plan = (struct grade_plan){0};
    preparing->bytes.length = 0;
    if (report.end != WARDEN_EXITED || report.code != 0) {
        explain_end(preparing, what, &report);
        return STATUS_OK;
    }
    enum warden_file file = warden_get(preparing->warden, GRADE_PLAN_FILE, GRADE_MOST_PLAN, &preparing->bytes, &reason);
    if (file == WARDEN_FILE_FAILED) {
        return error_machine(preparing->error, "%s", reason.text);
    }
    if (file != WARDEN_FILE_READ) {
        set_problem(preparing, GRADE_BUILD_UNREADABLE, reason.text);
    } else if (!grade_plan_read(&preparing->plan, &preparing->bytes)) {
        return error_machine(preparing->error, "%s left no plan", what);
    }
    return STATUS_OK;
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
    status = folder >= 0 ? grade_hand_over(preparing->submission->path, folder, name, messages, &cause)
                         : error_machine(&cause, "no folder for what was handed in: %s", strerror(errno));
    if (folder >= 0) {
        close(folder);
    }
    if (scratch >= 0) {
        close(scratch);
    }
    if (status == STATUS_BAD_INPUT) {
        char problem[300];
        snprintf(problem, sizeof problem, "what was handed in cannot be used: %.200s", cause.text);
        set_problem(preparing, GRADE_BUILD_UNREADABLE, problem);
        return STATUS_OK;
    }
    if (status == STATUS_FAIL) {
        *preparing->error = cause;
    }
    return status;
}

/* Step 1. */
static enum status lay_out(struct preparing *preparing) {
    const struct grade_options *options = preparing->options;
    struct warden_view view = {.build = WARDEN_BUILD_NEW, .keep_output = true};
    const char *slash = strrchr(preparing->submission->path, '/');
    const char *name = slash ? slash + 1 : preparing->submission->path;
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
    if (status == STATUS_OK && preparing->plan.state == GRADE_BUILD_UNKNOWN) {
        status = run_step(preparing, words, "looking at it");
    }
    return status;
}

/* Step 3. */
static enum status look_again(struct preparing *preparing) {
    const struct grade_options *options = preparing->options;
    struct warden_view view = {.build = WARDEN_BUILD_WRITE, .keep_output = true};
    const char *run_command = options->run_command ? options->run_command : "";
    const char *const words[] = {SELF_INSIDE, "grade", GRADE_INSIDE, GRADE_INSIDE_LOOK_AGAIN, BUILD, run_command, NULL};
    struct text plan = TEXT_EMPTY;
    grade_plan_write(&preparing->plan, &plan);
    warden_view_add(&view, options->self, SELF_INSIDE);
    enum status status = warden_show(preparing->warden, &view, preparing->error);
    status = status == STATUS_BAD_INPUT ? STATUS_FAIL : status;
    if (status == STATUS_OK) {
        status = warden_clean(preparing->warden, preparing->error);
    }
    if (status == STATUS_OK) {
        status = warden_put(preparing->warden, GRADE_PLAN_FILE, text_string(&plan), plan.length, preparing->error);
    }
    text_free(&plan);
    return status == STATUS_OK ? run_step(preparing, words, "looking at what was built") : status;
}

/* -- the build -- */

/* The first line of the compiler's messages that speaks of an error goes into the reason. */
static void quote_first_error(struct grade_plan *plan, const char *messages) {
    const char *at = strcasestr(messages, "error");
    if (!at) {
        return;
    }
    while (at > messages && at[-1] != '\n') {
        at--;
    }
    size_t length = strlen(plan->problem);
    snprintf(plan->problem + length, sizeof plan->problem - length, ": %.*s", (int)strcspn(at, "\r\n"), at);
}

/* What a program prints may have zeros in it. */
static void drop_zeros(struct text *text) {
    for (size_t i = 0; i < text->length; i++) {
        text->data[i] = text->data[i] ? text->data[i] : '?';
    }
}

/* Runs the script in the submission's folder. It goes in as a file: a command line is too short for many sources. */
static enum status run_script(struct preparing *preparing, struct warden_report *report) {
    struct text *messages = &preparing->submission->build.messages;
    struct warden_limits limits = preparing->options->limits;
    struct warden_view view = {.build = WARDEN_BUILD_WRITE, .keep_output = true};
    struct text script = TEXT_EMPTY;
    char folder[PATH_MAX + sizeof BUILD];
    snprintf(folder, sizeof folder, BUILD "/%s", preparing->plan.folder);
    const char *const words[] = {"/bin/sh", "/scratch/" SCRIPT, folder, NULL};
    text_addf(&script, "cd -- \"$1\" || exit 127\nset --\n%s\n", text_string(&preparing->plan.script));
    limits.wall_seconds = preparing->options->build_seconds;
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

/* Step 2. */
static enum status build(struct preparing *preparing) {
    struct grade_plan *plan = &preparing->plan;
    struct text *messages = &preparing->submission->build.messages;
    struct warden_report report;
    text_addf(messages, "$ %.*s\n", MOST_SHOWN_SCRIPT, text_string(&plan->script));
    size_t before = messages->length;
    enum status status = run_script(preparing, &report);
    if (status != STATUS_OK) {
        return status;
    }
    if (report.end == WARDEN_NOT_STARTED) {
        return error_machine(preparing->error, "/bin/sh cannot be started in the sandbox: %s", strerror(report.code));
    }
    drop_zeros(messages);
    if (report.end != WARDEN_EXITED) {
        explain_end(preparing, "building it", &report);
    } else if (report.code != 0) {
        plan->state = GRADE_BUILD_FAILED;
        snprintf(plan->problem, sizeof plan->problem, "does not build (%.100s ended with status %d)", plan->how,
                 report.code);
        quote_first_error(plan, text_string(messages) + before);
    }
    return STATUS_OK;
}

/* -- the whole -- */

/* What the teacher has said goes before what was found. */
static void take_commands(struct preparing *preparing) {
    const struct grade_options *options = preparing->options;
    struct grade_plan *plan = &preparing->plan;
    const char *build_command = options->build_command ? options->build_command : "";
    const char *run_command = options->run_command ? options->run_command : "";
    if (plan->state == GRADE_BUILD_UNREADABLE || plan->state == GRADE_BUILD_FAILED) {
        return;
    }
    if (*build_command) {
        plan->state = GRADE_BUILD_READY;
        plan->problem[0] = plan->missing_tool[0] = '\0';
        plan->command.length = plan->script.length = 0;
        snprintf(plan->how, sizeof plan->how, "%s", build_command);
        text_add_string(&plan->script, build_command);
    }
    if (*run_command && (plan->state != GRADE_BUILD_READY || plan->script.length == 0)) {
        plan->state = GRADE_BUILD_READY;
        plan->problem[0] = plan->missing_tool[0] = '\0';
        plan->script.length = 0;
        snprintf(plan->how, sizeof plan->how, "%s", run_command);
    }
}

/* Whether the command is one a warden can run. */
static bool is_command(const struct text *command) {
    int words = 0;
    for (size_t i = 0; i < command->length; i++) {
        words += command->data[i] == '\0';
    }
    return words <= MOST_COMMAND_WORDS && command->length <= MOST_COMMAND_BYTES;
}

/* Hands the plan on: what is known about the build, and the words that run it. */
static void finish(struct preparing *preparing, struct text *command) {
    struct grade_plan *plan = &preparing->plan;
    struct grade_build *build = &preparing->submission->build;
    if (plan->state == GRADE_BUILD_READY && plan->command.length == 0) {
        set_problem(preparing, GRADE_BUILD_NO_PROGRAM, "no program found");
    } else if (plan->state == GRADE_BUILD_READY && !is_command(&plan->command)) {
        set_problem(preparing, GRADE_BUILD_NO_PROGRAM, "the command that would run it is too long");
    }
    build->state = plan->state;
    memcpy(build->how, plan->how, sizeof build->how);
    memcpy(build->problem, plan->problem, sizeof build->problem);
    memcpy(build->missing_tool, plan->missing_tool, sizeof build->missing_tool);
    text_add(command, text_string(&plan->command), plan->command.length);
    text_add_char(command, '\0');
}

enum status grade_prepare(struct warden *warden, struct grade_submission *submission,
                          const struct grade_options *options, struct text *command, struct error *error) {
    struct preparing preparing = {.warden = warden, .submission = submission, .options = options, .error = error};
    struct grade_plan *plan = &preparing.plan;
    text_free(&submission->build.messages);
    submission->build = (struct grade_build){0};
    enum status status = lay_out(&preparing);
    if (status == STATUS_OK) {
        take_commands(&preparing);
    }
    bool builds = plan->state == GRADE_BUILD_READY && plan->script.length > 0;
    if (status == STATUS_OK && builds) {
        status = build(&preparing);
    }
    bool given = options->run_command && *options->run_command;
    if (status == STATUS_OK && plan->state == GRADE_BUILD_READY && (given || plan->command.length == 0)) {
        status = look_again(&preparing);
    }
    if (status == STATUS_OK) {
        finish(&preparing, command);
        status =
            command->broken || submission->build.messages.broken ? error_machine(error, "out of memory") : STATUS_OK;
    }
    grade_plan_free(plan);
    text_free(&preparing.bytes);
    struct warden_view runs = {.build = WARDEN_BUILD_READ};
    return status == STATUS_OK ? warden_show(warden, &runs, error) : status;
}
