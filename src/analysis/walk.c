#include "analysis/walk.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/analyses_inside.h"
#include "base/crc64.h"

/* -- positions that were met already -- */

static uint64_t digest_of(const struct text *key) {
    uint64_t digest = crc64_add(0, (const uint8_t *)text_string(key), key->length);
    return digest ? digest : 1;
}

/* Where the digest is, or may be put. */
static size_t find_digest(const struct key_set *set, uint64_t digest) {
    size_t at = (size_t)digest & (set->capacity - 1);
    while (set->digests[at] && set->digests[at] != digest) {
        at = (at + 1) & (set->capacity - 1);
    }
    return at;
}

static bool grow_set(struct key_set *set) {
    struct key_set larger = {.capacity = set->capacity ? 2 * set->capacity : 1024, .count = set->count};
    larger.digests = calloc(larger.capacity, sizeof *larger.digests);
    if (!larger.digests) {
        return false;
    }
    for (size_t i = 0; i < set->capacity; i++) {
        if (set->digests[i]) {
            larger.digests[find_digest(&larger, set->digests[i])] = set->digests[i];
        }
    }
    free(set->digests);
    *set = larger;
    return true;
}

bool key_set_add(struct key_set *set, const struct text *key, bool *known) {
    uint64_t digest = digest_of(key);
    if (2 * set->count >= set->capacity && !grow_set(set)) {
        return false;
    }
    size_t at = find_digest(set, digest);
    *known = set->digests[at] == digest;
    set->count += !*known;
    set->digests[at] = digest;
    return true;
}

void key_set_free(struct key_set *set) {
    free(set->digests);
    *set = (struct key_set){0};
}

/* -- the moves of one position -- */

/* Works that walks share: one position that moves are played on and taken back from. */
struct trail {
    struct analyses *analyses;
    const struct game *game;
    struct game_position *position; /* owned */
    struct analysis *found;         /* owned */
};

static bool trail_begin(struct trail *trail, struct analyses *analyses, const struct game *game,
                        const struct game_position *position) {
    *trail = (struct trail){.analyses = analyses, .game = game};
    trail->position = malloc(game->properties->position_size);
    trail->found = calloc(1, sizeof *trail->found);
    if (trail->position) {
        memcpy(trail->position, position, game->properties->position_size);
    }
    return trail->position && trail->found;
}

static void trail_end(struct trail *trail) {
    if (trail->found) {
        analysis_free(trail->found);
    }
    free(trail->found);
    free(trail->position);
}

/* Tells of one move. */
static enum status tell_child(struct trail *trail, game_move move, struct key_set *met,
                              void (*tell)(void *user, const struct analysis_child *child), void *user,
                              struct error *error) {
    struct game_undo undo;
    struct analysis_child child = {.move = move, .found = trail->found, .position = trail->position};
    trail->game->play(trail->position, move, &undo);
    key_make(&trail->analyses->key, trail->game, trail->position);
    enum status status = analyses_get_keyed(trail->analyses, trail->game, trail->position, trail->found, error);
    if (status == STATUS_OK && trail->found->here) {
        if (key_set_add(met, &trail->analyses->key.text, &child.repeats)) {
            tell(user, &child);
        } else {
            status = error_machine(error, "out of memory");
        }
    }
    trail->game->undo(trail->position, &undo);
    return status;
}

enum status analyses_children(struct analyses *analyses, const struct game *game, const struct game_position *position,
                              void (*tell)(void *user, const struct analysis_child *child), void *user,
                              struct error *error) {
    struct trail trail;
    struct key_set met = {0};
    game_move *moves = malloc((size_t)game->properties->most_moves * sizeof *moves);
    bool room = trail_begin(&trail, analyses, game, position) && moves;
    enum status status = room ? STATUS_OK : error_machine(error, "out of memory");
    int count = room ? game->moves(position, moves) : 0;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        status = tell_child(&trail, moves[i], &met, tell, user, error);
    }
    key_set_free(&met);
    free(moves);
    trail_end(&trail);
    return status;
}

/* -- forgetting what is behind -- */

/* A position on the way, whose moves are gone through. */
struct stop {
    game_move *moves; /* owned */
    int count;
    int next;
    bool all; /* nobody is asked any more: all behind it goes */
    struct game_undo undo;
};

struct prune {
    struct trail trail;
    struct stop *stops; /* owned */
    int depth;
    int capacity;
    enum analysis_verdict (*judge)(void *user, const struct analysis *entry);
    void *user;
    struct key_set passed;
    int64_t gone;
    int64_t looked;
};

/* Enters the position the trail stands at. */
static bool enter(struct prune *prune, bool all) {
    if (prune->depth == prune->capacity) {
        int capacity = prune->capacity ? 2 * prune->capacity : 64;
        struct stop *stops = realloc(prune->stops, (size_t)capacity * sizeof *stops);
        if (!stops) {
            return false;
        }
        prune->stops = stops;
        prune->capacity = capacity;
    }
    const struct game *game = prune->trail.game;
    struct stop *stop = &prune->stops[prune->depth];
    *stop = (struct stop){.all = all};
    stop->moves = malloc((size_t)game->properties->most_moves * sizeof *stop->moves);
    if (!stop->moves) {
        return false;
    }
    stop->count = game->moves(prune->trail.position, stop->moves);
    prune->depth++;
    return true;
}

