#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/stopwatch.h"
#include "game/levels.h"
#include "search/deepen.h"

/* One game's searcher: the game's own, or for a game without one the search over the interface. */
struct slot {
    const struct game *game;
    struct searcher *searcher; /* owned; NULL: `deepen` serves */
    struct deepen *deepen;     /* owned */
};

struct engine {
    struct searcher_options options;
    struct slot *slots; /* owned */
    int count;
};

struct engine *engine_new(const struct searcher_options *options) {
    struct engine *engine = calloc(1, sizeof *engine);
    if (engine && options) {
        engine->options = *options;
    }
    return engine;
}

void engine_free(struct engine *engine) {
    if (!engine) {
        return;
    }
    for (int i = 0; i < engine->count; i++) {
        if (engine->slots[i].searcher) {
            engine->slots[i].game->searcher_free(engine->slots[i].searcher);
        }
        deepen_free(engine->slots[i].deepen);
    }
    free(engine->slots);
    free(engine);
}

static void clear_slot(struct slot *slot) {
    if (slot->searcher) {
        slot->game->searcher_clear(slot->searcher);
    } else {
        deepen_clear(slot->deepen);
    }
}

void engine_clear(struct engine *engine) {
    for (int i = 0; i < engine->count; i++) {
        clear_slot(&engine->slots[i]);
    }
}

void engine_stats(const struct engine *engine, struct text *text) {
    for (int i = 0; i < engine->count; i++) {
        if (engine->slots[i].searcher && engine->slots[i].game->searcher_stats) {
            engine->slots[i].game->searcher_stats(engine->slots[i].searcher, text);
        }
    }
}

#define LEAST_HASH ((size_t)64 << 10)

/* A game's searcher, with the tables that were asked for or, where there is no memory for them, with half of them and
 * so on: a search with a small table is a slower one, none is no answer. */
static bool fill_slot(struct slot *slot, struct searcher_options options, struct error *error) {
    for (;; options.hash_bytes /= 2) {
        if (slot->game->think) {
            slot->searcher = slot->game->searcher_new(&options, error);
        } else {
            slot->deepen = deepen_new(slot->game, &options, error);
        }
        if (slot->searcher || slot->deepen || options.hash_bytes < LEAST_HASH) {
            return slot->searcher || slot->deepen;
        }
    }
}

/* The slot of a game, made when first asked for. */
static enum status find_slot(struct engine *engine, const struct game *game, struct slot **found, struct error *error) {
    for (int i = 0; i < engine->count; i++) {
        if (engine->slots[i].game == game) {
            *found = &engine->slots[i];
            return STATUS_OK;
        }
    }
    struct slot *slots = realloc(engine->slots, (size_t)(engine->count + 1) * sizeof *slots);
    if (!slots) {
        return error_machine(error, "out of memory");
    }
    engine->slots = slots;
    struct slot slot = {.game = game};
    if (!fill_slot(&slot, engine->options, error)) {
        return STATUS_FAIL;
    }
    slots[engine->count] = slot;
    *found = &slots[engine->count++];
    return STATUS_OK;
}

enum status engine_prepare(struct engine *engine, const struct game *game, struct error *error) {
    struct slot *slot;
    enum status status = find_slot(engine, game_tuned(game), &slot, error);
    if (status == STATUS_OK) {
        clear_slot(slot);
    }
    if (game->known_prepare) {
        game->known_prepare();
    }
    return status;
}

/* A loss that is known beforehand is called one. The move stays the search's, which asks more of an opponent than the
 * proof's longest line does. */
static void mark_lost(const struct game *game, const struct game_position *position, struct search_result *result) {
    struct game_known known;
    if (result->certainty != SEARCH_PROVED && game->known && game->known(position, NULL, &known) && !known.won) {
        result->certainty = SEARCH_PROVED;
        result->value = known.plies - GAME_WIN_VALUE;
        result->lower = -GAME_WIN_VALUE;
        result->upper = known.plies - GAME_WIN_VALUE;
    }
}

/* A win that is known beforehand is played at once. */
static bool play_known(const struct game *game, const struct game_position *position,
                       const struct search_limits *limits, struct search_result *result) {
    struct game_known known;
    if (!game->known || limits->multi_pv > 1 || !game->known(position, limits->wishes, &known) || !known.won) {
        return false;
    }
    *result = (struct search_result){
        .move = known.move,
        .value = GAME_WIN_VALUE - known.plies,
        .certainty = SEARCH_PROVED,
        .lower = GAME_WIN_VALUE - known.plies,
        .upper = GAME_WIN_VALUE,
        .pv_length = 1,
        .pv = {known.move},
    };
    return true;
}

enum status engine_go(struct engine *engine, const struct game *game, const struct game_position *position,
                      const struct engine_request *request, struct search_control *control,
                      struct search_result *result, struct error *error) {
    ASSERT(!game->over(position));
    ASSERT(request->method == SEARCH_ENGINE || request->method == TEXTBOOK_GREEDY || request->depth >= 1);
    game = game_tuned(game);
    struct search_control nobody = {0};
    if (!control) {
        control = &nobody;
    }
    if (request->method != SEARCH_ENGINE) {
        struct textbook_request textbook = {
            .method = request->method,
            .depth = request->depth > 0 ? request->depth : 1,
            .visitor = request->visitor,
            .stop = &control->stop,
            .also = control->also,
            .progress = control->info,
            .user = control->user,
        };
        textbook_run(game, position, &textbook, result);
        return result->move != GAME_NO_MOVE ? STATUS_OK : error_machine(error, "out of memory");
    }
    if (play_known(game, position, &request->limits, result) ||
        (game->booked && game->booked(position, &request->limits, result))) {
        return STATUS_OK;
    }
    struct slot *slot;
    enum status status = find_slot(engine, game, &slot, error);
    if (status != STATUS_OK) {
        return status;
    }
    memset(result, 0, sizeof *result);
    double wall = clock_wall();
    double cpu = clock_cpu();
    if (slot->searcher) {
        game->think(slot->searcher, position, &request->limits, control, result);
    } else {
        deepen_think(slot->deepen, position, &request->limits, control, result);
    }
    mark_lost(game, position, result);
    result->wall_seconds = clock_wall() - wall;
    result->cpu_seconds = clock_cpu() - cpu;
    return STATUS_OK;
}
