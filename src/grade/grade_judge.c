/* Judging what a program left behind: move, board and log apart, with the first difference. */
#include "grade/grade_judge.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "explain/explain.h"
#include "players/course_turn.h"

/* Where CPU time counts: how many times what a program may sleep it may take in all, before the machine is given up. */
#define MOST_PATIENCE 20

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

/* Adds what is wrong with a file, as many whole lines as there is room for. */
static void add_explanation(const struct grade_case *one, const struct grade_expected *expected,
                            const struct text *found, struct grade_result *result) {
    struct text words = TEXT_EMPTY;
    struct explain_pair pair = {.name = expected->name,
                                .wanted = text_string(&expected->text),
                                .wanted_length = expected->text.length,
                                .found = text_string(found),
                                .found_length = found->length,
                                .request = &one->request};
    size_t length = strlen(result->explanation);
    if (explain(&pair, &words) > 0) {
        for (const char *at = text_string(&words); *at;) {
            size_t line = strcspn(at, "\n") + 1;
            if (length + line >= sizeof result->explanation) {
                break;
            }
            memcpy(result->explanation + length, at, line);
            length += line;
            at += line;
        }
        result->explanation[length] = '\0';
    }
    text_free(&words);
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

/* Marks a legal move by what it is worth; false when memory is short. */
static bool judge_value(const struct grade_case *one, game_move move, struct grade_result *result) {
    const struct game *game = one->request.game;
    const struct grade_value *best = &one->values.items[one->values.best];
    const struct grade_value *found = grade_values_find(&one->values, move);
    char text[32];
    char best_text[32];
    char value[12] = "";
    game->move_text(one->request.position, move, text);
    game->move_text(one->request.position, best->move, best_text);
    if (!found) {
        mark(result, GRADE_MOVE, false);
        snprintf(result->difference, sizeof result->difference,
                 "move %s is none that has a value; the best, %s, is worth %d", text, best_text, best->value);
        return true;
    }
    if (found->value < best->value) {
        mark(result, GRADE_MOVE, false);
        snprintf(result->difference, sizeof result->difference, "move %s is worth %d, the best, %s, is worth %d", text,
                 found->value, best_text, best->value);
    }
    snprintf(value, sizeof value, "%d", found->value);
    result->facts = strdup(value);
    grade_weigh(one, result);
    return result->facts != NULL;
}

/* A case whose answer is free: any legal move, and a best one where the values of all moves are known. False when
 * memory is short. */
static bool judge_free(const struct grade_case *one, const struct text *found, struct grade_result *result) {
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
        return true;
    }
    return one->values.count == 0 || judge_value(one, move, result);
}

bool grade_is_free(const struct grade_case *one) {
    return one->request.players[0].method == SEARCH_ENGINE && !one->request.battle;
}

bool grade_counts_cpu(const struct grade_case *one, const struct grade_options *options) {
    const struct game *game = one->request.game;
    enum player_clock courses = course_turn_time(course_format_of(game, game->variant(one->request.position))).clock;
    return (options->clock == PLAYER_CLOCK_NONE ? courses : options->clock) == PLAYER_CLOCK_CPU;
}

void grade_time_limits(const struct grade_case *one, const struct grade_options *options,
                       struct warden_limits *limits) {
    limits->wall_seconds = options->seconds;
    if (grade_counts_cpu(one, options)) {
        limits->cpu_seconds = options->seconds;
        limits->idle_seconds = options->seconds + options->grace;
        limits->wall_seconds = MOST_PATIENCE * limits->idle_seconds;
    }
}

