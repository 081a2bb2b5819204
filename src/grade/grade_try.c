#include "grade/grade_try.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grade/find/grade_home.h"
#include "grade/grade_judge.h"
#include "grade/grade_pythons.h"

/* So many cases without an answer are run in a copy of the program's own folder, to see whether it needs that. */
#define MOST_VISITS 2

/* What one way came to. */
struct attempt {
    struct grade_build build;
    struct grade_result *results; /* owned: one a case */
    double points;
    bool passed; /* everything */
    bool unread; /* Python could not even read it: it is no program somebody can have meant */
};

struct trying {
    struct warden *warden;
    struct grade *grade;
    int number;
    struct grade_submission *submission;
    const struct grade_options *options;
    const struct grade_keeper *keeper;
    struct grade_prepared prepared;
    bool at_home; /* this way is run in a copy of its own folder */
    int visits;   /* so often that was tried */
    struct attempt attempts[GRADE_MOST_WAYS];
    int count;
    struct error *error;
};

struct grade_options grade_options_for(const struct grade_submission *submission, const struct grade_options *options) {
    struct grade_options own = *options;
    own.seconds = submission->wish.seconds > 0 ? submission->wish.seconds : own.seconds;
    own.limits.memory_bytes =
        submission->wish.memory_bytes > 0 ? submission->wish.memory_bytes : own.limits.memory_bytes;
    return own;
}

static bool stopped(const struct trying *trying) {
    return trying->options->stop && atomic_load(trying->options->stop);
}

static struct grade_result *result_of(const struct trying *trying, int case_number) {
    return &trying->grade->results[trying->number * trying->grade->case_count + case_number];
}

/* -- what the machine lacks -- */

/* This machine cannot run it: nothing is known about the submission. */
static void lack(struct grade_submission *submission, const char *tool, const char *problem) {
    struct grade_build *build = &submission->build;
    build->state = GRADE_BUILD_LACKS_TOOL;
    snprintf(build->missing_tool, sizeof build->missing_tool, "%s", tool);
    snprintf(build->problem, sizeof build->problem, "%s", problem);
}

/* Whether a case failed for a module that this machine could have. Where another interpreter has it, the way is run by
 * that one from now on, and *again is set. */
static bool lacks_module(struct trying *trying, int way, const struct grade_result *result, struct text *command,
                         bool *again) {
    const struct grade_interpreter *python = trying->prepared.pythons[way];
    const struct grade_interpreter *before = python;
    char tool[32];
    char problem[400];
    *again = false;
    if (grade_passed(result) || !python ||
        !grade_pythons_lacks(trying->warden, result->errors, trying->options, &python, tool, problem)) {
        return false;
    }
    if (!python) {
        lack(trying->submission, tool, problem);
        return true;
    }
    struct text words = TEXT_EMPTY;
    struct grade_build *build = &trying->submission->build;
    text_add(&words, python->path, strlen(python->path) + 1);
    text_add(&words, text_string(command) + strlen(before->path) + 1, command->length - strlen(before->path) - 1);
    text_free(command);
    *command = words;
    trying->prepared.pythons[way] = python;
    snprintf(build->tool, sizeof build->tool, "Python %s", python->version);
    snprintf(build->how, sizeof build->how, "Python %s", python->version);
    size_t length = strlen(build->why);
    snprintf(build->why + length, sizeof build->why - length, "; Python %s has the module %s", python->version, tool);
    *again = true;
    return true;
}

/* A program that names what only Python 2 has and was run by Python 3, because there is no other here. */
static bool lacks_two(struct trying *trying, int way, const struct grade_result *result) {
    const struct grade_way *plan = &trying->prepared.plan.ways[way];
    const struct grade_interpreter *python = trying->prepared.pythons[way];
    char problem[400];
    char reason[400];
    bool failed = strstr(result->errors, "NameError") || strstr(result->errors, "ImportError") ||
                  strstr(result->errors, "ModuleNotFoundError") || strstr(result->errors, "AttributeError");
    if (grade_passed(result) || !failed || !python || python->version[0] != '3' ||
        plan->python != GRADE_PYTHON_2_NAMES || trying->submission->wish.python[0] ||
        grade_pythons_get(trying->warden, "2", trying->options, problem)) {
        return false;
    }
    snprintf(reason, sizeof reason,
             "written for Python 2 (%.160s), and there is no python2 on this machine: pyenv install 2.7.18, or "
             "--python 2=PATH",
             plan->sign);
    lack(trying->submission, "python2", reason);
    return true;
}

