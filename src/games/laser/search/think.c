/* The engine of Laser Checkmate behind the game interface: threads, limits, and the order of questions.
 *
 * For the exact value it asks the kernel "is it at least x?" and moves x until the bounds meet; for win, draw or
 * loss it asks only about 1 and 0. For a move within a time it first looks ahead by iterative deepening, and
 * spends the rest on proofs, the win first, when the board is small enough for that. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/bits.h"
#include "games/laser/kernel/kernel.h"
#include "search/team.h"
#include "search/textbook.h"

#define DEFAULT_TABLE ((size_t)256 << 20)
/* So few free squares are solved at once, in a few milliseconds. */
#define SOLVE_AT_ONCE 44
#define LOOK_STEP 4096 /* nodes between two looks at the clock, on boards of one word; wide ones take longer a node */

enum question { ASK_PROOF, ASK_GUESS };

/* What all threads work on together. */
struct job {
    enum question question;
    const struct laser_root *root;
    int beta;  /* ASK_PROOF */
    int depth; /* ASK_GUESS */
    int width;
    atomic_int finished; /* the thread whose answer counts, or -1 */
    int value;
    int square;
};

struct searcher {
    struct laser_shared shared; /* first, so that a thread finds the searcher by it */
    struct search_clock clock;
    struct table table;
    struct laser_beams beams;
    const struct laser_kernel *kernel;
    struct team *team;            /* owned */
    struct laser_worker *workers; /* owned, one a thread */
    struct job job;

    /* of the search under way */
    struct search_control *control;
    struct search_result *result;
};

/* -- the clock -- */

static void laser_think_fill_counters(struct searcher *searcher) {
    searcher->result->nodes = atomic_load_explicit(&searcher->clock.nodes, memory_order_relaxed);
    clock_fill(&searcher->clock, searcher->result);
}

static void laser_think_report(struct searcher *searcher) {
    laser_think_fill_counters(searcher);
    if (searcher->control->info) {
        searcher->control->info(searcher->control->user, searcher->result);
    }
}

/* Called by every thread now and then. */
static bool laser_think_look(struct laser_shared *shared, struct laser_worker *worker) {
    struct searcher *searcher = (struct searcher *)shared;
    clock_look(&searcher->clock, &worker->meter, worker->nodes);
    if (clock_stopped(&searcher->clock)) {
        atomic_store_explicit(&shared->abort, true, memory_order_relaxed);
        return true;
    }
    return false;
}

static bool is_over(struct laser_shared *shared) {
    struct searcher *searcher = (struct searcher *)shared;
    if (atomic_load_explicit(&shared->abort, memory_order_relaxed) || clock_over(&searcher->clock)) {
        atomic_store_explicit(&shared->abort, true, memory_order_relaxed);
        return true;
    }
    return false;
}

/* -- one question, all threads -- */

/* One thread's search for the answer. */
static void laser_think_answer(void *user, int thread) {
    struct searcher *searcher = user;
    struct laser_worker *worker = &searcher->workers[thread];
    struct job *job = &searcher->job;
    worker->aborted = false;
    worker->square = LASER_NO_SQUARE;
    int value;
    if (job->question == ASK_PROOF) {
        value = searcher->kernel->prove(worker, job->root, job->beta);
    } else {
        /* The helpers look one ply further ahead in turn; only the first thread's answer counts. */
        value = searcher->kernel->guess(worker, job->root, job->depth + thread % 2, job->width);
    }
    clock_tell(&searcher->clock, &worker->meter, worker->nodes);
    int nobody = -1;
    bool counts = !worker->aborted && (job->question == ASK_PROOF || thread == 0);
    if (counts && atomic_compare_exchange_strong(&job->finished, &nobody, thread)) {
        job->value = value;
        job->square = worker->square;
    }
    if (counts || thread == 0) {
        atomic_store_explicit(&searcher->shared.abort, true, memory_order_relaxed);
    }
}

