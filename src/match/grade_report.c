/* The result of grading as CSV, as a page and as text. */
#include <string.h>

#include "match/grade.h"
#include "match/report.h"

/* One submission over all cases. */
struct summary {
    int passed;
    int right[GRADE_CHECKS];
    int asked[GRADE_CHECKS];
    int faults; /* cases without an answer */
    double seconds;
    double slowest;
};

static void sum_up(const struct grade *grade, int submission, struct summary *summary) {
    *summary = (struct summary){0};
    for (int i = 0; i < grade->case_count; i++) {
        const struct grade_result *result = &grade->results[submission * grade->case_count + i];
        summary->passed += grade_passed(result);
        summary->faults += result->fault != PLAYER_NO_FAULT;
        summary->seconds += result->wall_seconds;
        summary->slowest = result->wall_seconds > summary->slowest ? result->wall_seconds : summary->slowest;
        for (int check = 0; check < GRADE_CHECKS; check++) {
            summary->asked[check] += result->marks[check] != GRADE_NOT_ASKED;
            summary->right[check] += result->marks[check] == GRADE_RIGHT;
        }
    }
}

void grade_csv(const struct grade *grade, struct text *out) {
    static const char *const marks[] = {"", "right", "wrong"};
    text_add_string(out, "submission,case,result,move,board,log,fault,wall_seconds,cpu_seconds,first_difference\n");
    for (int i = 0; i < grade->submission_count; i++) {
        for (int k = 0; k < grade->case_count; k++) {
            const struct grade_result *result = &grade->results[i * grade->case_count + k];
            report_add_csv(out, grade->submissions[i].name);
            text_add_char(out, ',');
            report_add_csv(out, grade->cases[k].name);
            text_addf(out, ",%s,%s,%s,%s,%s,%.6f,%.6f,", grade_passed(result) ? "pass" : "fail",
                      marks[result->marks[GRADE_MOVE]], marks[result->marks[GRADE_BOARD]],
                      marks[result->marks[GRADE_LOG]],
                      result->fault != PLAYER_NO_FAULT ? player_fault_name(result->fault) : "", result->wall_seconds,
                      result->cpu_seconds);
            report_add_csv(out, result->difference);
            text_add_char(out, '\n');
        }
    }
}

void grade_text(const struct grade *grade, struct text *out) {
    int width = 10;
    for (int i = 0; i < grade->submission_count; i++) {
        int length = (int)strlen(grade->submissions[i].name);
        width = length > width ? length : width;
    }
    text_addf(out, "%-*s %11s %11s %11s %11s %10s %11s\n", width, "submission", "passed", "move", "board", "log",
              "no answer", "slowest ms");
    for (int i = 0; i < grade->submission_count; i++) {
        struct summary summary;
        sum_up(grade, i, &summary);
        text_addf(out, "%-*s %5d/%-5d", width, grade->submissions[i].name, summary.passed, grade->case_count);
        for (int check = 0; check < GRADE_CHECKS; check++) {
            if (summary.asked[check] > 0) {
                text_addf(out, " %5d/%-5d", summary.right[check], summary.asked[check]);
            } else {
                text_addf(out, " %5s %-5s", "-", "");
            }
        }
        text_addf(out, " %10d %11.1f\n", summary.faults, 1e3 * summary.slowest);
    }
}

/* -- the page -- */

