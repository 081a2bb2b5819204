/* Reading cases and submissions, running them, comparing what they left behind. */
#include "match/grade.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "match/course_turn.h"

/* A traversal log of a deep search is long; longer ones than this are not compared. */
#define MOST_FILE_BYTES ((size_t)256 << 20)

const char *const grade_check_names[GRADE_CHECKS] = {"move", "board", "log"};

static const char *const answer_files[GRADE_MOST_FILES] = {"output.txt", "next_state.txt", "trace_state.txt",
                                                           "traverse_log.txt"};

void grade_free(struct grade *grade) {
    for (int i = 0; i < grade->case_count; i++) {
        struct grade_case *one = &grade->cases[i];
        for (int k = 0; k < one->expected_count; k++) {
            text_free(&one->expected[k].text);
        }
        text_free(&one->input);
        text_free(&one->values);
        course_request_free(&one->request);
        free(one->name);
    }
    for (int i = 0; i < grade->submission_count; i++) {
        free(grade->submissions[i].name);
        free(grade->submissions[i].command);
        free(grade->submissions[i].shown);
    }
    free(grade->cases);
    free(grade->submissions);
    free(grade->results);
    *grade = (struct grade){0};
}

bool grade_passed(const struct grade_result *result) {
    return result->difference[0] == '\0';
}

/* FOLDER/NAME; false when it is too long for a path. */
static bool join(char path[PATH_MAX], const char *folder, const char *name) {
    int length = snprintf(path, PATH_MAX, "%s%s%s", folder, *folder ? "/" : "", name);
    return length > 0 && length < PATH_MAX;
}

/* -- cases -- */

static bool read_text(const char *folder, const char *name, struct text *text) {
    char path[PATH_MAX];
    char *bytes;
    size_t length;
    if (!join(path, folder, name) || access(path, F_OK) != 0 ||
        file_read(path, MOST_FILE_BYTES, &bytes, &length, NULL) != STATUS_OK) {
        return false;
    }
    text_add(text, bytes, length);
    free(bytes);
    return true;
}

static enum status parse_input(struct grade_case *one, const char *path, struct error *error) {
    struct error cause = {0};
    enum status status = course_parse(text_string(&one->input), one->input.length, NULL, &one->request, &cause);
    return status == STATUS_OK
               ? status
               : error_at(error, 0, 0, "%.120s/input.txt:%d:%d: %.90s", path, cause.line, cause.column, cause.text);
}

static enum status add_case(struct grade *grade, const char *folder, const char *name, struct error *error) {
    struct grade_case *larger = realloc(grade->cases, (size_t)(grade->case_count + 1) * sizeof *larger);
    if (!larger) {
        return error_machine(error, "out of memory");
    }
    grade->cases = larger;
    struct grade_case *one = &larger[grade->case_count];
    *one = (struct grade_case){.name = strdup(name)};
    read_text(folder, "input.txt", &one->input);
    enum status status = parse_input(one, folder, error);
    if (status != STATUS_OK) {
        text_free(&one->input);
        free(one->name);
        return status;
    }
    grade->case_count++;
    for (int i = 0; i < GRADE_MOST_FILES; i++) {
        struct grade_expected *expected = &one->expected[one->expected_count];
        expected->name = answer_files[i];
        one->expected_count += read_text(folder, answer_files[i], &expected->text);
    }
    read_text(folder, "values.txt", &one->values);
    return STATUS_OK;
}

static int not_hidden(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static enum status read_cases(struct grade *grade, const char *folder, const char *name, int depth,
                              struct error *error) {
    char path[PATH_MAX];
    if (join(path, folder, "input.txt") && access(path, F_OK) == 0) {
        return add_case(grade, folder, *name ? name : ".", error);
    }
    struct dirent **entries;
    int count = depth > 0 ? scandir(folder, &entries, not_hidden, alphasort) : 0;
    if (count < 0) {
        return depth == 3 ? error_at(error, 0, 0, "%.200s: %s", folder, strerror(errno)) : STATUS_OK;
    }
    enum status status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        char inner[PATH_MAX];
        struct stat about;
        bool fits = join(path, folder, entries[i]->d_name) && join(inner, name, entries[i]->d_name);
        if (status == STATUS_OK && fits && stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
            status = read_cases(grade, path, inner, depth - 1, error);
        }
        free(entries[i]);
    }
    if (depth > 0) {
        free(entries);
    }
    return status;
}

