/* sortie grade: a class's programs over course inputs with known answers. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clean.h"
#include "base/number.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/commands/grade_platform.h"
#include "cli/crew.h"
#include "cli/prompt.h"
#include "cli/secure.h"
#include "grade/explain/grade_answer.h"
#include "grade/explain/grade_explain.h"
#include "grade/feedback/grade_feedback.h"
#include "grade/grade.h"
#include "grade/grade_prepare.h"
#include "grade/grade_report.h"
#include "grade/grade_store.h"
#include "grade/platform/grade_sources.h"
#include "sandbox/warden.h"
#include "system/file.h"

#define MOST_TABLE_BYTES ((size_t)16 << 20)
#define MOST_LEFT_OUT 20
#define OVERRIDES "overrides.csv" /* among the cases: what is different for whom */

/* What was asked for on the command line. */
struct request {
    const char *class;
    const char *cases;
    const char *points;
    const char *late;
    const char *overrides;
    const char *python;
    const char *explain;
    const char *shell;
    const char *csv;
    const char *students;
    const char *html;
    const char *gradescope;
    const char *feedback;
    const char *store;
    struct cli_programs programs;
    struct grade_platform_request platform;
    bool again;
    bool single;
    int late_penalty;
    int late_free;
};

static void show_progress(void *user, const struct grade *grade, int done, int total, const char *name) {
    (void)user, (void)grade;
    if (cli_shows_progress()) {
        char line[160];
        snprintf(line, sizeof line, "%d of %d cases judged  %.80s", done, total, name);
        cli_progress(line);
    }
}

/* -- what it reads -- */

/* A table of the teacher's that is being read. */
struct table {
    const char *file;
    bool single; /* the table is of the class, the others are not looked at */
};

static void warn_unknown(void *user, int line, const char *name) {
    const struct table *table = user;
    if (!table->single) {
        struct clean_line file;
        struct clean_line who;
        fprintf(stderr, "sortie: %s:%d: warning: nobody handed in as '%s'\n", clean_string(&file, table->file), line,
                clean_string(&who, name));
    }
}

enum table_kind { TABLE_POINTS, TABLE_LATE, TABLE_OVERRIDES };

/* Reads one of the teacher's tables. */
static int read_table(struct grade *grade, const char *file, enum table_kind kind, bool single) {
    struct error error = {0};
    struct table table = {file, single};
    char *bytes;
    size_t length;
    enum status status = file_read(file, MOST_TABLE_BYTES, &bytes, &length, &error);
    if (status == STATUS_OK) {
        status = kind == TABLE_POINTS ? grade_read_points(grade, bytes, length, &error)
                 : kind == TABLE_LATE ? grade_read_late(grade, bytes, length, warn_unknown, &table, &error)
                                      : grade_read_overrides(grade, bytes, length, warn_unknown, &table, &error);
        free(bytes);
    }
    return status == STATUS_OK ? 0 : cli_fail(file, &error, status);
}

/* The file that was named, or the usual one among the cases where that is there. */
static const char *usual(const char *named, const struct request *request, const char *name, char path[PATH_MAX]) {
    if (named) {
        return named;
    }
    snprintf(path, PATH_MAX, "%s/%s", request->cases, name);
    return access(path, F_OK) == 0 ? path : NULL;
}

static int read_all(struct grade *grade, struct request *request, const struct grade_options *options) {
    struct error error = {0};
    enum status status = grade_read_cases(grade, request->cases, &error);
    if (status == STATUS_OK) {
        status = grade_read_submissions(grade, request->class, request->single, options, &error);
    }
    if (status != STATUS_OK) {
        return cli_fail(NULL, &error, status);
    }
    char path[PATH_MAX];
    const char *points = usual(request->points, request, "points.csv", path);
    int exit_status = points ? read_table(grade, points, TABLE_POINTS, request->single) : 0;
    const char *overrides = usual(request->overrides, request, OVERRIDES, path);
    if (!exit_status && overrides) {
        exit_status = read_table(grade, overrides, TABLE_OVERRIDES, request->single);
    }
    if (!exit_status && request->late) {
        exit_status = read_table(grade, request->late, TABLE_LATE, request->single);
    }
    return exit_status ? exit_status : grade_platform_read(&request->platform, grade, request->single);
}

