/* The engine as the game interface sees it: its threads, its clock, and what it reports. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/bits.h"
#include "games/gomoku/search/search.h"
#include "system/pages.h"

#define DEFAULT_HASH ((size_t)64 << 20)
#define LEAST_HASH ((size_t)1 << 20)
#define MOST_DEPTH 99
#define ROOT_VCF_DEPTH 40
#define ROOT_VCT_DEPTH 20
#define NODES_A_SECOND 300000 /* a careful guess, for shares of the time only */
#define ROOT_FORCED_PART 0.2  /* of the time, at most, for forced wins at the root */
#define ENDING_NODES 100000   /* for proving a draw, when that is asked for: a second or so */
#define USUAL_MOVES 15        /* what is left of a game is divided by this */
#define MOST_FALL 80          /* of the value from one depth to the next, and rise, that changes the time for a move */
#define MOST_RISE 40
#define VOTE_LEAST 40 /* votes that even the worst opinion has: as much as values differ from one depth to the next */

struct searcher {
    struct shared shared;
    struct team *team;                       /* owned */
    struct worker **workers;                 /* owned, one a thread */
    struct stats_mark marks[MOST_DEPTH + 2]; /* of the main thread's iterations, the last one of the end */
    int mark_count;
};

/* One thinking, as the main thread sees it. */
struct thinking {
    struct searcher *searcher;
    const struct search_limits *limits;
    struct search_control *control;
    struct search_result *result;
    const struct gomoku_position *position;
    int lines; /* multi-PV */
    int root_moves;
    bool votes; /* helpers have a say in the answer: it is not asked what a certain depth says, or for several lines */
};

/* -- a searcher's life -- */

static void worker_free(struct worker *worker) {
    if (worker) {
        if (worker->vcf.entries) {
            pages_free(worker->vcf.entries, (worker->vcf.mask + 1) * sizeof *worker->vcf.entries);
        }
        net_free(worker->net);
        free(worker);
    }
}

static struct worker *worker_new(struct shared *shared, int index, size_t vcf_entries) {
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker) {
        return NULL;
    }
    worker->net = net_new(true);
    worker->vcf.entries = pages_new(vcf_entries * sizeof *worker->vcf.entries);
    worker->vcf.mask = vcf_entries - 1;
    worker->vcf.board = &worker->board;
    worker->vcf.clock = &shared->clock;
    worker->shared = shared;
    worker->index = index;
    if (!worker->vcf.entries || !worker->net) {
        worker_free(worker);
        return NULL;
    }
    order_forget(worker);
    return worker;
}

void gomoku_prepare(int variant) {
    gomoku_tables(variant);
}

/* A quarter of the memory is for the fours' tables, one a thread; the rest is the shared table. */
struct searcher *gomoku_searcher_new(const struct searcher_options *options, struct error *error) {
    if (!net_numbers()) {
        error_machine(error, "the network in this program is damaged");
        return NULL;
    }
    size_t bytes = options->hash_bytes ? options->hash_bytes : DEFAULT_HASH;
    bytes = bytes < LEAST_HASH ? LEAST_HASH : bytes;
    struct searcher *searcher = calloc(1, sizeof *searcher);
    bool enough = searcher && (searcher->team = team_new(options->threads));
    int threads = enough ? team_size(searcher->team) : 0;
    enough = enough && (searcher->workers = calloc((size_t)threads, sizeof(struct worker *)));
    enough = enough && table_open_whole(&searcher->shared.table, bytes - bytes / 4);
    size_t entries = 1024;
    while (entries < (size_t)1 << 18 && entries * 2 * sizeof(struct vcf_entry) * (size_t)threads <= bytes / 4) {
        entries *= 2;
    }
    for (int i = 0; i < threads && enough; i++) {
        searcher->workers[i] = worker_new(&searcher->shared, i, entries);
        enough = searcher->workers[i] != NULL;
    }
    if (!enough) {
        gomoku_searcher_free(searcher);
        error_machine(error, "no memory for %zu bytes of tables and %d threads", bytes, options->threads);
        return NULL;
    }
    searcher->shared.params = tree_usual_params;
    searcher->shared.several = threads > 1;
    return searcher;
}

