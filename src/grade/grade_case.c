/* Reading the cases: folders with an input.txt, and the flat pairs courses hand out. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade/find/grade_tree.h"
#include "grade/grade.h"
#include "grade/grade_judge.h"
#include "players/course_turn.h"
#include "system/file.h"

#define MOST_DEPTH 3

/* A file that need not be there; one that is there must be readable. */
static enum status read_text(const char *folder, const char *name, struct text *text, bool *there,
                             struct error *error) {
    char path[PATH_MAX];
    char *bytes;
    size_t length;
    *there = grade_tree_join(path, folder, name) && access(path, F_OK) == 0;
    if (!*there) {
        return STATUS_OK;
    }
    struct error cause = {0};
    enum status status = file_read(path, GRADE_MOST_FILE_BYTES, &bytes, &length, &cause);
    if (status != STATUS_OK) {
        error_fill(error, 0, 0, "%.160s: %.70s", path, cause.text);
        return status;
    }
    text_add(text, bytes, length);
    free(bytes);
    return text->broken ? error_machine(error, "out of memory") : STATUS_OK;
}

static enum status parse_input(struct grade_case *one, const char *folder, const char *file, struct error *error) {
    struct error cause = {0};
    enum status status = course_parse(text_string(&one->input), one->input.length, NULL, &one->request, &cause);
    if (status != STATUS_OK) {
        return error_at(error, 0, 0, "%.100s/%.40s:%d:%d: %.80s", folder, file, cause.line, cause.column, cause.text);
    }
    const struct game *game = one->request.game;
    if (!course_format_of(game, game->variant(one->request.position))) {
        course_request_free(&one->request);
        return error_at(error, 0, 0, "%.100s/%.40s:1:1: expected an input file of a course, found a position of %.40s",
                        folder, file, game->properties->title);
    }
    return STATUS_OK;
}

/* Where the parts of one case lie in their folder. */
struct case_files {
    const char *input;
    const char *answers[GRADE_MOST_FILES]; /* in the order of grade_answer_files; NULL: none */
    const char *values;
    const char *game;
};

/* Reads the game of a case, where there is one. */
static enum status read_game(struct grade_case *one, const char *folder, const char *file, struct error *error) {
    struct text text = TEXT_EMPTY;
    struct error cause = {0};
    bool there = false;
    enum status status = file ? read_text(folder, file, &text, &there, error) : STATUS_OK;
    if (status == STATUS_OK && there) {
        one->game = calloc(1, sizeof *one->game);
        status = one->game ? grade_game_read(one->game, &one->request, text_string(&text), text.length, &cause)
                           : error_machine(error, "out of memory");
        if (status == STATUS_BAD_INPUT) {
            error_fill(error, 0, 0, "%.90s/%.40s:%d:%d: %.180s", folder, file, cause.line, cause.column, cause.text);
        }
    }
    text_free(&text);
    return status;
}

/* Reads what the moves are worth. Where the answer is one and defined, the file says nothing to us. */
static enum status read_values(struct grade_case *one, const char *folder, const char *file, struct text *text,
                               struct error *error) {
    struct error cause = {0};
    bool there = false;
    enum status status = read_text(folder, file, text, &there, error);
    if (status == STATUS_OK && there && grade_is_free(one)) {
        status = grade_values_read(&one->values, &one->request, text_string(text), text->length, &cause);
        if (status != STATUS_OK) {
            error_fill(error, 0, 0, "%.90s/%.40s:%d:%d: %.180s", folder, file, cause.line, cause.column, cause.text);
        }
    }
    return status;
}

static enum status read_answers(struct grade_case *one, const char *folder, const struct case_files *files,
                                struct error *error) {
    struct text values = TEXT_EMPTY;
    bool there = false;
    enum status status = read_game(one, folder, files->game, error);
    for (int i = 0; i < GRADE_MOST_FILES && status == STATUS_OK && !one->game; i++) {
        struct grade_expected *expected = &one->expected[one->expected_count];
        *expected = (struct grade_expected){.name = grade_answer_files[i]};
        if (files->answers[i]) {
            status = read_text(folder, files->answers[i], &expected->text, &there, error);
            one->expected_count += there && status == STATUS_OK;
        }
    }
    if (status == STATUS_OK && files->values && !one->game) {
        status = read_values(one, folder, files->values, &values, error);
    }
    one->print = grade_print_bytes(0, text_string(&one->input), one->input.length);
    for (int i = 0; i < one->expected_count; i++) {
        one->print = grade_print_string(one->print, one->expected[i].name);
        one->print = grade_print_bytes(one->print, text_string(&one->expected[i].text), one->expected[i].text.length);
    }
    one->print = grade_print_bytes(one->print, text_string(&values), values.length);
    text_free(&values);
    if (one->game) {
        one->print = grade_print_bytes(one->print, &one->game->print, sizeof one->game->print);
    }
    return status;
}