/* -- what it writes -- */

static int write_text(const char *file, struct text *text) {
    struct error error = {0};
    enum status status = text->broken ? error_machine(&error, "out of memory")
                                      : file_write(file, text_string(text), text->length, &error);
    text_free(text);
    return status == STATUS_OK ? 0 : cli_fail(file, &error, status);
}

static int make_folder(const char *path) {
    struct error error = {0};
    if (mkdir(path, 0777) == 0 || errno == EEXIST) {
        return 0;
    }
    return cli_fail(path, &error, error_system(&error, errno, "%s", strerror(errno)));
}

/* FOLDER/NAME/results.json for everybody; FOLDER/results.json for a single submission. One that cannot be written does
 * not keep the others from it; the first exit status that is not 0. */
static int write_gradescope(const struct grade *grade, const char *folder, bool single, const char *refusal) {
    int exit_status = make_folder(folder);
    for (int i = 0; i < grade->submission_count; i++) {
        char path[PATH_MAX];
        struct text text = TEXT_EMPTY;
        snprintf(path, sizeof path, "%s%s%s", folder, single ? "" : "/", single ? "" : grade->submissions[i].name);
        int failed = exit_status && single ? exit_status : make_folder(path);
        size_t length = strlen(path);
        snprintf(path + length, sizeof path - length, "/results.json");
        if (refusal) {
            grade_gradescope_refused(refusal, &text);
        } else {
            grade_gradescope(grade, i, &text);
        }
        failed = failed ? failed : write_text(path, &text);
        text_free(&text);
        exit_status = exit_status ? exit_status : failed;
    }
    return exit_status;
}

/* FOLDER/NAME.html for everybody, and FOLDER/index.html, which lists them. As above, one failure stops no other. */
static int write_feedback(const struct grade *grade, const char *folder) {
    int exit_status = make_folder(folder);
    for (int i = -1; i < grade->submission_count; i++) {
        char path[PATH_MAX];
        struct text text = TEXT_EMPTY;
        struct text name = TEXT_EMPTY;
        if (i < 0) {
            text_add_string(&name, "index.html");
            grade_feedback_index(grade, &text);
        } else {
            grade_feedback_name(&grade->submissions[i], &name);
            grade_feedback(grade, i, &text);
        }
        snprintf(path, sizeof path, "%s/%s", folder, text_string(&name));
        text_spend(&name, &text);
        int failed = write_text(path, &text);
        exit_status = exit_status ? exit_status : failed;
    }
    return exit_status;
}

/* Writes whatever can be written; the first exit status that is not 0. */
static int write_all(const struct grade *grade, struct request *request) {
    struct text text = TEXT_EMPTY;
    grade_csv_cases(grade, &text);
    int cases = write_text(request->csv, &text);
    grade_csv_students(grade, &text);
    roster_add_missing(&request->platform.roster, grade, &text);
    int students = write_text(request->students, &text);
    grade_html(grade, &text);
    int page = write_text(request->html, &text);
    int others = request->gradescope ? write_gradescope(grade, request->gradescope, request->single, NULL) : 0;
    int feedback = request->feedback ? write_feedback(grade, request->feedback) : 0;
    text_free(&text);
    int exported = grade_platform_write(&request->platform, grade);
    others = others ? others : feedback ? feedback : exported;
    return cases ? cases : students ? students : page ? page : others;
}

static int print_table(const struct grade *grade, const struct roster *roster) {
    struct text text = TEXT_EMPTY;
    grade_text(grade, &text);
    roster_text(roster, &text);
    text_add_char(&text, '\n');
    return cli_print(&text);
}

/* One line for every tool that somebody's program needs and this machine lacks. */
static void warn_missing_tools(const struct grade *grade) {
    for (int i = 0; i < grade->submission_count; i++) {
        const char *tool = grade->submissions[i].build.missing_tool;
        int others = 0;
        bool said = false;
        for (int k = 0; k < grade->submission_count && *tool; k++) {
            bool same = strcmp(grade->submissions[k].build.missing_tool, tool) == 0;
            said = said || (same && k < i);
            others += same && k > i;
        }
        if (*tool && !said) {
            struct clean_line name;
            struct clean_line needed;
            fprintf(stderr, "sortie: warning: this machine lacks %s, so %s", clean_string(&needed, tool),
                    clean_string(&name, grade->submissions[i].name));
            fprintf(stderr, others ? " and %d others were not judged: " : " was not judged: ", others);
            fprintf(stderr, "%s\n", clean_string(&name, grade->submissions[i].build.problem));
        }
    }
}