enum status grade_read_cases(struct grade *grade, const char *folder, struct error *error) {
    enum status status = read_cases(grade, folder, "", 3, error);
    if (status == STATUS_OK && grade->case_count == 0) {
        return error_at(error, 0, 0, "%.200s: expected folders with an input.txt, found none", folder);
    }
    return status;
}

/* -- submissions -- */

/* How files are run that are not programs by themselves. */
static const struct {
    const char *ending;
    const char *words; /* each ended by a zero */
} runners[] = {{".py", "python3\0"}, {".jar", "java\0-jar\0"}, {".js", "node\0"}, {".sh", "sh\0"}, {".pl", "perl\0"}};

static bool ends_with(const char *name, const char *ending) {
    size_t length = strlen(name);
    size_t behind = strlen(ending);
    return length > behind && strcmp(name + length - behind, ending) == 0;
}

/* The words that run a file, or NULL when it is no program. Owned by the caller. */
static char *command_for(const char *path) {
    char absolute[PATH_MAX];
    struct stat about;
    if (!realpath(path, absolute) || stat(absolute, &about) != 0 || !S_ISREG(about.st_mode)) {
        return NULL;
    }
    bool executable = (about.st_mode & 0111) != 0;
    struct text words = TEXT_EMPTY;
    for (size_t i = 0; i < sizeof runners / sizeof *runners && !executable; i++) {
        if (ends_with(absolute, runners[i].ending)) {
            for (const char *word = runners[i].words; *word; word += strlen(word) + 1) {
                text_add(&words, word, strlen(word) + 1);
            }
        }
    }
    if (!executable && words.length == 0) {
        return NULL;
    }
    text_add(&words, absolute, strlen(absolute) + 1);
    text_add_char(&words, '\0');
    return words.broken ? NULL : words.data;
}

/* Looks for the program in a submitted folder: a file called run or main (with any ending), otherwise the only
 * program there is. */
static char *command_in(const char *folder) {
    struct dirent **entries;
    int count = scandir(folder, &entries, not_hidden, alphasort);
    char *chosen = NULL;
    char *only = NULL;
    int programs = 0;
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        const char *name = entries[i]->d_name;
        size_t stem = strcspn(name, ".");
        bool named = (stem == 3 && memcmp(name, "run", 3) == 0) || (stem == 4 && memcmp(name, "main", 4) == 0);
        char *command = join(path, folder, name) ? command_for(path) : NULL;
        programs += command != NULL;
        if (command && named && !chosen) {
            chosen = command;
        } else if (command && !only) {
            only = command;
        } else {
            free(command);
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    if (!chosen && programs == 1) {
        return only;
    }
    free(only);
    return chosen;
}

enum status grade_read_submissions(struct grade *grade, const char *folder, struct error *error) {
    struct dirent **entries;
    int count = scandir(folder, &entries, not_hidden, alphasort);
    if (count < 0) {
        return error_at(error, 0, 0, "%.200s: %s", folder, strerror(errno));
    }
    grade->submissions = calloc((size_t)count + 1, sizeof *grade->submissions);
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        struct stat about;
        bool is_folder = join(path, folder, entries[i]->d_name) && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
        char *command = is_folder ? command_in(path) : command_for(path);
        if (grade->submissions && (command || is_folder)) {
            struct grade_submission *submission = &grade->submissions[grade->submission_count++];
            submission->name = strdup(entries[i]->d_name);
            submission->command = command;
            submission->shown = realpath(path, NULL);
        } else {
            free(command);
        }
        free(entries[i]);
    }
    free(entries);
    if (!grade->submissions) {
        return error_machine(error, "out of memory");
    }
    return grade->submission_count > 0
               ? STATUS_OK
               : error_at(error, 0, 0, "%.200s: expected programs or folders with one, found none", folder);
}

/* -- comparing -- */

