/* The class as a whole: its memory and its points. */
#include "grade/grade.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
const char *const grade_check_names[GRADE_CHECKS] = {"move", "board", "log"};
const char *const grade_visibility_names[GRADE_VISIBILITIES] = {"visible", "hidden", "after_due_date",
                                                                "after_published"};
const char *const grade_answer_files[GRADE_MOST_FILES] = {"output.txt", "next_state.txt", "trace_state.txt",
                                                          "traverse_log.txt"};

void grade_result_free(struct grade_result *result) {
    free(result->facts);
    *result = (struct grade_result){0};
}

bool grade_facts_well(const struct grade_case *one, const char *facts) {
    bool is_value = !one->game && one->values.count > 0 && *facts;
    for (int i = 0; i < one->values.count && is_value; i++) {
        char value[12];
        snprintf(value, sizeof value, "%d", one->values.items[i].value);
        if (strcmp(value, facts) == 0) {
            return true;
        }
    }
    return grade_facts_fit(one->game, facts);
}

bool grade_result_copy(struct grade_result *to, const struct grade_result *from) {
    char *facts = from->facts ? strdup(from->facts) : NULL;
    free(to->facts);
    *to = *from;
    to->facts = facts;
    return facts || !from->facts;
}

static void free_results(struct grade *grade) {
    for (int i = 0; i < grade->submission_count * grade->case_count && grade->results; i++) {
        grade_result_free(&grade->results[i]);
    }
    free(grade->results);
    grade->results = NULL;
}

void grade_forget_results(struct grade *grade) {
    for (int i = 0; i < grade->submission_count; i++) {
        text_free(&grade->submissions[i].build.messages);
        grade->submissions[i].build = (struct grade_build){0};
        grade->submissions[i].unjudged[0] = '\0';
    }
    free_results(grade);
}

static void grade_submission_free(struct grade_submission *submission) {
    for (int i = 0; i < submission->part_count; i++) {
        free(submission->parts[i].path);
        free(submission->parts[i].name);
    }
    free(submission->parts);
    text_free(&submission->people);
    free(submission->name);
    free(submission->path);
}

void grade_free(struct grade *grade) {
    free_results(grade);
    for (int i = 0; i < grade->case_count; i++) {
        struct grade_case *one = &grade->cases[i];
        for (int k = 0; k < one->expected_count; k++) {
            text_free(&one->expected[k].text);
        }
        text_free(&one->input);
        grade_values_free(&one->values);
        course_request_free(&one->request);
        free(one->game);
        free(one->name);
    }
    for (int i = 0; i < grade->submission_count; i++) {
        grade_submission_free(&grade->submissions[i]);
        text_free(&grade->submissions[i].build.messages);
    }
    text_free(&grade->left_out);
    free(grade->groups);
    free(grade->cases);
    free(grade->submissions);
    *grade = (struct grade){0};
}

bool grade_has_games(const struct grade *grade) {
    for (int i = 0; i < grade->case_count; i++) {
        if (grade->cases[i].game) {
            return true;
        }
    }
    return false;
}

enum grade_course grade_course_of(const struct grade *grade) {
    static const char *const names[GRADE_COURSES] = {"", "stake", "sneak", "laser", "gomoku"};
    enum grade_course course = GRADE_COURSE_ANY;
    for (int i = 0; i < grade->case_count; i++) {
        const struct course_format *format = grade->cases[i].request.format;
        enum grade_course one = GRADE_COURSE_ANY;
        for (int k = 1; k < GRADE_COURSES && format; k++) {
            one = strcmp(format->name, names[k]) == 0 ? (enum grade_course)k : one;
        }
        if (i > 0 && one != course) {
            return GRADE_COURSE_ANY;
        }
        course = one;
    }
    return course;
}

const char *const grade_verdict_names[GRADE_VERDICTS] = {"judged", "excused", "question", "machine"};

enum grade_verdict grade_verdict(const struct grade_submission *submission) {
    if (submission->wish.excused) {
        return GRADE_EXCUSED;
    }
    if (submission->unjudged[0] || submission->build.state == GRADE_BUILD_LACKS_TOOL) {
        return GRADE_MACHINE;
    }
    return submission->build.state == GRADE_BUILD_QUESTION ? GRADE_QUESTION : GRADE_JUDGED;
}

