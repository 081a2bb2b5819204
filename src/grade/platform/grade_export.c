/* Grades in the form a platform imports. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clean.h"
#include "base/number.h"
#include "grade/platform/grade_roster.h"

/* What a comment of ours begins with: the next export may replace it, a teacher's own it may not. */
#define OURS "sortie: "
#define MOST_FAILURES 3

/* -- numbers -- */

/* Reads a number with a decimal point or comma; false when it is none. */
static bool read_number(const char *text, double *value, bool *comma) {
    char copy[64];
    snprintf(copy, sizeof copy, "%s", text);
    char *sign = strchr(copy, ',');
    *comma = sign != NULL;
    if (sign) {
        *sign = '.';
    }
    return number_parse(copy, value);
}

/* Whether the table writes decimal commas: some field of these columns has one, or its fields end in semicolons and
 * none has a point. */
static bool has_commas(const struct roster *roster, int grades, int maximum) {
    bool points = false;
    for (int row = 1; row < roster->sheet.row_count; row++) {
        for (int i = 0; i < 2; i++) {
            char text[64];
            double value;
            bool comma;
            sheet_trimmed(&roster->sheet, row, i == 0 ? grades : maximum, text, sizeof text);
            if (read_number(text, &value, &comma)) {
                points = points || strchr(text, '.');
                if (comma) {
                    return true;
                }
            }
        }
    }
    return !points && roster->sheet.separator == ';';
}

static void write_number(double value, bool comma, char text[64]) {
    number_format(text, 64, "%.2f", value);
    char *point = strchr(text, '.');
    if (point && comma) {
        *point = ',';
    }
}

/* -- comments -- */

/* What a student is told, in one field. Moodle takes it for HTML, so the words of programs are escaped. */
static void add_comment(const struct grade *grade, int submission, struct text *out) {
    const struct grade_submission *one = &grade->submissions[submission];
    struct grade_total total;
    grade_sum_up(grade, submission, &total);
    text_addf(out, OURS "%.6g of %.6g points, %d of %d cases passed.", total.final, total.of, total.passed,
              grade->case_count);
    if (total.penalty > 0) {
        text_addf(out, " %.4g days late: %.4g%% off %.6g points.", one->late_days, total.penalty, total.points);
    }
    if (one->build.problem[0]) {
        text_add_char(out, ' ');
        clean_add_xml(out, one->build.problem);
    }
    int shown = 0;
    /* What does not run fails every case in the same words. */
    for (int i = 0; i < grade->case_count && shown < MOST_FAILURES && !one->build.problem[0]; i++) {
        const struct grade_result *result = &grade->results[submission * grade->case_count + i];
        bool seen = grade->cases[i].visibility == GRADE_VISIBLE;
        if (seen && result->done && !grade_passed(result)) {
            text_add_string(out, shown++ ? "; " : " Cases: ");
            clean_add_xml(out, grade->cases[i].name);
            text_add_string(out, ": ");
            clean_add_xml(out, result->difference);
        }
    }
}

/* -- filling in -- */

/* The column grades go to in the gradebook of Canvas: "NAME (ID)", by its name, its number or both. */
static enum status find_assignment(const struct roster *roster, const char *wanted, int *column, struct error *error) {
    const struct sheet *sheet = &roster->sheet;
    struct text choices = TEXT_EMPTY;
    int found = 0;
    for (int i = 0; i < sheet->rows[0].count; i++) {
        char head[256];
        sheet_trimmed(sheet, 0, i, head, sizeof head);
        char *open = strrchr(head, '(');
        size_t digits = open ? strspn(open + 1, "0123456789") : 0;
        if (digits == 0 || strcmp(open + 1 + digits, ")") != 0) {
            continue;
        }
        bool whole = wanted && strcasecmp(wanted, head) == 0;
        open[1 + digits] = '\0';
        bool number = wanted && strcmp(wanted, open + 1) == 0;
        open[open > head ? -1 : 0] = '\0';
        if (!wanted || whole || number || strcasecmp(wanted, head) == 0) {
            *column = i;
            found++;
        }
        text_addf(&choices, "%s%.60s", choices.length ? ", " : "", head);
    }
    enum status status =
        found == 1 ? STATUS_OK
        : found == 0 && wanted
            ? error_at(error, 1, 1, "expected an assignment '%.60s', found: %.120s", wanted, text_string(&choices))
        : found == 0 ? error_at(error, 1, 1, "expected a column of an assignment: NAME (NUMBER)")
                     : error_at(error, 1, 1, "expected --assignment to name one of: %.160s", text_string(&choices));
    text_free(&choices);
    return status;
}

enum status roster_check_export(const struct roster *roster, const char *assignment, struct error *error) {
    int column;
    return roster->platform == GRADE_CANVAS ? find_assignment(roster, assignment, &column, error) : STATUS_OK;
}