static void mark(struct grade_result *result, enum grade_check check, bool right) {
    if (result->marks[check] != GRADE_WRONG) {
        result->marks[check] = right ? GRADE_RIGHT : GRADE_WRONG;
    }
}

static void note_difference(struct grade_result *result, const char *file, int line, struct course_line wanted,
                            struct course_line found) {
    if (result->difference[0]) {
        return;
    }
    char wanted_text[110] = "nothing more";
    char found_text[110] = "nothing more";
    if (wanted.at) {
        snprintf(wanted_text, sizeof wanted_text, "'%.*s'", (int)(wanted.length < 100 ? wanted.length : 100),
                 wanted.at);
    }
    if (found.at) {
        snprintf(found_text, sizeof found_text, "'%.*s'", (int)(found.length < 100 ? found.length : 100), found.at);
    }
    snprintf(result->difference, sizeof result->difference, "%s line %d: expected %s, found %s", file, line,
             wanted_text, found_text);
}

/* Where the first line ends. */
static size_t first_line_length(const struct text *text) {
    const char *stop = text->length ? memchr(text->data, '\n', text->length) : NULL;
    return stop ? (size_t)(stop - text->data) + 1 : text->length;
}

/* Compares one file. In output.txt the first line is the move and the rest the board. */
static void compare(const struct grade_expected *expected, const struct text *found, struct grade_result *result) {
    struct course_line lines[2];
    size_t wanted_from = 0;
    size_t found_from = 0;
    int lines_before = 0;
    enum grade_check check = strcmp(expected->name, "traverse_log.txt") == 0 ? GRADE_LOG : GRADE_BOARD;
    if (strcmp(expected->name, "output.txt") == 0) {
        wanted_from = first_line_length(&expected->text);
        found_from = first_line_length(found);
        int line = course_first_difference(text_string(&expected->text), wanted_from, text_string(found), found_from,
                                           &lines[0], &lines[1]);
        mark(result, GRADE_MOVE, line == 0);
        if (line != 0) {
            note_difference(result, expected->name, line, lines[0], lines[1]);
        }
        lines_before = 1;
    }
    int line =
        course_first_difference(text_string(&expected->text) + wanted_from, expected->text.length - wanted_from,
                                text_string(found) + found_from, found->length - found_from, &lines[0], &lines[1]);
    mark(result, check, line == 0);
    if (line != 0) {
        note_difference(result, expected->name, lines_before + line, lines[0], lines[1]);
    }
}

/* The value of a move in a list of "row column value"; false when it is not there. */
static bool value_of(const struct text *values, const char *move, int *value, int *best, char best_move[32]) {
    struct reader reader;
    bool found = false;
    *best = INT_MIN;
    reader_init(&reader, text_string(values), values->length);
    while (reader_next_line(&reader)) {
        char line[64];
        int row;
        int column;
        int worth;
        snprintf(line, sizeof line, "%.*s", (int)(reader.length < 63 ? reader.length : 63), reader.line);
        if (sscanf(line, "%d %d %d", &row, &column, &worth) != 3) {
            continue;
        }
        snprintf(line, sizeof line, "%d %d", row, column);
        if (strcmp(line, move) == 0) {
            *value = worth;
            found = true;
        }
        if (worth > *best) {
            *best = worth;
            snprintf(best_move, 32, "%d %d", row, column);
        }
    }
    return found;
}

/* A case whose answer is free: any legal move, and a best one where the values of all moves are known. */
static void judge_free(const struct grade_case *one, const struct text *found, struct grade_result *result) {
    const struct game *game = one->request.game;
    const struct game_position *position = one->request.position;
    const struct course_format *course = course_format_of(game, game->variant(position));
    game_move move;
    char detail[200];
    enum player_fault fault;
    bool legal = course_turn_judge(course, game, position, text_string(found), found->length, &move, &fault, detail,
                                   sizeof detail);
    mark(result, GRADE_MOVE, legal);
    if (!legal) {
        snprintf(result->difference, sizeof result->difference, "%s: %s", player_fault_name(fault), detail);
        return;
    }
    char text[32];
    char best_move[32] = "";
    int value = 0;
    int best = 0;
    game->move_text(position, move, text);
    if (one->values.length > 0 && value_of(&one->values, text, &value, &best, best_move) && value < best) {
        mark(result, GRADE_MOVE, false);
        snprintf(result->difference, sizeof result->difference, "move %s is worth %d, the best, %s, is worth %d", text,
                 value, best_move, best);
    }
}

