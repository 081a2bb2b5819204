/* What a learning platform exports: rosters, filled in and read once more; Gradescope's metadata; and sources that come
 * out of a sandbox. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "grade/platform/grade_metadata.h"
#include "grade/platform/grade_roster.h"
#include "grade/platform/grade_sources.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

/* Two tables with the same fields. */
static void require_same(const struct sheet *a, const struct sheet *b) {
    require(a->row_count == b->row_count);
    for (int row = 0; row < a->row_count; row++) {
        require(a->rows[row].count == b->rows[row].count);
        for (int i = 0; i < a->rows[row].count; i++) {
            require(strcmp(sheet_at(a, row, i), sheet_at(b, row, i)) == 0);
        }
    }
}

static void read_sheet(const char *bytes, size_t length) {
    struct sheet sheet;
    struct sheet again;
    struct error error;
    if (sheet_read(&sheet, bytes, length, &error) == STATUS_OK) {
        struct text text = TEXT_EMPTY;
        sheet_write(&sheet, &text);
        enum status status = sheet_read(&again, text_string(&text), text.length, &error);
        require(status == STATUS_OK || again.separator != sheet.separator);
        if (again.separator ==
            sheet.separator) { /* a first line of quotes may look otherwise with those that were added */
            require_same(&sheet, &again);
        }
        sheet_free(&again);
        text_free(&text);
    }
    sheet_free(&sheet);
}

static void read_roster(const char *bytes, size_t length) {
    static char names[2][10] = {"Jane Doe", "jroe"};
    struct grade_submission submissions[2] = {
        {.name = names[0], .path = names[0], .id = "11", .platform = GRADE_MOODLE},
        {.name = names[1], .path = names[1], .id = "101", .platform = GRADE_CANVAS}};
    struct grade_result results[2] = {{.done = true}, {.done = true, .difference = "<b>wrong"}};
    static char case_name[] = "a/1";
    struct grade_case one = {.name = case_name, .points = 3};
    struct grade grade = {.cases = &one,
                          .case_count = 1,
                          .submissions = submissions,
                          .submission_count = 2,
                          .results = results,
                          .late_penalty = 10};
    struct roster roster;
    struct error error;
    if (roster_read(&roster, bytes, length, &error) == STATUS_OK) {
        const struct roster_export options = {.zeros = length % 2 != 0};
        struct text out = TEXT_EMPTY;
        struct text csv = TEXT_EMPTY;
        roster_match(&roster, &grade);
        roster_lateness(&roster, &grade);
        require(submissions[0].late_days >= 0 && submissions[0].late_days <= 10000);
        roster_write(&roster, &grade, &options, &out, &error);
        roster_add_missing(&roster, &grade, &csv);
        roster_text(&roster, &csv);
        text_free(&out);
        text_free(&csv);
    }
    roster_free(&roster);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *bytes = (const char *)data;
    struct grade_metadata metadata;
    struct error error;
    read_sheet(bytes, size);
    read_roster(bytes, size);
    if (grade_metadata_read(&metadata, bytes, size, &error) == STATUS_OK) {
        double days = grade_metadata_late_days(&metadata);
        require(days >= 0 && days <= 10000 && !isnan(metadata.created));
    }
    grade_metadata_free(&metadata);
    struct grade_source_file file;
    for (const char *at = bytes, *end = bytes + size; grade_sources_next(&at, end, &file);) {
        char name[128];
        require(at <= end && file.bytes + file.length == at);
        grade_sources_name(file.path, name);
        require(name[0] && name[0] != '.' && name[0] != '-' && !strchr(name, '/'));
    }
    return 0;
}
