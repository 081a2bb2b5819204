#include "cli/commands/grade_platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"
#include "cli/cli.h"
#include "grade/platform/grade_metadata.h"
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

void grade_platform_free(struct grade_platform_request *request) {
    roster_free(&request->roster);
}
