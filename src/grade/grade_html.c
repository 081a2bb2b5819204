/* The result of grading as one page that needs nothing else. */
#include <string.h>

#include "base/clean.h"
#include "grade/games/grade_game_page.h"
#include "grade/grade_report.h"
#include "results/report.h"

/* Games whose boards are on the page; of more games only the moves are. */
#define MOST_BOARDS 400

static void add_row(const struct grade *grade, int number, bool late, struct text *out) {
    const struct grade_submission *submission = &grade->submissions[number];
    struct grade_total total;
    grade_sum_up(grade, number, &total);
    text_addf(out, "<tr><td class=\"name\"><a href=\"#s%d\">", number);
    clean_add_xml(out, submission->name);
    enum grade_verdict verdict = grade_verdict(submission);
    if (verdict == GRADE_JUDGED) {
        text_addf(out, "</a></td><td class=\"won\">%.2f</td><td class=\"soft\">%.2f</td>", total.final, total.of);
    } else {
        text_addf(out, "</a></td><td class=\"fault\">%s</td><td class=\"soft\">%.2f</td>", grade_verdict_names[verdict],
                  total.of);
    }
    if (total.penalty > 0) {
        text_addf(out, "<td class=\"fault\">−%g %%</td>", total.penalty);
    } else if (late) {
        text_add_string(out, "<td></td>");
    }
    text_addf(out, "<td class=\"%s\">%d/%d</td>", total.passed == grade->case_count ? "pass" : "", total.passed,
              total.done);
    for (int check = 0; check < GRADE_CHECKS; check++) {
        if (total.asked[check] > 0) {
            text_addf(out, "<td>%d/%d</td>", total.right[check], total.asked[check]);
        } else {
            text_add_string(out, "<td></td>");
        }
    }
    if (grade_has_games(grade)) {
        text_addf(out, "<td>%d-%d-%d</td>", total.games[GRADE_WON], total.games[GRADE_DRAWN], total.games[GRADE_LOST]);
    }
    double share = total.of > 0 ? 100 * total.points / total.of : 0;
    text_addf(out,
              "<td%s>%d</td><td>%.1f</td><td>%.1f</td><td class=\"name\" style=\"width:16%%\"><span class=\"bar\" "
              "style=\"width:%.1f%%;background:var(--good)\"></span><span class=\"bar\" style=\"width:%.1f%%;"
              "background:var(--second)\"></span></td></tr>\n",
              total.faults ? " class=\"fault\"" : "", total.faults, 1e3 * total.seconds / (total.done ? total.done : 1),
              1e3 * total.slowest, share, 100 - share);
}

static void add_summary(const struct grade *grade, struct text *out) {
    bool late = false;
    for (int i = 0; i < grade->submission_count; i++) {
        late = late || grade->submissions[i].late_days > 0;
    }
    text_addf(out,
              "<section><h2>Submissions</h2><div class=\"scroll\"><table><tr><th class=\"name\">Submission</th>"
              "<th>Points</th><th>of</th>%s<th>Passed</th><th>Move</th><th>Board</th><th>Log</th>%s<th>No answer</th>"
              "<th>ms a case</th><th>slowest, ms</th><th></th></tr>\n",
              late ? "<th>Late</th>" : "", grade_has_games(grade) ? "<th>Won-drawn-lost</th>" : "");
    for (int i = 0; i < grade->submission_count; i++) {
        add_row(grade, i, late, out);
    }
    text_add_string(out, "</table></div></section>\n");
}

static void add_mark(struct text *out, enum grade_mark mark) {
    text_add_string(out, mark == GRADE_NOT_ASKED ? "<td></td>"
                         : mark == GRADE_RIGHT   ? "<td class=\"pass\">right</td>"
                                                 : "<td class=\"fault\">wrong</td>");
}

/* How it was built, and what the compiler said. */
static void add_build(const struct grade_build *build, struct text *out) {
    text_add_string(out, "<p class=\"soft\">Built by: ");
    clean_add_xml(out, build->how[0] ? build->how : "nothing");
    if (build->file[0]) {
        text_add_string(out, " · program: <code>");
        clean_add_xml(out, build->file);
        text_add_string(out, "</code>");
    }
    if (build->tool[0]) {
        text_add_string(out, " · ");
        clean_add_xml(out, build->tool);
    }
    if (build->why[0]) {
        text_add_string(out, "<br>Chosen because: ");
        clean_add_xml(out, build->why);
    }
    text_add_string(out, "</p>\n");
    if (build->state != GRADE_BUILD_READY && build->problem[0]) {
        text_add_string(out, "<p class=\"fault\">");
        clean_add_xml(out, build->problem);
        text_add_string(out, "</p>\n");
    }
    if (build->messages.length > 0) {
        text_addf(out, "<details%s><summary>Messages while building</summary><pre>",
                  build->state == GRADE_BUILD_READY ? "" : " open");
        clean_add_xml_lines(out, text_string(&build->messages), build->messages.length);
        text_add_string(out, "</pre></details>\n");
    }
}

