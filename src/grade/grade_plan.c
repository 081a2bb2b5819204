/* A plan on its way out of the sandbox, and back in after the build. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grade/find/grade_detect.h"

void grade_way_free(struct grade_way *way) {
    text_free(&way->script);
    text_free(&way->others);
    text_free(&way->command);
    text_free(&way->modules);
}

void grade_plan_free(struct grade_plan *plan) {
    for (int i = 0; i < plan->way_count; i++) {
        grade_way_free(&plan->ways[i]);
    }
    text_free(&plan->programs);
    text_free(&plan->considered);
    plan->way_count = 0;
}

static void add_string(struct text *out, const char *string) {
    text_add(out, string, strlen(string) + 1);
}

/* A list of zero-ended words, and a zero. */
static void add_list(struct text *out, const struct text *list) {
    text_add(out, text_string(list), list->length);
    text_add_char(out, '\0');
}

static void add_number(struct text *out, int number) {
    char digits[12];
    snprintf(digits, sizeof digits, "%d", number);
    add_string(out, digits);
}

static void add_way(const struct grade_way *way, struct text *out) {
    add_number(out, (int)way->state);
    add_number(out, (int)way->python);
    add_number(out, way->is_python);
    add_number(out, way->if_unbuilt);
    add_string(out, way->file);
    add_string(out, way->how);
    add_string(out, way->why);
    add_string(out, way->problem);
    add_string(out, way->missing_tool);
    add_string(out, way->sign);
    add_string(out, text_string(&way->script));
    add_list(out, &way->others);
    add_list(out, &way->command);
    add_list(out, &way->modules);
}

void grade_plan_write(const struct grade_plan *plan, struct text *out) {
    add_number(out, (int)plan->state);
    add_number(out, plan->way_count);
    add_string(out, plan->problem);
    add_string(out, plan->folder);
    add_string(out, plan->version);
    add_string(out, plan->wish.main);
    add_string(out, plan->wish.python);
    add_string(out, plan->wish.command);
    add_string(out, plan->wish.build);
    add_string(out, text_string(&plan->considered));
    add_list(out, &plan->programs);
    for (int i = 0; i < plan->way_count; i++) {
        add_way(&plan->ways[i], out);
    }
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

/* A number of [0, most). */
static bool take_number(struct bytes *bytes, int most, int *number) {
    char digits[12];
    char *end = digits;
    long value = take_string(bytes, digits, sizeof digits) ? strtol(digits, &end, 10) : -1;
    *number = (int)value;
    return end != digits && *end == '\0' && value >= 0 && value < most;
}

static bool take_text(struct bytes *bytes, struct text *text) {
    const char *string = take(bytes);
    text_add_string(text, string ? string : "");
    return string != NULL && !text->broken;
}

static bool take_way(struct bytes *bytes, struct grade_way *way) {
    int state = 0;
    int python = 0;
    int is_python = 0;
    int if_unbuilt = 0;
    bool well = take_number(bytes, GRADE_BUILD_STATES, &state) && state > GRADE_BUILD_UNKNOWN &&
                take_number(bytes, GRADE_PYTHON_3_REQUIRED + 1, &python) && take_number(bytes, 2, &is_python) &&
                take_number(bytes, 2, &if_unbuilt) && take_string(bytes, way->file, sizeof way->file) &&
                take_string(bytes, way->how, sizeof way->how) && take_string(bytes, way->why, sizeof way->why) &&
                take_string(bytes, way->problem, sizeof way->problem) &&
                take_string(bytes, way->missing_tool, sizeof way->missing_tool) &&
                take_string(bytes, way->sign, sizeof way->sign) && take_text(bytes, &way->script) &&
                take_list(bytes, &way->others) && take_list(bytes, &way->command) && take_list(bytes, &way->modules) &&
                !way->others.broken && !way->command.broken && !way->modules.broken;
    way->state = (enum grade_build_state)state;
    way->python = (enum grade_python)python;
    way->is_python = is_python;
    way->if_unbuilt = if_unbuilt;
    return well;
}

static bool take_wish(struct bytes *bytes, struct grade_wish *wish) {
    return take_string(bytes, wish->main, sizeof wish->main) && take_string(bytes, wish->python, sizeof wish->python) &&
           take_string(bytes, wish->command, sizeof wish->command) &&
           take_string(bytes, wish->build, sizeof wish->build);
}

bool grade_plan_read(struct grade_plan *plan, const struct text *text) {
    struct bytes bytes = {text_string(text), text_string(text) + text->length};
    int state = 0;
    int ways = 0;
    *plan = (struct grade_plan){0};
    bool well = take_number(&bytes, GRADE_BUILD_STATES, &state) && state > GRADE_BUILD_UNKNOWN &&
                take_number(&bytes, GRADE_MOST_WAYS + 1, &ways) &&
                take_string(&bytes, plan->problem, sizeof plan->problem) &&
                take_string(&bytes, plan->folder, sizeof plan->folder) &&
                take_string(&bytes, plan->version, sizeof plan->version) && take_wish(&bytes, &plan->wish) &&
                take_text(&bytes, &plan->considered) && take_list(&bytes, &plan->programs) && !plan->programs.broken;
    for (int i = 0; i < ways && well; i++) {
        plan->way_count++;
        well = take_way(&bytes, &plan->ways[i]);
    }
    plan->state = (enum grade_build_state)state;
    return well && bytes.at == bytes.end && (plan->state != GRADE_BUILD_READY || ways > 0);
}
