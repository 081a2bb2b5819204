/* The result of grading as text, as tables and for Gradescope. */
#include "grade/grade_report.h"

#include <stdio.h>
#include <string.h>

#include "base/clean.h"

/* How many different failures of a submission the text shows. */
#define MOST_SHOWN 3
/* How wide the column of names becomes. */
#define MOST_WIDTH 60

static const struct grade_result *result_of(const struct grade *grade, int submission, int case_number) {
    return &grade->results[submission * grade->case_count + case_number];
}

static bool says_the_same(const struct grade_result *a, const struct grade_result *b) {
    return b->done && strcmp(a->difference, b->difference) == 0;
}

int grade_explains(const struct grade *grade, int submission, int case_number) {
    const struct grade_result *result = result_of(grade, submission, case_number);
    int count = 0;
    if (!result->done || grade_passed(result)) {
        return 0;
    }
    for (int i = 0; i < grade->case_count; i++) {
        bool same = says_the_same(result, result_of(grade, submission, i));
        if (same && i < case_number) {
            return 0;
        }
        count += same;
    }
    return count;
}

void grade_add_case_names(const struct grade *grade, int submission, int case_number, int most, struct text *out) {
    const struct grade_result *result = result_of(grade, submission, case_number);
    int named = 0;
    int left = 0;
    for (int i = case_number; i < grade->case_count; i++) {
        if (!says_the_same(result, result_of(grade, submission, i))) {
            continue;
        }
        if (named < most) {
            text_add_string(out, named++ ? ", " : "");
            clean_add(out, grade->cases[i].name);
            text_add_string(out, grade->cases[i].visibility == GRADE_VISIBLE ? "" : " (hidden)");
        } else {
            left++;
        }
    }
    if (left > 0) {
        text_addf(out, " and %d more", left);
    }
}

/* Copies one line, without the blanks around it. */
static void take_line(const char *line, char words[200]) {
    line += strspn(line, " \t\r");
    size_t length = strcspn(line, "\r\n");
    snprintf(words, 200, "%.*s", (int)(length < 199 ? length : 199), line);
}

void grade_last_words(const struct grade_result *result, char words[200]) {
    /* A Java trace ends with places; what happened stands above them. */
    static const char *const heads[] = {"Caused by: ", "Exception in thread "};
    words[0] = '\0';
    for (size_t i = 0; i < sizeof heads / sizeof *heads && !words[0]; i++) {
        for (const char *at = result->errors; (at = strstr(at, heads[i])) != NULL; at++) {
            take_line(at, words);
        }
    }
    for (const char *line = result->errors;
         *line && strstr(words, heads[0]) != words && strstr(words, heads[1]) != words;) {
        size_t length = strcspn(line, "\n");
        const char *place = line + (strncmp(line, "...", 3) == 0 ? 3 : 0); /* what was cut off begins so */
        if (strspn(line, " \t\r") < length && strncmp(place, "\tat ", 4) != 0) {
            take_line(line, words);
        }
        line += length + (line[length] == '\n');
    }
}

/* -- text -- */

/* Why somebody has no marks; false when he has. */
static bool add_verdict(const struct grade_submission *submission, struct text *out) {
    static const char *const words[GRADE_VERDICTS] = {"", "",
                                                      "not judged, a question: ", "not judged, this machine's fault: "};
    enum grade_verdict verdict = grade_verdict(submission);
    if (verdict == GRADE_JUDGED) {
        return false;
    }
    clean_add(out, submission->name);
    bool failed = submission->unjudged[0];
    text_addf(out, "\n    %s", failed ? "not judged, because this machine failed: " : words[verdict]);
    clean_add(out, grade_verdict_reason(submission));
    text_add_char(out, '\n');
    return true;
}

