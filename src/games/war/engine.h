/* What the parts of the war board's engine share: the clock that ends a search, and the two searches behind
 * war_think: the competition search for every board, and the exact solver for the end of the game. */
#ifndef SORTIE_GAMES_WAR_ENGINE_H
#define SORTIE_GAMES_WAR_ENGINE_H

#include <pthread.h>
#include <stdatomic.h>

#include "games/war/board.h"
#include "games/war/table.h"
#include "search/limits.h"

/* When a search has to end. Threads poll it; the first to find it over sets `stop` for all. */
struct war_clock {
    atomic_bool stop;
    const atomic_bool *asked; /* the caller's flag */
    double wall_start;
    double cpu_start;
    double wall_hard; /* seconds from the start; 0: none */
    double cpu_hard;
    double wall_soft; /* no new iteration is begun after these */
    double cpu_soft;
    uint64_t nodes; /* of one thread; 0: none */
};

/* Fixes the limits for one move of a position with this many empty squares. */
void war_clock_start(struct war_clock *clock, const struct search_limits *limits, const struct search_control *control,
                     int empties, int threads);

/* Whether the exact solver probably gets through this position within the limits; then *solving is a clock for it that
 * leaves enough for the competition search should it fail. Once solved, the rest of the game costs next to nothing, so
 * it may take a good part of what is left for all of it. */
bool war_clock_lets_solve(const struct war_clock *clock, const struct search_limits *limits, int empties,
                          struct war_clock *solving);

/* Looks at the clocks and the caller's flag; cheap enough for every few hundred nodes. */
bool war_clock_poll(struct war_clock *clock);

/* Whether an iteration that probably takes several times as long as all before it may be begun. */
bool war_clock_allows_more(struct war_clock *clock);

static inline bool war_clock_stopped(const struct war_clock *clock) {
    return atomic_load_explicit(&clock->stop, memory_order_relaxed);
}

/* The competition search: one of these a thread, kept for the life of a searcher. */
#define WAR_MOST_DEPTH 127

struct war_root_move {
    uint16_t cell;
    int32_t value;
};

struct war_worker {
    struct war_board board;
    struct war_clock *clock;
    const struct war_table *table;
    int index;      /* 0: the thread that answers */
    bool plain;     /* the plain score as evaluation */
    bool full;      /* every move is searched to the full depth: values of whole games are exact */
    uint64_t nodes; /* of this search */
    uint64_t leaves;
    uint64_t cutoffs;
    int size;
    int root_count;
    struct war_root_move root[WAR_MOST_SQUARES];
    int line_length; /* the line of root[0], that move included */
    uint16_t line[WAR_MOST_DEPTH + 1];
    int pv_length[WAR_MOST_DEPTH + 2];
    uint16_t pv[WAR_MOST_DEPTH + 2][WAR_MOST_DEPTH + 2];
    int32_t order[WAR_MOST_DEPTH + 2][WAR_MOST_SQUARES]; /* the keys of the moves being sorted, by ply */
    uint16_t moves[WAR_MOST_DEPTH + 2][WAR_MOST_SQUARES];
    int32_t history[2][BOARD_CELLS];
};

/* Called after every finished depth by the answering thread. */
typedef void war_report(void *user, struct war_worker *worker, int depth);

/* Iterative deepening from worker->board until the depth is reached or the clock ends it. Afterwards root[0] is
 * the best move with its value, and `line` begins with it; returns the depth finished. */
int war_search(struct war_worker *worker, int most_depth, war_report *report, void *user);

#endif
