#include "search/deepen.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "search/clock.h"
#include "search/table.h"
#include "search/team.h"

#define DEFAULT_HASH ((size_t)64 << 20)
#define MOST_DEPTH 120
#define MOST_LINES 64
#define LOOK_STEP 256
#define HISTORY_SIZE 4096
#define WIN_LEAST (GAME_WIN_VALUE - 1000) /* any value at least this large is a proven win */
#define USUAL_MOVES 20                    /* a side's share of a game whose length nobody knows */

/* One thread. */
struct worker {
    struct deepen *deepen;
    struct game_position *board;
    game_move *moves; /* a stack: each ply has its part */
    int64_t *keys;    /* of those moves, by which they are sorted */
    struct clock_meter meter;
    uint64_t nodes;
    uint64_t leaves;
    uint64_t cutoffs;
    int first_depth;
    game_score value; /* of the last finished depth at the root */
    bool final;       /* no horizon had a part in it */
    int skips;        /* moves of the root that other lines have taken */
    game_move skip[MOST_LINES];
    uint32_t history[2][HISTORY_SIZE];
    int pv_length[MOST_DEPTH + 2];
    game_move pv[MOST_DEPTH + 2][MOST_DEPTH + 2];
};

struct deepen {
    const struct game *game;
    struct table table;
    _Atomic uint64_t places; /* the mask of the table's part in use, which grows with the nodes searched */
    _Atomic uint64_t places_before;
    struct search_clock clock;
    struct team *team;      /* owned */
    struct worker *workers; /* owned, one a thread */
    /* of the search under way */
    const struct search_limits *limits;
    int most_depth;
};

/* -- entries of the table -- */

/* From the top: value 32, index of the best move in the game's order 14, depth 8, bound 2, final 1; and one bit that is
 * always set. A value that no horizon had a part in holds for every depth. */
enum { BOUND_UPPER = 1, BOUND_LOWER = 2, BOUND_EXACT = 3 };
#define FINAL_DEPTH 255
#define NO_INDEX 16383

static uint64_t deepen_entry_pack(game_score value, int index, int depth, int bound, bool final) {
    return (uint64_t)(uint32_t)value << 32 | (uint64_t)(unsigned)index << 18 |
           (uint64_t)(unsigned)(final ? FINAL_DEPTH : depth) << 10 | (uint64_t)(unsigned)bound << 8 |
           (uint64_t) final << 7 | 1;
}

static int deepen_entry_depth(uint64_t entry) {
    return (int)(entry >> 10 & 255);
}

static int deepen_entry_worth(uint64_t entry, unsigned generation) {
    (void)generation;
    return deepen_entry_depth(entry);
}

/* Values of won games count plies from the root, entries from their own position. */
static game_score shift_win(const struct game *game, game_score value, int plies) {
    if (game->properties->score_kind == GAME_SCORE_MARGIN) {
        return value;
    }
    return value >= WIN_LEAST ? value + plies : value <= -WIN_LEAST ? value - plies : value;
}

/* -- values, from the view of the side to move -- */

static game_score view(const struct worker *worker, game_score value) {
    return worker->deepen->game->to_move(worker->board) == 0 ? value : -value;
}

static game_score value_over(const struct worker *worker, int ply) {
    const struct game *game = worker->deepen->game;
    game_score score = view(worker, game->score(worker->board));
    if (game->properties->score_kind == GAME_SCORE_MARGIN) {
        return score;
    }
    return score > 0 ? GAME_WIN_VALUE - ply : score < 0 ? ply - GAME_WIN_VALUE : 0;
}

static game_score value_guessed(const struct worker *worker) {
    const struct game *game = worker->deepen->game;
    game_score value = view(worker, game->evaluate(worker->board));
    if (game->properties->score_kind == GAME_SCORE_MARGIN) {
        return value;
    }
    return value >= WIN_LEAST ? WIN_LEAST - 1 : value <= -WIN_LEAST ? 1 - WIN_LEAST : value;
}

/* Whether a value that may stand on guesses is proved all the same: guesses are never as large as wins. */
static bool deepen_is_decided(const struct game *game, game_score value, int bound) {
    return game->properties->score_kind == GAME_SCORE_WIN &&
           ((bound & BOUND_LOWER && value >= WIN_LEAST) || (bound & BOUND_UPPER && value <= -WIN_LEAST));
}

/* -- moves -- */

static uint32_t *history_of(struct worker *worker, game_move move) {
    int side = worker->deepen->game->to_move(worker->board);
    return &worker->history[side][rng_mix(move) % HISTORY_SIZE];
}