/* Makes room for one more case; NULL when memory is short. It is not counted yet. */
static struct grade_case *new_case(struct grade *grade, const char *name, struct error *error) {
    char *copy = strdup(name);
    struct grade_case *larger = realloc(grade->cases, (size_t)(grade->case_count + 1) * sizeof *larger);
    if (larger) {
        grade->cases = larger;
    }
    if (!larger || !copy) {
        error_machine(error, "out of memory");
        free(copy);
        return NULL;
    }
    struct grade_case *added = &grade->cases[grade->case_count];
    *added = (struct grade_case){.name = copy, .points = 1, .shares = {1, 1, 1}};
    return added;
}

static enum status add_case(struct grade *grade, const char *folder, const char *name, const struct case_files *files,
                            struct error *error) {
    struct grade_case *one = new_case(grade, name, error);
    bool there;
    enum status status = one ? read_text(folder, files->input, &one->input, &there, error) : STATUS_FAIL;
    if (status == STATUS_OK) {
        status = parse_input(one, folder, files->input, error);
    }
    if (status != STATUS_OK) {
        if (one) {
            text_free(&one->input);
            free(one->name);
        }
        return status;
    }
    grade->case_count++;
    return read_answers(one, folder, files, error);
}

enum status grade_add_case(struct grade *grade, const char *name, const char *input, struct error *error) {
    struct grade_case *one = new_case(grade, name, error);
    if (!one) {
        return STATUS_FAIL;
    }
    text_add_string(&one->input, input);
    enum status status =
        one->input.broken ? error_machine(error, "out of memory") : parse_input(one, name, "input.txt", error);
    if (status != STATUS_OK) {
        text_free(&one->input);
        free(one->name);
        return status;
    }
    one->print = grade_print_bytes(0, text_string(&one->input), one->input.length);
    grade->case_count++;
    return STATUS_OK;
}

/* -- flat pairs -- */

/* The file in which a course expects its one answer, when a pair does not say: NAME.in and NAME.out. */
static int answer_number(const char *folder, const char *input) {
    struct text text = TEXT_EMPTY;
    struct course_request request;
    bool there;
    int number = 0;
    if (read_text(folder, input, &text, &there, NULL) == STATUS_OK &&
        course_parse(text_string(&text), text.length, NULL, &request, NULL) == STATUS_OK) {
        const char *file = request.battle ? request.format->battle_file : request.format->answer_file;
        for (int i = 0; i < GRADE_MOST_FILES; i++) {
            number = file && strcmp(file, grade_answer_files[i]) == 0 ? i : number;
        }
        course_request_free(&request);
    }
    text_free(&text);
    return number;
}

static enum status add_named(struct grade *grade, const char *folder, const char *name, const char *inner,
                             const struct case_files *files, struct error *error) {
    char whole[PATH_MAX];
    return grade_tree_join(whole, name, inner) ? add_case(grade, folder, whole, files, error)
                                               : error_at(error, 0, 0, "%.200s: name too long", inner);
}

/* NAME.in with NAME.out and, for the traversal log, NAME.log; or with NAME.game. */
static enum status add_in_out(struct grade *grade, const char *folder, const char *name, const char *input,
                              struct error *error) {
    char stem[NAME_MAX + 1];
    char output[NAME_MAX + 8];
    char log[NAME_MAX + 8];
    char game[NAME_MAX + 8];
    snprintf(stem, sizeof stem, "%.*s", (int)(strlen(input) - 3), input);
    snprintf(output, sizeof output, "%s.out", stem);
    snprintf(log, sizeof log, "%s.log", stem);
    snprintf(game, sizeof game, "%s.game", stem);
    struct case_files files = {.input = input, .game = game};
    files.answers[GRADE_MOST_FILES - 1] = log;
    files.answers[answer_number(folder, input)] = output;
    return add_named(grade, folder, name, stem, &files, error);
}

