#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define MOST_GAMES 8

struct engine {
    struct searcher_options options;
    struct {
        const struct game *game;
        struct searcher *searcher; /* owned */
    } slots[MOST_GAMES];
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
    for (int i = 0; i < MOST_GAMES && engine->slots[i].game; i++) {
        engine->slots[i].game->searcher_free(engine->slots[i].searcher);
    }
    free(engine);
}

void engine_clear(struct engine *engine) {
    for (int i = 0; i < MOST_GAMES && engine->slots[i].game; i++) {
        engine->slots[i].game->searcher_clear(engine->slots[i].searcher);
    }
}

/* The searcher of a game, made when first asked for. */
static enum status find_searcher(struct engine *engine, const struct game *game, struct searcher **searcher,
                                 struct error *error) {
    int i = 0;
    while (i < MOST_GAMES - 1 && engine->slots[i].game && engine->slots[i].game != game) {
        i++;
    }
    if (!engine->slots[i].game) {
        engine->slots[i].searcher = game->searcher_new(&engine->options, error);
        if (!engine->slots[i].searcher) {
            return STATUS_FAIL;
        }
        engine->slots[i].game = game;
    }
    *searcher = engine->slots[i].searcher;
    return STATUS_OK;
}

enum status engine_go(struct engine *engine, const struct game *game, const struct game_position *position,
                      const struct engine_request *request, struct search_control *control,
                      struct search_result *result, struct error *error) {
    struct search_control nobody = {0};
    if (!control) {
        control = &nobody;
    }
    if (request->method != SEARCH_ENGINE || !game->think) {
        struct textbook_request textbook = {
            .method = request->method == SEARCH_ENGINE ? TEXTBOOK_ALPHABETA : request->method,
            .depth = request->method == SEARCH_ENGINE ? request->limits.depth : request->depth,
            .visitor = request->visitor,
            .stop = &control->stop,
            .progress = control->info,
            .user = control->user,
        };
        textbook.depth = textbook.depth > 0 ? textbook.depth : 1;
        textbook_run(game, position, &textbook, result);
        return result->move != GAME_NO_MOVE ? STATUS_OK : error_machine(error, "out of memory");
    }
    struct searcher *searcher;
    enum status status = find_searcher(engine, game, &searcher, error);
    if (status != STATUS_OK) {
        return status;
    }
    memset(result, 0, sizeof *result);
    double wall = clock_wall();
    double cpu = clock_cpu();
    game->think(searcher, position, &request->limits, control, result);
    result->wall_seconds = clock_wall() - wall;
    result->cpu_seconds = clock_cpu() - cpu;
    return STATUS_OK;
}