/* -- the whole -- */

/* One line for everybody whom the machine failed. */
static void warn_unjudged(const struct grade *grade) {
    for (int i = 0; i < grade->submission_count; i++) {
        if (grade->submissions[i].unjudged[0]) {
            struct clean_line name;
            struct clean_line reason;
            fprintf(stderr, "sortie: %s was not judged, because this machine failed: %s\n",
                    clean_string(&name, grade->submissions[i].name),
                    clean_string(&reason, grade->submissions[i].unjudged));
        }
    }
}

/* Nothing that lies beside the submissions vanishes without a word. */
static void warn_left_out(const struct grade *grade) {
    int said = 0;
    for (const char *at = text_string(&grade->left_out); *at; at += strcspn(at, "\n") + 1) {
        struct clean_line shown;
        char line[300];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        if (said++ < MOST_LEFT_OUT) {
            fprintf(stderr, "sortie: warning: not graded: %s\n", clean_string(&shown, line));
        }
    }
    if (said > MOST_LEFT_OUT) {
        fprintf(stderr, "sortie: warning: and %d more files were not graded\n", said - MOST_LEFT_OUT);
    }
}

/* One line for everybody whose program must be named. */
static void warn_questions(const struct grade *grade) {
    for (int i = 0; i < grade->submission_count; i++) {
        if (grade_verdict(&grade->submissions[i]) == GRADE_QUESTION) {
            struct clean_line name;
            struct clean_line question;
            fprintf(stderr, "sortie: question: %s was not judged: %s\n",
                    clean_string(&name, grade->submissions[i].name),
                    clean_string(&question, grade->submissions[i].build.problem));
        }
    }
}

/* Once, where programs waited for a processor as long as half of what they used. */
static void warn_load(const struct grade_options *options) {
    double starved = 1e-3 * (double)atomic_load(&options->load->starved_ms);
    double used = 1e-3 * (double)atomic_load(&options->load->used_ms);
    if (starved > 2.0 && starved > used / 2) {
        fprintf(stderr,
                "sortie: warning: this machine is overloaded: programs used %.0f s of CPU time and waited %.0f s "
                "more for a processor; %s\n",
                used, starved,
                options->workers > 1 ? "fewer at a time (-j) are as fast, and late by the wall clock less often"
                                     : "something else keeps it busy");
    }
}

static void say_how_much(const struct grade *grade, const struct request *request) {
    int done = 0;
    int total = grade->submission_count * grade->case_count;
    for (int i = 0; i < total && grade->results; i++) {
        done += grade->results[i].done;
    }
    struct clean_line store;
    fprintf(stderr, "sortie: %d of %d cases are judged and kept in %s; the same command goes on from there\n", done,
            total, clean_string(&store, request->store));
}

static bool is_whole(const struct grade *grade) {
    for (int i = 0; i < grade->submission_count * grade->case_count; i++) {
        if (!grade->results[i].done) {
            return false;
        }
    }
    return true;
}

/* Tables and page are written when all submissions have been tried; after an interruption they stay as they were. */
static int report(const struct grade *grade, struct request *request, enum status status, const struct error *error) {
    bool whole = grade->results && is_whole(grade);
    bool tried = whole || (grade->begun && !cli_interrupted());
    if (status == STATUS_BAD_INPUT || !grade->results) {
        return cli_fail(request->store, error, status);
    }
    int exit_status = tried ? write_all(grade, request) : 0;
    int printed = print_table(grade, &request->platform.roster);
    exit_status = exit_status ? exit_status : printed;
    if (tried && !exit_status) {
        struct clean_line files[4];
        printf("%s, %s and %s have everything; %s keeps it\n", clean_string(&files[0], request->html),
               clean_string(&files[1], request->students), clean_string(&files[2], request->csv),
               clean_string(&files[3], request->store));
        cli_secure_report();
        warn_missing_tools(grade);
        warn_questions(grade);
        warn_left_out(grade);
        grade_platform_warn(&request->platform, grade);
    }
    if (status != STATUS_OK) {
        cli_fail(NULL, error, status);
        warn_unjudged(grade);
    }
    if (!whole) {
        say_how_much(grade, request);
    }
    return status != STATUS_OK ? (int)status : exit_status ? exit_status : whole ? 0 : CLI_INTERRUPTED;
}

