/* The report as one HTML page: tables and plots are written here, the viewer gets the games as JSON. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match/report.h"

/* Of the standard error of a player the page shows this much. */
#define MOST_SHOWN_ERROR 2000

/* -- tables and plots -- */

static void add_name(struct text *out, const struct plan *plan, int player) {
    text_add_string(out, "<td class=\"name\" title=\"");
    text_add_xml(out, plan->players[player].text);
    text_add_string(out, "\">");
    text_add_xml(out, plan->players[player].name);
    text_add_string(out, "</td>");
}

static void add_head(struct text *out, const struct report *report) {
    const struct plan *plan = &report->plan;
    const struct game_properties *properties = plan->game->properties;
    text_add_string(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    text_add_xml(out, properties->title);
    text_addf(out, ": %lld games</title>\n<style>\n%s</style></head>\n<body><main>\n<h1>",
              (long long)report->standings.games, report_page_css);
    text_add_xml(out, properties->title);
    text_addf(out, "</h1>\n<p class=\"lead\">%d players, %lld games", plan->player_count,
              (long long)report->standings.games);
    if (report->standings.games < plan->games && !plan->has_sprt) {
        text_addf(out, " of %lld planned", (long long)plan->games);
    }
    text_addf(out, " · rules %s · ", properties->variants[plan->variant]);
    if (plan->opening_count > 0) {
        text_addf(out, "%d openings", plan->opening_count);
    } else {
        for (int i = 0; i < plan->size_count; i++) {
            text_addf(out, "%s%d×%d", i ? ", " : "", plan->sizes[i], plan->sizes[i]);
        }
        text_addf(out, " · seed %llu", (unsigned long long)plan->seed);
    }
    if (plan->time.clock != PLAYER_CLOCK_NONE) {
        const char *clock = plan->time.clock == PLAYER_CLOCK_CPU ? " CPU" : "";
        if (plan->time.per_move > 0) {
            text_addf(out, " · %g s%s a move", plan->time.per_move, clock);
        }
        if (plan->time.per_game > 0) {
            text_addf(out, " · %g s%s a game", plan->time.per_game, clock);
        }
    }
    text_addf(out, " · every start played with both sides · sortie %s</p>\n", SORTIE_VERSION);
}

static void add_standings(struct text *out, const struct report *report) {
    const struct standings *standings = &report->standings;
    bool bounded = false;
    text_add_string(out,
                    "<section><h2>Standings</h2><div class=\"scroll\"><table><tr><th></th><th class=\"name\">Player"
                    "</th><th>Elo</th><th>± 95 %</th><th>Games</th><th>Won</th><th>Drawn</th><th>Lost</th>"
                    "<th>Points</th><th>Score</th></tr>\n");
    for (int place = 0; place < standings->players; place++) {
        int player = standings->order[place];
        const struct standing *standing = &standings->table[player];
        int games = standing->won + standing->drawn + standing->lost;
        double points = standing->won + standing->drawn / 2.0;
        bounded = bounded || standing->rating.bounded;
        char error[16];
        standings_error_text(standing->rating.error, error);
        text_addf(out, "<tr><td class=\"soft\">%d</td>", place + 1);
        add_name(out, &report->plan, player);
        text_addf(out,
                  "<td><b>%+.0f</b></td><td>%s</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%.1f</td>"
                  "<td>%.1f %%</td></tr>\n",
                  standing->rating.elo, error, games, standing->won, standing->drawn, standing->lost, points,
                  games ? 100 * points / games : 0.0);
    }
    text_add_string(out, "</table></div>\n");
    if (bounded) {
        text_add_string(out,
                        "<p class=\"soft\" style=\"margin-top:10px\">Somebody won or lost everything, so no finite "
                        "rating fits: Elo values are cautious bounds.</p>");
    }
    text_add_string(out, "</section>\n");
}

/* A round step for about six ticks over a range. */
static double tick_step(double range) {
    double step = pow(10, floor(log10(range / 6)));
    return range / step > 30 ? 5 * step : range / step > 12 ? 2 * step : step;
}

static void add_plot(struct text *out, const struct report *report) {
    const struct standings *standings = &report->standings;
    const int left = 230, right = 1040, row = 30, top = 12;
    double low = 0;
    double high = 0;
    for (int i = 0; i < standings->players; i++) {
        const struct rating_player *rating = &standings->table[i].rating;
        low = fmin(low, rating->elo - rating->error);
        high = fmax(high, rating->elo + rating->error);
    }
    double margin = fmax(0.04 * (high - low), 5);
    low -= margin;
    high += margin;
    int bottom = top + row * standings->players;
    double scale = (right - left) / (high - low);
    double step = tick_step(high - low);
    text_addf(out,
              "<section><h2>Ratings</h2><svg class=\"figure\" viewBox=\"0 0 1080 %d\" role=\"img\" "
              "aria-label=\"rating of every player with its error bar\">\n",
              bottom + 34);
    for (double tick = ceil(low / step) * step; tick <= high; tick += step) {
        double x = left + (tick - low) * scale;
        char label[32];
        snprintf(label, sizeof label, fabs(tick) < 1e-9 ? "0" : "%+.0f", tick);
        text_addf(out,
                  "<path d=\"M%.1f %dV%d\" stroke=\"var(--line)\"/><text class=\"tick\" x=\"%.1f\" y=\"%d\" "
                  "text-anchor=\"middle\">%s</text>\n",
                  x, top, bottom + 4, x, bottom + 20, label);
    }
    for (int place = 0; place < standings->players; place++) {
        int player = standings->order[place];
        const struct rating_player *rating = &standings->table[player].rating;
        double y = top + row * (place + 0.5);
        double x = left + (rating->elo - low) * scale;
        double from = x - rating->error * scale;
        double to = x + rating->error * scale;
        char name[40];
        snprintf(name, sizeof name, "%.29s%s", report->plan.players[player].name,
                 strlen(report->plan.players[player].name) > 29 ? "…" : "");
        text_addf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", left - 14, y + 4.5);
        text_add_xml(out, name);
        text_addf(out,
                  "</text><path d=\"M%.1f %.1fH%.1fM%.1f %.1fv10M%.1f %.1fv10\" stroke=\"var(--accent)\" "
                  "stroke-width=\"1.6\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"var(--accent)\">"
                  "<title>%+.1f ± %.1f</title></circle>\n",
                  from, y, to, from, y - 5, to, y - 5, x, y, rating->elo, rating->error);
    }
    text_addf(out,
              "</svg><p class=\"soft\">Elo with 95 %% error bars; the mean of all players is 0. 100 Elo more means "
              "64 %% of the points.</p></section>\n");
}

static void add_cross_table(struct text *out, const struct report *report) {
    const struct standings *standings = &report->standings;
    int n = standings->players;
    text_add_string(out,
                    "<section><h2>Cross table</h2><div class=\"scroll\"><table><tr><th></th><th class=\"name\"></th>");
    for (int column = 0; column < n; column++) {
        text_addf(out, "<th style=\"text-align:center\">%d</th>", column + 1);
    }
    text_add_string(out, "</tr>\n");
    for (int row = 0; row < n; row++) {
        int player = standings->order[row];
        text_addf(out, "<tr><td class=\"soft\">%d</td>", row + 1);
        add_name(out, &report->plan, player);
        for (int column = 0; column < n; column++) {
            int other = standings->order[column];
            int met = standings->met[player * n + other];
            if (met == 0) {
                text_addf(out, "<td class=\"%s\"></td>", player == other ? "self" : "");
                continue;
            }
            double points = standings->points[player * n + other];
            text_addf(out,
                      "<td class=\"meet\" data-one=\"%d\" data-two=\"%d\" style=\"background:rgba(var(--heat),%.2f)\" "
                      "title=\"%.1f of %d points\">%.1f<small>/%d</small></td>",
                      player, other, 0.5 * points / met, points, met, points, met);
        }
        text_add_string(out, "</tr>\n");
    }
    text_add_string(out,
                    "</table></div><p class=\"soft\" style=\"margin:10px 0 0\">Points of the player in the row against "
                    "the one in the column. Click a cell to see its games.</p></section>\n");
}

static void add_fact(struct text *out, const char *name, const char *value, const char *meaning) {
    text_addf(out, "<span>%s</span><b>%s</b><span class=\"soft\">%s</span>\n", name, value, meaning);
}

/* A match of two, in one line each. */
static void add_two_players(struct text *out, const struct report *report) {
    const struct plan *plan = &report->plan;
    struct rating_pairs pairs;
    struct rating_estimate estimate;
    char value[160];
    standings_pairs(&report->standings, 0, 1, &pairs);
    rating_estimate(&pairs, &estimate);
    text_add_string(out, "<section><h2>");
    text_add_xml(out, plan->players[0].name);
    text_add_string(out, " against ");
    text_add_xml(out, plan->players[1].name);
    text_add_string(out, "</h2><div class=\"facts\">");
    standings_elo_text(&estimate, value);
    char *sign = strstr(value, "+-");
    if (sign) {
        memcpy(sign, "\u00b1", 2); /* the same two bytes as one character of UTF-8 */
    }
    add_fact(out, "Elo", value, "the difference in strength, with its 95 % error taken from the spread of the pairs");
    snprintf(value, sizeof value, "%.1f %%", 100 * estimate.superiority);
    add_fact(out, "LOS", value, "likelihood of superiority: how probable it is that the first is the stronger one");
    snprintf(value, sizeof value, "%.0f · %.0f · %.0f · %.0f · %.0f", pairs.count[0], pairs.count[1], pairs.count[2],
             pairs.count[3], pairs.count[4]);
    add_fact(out, "Pairs", value, "starts that brought the first player 0, ½, 1, 1½, 2 points");
    if (plan->has_sprt) {
        double lower;
        double upper;
        double ratio = rating_log_likelihood_ratio(&pairs, plan->sprt.elo0, plan->sprt.elo1);
        rating_sprt_bounds(&plan->sprt, &lower, &upper);
        snprintf(value, sizeof value, "LLR %.2f (%.2f, %.2f) for %+g against %+g Elo", ratio, lower, upper,
                 plan->sprt.elo1, plan->sprt.elo0);
        add_fact(out, "SPRT", value, "evidence for a gain; the test ends when it leaves the bounds");
    }
    text_add_string(out, "</div></section>\n");
}

static void add_losses(struct text *out, const struct report *report) {
    const struct standings *standings = &report->standings;
    bool present[PLAYER_FAULTS] = {true};
    int most = 1;
    for (int player = 0; player < standings->players; player++) {
        for (int fault = 1; fault < PLAYER_FAULTS; fault++) {
            present[fault] = present[fault] || standings->table[player].faults[fault] > 0;
        }
        most = standings->table[player].lost > most ? standings->table[player].lost : most;
    }
    text_add_string(
        out, "<section><h2>How games were lost</h2><div class=\"scroll\"><table><tr><th class=\"name\">Player</th>"
             "<th>Lost</th>");
    for (int fault = 0; fault < PLAYER_FAULTS; fault++) {
        if (present[fault]) {
            text_addf(out, "<th>%s</th>", fault ? player_fault_name((enum player_fault)fault) : "by the rules");
        }
    }
    text_add_string(out, "<th class=\"name\" style=\"width:30%\"></th></tr>\n");
    for (int place = 0; place < standings->players; place++) {
        int player = standings->order[place];
        const struct standing *standing = &standings->table[player];
        text_add_string(out, "<tr>");
        add_name(out, &report->plan, player);
        text_addf(out, "<td>%d</td>", standing->lost);
        for (int fault = 0; fault < PLAYER_FAULTS; fault++) {
            if (present[fault]) {
                bool bad = fault > 0 && standing->faults[fault] > 0;
                text_addf(out, "<td%s>%d</td>", bad ? " class=\"fault\"" : "", standing->faults[fault]);
            }
        }
        double by_rules = 100.0 * standing->faults[PLAYER_NO_FAULT] / most;
        double by_fault = 100.0 * (standing->lost - standing->faults[PLAYER_NO_FAULT]) / most;
        text_addf(out,
                  "<td class=\"name\"><span class=\"bar\" style=\"width:%.1f%%;background:var(--draw)\"></span>"
                  "<span class=\"bar\" style=\"width:%.1f%%;background:var(--second)\"></span></td></tr>\n",
                  by_rules, by_fault);
    }
    text_add_string(out, "</table></div></section>\n");
}

static void add_times(struct text *out, const struct report *report) {
    const struct standings *standings = &report->standings;
    double most = 1e-9;
    for (int player = 0; player < standings->players; player++) {
        const struct standing *standing = &standings->table[player];
        most = fmax(most, standing->moves ? standing->wall_seconds / (double)standing->moves : 0);
    }
    text_add_string(
        out, "<section><h2>Time</h2><div class=\"scroll\"><table><tr><th class=\"name\">Player</th><th>Moves</th>"
             "<th>ms a move</th><th>slowest, ms</th><th>s a game</th><th>CPU s a game</th>"
             "<th class=\"name\" style=\"width:30%\"></th></tr>\n");
    for (int place = 0; place < standings->players; place++) {
        int player = standings->order[place];
        const struct standing *standing = &standings->table[player];
        int games = standing->won + standing->drawn + standing->lost;
        double a_move = standing->moves ? standing->wall_seconds / (double)standing->moves : 0;
        text_add_string(out, "<tr>");
        add_name(out, &report->plan, player);
        text_addf(out,
                  "<td>%lld</td><td>%.2f</td><td>%.1f</td><td>%.3f</td><td>%.3f</td><td class=\"name\">"
                  "<span class=\"bar\" style=\"width:%.1f%%;background:var(--accent)\"></span></td></tr>\n",
                  (long long)standing->moves, 1e3 * a_move, 1e3 * standing->slowest,
                  games ? standing->wall_seconds / games : 0, games ? standing->cpu_seconds / games : 0,
                  100 * a_move / most);
    }
    text_add_string(out, "</table></div></section>\n");
}

/* -- the games for the viewer -- */

static char ink_letter(enum game_ink ink) {
    static const char letters[] = {
        [GAME_INK_EMPTY] = '.',       [GAME_INK_FIRST] = 'a',        [GAME_INK_SECOND] = 'b',    [GAME_INK_BLOCK] = '#',
        [GAME_INK_FIRST_FIELD] = 'p', [GAME_INK_SECOND_FIELD] = 'q', [GAME_INK_BOTH_FIELD] = 'r'};
    return letters[ink];
}

struct steps {
    const struct game *game;
    struct text *out;
    int side_first; /* to move at the start */
};

/* The start as a string of inks and a list of labels; then, for every move, the cells that changed, the square
 * that was taken first. */
static void add_step(void *user, int ply, game_move move, const struct game_position *before,
                     const struct game_position *after) {
    (void)move;
    struct steps *steps = user;
    const struct game *game = steps->game;
    struct text *out = steps->out;
    int size = game->size(after);
    if (ply == 0) {
        struct text labels = TEXT_EMPTY;
        bool any = false;
        steps->side_first = game->to_move(after);
        text_addf(out, "\"n\":%d,\"v\":\"", size);
        for (int i = 0; i < size * size; i++) {
            struct game_cell cell;
            game->cell(after, i / size, i % size, &cell);
            text_add_char(out, ink_letter(cell.ink));
            text_add_string(&labels, i ? "," : "");
            report_add_json(&labels, cell.label, strlen(cell.label));
            any = any || cell.label[0];
        }
        text_addf(out, "\",\"b\":[%s],\"d\":[", any ? text_string(&labels) : "");
        text_free(&labels);
        return;
    }
    text_add_string(out, ply > 1 ? ",\"" : "\"");
    bool first = true;
    for (int taken = 1; taken >= 0; taken--) {
        for (int i = 0; i < size * size; i++) {
            struct game_cell was;
            struct game_cell is;
            game->cell(before, i / size, i % size, &was);
            game->cell(after, i / size, i % size, &is);
            bool relabelled = strcmp(was.label, is.label) != 0;
            bool piece = is.ink == GAME_INK_FIRST || is.ink == GAME_INK_SECOND;
            bool is_taken = piece && was.ink != GAME_INK_FIRST && was.ink != GAME_INK_SECOND;
            if ((was.ink != is.ink || relabelled) && is_taken == (taken == 1)) {
                text_addf(out, "%s%d%c%s", first ? "" : " ", i, ink_letter(is.ink),
                          !relabelled   ? ""
                          : is.label[0] ? is.label
                                        : "-");
                first = false;
            }
        }
    }
    text_add_char(out, '"');
}

struct page {
    struct report *report;
    struct text *out;
    int most;
    int games;
    int faults;
    bool numbers; /* squares are named by numbers */
    enum status status;
    struct error *error;
};

/* "a;b" as ["a","b"], or as numbers. */
static void add_list(struct text *out, const char *at, bool quoted) {
    text_add_char(out, '[');
    for (bool first = true; *at; first = false) {
        size_t length = strcspn(at, ";");
        text_add_string(out, first ? "" : ",");
        if (quoted) {
            report_add_json(out, at, length);
        } else {
            text_add(out, at, length);
        }
        at += length + (at[length] == ';');
    }
    text_add_char(out, ']');
}

static void add_errors(struct text *out, const struct record *record) {
    for (int side = 0; side < 2; side++) {
        size_t length = record->errors[side].length;
        text_add_string(out, side ? "," : ",\"e\":[");
        report_add_json(out, text_string(&record->errors[side]), length < MOST_SHOWN_ERROR ? length : MOST_SHOWN_ERROR);
    }
    text_add_char(out, ']');
}

static bool add_game(void *user, const struct record *record) {
    struct page *page = user;
    struct text *out = page->out;
    bool fault = record->loser >= 0;
    if (fault ? page->faults >= page->most : page->games >= page->most) {
        return true;
    }
    struct steps steps = {.game = page->report->plan.game, .out = out};
    page->numbers = page->numbers || isdigit((unsigned char)text_string(&record->moves)[0]);
    text_addf(out, "%s{", page->games + page->faults ? ",\n" : "");
    page->games += !fault;
    page->faults += fault;
    if (record->position.length > 0) {
        page->status = report_replay(&page->report->plan, record, add_step, &steps, page->error);
    } else {
        text_add_string(out, "\"n\":1,\"v\":\".\",\"b\":[],\"d\":[");
    }
    text_addf(
        out, "],\"i\":%lld,\"a\":%d,\"o\":%d,\"p\":%d,\"l\":%d,\"s\":%d,\"f\":%d,\"c\":", (long long)record->index,
        record->players[0], record->players[1], record->points, record->loser, (int)record->score, steps.side_first);
    const char *cause = player_fault_name(record->fault);
    report_add_json(out, cause, strlen(cause));
    text_add_string(out, ",\"m\":");
    add_list(out, text_string(&record->moves), true);
    text_add_string(out, ",\"t\":");
    add_list(out, text_string(&record->times), false);
    text_add_string(out, ",\"x\":");
    report_add_json(out, text_string(&record->detail), record->detail.length);
    if (record->errors[0].length + record->errors[1].length > 0) {
        add_errors(out, record);
    }
    text_add_char(out, '}');
    return page->status == STATUS_OK;
}

static const char viewer[] =
    "<section id=\"games\"><h2>Games</h2>\n"
    "<div id=\"viewer\"><div id=\"board\"></div><div><div id=\"title\"></div><p id=\"outcome\" class=\"soft\"></p>"
    "<div class=\"controls\"><button id=\"begin\" title=\"to the start\">«</button>"
    "<button id=\"back\" title=\"one back (left arrow)\">‹</button>"
    "<button id=\"next\" title=\"one on (right arrow)\">›</button>"
    "<button id=\"end\" title=\"to the end\">»</button><button id=\"play\">play</button>"
    "<input type=\"range\" id=\"slider\" min=\"0\" value=\"0\" aria-label=\"move\"><span id=\"ply\" "
    "class=\"soft\"></span>"
    "</div><div id=\"moves\"></div><div id=\"times\" style=\"margin-top:12px\"></div><div "
    "id=\"notes\"></div></div></div>\n"
    "<h2 style=\"margin-top:22px\">All games</h2><div class=\"filters\"><select id=\"one\" "
    "aria-label=\"player\"></select>"
    "<select id=\"two\" aria-label=\"opponent\"></select><select id=\"cause\" aria-label=\"ending\"></select>"
    "<span id=\"count\" class=\"soft\" style=\"align-self:center\"></span></div>\n"
    "<p class=\"soft\">Keys: left and right step through a game, n and p go to the next and the previous one.</p>\n"
    "<div id=\"list\" class=\"scroll\"><table><thead><tr><th>Game</th><th class=\"name\">First</th><th "
    "class=\"name\">Second</th>"
    "<th>Result</th><th class=\"name\">Ended</th><th>Moves</th></tr></thead><tbody id=\"rows\"></tbody></table></div>"
    "<noscript><p>The viewer needs JavaScript; the tables above do not.</p></noscript></section>\n";

enum status report_html(struct report *report, int most_games, struct text *out, struct error *error) {
    const struct plan *plan = &report->plan;
    const struct game_properties *properties = plan->game->properties;
    add_head(out, report);
    add_standings(out, report);
    add_plot(out, report);
    if (plan->player_count == 2) {
        add_two_players(out, report);
    }
    add_cross_table(out, report);
    add_losses(out, report);
    add_times(out, report);
    text_add_string(out, viewer);
    struct text games = TEXT_EMPTY;
    struct page page = {.report = report, .out = &games, .most = most_games, .error = error};
    enum status status = store_each(report->store, true, add_game, &page, error);
    status = status == STATUS_OK ? page.status : status;
    if (page.games + page.faults < report->standings.games) {
        text_addf(out, "<p class=\"soft\">The viewer holds %d of the %lld games.</p>\n", page.games + page.faults,
                  (long long)report->standings.games);
    }
    text_add_string(out, "<script type=\"application/json\" id=\"data\">{\"players\":[");
    for (int i = 0; i < plan->player_count; i++) {
        text_add_string(out, i ? "," : "");
        report_add_json(out, plan->players[i].name, strlen(plan->players[i].name));
    }
    text_addf(out, "],\"points\":%s,\"margin\":%s,\"numbers\":%s,\"games\":[\n",
              properties->stones_on_points ? "true" : "false",
              properties->score_kind == GAME_SCORE_MARGIN ? "true" : "false", page.numbers ? "true" : "false");
    text_add(out, text_string(&games), games.length);
    text_addf(out, "\n]}</script>\n<script>\n%s</script>\n</main></body></html>\n", report_page_js);
    text_free(&games);
    return status == STATUS_OK && out->broken ? error_machine(error, "out of memory") : status;
}