const char *grade_verdict_reason(const struct grade_submission *submission) {
    enum grade_verdict verdict = grade_verdict(submission);
    return verdict == GRADE_JUDGED           ? ""
           : verdict == GRADE_EXCUSED        ? "excused"
           : submission->unjudged[0] != '\0' ? submission->unjudged
                                             : submission->build.problem;
}

bool grade_passed(const struct grade_result *result) {
    return result->done && result->difference[0] == '\0';
}

void grade_weigh(const struct grade_case *one, struct grade_result *result) {
    if (one->game && result->facts) {
        result->share = grade_facts_share(one->game, result->facts);
        result->difference[0] = '\0';
        if (result->share < 1 - 1e-9) {
            grade_facts_words(one->game, result->facts, result->difference, sizeof result->difference);
        }
    } else if (result->facts) {
        result->share = grade_values_share(&one->values, atoi(result->facts));
    }
}

double grade_points(const struct grade *grade, int submission, int case_number) {
    return grade_result_points(&grade->cases[case_number],
                               &grade->results[submission * grade->case_count + case_number]);
}

double grade_result_points(const struct grade_case *one, const struct grade_result *result) {
    double earned = 0;
    double all = 0;
    if (grade_passed(result)) {
        return one->points;
    }
    if (one->game || (one->by_value && result->facts)) {
        return one->points * result->share;
    }
    for (int check = 0; check < GRADE_CHECKS && result->done; check++) {
        if (result->marks[check] != GRADE_NOT_ASKED) {
            all += one->shares[check];
            earned += result->marks[check] == GRADE_RIGHT ? one->shares[check] : 0;
        }
    }
    return all > 0 ? one->points * earned / all : 0;
}

bool grade_earns_bonus(const struct grade *grade, int submission, int group) {
    int count = 0;
    for (int i = 0; i < grade->case_count; i++) {
        if (grade->cases[i].group == group + 1) {
            count++;
            if (!grade_passed(&grade->results[submission * grade->case_count + i])) {
                return false;
            }
        }
    }
    return count > 0;
}

bool grade_has_bonuses(const struct grade *grade) {
    for (int i = 0; i < grade->group_count; i++) {
        if (grade->groups[i].bonus > 0) {
            return true;
        }
    }
    return false;
}

bool grade_has_hidden(const struct grade *grade) {
    for (int i = 0; i < grade->case_count; i++) {
        if (grade->cases[i].visibility != GRADE_VISIBLE) {
            return true;
        }
    }
    return false;
}

/* The points of a group, 0 for the cases of none, up to its cap, and its bonus. */
static void add_group(const struct grade *grade, int submission, int group, struct grade_total *total) {
    const struct grade_group *one = group > 0 ? &grade->groups[group - 1] : NULL;
    double most = one && one->cap_line > 0 ? one->cap : INFINITY;
    double points = 0;
    double of = 0;
    for (int i = 0; i < grade->case_count; i++) {
        if (grade->cases[i].group == group) {
            points += grade_points(grade, submission, i);
            of += grade->cases[i].points;
        }
    }
    double bonus = one && grade_earns_bonus(grade, submission, group - 1) ? one->bonus : 0;
    total->points += fmin(points, most) + bonus;
    total->of += fmin(of, most);
    total->bonus += bonus;
}

void grade_sum_up(const struct grade *grade, int submission, struct grade_total *total) {
    *total = (struct grade_total){0};
    for (int group = 0; group <= grade->group_count; group++) {
        add_group(grade, submission, group, total);
    }
    for (int i = 0; i < grade->case_count; i++) {
        const struct grade_result *result = &grade->results[submission * grade->case_count + i];
        total->done += result->done;
        total->passed += grade_passed(result);
        total->faults += result->fault != PLAYER_NO_FAULT;
        total->seconds += result->wall_seconds;
        total->slowest = result->wall_seconds > total->slowest ? result->wall_seconds : total->slowest;
        if (grade->cases[i].game && result->facts) {
            grade_facts_count(result->facts, total->games);
        }
        for (int check = 0; check < GRADE_CHECKS; check++) {
            total->asked[check] += result->marks[check] != GRADE_NOT_ASKED;
            total->right[check] += result->marks[check] == GRADE_RIGHT;
        }
    }
    double days = ceil(grade->submissions[submission].late_days) - grade->late_free;
    total->penalty = days > 0 ? fmin(100, days * grade->late_penalty) : 0;
    total->final = total->points * (100 - total->penalty) / 100;
}
