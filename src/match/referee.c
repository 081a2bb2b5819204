#include "match/referee.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/stopwatch.h"
#include "games/gomoku/rules/swap_table.h"
#include "match/player_view.h"

struct table {
    const struct plan *plan;
    const struct game *game;
    struct game_position *position;
    game_move *moves;
    int stones;     /* how many moves that are */
    bool swapped;   /* the second side has taken the first stone over */
    double left[2]; /* of the game's time, by the match's clock */
    struct record *record;
};

static void lose(struct record *record, int side, const struct player_answer *answer) {
    record->fault = answer->fault;
    record->loser = side;
    record->points = side == 0 ? 0 : 2;
    text_add_string(&record->detail, answer->detail);
}

/* What a side may still use. */
static void set_turn(const struct table *table, int side, struct player_turn *turn) {
    const struct player_time *time = &table->plan->time;
    *turn = (struct player_turn){.position = table->position, .moves = table->moves, .plies = table->stones};
    turn->may_swap = table->plan->swap && table->record->plies == 1;
    turn->swapped = table->swapped;
    if (time->per_game > 0) {
        turn->seconds_left = table->left[side];
    }
    turn->seconds_move = time->per_move;
    if (time->per_game > 0 && (time->per_move <= 0 || table->left[side] < time->per_move)) {
        turn->seconds_move = table->left[side];
    }
}

/* Takes the time used off the clock; a fault when it was too much. */
static void count_time(struct table *table, int side, struct player_answer *answer) {
    const struct player_time *time = &table->plan->time;
    struct record *record = table->record;
    record->wall_seconds[side] += answer->wall_seconds;
    record->cpu_seconds[side] += answer->cpu_seconds;
    if (answer->wall_seconds > record->slowest[side]) {
        record->slowest[side] = answer->wall_seconds;
    }
    double used = time->clock == PLAYER_CLOCK_CPU    ? answer->cpu_seconds
                  : time->clock == PLAYER_CLOCK_WALL ? answer->wall_seconds
                                                     : 0;
    table->left[side] -= used;
    bool late = (time->per_move > 0 && used > time->per_move + time->margin) ||
                (time->per_game > 0 && table->left[side] < -time->margin);
    if (late && answer->fault == PLAYER_NO_FAULT) {
        answer->fault = PLAYER_LATE;
        snprintf(answer->detail, sizeof answer->detail, "used %.3f s for the move, %.3f s over", used,
                 time->per_move > 0 && used > time->per_move ? used - time->per_move : -table->left[side]);
    }
}

/* The side that has to move: the stones of the position change hands when the first one is taken over. */
static int side_to_move(const struct table *table) {
    int side = table->game->to_move(table->position);
    return table->swapped ? 1 - side : side;
}

/* Writes a move down and plays it. */
static void take_move(struct table *table, game_move move, double seconds) {
    struct record *record = table->record;
    struct game_undo undo;
    char text[32];
    table->game->move_text(table->position, move, text);
    text_addf(&record->moves, "%s%s", record->plies ? ";" : "", text);
    text_addf(&record->times, "%s%.2f", record->plies ? ";" : "", 1e3 * seconds);
    table->moves[table->stones++] = move;
    table->game->play(table->position, move, &undo);
    record->plies++;
}

/* Taking over is written down as the folder does it: the same square once more. */
static void take_over(struct table *table, double seconds) {
    struct record *record = table->record;
    struct text first = TEXT_EMPTY;
    text_add(&first, text_string(&record->moves), record->moves.length);
    text_addf(&record->moves, ";%s", text_string(&first));
    text_addf(&record->times, ";%.2f", 1e3 * seconds);
    record->moves.broken = record->moves.broken || first.broken;
    record->plies++;
    table->swapped = true;
    text_free(&first);
}

/* Only the referee's folder has a word for the swap. For all others the match puts the first stone, the same one for
 * both games of a pair, and decides whether it is taken over: by the table of the swap. */
static bool table_decides(const struct table *table, int side, struct player_answer *answer) {
    const struct plan *plan = table->plan;
    const struct player_spec *spec = &plan->players[table->record->players[side]];
    if (!plan->swap || spec->kind->swaps || spec->no_swap) {
        return false;
    }
    if (table->record->plies == 0) {
        struct rng rng = {rng_mix(plan->seed ^ rng_mix((uint64_t)table->record->start))};
        answer->move = (game_move)gomoku_swap_opening(&rng);
        return true;
    }
    answer->swap = table->record->plies == 1 && gomoku_swap_take((int)table->moves[0]);
    return answer->swap;
}