static void add_failures(const struct grade *grade, int submission, struct text *out) {
    int shown = 0;
    int left = 0;
    if (add_verdict(&grade->submissions[submission], out)) {
        if (!grade->submissions[submission].unjudged[0]) {
            return;
        }
        shown++;
    }
    for (int i = 0; i < grade->case_count; i++) {
        if (grade_explains(grade, submission, i) == 0) {
            continue;
        }
        if (shown == MOST_SHOWN) {
            left++;
            continue;
        }
        if (shown++ == 0) {
            clean_add(out, grade->submissions[submission].name);
            text_add_char(out, '\n');
        }
        text_add_string(out, "    ");
        grade_add_case_names(grade, submission, i, 3, out);
        text_add_string(out, ": ");
        clean_add(out, result_of(grade, submission, i)->difference);
        char words[200];
        grade_last_words(result_of(grade, submission, i), words);
        if (words[0]) {
            text_add_string(out, "; it said: ");
            clean_add(out, words);
        }
        text_add_char(out, '\n');
    }
    if (left > 0) {
        text_addf(out, "    and %d other failure%s\n", left, left == 1 ? "" : "s");
    }
}

static void add_share(struct text *out, int right, int asked) {
    if (asked > 0) {
        text_addf(out, " %5d/%-5d", right, asked);
    } else {
        text_addf(out, " %5s %-5s", "-", "");
    }
}

/* Which file was run, and by what; or why nothing was. */
static void add_program(const struct grade_submission *submission, struct text *out) {
    const struct grade_build *build = &submission->build;
    enum grade_verdict verdict = grade_verdict(submission);
    if (verdict != GRADE_JUDGED) {
        text_add_string(out, grade_verdict_names[verdict]);
        return;
    }
    clean_add_column(out, build->file, 0, MOST_WIDTH);
    text_add_string(out, build->file[0] && build->tool[0] ? ", " : "");
    clean_add(out, build->tool);
    if (!build->file[0] && !build->tool[0]) {
        clean_add_column(out, build->how, 0, MOST_WIDTH);
    }
}

void grade_text(const struct grade *grade, struct text *out) {
    int width = 10;
    bool late = false;
    for (int i = 0; i < grade->submission_count; i++) {
        int length = clean_width(grade->submissions[i].name);
        width = length > width ? (length < MOST_WIDTH ? length : MOST_WIDTH) : width;
        late = late || grade->submissions[i].late_days > 0;
    }
    bool games = grade_has_games(grade);
    text_addf(out, "%-*s %15s%s %11s %11s %11s %11s%s %10s %11s  %s\n", width, "submission", "points",
              late ? "   late" : "", "passed", "move", "board", "log", games ? "  won-drawn-lost" : "", "no answer",
              "slowest ms", "program");
    for (int i = 0; i < grade->submission_count; i++) {
        struct grade_total total;
        grade_sum_up(grade, i, &total);
        clean_add_column(out, grade->submissions[i].name, width, width);
        enum grade_verdict verdict = grade_verdict(&grade->submissions[i]);
        if (verdict == GRADE_JUDGED) {
            text_addf(out, " %7.2f/%-7.2f", total.final, total.of);
        } else {
            text_addf(out, " %7s/%-7.2f", verdict == GRADE_EXCUSED ? "-" : "?", total.of);
        }
        if (total.penalty > 0 && verdict == GRADE_JUDGED) {
            text_addf(out, " %5.0f%%", -total.penalty);
        } else if (late) {
            text_add_string(out, "       ");
        }
        add_share(out, total.passed, total.done);
        for (int check = 0; check < GRADE_CHECKS; check++) {
            add_share(out, total.right[check], total.asked[check]);
        }
        if (games) {
            text_addf(out, " %7d-%d-%-5d", total.games[GRADE_WON], total.games[GRADE_DRAWN], total.games[GRADE_LOST]);
        }
        text_addf(out, " %10d %11.1f  ", total.faults, 1e3 * total.slowest);
        add_program(&grade->submissions[i], out);
        text_add_char(out, '\n');
    }
    size_t before = out->length;
    text_add_char(out, '\n');
    for (int i = 0; i < grade->submission_count; i++) {
        add_failures(grade, i, out);
    }
    out->length = out->length == before + 1 ? before : out->length;
}

/* -- tables -- */

