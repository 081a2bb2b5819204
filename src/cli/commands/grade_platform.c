#include "cli/commands/grade_platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"
#include "cli/cli.h"
#include "grade/platform/grade_metadata.h"
#include "grade/platform/grade_sources.h"
#include "system/file.h"

#define MOST_METADATA ((size_t)16 << 20)

/* -- reading -- */

static int read_roster(struct grade_platform_request *request) {
    struct error error = {0};
    char *bytes;
    size_t length;
    enum status status = file_read(request->roster_file, SHEET_MOST_BYTES, &bytes, &length, &error);
    if (status == STATUS_OK) {
        status = roster_read(&request->roster, bytes, length, &error);
        free(bytes);
    }
    if (status == STATUS_OK && request->export_file) {
        status = roster_check_export(&request->roster, request->assignment, &error);
    }
    return status == STATUS_OK ? 0 : cli_fail(request->roster_file, &error, status);
}

/* What Gradescope says of one submission. */
static int read_metadata(const struct grade_platform_request *request, struct grade *grade) {
    struct error error = {0};
    char *bytes;
    size_t length;
    struct grade_metadata metadata = {0};
    enum status status = file_read(request->metadata_file, MOST_METADATA, &bytes, &length, &error);
    if (status == STATUS_OK) {
        status = grade_metadata_read(&metadata, bytes, length, &error);
        free(bytes);
    }
    if (status == STATUS_OK && grade->submission_count > 0) {
        struct grade_submission *submission = &grade->submissions[0];
        submission->late_days = submission->late_said ? submission->late_days : grade_metadata_late_days(&metadata);
        text_free(&submission->people);
        submission->people = metadata.people;
        metadata.people = TEXT_EMPTY;
    }
    grade_metadata_free(&metadata);
    return status == STATUS_OK ? 0 : cli_fail(request->metadata_file, &error, status);
}

int grade_platform_read(struct grade_platform_request *request, struct grade *grade, bool single) {
    int exit_status = 0;
    if (request->export_file && !request->roster_file) {
        return cli_usage("grade: --export needs --roster: the table that is filled in");
    }
    if (request->metadata_file && !single) {
        return cli_usage("grade: --metadata is of one submission: it needs --single");
    }
    if (request->metadata_file) {
        exit_status = read_metadata(request, grade);
    }
    if (!exit_status && request->roster_file) {
        exit_status = read_roster(request);
    }
    if (!exit_status && request->roster_file) {
        roster_match(&request->roster, grade);
        roster_lateness(&request->roster, grade);
    }
    struct error error = {0};
    enum status status = !exit_status && request->export_file ? file_check(request->export_file, &error) : STATUS_OK;
    return status == STATUS_OK ? exit_status : cli_fail(request->export_file, &error, status);
}

/* -- writing -- */

int grade_platform_write(struct grade_platform_request *request, const struct grade *grade) {
    struct error error = {0};
    struct text text = TEXT_EMPTY;
    if (!request->export_file) {
        return 0;
    }
    const struct roster_export options = {.assignment = request->assignment, .zeros = request->zeros};
    enum status status = roster_write(&request->roster, grade, &options, &text, &error);
    if (status == STATUS_OK) {
        status = file_write(request->export_file, text_string(&text), text.length, &error);
    }
    text_free(&text);
    return status == STATUS_OK ? 0 : cli_fail(request->export_file, &error, status);
}

void grade_platform_warn(const struct grade_platform_request *request, const struct grade *grade) {
    int marked = 0;
    for (int i = 0; i < grade->submission_count; i++) {
        marked += grade->submissions[i].late_marked && !grade->submissions[i].late_said;
    }
    if (marked > 0) {
        fprintf(stderr,
                "sortie: warning: %d submission%s marked late, but not by how much: a day is counted; --late says it\n",
                marked, marked == 1 ? " is" : "s are");
    }
    const struct text *questions = &request->roster.questions;
    for (const char *at = text_string(questions); *at; at += strcspn(at, "\n") + 1) {
        struct clean_line shown;
        char line[700];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        fprintf(stderr, "sortie: question: %s\n", clean_string(&shown, line));
    }
}

