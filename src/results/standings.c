#include "results/standings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"

enum status standings_new(struct standings *standings, const struct plan *plan, struct error *error) {
    size_t n = (size_t)plan->player_count;
    *standings = (struct standings){.players = plan->player_count, .pairs = plan->games / 2};
    standings->table = calloc(n, sizeof *standings->table);
    standings->meetings = calloc(n * n, sizeof *standings->meetings);
    standings->points = calloc(n * n, sizeof *standings->points);
    standings->met = calloc(n * n, sizeof *standings->met);
    standings->order = calloc(n, sizeof *standings->order);
    standings->waiting = malloc((size_t)standings->pairs);
    if (!standings->table || !standings->meetings || !standings->points || !standings->met || !standings->order ||
        !standings->waiting) {
        standings_free(standings);
        return error_machine(error, "out of memory");
    }
    memset(standings->waiting, -1, (size_t)standings->pairs);
    return STATUS_OK;
}

void standings_free(struct standings *standings) {
    free(standings->table);
    free(standings->meetings);
    free(standings->points);
    free(standings->met);
    free(standings->order);
    free(standings->waiting);
    *standings = (struct standings){0};
}

void standings_add(struct standings *standings, const struct plan *plan, const struct record *record) {
    int n = standings->players;
    for (int side = 0; side < 2; side++) {
        struct standing *standing = &standings->table[record->players[side]];
        int points = side == 0 ? record->points : 2 - record->points;
        standing->won += points == 2;
        standing->drawn += points == 1;
        standing->lost += points == 0;
        standing->faults[record->loser == side ? record->fault : PLAYER_NO_FAULT] += points == 0;
        standing->moves += (record->plies + 1 - side) / 2;
        standing->wall_seconds += record->wall_seconds[side];
        standing->cpu_seconds += record->cpu_seconds[side];
        standing->slowest = fmax(standing->slowest, record->slowest[side]);
        int cell = record->players[side] * n + record->players[1 - side];
        standings->points[cell] += points / 2.0;
        standings->met[cell]++;
    }
    standings->games++;
    standings->table[record->players[1]].seconds++;
    standings->table[record->players[1]].swaps += record_swapped(record, plan);

    /* Seen from the lower numbered player: alone until the other game of its pair comes. */
    int low = record->players[0] < record->players[1] ? 0 : 1;
    int points = low == 0 ? record->points : 2 - record->points;
    struct rating_meeting *meeting = &standings->meetings[record->players[low] * n + record->players[1 - low]];
    int8_t *waiting = &standings->waiting[record->index / 2];
    if (*waiting < 0) {
        *waiting = (int8_t)points;
        meeting->single[points] += 1;
    } else {
        meeting->single[*waiting] -= 1;
        meeting->pairs.count[*waiting + points] += 1;
    }
}

/* Better: by rating, then by points, then by number. */
static bool before(const struct standings *standings, int a, int b) {
    const struct standing *x = &standings->table[a];
    const struct standing *y = &standings->table[b];
    double rating = x->rating.elo - y->rating.elo;
    int points = 2 * x->won + x->drawn - 2 * y->won - y->drawn;
    return fabs(rating) > 1e-6 ? rating > 0 : points != 0 ? points > 0 : a < b;
}

void standings_finish(struct standings *standings) {
    int n = standings->players;
    struct rating_player *ratings = calloc((size_t)n, sizeof *ratings);
    if (ratings && rating_table(n, standings->meetings, ratings)) {
        for (int i = 0; i < n; i++) {
            standings->table[i].rating = ratings[i];
        }
    }
    free(ratings);
    for (int i = 0; i < n; i++) {
        int place = i;
        for (; place > 0 && before(standings, i, standings->order[place - 1]); place--) {
            standings->order[place] = standings->order[place - 1];
        }
        standings->order[place] = i;
    }
}

void standings_pairs(const struct standings *standings, int a, int b, struct rating_pairs *pairs) {
    bool turned = a > b;
    const struct rating_meeting *meeting =
        &standings->meetings[(turned ? b : a) * standings->players + (turned ? a : b)];
    for (int i = 0; i < 5; i++) {
        pairs->count[i] = meeting->pairs.count[turned ? 4 - i : i];
    }
}

void standings_error_text(double error, char text[16]) {
    snprintf(text, 16, error > 1e-9 ? "%.1f" : "?", error);
}

