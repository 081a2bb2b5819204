/* The engine of the war board behind the game interface: chooses between the searches, runs the threads and
 * fills the answer. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "games/war/search/searcher.h"
#include "games/war/solve/solve.h"

#define WAR_DEFAULT_HASH ((size_t)64 << 20)
#define WAR_MOST_SEARCH_HASH ((size_t)256 << 20)

/* From so many empty squares on it is watched whether solving will come in time; the search before it has this part of
 * the time for it. */
#define DOUBTFUL_EMPTIES 17
#define BRIEF_PART 0.15

struct searcher {
    struct search_clock clock;
    struct table table;
    struct table part; /* the first of it, enough for a short search: touching all would take longer than that */
    bool plain;
    struct team *team;          /* owned */
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
    searcher->team = team_new(options->threads);
    searcher->workers = searcher->team ? calloc((size_t)team_size(searcher->team), sizeof *searcher->workers) : NULL;
    /* The two searches have a table each. Beyond 256 MB the competition search has no use for more. */
    size_t bytes = options->hash_bytes ? options->hash_bytes : WAR_DEFAULT_HASH;
    size_t half = bytes / 2 < WAR_MOST_SEARCH_HASH ? bytes / 2 : WAR_MOST_SEARCH_HASH;
    searcher->solver = searcher->workers ? war_solver_new(bytes - half, searcher->team) : NULL;
    if (!searcher->solver || !table_open(&searcher->table, half)) {
        error_machine(error, "no memory for a table of %zu bytes", bytes);
        war_searcher_free(searcher);
        return NULL;
    }
    return searcher;
}

void war_searcher_free(struct searcher *searcher) {
    if (searcher) {
        table_close(&searcher->table);
        war_solver_free(searcher->solver);
        free(searcher->workers);
        team_free(searcher->team);
        free(searcher);
    }
}

void war_searcher_clear(struct searcher *searcher) {
    table_clear(&searcher->table);
    war_solver_forget(searcher->solver);
}

/* What a report needs besides the worker. */
struct reporting {
    struct searcher *searcher;
    const struct war_position *position;
    struct search_control *control;
    struct search_result *result;
};

