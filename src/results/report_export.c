/* The games of a results file as files other programs read: SGF, and the courses' own input files. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clean.h"
#include "formats/course.h"
#include "formats/sgf.h"
#include "results/report.h"
#include "system/file.h"

struct export {
    struct report *report;
    const char *folder;
    int written;
    enum status status;
    struct error *error;
    /* Of the game under way: */
    const struct record *record;
    struct text text;
};

static enum status make_folder(const char *path, struct error *error) {
    return mkdir(path, 0777) == 0 || errno == EEXIST
               ? STATUS_OK
               : error_system(error, errno, "cannot be made: %s", strerror(errno));
}

static enum status each_game(struct report *report, const char *folder,
                             bool (*each)(void *user, const struct record *record), int *written, struct error *error) {
    struct export export = {.report = report, .folder = folder, .error = error};
    enum status status = make_folder(folder, error);
    if (status == STATUS_OK) {
        status = store_each(report->store, &report->plan, true, each, &export, error);
    }
    text_free(&export.text);
    *written = export.written;
    return status == STATUS_OK ? export.status : status;
}

/* -- SGF -- */

/* Stones on the board at the start are set up, later ones are played. A move that gives an old stone to the
 * other side is written as set-up too, since SGF has no word for it. */
static void add_sgf_step(void *user, int ply, game_move move, const struct game_position *before,
                         const struct game_position *after) {
    (void)move;
    struct export *export = user;
    const struct game *game = export->report->plan.game;
    int size = game->size(after);
    for (int ink = GAME_INK_FIRST; ink <= GAME_INK_SECOND; ink++) {
        bool first = true;
        for (int i = 0; i < size * size; i++) {
            struct game_cell was = {.ink = GAME_INK_EMPTY};
            struct game_cell is;
            if (ply > 0) {
                game->cell(before, i / size, i % size, &was);
            }
            game->cell(after, i / size, i % size, &is);
            if ((int)is.ink != ink || was.ink == is.ink) {
                continue;
            }
            if (ply == 0 || was.ink != GAME_INK_EMPTY) {
                text_add_string(&export->text, !first     ? ""
                                               : ply == 0 ? (ink == GAME_INK_FIRST ? "AB" : "AW")
                                                          : (ink == GAME_INK_FIRST ? ";AB" : ";AW"));
            } else {
                text_add_string(&export->text, ink == GAME_INK_FIRST ? ";B" : ";W");
            }
            sgf_point(&export->text, size, i);
            first = false;
        }
    }
    if (ply % 10 == 0) {
        text_add_char(&export->text, '\n');
    }
}

/* A property whose text a stranger wrote. */
static void add_property(struct text *text, const char *name, const char *value) {
    struct clean_line line;
    sgf_property(text, name, clean_string(&line, value));
}

static bool write_sgf(void *user, const struct record *record) {
    struct export *export = user;
    const struct plan *plan = &export->report->plan;
    struct text *text = &export->text;
    char path[PATH_MAX];
    char result[16];
    if (record->position.length == 0) {
        return true; /* ended before it began */
    }
    /* The text begins with game, rules and size. */
    int board = plan->game->properties->usual_size;
    sscanf(text_string(&record->position), "%*s %*s %d", &board);
    text->length = 0;
    sgf_begin(text, board);
    sgf_property(text, "RU", plan->game->properties->variants[plan->variant]);
    add_property(text, "PB", plan->players[record->players[0]].name);
    add_property(text, "PW", plan->players[record->players[1]].name);
    const char *how = record->fault == PLAYER_LATE ? "+Time" : record->fault != PLAYER_NO_FAULT ? "+Forfeit" : "+";
    snprintf(result, sizeof result, "%s%s",
             record->points == 2   ? "B"
             : record->points == 0 ? "W"
                                   : "0",
             record->points == 1 ? "" : how);
    sgf_property(text, "RE", result);
    if (record->detail.length > 0) {
        add_property(text, "GC", text_string(&record->detail));
    }
    text_add_char(text, '\n');
    export->status = report_replay(plan, record, add_sgf_step, export, export->error);
    text_add_string(text, ")\n");
    if (export->status == STATUS_OK) {
        snprintf(path, sizeof path, "%s/game-%05lld.sgf", export->folder, (long long)record->index + 1);
        export->status = file_write(path, text_string(text), text->length, export->error);
        export->written++;
    }
    return export->status == STATUS_OK;
}

enum status report_sgf(struct report *report, const char *folder, int *written, struct error *error) {
    if (!report->plan.game->properties->stones_on_points) {
        return error_at(error, 0, 0, "SGF has no such game; --positions writes the course's files");
    }
    return each_game(report, folder, write_sgf, written, error);
}

/* -- course positions -- */

static void write_position(void *user, int ply, game_move move, const struct game_position *before,
                           const struct game_position *after) {
    (void)move, (void)before;
    struct export *export = user;
    const struct game *game = export->report->plan.game;
    const struct course_format *course = course_format_of(game, game->variant(after));
    char path[PATH_MAX];
    if (export->status != STATUS_OK || game->over(after)) {
        return;
    }
    export->text.length = 0;
    struct course_question question = {.task = 3, .depth = 3};
    question.seconds = course->clock.per_game > 0 ? course->clock.per_game : course->clock.per_move;
    course->ask(after, &question, &export->text);
    snprintf(path, sizeof path, "%s/game-%05lld/%03d.txt", export->folder, (long long)export->record->index + 1, ply);
    export->status = file_write(path, text_string(&export->text), export->text.length, export->error);
    export->written += export->status == STATUS_OK;
}

static bool write_positions(void *user, const struct record *record) {
    struct export *export = user;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/game-%05lld", export->folder, (long long)record->index + 1);
    export->record = record;
    export->status = make_folder(path, export->error);
    if (export->status == STATUS_OK) {
        enum status status = report_replay(&export->report->plan, record, write_position, export, export->error);
        export->status = export->status == STATUS_OK ? status : export->status;
    }
    return export->status == STATUS_OK;
}

enum status report_positions(struct report *report, const char *folder, int *written, struct error *error) {
    if (!course_format_of(report->plan.game, report->plan.variant)) {
        return error_at(error, 0, 0, "no course plays %s by files; --sgf writes its games",
                        report->plan.game->properties->name);
    }
    return each_game(report, folder, write_positions, written, error);
}