/* The keys to sort moves by: the table's move first; far from the leaves how the position behind a move looks, since a
 * good first move is worth a look at each; then how often it cut before. */
static void score_moves(struct worker *worker, const game_move *moves, int64_t *keys, int count, int first, int depth) {
    const struct game *game = worker->deepen->game;
    for (int i = 0; i < count; i++) {
        keys[i] = *history_of(worker, moves[i]);
        if (depth >= 3) {
            struct game_undo undo;
            int side = game->to_move(worker->board);
            game->play(worker->board, moves[i], &undo);
            game_score value = game->over(worker->board) ? value_over(worker, 0) : value_guessed(worker);
            value = game->to_move(worker->board) == side ? value : -value;
            game->undo(worker->board, &undo);
            keys[i] += (int64_t)value * ((int64_t)1 << 32);
        }
        keys[i] = i == first ? INT64_MAX : keys[i];
    }
}

/* The next best move comes to index `from`. */
static void deepen_pick_move(game_move *moves, int64_t *keys, int from, int count) {
    int best = from;
    for (int i = from + 1; i < count; i++) {
        best = keys[i] > keys[best] ? i : best;
    }
    game_move move = moves[best];
    int64_t key = keys[best];
    moves[best] = moves[from];
    keys[best] = keys[from];
    moves[from] = move;
    keys[from] = key;
}

static bool deepen_is_skipped(const struct worker *worker, game_move move) {
    for (int i = 0; i < worker->skips; i++) {
        if (worker->skip[i] == move) {
            return true;
        }
    }
    return false;
}

static void deepen_keep_line(struct worker *worker, int ply, game_move move) {
    int rest = worker->pv_length[ply + 1];
    worker->pv[ply][0] = move;
    memcpy(&worker->pv[ply][1], worker->pv[ply + 1], (size_t)rest * sizeof move);
    worker->pv_length[ply] = rest + 1;
}

/* -- the search -- */

static game_score deepen_node(struct worker *worker, game_move *moves, int depth, game_score alpha, game_score beta,
                              int ply, bool *final);

/* The value of a move for the side that makes it. */
static game_score deepen_search_move(struct worker *worker, game_move move, game_move *free, int depth,
                                     game_score alpha, game_score beta, int ply, bool *final) {
    const struct game *game = worker->deepen->game;
    struct game_undo undo;
    int side = game->to_move(worker->board);
    game->play(worker->board, move, &undo);
    game_score value = game->to_move(worker->board) == side
                           ? deepen_node(worker, free, depth - 1, alpha, beta, ply + 1, final)
                           : -deepen_node(worker, free, depth - 1, -beta, -alpha, ply + 1, final);
    game->undo(worker->board, &undo);
    return value;
}

/* Lists the moves with their keys; behind them a copy in the game's order, for the place of the best. */
static inline int deepen_list_moves(struct worker *worker, game_move *moves, int64_t *keys, int first, int depth) {
    int count = worker->deepen->game->moves(worker->board, moves);
    memcpy(moves + count, moves, (size_t)count * sizeof *moves);
    score_moves(worker, moves, keys, count, first, depth);
    return count;
}

static inline void note_cutoff(struct worker *worker, game_move move, int depth) {
    worker->cutoffs++;
    *history_of(worker, move) += (uint32_t)(depth * depth);
}

/* Memory used for the first time costs far more than a node: at first a small part of the table is enough. What was
 * found in a smaller part is looked up there. */
#define LEAST_PLACES 4095
#define PLACES_A_NODE 4

static void reset_places(struct deepen *deepen) {
    atomic_store_explicit(&deepen->places, LEAST_PLACES, memory_order_relaxed);
    atomic_store_explicit(&deepen->places_before, LEAST_PLACES, memory_order_relaxed);
}

/* Grows seldom and by much, so that nearly everything is in the present part or the one before. */
static void grow_places(struct deepen *deepen, uint64_t nodes) {
    uint64_t before = atomic_load_explicit(&deepen->places, memory_order_relaxed);
    uint64_t places = before;
    while (nodes > before / PLACES_A_NODE && places / 4 / PLACES_A_NODE < nodes) {
        places = places << 1 | 1;
    }
    if (places != before) {
        atomic_store_explicit(&deepen->places_before, before, memory_order_relaxed);
        atomic_store_explicit(&deepen->places, places, memory_order_relaxed);
    }
}

