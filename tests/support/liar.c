#include "support/liar.h"

#include <string.h>

#include "crew/wire.h"
#include "prove/crew/jobs_wire.h"
#include "results/record.h"

static struct liar *current; /* links have no room for a user */

static int link_rank(void) {
    return current->rank;
}

static int link_size(void) {
    return LIAR_SIZE;
}

static void link_send(int to, const char *bytes, size_t length) {
    struct wire wire;
    current->told++;
    wire_init(&wire, bytes, length);
    int64_t unit = wire_number(&wire, INT64_MIN, INT64_MAX);
    if (to > 0 && to < LIAR_SIZE && !wire.failed) {
        current->units[to] = unit;
    }
}

/* Asks the script for the next message, where there is none waiting. */
static int hear(void) {
    if (current->pending_from < 0) {
        current->pending_from = current->speak(current->user, current, &current->pending);
    }
    if (current->pending_from < 0) {
        atomic_store(&current->stop, true);
    }
    return current->pending_from;
}

static int link_wait(int milliseconds) {
    (void)milliseconds;
    return hear();
}

/* At the end of the script there is an empty message, which ends helpers. */
static void link_receive(int from, struct text *bytes) {
    (void)from;
    if (hear() >= 0) {
        text_add(bytes, text_string(&current->pending), current->pending.length);
    }
    text_free(&current->pending);
    current->pending_from = -1;
}

void liar_init(struct liar *liar, int rank, int (*speak)(void *, struct liar *, struct text *), void *user) {
    *liar = (struct liar){.speak = speak, .user = user, .rank = rank, .pending_from = -1};
    for (int i = 0; i < LIAR_SIZE; i++) {
        liar->units[i] = -1;
    }
}

void liar_free(struct liar *liar) {
    text_free(&liar->pending);
}

const struct crew_link *liar_link(struct liar *liar) {
    static const struct crew_link link = {link_rank, link_size, link_send, link_wait, link_receive};
    current = liar;
    return &link;
}

/* -- honest answers -- */

void liar_honest_game(const struct plan *plan, int64_t unit, struct text *answer) {
    struct plan_game game;
    struct record record = {.index = unit, .loser = -1, .score = 3, .points = 2, .plies = 1};
    if (unit >= 0 && unit < plan->games) {
        plan_game_at(plan, unit, &game);
        memcpy(record.players, game.players, sizeof record.players);
        record.start = game.start;
    }
    text_add_string(&record.position, "war stake 1 X\n1\n.\n");
    text_add_string(&record.moves, "A1 Stake");
    text_add_string(&record.times, "0.25");
    text_add_char(answer, '+');
    record_pack(&record, answer);
    record_free(&record);
}

void liar_squares(struct text *answer, int64_t unit, int64_t value, const int games[3]) {
    text_add_char(answer, '+');
    wire_add_number(answer, unit);
    wire_add_number(answer, value);
    wire_add_number(answer, 8);    /* depth */
    wire_add_number(answer, 1000); /* nodes */
    for (int i = 0; i < 3; i++) {
        wire_add_number(answer, games[i]);
    }
}

void liar_honest_squares(int64_t unit, struct text *answer) {
    liar_squares(answer, unit, 10, (int[3]){(int)(unit >> 32), 0, 0});
}

void liar_honest_job(int64_t unit, struct text *answer) {
    struct job_result result = {.job = unit, .numbers = {5, 5}, .nodes = 10, .threat_nodes = 10, .records = ""};
    text_add_char(answer, '+');
    job_result_write(&result, answer);
}
