/* sortie check: a student's program over sample cases of its course, before it is handed in. */
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clean.h"
#include "cli/commands.h"
#include "cli/secure.h"
#include "grade/feedback/grade_samples.h"
#include "grade/grade.h"
#include "grade/grade_report.h"
#include "grade/grade_store.h"

/* The exit status where a case failed. */
#define FAILED 1

static void show_progress(void *user, const struct grade *grade, int done, int total, const char *name) {
    (void)user, (void)grade, (void)name;
    if (cli_shows_progress()) {
        char line[80];
        snprintf(line, sizeof line, "%d of %d cases tried", done, total);
        cli_progress(line);
    }
}

/* -- a folder for as long as it takes -- */

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk) {
    (void)about, (void)type, (void)walk;
    return remove(path);
}

static int make_scratch(char folder[PATH_MAX]) {
    struct error error = {0};
    const char *base = getenv("TMPDIR");
    snprintf(folder, PATH_MAX, "%.3000s/sortie-check-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder)) {
        return cli_fail(folder, &error, error_system(&error, errno, "%s", strerror(errno)));
    }
    return 0;
}

/* -- what is said -- */

/* Indented, as it belongs to the case above it. */
static void add_lines(struct text *out, const char *lines) {
    for (const char *at = lines; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        text_addf(out, "    %.*s\n", (int)strcspn(at, "\n"), at); /* clean already */
    }
}

static void add_case(const struct grade *grade, int number, struct text *out) {
    const struct grade_result *result = &grade->results[number];
    const char *word = !result->done ? "not tried" : grade_passed(result) ? "right" : "wrong";
    text_addf(out, "%-9s ", word);
    clean_add(out, grade->cases[number].name);
    text_add_char(out, '\n');
    if (!result->done || grade_passed(result)) {
        return;
    }
    add_lines(out, result->explanation);
    if (!result->explanation[0] || result->fault != PLAYER_NO_FAULT) {
        text_add_string(out, "    ");
        clean_add(out, result->difference);
        text_add_char(out, '\n');
    }
    char words[200];
    grade_last_words(result, words);
    if (words[0]) {
        text_add_string(out, "    it said: ");
        clean_add(out, words);
        text_add_char(out, '\n');
    }
}

static void add_build(const struct grade_build *build, struct text *out) {
    text_add_string(out, "program   ");
    clean_add(out, build->file[0] ? build->file : "none found");
    if (build->how[0]) {
        text_add_string(out, ", ");
        clean_add(out, build->how);
    }
    text_add_char(out, '\n');
    if (build->state != GRADE_BUILD_READY) {
        text_add_string(out, "problem   ");
        clean_add(out, build->problem);
        text_add_char(out, '\n');
        clean_add_lines(out, text_string(&build->messages), build->messages.length);
    }
}

/* Prints everything; the exit status. */
static int tell(const struct grade *grade, enum grade_course course) {
    const struct grade_submission *submission = &grade->submissions[0];
    struct text out = TEXT_EMPTY;
    struct grade_total total;
    grade_sum_up(grade, 0, &total);
    text_addf(&out, "course    %s\n", grade_course_names[course]);
    add_build(&submission->build, &out);
    for (int i = 0; i < grade->case_count && submission->build.state == GRADE_BUILD_READY; i++) {
        add_case(grade, i, &out);
    }
    text_addf(&out, "%d of %d sample cases are right\n", total.passed, grade->case_count);
    int exit_status = cli_print(&out);
    return exit_status ? exit_status : total.passed == grade->case_count ? 0 : FAILED;
}

/* -- the whole -- */

static int judge(struct grade *grade, const char *path, const char *scratch, enum grade_course course,
                 const struct grade_options *options) {
    struct grade_store *store = NULL;
    struct error error = {0};
    char file[PATH_MAX + 16];
    snprintf(file, sizeof file, "%s/check.db", scratch);
    enum status status = grade_samples_read(course, true, grade, &error);
    status = status == STATUS_OK ? grade_read_submissions(grade, path, true, options, &error) : status;
    status = status == STATUS_OK ? grade_store_open(&store, file, &error) : status;
    status = status == STATUS_OK ? grade_run(grade, options, store, &error) : status;
    grade_store_close(store);
    cli_progress(NULL);
    if (status != STATUS_OK) {
        return cli_fail(NULL, &error, status);
    }
    int exit_status = tell(grade, course);
    return cli_interrupted() ? CLI_INTERRUPTED : exit_status;
}