static inline struct table_key key_within(struct table_key key, const _Atomic uint64_t *places) {
    return (struct table_key){key.place & atomic_load_explicit(places, memory_order_relaxed), key.check};
}

static inline uint64_t find_entry(const struct deepen *deepen, struct table_key key) {
    uint64_t entry = table_probe(&deepen->table, key_within(key, &deepen->places));
    return entry ? entry : table_probe(&deepen->table, key_within(key, &deepen->places_before));
}

static inline struct table_key key_of(const struct worker *worker) {
    uint64_t hash = worker->deepen->game->hash(worker->board);
    return (struct table_key){hash, rng_mix(hash)};
}

/* Whether the table has a value good enough for this window; lines are not cut short by it. *first is the place of the
 * move to begin with. */
static inline bool deepen_probe_table(const struct worker *worker, struct table_key key, int depth, game_score alpha,
                                      game_score beta, int ply, int *first, game_score *value, bool *final) {
    const struct deepen *deepen = worker->deepen;
    uint64_t entry = find_entry(deepen, key);
    *first = entry ? (int)(entry >> 18 & NO_INDEX) : NO_INDEX;
    if (!entry || beta - alpha > 1 || deepen_entry_depth(entry) < depth) {
        return false;
    }
    *value = shift_win(deepen->game, (game_score)(uint32_t)(entry >> 32), -ply);
    int bound = (int)(entry >> 8 & 3);
    if ((bound & BOUND_LOWER && *value >= beta) || (bound & BOUND_UPPER && *value <= alpha) || bound == BOUND_EXACT) {
        *final = entry >> 7 & 1;
        return true;
    }
    return false;
}

/* `order` are the moves in the game's order: an entry holds the place of the best. */
static inline void keep_value(const struct worker *worker, struct table_key key, const game_move *order,
                              game_move best_move, game_score best, int depth, int ply, int bound, bool final) {
    const struct deepen *deepen = worker->deepen;
    int index = 0;
    while (order[index] != best_move) {
        index++;
    }
    uint64_t entry =
        deepen_entry_pack(shift_win(deepen->game, best, ply), index < NO_INDEX ? index : NO_INDEX, depth, bound, final);
    key = key_within(key, &deepen->places);
    if (table_store(&deepen->table, key, entry, final ? FINAL_DEPTH + 1 : depth + 1, deepen_entry_worth)) {
        clock_over(&worker->deepen->clock);
    }
}

/* Fail-soft. `moves` is the free part of the stack. *final: no horizon had a part in the value, or in the bound. */
static game_score deepen_node(struct worker *worker, game_move *moves, int depth, game_score alpha, game_score beta,
                              int ply, bool *final) {
    struct deepen *deepen = worker->deepen;
    const struct game *game = deepen->game;
    worker->nodes++;
    worker->pv_length[ply] = 0;
    *final = false;

    /* 1. Stop when told to; the value returned then is not used. */
    if (clock_tick(&deepen->clock, &worker->meter, worker->nodes)) {
        return 0;
    }

    /* 2. The end of the game, or of the depth. */
    if (game->over(worker->board)) {
        worker->leaves++;
        *final = true;
        return value_over(worker, ply);
    }
    if (depth <= 0) {
        worker->leaves++;
        return value_guessed(worker);
    }

    /* 3. The table: a value, or at least a first move. */
    bool on_line = beta - alpha > 1;
    struct table_key key = key_of(worker);
    int first;
    game_score known;
    if (deepen_probe_table(worker, key, depth, alpha, beta, ply, &first, &known, final)) {
        return known;
    }

    /* 4. The moves, best first; all after the first are tried with an empty window. */
    int64_t *keys = worker->keys + (moves - worker->moves);
    int count = deepen_list_moves(worker, moves, keys, first, depth);
    game_score best = -GAME_INFINITY;
    game_score bottom = alpha;
    game_move best_move = GAME_NO_MOVE;
    bool all_final = true;
    bool best_final = false;
    for (int i = 0; i < count && best < beta; i++) {
        deepen_pick_move(moves, keys, i, count);
        if (ply == 0 && deepen_is_skipped(worker, moves[i])) {
            continue;
        }
        bool child_final;
        game_move *free = moves + 2 * count;
        bool narrow = best_move != GAME_NO_MOVE && on_line;
        game_score value =
            deepen_search_move(worker, moves[i], free, depth, alpha, narrow ? alpha + 1 : beta, ply, &child_final);
        if (narrow && value > alpha && value < beta) {
            value = deepen_search_move(worker, moves[i], free, depth, alpha, beta, ply, &child_final);
        }
        if (clock_stopped(&deepen->clock)) {
            return 0;
        }
        all_final = all_final && child_final;
        if (value > best) {
            best = value;
            best_move = moves[i];
            best_final = child_final;
            if (value > alpha) {
                alpha = value;
                deepen_keep_line(worker, ply, moves[i]);
            }
        }
    }
    if (best >= beta) {
        note_cutoff(worker, best_move, depth);
    }

    /* 5. Remember. One move proves a lower bound; for an upper one all of them must be known to the end. */
    int bound = best >= beta ? BOUND_LOWER : best > bottom ? BOUND_EXACT : BOUND_UPPER;
    *final = (bound == BOUND_LOWER ? best_final : all_final) || deepen_is_decided(game, best, bound);
    if (ply > 0 || worker->skips == 0) {
        keep_value(worker, key, moves + count, best_move, best, depth, ply, bound, *final);
    }
    return best;
}

