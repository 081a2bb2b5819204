/* The report as one HTML page. This file hands out data alone: page/page.html is the page, its script makes tables,
 * plots and the viewer from the JSON written here. */
#include <stdio.h>
#include <string.h>

#include "formats/board.h"
#include "results/report.h"

/* Of the standard error of a player the page shows this much. */
#define MOST_SHOWN_ERROR 2000

/* One line about the whole match. */
static void add_lead(struct text *out, const struct report *report) {
    const struct plan *plan = &report->plan;
    text_addf(out, "%d players, %lld games", plan->player_count, (long long)report->standings.games);
    if (report->standings.games < plan->games && !plan->has_sprt) {
        text_addf(out, " of %lld planned", (long long)plan->games);
    }
    text_addf(out, " · rules %s · ", plan->game->properties->variants[plan->variant]);
    if (plan->opening_count > 0) {
        text_addf(out, "%d openings", plan->opening_count);
    } else {
        for (int i = 0; i < plan->size_count; i++) {
            text_addf(out, "%s%d×%d", i ? ", " : "", plan->sizes[i], plan->sizes[i]);
        }
        text_addf(out, " · seed %llu", (unsigned long long)plan->seed);
    }
    const char *clock = plan->time.clock == PLAYER_CLOCK_CPU ? " CPU" : "";
    if (plan->time.clock != PLAYER_CLOCK_NONE && plan->time.per_move > 0) {
        text_addf(out, " · %g s%s a move", plan->time.per_move, clock);
    }
    if (plan->time.clock != PLAYER_CLOCK_NONE && plan->time.per_game > 0) {
        text_addf(out, " · %g s%s a game", plan->time.per_game, clock);
    }
    text_add_string(out, plan->swap ? " · the second player may take the first stone over" : "");
    text_addf(out, " · every start played with both sides · sortie %s", SORTIE_VERSION);
}

/* -- the tables' data -- */

static void add_player(struct json *json, const struct report *report, int player) {
    const struct standing *standing = &report->standings.table[player];
    char error[16];
    standings_error_text(standing->rating.error, error);
    json_open_object(json, NULL);
    json_clean(json, "name", report->plan.players[player].name);
    json_clean(json, "spec", report->plan.players[player].text);
    json_number(json, "elo", standing->rating.elo, 3);
    json_number(json, "error", standing->rating.error, 3);
    json_string(json, "errorText", error);
    json_bool(json, "bounded", standing->rating.bounded);
    json_int(json, "won", standing->won);
    json_int(json, "drawn", standing->drawn);
    json_int(json, "lost", standing->lost);
    json_int(json, "moves", standing->moves);
    json_number(json, "wall", standing->wall_seconds, 6);
    json_number(json, "cpu", standing->cpu_seconds, 6);
    json_number(json, "slowest", standing->slowest, 6);
    json_open_list(json, "faults");
    for (int fault = 0; fault < PLAYER_FAULTS; fault++) {
        json_int(json, NULL, standing->faults[fault]);
    }
    json_close_list(json);
    json_close_object(json);
}

/* Points and games of everybody against everybody. */
static void add_meetings(struct json *json, const struct standings *standings) {
    int n = standings->players;
    json_open_list(json, "meetings");
    for (int player = 0; player < n; player++) {
        json_open_list(json, NULL);
        for (int other = 0; other < n; other++) {
            json_open_list(json, NULL);
            json_number(json, NULL, standings->points[player * n + other], 1);
            json_int(json, NULL, standings->met[player * n + other]);
            json_close_list(json);
        }
        json_close_list(json);
    }
    json_close_list(json);
}

/* What a match of two says about their difference. */
static void add_duel(struct json *json, const struct report *report) {
    const struct plan *plan = &report->plan;
    struct rating_pairs pairs;
    struct rating_estimate estimate;
    char value[160];
    standings_pairs(&report->standings, 0, 1, &pairs);
    rating_estimate(&pairs, &estimate);
    standings_elo_text(&estimate, value);
    char *sign = strstr(value, "+-");
    if (sign) {
        memcpy(sign, "\u00b1", 2); /* the same two bytes as one character of UTF-8 */
    }
    json_open_object(json, "duel");
    json_string(json, "elo", value);
    json_number(json, "superiority", estimate.superiority, 6);
    json_open_list(json, "pairs");
    for (int i = 0; i < 5; i++) {
        json_number(json, NULL, pairs.count[i], 0);
    }
    json_close_list(json);
    if (plan->has_sprt) {
        double lower;
        double upper;
        double ratio = rating_log_likelihood_ratio(&pairs, plan->sprt.elo0, plan->sprt.elo1);
        rating_sprt_bounds(&plan->sprt, &lower, &upper);
        snprintf(value, sizeof value, "LLR %.2f (%.2f, %.2f) for %+g against %+g Elo", ratio, lower, upper,
                 plan->sprt.elo1, plan->sprt.elo0);
        json_string(json, "sprt", value);
    }
    json_close_object(json);
}

static void add_tables(struct json *json, const struct report *report) {
    const struct standings *standings = &report->standings;
    json_open_list(json, "players");
    for (int i = 0; i < standings->players; i++) {
        add_player(json, report, i);
    }
    json_close_list(json);
    json_open_list(json, "order");
    for (int i = 0; i < standings->players; i++) {
        json_int(json, NULL, standings->order[i]);
    }
    json_close_list(json);
    json_open_list(json, "faults");
    for (int fault = 0; fault < PLAYER_FAULTS; fault++) {
        json_string(json, NULL, fault ? player_fault_name((enum player_fault)fault) : "by the rules");
    }
    json_close_list(json);
    add_meetings(json, standings);
    if (standings->players == 2) {
        add_duel(json, report);
    }
    json_bool(json, "margin", report->plan.game->properties->score_kind == GAME_SCORE_MARGIN);
    json_int(json, "total", standings->games);
}