/* True when the question was answered before the clock ended it. */
static bool laser_think_ask(struct searcher *searcher, int free) {
    struct job *job = &searcher->job;
    atomic_store(&job->finished, -1);
    job->square = LASER_NO_SQUARE;
    atomic_store(&searcher->shared.abort, false);
    /* Small questions are over before a thread has woken up. */
    int threads = free > SOLVE_AT_ONCE / 2 ? team_size(searcher->team) : 1;
    searcher->shared.threads = threads;
    for (int i = 0; i < LASER_BUSY && threads > 1; i++) {
        atomic_store_explicit(&searcher->shared.busy[i], 0, memory_order_relaxed);
    }
    team_run(searcher->team, threads, laser_think_answer, searcher);
    return atomic_load(&job->finished) >= 0;
}

/* -- positions -- */

static int count_words(const uint64_t set[LASER_WORDS]) {
    int count = 0;
    for (int i = 0; i < LASER_WORDS; i++) {
        count += bits_count(set[i]);
    }
    return count;
}

static struct laser_root root_of(const struct laser_position *position) {
    struct laser_root root;
    memcpy(root.mine, position->covered[position->to_move], sizeof root.mine);
    memcpy(root.theirs, position->covered[1 - position->to_move], sizeof root.theirs);
    return root;
}

static int margin_of(const struct laser_root *root) {
    return count_words(root->mine) - count_words(root->theirs);
}

/* -- proofs -- */

/* Asks whether the margin is at least `beta` and notes the answer in the result; false when out of time. */
static bool laser_think_prove(struct searcher *searcher, const struct laser_root *root, int free, int beta) {
    struct search_result *result = searcher->result;
    int margin = margin_of(root);
    searcher->job.question = ASK_PROOF;
    searcher->job.root = root;
    searcher->job.beta = beta - margin;
    if (!laser_think_ask(searcher, free)) {
        return false;
    }
    int value = searcher->job.value + margin;
    if (value >= beta) {
        result->lower = value;
        result->move = (game_move)searcher->job.square;
        result->pv[0] = result->move;
        result->pv_length = 1;
    } else {
        result->upper = value;
    }
    result->certainty = SEARCH_PROVED;
    result->value = value;
    laser_think_report(searcher);
    return true;
}

/* Closes the bounds, starting at the most likely value. */
static bool prove_margin(struct searcher *searcher, const struct laser_root *root, int free, int likely) {
    struct search_result *result = searcher->result;
    int beta = likely;
    while (result->lower < result->upper) {
        beta = beta <= result->lower ? result->lower + 1 : beta > result->upper ? result->upper : beta;
        if (!laser_think_prove(searcher, root, free, beta)) {
            return false;
        }
        beta = result->value >= beta ? result->value + 1 : result->value;
    }
    return true;
}

/* Win, draw or loss. */
static bool prove_outcome(struct searcher *searcher, const struct laser_root *root, int free) {
    return laser_think_prove(searcher, root, free, 1) &&
           (searcher->result->lower > 0 || laser_think_prove(searcher, root, free, 0));
}

/* The line of best play behind a solved position: at each step a move that keeps the known value. */
static void laser_think_follow_line(struct searcher *searcher, const struct laser_position *position) {
    struct search_result *result = searcher->result;
    struct laser_position at = *position;
    struct game_position *generic = (struct game_position *)&at;
    int value = result->value;
    result->pv_length = 0;
    game_move move = result->move;
    for (;;) {
        struct game_undo undo;
        result->pv[result->pv_length++] = move;
        laser_game.play(generic, move, &undo);
        if (laser_game.over(generic) || result->pv_length == SEARCH_MOST_PV) {
            return;
        }
        value = -value;
        struct laser_root root = root_of(&at);
        game_move moves[LASER_MOST_SQUARES];
        searcher->job.question = ASK_PROOF;
        searcher->job.root = &root;
        searcher->job.beta = value - margin_of(&root);
        if (!laser_think_ask(searcher, laser_game.moves(generic, moves)) || searcher->job.value < searcher->job.beta) {
            return;
        }
        move = (game_move)searcher->job.square;
    }
}

