#include "grade/feedback/grade_feedback.h"

#include <string.h>

#include "base/clean.h"
#include "grade/games/grade_game_page.h"
#include "grade/grade_report.h"
#include "results/report.h"

static void begin_page(const char *title, struct text *out) {
    text_add_string(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                         "content=\"width=device-width, initial-scale=1\"><title>");
    clean_add_xml(out, title);
    text_addf(out, "</title>\n<style>\n%sa { color: var(--accent); } pre { overflow-x: auto; }</style></head>\n",
              report_page_css);
    text_add_string(out, "<body><main>\n<h1>");
    clean_add_xml(out, title);
    text_add_string(out, "</h1>\n");
}

static void end_page(struct text *out) {
    text_add_string(out, "</main></body></html>\n");
}

void grade_feedback_name(const struct grade_submission *submission, struct text *out) {
    text_add_string(out, submission->name);
    text_add_string(out, ".html");
}

/* -- one student -- */

static void add_points(const struct grade *grade, int number, struct text *out) {
    const struct grade_submission *submission = &grade->submissions[number];
    enum grade_verdict verdict = grade_verdict(submission);
    struct grade_total total;
    grade_sum_up(grade, number, &total);
    if (verdict != GRADE_JUDGED) {
        text_addf(out, "<p class=\"fault\">not judged (%s): ", grade_verdict_names[verdict]);
        clean_add_xml(out, grade_verdict_reason(submission));
        text_add_string(out, "</p>\n");
        return;
    }
    text_addf(out, "<p class=\"lead\">%.2f of %.2f points, %d of %d cases right", total.points, total.of, total.passed,
              grade->case_count);
    if (total.bonus > 0) {
        text_addf(out, "; %g of the points are a bonus", total.bonus);
    }
    if (total.penalty > 0) {
        text_addf(out, "; late: %g %% off, %.2f remain", total.penalty, total.final);
    }
    text_add_string(out, "</p>\n");
}

static void add_build(const struct grade_build *build, struct text *out) {
    text_add_string(out, "<p class=\"soft\">Program: <code>");
    clean_add_xml(out, build->file[0] ? build->file : "none found");
    text_add_string(out, "</code> · ");
    clean_add_xml(out, build->how[0] ? build->how : "not built");
    text_add_string(out, "</p>\n");
    if (build->state != GRADE_BUILD_READY && build->problem[0]) {
        text_add_string(out, "<p class=\"fault\">");
        clean_add_xml(out, build->problem);
        text_add_string(out, "</p>\n");
    }
    if (build->messages.length > 0) {
        text_add_string(out, "<details><summary>Messages while building</summary><pre>");
        clean_add_xml_lines(out, text_string(&build->messages), build->messages.length);
        text_add_string(out, "</pre></details>\n");
    }
}

static void add_pre(const char *title, const char *bytes, size_t length, struct text *out) {
    if (length > 0) {
        text_addf(out, "<p class=\"soft\">%s</p><pre>", title);
        clean_add_xml_lines(out, bytes, length);
        text_add_string(out, "</pre>\n");
    }
}

/* A case that is a game: how it went, move by move. */
static void add_games(const struct grade_case *one, const struct grade_result *result, struct text *out) {
    text_add_string(out, "<section><h2>");
    clean_add_xml(out, one->name);
    text_addf(out, "</h2>\n<p class=\"%s\">", grade_passed(result) ? "pass" : "fault");
    clean_add_xml(out, grade_passed(result) ? "all of the points" : result->difference);
    text_add_string(out, "</p>\n");
    grade_game_page_add(one->game, &one->request, result->facts, true, out);
    add_pre("What the program said last:", result->errors, strlen(result->errors), out);
    text_add_string(out, "</section>\n");
}

/* A case that failed: what was asked, what is wrong, what the program said. */
static void add_failure(const struct grade_case *one, const struct grade_result *result, struct text *out) {
    text_add_string(out, "<section><h2>");
    clean_add_xml(out, one->name);
    text_add_string(out, "</h2>\n<p class=\"fault\">");
    clean_add_xml(out, result->difference);
    text_add_string(out, "</p>\n");
    add_pre("What is wrong:", result->explanation, strlen(result->explanation), out);
    add_pre("What the program said last:", result->errors, strlen(result->errors), out);
    text_add_string(out, "<details><summary>The input</summary><pre>");
    clean_add_xml_lines(out, text_string(&one->input), one->input.length);
    text_add_string(out, "</pre></details></section>\n");
}

static void add_row(const struct grade *grade, int submission, int number, struct text *out) {
    const struct grade_case *one = &grade->cases[number];
    const struct grade_result *result = &grade->results[submission * grade->case_count + number];
    static const char *const marks[GRADE_MARKS] = {"<td></td>", "<td class=\"pass\">right</td>",
                                                   "<td class=\"fault\">wrong</td>"};
    text_add_string(out, "<tr><td class=\"name\">");
    clean_add_xml(out, one->name);
    text_addf(out, "</td><td>%.2f</td><td class=\"soft\">%.2f</td>", grade_points(grade, submission, number),
              one->points);
    for (int check = 0; check < GRADE_CHECKS; check++) {
        text_add_string(out, result->done ? marks[result->marks[check]] : marks[0]);
    }
    text_addf(out, "<td>%.1f</td></tr>\n", 1e3 * result->wall_seconds);
}