/* The words do not tell by how much, so that the same failure reads the same in every case. */
static void judge_late(const struct grade_case *one, const struct grade_options *options,
                       const struct warden_report *report, struct grade_result *result) {
    size_t size = sizeof result->difference;
    struct warden_limits limits = {0};
    grade_time_limits(one, options, &limits);
    result->fault = PLAYER_LATE;
    if (!grade_counts_cpu(one, options)) {
        snprintf(result->difference, size, "no answer within %g s", options->seconds);
    } else if (report->user_seconds >= options->seconds) {
        snprintf(result->difference, size, "used more than %g s of CPU time", options->seconds);
    } else if (report->late == WARDEN_LATE_SYSTEM) {
        snprintf(result->difference, size,
                 "used more than %g s of CPU time in calls of the system (%g s of its own were allowed)",
                 WARDEN_SYSTEM_TIMES * options->seconds + WARDEN_SYSTEM_MORE, options->seconds);
    } else {
        snprintf(result->difference, size, "slept or waited for more than %g s (%g s of CPU time were allowed)",
                 limits.idle_seconds, options->seconds);
    }
}

static void judge_end(const struct grade_case *one, const struct warden_report *report,
                      const struct grade_options *options, struct grade_result *result) {
    size_t size = sizeof result->difference;
    switch (report->end) {
    case WARDEN_SIGNALLED:
        result->fault = PLAYER_CRASHED;
        snprintf(result->difference, size, "killed by signal %d (%s)", report->code, strsignal(report->code));
        break;
    case WARDEN_TIMEOUT:
        judge_late(one, options, report, result);
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

/* Whether a file may have been meant for another: upper and lower case, an ending or a sign apart. */
static bool is_like(const char *name, const char *wanted) {
    while (*name && *wanted && *wanted != '.') {
        if (strchr("_- ", *name) && !strchr("_- ", *wanted)) {
            name++;
        } else if (strchr("_- ", *wanted) && !strchr("_- ", *name)) {
            wanted++;
        } else if (tolower((unsigned char)*name) == tolower((unsigned char)*wanted) ||
                   (strchr("_- ", *name) && strchr("_- ", *wanted))) {
            name++;
            wanted++;
        } else {
            return false;
        }
    }
    return *wanted == '.' && (*name == '.' || *name == '\0');
}

/* Adds what else lies there that may have been meant; the folder is a stranger's, so names alone are looked at. */
static void add_meant(struct warden *warden, const char *wanted, struct grade_result *result) {
    DIR *folder = opendir(warden_path(warden));
    struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, wanted) != 0 && is_like(entry->d_name, wanted)) {
            size_t length = strlen(result->difference);
            snprintf(result->difference + length, sizeof result->difference - length, ", but %.60s was", entry->d_name);
            break;
        }
    }
    if (folder) {
        closedir(folder);
    }
}

/* The courses' own files have either line end; a program that fails on one may know only the other. */
static void add_line_ends(const struct grade_case *one, struct grade_result *result) {
    size_t length = strlen(result->difference);
    if (one->input.length > 0 && memchr(one->input.data, '\r', one->input.length)) {
        snprintf(result->difference + length, sizeof result->difference - length,
                 " (the lines of this input end in CRLF: does the program expect LF alone?)");
    }
}

/* A file that should be there and is not. */
static void judge_missing(struct warden *warden, const char *wanted, const struct warden_report *report,
                          const char *reason, struct grade_result *result) {
    result->fault = report->code != 0 ? PLAYER_CRASHED : PLAYER_NO_ANSWER;
    if (!result->difference[0]) {
        snprintf(result->difference, sizeof result->difference, report->code ? "%s (status %d)" : "%s", reason,
                 report->code);
        add_meant(warden, wanted, result);
    }
}

static void mark_wrong(const struct grade_case *one, struct grade_result *result) {
    if (one->game) {
        return;
    }
    for (int i = 0; i < one->expected_count && !grade_is_free(one); i++) {
        const char *name = one->expected[i].name;
        mark(result, strcmp(name, "traverse_log.txt") == 0 ? GRADE_LOG : GRADE_BOARD, false);
        if (strcmp(name, "output.txt") == 0) {
            mark(result, GRADE_MOVE, false);
        }
    }
    if (grade_is_free(one)) {
        mark(result, GRADE_MOVE, false);
    }
}

