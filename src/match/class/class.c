#include "match/class/class.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "grade/feedback/grade_samples.h"
#include "grade/grade_prepare.h"
#include "grade/grade_pythons.h"
#include "grade/grade_store.h"
#include "grade/grade_try.h"
#include "match/class/class_team.h"
#include "system/file.h"

#define MOST_TEAM 16 /* bytes of a name that was not chosen */
#define BUILD "/build"
#define ARCHIVE "build.tar"
#define MOST_ARCHIVE ((size_t)256 << 20)

/* The course whose programs play the plan's game. */
static enum grade_course course_of(const struct plan *plan) {
    const struct course_format *format = course_format_of(plan->game, plan->variant);
    const char *name = format ? format->name : plan->game->properties->name;
    static const char *const names[GRADE_COURSES] = {"", "stake", "sneak", "laser", "gomoku"};
    enum grade_course course = GRADE_COURSE_ANY;
    for (int i = 1; i < GRADE_COURSES; i++) {
        course = strcmp(name, names[i]) == 0 ? (enum grade_course)i : course;
    }
    return course;
}

/* How many of the first `most` bytes are whole characters of UTF-8. */
static int whole_characters(const char *text, int most) {
    while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80) {
        most--;
    }
    return most;
}

/* A name that can stand in a player's text, in a file's name and, as a team, in a line of the referee's folder. */
static void make_name(const char *name, char made[PLAYER_MOST_NAME]) {
    int length = whole_characters(name, (int)strnlen(name, PLAYER_MOST_NAME - 9));
    for (int i = 0; i < length; i++) {
        bool fits = isalnum((unsigned char)name[i]) || (unsigned char)name[i] >= 0x80 || strchr("_-.", name[i]);
        made[i] = fits ? name[i] : '_';
    }
    made[length] = '\0';
    if (made[0] == '.' || made[0] == '-') {
        made[0] = '_';
    }
}

/* -- which way -- */

/* Seconds of CPU time for a sample case, and in which a program may do nothing. */
#define SAMPLE_SECONDS 5
#define SAMPLE_IDLE 2

struct choosing {
    const struct class_options *options;
};

static void show_choosing(void *user, const struct grade *grade, int done, int total, const char *name) {
    const struct choosing *choosing = user;
    (void)done, (void)total;
    for (int i = 0; i < grade->submission_count; i++) {
        if (strcmp(grade->submissions[i].name, name) == 0) {
            choosing->options->progress(choosing->options->user, i + 1, grade->submission_count, name);
            return;
        }
    }
}

/* Grades everybody over sample cases of the course, so that the file and the interpreter are chosen by what they
 * answer, as for marks. Programs of a referee's folder have no cases. */
static enum status choose(struct grade *grade, const struct class_options *options, struct error *error) {
    char store_path[PATH_MAX + 16];
    struct choosing choosing = {options};
    struct grade_options own = options->build;
    struct grade_store *store = NULL;
    own.progress = show_choosing;
    own.user = &choosing;
    own.seconds = SAMPLE_SECONDS;
    own.grace = SAMPLE_IDLE;
    own.clock = PLAYER_CLOCK_CPU;
    snprintf(store_path, sizeof store_path, "%s/chosen.db", options->kept);
    unlink(store_path);
    enum status status = grade_samples_read(own.course, false, grade, error);
    status = status == STATUS_OK ? grade_store_open(&store, store_path, error) : status;
    status = status == STATUS_OK ? grade_run(grade, &own, store, error) : status;
    grade_store_close(store);
    unlink(store_path);
    return status == STATUS_FAIL && grade->begun ? STATUS_OK : status; /* who could not be judged says so */
}

/* Who plays and has answered nothing so far is told with the last words: it will lose, but perhaps not by its fault. */
static void warn_silent(const struct grade *grade, int number, const struct class_options *options) {
    const struct grade_result *results = &grade->results[number * grade->case_count];
    double points = 0;
    char said[sizeof results->errors + 2];
    for (int i = 0; i < grade->case_count; i++) {
        points += grade_result_points(&grade->cases[i], &results[i]);
    }
    if (points == 0 && grade->case_count > 0) {
        const char *line = strrchr(results->errors, '\n');
        line = line ? line + 1 : results->errors;
        snprintf(said, sizeof said, "%s%s", *line ? ": " : "", line);
        options->warned(options->user, grade->submissions[number].name, said);
    }
}

/* Builds the way that was chosen by sample cases. */
static enum status build_chosen(struct grade_prepared *prepared, struct warden *warden,
                                struct grade_submission *submission, const struct grade_build *chosen,
                                const struct grade_options *options, struct text *command, struct error *error) {
    enum status status = grade_prepare(prepared, warden, submission, options, error);
    for (int i = 0; i < prepared->plan.way_count && status == STATUS_OK; i++) {
        command->length = 0;
        status = grade_prepare_way(prepared, i, warden, submission, options, command, error);
        const struct grade_build *build = &submission->build;
        if (build->state == GRADE_BUILD_READY && strcmp(build->file, chosen->file) == 0 &&
            strcmp(build->tool, chosen->tool) == 0) {
            break;
        }
    }
    return status;
}