void gomoku_searcher_tune(struct searcher *searcher, const struct tree_params *params) {
    searcher->shared.params = *params;
}

void gomoku_searcher_free(struct searcher *searcher) {
    if (searcher) {
        for (int i = 0; searcher->workers && i < team_size(searcher->team); i++) {
            worker_free(searcher->workers[i]);
        }
        free(searcher->workers);
        team_free(searcher->team);
        table_close(&searcher->shared.table);
        free(searcher);
    }
}

void gomoku_searcher_clear(struct searcher *searcher) {
    table_clear(&searcher->shared.table);
    for (int i = 0; i < team_size(searcher->team); i++) {
        struct worker *worker = searcher->workers[i];
        memset(worker->vcf.entries, 0, (worker->vcf.mask + 1) * sizeof *worker->vcf.entries);
        order_forget(worker);
    }
}

/* -- results -- */

/* What all threads have counted, or the main one alone while others run. */
static struct gomoku_stats gather_stats(const struct searcher *searcher, bool all) {
    struct gomoku_stats stats = {0};
    for (int i = 0; i < (all ? team_size(searcher->team) : 1); i++) {
        const struct worker *worker = searcher->workers[i];
        stats_add(&stats, &worker->stats);
        stats.nodes += worker->nodes;
        stats.fours += worker->vcf.nodes;
    }
    return stats;
}

static void mark_iteration(struct searcher *searcher) {
    const struct worker *worker = searcher->workers[0];
    if (searcher->mark_count < MOST_DEPTH + 2) {
        searcher->marks[searcher->mark_count++] = (struct stats_mark){.nodes = worker->nodes + worker->vcf.nodes,
                                                                      .frontier = worker->stats.frontier,
                                                                      .frontier_plies = worker->stats.frontier_plies};
    }
}

struct gomoku_stats gomoku_searcher_counts(const struct searcher *searcher) {
    return gather_stats(searcher, true);
}

void gomoku_searcher_stats(const struct searcher *searcher, struct text *text) {
    struct gomoku_stats stats = gather_stats(searcher, true);
    stats_write(&stats, searcher->marks, searcher->mark_count, text);
}

/* Fills the counters. While helpers still run, theirs are as of their last report. */
static void gomoku_count_up(struct thinking *thinking, struct search_result *result, bool all) {
    struct searcher *searcher = thinking->searcher;
    const struct worker *main_worker = searcher->workers[0];
    uint64_t untold = main_worker->nodes + main_worker->vcf.nodes - main_worker->meter.told;
    result->nodes = atomic_load_explicit(&searcher->shared.clock.nodes, memory_order_relaxed) + untold;
    struct gomoku_stats stats = gather_stats(searcher, all);
    result->leaves = result->cutoffs = 0;
    for (int depth = 0; depth < STATS_DEPTHS; depth++) {
        result->leaves += stats.exits[EXIT_HORIZON][depth];
        result->cutoffs += stats.exits[EXIT_CUT][depth];
    }
    clock_fill(&searcher->shared.clock, result);
}

static void gomoku_report(struct thinking *thinking, int value, int depth, int line, const uint16_t *pv, int length) {
    struct search_result *result = thinking->result;
    struct search_result now = {.value = value, .depth = depth, .line = line};
    now.move = pv[0];
    now.pv_length = length;
    for (int i = 0; i < length; i++) {
        now.pv[i] = pv[i];
    }
    if (value >= WIN_LEAST || value <= -WIN_LEAST) {
        now.certainty = SEARCH_PROVED;
        now.lower = value > 0 ? value : -WIN_VALUE;
        now.upper = value > 0 ? WIN_VALUE : value;
    } else {
        now.lower = -WIN_VALUE;
        now.upper = WIN_VALUE;
    }
    gomoku_count_up(thinking, &now, false);
    if (line == 0) {
        *result = now;
    }
    if (thinking->control->info) {
        thinking->control->info(thinking->control->user, &now);
    }
}

/* -- iterations -- */