/* -- one way -- */

/* Shows the warden's runs what they need again, after it was asked something. */
static enum status show_again(const struct trying *trying, int way) {
    struct warden_view runs = {.build = WARDEN_BUILD_READ};
    grade_pythons_show(trying->prepared.pythons[way], &runs);
    return warden_show(trying->warden, &runs, trying->error);
}

/* Runs one case in a copy of the program's own folder; nothing is done where that cannot be. */
static enum status run_at_home(struct trying *trying, const struct grade_case *one, const struct text *command,
                               struct grade_result *result) {
    struct text words = TEXT_EMPTY;
    enum status status = STATUS_OK;
    if (grade_home_command(text_string(command), command->length, trying->prepared.plan.folder,
                           trying->submission->build.file, &words)) {
        status = words.broken
                     ? error_machine(trying->error, "out of memory")
                     : grade_run_case(trying->warden, one, text_string(&words), trying->options, result, trying->error);
    }
    text_free(&words);
    return status;
}

/* A program that left no answer may miss its own files: where it earns more at home, it stays there. */
static enum status visit_home(struct trying *trying, const struct grade_case *one, const struct text *command,
                              struct grade_result *result) {
    struct grade_result other = {0};
    struct grade_build *build = &trying->submission->build;
    bool answered = result->fault != PLAYER_NO_ANSWER && result->fault != PLAYER_CRASHED;
    if (answered || trying->at_home || trying->visits == MOST_VISITS || build->state != GRADE_BUILD_READY) {
        return STATUS_OK;
    }
    trying->visits++;
    enum status status = run_at_home(trying, one, command, &other);
    if (status == STATUS_OK && other.done && grade_result_points(one, &other) > grade_result_points(one, result)) {
        size_t length = strlen(build->why);
        snprintf(build->why + length, sizeof build->why - length, "; run in a copy of its own folder");
        trying->at_home = true;
        struct grade_result before = *result;
        *result = other;
        other = before;
    }
    grade_result_free(&other);
    return status;
}

/* Runs one case, and again where only the interpreter or the folder was the wrong one. */
static enum status run_case(struct trying *trying, int way, int case_number, struct text *command,
                            struct grade_result *result) {
    const struct grade_case *one = &trying->grade->cases[case_number];
    enum status status = STATUS_OK;
    for (bool again = true; again && status == STATUS_OK;) {
        grade_result_free(result);
        status = trying->at_home ? run_at_home(trying, one, command, result)
                                 : grade_run_case(trying->warden, one, text_string(command), trying->options, result,
                                                  trying->error);
        again = false;
        if (status == STATUS_OK && way >= 0 && trying->prepared.pythons[way] && !grade_passed(result)) {
            if (!lacks_module(trying, way, result, command, &again)) {
                lacks_two(trying, way, result);
            }
            status = show_again(trying, way);
        }
    }
    return status == STATUS_OK ? visit_home(trying, one, command, result) : status;
}

/* Judges all cases that have no result in `results` yet; `direct`: keeps each at once. */
static enum status judge_cases(struct trying *trying, int way, struct text *command, struct grade_result *results,
                               bool direct) {
    struct grade_build *build = &trying->submission->build;
    enum status status = STATUS_OK;
    bool going = true;
    bool was_at_home = false;
    trying->at_home = false;
    trying->visits = 0;
    for (int i = 0; i < trying->grade->case_count && going && status == STATUS_OK; i++) {
        struct grade_result result = {0};
        if (results[i].done) {
            continue;
        }
        if (build->state == GRADE_BUILD_READY) {
            status = run_case(trying, way, i, command, &result);
        }
        if (status == STATUS_OK && build->state != GRADE_BUILD_READY) {
            grade_judge_unready(&trying->grade->cases[i], build->problem, &result);
        }
        if (status == STATUS_OK && direct && trying->at_home && !was_at_home) {
            going = trying->keeper->build(trying->keeper->user, trying->submission);
            was_at_home = true;
        }
        if (status == STATUS_OK && direct) {
            going = going && trying->keeper->result(trying->keeper->user, trying->number, i, &result);
            grade_result_free(&result);
        } else if (status == STATUS_OK) {
            results[i] = result;
            going = !stopped(trying);
        } else {
            grade_result_free(&result);
        }
    }
    return status;
}