/* -- looking ahead -- */

/* Iterative deepening up to a depth or the end of the time. */
static void look_ahead(struct searcher *searcher, const struct laser_root *root, int free, int most_depth) {
    struct search_result *result = searcher->result;
    int margin = margin_of(root);
    for (int depth = 1; depth <= most_depth && depth <= free && clock_allows_more(&searcher->clock); depth++) {
        searcher->job.question = ASK_GUESS;
        searcher->job.root = root;
        searcher->job.depth = depth;
        searcher->job.width = depth < 3 ? 64 : 32;
        bool done = laser_think_ask(searcher, depth < 3 ? 0 : free);
        /* A depth broken off still knows a move that was better than the last one's, or that one. */
        int square = done ? searcher->job.square : searcher->workers[0].square;
        if (square != LASER_NO_SQUARE) {
            result->move = (game_move)square;
            result->pv[0] = result->move;
            result->pv_length = 1;
        }
        if (!done) {
            return;
        }
        int value = searcher->job.value;
        result->value =
            margin + (value >= 0 ? (value + LASER_UNIT / 2) / LASER_UNIT : -((LASER_UNIT / 2 - value) / LASER_UNIT));
        result->depth = depth;
        laser_think_report(searcher);
    }
}

/* -- the interface -- */

struct searcher *laser_searcher_new(const struct searcher_options *options, struct error *error) {
    struct searcher *searcher = calloc(1, sizeof *searcher);
    struct team *team = team_new(options->threads);
    struct laser_worker *workers = team ? calloc((size_t)team_size(team), sizeof *workers) : NULL;
    if (!searcher || !workers ||
        !table_open(&searcher->table, options->hash_bytes ? options->hash_bytes : DEFAULT_TABLE)) {
        free(searcher);
        free(workers);
        team_free(team);
        error_machine(error, "out of memory for the table");
        return NULL;
    }
    searcher->team = team;
    searcher->workers = workers;
    searcher->shared.beams = &searcher->beams;
    searcher->shared.table = &searcher->table;
    searcher->shared.look = laser_think_look;
    searcher->shared.is_over = is_over;
    for (int i = 0; i < team_size(team); i++) {
        workers[i].shared = &searcher->shared;
        workers[i].thread = i;
    }
    return searcher;
}

void laser_searcher_free(struct searcher *searcher) {
    if (searcher) {
        table_close(&searcher->table);
        free(searcher->workers);
        team_free(searcher->team);
        free(searcher);
    }
}

void laser_searcher_clear(struct searcher *searcher) {
    table_clear(&searcher->table);
}

/* A move takes away some 24 free squares from each side's next turn on. */
static double moves_left(int free) {
    int turns = free / 24;
    return 2 + turns;
}

/* Whether a proof may come in time: boards of 92 free squares take some 10 million nodes, ten squares less or
 * more a fifth or five times as many. A thread does some 10 million a second. */
static bool is_worth_solving(const struct searcher *searcher, int free) {
    const struct search_clock *clock = &searcher->clock;
    double nodes = 1e7 * clock_span(clock) * team_size(searcher->team);
    if (clock->ends.nodes && (double)clock->ends.nodes < nodes) {
        nodes = (double)clock->ends.nodes;
    }
    double needed = 1e7;
    for (int i = free; i < 92; i += 10) {
        needed /= 5;
    }
    for (int i = 92; i < free; i += 10) {
        needed *= 5;
    }
    return needed <= nodes;
}

/* -- lost positions -- */

#define MOST_TRAPS 24

struct trap {
    game_move move;
    int worth;
};

/* How many squares a move covers afresh. */
static int fresh_of(const struct laser_position *position, game_move move) {
    struct laser_position at = *position;
    struct game_undo undo;
    laser_game.play((struct game_position *)&at, move, &undo);
    struct laser_root before = root_of(position);
    struct laser_root after = root_of(&at);
    return -margin_of(&after) - margin_of(&before);
}