/* Aspiration windows: widens the window around the last value until the new one falls inside. */
static int search_window(struct worker *worker, int depth, int guess) {
    ASSERT(depth >= 1);
    int width = worker->shared->params.window;
    int alpha = depth < 4 ? -WIN_VALUE : guess - width;
    int beta = depth < 4 ? WIN_VALUE : guess + width;
    worker->root_length = 0;
    for (;;) {
        alpha = alpha < -3000 ? -WIN_VALUE : alpha;
        beta = beta > 3000 ? WIN_VALUE : beta;
        int value = tree_search(worker, alpha, beta, depth);
        if (clock_stopped(&worker->shared->clock)) {
            return value;
        }
        if (value <= alpha && alpha > -WIN_VALUE) {
            beta = (alpha + beta) / 2;
            alpha = value - width;
            worker->root_length = 0;
        } else if (value >= beta && beta < WIN_VALUE) {
            beta = value + width; /* root_line keeps the move that is so good */
        } else {
            return value;
        }
        width *= 3;
    }
}

/* A thread's board, network and what it knows of moves, at the beginning of a search. */
static void worker_begin(struct worker *worker, const struct gomoku_position *position) {
    gboard_load(&worker->board, position, &worker->undo);
    if (worker->net) {
        net_load(worker->net, &worker->board);
    }
    for (int k = 0; k < 2; k++) {
        worker->before[k] =
            position->count - k > position->setup ? position->order[position->count - 1 - k] : NO_SQUARE;
    }
    order_age(worker);
}

/* Its counters; of those threads too that the system has none for. */
static void worker_reset(struct worker *worker) {
    worker->meter = (struct clock_meter){.step = LOOK_STEP};
    worker->nodes = worker->vcf.nodes = worker->vcf.next_look = 0;
    memset(&worker->stats, 0, sizeof worker->stats);
    worker->root_skip_count = 0;
    worker->opinion.depth = 0;
}

static void keep_opinion(struct worker *worker, int value, int depth) {
    struct opinion *opinion = &worker->opinion;
    opinion->depth = depth;
    opinion->value = value;
    opinion->length = worker->pv_length[0];
    memcpy(opinion->line, worker->pv[0], (size_t)opinion->length * sizeof opinion->line[0]);
}

/* A helper searches the same position at its own pace; what it finds reaches the others through the table, and its
 * opinion counts in the end. It sets up its board itself: one thread would be long at it for hundreds of them. */
static void gomoku_help(const struct thinking *thinking, struct worker *worker) {
    struct search_clock *clock = &worker->shared->clock;
    int guess = 0;
    worker_begin(worker, thinking->position);
    for (int depth = 1 + (worker->index & 1); depth <= MOST_DEPTH; depth++) {
        int value = search_window(worker, depth, guess);
        if (clock_stopped(clock)) {
            break;
        }
        guess = value;
        if (worker->pv_length[0] > 0) {
            keep_opinion(worker, value, depth);
        }
        if (thinking->votes && thinking->limits->goal == SEARCH_BEST && value >= WIN_LEAST) {
            clock_end(clock); /* nobody needs to look further */
            break;
        }
    }
    clock_tell(clock, &worker->meter, worker->nodes + worker->vcf.nodes);
}

/* A move that has been best for long needs less time than one that has just become so, and a value that falls needs
 * more: another move may hold it. */
double gomoku_time_part(int same_for, int fall) {
    ASSERT(same_for >= 0);
    double part = same_for >= 6 ? 0.6 : same_for >= 3 ? 0.85 : same_for >= 1 ? 1.15 : 1.5;
    fall = fall < -MOST_RISE ? -MOST_RISE : fall > MOST_FALL ? MOST_FALL : fall;
    return part * (1.0 + (double)fall / (2.0 * MOST_FALL));
}

/* Moves the moment after which no new iteration is begun. Only the thread that iterates looks at it. */
static void share_time(struct search_clock *clock, const struct clock_deadlines *usual, double part) {
    if (usual->wall_soft > 0) {
        clock->ends.wall_soft = clock->wall_start + part * (usual->wall_soft - clock->wall_start);
    }
    if (usual->cpu_soft > 0) {
        clock->ends.cpu_soft = clock->cpu_start + part * (usual->cpu_soft - clock->cpu_start);
    }
}