/* -- iterations -- */

/* Of a margin only the sign is asked for. */
static bool asks_sign(const struct deepen *deepen) {
    return deepen->limits->goal == SEARCH_WIN && deepen->game->properties->score_kind == GAME_SCORE_MARGIN;
}

/* The bounds that hold for every position of a game. */
static void open_bounds(const struct game *game, struct search_result *result) {
    result->upper = game->properties->score_kind == GAME_SCORE_WIN ? GAME_WIN_VALUE : GAME_INFINITY;
    result->lower = -result->upper;
}

/* One depth at the root; false when it was not finished. */
static bool deepen_search_root(struct worker *worker, int depth) {
    game_score edge = asks_sign(worker->deepen) ? 1 : GAME_INFINITY;
    bool final;
    game_score value = deepen_node(worker, worker->moves, depth, -edge, edge, 0, &final);
    if (clock_stopped(&worker->deepen->clock)) {
        return false;
    }
    worker->value = value;
    worker->final = final;
    return true;
}

/* Fills *report with what the worker's last depth says. */
static void fill_report(const struct worker *worker, int depth, int line, struct search_result *report) {
    memset(report, 0, sizeof *report);
    report->depth = depth;
    report->line = line;
    report->value = worker->value;
    open_bounds(worker->deepen->game, report);
    if (worker->final) {
        bool sign_only = asks_sign(worker->deepen);
        report->certainty = SEARCH_PROVED;
        report->lower = sign_only && worker->value < 0 ? report->lower : worker->value;
        report->upper = sign_only && worker->value > 0 ? report->upper : worker->value;
    }
    report->pv_length = worker->pv_length[0];
    memcpy(report->pv, worker->pv[0], (size_t)worker->pv_length[0] * sizeof report->pv[0]);
    report->move = report->pv[0];
}

static void deepen_count_up(const struct deepen *deepen, struct search_result *result) {
    result->nodes = result->leaves = result->cutoffs = 0;
    for (int i = 0; i < team_size(deepen->team); i++) {
        result->nodes += deepen->workers[i].nodes;
        result->leaves += deepen->workers[i].leaves;
        result->cutoffs += deepen->workers[i].cutoffs;
    }
    clock_fill(&deepen->clock, result);
}

/* What the answering thread reports. */
struct answering {
    struct deepen *deepen;
    struct search_control *control;
    struct search_result *result;
    int lines;
};

/* All depths, as far as the limits allow; at each the best moves one after the other. */
static void deepen_iterate(struct answering *answering) {
    struct deepen *deepen = answering->deepen;
    struct worker *worker = &deepen->workers[0];
    for (int depth = 1; depth <= deepen->most_depth && clock_allows_more(&deepen->clock); depth++) {
        bool all_final = true;
        worker->skips = 0;
        for (int line = 0; line < answering->lines; line++) {
            if (!deepen_search_root(worker, depth)) {
                return;
            }
            all_final = all_final && worker->final;
            struct search_result report;
            fill_report(worker, depth, line, &report);
            report.nodes = worker->nodes;
            report.leaves = worker->leaves;
            report.cutoffs = worker->cutoffs;
            clock_fill(&deepen->clock, &report);
            if (line == 0) {
                *answering->result = report;
            }
            if (answering->control->info) {
                answering->control->info(answering->control->user, &report);
            }
            worker->skip[worker->skips++] = report.move;
        }
        if (all_final) {
            return;
        }
        grow_places(deepen, worker->nodes);
    }
}