/* The reply an opponent gives that does not look far: by fresh squares alone, or by looking a few plies ahead. */
static game_move likely_reply(struct searcher *searcher, const struct laser_position *position, int depth) {
    struct search_result greedy;
    textbook_run(&laser_game, (const struct game_position *)position,
                 &(struct textbook_request){.method = TEXTBOOK_GREEDY, .depth = 1}, &greedy);
    if (depth == 0) {
        return greedy.move;
    }
    struct laser_root root = root_of(position);
    searcher->job.question = ASK_GUESS;
    searcher->job.root = &root;
    searcher->job.depth = depth;
    searcher->job.width = 64;
    return laser_think_ask(searcher, 0) && searcher->job.square != LASER_NO_SQUARE ? (game_move)searcher->job.square
                                                                                   : greedy.move;
}

/* Whether the side to move wins. A game that is over is won by its score. */
static bool is_won(struct searcher *searcher, const struct laser_position *position) {
    struct laser_root root = root_of(position);
    game_move moves[LASER_MOST_SQUARES];
    int free = laser_game.moves((const struct game_position *)position, moves);
    if (free == 0) {
        return margin_of(&root) > 0;
    }
    searcher->job.question = ASK_PROOF;
    searcher->job.root = &root;
    searcher->job.beta = 1 - margin_of(&root);
    return laser_think_ask(searcher, free) && searcher->job.value >= searcher->job.beta;
}

/* What a move is worth in a lost position: how many of three likely replies would be mistakes. */
static int trap_worth(struct searcher *searcher, const struct laser_position *position, game_move move) {
    static const int depths[] = {0, 4, 2};
    static const int worths[] = {4, 3, 2};
    struct laser_position behind = *position;
    struct game_position *generic = (struct game_position *)&behind;
    struct game_undo undo;
    laser_game.play(generic, move, &undo);
    if (laser_game.over(generic)) {
        return 0;
    }
    game_move seen[3];
    bool won[3];
    int worth = 0;
    for (int i = 0; i < 3 && !clock_over(&searcher->clock); i++) {
        seen[i] = likely_reply(searcher, &behind, depths[i]);
        if (seen[i] == GAME_NO_MOVE) {
            break; /* no memory to find one */
        }
        won[i] = false;
        bool known = false;
        for (int k = 0; k < i && !known; k++) {
            known = seen[k] == seen[i];
            won[i] = known && won[k];
        }
        if (!known) {
            struct laser_position answered = behind;
            laser_game.play((struct game_position *)&answered, seen[i], &undo);
            won[i] = is_won(searcher, &answered);
        }
        worth += won[i] ? worths[i] : 0;
    }
    return worth;
}

/* In a position proved lost every move loses against best play, so the one to play is where an opponent is most
 * likely to go wrong. Only the moves that look best are tried. False when no trap was found in time. */
static bool set_trap(struct searcher *searcher, const struct laser_position *position) {
    game_move moves[LASER_MOST_SQUARES];
    int free = laser_game.moves((const struct game_position *)position, moves);
    struct trap traps[MOST_TRAPS];
    int count = 0;
    for (int i = 0; i < free; i++) {
        struct trap trap = {moves[i], fresh_of(position, moves[i])};
        if (count == MOST_TRAPS && traps[count - 1].worth >= trap.worth) {
            continue;
        }
        int at = count < MOST_TRAPS ? count++ : MOST_TRAPS - 1;
        for (; at > 0 && traps[at - 1].worth < trap.worth; at--) {
            traps[at] = traps[at - 1];
        }
        traps[at] = trap;
    }
    int most = 0;
    for (int i = 0; i < count && most < 9 && !clock_over(&searcher->clock); i++) {
        int worth = trap_worth(searcher, position, traps[i].move);
        if (worth > most) {
            most = worth;
            searcher->result->move = traps[i].move;
            searcher->result->pv[0] = traps[i].move;
            searcher->result->pv_length = 1;
        }
    }
    return most > 0;
}