struct filling {
    struct roster *roster;
    const struct grade *grade;
    const struct roster_export *options;
    int grades;  /* the column they go to */
    int maximum; /* the column that has what they are out of; -1: none */
    bool comma;
};

/* What a grade is out of on the platform; `of` where it does not say. */
static double maximum_of(const struct filling *filling, const struct roster_student *student, double of) {
    const struct roster *roster = filling->roster;
    int row = roster->platform == GRADE_CANVAS ? roster->points_row : student->row;
    int column = roster->platform == GRADE_CANVAS ? filling->grades : filling->maximum;
    char text[64];
    double value;
    bool comma;
    sheet_trimmed(&roster->sheet, row, column, text, sizeof text);
    return read_number(text, &value, &comma) && value > 0 ? value : of;
}

/* Whether the platform takes a grade in this line. */
static bool is_open(const struct filling *filling, const struct roster_student *student) {
    static const char *const words[] = {"no", "nein", "non"};
    char text[20];
    sheet_trimmed(&filling->roster->sheet, student->row, filling->roster->columns[ROSTER_LOCKED], text, sizeof text);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(text, words[i]) == 0) {
            return false;
        }
    }
    return true;
}

static void set_comment(const struct filling *filling, const struct roster_student *student, const char *comment) {
    int column = filling->roster->columns[ROSTER_COMMENT];
    const char *there = sheet_at(&filling->roster->sheet, student->row, column);
    if (!there[0] || strncmp(there, OURS, strlen(OURS)) == 0) {
        sheet_set(&filling->roster->sheet, student->row, column, comment);
    }
}

/* Fills one line in. Whoever was not judged keeps what stands there. */
static void fill(const struct filling *filling, const struct roster_student *student) {
    struct sheet *sheet = &filling->roster->sheet;
    struct grade_total total = {0};
    char text[64] = "";
    if (student->submission < 0) {
        if (filling->options->zeros) {
            write_number(0, filling->comma, text);
        }
        sheet_set(sheet, student->row, filling->grades, text);
        set_comment(filling, student, OURS "no submission");
        return;
    }
    enum grade_verdict verdict = grade_verdict(&filling->grade->submissions[student->submission]);
    if (verdict == GRADE_EXCUSED && filling->roster->platform == GRADE_CANVAS) {
        sheet_set(sheet, student->row, filling->grades, "EX");
    }
    if (verdict != GRADE_JUDGED) {
        return;
    }
    grade_sum_up(filling->grade, student->submission, &total);
    double of = maximum_of(filling, student, total.of);
    write_number(total.of > 0 ? total.final * of / total.of : 0, filling->comma, text);
    sheet_set(sheet, student->row, filling->grades, text);
    struct text comment = TEXT_EMPTY;
    add_comment(filling->grade, student->submission, &comment);
    set_comment(filling, student, text_string(&comment));
    text_free(&comment);
}

/* -- writing -- */

/* Canvas takes who it is about and the one assignment; all else would be set back to what it was. */
static void write_canvas(const struct roster *roster, int grades, struct text *out) {
    static const char *const names[][2] = {
        {"Student"}, {"ID"}, {"SIS User ID"}, {"SIS Login ID"}, {"Root Account"}, {"Integration ID"}, {"Section"}};
    const struct sheet *sheet = &roster->sheet;
    int columns[8];
    int count = 0;
    for (int i = 0; i < sheet->rows[0].count && count < 7; i++) {
        bool wanted = false;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            wanted = wanted || i == sheet_column(sheet, 0, names[k]);
        }
        if (wanted) {
            columns[count++] = i;
        }
    }
    columns[count++] = grades;
    text_add_string(out, sheet->marked ? "\xef\xbb\xbf" : "");
    for (int row = 0; row < sheet->row_count; row++) {
        sheet_write_row(sheet, row, columns, count, out);
    }
}

/* A field that is new in the table. */
static void add_field(const struct sheet *sheet, const char *text, struct text *out) {
    struct sheet one = {.separator = sheet->separator};
    struct sheet_field field = {0};
    struct sheet_row row = {.count = 1};
    one.fields = &field;
    one.rows = &row;
    one.row_count = 1;
    text_add(&one.bytes, text, strlen(text) + 1);
    sheet_write_row(&one, 0, NULL, 0, out);
    text_spend(&one.bytes, out);
}

