#include "grade/grade_wire.h"

#include <stdlib.h>
#include <string.h>

#include "crew/wire.h"
#include "grade/games/grade_facts.h"

#define MOST_NAME 64 /* of an answer's file, its zero included */

/* What two processes must agree on: the same cases and submissions in the same order. */
static uint64_t print_of(const struct grade *grade) {
    uint64_t print = (uint64_t)grade->case_count * 1000003u + (uint64_t)grade->submission_count;
    for (int i = 0; i < grade->case_count; i++) {
        print = (print ^ grade->cases[i].print) * 0x9e3779b97f4a7c15u;
    }
    for (int i = 0; i < grade->submission_count; i++) {
        print = (print ^ grade->submissions[i].print) * 0x9e3779b97f4a7c15u;
    }
    return print;
}

void grade_write_brief(const struct grade *grade, struct text *brief) {
    wire_add_number(brief, (int64_t)print_of(grade));
    for (int i = 0; i < grade->submission_count * grade->case_count; i++) {
        wire_add_flag(brief, grade->results[i].done);
    }
    for (int i = 0; i < grade->case_count; i++) {
        const struct grade_case *one = &grade->cases[i];
        wire_add_number(brief, one->expected_count);
        for (int j = 0; j < one->expected_count; j++) {
            wire_add_string(brief, one->expected[j].name);
            wire_add_text(brief, &one->expected[j].text);
        }
    }
}

/* The name of an answer's file, as the cases have it; NULL when it is none. */
static const char *answer_file(const char *name) {
    for (int i = 0; i < GRADE_MOST_FILES; i++) {
        if (strcmp(grade_answer_files[i], name) == 0) {
            return grade_answer_files[i];
        }
    }
    return NULL;
}

/* Reads the answers of one case, and keeps them where it has none of its own. */
static void read_answers(struct wire *wire, struct grade_case *one) {
    bool own = one->expected_count > 0;
    int count = (int)wire_number(wire, 0, GRADE_MOST_FILES);
    for (int i = 0; i < count && !wire->failed; i++) {
        char name[MOST_NAME];
        struct text text = TEXT_EMPTY;
        wire_string(wire, name, sizeof name);
        wire_text(wire, &text, GRADE_MOST_FILE_BYTES);
        wire->failed = wire->failed || !answer_file(name);
        if (wire->failed || own) {
            text_free(&text);
        } else {
            one->expected[one->expected_count++] = (struct grade_expected){.name = answer_file(name), .text = text};
        }
    }
}

enum status grade_read_brief(struct grade *grade, const struct text *brief, struct error *error) {
    struct wire wire;
    wire_init(&wire, text_string(brief), brief->length);
    uint64_t print = (uint64_t)wire_number(&wire, INT64_MIN, INT64_MAX);
    if (wire.failed || print != print_of(grade)) {
        return error_machine(error, "this process does not see the same cases and submissions as the first");
    }
    for (int i = 0; i < grade->submission_count * grade->case_count; i++) {
        grade->results[i].done = wire_flag(&wire);
    }
    for (int i = 0; i < grade->case_count; i++) {
        read_answers(&wire, &grade->cases[i]);
    }
    return wire_end(&wire) ? STATUS_OK : error_machine(error, "the first process sent no cases");
}

/* One case. */
static void write_result(const struct grade_result *result, struct text *out) {
    wire_add_flag(out, result->done);
    for (int i = 0; i < GRADE_CHECKS; i++) {
        wire_add_number(out, result->marks[i]);
    }
    wire_add_number(out, result->fault);
    wire_add_double(out, result->wall_seconds);
    wire_add_double(out, result->cpu_seconds);
    wire_add_string(out, result->difference);
    wire_add_string(out, result->errors);
    wire_add_string(out, result->explanation);
    wire_add_bytes(out, result->facts ? result->facts : "", result->facts ? strlen(result->facts) : 0);
}

static void read_result(struct wire *wire, const struct grade_case *one, struct grade_result *result) {
    result->done = wire_flag(wire);
    for (int i = 0; i < GRADE_CHECKS; i++) {
        result->marks[i] = (enum grade_mark)wire_number(wire, 0, GRADE_MARKS - 1);
    }
    result->fault = (enum player_fault)wire_number(wire, 0, PLAYER_FAULTS - 1);
    result->wall_seconds = wire_double(wire);
    result->cpu_seconds = wire_double(wire);
    wire_string(wire, result->difference, sizeof result->difference);
    wire_string(wire, result->errors, sizeof result->errors);
    wire_string(wire, result->explanation, sizeof result->explanation);
    struct text facts = TEXT_EMPTY;
    wire_text(wire, &facts, GRADE_MOST_FACTS);
    bool whole = !facts.broken && strlen(text_string(&facts)) == facts.length;
    wire->failed = wire->failed || !whole || !grade_facts_well(one, text_string(&facts));
    result->facts = facts.length > 0 && !wire->failed ? facts.data : NULL;
    if (result->facts) {
        grade_weigh(one, result);
    } else {
        text_free(&facts);
    }
}

void grade_write_judged(const struct grade *grade, int submission, struct text *judged) {
    const struct grade_build *build = &grade->submissions[submission].build;
    wire_add_number(judged, submission);
    wire_add_string(judged, grade->submissions[submission].unjudged);
    wire_add_number(judged, build->state);
    wire_add_string(judged, build->file);
    wire_add_string(judged, build->how);
    wire_add_string(judged, build->tool);
    wire_add_string(judged, build->why);
    wire_add_string(judged, build->problem);
    wire_add_string(judged, build->missing_tool);
    wire_add_string(judged, build->choices);
    /* not as a text: one that memory ran out for leaves this submission unjudged, and must not end the class */
    wire_add_bytes(judged, text_string(&build->messages), build->messages.length);
    for (int i = 0; i < grade->case_count; i++) {
        write_result(&grade->results[submission * grade->case_count + i], judged);
    }
}

enum status grade_read_judged(const struct grade *grade, const struct text *judged, struct grade_judged *out,
                              struct error *error) {
    struct wire wire;
    wire_init(&wire, text_string(judged), judged->length);
    *out = (struct grade_judged){.results = calloc((size_t)grade->case_count, sizeof *out->results)};
    if (!out->results) {
        return error_machine(error, "out of memory");
    }
    out->submission = (int)wire_number(&wire, 0, grade->submission_count - 1);
    wire_string(&wire, out->unjudged, sizeof out->unjudged);
    out->build.state = (enum grade_build_state)wire_number(&wire, 0, GRADE_BUILD_STATES - 1);
    wire_string(&wire, out->build.file, sizeof out->build.file);
    wire_string(&wire, out->build.how, sizeof out->build.how);
    wire_string(&wire, out->build.tool, sizeof out->build.tool);
    wire_string(&wire, out->build.why, sizeof out->build.why);
    wire_string(&wire, out->build.problem, sizeof out->build.problem);
    wire_string(&wire, out->build.missing_tool, sizeof out->build.missing_tool);
    wire_string(&wire, out->build.choices, sizeof out->build.choices);
    wire_text(&wire, &out->build.messages, GRADE_MOST_FILE_BYTES);
    for (int i = 0; i < grade->case_count; i++) {
        read_result(&wire, &grade->cases[i], &out->results[i]);
    }
    if (!wire_end(&wire)) {
        text_free(&out->build.messages);
        for (int i = 0; i < grade->case_count; i++) {
            grade_result_free(&out->results[i]);
        }
        free(out->results);
        *out = (struct grade_judged){0};
        return error_machine(error, "a helper's answer is no judged submission");
    }
    return STATUS_OK;
}