/* inputTAIL with outputTAIL, next_stateTAIL, traverse_logTAIL, trace_stateTAIL, valuesTAIL; or with gameTAIL. */
static enum status add_tailed(struct grade *grade, const char *folder, const char *name, const char *input,
                              struct error *error) {
    const char *tail = input + strlen("input");
    char names[GRADE_MOST_FILES + 1][NAME_MAX + 32];
    struct case_files files = {.input = input};
    for (int i = 0; i < GRADE_MOST_FILES; i++) {
        int stem = (int)strcspn(grade_answer_files[i], ".");
        snprintf(names[i], sizeof names[i], "%.*s%s", stem, grade_answer_files[i], tail);
        files.answers[i] = names[i];
    }
    snprintf(names[GRADE_MOST_FILES], sizeof names[0], "values%s", tail);
    files.values = names[GRADE_MOST_FILES];
    char game[NAME_MAX + 32];
    snprintf(game, sizeof game, "game%s", tail);
    files.game = game;
    char inner[NAME_MAX + 1];
    const char *from = tail + strspn(tail, "_-. ");
    const char *dot = strrchr(from, '.');
    snprintf(inner, sizeof inner, "%.*s", dot ? (int)(dot - from) : (int)strlen(from), from);
    return add_named(grade, folder, name, *inner ? inner : input, &files, error);
}

/* -- folders -- */

static int not_hidden(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static enum status read_cases(struct grade *grade, const char *folder, const char *name, int depth,
                              struct error *error);

static enum status read_entry(struct grade *grade, const char *folder, const char *name, const char *entry, int depth,
                              struct error *error) {
    char path[PATH_MAX];
    char inner[PATH_MAX];
    struct stat about;
    if (!grade_tree_join(path, folder, entry) || !grade_tree_join(inner, name, entry) || stat(path, &about) != 0) {
        return STATUS_OK;
    }
    if (S_ISDIR(about.st_mode)) {
        return depth > 0 ? read_cases(grade, path, inner, depth - 1, error) : STATUS_OK;
    }
    if (S_ISREG(about.st_mode) && grade_tree_ends_with(entry, ".in")) {
        return add_in_out(grade, folder, name, entry, error);
    }
    bool tailed = strncmp(entry, "input", 5) == 0 && entry[5] && strcmp(entry + 5, ".txt") != 0;
    return S_ISREG(about.st_mode) && tailed ? add_tailed(grade, folder, name, entry, error) : STATUS_OK;
}

static enum status read_cases(struct grade *grade, const char *folder, const char *name, int depth,
                              struct error *error) {
    char path[PATH_MAX];
    if (grade_tree_join(path, folder, "input.txt") && access(path, F_OK) == 0) {
        static const struct case_files plain = {
            .input = "input.txt",
            .answers = {"output.txt", "next_state.txt", "trace_state.txt", "traverse_log.txt"},
            .values = "values.txt",
            .game = GRADE_GAME_FILE};
        return add_case(grade, folder, *name ? name : ".", &plain, error);
    }
    struct dirent **entries;
    int count = scandir(folder, &entries, not_hidden, versionsort);
    if (count < 0) {
        /* A folder below that may not be read has no case; one that cannot be for what the machine lacks may have. */
        bool fails = depth == MOST_DEPTH || error_status_of(errno) == STATUS_FAIL;
        return fails ? error_system(error, errno, "%.200s: %s", folder, strerror(errno)) : STATUS_OK;
    }
    enum status status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        if (status == STATUS_OK) {
            status = read_entry(grade, folder, name, entries[i]->d_name, depth, error);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

enum status grade_read_cases(struct grade *grade, const char *folder, struct error *error) {
    enum status status = read_cases(grade, folder, "", MOST_DEPTH, error);
    if (status == STATUS_OK && grade->case_count == 0) {
        return error_at(
            error, 0, 0,
            "%.120s: expected folders with an input.txt, or pairs such as 0.in and 0.out or input_1.txt and "
            "output_1.txt, found none",
            folder);
    }
    return status;
}