/* Whether it was the machine that kept a program from its first move; said of the submission. */
static bool lacks_module(struct warden *warden, const struct grade_interpreter *python, const char *said,
                         const struct grade_options *options, struct grade_submission *submission) {
    struct grade_build *build = &submission->build;
    char problem[sizeof build->problem];
    if (!grade_pythons_lacks(warden, said, options, &python, build->missing_tool, problem)) {
        return false;
    }
    build->state = GRADE_BUILD_LACKS_TOOL;
    memcpy(build->problem, problem, sizeof problem);
    return true;
}

/* Builds ways until one plays a first move through the folder. Where none does: the first that can be built if it is
 * the only file, otherwise a question. */
static enum status build_folder(struct grade_prepared *prepared, struct warden *warden,
                                struct grade_submission *submission, const char *name,
                                const struct class_options *options, const struct grade_options *own, char *team,
                                struct text *command, struct error *error) {
    struct text files = TEXT_EMPTY;
    struct text said = TEXT_EMPTY;
    struct text first_said = TEXT_EMPTY; /* by the likeliest one */
    bool moves = false;
    bool several = false;
    int first = -1;
    char file[sizeof submission->build.file] = "";
    enum status status = grade_prepare(prepared, warden, submission, own, error);
    for (int i = 0; i < prepared->plan.way_count && status == STATUS_OK && !moves; i++) {
        command->length = said.length = 0;
        status = grade_prepare_way(prepared, i, warden, submission, own, command, error);
        const struct grade_build *build = &submission->build;
        if (status != STATUS_OK || build->state != GRADE_BUILD_READY) {
            continue;
        }
        status = class_find_team(warden, own, prepared->plan.folder, build->file, team, error);
        status = status == STATUS_OK
                     ? class_moves(warden, own, text_string(command), *team ? team : name, &moves, &said, error)
                     : status;
        bool other = first >= 0 && strcmp(file, build->file) != 0;
        several = several || other;
        if (first < 0 || other) {
            text_addf(&files, "%s%s", first < 0 ? "" : " or ", build->file);
        }
        if (first < 0) {
            first = i;
            text_add_string(&first_said, text_string(&said));
        }
        snprintf(file, sizeof file, "%s", build->file);
    }
    if (status == STATUS_OK && first >= 0 && !moves && several) {
        submission->build.state = GRADE_BUILD_QUESTION;
        snprintf(submission->build.problem, sizeof submission->build.problem,
                 "which is the program? %.150s: none of them plays a first move%.100s. Say it in overrides.csv "
                 "(submission,main)",
                 text_string(&files), text_string(&first_said));
    } else if (status == STATUS_OK && first >= 0 && !moves) {
        command->length = 0;
        status = grade_prepare_way(prepared, first, warden, submission, own, command, error);
        if (status == STATUS_OK &&
            !lacks_module(warden, prepared->pythons[first], text_string(&first_said), own, submission)) {
            options->warned(options->user, submission->name, text_string(&first_said));
        }
    }
    text_free(&first_said);
    text_free(&files);
    text_free(&said);
    return status;
}

/* Takes what was built out of the sandbox. */
static enum status keep_build(struct warden *warden, const struct class_options *options, const char *path,
                              struct error *error) {
    static const char *const words[] = {"/bin/tar", "-cf", ARCHIVE, "-C", BUILD, ".", NULL};
    struct warden_limits limits = options->build.limits;
    struct warden_report report;
    struct text bytes = TEXT_EMPTY;
    struct text said = TEXT_EMPTY;
    struct error reason = {0};
    limits.wall_seconds = options->build.build_seconds;
    limits.file_bytes = MOST_ARCHIVE;
    enum status status = warden_clean(warden, error);
    status = status == STATUS_OK ? warden_run(warden, words, &limits, &report, &said, error) : status;
    if (status == STATUS_OK && (report.end != WARDEN_EXITED || report.code != 0)) {
        status = error_machine(error, "what was built cannot be kept: %.120s", text_string(&said));
    }
    if (status == STATUS_OK && warden_get(warden, ARCHIVE, MOST_ARCHIVE, &bytes, &reason) != WARDEN_FILE_READ) {
        status = error_machine(error, "what was built cannot be kept: %.120s", reason.text);
    }
    status = status == STATUS_OK ? file_write(path, text_string(&bytes), bytes.length, error) : status;
    text_free(&bytes);
    text_free(&said);
    return status;
}

/* Where there is no sandbox a command names the folder of the warden that built it, which is gone when others play:
 * adds its words with /build, which every warden knows, in its place. */
static void add_words(const char *words, const char *folder, struct text *out) {
    size_t length = strlen(folder);
    for (; *words; words += strlen(words) + 1) {
        const char *rest = words;
        for (const char *at = strstr(rest, folder); at; at = strstr(rest, folder)) {
            bool ends = !at[length] || strchr("/ \t'\":", at[length]);
            text_add(out, rest, (size_t)(at - rest));
            text_add_string(out, ends ? BUILD : folder);
            rest = at + length;
        }
        text_add(out, rest, strlen(rest) + 1);
    }
    text_add_char(out, '\0');
}