/* -- running -- */

/* How a case is called: the words, and "-i input.txt" where the course wants it. */
static void words_for(const struct grade_case *one, const char *command, const char **words, int most) {
    int count = 0;
    for (const char *word = command; *word && count < most - 3; word += strlen(word) + 1) {
        words[count++] = word;
    }
    const struct course_format *course =
        course_format_of(one->request.game, one->request.game->variant(one->request.position));
    if (course && course->input_argument) {
        words[count++] = "-i";
        words[count++] = "input.txt";
    }
    words[count] = NULL;
}

static enum status run_words(struct warden *warden, const struct grade_case *one, const char *const *words,
                             const char *shown, const struct grade_options *options, struct warden_report *report,
                             struct text *errors, struct error *error) {
    struct warden_limits limits = options->limits;
    struct warden_view view = {0};
    limits.wall_seconds = options->seconds;
    warden_view_add(&view, shown, NULL);
    enum status status = warden_show(warden, &view, error);
    if (status == STATUS_OK) {
        status = warden_clean(warden, error);
    }
    if (status == STATUS_OK) {
        status = warden_put(warden, "input.txt", text_string(&one->input), one->input.length, error);
    }
    return status == STATUS_OK ? warden_run(warden, words, &limits, report, errors, error) : status;
}

/* Lets the reference answer a case that came without an answer. */
static enum status find_answer(struct warden *warden, struct grade_case *one, const struct grade_options *options,
                               struct error *error) {
    struct warden_report report;
    enum status status =
        run_words(warden, one, options->reference, options->reference[0], options, &report, NULL, error);
    for (int i = 0; i < GRADE_MOST_FILES && status == STATUS_OK; i++) {
        struct grade_expected *expected = &one->expected[one->expected_count];
        *expected = (struct grade_expected){.name = answer_files[i]};
        if (warden_get(warden, answer_files[i], MOST_FILE_BYTES, &expected->text, NULL) == WARDEN_FILE_READ) {
            one->expected_count++;
        } else {
            text_free(&expected->text);
        }
    }
    if (status == STATUS_OK && one->expected_count == 0) {
        return error_machine(error, "case %.120s has no answer and none could be found in time", one->name);
    }
    return status;
}

static bool is_free(const struct grade_case *one) {
    return one->request.players[0].method == SEARCH_ENGINE && !one->request.battle;
}

static void judge_end(const struct warden_report *report, const struct grade_options *options,
                      struct grade_result *result) {
    size_t size = sizeof result->difference;
    switch (report->end) {
    case WARDEN_SIGNALLED:
        result->fault = PLAYER_CRASHED;
        snprintf(result->difference, size, "killed by signal %d (%s)", report->code, strsignal(report->code));
        break;
    case WARDEN_TIMEOUT:
        result->fault = PLAYER_LATE;
        snprintf(result->difference, size, "no answer within %g s", options->seconds);
        break;
    case WARDEN_FLOODED:
        result->fault = PLAYER_FLOODED;
        snprintf(result->difference, size, "wrote more than is allowed");
        break;
    case WARDEN_FORKED:
        result->fault = PLAYER_FORKED;
        snprintf(result->difference, size, "started more processes than is allowed");
        break;
    case WARDEN_MEMORY:
        result->fault = PLAYER_CRASHED;
        snprintf(result->difference, size, "used more memory than is allowed");
        break;
    case WARDEN_NOT_STARTED:
        result->fault = PLAYER_NOT_STARTED;
        snprintf(result->difference, size, "cannot be started: %s", strerror(report->code));
        break;
    case WARDEN_EXITED:
    case WARDEN_KILLED:
        break;
    }
}

