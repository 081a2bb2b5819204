/* sortie grade: a class's programs over course inputs with known answers. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/secure.h"
#include "match/grade.h"

static void show_progress(void *user, const struct grade *grade, int submission, int case_number) {
    (void)user;
    if (!cli_shows_progress()) {
        return;
    }
    char line[160];
    snprintf(line, sizeof line, "%d/%d submissions  %.60s  case %d/%d", submission, grade->submission_count,
             grade->submissions[submission].name, case_number + 1, grade->case_count);
    cli_progress(line);
}

static int write_text(const char *file, void (*make)(const struct grade *grade, struct text *out),
                      const struct grade *grade) {
    struct text text = TEXT_EMPTY;
    struct error error = {0};
    make(grade, &text);
    enum status status = text.broken ? error_machine(&error, "out of memory")
                                     : file_write(file, text_string(&text), text.length, &error);
    text_free(&text);
    return status == STATUS_OK ? 0 : cli_fail(file, &error, status);
}

static int grade_all(struct grade *grade, const struct grade_options *options, const char *csv, const char *html) {
    struct error error = {0};
    struct text text = TEXT_EMPTY;
    enum status status = grade_run(grade, options, &error);
    cli_progress(NULL);
    if (status != STATUS_OK) {
        return cli_interrupted() ? 130 : cli_fail(NULL, &error, status);
    }
    int exit_status = write_text(csv, grade_csv, grade);
    if (!exit_status) {
        exit_status = write_text(html, grade_html, grade);
    }
    if (!exit_status) {
        grade_text(grade, &text);
        printf("%s\n%s and %s have the first difference of every failure\n", text_string(&text), csv, html);
        text_free(&text);
    }
    return exit_status;
}

static int run(const struct cli_command *command, int argc, char **argv) {
    const char *cases = "cases";
    const char *csv = "grades.csv";
    const char *html = "grades.html";
    bool unsafe = false;
    struct grade_options options = {.seconds = 60, .limits = warden_usual_limits, .progress = show_progress};
    size_t memory = (size_t)warden_usual_limits.memory_bytes;
    const struct cli_option table[] = {
        {"cases", 'c', CLI_STRING, &cases, "FOLDER", "the cases (default: cases)", 0, 0},
        {"output", 'o', CLI_STRING, &csv, "FILE", "the table as CSV (default grades.csv)", 0, 0},
        {"html", 0, CLI_STRING, &html, "FILE", "the table as a page (default grades.html)", 0, 0},
        {"time", 't', CLI_SECONDS, &options.seconds, "SECONDS", "for a case, by the wall clock (default 60)", 0, 0},
        {"memory", 0, CLI_SIZE, &memory, "SIZE", "memory of a program (default 2G)", 0, 0},
        {"unsafe", 0, CLI_FLAG, &unsafe, NULL, "run programs even where there is no sandbox for them", 0, 0},
        {0},
    };
    int count;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &count, &exit_status)) {
        return exit_status;
    }
    if (count != 1) {
        return cli_usage("grade: expected one folder of submissions, found %d", count);
    }
    char self[PATH_MAX];
    if (!realpath("/proc/self/exe", self)) {
        return cli_usage("grade: needs /proc");
    }
    const char *const reference[] = {self, "move", NULL};
    options.reference = reference;
    options.limits.memory_bytes = memory;
    options.stop = &cli_control()->stop;
    struct grade grade = {0};
    struct error error = {0};
    enum status status = grade_read_cases(&grade, cases, &error);
    if (status == STATUS_OK) {
        status = grade_read_submissions(&grade, argv[0], &error);
    }
    exit_status = status == STATUS_OK ? cli_secure(unsafe) : cli_fail(NULL, &error, status);
    if (!exit_status) {
        exit_status = grade_all(&grade, &options, csv, html);
    }
    grade_free(&grade);
    return exit_status;
}

const struct cli_command cli_grade = {
    .name = "grade",
    .summary = "run a class's programs over cases with known answers, make one table",
    .usage = "FOLDER [--cases FOLDER] [-o FILE.csv] [--html FILE.html]",
    .details =
        "FOLDER holds the submissions: programs (also .py, .sh, .js, .pl, .jar), or folders with one (run or main,\n"
        "otherwise the only program in it). A case is a folder with input.txt and the answer the course expects\n"
        "beside it: output.txt, next_state.txt, traverse_log.txt, trace_state.txt. Where the answer is missing,\n"
        "sortie works it out. Where the course leaves the move free (COMPETITION, Laser Checkmate) any legal move\n"
        "passes, or, with a values.txt of lines 'row column value', any best one. Each program runs in a scratch\n"
        "folder, within the limits of 'sortie match'. Move, board and log are compared line by line; blanks at\n"
        "line ends do not matter.\n",
    .example = "  mkdir -p class cases/one\n"
               "  printf '2\\nMINIMAX\\nX\\n2\\n3 1\\n2 5\\n..\\n.O\\n' >cases/one/input.txt\n"
               "  cp \"$(command -v sortie-course)\" class/ann\n"
               "  sortie grade class\n",
    .run = run,
};