/* Finds out before the long work whether its results can be written. */
static int check_targets(const struct request *request) {
    const char *const files[] = {request->csv, request->students, request->html};
    struct error error = {0};
    for (int i = 0; i < 3; i++) {
        enum status status = file_check(files[i], &error);
        if (status != STATUS_OK) {
            return cli_fail(files[i], &error, status);
        }
    }
    return 0;
}

/* -- questions -- */

/* Asks which of the files, a line each, is somebody's program; false when that is left open. */
static bool ask_which(const struct grade_submission *submission, char file[256]) {
    struct clean_line shown;
    char line[PROMPT_MOST];
    int count = 0;
    fprintf(stderr, "sortie: which is the program of %s? None of these earns anything by itself:\n",
            clean_string(&shown, submission->name));
    for (const char *at = submission->build.choices; *at; at += strcspn(at, "\n") + 1) {
        char one[256];
        snprintf(one, sizeof one, "%.*s", (int)strcspn(at, "\n"), at);
        fprintf(stderr, "  %d  %s\n", ++count, clean_string(&shown, one));
    }
    while (prompt_read("number, or nothing to leave it open: ", NULL, line) && line[0]) {
        long number = strtol(line, NULL, 10);
        const char *at = submission->build.choices;
        for (long i = 1; i < number && *at; i++) {
            at += strcspn(at, "\n") + 1;
        }
        if (number >= 1 && number <= count) {
            snprintf(file, 256, "%.*s", (int)strcspn(at, "\n"), at);
            return true;
        }
        fprintf(stderr, "sortie: expected a number from 1 to %d\n", count);
    }
    return false;
}

/* Keeps an answer in the table of overrides, so that it is asked once. */
static int keep_answer(const struct request *request, const char *name, const char *file) {
    char path[PATH_MAX];
    struct error error = {0};
    struct text text = TEXT_EMPTY;
    char *bytes = NULL;
    size_t length = 0;
    snprintf(path, sizeof path, "%s", request->overrides ? request->overrides : request->cases);
    if (!request->overrides) {
        size_t end = strlen(path);
        snprintf(path + end, sizeof path - end, "/" OVERRIDES);
    }
    enum status status =
        access(path, F_OK) == 0 ? file_read(path, MOST_TABLE_BYTES, &bytes, &length, &error) : STATUS_OK;
    if (status == STATUS_OK) {
        status = grade_answer_add(bytes ? bytes : "", length, name, file, &text, &error);
    }
    free(bytes);
    if (status != STATUS_OK) {
        text_free(&text);
        return cli_fail(path, &error, status);
    }
    return write_text(path, &text);
}

/* At a terminal, asks about everybody whose program is not clear; true when there is somebody to judge again. */
static bool ask_questions(struct grade *grade, const struct request *request) {
    bool answered = false;
    for (int i = 0; i < grade->submission_count && grade->results && prompt_is_terminal() && !cli_interrupted(); i++) {
        struct grade_submission *submission = &grade->submissions[i];
        char file[256];
        if (grade_verdict(submission) == GRADE_QUESTION && submission->build.choices[0] &&
            ask_which(submission, file) && keep_answer(request, submission->name, file) == 0) {
            struct grade_wish wish = submission->wish;
            snprintf(wish.main, sizeof wish.main, "%s", file);
            grade_override(submission, &wish);
            answered = true;
        }
    }
    return answered;
}

/* -- one submission, looked at -- */

static void say_hello(const char *text) {
    fprintf(stderr, "sortie: %s\n", text); /* clean already */
}

