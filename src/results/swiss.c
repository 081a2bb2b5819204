#include "results/swiss.h"

#include <stdlib.h>

#include "base/rng.h"

#define MOST_STEPS 200000 /* of looking for a round without old meetings */

struct seat {
    int player;
    int points; /* in halves, pauses included */
    int pauses;
    uint64_t lot; /* decides between equals */
};

struct draw {
    const struct standings *standings; /* NULL: nobody has met */
    struct seat seats[PLAN_MOST_PLAYERS];
    int count;
    bool taken[PLAN_MOST_PLAYERS];
    int partner[PLAN_MOST_PLAYERS]; /* of each seat that is taken */
    bool again;                     /* old meetings are allowed */
    int steps;
};

static int by_standing(const void *a, const void *b) {
    const struct seat *x = a;
    const struct seat *y = b;
    return x->points != y->points ? (x->points < y->points) - (x->points > y->points)
                                  : (x->lot > y->lot) - (x->lot < y->lot);
}

static void seat_players(struct draw *draw, const struct plan *plan) {
    int n = plan->player_count;
    int rounds = plan->pair_count / (n / 2);
    for (int i = 0; i < n; i++) {
        struct seat *seat = &draw->seats[i];
        *seat = (struct seat){.player = i, .lot = rng_mix(plan->seed ^ rng_mix((uint64_t)i + 1)), .pauses = rounds};
        for (int k = 0; k < plan->pair_count; k++) {
            seat->pauses -= plan->pairs[k][0] == i || plan->pairs[k][1] == i;
        }
        seat->points = 4 * seat->pauses;
        if (draw->standings) {
            seat->points += 2 * draw->standings->table[i].won + draw->standings->table[i].drawn;
        }
    }
    draw->count = n;
    qsort(draw->seats, (size_t)n, sizeof *draw->seats, by_standing);
}

/* With an odd number: the last of those who paused least often. */
static void let_pause(struct draw *draw) {
    int last = draw->count - 1;
    for (int i = draw->count - 1; i >= 0; i--) {
        last = draw->seats[i].pauses < draw->seats[last].pauses ? i : last;
    }
    draw->taken[last] = draw->count % 2 != 0;
    draw->partner[last] = -1;
}

static bool may_meet(const struct draw *draw, int a, int b) {
    return draw->again || !draw->standings ||
           draw->standings->met[draw->seats[a].player * draw->standings->players + draw->seats[b].player] == 0;
}

/* Gives the best seat that is free the next one it may meet, then the rest likewise, and takes back what leads nowhere.
 */
static bool pair_from(struct draw *draw, int first) {
    while (first < draw->count && draw->taken[first]) {
        first++;
    }
    if (first == draw->count) {
        return true;
    }
    draw->taken[first] = true;
    for (int i = first + 1; i < draw->count && draw->steps < MOST_STEPS; i++) {
        if (!draw->taken[i] && may_meet(draw, first, i)) {
            draw->steps++;
            draw->taken[i] = true;
            draw->partner[first] = i;
            draw->partner[i] = -1;
            if (pair_from(draw, first + 1)) {
                return true;
            }
            draw->taken[i] = false;
        }
    }
    draw->taken[first] = false;
    return false;
}

enum status swiss_draw(struct plan *plan, const struct standings *standings, struct error *error) {
    struct draw draw = {.standings = standings};
    if (plan->player_count < 2) {
        return error_at(error, 0, 0, "expected at least two players");
    }
    seat_players(&draw, plan);
    let_pause(&draw);
    if (!pair_from(&draw, 0)) {
        draw.again = true;
        draw.steps = 0;
        pair_from(&draw, 0);
    }
    enum status status = STATUS_OK;
    for (int i = 0; i < draw.count && status == STATUS_OK; i++) {
        if (draw.partner[i] >= 0) {
            status = plan_add_pair(plan, draw.seats[i].player, draw.seats[draw.partner[i]].player, error);
        }
    }
    return status;
}