/* The first thread answers; the others search the same tree for the sake of the table they share. */
static void deepen_work(void *user, int index) {
    struct answering *answering = user;
    struct deepen *deepen = answering->deepen;
    struct worker *worker = &deepen->workers[index];
    if (index == 0) {
        deepen_iterate(answering);
        clock_end(&deepen->clock);
    } else {
        for (int depth = 1 + index % 2; depth <= deepen->most_depth && deepen_search_root(worker, depth); depth++) {
        }
    }
    clock_tell(&deepen->clock, &worker->meter, worker->nodes);
}

void deepen_think(struct deepen *deepen, const struct game_position *position, const struct search_limits *limits,
                  struct search_control *control, struct search_result *result) {
    ASSERT(!deepen->game->over(position));
    const struct game *game = deepen->game;
    clock_start(&deepen->clock, limits, &control->stop, USUAL_MOVES);
    deepen->clock.also = control->also;
    bool limited = clock_is_limited(&deepen->clock) || limits->goal != SEARCH_BEST;
    int wanted = limits->depth > 0 ? limits->depth : limited ? MOST_DEPTH : 1;
    deepen->most_depth = wanted < MOST_DEPTH ? wanted : MOST_DEPTH;
    deepen->limits = limits;
    for (int i = 0; i < team_size(deepen->team); i++) {
        struct worker *worker = &deepen->workers[i];
        memcpy(worker->board, position, game->properties->position_size);
        worker->meter = (struct clock_meter){.step = LOOK_STEP};
        worker->nodes = worker->leaves = worker->cutoffs = 0;
        worker->skips = 0;
        memset(worker->history, 0, sizeof worker->history);
    }
    /* A move for certain, should the search be stopped at once. */
    int count = game->moves(position, deepen->workers[0].moves);
    memset(result, 0, sizeof *result);
    open_bounds(game, result);
    result->move = GAME_NO_MOVE;
    if (count == 0) {
        return;
    }
    result->move = result->pv[0] = deepen->workers[0].moves[0];
    result->pv_length = 1;
    struct answering answering = {deepen, control, result, limits->multi_pv};
    answering.lines = answering.lines < 1 ? 1 : answering.lines > MOST_LINES ? MOST_LINES : answering.lines;
    answering.lines = answering.lines > count ? count : answering.lines;
    if (answering.lines == 1 && limits->goal != SEARCH_BEST) {
        clock_speak(&deepen->clock, control, result);
    }
    team_run(deepen->team, team_size(deepen->team), deepen_work, &answering);
    deepen_count_up(deepen, result);
}

/* -- a searcher's life -- */

/* Each ply takes two lists of moves: the sorted one, and the game's own order. */
static bool worker_open(struct worker *worker, struct deepen *deepen) {
    const struct game_properties *properties = deepen->game->properties;
    size_t stack = 2 * (size_t)(MOST_DEPTH + 2) * (size_t)properties->most_moves;
    worker->deepen = deepen;
    worker->board = malloc(properties->position_size);
    worker->moves = malloc(stack * sizeof *worker->moves);
    worker->keys = malloc(stack * sizeof *worker->keys);
    return worker->board && worker->moves && worker->keys;
}

struct deepen *deepen_new(const struct game *game, const struct searcher_options *options, struct error *error) {
    size_t bytes = options->hash_bytes ? options->hash_bytes : DEFAULT_HASH;
    struct deepen *deepen = calloc(1, sizeof *deepen);
    bool good = deepen != NULL;
    if (good) {
        deepen->game = game;
        reset_places(deepen);
        deepen->team = team_new(options->threads);
        deepen->workers = deepen->team ? calloc((size_t)team_size(deepen->team), sizeof *deepen->workers) : NULL;
        good = deepen->workers && table_open(&deepen->table, bytes);
    }
    for (int i = 0; good && i < team_size(deepen->team); i++) {
        good = worker_open(&deepen->workers[i], deepen);
    }
    if (!good) {
        deepen_free(deepen);
        error_machine(error, "no memory for a search with a table of %zu bytes", bytes);
        return NULL;
    }
    return deepen;
}

void deepen_free(struct deepen *deepen) {
    if (!deepen) {
        return;
    }
    for (int i = 0; deepen->workers && i < team_size(deepen->team); i++) {
        free(deepen->workers[i].board);
        free(deepen->workers[i].moves);
        free(deepen->workers[i].keys);
    }
    free(deepen->workers);
    team_free(deepen->team);
    table_close(&deepen->table);
    free(deepen);
}

void deepen_clear(struct deepen *deepen) {
    table_clear(&deepen->table);
    reset_places(deepen);
}