/* -- the games for the viewer -- */

struct page {
    struct report *report;
    struct json json;
    int most;
    int games;
    int faults;
    enum status status;
    struct error *error;
};

/* The start as a board, then what every move changed. */
static void add_step(void *user, int ply, game_move move, const struct game_position *before,
                     const struct game_position *after) {
    (void)move;
    struct page *page = user;
    const struct game *game = page->report->plan.game;
    if (ply == 0) {
        json_int(&page->json, "first", game->to_move(after));
        board_json(&page->json, "board", game, after);
        json_open_list(&page->json, "steps");
    } else {
        board_json_step(&page->json, game, before, after);
    }
}

/* "a;b" as ["a", "b"], or as numbers. */
static void add_list(struct json *json, const char *key, const char *at, bool quoted) {
    json_open_list(json, key);
    while (*at) {
        size_t length = strcspn(at, ";");
        if (quoted) {
            json_clean_lines(json, NULL, at, length);
        } else {
            char number[32];
            snprintf(number, sizeof number, "%.*s", (int)(length < 31 ? length : 31), at);
            json_raw(json, NULL, number);
        }
        at += length + (at[length] == ';');
    }
    json_close_list(json);
}

static void add_outcome(struct json *json, const struct record *record, bool swapped) {
    json_int(json, "index", record->index);
    json_open_list(json, "players");
    json_int(json, NULL, record->players[0]);
    json_int(json, NULL, record->players[1]);
    json_close_list(json);
    json_int(json, "points", record->points);
    json_int(json, "loser", record->loser);
    json_int(json, "score", record->score);
    json_bool(json, "swapped", swapped);
    json_string(json, "cause", player_fault_name(record->fault));
    json_clean(json, "detail", text_string(&record->detail));
    add_list(json, "moves", text_string(&record->moves), true);
    add_list(json, "times", text_string(&record->times), false);
    if (record->errors[0].length + record->errors[1].length > 0) {
        json_open_list(json, "errors");
        for (int side = 0; side < 2; side++) {
            size_t length = record->errors[side].length;
            json_clean_lines(json, NULL, text_string(&record->errors[side]),
                             length < MOST_SHOWN_ERROR ? length : MOST_SHOWN_ERROR);
        }
        json_close_list(json);
    }
}

static bool add_game(void *user, const struct record *record) {
    struct page *page = user;
    struct json *json = &page->json;
    bool fault = record->loser >= 0;
    if (fault ? page->faults >= page->most : page->games >= page->most) {
        return true;
    }
    page->games += !fault;
    page->faults += fault;
    text_add_char(json->text, '\n');
    json_open_object(json, NULL);
    add_outcome(json, record, record_swapped(record, &page->report->plan));
    if (record->position.length > 0) {
        page->status = report_replay(&page->report->plan, record, add_step, page, page->error);
        json_close_list(json);
    } else { /* ended before it began */
        json_int(json, "first", 0);
        json_raw(json, "board", "{\"rows\": 0, \"columns\": 0, \"inks\": \"\"}");
        json_raw(json, "steps", "[]");
    }
    json_close_object(json);
    return page->status == STATUS_OK;
}

static enum status add_data(struct report *report, int most_games, struct text *out, struct error *error) {
    struct page page = {.report = report, .json = {out, false}, .most = most_games, .error = error};
    json_open_object(&page.json, NULL);
    add_tables(&page.json, report);
    json_open_list(&page.json, "games");
    enum status status = store_each(report->store, &report->plan, true, add_game, &page, error);
    json_close_list(&page.json);
    json_close_object(&page.json);
    return status == STATUS_OK ? page.status : status;
}

/* -- the page -- */

/* Replaces what stands between two @ in the page. */
static enum status fill_in(struct report *report, const char *name, size_t length, int most_games, struct text *out,
                           struct error *error) {
    struct text plain = TEXT_EMPTY;
    enum status status = STATUS_OK;
    if (strncmp(name, "TITLE", length) == 0) {
        text_add_xml(out, report->plan.game->properties->title);
        text_addf(out, ": %lld games", (long long)report->standings.games);
    } else if (strncmp(name, "HEADING", length) == 0) {
        text_add_xml(out, report->plan.game->properties->title);
    } else if (strncmp(name, "LEAD", length) == 0) {
        add_lead(out, report);
    } else if (strncmp(name, "PLAIN", length) == 0) {
        report_text(report, &plain);
        text_add_xml(out, text_string(&plain));
        out->broken = out->broken || plain.broken;
    } else if (strncmp(name, "STYLE", length) == 0) {
        text_add_string(out, report_page_css);
    } else if (strncmp(name, "SCRIPT", length) == 0) {
        text_add_string(out, report_page_js);
    } else {
        status = add_data(report, most_games, out, error);
    }
    text_spend(&plain, out);
    return status;
}

enum status report_html(struct report *report, int most_games, struct text *out, struct error *error) {
    enum status status = STATUS_OK;
    const char *at = report_page_html;
    for (const char *mark = strchr(at, '@'); mark && status == STATUS_OK; mark = strchr(at, '@')) {
        size_t length = strcspn(mark + 1, "@");
        text_add(out, at, (size_t)(mark - at));
        status = fill_in(report, mark + 1, length, most_games, out, error);
        at = mark + length + 2;
    }
    text_add_string(out, at);
    return status == STATUS_OK && out->broken ? error_machine(error, "out of memory") : status;
}