/* --explain and --shell: nothing is kept. */
static int look_at(struct grade *grade, struct request *request, const struct grade_options *options) {
    const char *name = request->explain ? request->explain : request->shell;
    struct error error = {0};
    struct text text = TEXT_EMPTY;
    int number = 0;
    int exit_status = read_all(grade, request, options);
    if (exit_status) {
        return exit_status;
    }
    while (number < grade->submission_count && strcmp(grade->submissions[number].name, name) != 0) {
        number++;
    }
    if (number == grade->submission_count) {
        struct clean_line who;
        return cli_usage("grade: nobody handed in as '%s'", clean_string(&who, name));
    }
    exit_status = cli_secure(request->programs.unsafe);
    if (exit_status) {
        return exit_status;
    }
    enum status status = request->explain
                             ? grade_explain(grade, number, options, &text, &error)
                             : grade_shell(grade, number, options, STDIN_FILENO, STDOUT_FILENO, say_hello, &error);
    if (status != STATUS_OK) {
        text_free(&text);
        return cli_fail(NULL, &error, status);
    }
    return request->explain ? cli_print(&text) : 0;
}

/* Where programs run as a user of their own, that user's rights are all that keeps them from the answers, from this
 * program and from what others have handed in. */
static enum status check_rights(const struct request *request, const struct grade_options *options,
                                struct error *error) {
    const char *const files[] = {options->secrets[1], options->secrets[2], options->self,
                                 request->single ? NULL : options->secrets[0]};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i] && warden_user_reads(files[i])) {
            return error_machine(error,
                                 "the programs that are graded could read %.120s, because there is no sandbox here: "
                                 "chmod 700 it, or a folder above it",
                                 files[i]);
        }
    }
    if (request->gradescope && warden_user_writes(request->gradescope)) {
        return error_machine(error, "the programs that are graded could write %.120s: chmod go-w it",
                             request->gradescope);
    }
    return STATUS_OK;
}

/* Where programs cannot be locked in, Gradescope is told too: without results it says only that grading failed. */
static int secure(const struct grade *grade, const struct request *request, const struct grade_options *options) {
    struct error error = {0};
    int exit_status = cli_secure(request->programs.unsafe);
    if (exit_status == 0 && warden_is_user() && check_rights(request, options, &error) != STATUS_OK) {
        exit_status = cli_fail(NULL, &error, STATUS_FAIL);
        if (request->gradescope) {
            write_gradescope(grade, request->gradescope, request->single, error.text);
        }
    } else if (exit_status && request->gradescope && warden_secure(false, NULL, &error) != STATUS_OK) {
        write_gradescope(grade, request->gradescope, request->single, error.text);
    }
    return exit_status;
}

static int grade_class(struct grade *grade, struct request *request, const struct grade_options *options) {
    struct grade_store *store = NULL;
    struct error error = {0};
    int exit_status = read_all(grade, request, options);
    warden_accept_user();
    if (exit_status == 0 && options->crew && options->crew->rank() > 0) {
        exit_status = cli_secure(request->programs.unsafe);
        enum status helped = exit_status ? STATUS_OK : grade_help(grade, options, &error);
        return helped == STATUS_OK ? exit_status : cli_fail(NULL, &error, helped);
    }
    exit_status = exit_status ? exit_status : check_targets(request);
    exit_status = exit_status ? exit_status : secure(grade, request, options);
    if (exit_status) {
        return exit_status;
    }
    enum status status = grade_store_open(&store, request->store, &error);
    if (status == STATUS_OK && request->again) {
        status = grade_store_forget(store, grade, &error);
    }
    if (status != STATUS_OK) {
        grade_store_close(store);
        return cli_fail(request->store, &error, status);
    }
    status = grade_run(grade, options, store, &error);
    cli_progress(NULL);
    if (status == STATUS_OK && ask_questions(grade, request)) {
        grade_forget_results(grade);
        status = grade_run(grade, options, store, &error);
        cli_progress(NULL);
    }
    grade_store_close(store);
    warn_load(options);
    return report(grade, request, status, &error);
}

/* --sources: nothing is judged, so there need be no cases. */
static int write_sources(struct grade *grade, const struct request *request, const struct grade_options *options) {
    struct error error = {0};
    enum status status = grade_read_submissions(grade, request->class, request->single, options, &error);
    if (status != STATUS_OK) {
        return cli_fail(NULL, &error, status);
    }
    int exit_status = cli_secure(request->programs.unsafe);
    exit_status = exit_status ? exit_status : grade_platform_sources(&request->platform, grade, options);
    warn_left_out(grade);
    return exit_status;
}