/* How a case ended. What a failing machine has judged before it failed is kept. */
static const char *result_name(enum grade_verdict verdict, const struct grade_result *result) {
    if (verdict == GRADE_EXCUSED) {
        return "excused";
    }
    if (verdict != GRADE_JUDGED && (!result->done || result->fault == PLAYER_NOT_STARTED)) {
        return "not judged";
    }
    return grade_passed(result) ? "pass" : result->done ? "fail" : "not run";
}

void grade_csv_cases(const struct grade *grade, struct text *out) {
    static const char *const marks[] = {"", "right", "wrong"};
    text_add_string(out, "submission,case,result,move,board,log,fault,wall_seconds,cpu_seconds,first_difference,points,"
                         "of,last_words");
    bool games = grade_has_games(grade);
    bool hidden = grade_has_hidden(grade);
    text_addf(out, "%s%s\n", games ? ",games" : "", hidden ? ",visibility" : "");
    for (int i = 0; i < grade->submission_count; i++) {
        for (int k = 0; k < grade->case_count; k++) {
            const struct grade_result *result = result_of(grade, i, k);
            const struct grade_submission *submission = &grade->submissions[i];
            enum grade_verdict verdict = grade_verdict(submission);
            char words[200];
            clean_add_csv(out, grade->submissions[i].name);
            text_add_char(out, ',');
            clean_add_csv(out, grade->cases[k].name);
            text_addf(out, ",%s,%s,%s,%s,%s,%.6f,%.6f,", result_name(verdict, result), marks[result->marks[GRADE_MOVE]],
                      marks[result->marks[GRADE_BOARD]], marks[result->marks[GRADE_LOG]],
                      result->fault != PLAYER_NO_FAULT ? player_fault_name(result->fault) : "", result->wall_seconds,
                      result->cpu_seconds);
            clean_add_csv(out, result->done ? result->difference : submission->unjudged);
            if (verdict == GRADE_JUDGED || (result->done && submission->unjudged[0])) {
                text_addf(out, ",%.6g,%.6g,", grade_points(grade, i, k), grade->cases[k].points);
            } else {
                text_addf(out, ",,%.6g,", grade->cases[k].points);
            }
            grade_last_words(result, words);
            clean_add_csv(out, words);
            text_add_string(out, games ? "," : "");
            if (grade->cases[k].game && result->facts) {
                char how[400];
                grade_facts_words(grade->cases[k].game, result->facts, how, sizeof how);
                clean_add_csv(out, how);
            }
            text_addf(out, "%s%s", hidden ? "," : "", hidden ? grade_visibility_names[grade->cases[k].visibility] : "");
            text_add_char(out, '\n');
        }
    }
}

void grade_csv_students(const struct grade *grade, struct text *out) {
    bool games = grade_has_games(grade);
    text_add_string(out, "submission,final,points,of,late_days,late_percent,passed,cases,move,move_of,board,board_of,"
                         "log,log_of,no_answer,slowest_seconds,built,build_problem,verdict,file,interpreter,why");
    bool bonuses = grade_has_bonuses(grade);
    text_addf(out, "%s%s\n", games ? ",games_won,games_drawn,games_lost" : "", bonuses ? ",bonus" : "");
    for (int i = 0; i < grade->submission_count; i++) {
        const struct grade_submission *submission = &grade->submissions[i];
        struct grade_total total;
        grade_sum_up(grade, i, &total);
        enum grade_verdict verdict = grade_verdict(submission);
        clean_add_csv(out, submission->name);
        if (verdict == GRADE_JUDGED) {
            text_addf(out, ",%.6g,%.6g", total.final, total.points);
        } else {
            text_add_string(out, ",,"); /* not a zero: nobody may take it for one */
        }
        text_addf(out, ",%.6g,%.6g,%.6g,%d,%d", total.of, submission->late_days, total.penalty, total.passed,
                  total.done);
        for (int check = 0; check < GRADE_CHECKS; check++) {
            text_addf(out, ",%d,%d", total.right[check], total.asked[check]);
        }
        text_addf(out, ",%d,%.6f,", total.faults, total.slowest);
        clean_add_csv(out, submission->build.how);
        text_add_char(out, ',');
        clean_add_csv(out, submission->unjudged[0] ? submission->unjudged : submission->build.problem);
        text_addf(out, ",%s,", grade_verdict_names[verdict]);
        clean_add_csv(out, submission->build.file);
        text_add_char(out, ',');
        clean_add_csv(out, submission->build.tool);
        text_add_char(out, ',');
        clean_add_csv(out, submission->build.why);
        if (games) {
            text_addf(out, ",%d,%d,%d", total.games[GRADE_WON], total.games[GRADE_DRAWN], total.games[GRADE_LOST]);
        }
        if (bonuses) {
            text_addf(out, ",%.6g", total.bonus);
        }
        text_add_char(out, '\n');
    }
}

