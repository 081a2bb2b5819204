#include "results/record.h"

#include <string.h>

#define TEXTS 6

/* The texts of a record in a fixed order. */
static void texts_of(struct record *record, struct text *texts[TEXTS]) {
    texts[0] = &record->position;
    texts[1] = &record->moves;
    texts[2] = &record->times;
    texts[3] = &record->detail;
    texts[4] = &record->errors[0];
    texts[5] = &record->errors[1];
}

void record_free(struct record *record) {
    struct text *texts[TEXTS];
    texts_of(record, texts);
    for (int i = 0; i < TEXTS; i++) {
        text_free(texts[i]);
    }
    *record = (struct record){0};
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
    if (record->plies < 0 || record->plies > plan->game->properties->most_plies) {
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

/* Both ends are the same program, so the plain part travels as it is; the texts follow, each after its length. */
void record_pack(const struct record *record, struct text *out) {
    struct record plain = *record;
    struct text *texts[TEXTS];
    texts_of(&plain, texts);
    struct text contents[TEXTS];
    for (int i = 0; i < TEXTS; i++) {
        contents[i] = *texts[i];
        *texts[i] = TEXT_EMPTY;
    }
    text_add(out, (const char *)&plain, sizeof plain);
    for (int i = 0; i < TEXTS; i++) {
        text_add(out, (const char *)&contents[i].length, sizeof contents[i].length);
        text_add(out, text_string(&contents[i]), contents[i].length);
        out->broken = out->broken || contents[i].broken;
    }
}

bool record_unpack(struct record *record, const char *bytes, size_t length) {
    *record = (struct record){0};
    if (length < sizeof *record) {
        return false;
    }
    memcpy(record, bytes, sizeof *record);
    struct text *texts[TEXTS];
    texts_of(record, texts);
    for (int i = 0; i < TEXTS; i++) {
        *texts[i] = TEXT_EMPTY;
    }
    size_t at = sizeof *record;
    for (int i = 0; i < TEXTS; i++) {
        size_t size;
        if (length - at < sizeof size) {
            record_free(record);
            return false;
        }
        memcpy(&size, bytes + at, sizeof size);
        at += sizeof size;
        if (length - at < size) {
            record_free(record);
            return false;
        }
        text_add(texts[i], bytes + at, size);
        if (texts[i]->broken) {
            record_free(record);
            return false;
        }
        at += size;
    }
    if (at < length) {
        record_free(record);
    }
    return at == length;
}