/* Of hidden cases a student learns how many there are and what they earn in all. */
static void add_hidden(const struct grade *grade, int submission, struct text *out) {
    double points = 0;
    double of = 0;
    int count = 0;
    for (int i = 0; i < grade->case_count; i++) {
        if (grade->cases[i].visibility != GRADE_VISIBLE) {
            points += grade_points(grade, submission, i);
            of += grade->cases[i].points;
            count++;
        }
    }
    if (count > 0) {
        text_addf(out,
                  "<tr><td class=\"name\">%d hidden case%s</td><td>%.2f</td><td class=\"soft\">%.2f</td><td></td><td>"
                  "</td><td></td><td></td></tr>\n",
                  count, count == 1 ? "" : "s", points, of);
    }
}

/* A line for each bonus: whether all of its cases are right. */
static void add_bonuses(const struct grade *grade, int submission, struct text *out) {
    for (int i = 0; i < grade->group_count; i++) {
        const struct grade_group *group = &grade->groups[i];
        if (group->bonus > 0) {
            text_add_string(out, "<tr><td class=\"name\">Bonus for all of ");
            clean_add_xml(out, group->name);
            text_addf(out, "</td><td>%.2f</td><td class=\"soft\">%.2f</td><td></td><td></td><td></td><td></td></tr>\n",
                      grade_earns_bonus(grade, submission, i) ? group->bonus : 0, group->bonus);
        }
    }
}

void grade_feedback(const struct grade *grade, int submission, struct text *out) {
    begin_page(grade->submissions[submission].name, out);
    add_points(grade, submission, out);
    add_build(&grade->submissions[submission].build, out);
    text_add_string(out, "<section><div class=\"scroll\"><table><tr><th class=\"name\">Case</th><th>Points</th>"
                         "<th>of</th><th>Move</th><th>Board</th><th>Log</th><th>ms</th></tr>\n");
    for (int i = 0; i < grade->case_count; i++) {
        if (grade->cases[i].visibility == GRADE_VISIBLE) {
            add_row(grade, submission, i, out);
        }
    }
    add_hidden(grade, submission, out);
    add_bonuses(grade, submission, out);
    text_add_string(out, "</table></div></section>\n");
    bool judged = grade->submissions[submission].build.state == GRADE_BUILD_READY;
    for (int i = 0; i < grade->case_count && judged; i++) {
        const struct grade_result *result = &grade->results[submission * grade->case_count + i];
        if (grade->cases[i].visibility != GRADE_VISIBLE) {
            continue;
        }
        if (grade->cases[i].game && result->facts) {
            add_games(&grade->cases[i], result, out);
        } else if (result->done && !grade_passed(result)) {
            add_failure(&grade->cases[i], result, out);
        }
    }
    if (grade_has_games(grade)) {
        grade_game_page_end(out);
    }
    end_page(out);
}

/* -- the list -- */

/* A name as part of an address: everything but letters, digits and a few signs is spelled by its bytes. */
static void add_address(const char *name, struct text *out) {
    for (const char *c = name; *c; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                     strchr("-_.", *c) != NULL;
        if (plain) {
            text_add_char(out, *c);
        } else {
            text_addf(out, "%%%02X", (unsigned)(unsigned char)*c);
        }
    }
}

void grade_feedback_index(const struct grade *grade, struct text *out) {
    begin_page("Feedback", out);
    text_add_string(out, "<p class=\"lead\">One page for each submission; this list is the teacher's.</p>\n"
                         "<section><div class=\"scroll\"><table><tr><th class=\"name\">Submission</th><th>Points</th>"
                         "<th>of</th><th>Right</th></tr>\n");
    for (int i = 0; i < grade->submission_count; i++) {
        struct grade_total total;
        struct text name = TEXT_EMPTY;
        grade_sum_up(grade, i, &total);
        grade_feedback_name(&grade->submissions[i], &name);
        text_add_string(out, "<tr><td class=\"name\"><a href=\"");
        add_address(text_string(&name), out);
        text_add_string(out, "\">");
        clean_add_xml(out, grade->submissions[i].name);
        enum grade_verdict verdict = grade_verdict(&grade->submissions[i]);
        if (verdict == GRADE_JUDGED) {
            text_addf(out, "</a></td><td>%.2f</td>", total.final);
        } else {
            text_addf(out, "</a></td><td class=\"fault\">%s</td>", grade_verdict_names[verdict]);
        }
        text_addf(out, "<td class=\"soft\">%.2f</td><td>%d/%d</td></tr>\n", total.of, total.passed, grade->case_count);
        text_spend(&name, out);
    }
    text_add_string(out, "</table></div></section>\n");
    end_page(out);
}
