/* The games of a results file as files other programs read: SGF, and the courses' own input files. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clean.h"
#include "formats/course.h"
#include "formats/records/sgf.h"
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
    struct gametrees trees; /* SGF: the game alone */
    uint32_t node;          /* its last */
    const char *times;      /* of the moves to come */
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

/* A property whose text a stranger wrote. */
static bool put_clean(struct gametree *tree, const char *name, const char *value) {
    struct clean_line line;
    const char *clean = clean_string(&line, value);
    return gametree_put_text(tree, 0, name, clean, strlen(clean));
}

/* What became of one square in a step: a stone that was there from the start, or was given to the other side, is set
 * up, since SGF has no word for that. */
static bool put_stone(struct export *export, int ply, int square, enum game_ink was, enum game_ink is) {
    struct gametree *tree = &export->trees.items[0];
    bool first = is == GAME_INK_FIRST;
    if (ply == 0) {
        return gametree_put_point(tree, 0, first ? "AB" : "AW", square);
    }
    export->node = was == GAME_INK_EMPTY ? gametree_add_move(tree, export->node, first ? 'B' : 'W', square)
                                         : gametree_add(tree, export->node);
    return export->node &&
           (was == GAME_INK_EMPTY || gametree_put_point(tree, export->node, first ? "AB" : "AW", square));
}

/* The milliseconds of the move that was added last: the next number of the record's times. */
static bool put_time(struct export *export) {
    const char *start = export->times;
    size_t length = strcspn(start, ";");
    export->times += length + (start[length] == ';');
    return length == 0 || gametree_put_text(&export->trees.items[0], export->node, "XMS", start, length);
}

/* The second player took the first stone over: the colours stay, so the names beside them say it. */
static bool put_swap(struct export *export) {
    static const char words[] = "taken over by Black";
    export->times += strcspn(export->times, ";");
    export->times += *export->times == ';';
    return gametree_put_text(&export->trees.items[0], export->node, "C", words, strlen(words));
}

static void add_sgf_step(void *user, int ply, game_move move, const struct game_position *before,
                         const struct game_position *after) {
    struct export *export = user;
    const struct game *game = export->report->plan.game;
    int size = game->size(after);
    bool done = true;
    if (ply > 0 && move == GAME_NO_MOVE) {
        export->text.broken = export->text.broken || !put_swap(export);
        return;
    }
    for (int ink = GAME_INK_FIRST; ink <= GAME_INK_SECOND; ink++) {
        for (int i = 0; i < size * size; i++) {
            struct game_cell was = {.ink = GAME_INK_EMPTY};
            struct game_cell is;
            if (ply > 0) {
                game->cell(before, i / size, i % size, &was);
            }
            game->cell(after, i / size, i % size, &is);
            if ((int)is.ink == ink && was.ink != is.ink) {
                done = done && put_stone(export, ply, i, was.ink, is.ink);
            }
        }
    }
    done = done && (ply == 0 || put_time(export));
    export->text.broken = export->text.broken || !done;
}

/* What the record says of the game as a whole. */
static bool put_head(struct export *export, const struct record *record) {
    const struct plan *plan = &export->report->plan;
    struct gametree *tree = &export->trees.items[0];
    char result[16];
    bool swapped = record_swapped(record, plan);
    const char *how = record->fault == PLAYER_LATE ? "+Time" : record->fault != PLAYER_NO_FAULT ? "+Forfeit" : "+";
    snprintf(result, sizeof result, "%s%s",
             record->points == 1                 ? "0"
             : (record->points == 2) == !swapped ? "B"
                                                 : "W",
             record->points == 1 ? "" : how);
    /* The text begins with game, rules and size. */
    sscanf(text_string(&record->position), "%*s %*s %d", &tree->size);
    tree->rules = plan->variant;
    return put_clean(tree, "PB", plan->players[record->players[swapped]].name) &&
           put_clean(tree, "PW", plan->players[record->players[!swapped]].name) && put_clean(tree, "RE", result) &&
           (record->detail.length == 0 || put_clean(tree, "GC", text_string(&record->detail)));
}

static bool write_sgf(void *user, const struct record *record) {
    struct export *export = user;
    struct text *text = &export->text;
    char path[PATH_MAX];
    if (record->position.length == 0) {
        return true; /* ended before it began */
    }
    text->length = 0;
    export->node = 0;
    export->times = text_string(&record->times);
    struct gametree *tree = gametrees_add(&export->trees);
    text->broken = text->broken || !tree || !put_head(export, record);
    if (!text->broken) {
        export->status = report_replay(&export->report->plan, record, add_sgf_step, export, export->error);
    }
    if (!text->broken && export->status == STATUS_OK) {
        sgf_write_tree(tree, text);
    }
    gametrees_free(&export->trees);
    if (text->broken) {
        export->status = error_machine(export->error, "out of memory");
    }
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