/* Adds an option to those an autograder calls sortie with, as zero-ended words. */
static __attribute__((format(printf, 3, 4))) void add_option(struct text *words, const char *name, const char *format,
                                                             ...) {
    char value[4096];
    va_list arguments;
    va_start(arguments, format);
    number_vformat(value, sizeof value, format, arguments);
    va_end(arguments);
    text_add(words, name, strlen(name) + 1);
    text_add(words, value, strlen(value) + 1);
}

/* --autograder: what was asked for here is asked for there. */
static int pack_autograder(struct grade *grade, const struct request *request, const struct grade_options *options) {
    struct error error = {0};
    struct text words = TEXT_EMPTY;
    char paths[2][PATH_MAX];
    if (grade_read_cases(grade, request->cases, &error) != STATUS_OK) {
        return cli_fail(NULL, &error, STATUS_BAD_INPUT);
    }
    const char *points = usual(request->points, request, "points.csv", paths[0]);
    const char *overrides = usual(request->overrides, request, OVERRIDES, paths[1]);
    int exit_status = points ? read_table(grade, points, TABLE_POINTS, true) : 0;
    exit_status = !exit_status && overrides ? read_table(grade, overrides, TABLE_OVERRIDES, true) : exit_status;
    add_option(&words, "--time", "%g", options->seconds);
    add_option(&words, "--build-time", "%g", options->build_seconds);
    add_option(&words, "--memory", "%lluK", (unsigned long long)options->limits.memory_bytes >> 10);
    add_option(&words, "--processes", "%d", options->limits.processes);
    add_option(&words, "--grace", "%g", options->grace);
    add_option(&words, "--late-penalty", "%d", request->late_penalty);
    add_option(&words, "--late-free", "%d", request->late_free);
    if (request->programs.clock) {
        add_option(&words, "--clock", "%s", request->programs.clock);
    }
    if (options->build_command) {
        add_option(&words, "--build", "%s", options->build_command);
    }
    if (options->run_command) {
        add_option(&words, "--run", "%s", options->run_command);
    }
    const struct grade_autograder autograder = {
        .program = request->platform.program_file ? request->platform.program_file : options->self,
        .cases = request->cases,
        .points = request->points,
        .overrides = request->overrides,
        .packages = request->platform.packages ? request->platform.packages : GRADE_USUAL_PACKAGES,
        .options = &words};
    exit_status = exit_status ? exit_status : grade_platform_pack(&request->platform, &autograder);
    text_free(&words);
    return exit_status;
}

/* Without --clock, or with the course's, each case is timed as its course does. */
static bool parse_clock(struct cli_programs *programs, enum player_clock *clock) {
    if (programs->clock && strcmp(programs->clock, "course") == 0) {
        programs->clock = NULL;
    }
    return cli_programs_clock(programs, PLAYER_CLOCK_NONE, clock);
}

/* "2=/opt/python2/bin/python,3.8=...": the interpreters that were named. 0, or the exit status. */
static int parse_pythons(const char *list, struct grade_options *options) {
    int count = 0;
    for (const char *at = list ? list : ""; *at;) {
        struct grade_named_python *one = &options->pythons[count++];
        size_t length = strcspn(at, ",");
        const char *sign = memchr(at, '=', length);
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%.*s", sign ? (int)(at + length - sign - 1) : 0, sign ? sign + 1 : "");
        snprintf(one->version, sizeof one->version, "%.*s", sign ? (int)(sign - at < 16 ? sign - at : 15) : 0, at);
        if (count > GRADE_MOST_PYTHONS || !sign || !grade_is_version(one->version)) {
            return cli_usage(
                "grade: expected up to %d of VERSION=PATH, such as 2=/opt/python2/bin/python, for --python,"
                " found '%s'",
                GRADE_MOST_PYTHONS, list);
        }
        /* The path as it stands: what it links to need not know that it belongs to an environment. */
        char folder[PATH_MAX];
        if (access(path, X_OK) != 0 || (path[0] != '/' && !getcwd(folder, sizeof folder))) {
            return cli_usage("grade: --python: %s: %s", path, strerror(errno));
        }
        if (snprintf(one->path, sizeof one->path, "%s%s%s", path[0] == '/' ? "" : folder, path[0] == '/' ? "" : "/",
                     path) >= PATH_MAX) {
            return cli_usage("grade: --python: %s: %s", path, strerror(ENAMETOOLONG));
        }
        at += length + (at[length] == ',');
    }
    return 0;
}

