/* The parts every kind of report shares, and the plain ones: text and CSV. */
#include "results/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"

static bool take(void *user, const struct record *record) {
    struct report *report = user;
    standings_add(&report->standings, &report->plan, record);
    return true;
}

enum status report_open(struct report *report, struct store *store, struct error *error) {
    *report = (struct report){.store = store};
    enum status status = store_get_plan(store, &report->plan, error);
    if (status == STATUS_OK) {
        status = standings_new(&report->standings, &report->plan, error);
    }
    if (status == STATUS_OK) {
        status = store_each(store, &report->plan, false, take, report, error);
    }
    if (status != STATUS_OK) {
        report_close(report);
        return status;
    }
    standings_finish(&report->standings);
    return STATUS_OK;
}

void report_close(struct report *report) {
    standings_free(&report->standings);
    plan_free(&report->plan);
}

enum status report_replay(const struct plan *plan, const struct record *record,
                          void (*each)(void *user, int ply, game_move move, const struct game_position *before,
                                       const struct game_position *after),
                          void *user, struct error *error) {
    const struct game *game = plan->game;
    size_t size = game->properties->position_size;
    struct game_position *before = malloc(size);
    struct game_position *after = malloc(size);
    struct reader reader;
    reader_init(&reader, text_string(&record->position), record->position.length);
    enum status status = before && after ? STATUS_OK : error_machine(error, "out of memory");
    if (status == STATUS_OK && record->position.length > 0) {
        status = game->read(after, &reader, error);
        if (status == STATUS_OK && game->variant(after) != plan->variant) {
            status = error_at(error, 0, 0, "a stored game has other rules than its match");
        }
        if (status == STATUS_OK) {
            each(user, 0, GAME_NO_MOVE, after, after);
        }
    }
    const char *at = text_string(&record->moves);
    bool swapped = record_swapped(record, plan);
    for (int ply = 1; status == STATUS_OK && *at; ply++) {
        size_t length = strcspn(at, ";");
        game_move move = GAME_NO_MOVE;
        struct game_undo undo;
        if (swapped && ply == 2) { /* the stone stays, its owner changes */
            each(user, ply, move, after, after);
            at += length + (at[length] == ';');
            continue;
        }
        status = game->over(after) ? error_at(error, 0, 0, "a stored game goes on after its end")
                                   : game->parse_move(after, at, length, &move, error);
        if (status == STATUS_OK) {
            memcpy(before, after, size);
            game->play(after, move, &undo);
            each(user, ply, move, before, after);
        }
        at += length + (at[length] == ';');
    }
    free(before);
    free(after);
    return status;
}

/* -- text -- */

void report_text(const struct report *report, struct text *out) {
    const struct plan *plan = &report->plan;
    const struct standings *standings = &report->standings;
    int n = standings->players;
    text_addf(out, "%s, %s: %lld games of %lld planned\n\n", plan->game->properties->title,
              plan->game->properties->variants[plan->variant], (long long)standings->games, (long long)plan->games);
    standings_text(standings, plan, out);

    text_add_string(out, "\nPoints of the player in the row against the one in the column\n");
    text_addf(out, "%-26s", "");
    for (int column = 0; column < n; column++) {
        text_addf(out, " %11d", column + 1);
    }
    for (int row = 0; row < n; row++) {
        int player = standings->order[row];
        text_addf(out, "\n%2d ", row + 1);
        clean_add_column(out, plan->players[player].name, 23, 23);
        for (int column = 0; column < n; column++) {
            int cell = player * n + standings->order[column];
            char points[40] = "-";
            if (standings->met[cell] > 0) {
                snprintf(points, sizeof points, "%.1f/%d", standings->points[cell], standings->met[cell]);
            }
            text_addf(out, " %11s", points);
        }
    }

    text_addf(out, "\n\n%-26s %9s %13s %13s %13s\n", "Time", "moves", "ms a move", "slowest ms", "CPU s a game");
    for (int place = 0; place < n; place++) {
        int player = standings->order[place];
        const struct standing *standing = &standings->table[player];
        int games = standing->won + standing->drawn + standing->lost;
        clean_add_column(out, plan->players[player].name, 26, 26);
        text_addf(out, " %9lld %13.2f %13.1f %13.3f\n", (long long)standing->moves,
                  standing->moves ? 1e3 * standing->wall_seconds / (double)standing->moves : 0.0,
                  1e3 * standing->slowest, games ? standing->cpu_seconds / games : 0.0);
    }
}

/* -- CSV -- */

struct csv {
    const struct plan *plan;
    struct text *out;
};

static bool add_csv_line(void *user, const struct record *record) {
    struct csv *csv = user;
    struct text *out = csv->out;
    static const char *const points[] = {"0", "0.5", "1"};
    text_addf(out, "%lld,", (long long)record->index + 1);
    clean_add_csv(out, csv->plan->players[record->players[0]].name);
    text_add_char(out, ',');
    clean_add_csv(out, csv->plan->players[record->players[1]].name);
    text_addf(out, ",%d,%s,%s,", record->start + 1, points[record->points], points[2 - record->points]);
    clean_add_csv(out, player_fault_name(record->fault));
    text_add_char(out, ',');
    if (record->loser < 0) {
        text_addf(out, "%d", (int)record->score);
    }
    text_addf(out, ",%d,%.6f,%.6f,%.6f,%.6f,", record->plies, record->wall_seconds[0], record->wall_seconds[1],
              record->cpu_seconds[0], record->cpu_seconds[1]);
    clean_add_csv(out, text_string(&record->detail));
    text_add_char(out, ',');
    clean_add_csv_lines(out, text_string(&record->position), record->position.length);
    text_add_char(out, ',');
    clean_add_csv_lines(out, text_string(&record->moves), record->moves.length);
    text_add_char(out, '\n');
    return true;
}

enum status report_csv(struct report *report, struct text *out, struct error *error) {
    struct csv csv = {&report->plan, out};
    text_add_string(out,
                    "game,first,second,start,points_first,points_second,ended_by,score,plies,wall_first,wall_second,"
                    "cpu_first,cpu_second,detail,position,moves\n");
    return store_each(report->store, &report->plan, true, add_csv_line, &csv, error);
}