/* The course that was named, or the one the sources speak of. 0, or the exit status. */
static int find_course(const char *name, const char *path, enum grade_course *course) {
    *course = GRADE_COURSE_ANY;
    for (int i = 0; i < GRADE_COURSES && name; i++) {
        *course = grade_course_names[i] && strcmp(grade_course_names[i], name) == 0 ? (enum grade_course)i : *course;
    }
    struct clean_line shown;
    if (name && *course == GRADE_COURSE_ANY) {
        return cli_usage("check: expected stake, sneak or laser for --course, found '%s'", clean_string(&shown, name));
    }
    if (access(path, F_OK) != 0) {
        return cli_usage("check: %s: %s", clean_string(&shown, path), strerror(errno));
    }
    *course = name ? *course : grade_samples_guess(path);
    if (*course == GRADE_COURSE_ANY) {
        return cli_usage("check: the sources do not tell the course: expected --course stake, sneak or laser");
    }
    if (*course == GRADE_COURSE_GOMOKU) {
        return cli_usage("check: Gomoku has no sample cases, it is played: sortie referee, sortie match -g gomoku");
    }
    return 0;
}

static int check(const char *path, const char *name, struct grade_options *options, bool unsafe) {
    enum grade_course course;
    char scratch[PATH_MAX];
    char secret[PATH_MAX];
    char self[PATH_MAX];
    int exit_status = find_course(name, path, &course);
    if (exit_status == 0 && !realpath("/proc/self/exe", self)) {
        exit_status = cli_usage("check: needs /proc");
    }
    exit_status = exit_status ? exit_status : cli_secure(unsafe);
    exit_status = exit_status ? exit_status : make_scratch(scratch);
    if (exit_status) {
        return exit_status;
    }
    const char *const secrets[] = {scratch, realpath(path, secret) ? secret : "/", NULL};
    struct grade grade = {0};
    options->self = self;
    options->secrets = secrets;
    exit_status = judge(&grade, path, scratch, course, options);
    grade_free(&grade);
    nftw(scratch, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    options->self = NULL; /* they were of this call alone */
    options->secrets = NULL;
    return exit_status;
}

static int run(const struct cli_command *command, int argc, char **argv) {
    const char *name = NULL;
    struct cli_programs programs = CLI_PROGRAMS_USUAL;
    struct grade_options options = {.seconds = 20, .build_seconds = 120, .workers = 1};
    const struct cli_option table[] = {
        {"course", 0, CLI_STRING, &name, "NAME", "stake, sneak or laser (default: by what the sources name)", 0, 0},
        {"build", 0, CLI_STRING, &options.build_command, "COMMAND", "builds it (default: found by itself)", 0, 0},
        {"run", 0, CLI_STRING, &options.run_command, "COMMAND", "runs it (default: found by itself)", 0, 0},
        {"time", 't', CLI_SECONDS, &options.seconds, "SECONDS", "for a case (default 20)", 0, 0},
        CLI_PROGRAMS_OPTIONS(programs, "cpu or wall (default: as the course counts)"),
        {0},
    };
    int count;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &count, &exit_status)) {
        return exit_status;
    }
    if (count != 1) {
        return cli_usage("check: expected your program or its folder, found %d", count);
    }
    if (!cli_programs_clock(&programs, PLAYER_CLOCK_NONE, &options.clock)) {
        return cli_usage("check: expected cpu or wall for --clock, found '%s'", programs.clock);
    }
    options.limits = cli_programs_limits(&programs);
    options.grace = programs.grace;
    options.stop = &cli_control()->stop;
    options.progress = show_progress;
    return check(argv[0], name, &options, programs.unsafe);
}

const struct cli_command cli_check = {
    .name = "check",
    .summary = "try your program on sample cases of its course, before you hand it in",
    .usage = "PROGRAM [--course NAME] [options]",
    .details =
        "PROGRAM is what you would hand in: a folder, an archive, a source or a program. It is found, built and\n"
        "run in a sandbox as 'sortie grade' does it, over a few sample cases of the course, and what is wrong\n"
        "is explained as 'sortie diff' explains it. Nothing is kept. In Laser Checkmate any legal move is\n"
        "right. Exit status 0: every case is right, 1: one is not, 2: bad usage.\n",
    .example = "  mkdir -p homework\n"
               "  cp \"$(command -v sortie-course)\" homework/main\n"
               "  sortie check homework --course stake\n",
    .run = run,
};