static void war_think_fill_counters(const struct searcher *searcher, struct search_result *result) {
    const struct war_worker *worker = &searcher->workers[0];
    result->nodes = worker->nodes;
    result->leaves = worker->leaves;
    result->cutoffs = worker->cutoffs;
    clock_fill(&searcher->clock, result);
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
    war_think_fill_counters(reporting->searcher, result);
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

/* A competition search on all threads. */
struct search_job {
    struct reporting *reporting;
    int depth;
};

/* The first thread answers; others search the same tree for the sake of the table they share. */
static void war_think_work(void *user, int index) {
    const struct search_job *job = user;
    struct war_worker *worker = &job->reporting->searcher->workers[index];
    if (index == 0) {
        war_search(worker, job->depth, report_depth, job->reporting);
        clock_end(worker->clock);
    } else {
        war_search(worker, WAR_MOST_DEPTH, NULL, NULL);
    }
}

/* Runs the competition search on so many threads. */
static void war_think_search_best(struct reporting *reporting, const struct table *table, int threads, int depth,
                                  bool full) {
    struct searcher *searcher = reporting->searcher;
    for (int i = 0; i < threads; i++) {
        struct war_worker *worker = &searcher->workers[i];
        board_setup(&worker->board, reporting->position);
        worker->clock = &searcher->clock;
        worker->table = table;
        worker->plain = searcher->plain;
        worker->full = full;
        worker->size = reporting->position->size;
    }
    threads = team_run(searcher->team, threads, war_think_work, &(struct search_job){reporting, depth});
    struct war_worker *first = &searcher->workers[0];
    for (int i = 1; i < threads; i++) {
        first->nodes += searcher->workers[i].nodes;
        first->leaves += searcher->workers[i].leaves;
        first->cutoffs += searcher->workers[i].cutoffs;
    }
    struct search_result *result = reporting->result;
    if (result->depth > 0) {
        result->value = first->root[0].value;
    }
    fill_line(first, result);
    war_think_fill_counters(searcher, result);
}

/* Deadlines that allow so many nodes from now on; 0: as many as one likes. */
static struct clock_deadlines from_now(const struct search_clock *clock, struct clock_deadlines ends, uint64_t nodes) {
    ends.nodes = nodes ? atomic_load_explicit(&clock->nodes, memory_order_relaxed) + nodes : 0;
    return ends;
}

/* About a hundredth of what solving takes: it doubles every one and a half squares, above 18 with each. */
static uint64_t brief_nodes(int empties) {
    return empties <= 12   ? 2000
           : empties <= 18 ? (uint64_t)2000 << (2 * (empties - 12) / 3)
           : empties <= 25 ? (uint64_t)32000 << (empties - 18)
                           : 4000000;
}

/* A first move and a value to begin solving with, from a short search by one thread that says nothing. */
static void search_briefly(struct reporting *reporting, struct clock_deadlines ends) {
    struct searcher *searcher = reporting->searcher;
    struct search_control silent = {.info = NULL};
    struct search_control *control = reporting->control;
    uint64_t nodes = brief_nodes(reporting->position->empty);
    nodes = ends.nodes && nodes > ends.nodes ? ends.nodes : nodes;
    searcher->part = searcher->table;
    while (searcher->part.bucket_mask > 2 * nodes) {
        searcher->part.bucket_mask >>= 1;
    }
    reporting->control = &silent;
    ends.wall_soft = ends.cpu_soft = 0.0;
    clock_phase(&searcher->clock, from_now(&searcher->clock, ends, nodes));
    war_think_search_best(reporting, &searcher->part, 1, WAR_MOST_DEPTH, false);
    reporting->control = control;
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

/* The deadlines of the phase under way brought forward: as long again as the search has taken so far. */
static struct clock_deadlines as_long_again(const struct search_clock *clock) {
    struct clock_deadlines ends = clock->ends;
    double cpu = clock->cpu_start + 2.0 * clock_cpu_spent(clock);
    double wall = clock->wall_start + 2.0 * clock_wall_spent(clock);
    ends.cpu = ends.cpu > 0.0 && cpu < ends.cpu ? cpu : ends.cpu;
    ends.wall = ends.wall > 0.0 && wall < ends.wall ? wall : ends.wall;
    return ends;
}

/* On the clock of a game: whether it is won, which is known far sooner than by how much. A lost one is played for the
 * other side's errors, any other for as large a margin as is found in as long again. False also where it is lost and
 * nothing better is known than what the competition search finds. */
static bool solve_to_win(struct reporting *reporting, const struct search_limits *limits, game_score guess) {
    struct searcher *searcher = reporting->searcher;
    struct search_clock *clock = &searcher->clock;
    struct search_result *result = reporting->result;
    if (!war_solve_sign(searcher->solver, reporting->position, clock, reporting->control, result)) {
        return false;
    }
    if (result->upper < 0 && war_trap(searcher->solver, &searcher->workers[0], reporting->position, result)) {
        return true;
    }
    clock_phase(clock, as_long_again(clock));
    return war_solve(searcher->solver, reporting->position, limits, clock, guess, reporting->control, result) ||
           result->lower >= 0;
}

/* A brief search, then the solver for what the limits ask for, in deadlines whose nodes count from now on for each.
 * With `doubt` the solver is left as soon as it is seen to be too slow. False when that was not enough; the bounds
 * proved so far stand all the same, and the move is the brief search's unless a better one was proved. */
static bool solve_within(struct reporting *reporting, struct clock_deadlines ends, const struct search_limits *limits,
                         bool doubt) {
    struct searcher *searcher = reporting->searcher;
    struct war_solver *solver = searcher->solver;
    struct search_clock *clock = &searcher->clock;
    struct search_result *result = reporting->result;
    bool to_win = limits->goal == SEARCH_BEST && war_plan_is_game(limits);
    search_briefly(reporting, doubt ? clock_part(clock, ends, BRIEF_PART) : ends);
    clock_phase(clock, from_now(clock, ends, ends.nodes));
    game_score guess = first_guess(reporting->position, result->value);
    if (clock_over(clock) ||
        (doubt && !war_solve_forecast(solver, reporting->position, clock, guess, to_win, result))) {
        return false;
    }
    return limits->goal == SEARCH_WIN ? war_solve_sign(solver, reporting->position, clock, reporting->control, result)
           : to_win                   ? solve_to_win(reporting, limits, guess)
                    : war_solve(solver, reporting->position, limits, clock, guess, reporting->control, result);
}

/* The exact value, for as long as it takes. */
static void think_exactly(struct reporting *reporting, const struct search_limits *limits) {
    struct searcher *searcher = reporting->searcher;
    struct clock_deadlines ends = searcher->clock.ends;
    struct solve_graph graph;
    if (solve_graph_from(&graph, reporting->position)) {
        solve_within(reporting, ends, limits, false);
        return;
    }
    clock_phase(&searcher->clock, ends);
    war_think_search_best(reporting, &searcher->table, team_size(searcher->team), WAR_MOST_DEPTH, true);
}

/* Tries to solve in the time set aside for it. By nodes alone that is decided beforehand, so that it does not depend on
 * how fast the machine is. */
static bool solve_first(struct reporting *reporting, struct clock_deadlines ends, const struct search_limits *limits) {
    struct search_result before = *reporting->result;
    struct solve_graph graph;
    bool doubt = (ends.cpu > 0.0 || ends.wall > 0.0) && reporting->position->empty >= DOUBTFUL_EMPTIES;
    if (solve_graph_from(&graph, reporting->position) && solve_within(reporting, ends, limits, doubt)) {
        return true;
    }
    *reporting->result = before;
    return false;
}

void war_think(struct searcher *searcher, const struct game_position *opaque, const struct search_limits *given,
               struct search_control *control, struct search_result *result) {
    ASSERT(!war_game.over(opaque));
    const struct war_position *position = (const struct war_position *)opaque;
    struct search_clock *clock = &searcher->clock;
    struct search_limits planned = *given;
    const struct search_limits *limits = &planned;
    int squares = position->size * position->size;
    war_plan_keep_back(&planned, position->empty);
    clock_start(clock, limits, &control->stop, war_plan_moves(limits, squares, position->empty));
    clock->also = control->also;
    memset(result, 0, sizeof *result);
    result->move = GAME_NO_MOVE;
    int32_t total = 0;
    for (int square = 0; square < squares; square++) {
        total += position->values[square];
    }
    result->value = position->to_move == WAR_X ? position->score : -position->score;
    result->lower = -total;
    result->upper = total;
    clock_speak(clock, control, result);
    struct reporting reporting = {searcher, position, control, result};
    if (limits->goal != SEARCH_BEST) {
        think_exactly(&reporting, limits);
        return;
    }
    /* A depth below the end of the game is meant as such; otherwise an exact answer is better than a deep one. */
    struct clock_deadlines solving;
    if ((limits->depth == 0 || limits->depth >= position->empty) &&
        war_plan_solving(clock, limits, position->empty, &solving)) {
        if (solve_first(&reporting, solving, limits)) {
            return;
        }
        clock_replan(clock, limits, war_plan_moves(limits, squares, position->empty));
    }
    clock_phase(clock, from_now(clock, clock->ends, limits->nodes));
    war_think_search_best(&reporting, &searcher->table, team_size(searcher->team),
                          limits->depth > 0         ? limits->depth
                          : clock_is_limited(clock) ? WAR_MOST_DEPTH
                                                    : 1,
                          false);
}
