#include <stdio.h>

#include "base/stopwatch.h"
#include "cli/commands.h"
#include "engine/bench.h"
#include "game/levels.h"

#define USUAL_NODES 50000

/* What each game's engine took. */
struct speeds {
    bool quiet;
    struct {
        const struct game *game;
        uint64_t nodes;
        double cpu_seconds;
    } engines[8];
};

static void print_search(const struct bench_search *search) {
    const struct game *game = search->game;
    char move[32];
    game->move_text(search->position, search->result.move, move);
    printf("%-7s %-9s %2dx%-2d %3d plies  %-9s %10llu nodes  depth %2d  value %6d  %s\n", game->properties->name,
           game->properties->variants[search->variant], search->size, search->size, search->plies,
           search->method == SEARCH_ENGINE ? "engine" : "alphabeta", (unsigned long long)search->result.nodes,
           search->result.depth, (int)search->result.value, move);
}

static void take_search(void *user, const struct bench_search *search) {
    struct speeds *speeds = user;
    for (int i = 0; search->method == SEARCH_ENGINE && i < 8; i++) {
        if (!speeds->engines[i].game || speeds->engines[i].game == search->game) {
            speeds->engines[i].game = search->game;
            speeds->engines[i].nodes += search->result.nodes;
            speeds->engines[i].cpu_seconds += search->result.cpu_seconds;
            break;
        }
    }
    if (!speeds->quiet) {
        print_search(search);
    }
}

static double thousands_a_second(uint64_t nodes, double seconds) {
    return (double)nodes / (seconds > 0 ? seconds : 1) / 1000;
}

static void print_speeds(const struct speeds *speeds, const struct bench_total *total, double seconds) {
    for (int i = 0; i < 8 && speeds->engines[i].game; i++) {
        printf("%-7s engine  %.0f thousand nodes a second\n", speeds->engines[i].game->properties->name,
               thousands_a_second(speeds->engines[i].nodes, speeds->engines[i].cpu_seconds));
    }
    printf("nodes %llu  cpu %.2f s  %.0f thousand nodes a second  processor level %s\n",
           (unsigned long long)total->nodes, seconds, thousands_a_second(total->nodes, seconds), game_level_name());
}

static int run(const struct cli_command *command, int argc, char **argv) {
    uint64_t nodes = USUAL_NODES;
    struct speeds speeds = {0};
    const struct cli_option table[] = {
        {"nodes", 'n', CLI_COUNT, &nodes, "COUNT", "nodes of each engine search (default 50000)", 0, 0},
        {"quiet", 'q', CLI_FLAG, &speeds.quiet, NULL, "print the signature alone", 0, 0},
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
    struct bench_total total;
    struct error error = {0};
    double start = clock_cpu();
    enum status status = bench_run(nodes, cli_control(), take_search, &speeds, &total, &error);
    double seconds = clock_cpu() - start;
    if (status != STATUS_OK) {
        return cli_fail(NULL, &error, status);
    }
    if (cli_interrupted()) {
        fprintf(stderr, "sortie: bench: interrupted, so there is no signature\n");
        return CLI_INTERRUPTED;
    }
    if (!speeds.quiet) {
        print_speeds(&speeds, &total, seconds);
    }
    printf("signature %016llx\n", (unsigned long long)total.signature);
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