/* What cannot be run, or is not to be: every case says why. */
static void judge_none(struct trying *trying, const char *reason) {
    for (int i = 0; i < trying->grade->case_count; i++) {
        struct grade_result result = {0};
        grade_judge_unready(&trying->grade->cases[i], reason, &result);
        if (!result_of(trying, i)->done && !trying->keeper->result(trying->keeper->user, trying->number, i, &result)) {
            return;
        }
    }
}

/* Whether nothing but this way can count, now that it is built. */
static bool is_last(const struct trying *trying, int way) {
    const struct grade_plan *plan = &trying->prepared.plan;
    bool follows = way + 1 < plan->way_count;
    bool built = trying->submission->build.state == GRADE_BUILD_READY;
    /* Of an old name it is known only afterwards whether it matters. */
    bool sure = plan->ways[way].python != GRADE_PYTHON_2_NAMES;
    return trying->count == 0 && sure && (!follows || (built && plan->ways[way + 1].if_unbuilt));
}

/* Runs a way over all cases and remembers what it came to. */
static enum status attempt(struct trying *trying, int way, struct text *command) {
    struct attempt *one = &trying->attempts[trying->count];
    *one = (struct attempt){.results = calloc((size_t)trying->grade->case_count + 1, sizeof *one->results),
                            .unread = trying->prepared.plan.ways[way].unread};
    if (!one->results) {
        return error_machine(trying->error, "out of memory");
    }
    trying->count++;
    enum status status = judge_cases(trying, way, command, one->results, false);
    one->build = trying->submission->build;
    one->build.messages = TEXT_EMPTY;
    text_add(&one->build.messages, text_string(&trying->submission->build.messages),
             trying->submission->build.messages.length);
    one->passed = true;
    for (int i = 0; i < trying->grade->case_count; i++) {
        one->points += grade_result_points(&trying->grade->cases[i], &one->results[i]);
        /* A lost game says nothing against the way it was run. */
        bool played = one->results[i].facts && one->results[i].fault == PLAYER_NO_FAULT;
        one->passed = one->passed && (played || grade_passed(&one->results[i]));
    }
    return status;
}

/* -- which counts -- */

/* Says in words what the others came to. */
static void say_others(struct trying *trying, int best) {
    struct grade_build *build = &trying->attempts[best].build;
    for (int i = 0; i < trying->count; i++) {
        const struct attempt *other = &trying->attempts[i];
        bool same_file = strcmp(other->build.file, build->file) == 0;
        size_t length = strlen(build->why);
        if (i != best && other->build.state == GRADE_BUILD_READY) {
            snprintf(build->why + length, sizeof build->why - length, "; earns %.6g points, %s%s%s %.6g",
                     trying->attempts[best].points, same_file ? "" : other->build.file, same_file ? "" : " by ",
                     other->build.tool[0] ? other->build.tool : other->build.how, other->points);
        }
    }
}

/* Nobody earns anything, and more than one file was run: somebody must say which is meant. */
static bool is_question(const struct trying *trying) {
    const char *file = NULL;
    bool several = false;
    for (int i = 0; i < trying->count; i++) {
        const struct attempt *one = &trying->attempts[i];
        if (one->points > 0) {
            return false;
        }
        if (one->build.state == GRADE_BUILD_READY && !one->unread) {
            several = several || (file && strcmp(file, one->build.file) != 0);
            file = one->build.file;
        }
    }
    return several;
}

static void ask_which(struct trying *trying, struct grade_build *build) {
    struct text files = TEXT_EMPTY;
    struct text question = TEXT_EMPTY;
    for (int i = 0; i < trying->count; i++) {
        const char *file = trying->attempts[i].build.file;
        size_t length = strlen(file);
        const char *seen = strstr(text_string(&files), file);
        bool ready = trying->attempts[i].build.state == GRADE_BUILD_READY && !trying->attempts[i].unread;
        if (ready && !(seen && seen[length] == '\n')) {
            text_addf(&question, "%s%s", question.length ? " or " : "", file);
            text_addf(&files, "%s\n", file);
        }
    }
    build->state = GRADE_BUILD_QUESTION;
    snprintf(build->problem, sizeof build->problem,
             "which is the program? %.250s: none of them earns anything. Say it in overrides.csv (submission,main)",
             text_string(&question));
    snprintf(build->choices, sizeof build->choices, "%s", text_string(&files));
    text_free(&question);
    text_free(&files);
}