static void gomoku_iterate(struct thinking *thinking) {
    struct searcher *searcher = thinking->searcher;
    struct search_clock *clock = &searcher->shared.clock;
    const struct clock_deadlines usual = clock->ends;
    struct worker *worker = searcher->workers[0];
    const struct search_limits *limits = thinking->limits;
    bool bounded = clock_is_limited(clock) || limits->goal != SEARCH_BEST;
    int most_depth = limits->depth > 0 ? limits->depth : bounded ? MOST_DEPTH : 1;
    most_depth = most_depth > MOST_DEPTH ? MOST_DEPTH : most_depth;
    int guesses[64] = {0};
    int same_for = 0; /* iterations the best move has been the same */
    for (int depth = 1; depth <= most_depth; depth++) {
        game_move last_move = thinking->result->move;
        int last_value = guesses[0];
        bool all_decided = true;
        mark_iteration(searcher);
        worker->root_skip_count = 0;
        for (int line = 0; line < thinking->lines; line++) {
            int value = search_window(worker, depth, guesses[line]);
            if (clock_stopped(clock)) {
                /* The best move of this depth so far is better than the last depth's: that one was tried first. */
                if (line == 0 && worker->root_length > 0 && thinking->result->move != worker->root_line[0] &&
                    worker->root_value > -WIN_LEAST) {
                    gomoku_report(thinking, worker->root_value, depth, 0, worker->root_line, worker->root_length);
                }
                return;
            }
            if (worker->pv_length[0] == 0) {
                thinking->lines = line; /* other lines have taken all moves there are */
                break;
            }
            guesses[line] = value;
            all_decided = all_decided && value_is_decided(value);
            gomoku_report(thinking, value, depth, line, worker->pv[0], worker->pv_length[0]);
            worker->root_skip[worker->root_skip_count++] = worker->pv[0][0];
        }
        if (thinking->lines == 0) {
            return;
        }
        /* A win needs no more thought. A loss does: deeper searches find what holds out longest. */
        if (all_decided && limits->goal == SEARCH_BEST && (guesses[0] > 0 || depth >= WIN_VALUE + guesses[0])) {
            return;
        }
        if (thinking->root_moves == 1 && thinking->lines == 1 && limits->wall_seconds + limits->wall_seconds_left > 0) {
            return;
        }
        same_for = thinking->result->move == last_move ? same_for + 1 : 0;
        share_time(clock, &usual, gomoku_time_part(same_for, depth > 1 ? last_value - guesses[0] : 0));
        if (!clock_allows_more(clock)) {
            return;
        }
    }
}

/* The first thread answers, the others help it. */
static void gomoku_work(void *user, int index) {
    struct thinking *thinking = user;
    if (index == 0) {
        gomoku_iterate(thinking);
        clock_end(&thinking->searcher->shared.clock);
    } else {
        gomoku_help(thinking, thinking->searcher->workers[index]);
    }
}

/* The one of the greatest value among those that have proved a win, or a loss; -1 when none has. */
static int best_proved(const struct opinion *const *opinions, int count, bool win) {
    int best = -1;
    for (int i = 0; i < count; i++) {
        const struct opinion *opinion = opinions[i];
        bool proved = opinion->depth > 0 && (win ? opinion->value >= WIN_LEAST : opinion->value <= -WIN_LEAST);
        if (proved && (best < 0 || opinion->value > opinions[best]->value)) {
            best = i;
        }
    }
    return best;
}

/* Whether the thread has a say in a vote: it has finished a depth and does not think that everything loses. */
static bool has_vote(const struct opinion *opinion) {
    return opinion->depth > 0 && opinion->value > -WIN_LEAST;
}

int gomoku_choose_opinion(const struct opinion *const *opinions, int count) {
    ASSERT(count >= 0);
    int64_t votes[GOMOKU_MOST_SQUARES] = {0};
    int best = best_proved(opinions, count, true);
    if (best >= 0) {
        return best;
    }
    int worst = WIN_VALUE;
    for (int i = 0; i < count; i++) {
        worst = has_vote(opinions[i]) && opinions[i]->value < worst ? opinions[i]->value : worst;
    }
    for (int i = 0; i < count; i++) {
        if (has_vote(opinions[i])) {
            votes[opinions[i]->line[0]] += (int64_t)(opinions[i]->value - worst + VOTE_LEAST) * opinions[i]->depth;
        }
    }
    for (int i = 0; i < count; i++) {
        if (!has_vote(opinions[i])) {
            continue;
        }
        int64_t more = best < 0 ? 1 : votes[opinions[i]->line[0]] - votes[opinions[best]->line[0]];
        bool same = best >= 0 && opinions[i]->line[0] == opinions[best]->line[0];
        if (more > 0 || (same && opinions[i]->depth > opinions[best]->depth)) {
            best = i;
        }
    }
    return best >= 0 ? best : best_proved(opinions, count, false);
}