/* Whether another known position of Gomoku leads to this one: one with one stone less, but not the one at hand. */
static enum status is_led_to(struct prune *prune, game_move move, bool *led, struct error *error) {
    struct analyses *analyses = prune->trail.analyses;
    struct gomoku_position before = *gomoku_const(prune->trail.position);
    struct row row = {0};
    enum status status = STATUS_OK;
    struct text own = TEXT_EMPTY;
    int last = before.count - 1;
    *led = false;
    for (int i = last; i >= 0 && status == STATUS_OK && !*led; i -= 2) {
        uint16_t square = before.order[i];
        before.order[i] = before.order[last];
        before.order[last] = square;
        before.count--;
        key_make(&analyses->key, &gomoku_game, (const struct game_position *)&before);
        before.count++;
        before.order[last] = before.order[i];
        before.order[i] = square;
        if (square == move) { /* images of the position at hand are that one too */
            text_add(&own, text_string(&analyses->key.text), analyses->key.text.length);
            continue;
        }
        bool same = own.length == analyses->key.text.length &&
                    memcmp(text_string(&own), text_string(&analyses->key.text), own.length) == 0;
        if (!same) {
            status = row_get(analyses, &analyses->key.text, &row, error);
            *led = row.here;
        }
    }
    row_free(&row);
    text_free(&own);
    return status;
}

/* What becomes of the position the trail stands at, which is known. */
static enum status judge_here(struct prune *prune, game_move move, bool all, enum analysis_verdict *verdict,
                              struct error *error) {
    bool passed = false;
    bool led = false;
    enum status status = STATUS_OK;
    *verdict = all || !prune->judge ? ANALYSIS_GO : prune->judge(prune->user, prune->trail.found);
    if (*verdict == ANALYSIS_GO && prune->trail.game == &gomoku_game) {
        status = is_led_to(prune, move, &led, error);
        *verdict = led ? ANALYSIS_STAY : ANALYSIS_GO;
    } else if (*verdict == ANALYSIS_PASS) {
        key_make(&prune->trail.analyses->key, prune->trail.game, prune->trail.position);
        if (!key_set_add(&prune->passed, &prune->trail.analyses->key.text, &passed)) {
            return error_machine(error, "out of memory");
        }
        *verdict = passed ? ANALYSIS_STAY : ANALYSIS_PASS;
    }
    return status;
}

/* The next move of the position on top. */
static enum status prune_move(struct prune *prune, struct error *error) {
    struct trail *trail = &prune->trail;
    struct stop *stop = &prune->stops[prune->depth - 1];
    game_move move = stop->moves[stop->next++];
    bool all = stop->all;
    enum analysis_verdict verdict = ANALYSIS_STAY;
    trail->game->play(trail->position, move, &stop->undo);
    enum status status = analyses_get(trail->analyses, trail->game, trail->position, trail->found, error);
    if (status == STATUS_OK && trail->found->here) {
        prune->looked++;
        status = judge_here(prune, move, all, &verdict, error);
    }
    if (status == STATUS_OK && verdict == ANALYSIS_GO) {
        prune->gone++;
        status = analyses_delete(trail->analyses, trail->game, trail->position, NULL, error);
    }
    if (status == STATUS_OK && verdict != ANALYSIS_STAY) {
        return enter(prune, verdict == ANALYSIS_GO) ? STATUS_OK : error_machine(error, "out of memory");
    }
    trail->game->undo(trail->position, &prune->stops[prune->depth - 1].undo);
    return status;
}

static void leave(struct prune *prune) {
    free(prune->stops[--prune->depth].moves);
    if (prune->depth > 0) {
        prune->trail.game->undo(prune->trail.position, &prune->stops[prune->depth - 1].undo);
    }
}

enum status analyses_prune(struct analyses *analyses, const struct game *game, const struct game_position *position,
                           enum analysis_verdict (*judge)(void *user, const struct analysis *entry), void *user,
                           const struct analyses_watch *watch, int64_t *gone, struct error *error) {
    struct prune prune = {.judge = judge, .user = user};
    *gone = 0;
    bool room = trail_begin(&prune.trail, analyses, game, position) && enter(&prune, false);
    enum status status = room ? analyses_begin(analyses, error) : error_machine(error, "out of memory");
    bool begun = room && status == STATUS_OK;
    while (prune.depth > 0 && status == STATUS_OK) {
        struct stop *stop = &prune.stops[prune.depth - 1];
        if (stop->next == stop->count) {
            leave(&prune);
        } else {
            status = prune_move(&prune, error);
        }
        if (status == STATUS_OK && watch && watch->look && watch->look(watch->user, prune.looked)) {
            status = error_machine(error, "stopped, nothing was forgotten");
        }
    }
    status = begun ? analyses_end(analyses, status, error) : status;
    *gone = status == STATUS_OK ? prune.gone : 0;
    while (prune.depth > 0) {
        free(prune.stops[--prune.depth].moves);
    }
    free(prune.stops);
    key_set_free(&prune.passed);
    trail_end(&prune.trail);
    return status;
}