static void add_summary(const struct grade *grade, struct text *out) {
    text_add_string(out,
                    "<section><h2>Submissions</h2><div class=\"scroll\"><table><tr><th class=\"name\">Submission</th>"
                    "<th>Passed</th><th>Move</th><th>Board</th><th>Log</th><th>No answer</th><th>ms a case</th>"
                    "<th>slowest, ms</th><th class=\"name\" style=\"width:22%\"></th></tr>\n");
    for (int i = 0; i < grade->submission_count; i++) {
        struct summary summary;
        sum_up(grade, i, &summary);
        bool all = summary.passed == grade->case_count;
        text_addf(out, "<tr><td class=\"name\"><a href=\"#s%d\">", i);
        text_add_xml(out, grade->submissions[i].name);
        text_addf(out, "</a></td><td class=\"%s\">%d/%d</td>", all ? "pass" : "", summary.passed, grade->case_count);
        for (int check = 0; check < GRADE_CHECKS; check++) {
            if (summary.asked[check] > 0) {
                text_addf(out, "<td>%d/%d</td>", summary.right[check], summary.asked[check]);
            } else {
                text_add_string(out, "<td></td>");
            }
        }
        text_addf(out,
                  "<td%s>%d</td><td>%.1f</td><td>%.1f</td><td class=\"name\"><span class=\"bar\" style=\"width:%.1f%%;"
                  "background:var(--good)\"></span><span class=\"bar\" style=\"width:%.1f%%;background:var(--second)\">"
                  "</span></td></tr>\n",
                  summary.faults ? " class=\"fault\"" : "", summary.faults, 1e3 * summary.seconds / grade->case_count,
                  1e3 * summary.slowest, 100.0 * summary.passed / grade->case_count,
                  100.0 - 100.0 * summary.passed / grade->case_count);
    }
    text_add_string(out, "</table></div></section>\n");
}

static void add_mark(struct text *out, enum grade_mark mark) {
    text_add_string(out, mark == GRADE_NOT_ASKED ? "<td></td>"
                         : mark == GRADE_RIGHT   ? "<td class=\"pass\">right</td>"
                                                 : "<td class=\"fault\">wrong</td>");
}

static void add_failures(const struct grade *grade, int submission, struct text *out) {
    struct summary summary;
    sum_up(grade, submission, &summary);
    text_addf(out, "<section id=\"s%d\"><h2>", submission);
    text_add_xml(out, grade->submissions[submission].name);
    text_add_string(out, "</h2>\n");
    if (summary.passed == grade->case_count) {
        text_add_string(out, "<p class=\"pass\">every case passed</p></section>\n");
        return;
    }
    text_addf(out, "<p class=\"soft\">%d of %d cases failed; the first difference of each:</p>",
              grade->case_count - summary.passed, grade->case_count);
    text_add_string(
        out, "<div class=\"scroll\"><table><tr><th class=\"name\">Case</th><th>Move</th><th>Board</th><th>Log</th>"
             "<th class=\"name\">First difference</th></tr>\n");
    for (int i = 0; i < grade->case_count; i++) {
        const struct grade_result *result = &grade->results[submission * grade->case_count + i];
        if (grade_passed(result)) {
            continue;
        }
        text_add_string(out, "<tr><td class=\"name\">");
        text_add_xml(out, grade->cases[i].name);
        text_add_string(out, "</td>");
        for (int check = 0; check < GRADE_CHECKS; check++) {
            add_mark(out, result->marks[check]);
        }
        text_add_string(out, "<td class=\"name\" style=\"white-space:normal;max-width:none\">");
        text_add_xml(out, result->difference);
        if (result->errors[0]) {
            text_add_string(out, "<pre>");
            text_add_xml(out, result->errors);
            text_add_string(out, "</pre>");
        }
        text_add_string(out, "</td></tr>\n");
    }
    text_add_string(out, "</table></div></section>\n");
}

void grade_html(const struct grade *grade, struct text *out) {
    text_addf(out,
              "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
              "content=\"width=device-width, initial-scale=1\"><title>Grades: %d submissions</title>\n<style>\n%s"
              "a { color: var(--accent); }</style></head>\n<body><main>\n<h1>Grades</h1>\n<p class=\"lead\">%d "
              "submissions, %d cases · sortie %s</p>\n",
              grade->submission_count, report_page_css, grade->submission_count, grade->case_count, SORTIE_VERSION);
    add_summary(grade, out);
    for (int i = 0; i < grade->submission_count; i++) {
        add_failures(grade, i, out);
    }
    text_add_string(out, "</main></body></html>\n");
}