/* Asks the helpers, and answers with what one of them says when that has more votes. */
static void ask_helpers(struct thinking *thinking, int threads) {
    const struct search_result *result = thinking->result;
    struct opinion own = {.depth = result->depth, .value = (int)result->value, .line = {(uint16_t)result->move}};
    const struct opinion *opinions[TEAM_MOST] = {&own};
    for (int i = 1; i < threads; i++) {
        opinions[i] = &thinking->searcher->workers[i]->opinion;
    }
    int chosen = gomoku_choose_opinion(opinions, threads);
    if (chosen > 0) {
        const struct opinion *opinion = opinions[chosen];
        gomoku_report(thinking, opinion->value, opinion->depth, 0, opinion->line, opinion->length);
    }
}

/* A move for certain: the first that stops the worst, in case the search is stopped at once. */
static int first_move(const struct gboard *board, const uint16_t last[2], int *count) {
    uint64_t squares[GBOARD_WORDS];
    int other = 1 - board->side;
    *count = 1;
    if (!gboard_set_empty(board, board->side, SET_FIVE)) {
        return gboard_set_first(board, board->side, SET_FIVE);
    }
    int urgent = gboard_first_open(board, other, SET_FIVE);
    if (urgent < 0 || !gboard_is_open_to(board, board->side, urgent)) {
        urgent = gboard_first_open(board, board->side, SET_OPEN_FOUR);
    }
    if (urgent >= 0) {
        return urgent;
    }
    if (!moves_forced(board, squares) || moves_none(squares)) {
        moves_near(board, squares);
    }
    int best = -1;
    int best_score = 0;
    *count = 0;
    for (int square = 0; square < board->squares; square++) {
        if (squares[square >> 6] >> (square & 63) & 1) {
            ++*count;
            int score = move_score(board, square, last);
            if (best < 0 || score > best_score) {
                best = square;
                best_score = score;
            }
        }
    }
    for (int square = 0; best < 0 && square < board->squares; square++) {
        bool open = gboard_is_empty(board, square) && gboard_is_open_to(board, board->side, square);
        best = open ? square : -1;
    }
    return best;
}

/* The same among the moves that are not closed. */
static int first_open_move(const struct gboard *board, const uint16_t last[2], const uint64_t *closed, int *count) {
    int best = first_move(board, last, count);
    int best_score = 0;
    if (!gomoku_is_closed(closed, best)) {
        return best;
    }
    for (int square = 0; square < board->squares; square++) {
        if (gboard_is_empty(board, square) && !gomoku_is_closed(closed, square) &&
            gboard_is_open_to(board, board->side, square)) {
            int score = move_score(board, square, last);
            if (gomoku_is_closed(closed, best) || score > best_score) {
                best = square;
                best_score = score;
            }
        }
    }
    return best;
}

game_move gomoku_quick_move(const struct gomoku_position *position, const uint64_t *closed) {
    ASSERT(position->winner == GOMOKU_NO_WINNER && position->count < position->size * position->size);
    static const uint16_t last[2] = {NO_SQUARE, NO_SQUARE};
    struct gboard board = {0}; /* loading keeps what fits the size of the board loaded before */
    int count;
    gboard_load(&board, position, NULL);
    return (game_move)first_open_move(&board, last, closed, &count);
}

/* Wins by fours or by threats, looked for deeper than in the tree; reports and returns true when there is one. The
 * share is small: a fifth of the time at most, however short the time. */