/* Gradescope imports no grades: a table of who has which score. */
static void write_gradescope(const struct filling *filling, struct text *out) {
    const struct roster *roster = filling->roster;
    const struct sheet *sheet = &roster->sheet;
    static const enum roster_column whose[] = {ROSTER_NAME, ROSTER_LAST_NAME, ROSTER_SCHOOL, ROSTER_EMAIL};
    int columns[4];
    int count = 0;
    for (int i = 0; i < 4; i++) {
        if (roster->columns[whose[i]] >= 0) {
            columns[count++] = roster->columns[whose[i]];
        }
    }
    struct sheet plain = *sheet;
    plain.ends_in_feed = false;
    text_add_string(out, sheet->marked ? "\xef\xbb\xbf" : "");
    for (int i = -1; i < roster->count; i++) {
        const struct roster_student *student = i < 0 ? NULL : &roster->students[i];
        const struct grade_submission *submission =
            student && student->submission >= 0 ? &filling->grade->submissions[student->submission] : NULL;
        struct text line = TEXT_EMPTY;
        sheet_write_row(&plain, student ? student->row : 0, columns, count, &line);
        while (line.length > 0 && strchr("\r\n", line.data[line.length - 1])) {
            line.data[--line.length] = '\0';
        }
        text_add_string(out, text_string(&line));
        char score[64] = "";
        char of[64] = "";
        struct grade_total total = {0};
        if (submission) {
            grade_sum_up(filling->grade, student->submission, &total);
        }
        if (submission && grade_verdict(submission) == GRADE_JUDGED) {
            write_number(total.final, filling->comma, score);
            write_number(total.of, filling->comma, of);
        } else if (student && !submission && filling->options->zeros) {
            write_number(0, filling->comma, score);
        }
        const char *status = !student      ? "Status"
                             : !submission ? "no submission"
                                           : grade_verdict_names[grade_verdict(submission)];
        const char *const more[] = {student ? score : "Total Score", student ? of : "Max Points", status};
        for (int k = 0; k < 3; k++) {
            text_add_char(out, sheet->separator);
            add_field(sheet, more[k], out);
        }
        text_add_string(out, sheet->line_end);
        text_spend(&line, out);
    }
}

enum status roster_write(struct roster *roster, const struct grade *grade, const struct roster_export *options,
                         struct text *out, struct error *error) {
    struct filling filling = {roster, grade, options, roster->columns[ROSTER_GRADE], roster->columns[ROSTER_MAXIMUM],
                              false};
    enum status status = STATUS_OK;
    if (roster->platform == GRADE_CANVAS) {
        status = find_assignment(roster, options->assignment, &filling.grades, error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    filling.comma = has_commas(roster, filling.grades, filling.maximum);
    for (int i = 0; i < roster->count && roster->platform != GRADE_GRADESCOPE; i++) {
        if (is_open(&filling, &roster->students[i])) {
            fill(&filling, &roster->students[i]);
        } else {
            char name[256];
            roster_name(roster, &roster->students[i], name);
            text_addf(&roster->questions, "%.200s: the platform says that this grade cannot be changed\n", name);
        }
    }
    if (roster->platform == GRADE_CANVAS) {
        write_canvas(roster, filling.grades, out);
    } else if (roster->platform == GRADE_MOODLE) {
        sheet_write(&roster->sheet, out);
    } else {
        write_gradescope(&filling, out);
    }
    return roster->sheet.bytes.broken || out->broken ? error_machine(error, "out of memory") : STATUS_OK;
}

/* -- who handed in nothing -- */

/* The column a table of ours has under this name, counted from 0. */
static int column_of(const char *csv, const char *name) {
    int column = 0;
    for (const char *at = csv; *at && *at != '\n'; column++) {
        size_t length = strcspn(at, ",\n");
        if (length == strlen(name) && strncmp(at, name, length) == 0) {
            return column;
        }
        at += length + (at[length] == ',');
    }
    return -1;
}

void roster_add_missing(const struct roster *roster, const struct grade *grade, struct text *csv) {
    int verdict = column_of(text_string(csv), "verdict");
    int of = column_of(text_string(csv), "of");
    int columns = 1;
    for (const char *at = text_string(csv); *at && *at != '\n'; at++) {
        columns += *at == ',';
    }
    double points = 0;
    for (int i = 0; i < grade->case_count; i++) {
        points += grade->cases[i].points;
    }
    for (int i = 0; i < roster->count; i++) {
        char name[256];
        if (roster->students[i].submission >= 0) {
            continue;
        }
        roster_name(roster, &roster->students[i], name);
        clean_add_csv(csv, name);
        for (int column = 1; column < columns; column++) {
            text_add_char(csv, ',');
            if (column == of) {
                text_addf(csv, "%.6g", points);
            } else if (column == verdict) {
                text_add_string(csv, "no submission");
            }
        }
        text_add_char(csv, '\n');
    }
}

void roster_text(const struct roster *roster, struct text *out) {
    int missing = 0;
    for (int i = 0; i < roster->count; i++) {
        char name[256];
        if (roster->students[i].submission < 0) {
            roster_name(roster, &roster->students[i], name);
            text_add_string(out, missing++ ? ", " : "\nno submission: ");
            clean_add(out, name);
        }
    }
    text_add_string(out, missing ? "\n" : "");
}
