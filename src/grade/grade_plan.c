/* A plan on its way out of the sandbox, and back in after the build. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grade/find/grade_detect.h"

void grade_plan_free(struct grade_plan *plan) {
    text_free(&plan->script);
    text_free(&plan->command);
    text_free(&plan->programs);
}

static void add_string(struct text *out, const char *string) {
    text_add(out, string, strlen(string) + 1);
}

/* A list of zero-ended words, and a zero. */
static void add_list(struct text *out, const struct text *list) {
    text_add(out, text_string(list), list->length);
    text_add_char(out, '\0');
}

void grade_plan_write(const struct grade_plan *plan, struct text *out) {
    char state[12];
    snprintf(state, sizeof state, "%d", (int)plan->state);
    add_string(out, state);
    add_string(out, plan->how);
    add_string(out, plan->problem);
    add_string(out, plan->missing_tool);
    add_string(out, plan->folder);
    add_string(out, text_string(&plan->script));
    add_list(out, &plan->command);
    add_list(out, &plan->programs);
}

/* Bytes that are taken off one after the other. */
struct bytes {
    const char *at;
    const char *end;
};

/* Takes one zero-ended string off; NULL when there is none. */
static const char *take(struct bytes *bytes) {
    const char *string = bytes->at;
    const char *zero = string < bytes->end ? memchr(string, '\0', (size_t)(bytes->end - string)) : NULL;
    bytes->at = zero ? zero + 1 : bytes->end;
    return zero ? string : NULL;
}

static bool take_string(struct bytes *bytes, char *to, size_t size) {
    const char *string = take(bytes);
    return string && snprintf(to, size, "%s", string) < (int)size;
}

static bool take_list(struct bytes *bytes, struct text *list) {
    const char *word;
    while ((word = take(bytes)) != NULL && *word) {
        text_add(list, word, strlen(word) + 1);
    }
    return word != NULL;
}

bool grade_plan_read(struct grade_plan *plan, const struct text *text) {
    struct bytes bytes = {text_string(text), text_string(text) + text->length};
    char state[12];
    const char *script = NULL;
    *plan = (struct grade_plan){0};
    bool well = take_string(&bytes, state, sizeof state) && take_string(&bytes, plan->how, sizeof plan->how) &&
                take_string(&bytes, plan->problem, sizeof plan->problem) &&
                take_string(&bytes, plan->missing_tool, sizeof plan->missing_tool) &&
                take_string(&bytes, plan->folder, sizeof plan->folder) && (script = take(&bytes)) != NULL;
    if (well) {
        text_add_string(&plan->script, script);
        well = take_list(&bytes, &plan->command) && take_list(&bytes, &plan->programs) && bytes.at == bytes.end;
        plan->state = (enum grade_build_state)strtol(state, NULL, 10);
    }
    return well && plan->state > GRADE_BUILD_UNKNOWN && plan->state < GRADE_BUILD_STATES && !plan->script.broken &&
           !plan->command.broken && !plan->programs.broken;
}