/* -- Gradescope -- */

/* Whether no case before this one that a student sees says the same. */
static bool says_it_first(const struct grade *grade, int submission, int case_number) {
    const struct grade_result *result = result_of(grade, submission, case_number);
    for (int i = 0; i < case_number; i++) {
        bool seen = grade->cases[i].visibility == GRADE_VISIBLE;
        if (seen && !grade_passed(result_of(grade, submission, i)) &&
            says_the_same(result, result_of(grade, submission, i))) {
            return false;
        }
    }
    return result->done;
}

static void add_visibility(enum grade_visibility visibility, struct text *out) {
    if (visibility != GRADE_VISIBLE) {
        text_addf(out, ", \"visibility\": \"%s\"", grade_visibility_names[visibility]);
    }
}

/* A bonus is a test of its own, seen as the least visible case it hangs on. */
static void add_bonus(const struct grade *grade, int submission, int group, struct text *out) {
    const struct grade_group *one = &grade->groups[group];
    bool earned = grade_earns_bonus(grade, submission, group);
    enum grade_visibility visibility = GRADE_VISIBLE;
    for (int i = 0; i < grade->case_count; i++) {
        enum grade_visibility other = grade->cases[i].visibility;
        bool less = other == GRADE_HIDDEN || (visibility != GRADE_HIDDEN && other > visibility);
        visibility = grade->cases[i].group == group + 1 && less ? other : visibility;
    }
    text_add_string(out, ",\n    {\"name\": ");
    struct text name = TEXT_EMPTY;
    text_add_string(&name, "bonus: all of ");
    clean_add(&name, one->name);
    clean_add_json(out, text_string(&name));
    text_spend(&name, out);
    text_addf(out, ", \"score\": %.6g, \"max_score\": %.6g, \"status\": \"%s\"", earned ? one->bonus : 0, one->bonus,
              earned ? "passed" : "failed");
    add_visibility(visibility, out);
    text_add_char(out, '}');
}

static void add_test(const struct grade *grade, int submission, int case_number, struct text *out) {
    const struct grade_result *result = result_of(grade, submission, case_number);
    text_add_string(out, "    {\"name\": ");
    clean_add_json(out, grade->cases[case_number].name);
    text_addf(out, ", \"score\": %.6g, \"max_score\": %.6g, \"status\": \"%s\"",
              grade_points(grade, submission, case_number), grade->cases[case_number].points,
              grade_passed(result) ? "passed" : "failed");
    add_visibility(grade->cases[case_number].visibility, out);
    bool games = grade->cases[case_number].game && result->facts;
    if (games) {
        struct text moves = TEXT_EMPTY;
        grade_facts_list(grade->cases[case_number].game, result->facts, &moves);
        text_add_string(out, ", \"output\": ");
        clean_add_json_lines(out, text_string(&moves), moves.length);
        text_spend(&moves, out);
    }
    /* Each failure is explained once here too; the others name it by what they have in common. */
    if (!grade_passed(result) && !games) {
        struct text output = TEXT_EMPTY;
        const char *unjudged = grade->submissions[submission].unjudged;
        clean_add(&output, result->done ? result->difference : *unjudged ? unjudged : "not run");
        if (result->errors[0] && says_it_first(grade, submission, case_number)) {
            text_add_string(&output, "\nstandard error:\n");
            clean_add_lines(&output, result->errors, strlen(result->errors));
        }
        text_add_string(out, ", \"output\": ");
        clean_add_json_lines(out, text_string(&output), output.length);
        text_spend(&output, out);
    }
    text_add_char(out, '}');
}

