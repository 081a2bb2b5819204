#include "games/gomoku/search/stats.h"

#include <math.h>

#include "base/assert.h"

void stats_add(struct gomoku_stats *total, const struct gomoku_stats *part) {
    const uint64_t *from = (const uint64_t *)part;
    uint64_t *to = (uint64_t *)total;
    for (size_t i = 0; i < sizeof *part / sizeof *from; i++) {
        to[i] += from[i];
    }
}

static double ratio(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : 0.0;
}

static uint64_t sum(const uint64_t counts[STATS_DEPTHS]) {
    uint64_t total = 0;
    for (int depth = 0; depth < STATS_DEPTHS; depth++) {
        total += counts[depth];
    }
    return total;
}

/* How many times as many nodes a ply more at the frontier takes: from the last iteration that had at most a quarter of
 * all nodes to the end; 0 when the search was too short to say. */
static double growth(const struct stats_mark *marks, int count) {
    const struct stats_mark *end = &marks[count - 1];
    for (int i = count - 2; i >= 0; i--) {
        double plies = ratio(end->frontier_plies, end->frontier) - ratio(marks[i].frontier_plies, marks[i].frontier);
        if (marks[i].nodes > 0 && marks[i].nodes * 4 <= end->nodes) {
            return plies > 0.1 ? pow(ratio(end->nodes, marks[i].nodes), 1.0 / plies) : 0.0;
        }
    }
    return 0.0;
}

static void write_exits(const struct gomoku_stats *stats, struct text *text) {
    static const char *const names[EXIT_COUNT] = {"decided", "table", "fours", "horizon", "razor",
                                                  "reverse", "cut",   "all",   "inside",  "singular"};
    text_addf(text, "depth left");
    for (int exit = 0; exit < EXIT_COUNT; exit++) {
        text_addf(text, " %9s", names[exit]);
    }
    text_addf(text, "  moves at cut   at all\n");
    for (int depth = 0; depth < STATS_DEPTHS; depth++) {
        uint64_t any = 0;
        for (int exit = 0; exit < EXIT_COUNT; exit++) {
            any += stats->exits[exit][depth];
        }
        if (any == 0) {
            continue;
        }
        text_addf(text, "%9d%s", depth, depth == STATS_DEPTHS - 1 ? "+" : " ");
        for (int exit = 0; exit < EXIT_COUNT; exit++) {
            text_addf(text, " %9llu", (unsigned long long)stats->exits[exit][depth]);
        }
        text_addf(text, "  %12.2f %8.2f\n", ratio(stats->cut_moves[depth], stats->exits[EXIT_CUT][depth]),
                  ratio(stats->all_moves[depth], stats->exits[EXIT_ALL][depth]));
    }
}

void stats_write(const struct gomoku_stats *stats, const struct stats_mark *marks, int count, struct text *text) {
    ASSERT(count >= 0);
    uint64_t nodes = stats->nodes + stats->fours;
    text_addf(text, "nodes             %llu, %.1f%% of them fours\n", (unsigned long long)nodes,
              100.0 * ratio(stats->fours, nodes));
    text_addf(text, "frontier          ply %.2f on average\n", ratio(stats->frontier_plies, stats->frontier));
    text_addf(text, "growth            %.2f times the nodes a ply\n", growth(marks, count));
    text_addf(text, "table             %.1f%% of %llu probes hit, %.1f%% of the tree's nodes end there\n",
              100.0 * ratio(stats->hits, stats->probes), (unsigned long long)stats->probes,
              100.0 * ratio(sum(stats->exits[EXIT_TABLE]), stats->nodes));
    text_addf(text, "evaluations       %.1f%% of the tree's nodes\n", 100.0 * ratio(stats->evaluations, stats->nodes));
    text_addf(text, "first move cuts   %.1f%% of the cuts\n",
              100.0 * ratio(stats->first_cuts, sum(stats->exits[EXIT_CUT])));
    text_addf(text, "searched again    %.2f%% of %llu reduced moves\n", 100.0 * ratio(stats->again, stats->reduced),
              (unsigned long long)stats->reduced);
    write_exits(stats, text);
}
