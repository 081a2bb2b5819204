#include "engine/bench.h"

#include <stdlib.h>
#include <string.h>

#include "game/registry.h"

#define TABLE_BYTES ((size_t)16 << 20)

/* Positions are made, not stored: a random start from a fixed seed with some random plies played on it. */
struct bench_position {
    const char *game;
    int variant;
    int size;
    int plies;
    int textbook_depth;
};

static const struct bench_position positions[] = {
    {"war", 0, 4, 2, 6},    {"war", 0, 5, 6, 5},     {"war", 1, 5, 4, 5},     {"war", 0, 8, 16, 3},
    {"war", 0, 12, 30, 3},  {"war", 0, 26, 99, 2},   {"laser", 0, 6, 0, 4},   {"laser", 0, 9, 2, 3},
    {"laser", 0, 14, 2, 2}, {"gomoku", 0, 15, 0, 1}, {"gomoku", 0, 15, 8, 1}, {"gomoku", 1, 15, 12, 1},
};

static bool set_up(const struct game *game, const struct bench_position *bench, struct game_position *position) {
    struct rng rng = {(uint64_t)bench->size * 1000 + (uint64_t)bench->plies};
    game_move *moves = malloc((size_t)game->properties->most_moves * sizeof *moves);
    bool good = moves && game->start_random(position, bench->size, bench->variant, &rng, NULL) == STATUS_OK;
    for (int ply = 0; good && ply < bench->plies; ply++) {
        struct game_undo undo;
        int count = game->moves(position, moves);
        good = count > 0;
        if (good) {
            game->play(position, moves[rng_below(&rng, (uint32_t)count)], &undo);
        }
    }
    free(moves);
    return good && !game->over(position);
}

/* What one search goes through with. */
struct bench {
    struct engine *engine;
    uint64_t nodes;
    struct search_control *control;
    void (*each)(void *user, const struct bench_search *search);
    void *user;
    struct bench_total *total;
    struct error *error;
};

static enum status search(struct bench *bench, struct bench_search *search, int depth) {
    struct engine_request request = {.method = search->method, .depth = depth, .limits = {.nodes = bench->nodes}};
    engine_clear(bench->engine);
    enum status status = engine_go(bench->engine, search->game, search->position, &request, bench->control,
                                   &search->result, bench->error);
    if (status == STATUS_OK) {
        const struct search_result *result = &search->result;
        bench->total->nodes += result->nodes;
        bench->total->signature = rng_mix(bench->total->signature ^ result->nodes ^ (uint64_t)result->move << 40 ^
                                          (uint64_t)(uint32_t)result->value << 8);
        if (bench->each) {
            bench->each(bench->user, search);
        }
    }
    return status;
}

/* Both methods on one position. */
static enum status search_position(struct bench *bench, const struct bench_position *one) {
    const struct game *game = game_find(one->game, strlen(one->game));
    struct game_position *position = calloc(1, game->properties->position_size);
    enum status status =
        position && set_up(game, one, position) ? STATUS_OK : error_machine(bench->error, "out of memory");
    for (int engine = 0; engine < 2 && status == STATUS_OK; engine++) {
        struct bench_search at = {.game = game,
                                  .variant = one->variant,
                                  .size = one->size,
                                  .plies = one->plies,
                                  .method = engine ? SEARCH_ENGINE : TEXTBOOK_ALPHABETA,
                                  .position = position};
        status = search(bench, &at, one->textbook_depth);
    }
    free(position);
    return status;
}

enum status bench_run(uint64_t nodes, struct search_control *control,
                      void (*each)(void *user, const struct bench_search *search), void *user,
                      struct bench_total *total, struct error *error) {
    struct bench bench = {.nodes = nodes, .control = control, .each = each, .user = user, .total = total};
    bench.error = error;
    bench.engine = engine_new(&(struct searcher_options){.threads = 1, .hash_bytes = TABLE_BYTES});
    *total = (struct bench_total){0};
    enum status status = bench.engine ? STATUS_OK : error_machine(error, "out of memory");
    for (size_t i = 0; status == STATUS_OK && i < sizeof positions / sizeof positions[0]; i++) {
        if (control && atomic_load(&control->stop)) {
            break;
        }
        status = search_position(&bench, &positions[i]);
    }
    engine_free(bench.engine);
    return status;
}