/* One submission that is built, as a player. */
static enum status add_player(struct plan *plan, const struct class_options *options, enum grade_course course,
                              const char *name, const char *team, const char *path, const char *command,
                              struct error *error) {
    struct text text = TEXT_EMPTY;
    bool folder = course == GRADE_COURSE_GOMOKU;
    text_addf(&text, "%s=%s", name, folder ? "folder" : "program");
    if (team[0]) {
        text_addf(&text, ",team=%s", team);
    }
    text_addf(&text, ",build=%s", path);
    if (options->depth && !folder) {
        text_addf(&text, ",depth=%d", options->depth);
    }
    text_add_char(&text, ':');
    player_add_words(&text, command);
    text_add_string(&text, folder ? " TEAM" : "");
    enum status status =
        text.broken ? error_machine(error, "out of memory") : plan_add_player(plan, text_string(&text), error);
    text_free(&text);
    return status;
}

/* What a team is called that has no name of its own: programs of students have little room for one. */
static void make_team(const char *name, int number, char team[PLAYER_MOST_NAME]) {
    if (strlen(name) > MOST_TEAM) {
        snprintf(team, PLAYER_MOST_NAME, "%.*s%d", whole_characters(name, MOST_TEAM - 4), name, number);
    } else {
        snprintf(team, PLAYER_MOST_NAME, "%s", name);
    }
}

static enum status add_submission(struct plan *plan, struct warden *warden, struct grade_submission *submission,
                                  const struct class_options *options, struct error *error) {
    struct grade_options own = grade_options_for(submission, &options->build);
    struct grade_build chosen = submission->build;
    struct grade_prepared prepared;
    struct text command = TEXT_EMPTY;
    struct text words = TEXT_EMPTY;
    char name[PLAYER_MOST_NAME];
    char path[PATH_MAX];
    make_name(submission->name, name);
    snprintf(path, sizeof path, "%s/%03d-%s.tar", options->kept, plan->player_count + 1, name); /* names may be alike */
    char team[PLAYER_MOST_NAME] = "";
    char spoken[PLAYER_MOST_NAME];
    make_team(name, plan->player_count + 1, spoken);
    chosen.messages = TEXT_EMPTY;
    if (strncmp(chosen.tool, "Python ", 7) == 0 && !submission->wish.python[0]) {
        snprintf(submission->wish.python, sizeof submission->wish.python, "%.50s", chosen.tool + 7);
    }
    enum status status = own.course == GRADE_COURSE_GOMOKU
                             ? build_folder(&prepared, warden, submission, spoken, options, &own, team, &command, error)
                             : build_chosen(&prepared, warden, submission, &chosen, &own, &command, error);
    if (!team[0] && strcmp(spoken, name) != 0) {
        memcpy(team, spoken, sizeof team);
    }
    if (status == STATUS_OK && submission->build.state != GRADE_BUILD_READY) {
        options->left_out(options->user, submission->name, submission->build.problem);
    } else if (status == STATUS_OK) {
        status = keep_build(warden, options, path, error);
        add_words(text_string(&command), warden_build(warden), &words);
        if (status == STATUS_OK && words.broken) {
            status = error_machine(error, "out of memory");
        }
        status = status == STATUS_OK
                     ? add_player(plan, options, own.course, name, team, path, text_string(&words), error)
                     : status;
    }
    grade_prepared_free(&prepared);
    text_free(&command);
    text_free(&words);
    return status;
}

enum status class_add_players(struct plan *plan, struct grade *grade, const struct class_options *options,
                              struct error *error) {
    struct class_options own = *options;
    struct warden *warden = NULL;
    own.build.course = course_of(plan);
    if (own.build.course == GRADE_COURSE_ANY) {
        return error_at(error, 0, 0, "no course has programs that play %s", plan->game->properties->name);
    }
    bool has_samples = own.build.course != GRADE_COURSE_GOMOKU;
    enum status status = has_samples ? choose(grade, &own, error) : STATUS_OK;
    status = status == STATUS_OK ? warden_start(&warden, error) : status;
    for (int i = 0; i < grade->submission_count && status == STATUS_OK; i++) {
        struct grade_submission *submission = &grade->submissions[i];
        options->progress(options->user, i + 1, grade->submission_count, submission->name);
        if (options->build.stop && atomic_load(options->build.stop)) {
            status = error_machine(error, "interrupted");
        } else if (submission->wish.excused) {
            options->left_out(options->user, submission->name, "excused");
        } else if (grade_verdict(submission) != GRADE_JUDGED) {
            options->left_out(options->user, submission->name, grade_verdict_reason(submission));
        } else if (has_samples && submission->build.state != GRADE_BUILD_READY) {
            options->left_out(options->user, submission->name, submission->build.problem);
        } else {
            if (has_samples) {
                warn_silent(grade, i, options);
            }
            status = add_submission(plan, warden, submission, &own, error);
        }
    }
    warden_stop(warden);
    return status;
}