static void end_by_rules(struct table *table) {
    struct record *record = table->record;
    record->score = table->game->score(table->position);
    record->score = table->swapped ? -record->score : record->score;
    record->points = record->score > 0 ? 2 : record->score < 0 ? 0 : 1;
    record->loser = -1;
}

/* Tells both players that a game begins; true when both are ready. */
static bool begin(struct table *table, const struct plan_game *game, const struct referee_seat seats[2],
                  const struct game_position *start) {
    for (int side = 0; side < 2; side++) {
        struct player_answer answer = {0};
        struct player_game about = {
            .game = table->game,
            .start = start,
            .side = side,
            .seed = rng_mix(table->plan->seed ^ rng_mix((uint64_t)game->index * 2 + (uint64_t)side)),
            .time = table->plan->time,
            .limits = table->plan->limits,
            .warden = seats[side].warden,
        };
        struct error error = {0};
        if (seats[side].kind->needs_warden && player_view_show(table->plan, game->players[side], seats[side].warden,
                                                               seats[side].built, &error) != STATUS_OK) {
            answer.fault = PLAYER_NOT_STARTED;
            snprintf(answer.detail, sizeof answer.detail, "%.190s", error.text);
        } else {
            seats[side].kind->begin(seats[side].player, &about, &answer);
        }
        if (answer.fault != PLAYER_NO_FAULT) {
            lose(table->record, side, &answer);
            return false;
        }
    }
    return true;
}

static enum status play(struct table *table, const struct referee_seat seats[2], atomic_int *turn_side,
                        struct error *error) {
    const struct game *game = table->game;
    while (!game->over(table->position)) {
        int side = side_to_move(table);
        struct player_turn turn;
        struct player_answer answer = {.move = GAME_NO_MOVE};
        set_turn(table, side, &turn);
        if (turn_side) {
            atomic_store(turn_side, side);
        }
        enum status status = table_decides(table, side, &answer)
                                 ? STATUS_OK
                                 : seats[side].kind->choose(seats[side].player, &turn, &answer, error);
        if (status != STATUS_OK) {
            return status;
        }
        if (answer.fault == PLAYER_NO_FAULT && !answer.swap && !game->legal(table->position, answer.move)) {
            answer.fault = PLAYER_ILLEGAL;
            snprintf(answer.detail, sizeof answer.detail, "move code %u", (unsigned)answer.move);
        }
        count_time(table, side, &answer);
        if (answer.fault != PLAYER_NO_FAULT) {
            lose(table->record, side, &answer);
            return STATUS_OK;
        }
        if (answer.swap) {
            take_over(table, answer.wall_seconds);
        } else {
            take_move(table, answer.move, answer.wall_seconds);
        }
    }
    end_by_rules(table);
    return STATUS_OK;
}

enum status referee_play(const struct plan *plan, const struct plan_game *game, const struct referee_seat seats[2],
                         atomic_int *turn, struct record *record, struct error *error) {
    const struct game_properties *properties = plan->game->properties;
    struct game_position *start = malloc(properties->position_size);
    struct table table = {
        .plan = plan,
        .game = plan->game,
        .position = malloc(properties->position_size),
        .moves = malloc((size_t)properties->most_plies * sizeof(game_move)),
        .left = {plan->time.per_game, plan->time.per_game},
        .record = record,
    };
    *record = (struct record){
        .index = game->index, .players = {game->players[0], game->players[1]}, .start = game->start, .loser = -1};
    enum status status = start && table.position && table.moves ? plan_start(plan, game->start, start, error)
                                                                : error_machine(error, "out of memory");
    if (status == STATUS_OK) {
        memcpy(table.position, start, properties->position_size);
        plan->game->write(start, &record->position);
        if (begin(&table, game, seats, start)) {
            status = play(&table, seats, turn, error);
        }
        for (int side = 0; side < 2; side++) {
            seats[side].kind->end(seats[side].player, &record->errors[side]);
        }
    }
    free(start);
    free(table.position);
    free(table.moves);
    return status;
}