static bool root_forced_win(struct thinking *thinking) {
    struct search_clock *clock = &thinking->searcher->shared.clock;
    struct worker *worker = thinking->searcher->workers[0];
    const struct tree_params *params = &thinking->searcher->shared.params;
    struct clock_deadlines ends = clock->ends;
    double seconds = ends.wall > 0 || ends.cpu > 0 ? clock_span(clock) : 1.0;
    uint64_t budget = ends.nodes ? ends.nodes : (uint64_t)(seconds * NODES_A_SECOND);
    uint64_t fours = budget / 8 < 20000 ? budget / 8 : 20000;
    uint64_t threats = budget * (uint64_t)params->root_vct / 100;
    uint16_t line[SEARCH_MOST_PV];
    uint16_t first;
    int length = 0;
    clock_phase(clock, clock_part(clock, ends, ROOT_FORCED_PART));
    int plies = vcf_search(&worker->vcf, ROOT_VCF_DEPTH, fours, &first);
    if (plies > 0) {
        length = vcf_line(&worker->vcf, ROOT_VCF_DEPTH, fours, line, SEARCH_MOST_PV);
    } else if (threats > 0) {
        plies = vct_search(&worker->vcf, ROOT_VCT_DEPTH, threats, &first);
        length = plies > 0 ? vct_line(&worker->vcf, ROOT_VCT_DEPTH, threats, line, SEARCH_MOST_PV) : 0;
    }
    clock_phase(clock, ends);
    if (plies > 0 && gomoku_is_closed(thinking->searcher->shared.wishes.closed, first)) {
        return false;
    }
    if (plies > 0) {
        line[0] = first; /* all there is when the clock ended it between the win and its line */
        gomoku_report(thinking, WIN_VALUE - plies, 1, 0, line, length > 0 ? length : 1);
        mark_iteration(thinking->searcher);
    }
    return plies > 0;
}

void gomoku_think(struct searcher *searcher, const struct game_position *position, const struct search_limits *limits,
                  struct search_control *control, struct search_result *result) {
    ASSERT(!gomoku_game.over(position));
    struct shared *shared = &searcher->shared;
    struct thinking thinking = {.searcher = searcher,
                                .limits = limits,
                                .control = control,
                                .result = result,
                                .position = gomoku_const(position)};
    memset(result, 0, sizeof *result);
    result->move = GAME_NO_MOVE;
    if (gomoku_game.over(position)) {
        return;
    }
    clock_start(&shared->clock, limits, &control->stop, USUAL_MOVES);
    shared->clock.also = control->also;
    shared->wishes = limits->wishes ? *(const struct gomoku_wishes *)limits->wishes : (struct gomoku_wishes){0};
    shared->table.generation++;
    searcher->mark_count = 0;
    for (int i = 0; i < team_size(searcher->team); i++) {
        worker_reset(searcher->workers[i]);
    }
    struct worker *worker = searcher->workers[0];
    worker_begin(worker, thinking.position);
    uint64_t visited;
    uint16_t move =
        (uint16_t)first_open_move(&worker->board, worker->before, shared->wishes.closed, &thinking.root_moves);
    int empty = worker->board.squares - worker->board.count;
    thinking.lines = limits->multi_pv < 1 ? 1 : limits->multi_pv > 64 ? 64 : limits->multi_pv;
    thinking.lines = thinking.lines > empty ? empty : thinking.lines;
    result->move = result->pv[0] = move;
    result->pv_length = 1;
    result->lower = -WIN_VALUE;
    result->upper = WIN_VALUE;
    if (thinking.lines == 1 && limits->goal != SEARCH_BEST) {
        clock_speak(&shared->clock, control, result);
    }

    if (thinking.lines == 1 && root_forced_win(&thinking)) {
        return;
    }
    if (limits->goal != SEARCH_BEST &&
        ending_is_drawn(gomoku_const(position), &shared->clock, ENDING_NODES, &move, &visited)) {
        result->certainty = SEARCH_PROVED;
        result->lower = result->upper = 0;
        result->move = result->pv[0] = move;
        result->nodes = visited;
        clock_fill(&shared->clock, result);
        return;
    }

    thinking.votes = thinking.lines == 1 && limits->depth == 0;
    int threads = team_run(searcher->team, team_size(searcher->team), gomoku_work, &thinking);
    if (thinking.votes && threads > 1) {
        ask_helpers(&thinking, threads);
    }
    mark_iteration(searcher);
    gomoku_count_up(&thinking, result, true);
}