/* The attempt that counts. */
static int best_attempt(const struct trying *trying) {
    int best = 0;
    for (int i = 1; i < trying->count; i++) {
        const struct attempt *one = &trying->attempts[i];
        const struct attempt *so_far = &trying->attempts[best];
        bool ready = one->build.state == GRADE_BUILD_READY && !one->unread;
        bool readier = ready && (so_far->build.state != GRADE_BUILD_READY || so_far->unread);
        if (one->points > so_far->points || (one->points == so_far->points && readier)) {
            best = i;
        }
    }
    for (int i = 0; i < trying->count && trying->attempts[best].points == 0; i++) {
        if (trying->attempts[i].build.state == GRADE_BUILD_LACKS_TOOL) {
            return i; /* nothing is known as long as that is missing */
        }
    }
    return best;
}

/* Keeps the best. */
static void decide(struct trying *trying) {
    int best = best_attempt(trying);
    struct attempt *chosen = &trying->attempts[best];
    struct grade_build *build = &chosen->build;
    if (build->state == GRADE_BUILD_READY && is_question(trying)) {
        ask_which(trying, build);
    } else {
        say_others(trying, best);
    }
    text_free(&trying->submission->build.messages);
    trying->submission->build = *build;
    build->messages = TEXT_EMPTY;
    if (!trying->keeper->build(trying->keeper->user, trying->submission)) {
        return;
    }
    for (int i = 0; i < trying->grade->case_count; i++) {
        if (trying->submission->build.state != GRADE_BUILD_READY) {
            grade_result_free(&chosen->results[i]);
            grade_judge_unready(&trying->grade->cases[i], trying->submission->build.problem, &chosen->results[i]);
        }
        if (!trying->keeper->result(trying->keeper->user, trying->number, i, &chosen->results[i])) {
            return;
        }
    }
}

/* -- the whole -- */

static enum status try_ways(struct trying *trying) {
    enum status status = STATUS_OK;
    const struct grade_plan *plan = &trying->prepared.plan;
    bool over = false;
    for (int way = 0; way < plan->way_count && status == STATUS_OK && !over && !stopped(trying); way++) {
        struct text command = TEXT_EMPTY;
        status = grade_prepare_way(&trying->prepared, way, trying->warden, trying->submission, trying->options,
                                   &command, trying->error);
        if (status == STATUS_OK && is_last(trying, way)) {
            if (trying->keeper->build(trying->keeper->user, trying->submission)) {
                struct grade_result *results = result_of(trying, 0);
                status = judge_cases(trying, way, &command, results, true);
            }
            text_free(&command);
            return status;
        }
        if (status == STATUS_OK) {
            status = attempt(trying, way, &command);
        }
        text_free(&command);
        if (status == STATUS_OK) {
            const struct attempt *last = &trying->attempts[trying->count - 1];
            bool built = last->build.state == GRADE_BUILD_READY;
            over = last->passed || (built && way + 1 < plan->way_count && plan->ways[way + 1].if_unbuilt);
        }
    }
    if (status == STATUS_OK && !stopped(trying) && trying->count > 0) {
        decide(trying);
    }
    return status;
}

enum status grade_try(struct warden *warden, struct grade *grade, int number, const struct grade_options *options,
                      const struct grade_keeper *keeper, struct error *error) {
    struct grade_submission *submission = &grade->submissions[number];
    struct grade_options own = grade_options_for(submission, options);
    struct trying *trying = calloc(1, sizeof *trying);
    if (!trying) {
        return error_machine(error, "out of memory");
    }
    *trying = (struct trying){.warden = warden,
                              .grade = grade,
                              .number = number,
                              .submission = submission,
                              .options = &own,
                              .keeper = keeper,
                              .error = error};
    enum status status = STATUS_OK;
    if (submission->wish.excused) {
        judge_none(trying, "excused");
    } else {
        status = grade_prepare(&trying->prepared, warden, submission, &own, error);
        if (status == STATUS_OK && trying->prepared.plan.way_count > 0) {
            status = try_ways(trying);
        } else if (status == STATUS_OK && keeper->build(keeper->user, submission)) {
            judge_none(trying, submission->build.problem);
        }
        grade_prepared_free(&trying->prepared);
    }
    for (int i = 0; i < trying->count; i++) {
        text_free(&trying->attempts[i].build.messages);
        for (int k = 0; k < grade->case_count; k++) {
            grade_result_free(&trying->attempts[i].results[k]);
        }
        free(trying->attempts[i].results);
    }
    free(trying);
    return status;
}
