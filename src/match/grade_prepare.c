#include "match/grade_prepare.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MOST_PLAN_BYTES 65536
#define SELF_INSIDE "/sortie"
#define HANDED_IN "/handed-in/"
#define LAID_OUT                                                                                                       \
    "/build/submission" /* what lies beside it is nobody else's, also for a program that looks up from it */

/* Takes one zero-ended text off the plan. */
static const char *take_text(const char **at, const char *end) {
    const char *text = *at;
    const char *zero = text < end ? memchr(text, '\0', (size_t)(end - text)) : NULL;
    *at = zero ? zero + 1 : end;
    return zero ? text : "";
}

static void read_plan(const struct text *plan, struct grade_build *build, struct text *command) {
    const char *at = text_string(plan);
    const char *end = at + plan->length;
    snprintf(build->how, sizeof build->how, "%s", take_text(&at, end));
    snprintf(build->problem, sizeof build->problem, "%s", take_text(&at, end));
    snprintf(build->missing_tool, sizeof build->missing_tool, "%s", take_text(&at, end));
    if (at < end && end[-1] == '\0') {
        text_add(command, at, (size_t)(end - at));
        text_add_char(command, '\0');
    }
    build->ready = !build->problem[0] && command->length > 1 && command->data[0];
    if (!build->ready && !build->problem[0]) {
        snprintf(build->problem, sizeof build->problem, "no program found");
    }
}

/* Why there is no plan. */
static void explain_end(const struct warden_report *report, const struct grade_options *options,
                        struct grade_build *build) {
    size_t size = sizeof build->problem;
    switch (report->end) {
    case WARDEN_TIMEOUT:
        snprintf(build->problem, size, "does not build within %g s", options->build_seconds);
        break;
    case WARDEN_FLOODED:
        snprintf(build->problem, size, "building it wrote more than is allowed");
        break;
    case WARDEN_FORKED:
        snprintf(build->problem, size, "building it started more processes than is allowed");
        break;
    case WARDEN_MEMORY:
        snprintf(build->problem, size, "building it used more memory than is allowed");
        break;
    default:
        snprintf(build->problem, size, "building it was ended (%d)", report->code);
        break;
    }
}

/* The first line of the compiler's messages that speaks of an error goes into the reason. */
static void quote_first_error(struct grade_build *build) {
    /* The first lines are our own: what was left out of an archive, and "$ COMMAND". */
    const char *from = text_string(&build->messages);
    while (strncmp(from, "left out:", 9) == 0 || strncmp(from, "$ ", 2) == 0) {
        from += strcspn(from, "\n");
        from += *from == '\n';
    }
    const char *at = strcasestr(from, "error");
    if (!at || strncmp(build->problem, "does not build", 14) != 0) {
        return;
    }
    while (at > from && at[-1] != '\n') {
        at--;
    }
    size_t length = strlen(build->problem);
    snprintf(build->problem + length, sizeof build->problem - length, ": %.*s", (int)strcspn(at, "\r\n"), at);
}

enum status grade_prepare(struct warden *warden, struct grade_submission *submission,
                          const struct grade_options *options, struct text *command, struct error *error) {
    struct grade_build *build = &submission->build;
    struct warden_view view = {.build = WARDEN_BUILD_NEW, .keep_output = true};
    char source[PATH_MAX];
    const char *slash = strrchr(submission->path, '/');
    snprintf(source, sizeof source, HANDED_IN "%s", slash ? slash + 1 : submission->path);
    warden_view_add(&view, options->self, SELF_INSIDE);
    warden_view_add(&view, submission->path, source);
    const char *const words[] = {SELF_INSIDE,
                                 "grade",
                                 GRADE_INSIDE,
                                 source,
                                 LAID_OUT,
                                 options->build_command ? options->build_command : "",
                                 options->run_command ? options->run_command : "",
                                 NULL};
    struct warden_limits limits = options->limits;
    struct warden_report report;
    limits.wall_seconds = options->build_seconds;
    text_free(&build->messages);
    *build = (struct grade_build){.known = true};
    enum status status = warden_show(warden, &view, error);
    if (status == STATUS_OK) {
        status = warden_clean(warden, error);
    }
    if (status == STATUS_OK) {
        status = warden_run(warden, words, &limits, &report, &build->messages, error);
    }
    struct text plan = TEXT_EMPTY;
    if (status == STATUS_OK && report.end == WARDEN_EXITED &&
        warden_get(warden, "plan", MOST_PLAN_BYTES, &plan, NULL) == WARDEN_FILE_READ) {
        read_plan(&plan, build, command);
    } else if (status == STATUS_OK) {
        explain_end(&report, options, build);
    }
    text_free(&plan);
    for (size_t i = 0; i < build->messages.length; i++) {
        build->messages.data[i] = build->messages.data[i] ? build->messages.data[i] : '?';
    }
    quote_first_error(build);
    struct warden_view runs = {.build = WARDEN_BUILD_READ};
    return status == STATUS_OK ? warden_show(warden, &runs, error) : status;
}
