/* The engine of the war board behind the game interface: chooses between the searches, runs the threads and
 * fills the answer. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "games/war/solve.h"

#define WAR_DEFAULT_HASH ((size_t)64 << 20)
#define WAR_MOST_SEARCH_HASH ((size_t)256 << 20)
#define WAR_MOST_THREADS 64

struct searcher {
    struct war_table table;
    bool plain;
    int threads;
    struct war_worker *workers; /* owned, one a thread */
    struct war_solver *solver;  /* owned */
};

struct searcher *war_searcher_new(const struct searcher_options *options, struct error *error) {
    struct searcher *searcher = calloc(1, sizeof *searcher);
    if (!searcher) {
        error_machine(error, "no memory for the engine");
        return NULL;
    }
    searcher->plain = options->plain;
    searcher->threads = options->threads < 1                  ? 1
                        : options->threads > WAR_MOST_THREADS ? WAR_MOST_THREADS
                                                              : options->threads;
    searcher->workers = calloc((size_t)searcher->threads, sizeof *searcher->workers);
    /* The two searches have a table each. Beyond 256 MB the competition search has no use for more. */
    size_t bytes = options->hash_bytes ? options->hash_bytes : WAR_DEFAULT_HASH;
    size_t half = bytes / 2 < WAR_MOST_SEARCH_HASH ? bytes / 2 : WAR_MOST_SEARCH_HASH;
    searcher->solver = war_solver_new(bytes - half, searcher->threads);
    if (!searcher->workers || !searcher->solver || !war_table_open(&searcher->table, half)) {
        error_machine(error, "no memory for a table of %zu bytes", bytes);
        war_searcher_free(searcher);
        return NULL;
    }
    return searcher;
}

void war_searcher_free(struct searcher *searcher) {
    if (searcher) {
        war_table_close(&searcher->table);
        war_solver_free(searcher->solver);
        free(searcher->workers);
        free(searcher);
    }
}

void war_searcher_clear(struct searcher *searcher) {
    war_table_clear(&searcher->table);
    war_solver_forget(searcher->solver);
}

/* What a report needs besides the worker. */
struct reporting {
    struct searcher *searcher;
    const struct war_position *position;
    struct search_control *control;
    struct search_result *result;
};

static void fill_counters(const struct searcher *searcher, const struct war_clock *clock,
                          struct search_result *result) {
    const struct war_worker *worker = &searcher->workers[0];
    result->nodes = worker->nodes;
    result->leaves = worker->leaves;
    result->cutoffs = worker->cutoffs;
    result->wall_seconds = clock_wall() - clock->wall_start;
    result->cpu_seconds = clock_cpu() - clock->cpu_start;
}

/* The line of cells as moves of the game interface; the worker's board stands at the root. */
static void fill_line(struct war_worker *worker, struct search_result *result) {
    struct board_undo undo[WAR_MOST_DEPTH + 1];
    int length = worker->line_length;
    for (int i = 0; i < length; i++) {
        result->pv[i] = board_move(&worker->board, worker->size, worker->line[i]);
        board_play(&worker->board, worker->line[i], &undo[i]);
    }
    for (int i = length - 1; i >= 0; i--) {
        board_take_back(&worker->board, &undo[i]);
    }
    result->pv_length = length;
    result->move = result->pv[0];
}

static void report_depth(void *user, struct war_worker *worker, int depth) {
    struct reporting *reporting = user;
    struct search_result *result = reporting->result;
    fill_counters(reporting->searcher, worker->clock, result);
    fill_line(worker, result);
    result->value = worker->root[0].value;
    result->depth = depth;
    if (worker->full && depth == reporting->position->empty) {
        result->certainty = SEARCH_PROVED;
        result->lower = result->upper = result->value;
    }
    if (reporting->control->info) {
        reporting->control->info(reporting->control->user, result);
    }
}

/* Other threads search the same tree for the sake of the table they share. */
static void *help(void *user) {
    war_search(user, WAR_MOST_DEPTH, NULL, NULL);
    return NULL;
}

/* Runs the competition search on all threads. */
static void search_best(struct reporting *reporting, const struct war_table *table, struct war_clock *clock, int depth,
                        bool full) {
    struct searcher *searcher = reporting->searcher;
    for (int i = 0; i < searcher->threads; i++) {
        struct war_worker *worker = &searcher->workers[i];
        board_setup(&worker->board, reporting->position);
        worker->clock = clock;
        worker->table = table;
        worker->index = i;
        worker->plain = searcher->plain;
        worker->full = full;
        worker->size = reporting->position->size;
    }
    pthread_t threads[WAR_MOST_THREADS];
    int started = 0;
    while (started + 1 < searcher->threads &&
           pthread_create(&threads[started], NULL, help, &searcher->workers[started + 1]) == 0) {
        started++;
    }
    struct war_worker *first = &searcher->workers[0];
    war_search(first, depth, report_depth, reporting);
    if (started) {
        atomic_store_explicit(&clock->stop, true, memory_order_relaxed);
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        first->nodes += searcher->workers[i + 1].nodes;
        first->leaves += searcher->workers[i + 1].leaves;
        first->cutoffs += searcher->workers[i + 1].cutoffs;
    }
    struct search_result *result = reporting->result;
    if (result->depth > 0) {
        result->value = first->root[0].value;
    }
    fill_line(first, result);
    fill_counters(searcher, clock, result);
}

