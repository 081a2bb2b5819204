#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/commands.h"
#include "engine/engine.h"
#include "games/levels.h"
#include "games/registry.h"

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

/* The methods measured on each position: alpha-beta of the textbook, and the engine with fixed nodes. */
static bool measure(struct engine *engine, const struct game *game, const struct game_position *position,
                    enum search_method method, int depth, uint64_t nodes, struct search_result *result) {
    struct engine_request request = {.method = method, .depth = depth, .limits = {.nodes = nodes}};
    engine_clear(engine);
    return engine_go(engine, game, position, &request, cli_control(), result, NULL) == STATUS_OK;
}

/* What was searched so far, in all and by each game's engine. */
struct tally {
    uint64_t nodes;
    uint64_t signature;
    struct {
        const struct game *game;
        uint64_t nodes;
        double cpu_seconds;
    } engines[8];
};

static void print_result(const struct bench_position *bench, const struct game *game,
                         const struct game_position *position, enum search_method method,
                         const struct search_result *result) {
    char move[32];
    game->move_text(position, result->move, move);
    printf("%-7s %-9s %2dx%-2d %3d plies  %-9s %10llu nodes  depth %2d  value %6d  %s\n", bench->game,
           game->properties->variants[bench->variant], bench->size, bench->size, bench->plies,
           method == SEARCH_ENGINE ? "engine" : "alphabeta", (unsigned long long)result->nodes, result->depth,
           (int)result->value, move);
}

static void add_result(struct tally *tally, const struct game *game, enum search_method method,
                       const struct search_result *result) {
    tally->nodes += result->nodes;
    tally->signature = rng_mix(tally->signature ^ result->nodes ^ (uint64_t)result->move << 40 ^
                               (uint64_t)(uint32_t)result->value << 8);
    for (int i = 0; method == SEARCH_ENGINE && i < 8; i++) {
        if (!tally->engines[i].game || tally->engines[i].game == game) {
            tally->engines[i].game = game;
            tally->engines[i].nodes += result->nodes;
            tally->engines[i].cpu_seconds += result->cpu_seconds;
            break;
        }
    }
}

static double thousands_a_second(uint64_t nodes, double seconds) {
    return (double)nodes / (seconds > 0 ? seconds : 1) / 1000;
}

static void print_speeds(const struct tally *tally, double seconds) {
    for (int i = 0; i < 8 && tally->engines[i].game; i++) {
        printf("%-7s engine  %.0f thousand nodes a second\n", tally->engines[i].game->properties->name,
               thousands_a_second(tally->engines[i].nodes, tally->engines[i].cpu_seconds));
    }
    printf("nodes %llu  cpu %.2f s  %.0f thousand nodes a second  processor level %s\n",
           (unsigned long long)tally->nodes, seconds, thousands_a_second(tally->nodes, seconds), game_level_name());
}

static int run(const struct cli_command *command, int argc, char **argv) {
    uint64_t nodes = 50000;
    bool quiet = false;
    const struct cli_option table[] = {
        {"nodes", 'n', CLI_COUNT, &nodes, "COUNT", "nodes of each engine search (default 50000)", 0, 0},
        {"quiet", 'q', CLI_FLAG, &quiet, NULL, "print the signature alone", 0, 0},
        {0},
    };
    int operands;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    if (operands > 0) {
        return cli_usage("bench: expected no file, found '%s'", argv[0]);
    }
    struct engine *engine = engine_new(&(struct searcher_options){.threads = 1, .hash_bytes = (size_t)16 << 20});
    struct tally tally = {0};
    double start = clock_cpu();
    for (size_t i = 0; engine && i < sizeof positions / sizeof positions[0] && !cli_interrupted(); i++) {
        const struct bench_position *bench = &positions[i];
        const struct game *game = game_find(bench->game, strlen(bench->game));
        struct game_position *position = game ? calloc(1, game->properties->position_size) : NULL;
        bool good = position && set_up(game, bench, position);
        for (int method = TEXTBOOK_ALPHABETA; good && method <= SEARCH_ENGINE; method++) {
            struct search_result result;
            if (method == SEARCH_ENGINE && !game->think) {
                continue;
            }
            measure(engine, game, position, (enum search_method)method, bench->textbook_depth, nodes, &result);
            add_result(&tally, game, (enum search_method)method, &result);
            if (!quiet) {
                print_result(bench, game, position, (enum search_method)method, &result);
            }
        }
        free(position);
    }
    engine_free(engine);
    if (!quiet) {
        print_speeds(&tally, clock_cpu() - start);
    }
    printf("signature %016llx\n", (unsigned long long)tally.signature);
    return 0;
}

const struct cli_command cli_bench = {
    .name = "bench",
    .summary = "search a fixed set of positions of all games; print the node signature",
    .usage = "[-n COUNT] [-q]",
    .details = "Searches fixed positions of every game with fixed depth or nodes on one thread. The signature is the\n"
               "same on every machine and changes exactly when a search visits other nodes or answers otherwise.\n",
    .example = "  sortie bench -q\n",
    .run = run,
};