/* What a course may rank its submissions by, where the assignment shows it. */
static void add_leaderboard(const struct grade *grade, const struct grade_total *total, struct text *out) {
    text_addf(out, "  \"leaderboard\": [\n    {\"name\": \"points\", \"value\": %.6g},\n", total->final);
    if (grade_has_games(grade)) {
        text_addf(out, "    {\"name\": \"games won\", \"value\": %d},\n", total->games[GRADE_WON]);
    }
    text_addf(out, "    {\"name\": \"slowest case (s)\", \"value\": %.3f, \"order\": \"asc\"}\n  ],\n", total->slowest);
}

void grade_gradescope(const struct grade *grade, int submission, struct text *out) {
    const struct grade_submission *one = &grade->submissions[submission];
    struct grade_total total;
    struct text output = TEXT_EMPTY;
    grade_sum_up(grade, submission, &total);
    text_addf(&output, "%d of %d cases passed, %.6g of %.6g points.\n", total.passed, grade->case_count, total.points,
              total.of);
    if (total.penalty > 0) {
        text_addf(&output, "%g day%s late: %g %% off.\n", one->late_days, one->late_days == 1 ? "" : "s",
                  total.penalty);
    }
    if (one->unjudged[0]) {
        text_add_string(&output, "Not judged, because the grading machine failed: ");
        clean_add(&output, one->unjudged);
        text_add_char(&output, '\n');
    } else if (grade_verdict(one) != GRADE_JUDGED) {
        text_addf(&output, "Not judged (%s).\n", grade_verdict_names[grade_verdict(one)]);
    }
    text_add_string(&output, "Built by: ");
    clean_add(&output, one->build.how[0] ? one->build.how : "nothing");
    text_add_char(&output, '\n');
    if (one->build.file[0]) {
        text_add_string(&output, "Program: ");
        clean_add(&output, one->build.file);
        text_addf(&output, "%s%s%s", one->build.tool[0] ? " (" : "", one->build.tool, one->build.tool[0] ? ")" : "");
        text_add_string(&output, "\nChosen because: ");
        clean_add(&output, one->build.why);
        text_add_char(&output, '\n');
    }
    clean_add(&output, one->build.problem);
    if (one->build.problem[0]) {
        text_add_char(&output, '\n');
    }
    clean_add_lines(&output, text_string(&one->build.messages), one->build.messages.length);
    text_addf(out, "{\n  \"score\": %.6g,\n  \"output\": ", total.final);
    clean_add_json_lines(out, text_string(&output), output.length);
    text_addf(out, ",\n  \"output_format\": \"text\",\n  \"execution_time\": %.0f,\n  \"tests\": [\n", total.seconds);
    for (int i = 0; i < grade->case_count; i++) {
        text_add_string(out, i > 0 ? ",\n" : "");
        add_test(grade, submission, i, out);
    }
    for (int i = 0; i < grade->group_count; i++) {
        if (grade->groups[i].bonus > 0) {
            add_bonus(grade, submission, i, out);
        }
    }
    text_add_string(out, "\n  ],\n");
    add_leaderboard(grade, &total, out);
    text_add_string(out, "  \"stdout_visibility\": \"hidden\"\n}\n");
    text_spend(&output, out);
}

void grade_gradescope_refused(const char *reason, struct text *out) {
    text_add_string(out, "{\n  \"score\": 0,\n  \"visibility\": \"hidden\",\n  \"stdout_visibility\": \"hidden\",\n  "
                         "\"output\": \"Not graded: the grading machine "
                         "must be set up first. This is not your program's fault.\",\n  \"tests\": [\n    {\"name\": "
                         "\"grading machine\", \"score\": 0, \"max_score\": 0, \"status\": \"failed\", "
                         "\"visibility\": \"hidden\", \"output\": ");
    clean_add_json(out, reason);
    text_add_string(out, "}\n  ]\n}\n");
}