/* The best move within the limits. */
static void think_best(struct searcher *searcher, const struct laser_position *position, const struct laser_root *root,
                       int free, const struct search_limits *limits) {
    struct search_result *result = searcher->result;
    struct search_clock *clock = &searcher->clock;
    struct clock_deadlines whole = clock->ends;
    if (limits->depth || !clock_is_limited(clock)) {
        look_ahead(searcher, root, free, limits->depth ? limits->depth : 1);
        return;
    }
    bool at_once = free <= SOLVE_AT_ONCE;
    bool solve = at_once || is_worth_solving(searcher, free);
    if (solve) {
        clock_phase(clock, clock_part(clock, whole, 0.25));
    }
    look_ahead(searcher, root, free, at_once ? 2 : LASER_MOST_PLIES);
    if (!solve) {
        return;
    }
    /* The proof may only replace the move by one it has proved something good about. */
    clock_phase(clock, whole);
    struct search_result ahead = *result;
    bool known = prove_outcome(searcher, root, free);
    if (known && result->upper < 0) {
        clock_phase(clock, clock_part(clock, whole, 0.85));
        if (set_trap(searcher, position)) {
            result->value = result->upper;
            return;
        }
        clock_phase(clock, whole);
    }
    if (known) {
        prove_margin(searcher, root, free, ahead.value);
    }
    if (result->certainty != SEARCH_PROVED) {
        return;
    }
    bool proved_good = result->lower >= 0 || result->lower == result->upper;
    if (!proved_good) {
        result->move = ahead.move;
        result->pv[0] = ahead.move;
        result->pv_length = 1;
        result->value = ahead.value < result->lower   ? result->lower
                        : ahead.value > result->upper ? result->upper
                                                      : ahead.value;
    } else {
        result->value = result->lower;
    }
}

void laser_think(struct searcher *searcher, const struct game_position *generic, const struct search_limits *limits,
                 struct search_control *control, struct search_result *result) {
    ASSERT(!laser_game.over(generic));
    const struct laser_position *position = (const struct laser_position *)generic;
    memset(result, 0, sizeof *result);
    searcher->control = control;
    searcher->result = result;
    searcher->kernel = laser_kernel_for(laser_words(position->size));
    laser_beams_init(&searcher->beams, position, searcher->kernel->words);
    unsigned step = LOOK_STEP / (unsigned)(searcher->kernel->words * searcher->kernel->words);
    for (int i = 0; i < team_size(searcher->team); i++) {
        searcher->workers[i].nodes = 0;
        searcher->workers[i].meter = (struct clock_meter){.step = step, .coarse = LOOK_STEP};
    }
    struct laser_root root = root_of(position);
    game_move moves[LASER_MOST_SQUARES];
    int free = laser_game.moves(generic, moves);
    clock_start(&searcher->clock, limits, &control->stop, moves_left(free));
    searcher->clock.also = control->also;
    /* A table that fits the task: touching memory for the first time costs more than a small board's search. For a
     * 10x10 board 4 MiB are enough. */
    table_limit(&searcher->table, free <= 64 ? (size_t)1 << 14 : free <= 100 ? (size_t)1 << 18 : SIZE_MAX);
    result->move = moves[0];
    result->pv[0] = moves[0];
    result->pv_length = 1;
    result->lower = -position->size * position->size;
    result->upper = position->size * position->size;
    clock_speak(&searcher->clock, control, result);

    if (limits->goal == SEARCH_BEST) {
        think_best(searcher, position, &root, free, limits);
    } else {
        look_ahead(searcher, &root, free, free > SOLVE_AT_ONCE ? 3 : 1);
        struct search_result ahead = *result;
        if (limits->goal == SEARCH_WIN) {
            prove_outcome(searcher, &root, free);
        } else {
            prove_margin(searcher, &root, free, ahead.value);
        }
        result->value = result->lower > 0 || result->lower == result->upper ? result->lower : ahead.value;
    }
    if (result->certainty == SEARCH_PROVED && result->lower == result->upper) {
        result->value = result->lower;
        result->depth = free;
        laser_think_follow_line(searcher, position);
    }
    laser_think_fill_counters(searcher);
}