static int run(const struct cli_command *command, int argc, char **argv) {
    if (argc == 5 && strcmp(argv[1], GRADE_INSIDE) == 0) {
        bool first = strcmp(argv[2], GRADE_INSIDE_LAY_OUT) == 0;
        if (strcmp(argv[2], GRADE_INSIDE_GATHER) == 0) {
            _exit(grade_gather(argv[3]));
        }
        /* At once: in a sandbox nothing that looks back over a process at its end, such as a checker of leaks, can. */
        _exit(first ? grade_lay_out(argv[3], argv[4]) : grade_look_again(argv[3], argv[4]));
    }
    struct request request = {.cases = "cases",
                              .csv = "grades.csv",
                              .students = "students.csv",
                              .html = "grades.html",
                              .store = "grades.db",
                              .programs = CLI_PROGRAMS_USUAL,
                              .late_penalty = 10};
    struct grade_load load = {0};
    struct grade_options options = {.seconds = 60, .build_seconds = 120, .workers = 1, .load = &load};
    const struct cli_option table[] = {
        {"cases", 'c', CLI_STRING, &request.cases, "FOLDER", "the cases (default: cases)", 0, 0},
        {"points", 0, CLI_STRING, &request.points, "FILE", "what cases are worth (default: CASES/points.csv)", 0, 0},
        {"late", 0, CLI_STRING, &request.late, "FILE", "who was late, a CSV: submission,days", 0, 0},
        {"late-penalty", 0, CLI_INT, &request.late_penalty, "PERCENT", "taken off for a day (default 10)", 0, 100},
        {"late-free", 0, CLI_INT, &request.late_free, "DAYS", "that cost nothing (default 0)", 0, 10000},
        {"overrides", 0, CLI_STRING, &request.overrides, "FILE",
         "what is different for whom (default: CASES/overrides.csv)", 0, 0},
        {"build", 0, CLI_STRING, &options.build_command, "COMMAND", "builds a submission (default: found by itself)", 0,
         0},
        {"run", 0, CLI_STRING, &options.run_command, "COMMAND", "runs a submission (default: found by itself)", 0, 0},
        {"python", 0, CLI_STRING, &request.python, "VERSION=PATH", "an interpreter, such as 2=/opt/python2/bin/python",
         0, 0},
        {"explain", 0, CLI_STRING, &request.explain, "STUDENT", "how that program is found, built and run", 0, 0},
        {"shell", 0, CLI_STRING, &request.shell, "STUDENT", "a shell in the sandbox that program is run in", 0, 0},
        {"time", 't', CLI_SECONDS, &options.seconds, "SECONDS", "for a case (default 60)", 0, 0},
        CLI_PROGRAMS_OPTIONS(request.programs, "cpu or wall (default: as the course counts)"),
        {"build-time", 0, CLI_SECONDS, &options.build_seconds, "SECONDS", "for building (default 120)", 0, 0},
        {"jobs", 'j', CLI_INT, &options.workers, "N", "submissions at the same time (default 1)", 1, 256},
        {"single", 0, CLI_FLAG, &request.single, NULL, "FOLDER is one submission, not a class", 0, 0},
        {"db", 0, CLI_STRING, &request.store, "FILE", "keeps what is judged (default grades.db)", 0, 0},
        {"again", 0, CLI_FLAG, &request.again, NULL, "judge again what FILE has already", 0, 0},
        {"output", 'o', CLI_STRING, &request.csv, "FILE", "a line a case, CSV (default grades.csv)", 0, 0},
        {"students", 0, CLI_STRING, &request.students, "FILE", "a line a submission, CSV (default students.csv)", 0, 0},
        {"html", 0, CLI_STRING, &request.html, "FILE", "the page (default grades.html)", 0, 0},
        {"feedback", 0, CLI_STRING, &request.feedback, "FOLDER", "also a page for each student, FOLDER/NAME.html", 0,
         0},
        GRADE_PLATFORM_OPTIONS(request.platform),
        {"gradescope", 0, CLI_STRING, &request.gradescope, "FOLDER", "also FOLDER/NAME/results.json", 0, 0},
        {0},
    };
    int count;
    int exit_status;
    char self[PATH_MAX];
    if (!cli_parse(command, table, argc, argv, &count, &exit_status)) {
        return exit_status;
    }
    if (count != (request.platform.autograder_file ? 0 : 1)) {
        return cli_usage(request.platform.autograder_file ? "grade: expected no submissions with --autograder, found %d"
                                                          : "grade: expected one folder of submissions, found %d",
                         count);
    }
    if (!parse_clock(&request.programs, &options.clock)) {
        return cli_usage("grade: expected cpu, wall or course for --clock, found '%s'", request.programs.clock);
    }
    exit_status = parse_pythons(request.python, &options);
    if (exit_status) {
        return exit_status;
    }
    if (!realpath("/proc/self/exe", self)) {
        return cli_usage("grade: needs /proc");
    }
    exit_status = cli_join_crew("grade", &options.crew);
    if (exit_status) {
        return exit_status;
    }
    request.class = count > 0 ? argv[0] : "";
    options.self = self;
    options.limits = cli_programs_limits(&request.programs);
    options.grace = request.programs.grace;
    /* No program may see these, wherever an interpreter lies. */
    char secret_class[PATH_MAX];
    char secret_cases[PATH_MAX];
    char secret_here[PATH_MAX];
    const char *const secrets[] = {realpath(request.class, secret_class) ? secret_class : "/",
                                   realpath(request.cases, secret_cases) ? secret_cases : "/",
                                   realpath(".", secret_here) ? secret_here : "/", NULL};
    options.secrets = secrets;
    options.stop = &cli_control()->stop;
    options.progress = show_progress;
    struct grade grade = {.late_penalty = request.late_penalty, .late_free = request.late_free};
    struct stat about;
    request.single = request.single || (stat(request.class, &about) == 0 && !S_ISDIR(about.st_mode));
    exit_status = request.platform.autograder_file   ? pack_autograder(&grade, &request, &options)
                  : request.platform.sources_folder  ? write_sources(&grade, &request, &options)
                  : request.explain || request.shell ? look_at(&grade, &request, &options)
                                                     : grade_class(&grade, &request, &options);
    grade_platform_free(&request.platform);
    grade_free(&grade);
    return exit_status;
}