/* Only what the machine lacks is a failure. */
static enum status judge_files(struct warden *warden, const struct grade_case *one, const struct warden_report *report,
                               struct grade_result *result, struct error *error) {
    struct text found = TEXT_EMPTY;
    struct error reason = {0};
    enum warden_file file = WARDEN_FILE_READ;
    if (grade_is_free(one)) {
        const struct course_format *course =
            course_format_of(one->request.game, one->request.game->variant(one->request.position));
        file = warden_get(warden, course->answer_file, GRADE_MOST_FILE_BYTES, &found, &reason);
        if (file == WARDEN_FILE_READ) {
            found.broken = !judge_free(one, &found, result) || found.broken;
        } else {
            judge_missing(warden, course->answer_file, report, reason.text, result);
            mark_wrong(one, result);
        }
    }
    for (int i = 0; i < one->expected_count && !grade_is_free(one) && file != WARDEN_FILE_FAILED; i++) {
        found.length = 0;
        file = warden_get(warden, one->expected[i].name, GRADE_MOST_FILE_BYTES, &found, &reason);
        if (file != WARDEN_FILE_READ) {
            judge_missing(warden, one->expected[i].name, report, reason.text, result);
        }
        compare(&one->expected[i], &found, result);
        if (file == WARDEN_FILE_READ) {
            add_explanation(one, &one->expected[i], &found, result);
        }
    }
    bool broken = found.broken;
    text_free(&found);
    if (file == WARDEN_FILE_FAILED) {
        return error_machine(error, "%s", reason.text);
    }
    return broken ? error_machine(error, "out of memory") : STATUS_OK;
}

/* A program that fell over after its answer was whole has given it: a failure status is forgiven as well. */
static enum status judge_fallen(struct warden *warden, const struct grade_case *one, const struct warden_report *report,
                                struct grade_result *result, struct error *error) {
    struct grade_result answered = {.wall_seconds = result->wall_seconds, .cpu_seconds = result->cpu_seconds};
    enum status status = judge_files(warden, one, report, &answered, error);
    answered.done = true;
    if (status == STATUS_OK && answered.fault == PLAYER_NO_FAULT && grade_passed(&answered)) {
        memcpy(answered.errors, result->errors, sizeof answered.errors);
        *result = answered;
    } else {
        grade_result_free(&answered);
        mark_wrong(one, result);
    }
    return status;
}

enum status grade_judge(struct warden *warden, const struct grade_case *one, const struct grade_options *options,
                        const struct warden_report *report, struct grade_result *result, struct error *error) {
    enum status status = STATUS_OK;
    if (report->end == WARDEN_TIMEOUT && report->late == WARDEN_LATE_WALL && grade_counts_cpu(one, options)) {
        return error_machine(error, "others had the processor: after %.0f s only %.1f s of CPU time were left to it",
                             report->wall_seconds, report->user_seconds);
    }
    result->wall_seconds = report->wall_seconds;
    result->cpu_seconds = report->user_seconds;
    judge_end(one, report, options, result);
    if (result->fault == PLAYER_NO_FAULT && grade_counts_cpu(one, options) && report->user_seconds > options->seconds) {
        judge_late(one, options, report, result);
    }
    if (report->end == WARDEN_SIGNALLED && result->fault == PLAYER_CRASHED) {
        status = judge_fallen(warden, one, report, result, error);
    } else if (result->fault != PLAYER_NO_FAULT) {
        mark_wrong(one, result);
    } else {
        status = judge_files(warden, one, report, result, error);
    }
    result->done = status == STATUS_OK;
    bool strange = result->fault == PLAYER_CRASHED || result->fault == PLAYER_NO_ANSWER;
    if (strange || (grade_is_free(one) && result->fault == PLAYER_NO_FAULT && !grade_passed(result))) {
        add_line_ends(one, result);
    }
    return status;
}

void grade_judge_unready(const struct grade_case *one, const char *reason, struct grade_result *result) {
    *result = (struct grade_result){.done = true, .fault = PLAYER_NOT_STARTED};
    snprintf(result->difference, sizeof result->difference, "%s", reason);
    mark_wrong(one, result);
}
