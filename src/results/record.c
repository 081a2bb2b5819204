#include "results/record.h"

#include <limits.h>
#include <string.h>

#include "crew/wire.h"

#define MOST_TEXT ((size_t)256 << 20) /* of what another process tells; no game comes near it */

void record_free(struct record *record) {
    text_free(&record->position);
    text_free(&record->moves);
    text_free(&record->times);
    text_free(&record->detail);
    text_free(&record->errors[0]);
    text_free(&record->errors[1]);
    *record = (struct record){0};
}

bool record_swapped(const struct record *record, const struct plan *plan) {
    const char *moves = text_string(&record->moves);
    size_t length = strcspn(moves, ";");
    return plan->swap && length > 0 && moves[length] == ';' && strncmp(moves, moves + length + 1, length) == 0 &&
           (moves[2 * length + 1] == ';' || moves[2 * length + 1] == '\0');
}

/* How many parts a text has that are separated by ';'. */
static int count_parts(const struct text *text) {
    int parts = text->length > 0;
    for (size_t i = 0; i < text->length; i++) {
        parts += text->data[i] == ';';
    }
    return parts;
}

/* Numbers and what stands between them: a report hands the list on as it is. */
static bool are_times(const struct text *text) {
    return strspn(text_string(text), "0123456789.;") == text->length;
}

static enum status wrong(const struct record *record, const char *what, struct error *error) {
    return error_at(error, 0, 0, "expected a results file, game %lld of it has wrong %s", (long long)record->index,
                    what);
}

enum status record_check(const struct record *record, const struct plan *plan, bool whole, struct error *error) {
    struct plan_game game;
    if (record->index < 0 || record->index >= plan->games) {
        return error_at(error, 0, 0, "expected a results file, it has a game %lld of %lld planned",
                        (long long)record->index, (long long)plan->games);
    }
    plan_game_at(plan, record->index, &game);
    if (record->players[0] != game.players[0] || record->players[1] != game.players[1] || record->start != game.start) {
        return wrong(record, "players or a wrong start", error);
    }
    if (record->fault >= PLAYER_FAULTS || record->loser < -1 || record->loser > 1 ||
        (record->fault == PLAYER_NO_FAULT) != (record->loser < 0)) {
        return wrong(record, "causes", error);
    }
    int points = record->loser >= 0 ? 2 * record->loser : record->score > 0 ? 2 : record->score < 0 ? 0 : 1;
    if (record->points != points) {
        return wrong(record, "points", error);
    }
    if (record->plies < 0 || record->plies > plan->game->properties->most_plies + plan->swap) {
        return wrong(record, "plies", error);
    }
    if (whole && (count_parts(&record->moves) != record->plies || count_parts(&record->times) != record->plies)) {
        return wrong(record, "moves", error);
    }
    bool empty = record->position.length == 0;
    return whole && (!are_times(&record->times) || (empty && record->plies > 0))
               ? wrong(record, empty ? "positions" : "times", error)
               : STATUS_OK;
}

void record_pack(const struct record *record, struct text *out) {
    wire_add_number(out, record->index);
    wire_add_number(out, record->start);
    wire_add_number(out, record->points);
    wire_add_number(out, record->fault);
    wire_add_number(out, record->loser);
    wire_add_number(out, record->score);
    wire_add_number(out, record->plies);
    for (int side = 0; side < 2; side++) {
        wire_add_number(out, record->players[side]);
        wire_add_double(out, record->wall_seconds[side]);
        wire_add_double(out, record->cpu_seconds[side]);
        wire_add_double(out, record->slowest[side]);
        wire_add_text(out, &record->errors[side]);
    }
    wire_add_text(out, &record->position);
    wire_add_text(out, &record->moves);
    wire_add_text(out, &record->times);
    wire_add_text(out, &record->detail);
}

bool record_unpack(struct record *record, const char *bytes, size_t length) {
    struct wire wire;
    wire_init(&wire, bytes, length);
    *record = (struct record){0};
    record->index = wire_number(&wire, 0, INT64_MAX);
    record->start = (int)wire_number(&wire, 0, INT_MAX);
    record->points = (int)wire_number(&wire, 0, 2);
    record->fault = (enum player_fault)wire_number(&wire, 0, PLAYER_FAULTS - 1);
    record->loser = (int)wire_number(&wire, -1, 1);
    record->score = (int32_t)wire_number(&wire, INT32_MIN, INT32_MAX);
    record->plies = (int)wire_number(&wire, 0, INT_MAX);
    for (int side = 0; side < 2; side++) {
        record->players[side] = (int)wire_number(&wire, 0, PLAN_MOST_PLAYERS - 1);
        record->wall_seconds[side] = wire_double(&wire);
        record->cpu_seconds[side] = wire_double(&wire);
        record->slowest[side] = wire_double(&wire);
        wire_text(&wire, &record->errors[side], MOST_TEXT);
    }
    wire_text(&wire, &record->position, MOST_TEXT);
    wire_text(&wire, &record->moves, MOST_TEXT);
    wire_text(&wire, &record->times, MOST_TEXT);
    wire_text(&wire, &record->detail, MOST_TEXT);
    if (!wire_end(&wire)) {
        record_free(record);
        return false;
    }
    return true;
}