static void add_failure(const struct grade *grade, int submission, int case_number, struct text *out) {
    const struct grade_result *result = &grade->results[submission * grade->case_count + case_number];
    struct text names = TEXT_EMPTY;
    grade_add_case_names(grade, submission, case_number, 12, &names);
    text_add_string(out, "<tr><td class=\"name\" style=\"white-space:normal\">");
    text_add_xml(out, text_string(&names)); /* clean already */
    text_add_string(out, "</td>");
    text_spend(&names, out);
    for (int check = 0; check < GRADE_CHECKS; check++) {
        add_mark(out, result->marks[check]);
    }
    text_add_string(out, "<td class=\"name\" style=\"white-space:normal;max-width:none\">");
    clean_add_xml(out, result->difference);
    if (result->errors[0]) {
        text_add_string(out, "<pre>");
        clean_add_xml_lines(out, result->errors, strlen(result->errors));
        text_add_string(out, "</pre>");
    }
    text_add_string(out, "</td></tr>\n");
}

/* The games it has played, each case's. */
static void add_games(const struct grade *grade, int number, struct text *out) {
    int games = 0;
    for (int i = 0; i < grade->case_count; i++) {
        games += grade->cases[i].game ? grade->cases[i].game->games : 0;
    }
    bool boards = games * grade->submission_count <= MOST_BOARDS;
    for (int i = 0; i < grade->case_count; i++) {
        const struct grade_case *one = &grade->cases[i];
        const struct grade_result *result = &grade->results[number * grade->case_count + i];
        if (one->game && result->facts) {
            text_add_string(out, "<details><summary>Games of ");
            clean_add_xml(out, one->name);
            text_add_string(out, one->visibility == GRADE_VISIBLE ? "</summary>\n" : " (hidden)</summary>\n");
            grade_game_page_add(one->game, &one->request, result->facts, boards, out);
            text_add_string(out, "</details>\n");
        }
    }
}

static void add_submission(const struct grade *grade, int number, struct text *out) {
    const struct grade_submission *submission = &grade->submissions[number];
    struct grade_total total;
    grade_sum_up(grade, number, &total);
    text_addf(out, "<section id=\"s%d\"><h2>", number);
    clean_add_xml(out, submission->name);
    enum grade_verdict verdict = grade_verdict(submission);
    if (verdict == GRADE_JUDGED) {
        text_addf(out, "</h2>\n<p>%.2f of %.2f points", total.points, total.of);
    } else {
        text_addf(out, "</h2>\n<p class=\"fault\">not judged (%s)", grade_verdict_names[verdict]);
    }
    if (total.bonus > 0 && verdict == GRADE_JUDGED) {
        text_addf(out, ", %g of them a bonus", total.bonus);
    }
    if (total.penalty > 0 && verdict == GRADE_JUDGED) {
        text_addf(out, ", %g day%s late: %g %% off, %.2f remain", submission->late_days,
                  submission->late_days == 1 ? "" : "s", total.penalty, total.final);
    }
    text_add_string(out, "</p>\n");
    if (submission->unjudged[0]) {
        text_add_string(out, "<p class=\"fault\">not judged, because this machine failed: ");
        clean_add_xml(out, submission->unjudged);
        text_add_string(out, "</p>\n");
    }
    add_build(&submission->build, out);
    if (total.passed == grade->case_count) {
        text_add_string(out, "<p class=\"pass\">every case passed</p>\n");
        add_games(grade, number, out);
        text_add_string(out, "</section>\n");
        return;
    }
    text_addf(out, "<p class=\"soft\">%d of %d cases failed; each failure once, with the first difference:</p>",
              total.done - total.passed, grade->case_count);
    text_add_string(
        out, "<div class=\"scroll\"><table><tr><th class=\"name\">Cases</th><th>Move</th><th>Board</th><th>Log</th>"
             "<th class=\"name\">First difference</th></tr>\n");
    for (int i = 0; i < grade->case_count; i++) {
        if (grade_explains(grade, number, i) > 0) {
            add_failure(grade, number, i, out);
        }
    }
    text_add_string(out, "</table></div>\n");
    add_games(grade, number, out);
    text_add_string(out, "</section>\n");
}

void grade_html(const struct grade *grade, struct text *out) {
    text_addf(out,
              "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
              "content=\"width=device-width, initial-scale=1\"><title>Grades: %d submissions</title>\n<style>\n%s"
              "a { color: var(--accent); } details { margin-bottom: 10px; }</style></head>\n<body><main>\n"
              "<h1>Grades</h1>\n<p class=\"lead\">%d submissions, %d cases · sortie %s</p>\n",
              grade->submission_count, report_page_css, grade->submission_count, grade->case_count, SORTIE_VERSION);
    add_summary(grade, out);
    for (int i = 0; i < grade->submission_count; i++) {
        add_submission(grade, i, out);
    }
    if (grade_has_games(grade)) {
        grade_game_page_end(out);
    }
    text_add_string(out, "</main></body></html>\n");
}