/* -- Gradescope's autograder -- */

/* Whether a program will run there; a program with libraries is a warning where somebody has named it. */
static int check_program(const struct grade_platform_request *request, const char *program) {
    struct error error = {0};
    char *bytes;
    size_t length;
    enum status status = file_read(program, (size_t)256 << 20, &bytes, &length, &error);
    if (status != STATUS_OK) {
        return cli_fail(program, &error, status);
    }
    enum grade_program_kind kind = grade_program_kind(bytes, length);
    free(bytes);
    if (kind == GRADE_PROGRAM_NONE || kind == GRADE_PROGRAM_OTHER) {
        return cli_usage("grade: %s: expected a program for Linux on x86-64, as Gradescope's machines are", program);
    }
    if (kind == GRADE_PROGRAM_DYNAMIC && !request->program_file) {
        return cli_usage("grade: this sortie needs libraries that Gradescope's machines may lack: --program names the "
                         "sortie of a release for Linux, which is one file (docs/install.md)");
    }
    if (kind == GRADE_PROGRAM_DYNAMIC) {
        fprintf(stderr, "sortie: warning: %s needs libraries that Gradescope's machines may lack\n", program);
    }
    return 0;
}

int grade_platform_pack(const struct grade_platform_request *request, const struct grade_autograder *autograder) {
    struct error error = {0};
    struct text zip = TEXT_EMPTY;
    for (const char *at = autograder->packages; *at; at++) {
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789+-. ", *at)) {
            return cli_usage("grade: expected names of Ubuntu's packages for --packages, found '%s'",
                             autograder->packages);
        }
    }
    int exit_status = check_program(request, autograder->program);
    if (exit_status) {
        return exit_status;
    }
    enum status status = grade_autograder_pack(autograder, &zip, &error);
    if (status == STATUS_OK) {
        status = file_write(request->autograder_file, text_string(&zip), zip.length, &error);
        if (status == STATUS_OK) {
            struct clean_line file;
            printf(
                "%s has %s, %s, setup.sh and run_autograder, %.1f MB: upload it as the autograder of the assignment\n",
                clean_string(&file, request->autograder_file), autograder->program, autograder->cases,
                1e-6 * (double)zip.length);
        } else {
            status = (enum status)cli_fail(request->autograder_file, &error, status);
            text_free(&zip);
            return (int)status;
        }
    }
    text_free(&zip);
    return status == STATUS_OK ? 0 : cli_fail(NULL, &error, status);
}

/* -- sources -- */

int grade_platform_sources(const struct grade_platform_request *request, struct grade *grade,
                           const struct grade_options *options) {
    struct error error = {0};
    struct grade_skeleton skeleton = {0};
    struct grade_gathered gathered = {0};
    enum status status = request->skeleton ? grade_skeleton_read(&skeleton, request->skeleton, &error) : STATUS_OK;
    if (status == STATUS_OK) {
        status = grade_sources_write(grade, options, &skeleton, request->sources_folder, &gathered, &error);
        cli_progress(NULL);
    }
    grade_skeleton_free(&skeleton);
    for (const char *at = text_string(&gathered.empty); *at; at += strcspn(at, "\n") + 1) {
        struct clean_line shown;
        char line[700];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        fprintf(stderr, "sortie: warning: no sources: %s\n", clean_string(&shown, line));
    }
    text_free(&gathered.empty);
    if (status != STATUS_OK) {
        return cli_fail(NULL, &error, status);
    }
    struct clean_line folder;
    printf("%s has %d files of %d submissions", clean_string(&folder, request->sources_folder), gathered.files,
           gathered.students);
    if (gathered.left_out > 0) {
        printf("; %d were like what was handed out", gathered.left_out);
    }
    printf("\n");
    return cli_interrupted() ? CLI_INTERRUPTED : 0;
}

void grade_platform_free(struct grade_platform_request *request) {
    roster_free(&request->roster);
}