void standings_elo_text(const struct rating_estimate *estimate, char text[40]) {
    if (estimate->pairs <= 0) {
        snprintf(text, 40, "no pair yet");
    } else if (!isfinite(estimate->elo)) {
        snprintf(text, 40, estimate->elo > 0 ? "won everything" : "lost everything");
    } else if (!isfinite(estimate->error)) {
        snprintf(text, 40, "%+.1f, error unbounded", estimate->elo);
    } else {
        char error[16];
        standings_error_text(estimate->error, error);
        snprintf(text, 40, "%+.1f +- %s", estimate->elo, error);
    }
}

/* The lines about a match of two. */
static void two_players(const struct standings *standings, const struct plan *plan, struct text *text) {
    struct rating_pairs pairs;
    struct rating_estimate estimate;
    char elo[40];
    standings_pairs(standings, 0, 1, &pairs);
    rating_estimate(&pairs, &estimate);
    standings_elo_text(&estimate, elo);
    text_add_char(text, '\n');
    clean_add(text, plan->players[0].name);
    text_add_string(text, " against ");
    clean_add(text, plan->players[1].name);
    text_add_char(text, '\n');
    text_addf(text, "Elo       %s  (difference in strength, with its 95 %% error)\n", elo);
    text_addf(text, "LOS       %.1f %%  (probability that the first is the stronger one)\n",
              100 * estimate.superiority);
    text_addf(text, "Pairs     %.0f %.0f %.0f %.0f %.0f  (starts that brought 0, 1/2, 1, 3/2, 2 points)\n",
              pairs.count[0], pairs.count[1], pairs.count[2], pairs.count[3], pairs.count[4]);
}

/* "bot lost by: crash 2, too late 1", or nothing. */
static void fault_line(const struct standing *standing, const char *name, struct text *text) {
    const char *before_next = " lost by: ";
    for (int fault = 1; fault < PLAYER_FAULTS; fault++) {
        if (standing->faults[fault] > 0) {
            clean_add(text, before_next[1] == 'l' ? name : "");
            text_addf(text, "%s%s %d", before_next, player_fault_name((enum player_fault)fault),
                      standing->faults[fault]);
            before_next = ", ";
        }
    }
    if (before_next[1] != 'l') {
        text_add_char(text, '\n');
    }
}

void standings_text(const struct standings *standings, const struct plan *plan, struct text *text) {
    int width = 6;
    for (int i = 0; i < standings->players; i++) {
        int length = clean_width(plan->players[i].name);
        width = length > width ? length : width;
    }
    text_addf(text, "%4s  %-*s %8s %6s %6s %6s %8s %7s %18s\n", "", width, "player", "points", "won", "drawn", "lost",
              "faults", "score", "Elo");
    bool bounded = false;
    for (int place = 0; place < standings->players; place++) {
        int player = standings->order[place];
        const struct standing *standing = &standings->table[player];
        int games = standing->won + standing->drawn + standing->lost;
        double points = standing->won + standing->drawn / 2.0;
        bounded = bounded || standing->rating.bounded;
        char elo[40] = "-";
        if (games > 0) {
            char error[16];
            standings_error_text(standing->rating.error, error);
            snprintf(elo, sizeof elo, "%+.1f +- %s", standing->rating.elo, error);
        }
        text_addf(text, "%3d.  ", place + 1);
        clean_add_column(text, plan->players[player].name, width, width);
        text_addf(text, " %8.1f %6d %6d %6d %8d %6.1f%% %18s\n", points, standing->won, standing->drawn, standing->lost,
                  standing->lost - standing->faults[PLAYER_NO_FAULT], games ? 100 * points / games : 0.0, elo);
    }
    for (int player = 0; player < standings->players; player++) {
        fault_line(&standings->table[player], plan->players[player].name, text);
    }
    for (int player = 0; player < standings->players && plan->swap; player++) {
        clean_add(text, plan->players[player].name);
        text_addf(text, " took the first stone over in %d of %d games as second player\n",
                  standings->table[player].swaps, standings->table[player].seconds);
    }
    if (bounded) {
        text_add_string(text, "Somebody won or lost everything: Elo values are cautious bounds.\n");
    }
    if (standings->players == 2) {
        two_players(standings, plan, text);
    }
}
