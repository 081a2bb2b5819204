#include "grade/grade_wire.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that are taken off one after the other. */
struct bytes {
    const char *at;
    size_t left;
};

static bool take(struct bytes *bytes, void *to, size_t length) {
    if (bytes->left < length) {
        return false;
    }
    memcpy(to, bytes->at, length);
    bytes->at += length;
    bytes->left -= length;
    return true;
}

static void add_text(struct text *out, const struct text *text) {
    size_t length = text->length;
    text_add(out, (const char *)&length, sizeof length);
    text_add(out, text_string(text), length);
}

static bool take_text(struct bytes *bytes, struct text *text) {
    size_t length;
    if (!take(bytes, &length, sizeof length) || bytes->left < length) {
        return false;
    }
    text_add(text, bytes->at, length);
    bytes->at += length;
    bytes->left -= length;
    return !text->broken;
}

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
    uint64_t print = print_of(grade);
    text_add(brief, (const char *)&print, sizeof print);
    for (int i = 0; i < grade->submission_count * grade->case_count; i++) {
        text_add_char(brief, grade->results[i].done ? '1' : '0');
    }
    for (int i = 0; i < grade->case_count; i++) {
        const struct grade_case *one = &grade->cases[i];
        text_add(brief, (const char *)&one->expected_count, sizeof one->expected_count);
        for (int j = 0; j < one->expected_count; j++) {
            struct text name = TEXT_EMPTY;
            text_add_string(&name, one->expected[j].name);
            add_text(brief, &name);
            add_text(brief, &one->expected[j].text);
            text_free(&name);
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

/* Takes the answers of one case, where it has none of its own. */
static bool take_answers(struct bytes *bytes, struct grade_case *one) {
    int count;
    bool own = one->expected_count > 0;
    if (!take(bytes, &count, sizeof count) || count < 0 || count > GRADE_MOST_FILES) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        struct text name = TEXT_EMPTY;
        struct text text = TEXT_EMPTY;
        bool fine = take_text(bytes, &name) && take_text(bytes, &text) && answer_file(text_string(&name));
        if (fine && !own) {
            one->expected[one->expected_count++] =
                (struct grade_expected){.name = answer_file(text_string(&name)), .text = text};
        } else {
            text_free(&text);
        }
        text_free(&name);
        if (!fine) {
            return false;
        }
    }
    return true;
}

enum status grade_read_brief(struct grade *grade, const struct text *brief, struct error *error) {
    struct bytes bytes = {text_string(brief), brief->length};
    uint64_t print;
    if (!take(&bytes, &print, sizeof print) || print != print_of(grade)) {
        return error_machine(error, "this process does not see the same cases and submissions as the first");
    }
    bool fine = true;
    for (int i = 0; i < grade->submission_count * grade->case_count && fine; i++) {
        char done;
        fine = take(&bytes, &done, 1);
        grade->results[i].done = fine && done == '1';
    }
    for (int i = 0; i < grade->case_count && fine; i++) {
        fine = take_answers(&bytes, &grade->cases[i]);
    }
    return fine ? STATUS_OK : error_machine(error, "the first process sent no cases");
}

void grade_write_judged(const struct grade *grade, int submission, struct text *judged) {
    const struct grade_build *build = &grade->submissions[submission].build;
    struct grade_build plain = *build;
    plain.messages = TEXT_EMPTY; /* its bytes follow */
    text_add(judged, (const char *)&submission, sizeof submission);
    text_add(judged, (const char *)&plain, sizeof plain);
    text_add(judged, grade->submissions[submission].unjudged, sizeof grade->submissions[submission].unjudged);
    add_text(judged, &build->messages);
    text_add(judged, (const char *)&grade->results[submission * grade->case_count],
             (size_t)grade->case_count * sizeof *grade->results);
}

enum status grade_read_judged(const struct grade *grade, const struct text *judged, struct grade_judged *out,
                              struct error *error) {
    struct bytes bytes = {text_string(judged), judged->length};
    size_t size = (size_t)grade->case_count * sizeof *out->results;
    *out = (struct grade_judged){.results = malloc(size)};
    if (!out->results) {
        return error_machine(error, "out of memory");
    }
    bool fine = take(&bytes, &out->submission, sizeof out->submission) && out->submission >= 0 &&
                out->submission < grade->submission_count && take(&bytes, &out->build, sizeof out->build) &&
                take(&bytes, out->unjudged, sizeof out->unjudged);
    out->build.messages = TEXT_EMPTY;
    fine = fine && take_text(&bytes, &out->build.messages) && take(&bytes, out->results, size) && bytes.left == 0;
    if (!fine) {
        text_free(&out->build.messages);
        free(out->results);
        return error_machine(error, "a helper's answer is no judged submission");
    }
    return STATUS_OK;
}