const struct cli_command cli_grade = {
    .name = "grade",
    .summary = "build and run a class's programs over cases with known answers, make tables",
    .usage = "FOLDER [--cases FOLDER] [options]",
    .details =
        "FOLDER holds what was handed in: folders, archives (zip, tar, 7z), sources or programs. Each is built in a\n"
        "sandbox, by its Makefile, CMakeLists.txt or the compiler its sources need (.c .cpp .java), or by --build.\n"
        "Which file is the program is found by what it reads and writes, its name and place; Python 2 and 3 by what\n"
        "compiles it; --explain tells how. What is different for somebody stands in CASES/overrides.csv. A case is\n"
        "a folder with input.txt and the answer the course expects beside it\n"
        "(output.txt, next_state.txt, traverse_log.txt, trace_state.txt), or a pair of files such as 0.in and 0.out\n"
        "or input_34.txt and next_state_34.txt. Where the answer is missing, sortie works it out. Where the course\n"
        "leaves the move free (COMPETITION, Laser Checkmate) any legal move passes, or, with a values.txt of lines\n"
        "'move value', any best one. Move, board and log are compared line by line and earn points apart; blanks\n"
        "at line ends do not matter. With a game.txt a case is a whole game: it names the opponent, who begins, and\n"
        "what a win, a draw or the margin earns. CASES/points.csv says what a case is worth: its columns are case,\n"
        "points, move, board, log, visibility or hidden (from students), group, bonus (for all of a group), cap (of a\n"
        "group) and by value (each move of values.txt earns its share). What is judged is kept at once: after Ctrl-C\n"
        "or a crash the same command goes on, and later runs judge only what has changed. docs/grading.md tells\n"
        "everything.\n",
    .example = "  mkdir -p class cases/one\n"
               "  printf '2\\nMINIMAX\\nX\\n2\\n3 1\\n2 5\\n..\\n.O\\n' >cases/one/input.txt\n"
               "  cp \"$(command -v sortie-course)\" class/ann\n"
               "  sortie grade class\n",
    .run = run,
};