/* A file that should be there and is not. */
static void judge_missing(const struct warden_report *report, const char *reason, struct grade_result *result) {
    result->fault = report->code != 0 ? PLAYER_CRASHED : PLAYER_NO_ANSWER;
    if (!result->difference[0]) {
        snprintf(result->difference, sizeof result->difference, report->code ? "%s (status %d)" : "%s", reason,
                 report->code);
    }
}

static void mark_wrong(const struct grade_case *one, struct grade_result *result) {
    for (int i = 0; i < one->expected_count; i++) {
        const char *name = one->expected[i].name;
        mark(result, strcmp(name, "traverse_log.txt") == 0 ? GRADE_LOG : GRADE_BOARD, false);
        if (strcmp(name, "output.txt") == 0) {
            mark(result, GRADE_MOVE, false);
        }
    }
    if (is_free(one)) {
        mark(result, GRADE_MOVE, false);
    }
}

static void judge_files(struct warden *warden, const struct grade_case *one, const struct warden_report *report,
                        struct grade_result *result) {
    struct text found = TEXT_EMPTY;
    struct error reason = {0};
    if (is_free(one)) {
        const struct course_format *course =
            course_format_of(one->request.game, one->request.game->variant(one->request.position));
        if (warden_get(warden, course->answer_file, MOST_FILE_BYTES, &found, &reason) == WARDEN_FILE_READ) {
            judge_free(one, &found, result);
        } else {
            judge_missing(report, reason.text, result);
            mark_wrong(one, result);
        }
    }
    for (int i = 0; i < one->expected_count && !is_free(one); i++) {
        found.length = 0;
        enum warden_file file = warden_get(warden, one->expected[i].name, MOST_FILE_BYTES, &found, &reason);
        if (file != WARDEN_FILE_READ) {
            judge_missing(report, reason.text, result);
        }
        compare(&one->expected[i], &found, result);
    }
    text_free(&found);
}

static enum status grade_one(struct warden *warden, const struct grade_submission *submission,
                             const struct grade_case *one, const struct grade_options *options,
                             struct grade_result *result, struct error *error) {
    if (!submission->command) {
        result->fault = PLAYER_NOT_STARTED;
        snprintf(result->difference, sizeof result->difference,
                 "no program found: expected run or main, or exactly one program in the folder");
        mark_wrong(one, result);
        return STATUS_OK;
    }
    const char *words[64];
    struct warden_report report;
    struct text errors = TEXT_EMPTY;
    words_for(one, submission->command, words, 64);
    enum status status = run_words(warden, one, words, submission->shown, options, &report, &errors, error);
    if (status == STATUS_OK) {
        result->wall_seconds = report.wall_seconds;
        result->cpu_seconds = report.user_seconds;
        snprintf(result->errors, sizeof result->errors, "%s", text_string(&errors));
        judge_end(&report, options, result);
        if (result->fault != PLAYER_NO_FAULT) {
            mark_wrong(one, result);
        } else {
            judge_files(warden, one, &report, result);
        }
    }
    text_free(&errors);
    return status;
}

enum status grade_run(struct grade *grade, const struct grade_options *options, struct error *error) {
    struct warden *warden = NULL;
    grade->results = calloc((size_t)grade->submission_count * (size_t)grade->case_count, sizeof *grade->results);
    enum status status = grade->results ? warden_start(&warden, error) : error_machine(error, "out of memory");
    for (int i = 0; i < grade->case_count && status == STATUS_OK; i++) {
        if (grade->cases[i].expected_count == 0 && !is_free(&grade->cases[i])) {
            status = find_answer(warden, &grade->cases[i], options, error);
        }
    }
    for (int i = 0; i < grade->submission_count && status == STATUS_OK; i++) {
        for (int k = 0; k < grade->case_count && status == STATUS_OK; k++) {
            if (options->progress) {
                options->progress(options->user, grade, i, k);
            }
            status = grade_one(warden, &grade->submissions[i], &grade->cases[k], options,
                               &grade->results[i * grade->case_count + k], error);
            if (options->stop && atomic_load(options->stop)) {
                status = error_machine(error, "interrupted");
            }
        }
    }
    warden_stop(warden);
    return status;
}