/* About a hundredth of what solving takes: it doubles every one and a half squares, above 18 with each. */
static uint64_t brief_nodes(int empties) {
    return empties <= 12   ? 2000
           : empties <= 18 ? (uint64_t)2000 << (2 * (empties - 12) / 3)
           : empties <= 25 ? (uint64_t)32000 << (empties - 18)
                           : 4000000;
}

/* A first move and a value to begin solving with, from a short search by one thread. */
static void search_briefly(struct reporting *reporting, const struct war_clock *clock) {
    struct searcher *searcher = reporting->searcher;
    struct war_clock brief = {.asked = clock->asked,
                              .wall_start = clock->wall_start,
                              .cpu_start = clock->cpu_start,
                              .wall_hard = clock->wall_hard,
                              .cpu_hard = clock->cpu_hard,
                              .nodes = brief_nodes(reporting->position->empty)};
    if (clock->nodes && brief.nodes > clock->nodes) {
        brief.nodes = clock->nodes;
    }
    int threads = searcher->threads;
    searcher->threads = 1;
    /* The first part of the table is enough, and touching all of it would take longer than the search. */
    struct war_table part = searcher->table;
    while (part.bucket_mask > 2 * brief.nodes) {
        part.bucket_mask >>= 1;
    }
    search_best(reporting, &part, &brief, WAR_MOST_DEPTH, false);
    searcher->threads = threads;
}

/* Where to look for the exact value first. The brief search does not see who will have the last move: over 17 solved
 * 5x5 positions with an odd number of empty squares the value was more than it said by 0.9 of a mean square, with an
 * even number less by 0.55. */
static game_score first_guess(const struct war_position *position, game_score value) {
    int squares = position->size * position->size;
    int64_t total = 0;
    for (int square = 0; square < squares; square++) {
        total += position->values[square];
    }
    return value + (game_score)(total * (position->empty % 2 ? 58 : -36) / (64 * squares));
}

/* The exact value, for as long as it takes. A search stopped early keeps the brief search's move unless a better one
 * was proved, and the bounds proved so far. */
static void think_exactly(struct reporting *reporting, struct war_clock *clock, const struct search_limits *limits) {
    struct search_result *result = reporting->result;
    struct search_control silent = {.info = NULL};
    struct search_control *control = reporting->control;
    reporting->control = &silent;
    search_briefly(reporting, clock);
    reporting->control = control;
    struct solve_graph graph;
    if (solve_graph_from(&graph, reporting->position)) {
        war_solve(reporting->searcher->solver, reporting->position, limits, clock,
                  first_guess(reporting->position, result->value), control, result);
    } else {
        search_best(reporting, &reporting->searcher->table, clock, WAR_MOST_DEPTH, true);
    }
}

/* Tries to solve in the time set aside for it. */
static bool solve_first(struct reporting *reporting, struct war_clock *clock, const struct search_limits *limits) {
    struct search_result *result = reporting->result;
    struct search_result before = *result;
    struct search_control silent = {.info = NULL};
    struct search_control *control = reporting->control;
    struct solve_graph graph;
    if (!solve_graph_from(&graph, reporting->position)) {
        return false;
    }
    reporting->control = &silent;
    search_briefly(reporting, clock);
    reporting->control = control;
    if (!war_clock_poll(clock) && war_solve(reporting->searcher->solver, reporting->position, limits, clock,
                                            first_guess(reporting->position, result->value), control, result)) {
        return true;
    }
    *result = before;
    return false;
}

void war_think(struct searcher *searcher, const struct game_position *opaque, const struct search_limits *limits,
               struct search_control *control, struct search_result *result) {
    const struct war_position *position = (const struct war_position *)opaque;
    struct war_clock clock;
    war_clock_start(&clock, limits, control, position->empty, searcher->threads);
    memset(result, 0, sizeof *result);
    result->move = GAME_NO_MOVE;
    int32_t total = 0;
    for (int square = 0; square < position->size * position->size; square++) {
        total += position->values[square];
    }
    result->value = position->to_move == WAR_X ? position->score : -position->score;
    result->lower = -total;
    result->upper = total;
    struct reporting reporting = {searcher, position, control, result};
    if (limits->goal != SEARCH_BEST) {
        think_exactly(&reporting, &clock, limits);
        return;
    }
    /* A depth below the end of the game is meant as such; otherwise an exact answer is better than a deep one. */
    struct war_clock solving;
    if ((limits->depth == 0 || limits->depth >= position->empty) &&
        war_clock_lets_solve(&clock, limits, position->empty, &solving) && solve_first(&reporting, &solving, limits)) {
        return;
    }
    bool unlimited = !limits->nodes && clock.cpu_hard <= 0.0 && clock.wall_hard <= 0.0;
    search_best(&reporting, &searcher->table, &clock,
                limits->depth > 0 ? limits->depth
                : unlimited       ? 1
                                  : WAR_MOST_DEPTH,
                false);
}
