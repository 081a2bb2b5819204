/* The engine of the war board behind the game interface: chooses between the searches, runs the threads and
 * fills the answer. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "games/war/engine.h"

#define WAR_DEFAULT_HASH ((size_t)64 << 20)
#define WAR_MOST_THREADS 64

struct searcher {
    struct war_table table;
    bool plain;
    int threads;
    struct war_worker *workers; /* owned, one a thread */
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
    size_t bytes = options->hash_bytes ? options->hash_bytes : WAR_DEFAULT_HASH;
    if (!searcher->workers || !war_table_open(&searcher->table, bytes)) {
        error_machine(error, "no memory for a table of %zu bytes", bytes);
        free(searcher->workers);
        free(searcher);
        return NULL;
    }
    return searcher;
}

void war_searcher_free(struct searcher *searcher) {
    if (searcher) {
        war_table_close(&searcher->table);
        free(searcher->workers);
        free(searcher);
    }
}

void war_searcher_clear(struct searcher *searcher) {
    war_table_clear(&searcher->table);
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

    bool unlimited = !limits->nodes && clock.cpu_hard <= 0.0 && clock.wall_hard <= 0.0;
    int depth = limits->depth > 0 ? limits->depth : limits->goal == SEARCH_BEST && unlimited ? 1 : WAR_MOST_DEPTH;
    for (int i = 0; i < searcher->threads; i++) {
        struct war_worker *worker = &searcher->workers[i];
        board_setup(&worker->board, position);
        worker->clock = &clock;
        worker->table = &searcher->table;
        worker->index = i;
        worker->plain = searcher->plain;
        worker->full = limits->goal != SEARCH_BEST;
        worker->size = position->size;
    }
    pthread_t threads[WAR_MOST_THREADS];
    int started = 0;
    while (started + 1 < searcher->threads &&
           pthread_create(&threads[started], NULL, help, &searcher->workers[started + 1]) == 0) {
        started++;
    }
    struct reporting reporting = {searcher, position, control, result};
    struct war_worker *first = &searcher->workers[0];
    war_search(first, depth, report_depth, &reporting);
    atomic_store_explicit(&clock.stop, true, memory_order_relaxed);
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        first->nodes += searcher->workers[i + 1].nodes;
        first->leaves += searcher->workers[i + 1].leaves;
        first->cutoffs += searcher->workers[i + 1].cutoffs;
    }
    if (result->depth > 0) {
        result->value = first->root[0].value;
    }
    fill_line(first, result);
    fill_counters(searcher, &clock, result);
}
