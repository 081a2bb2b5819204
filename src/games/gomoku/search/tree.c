/* Principal variation search: the heart of the engine. Values are for the side to move; a win in k plies from the
 * root is WIN_VALUE - k. Depths are in units of ONE_PLY. */
#include <string.h>

#include "base/assert.h"
#include "base/bits.h"
#include "games/gomoku/search/search.h"

/* Natural logarithms times 32, for the reductions: ln(0) is taken as 0. */
static const uint8_t log32[65] = {0,   0,   22,  35,  44,  52,  57,  62,  67,  70,  74,  77,  80,  82,  84,  87,  89,
                                  91,  92,  94,  96,  97,  99,  100, 102, 103, 104, 105, 107, 108, 109, 110, 111, 112,
                                  113, 114, 115, 116, 116, 117, 118, 119, 120, 120, 121, 122, 123, 123, 124, 125, 125,
                                  126, 126, 127, 128, 128, 129, 129, 130, 130, 131, 132, 132, 133, 133};

#define MOST_FAILED 64    /* searched moves that are remembered for learning */
#define MOST_EXTENDED 12  /* plies that extensions may add to a line beyond one each */
#define LEAF_VCF_DEPTH 12 /* fours in a row */
#define MOST_LATER 32     /* moves that are put off because another thread is at them */
#define LATER_DEPTH 3     /* plies from which on they are: shallower ones cost less than finding out */

const struct tree_params tree_usual_params = {
    .leaf_vcf_nodes = 40,
    .inner_vcf_nodes = 80,
    .root_vct = 8,
    .razor_base = 40,
    .razor_square = 40,
    .razor_depth = 3,
    .reverse_depth = 8,
    .reverse_margin = 32,
    .reverse_improving = 25,
    .late_base = 3,
    .late_slope = 16,
    .late_square = 48,
    .late_halved = 67,
    .futility_depth = 5,
    .futility_base = 70,
    .futility_margin = 50,
    .policy_base = 100,
    .policy_margin = 32,
    .reduce_from = 2,
    .reduce_depth = 3,
    .reduce_scale = 65,
    .reduce_policy = 1000,
    .reduce_history = 3000,
    .reduce_improving = 100,
    .reduce_cut = 100,
    .reduce_pv = 100,
    .reduce_threat = 100,
    .reduce_answer = 100,
    .lost_less = 100,
    .table_less = 100,
    .answer_more = 130,
    .singular_depth = 5,
    .singular_margin = 100,
    .singular_far = 29,
    .window = 20,
    .killer = 20,
    .counter = 15,
    .history = 256,
};

/* A node under way. */
struct node {
    int alpha;
    int beta;
    int old_alpha;
    int depth;
    int ply;
    int side;
    uint16_t excluded; /* a move left out, to see whether it stands alone; or NO_SQUARE */
    uint16_t table_move;
    bool pv;
    bool cut;        /* a move that is good enough is expected */
    bool forced;     /* a five must be stopped */
    bool restricted; /* an open four must be */
    bool known;      /* the table has it */
    bool improving;
    int entered; /* the depth in plies it was entered with, for the counts */
    int table_value;
    int static_eval; /* VALUE_NONE when forced */
    int eval;        /* the same, or a bound of the table where that says more */
    enum tt_fours fours;
    uint64_t key;
    struct gomoku_tt_hit hit;
    uint64_t squares[GBOARD_WORDS];
};

static int value_to_table(int value, int ply) {
    return value >= WIN_LEAST ? value + ply : value <= -WIN_LEAST ? value - ply : value;
}

static int value_from_table(int value, int ply) {
    return value >= WIN_LEAST ? value - ply : value <= -WIN_LEAST ? value + ply : value;
}

static int clamp(int value, int least, int most) {
    return value < least ? least : value > most ? most : value;
}

/* Hundredths of a ply as a depth. */
static int hundredths(int value) {
    return value * ONE_PLY / 100;
}

static int plies_of(int depth) {
    return depth < 0 ? 0 : depth / ONE_PLY;
}

static int tree_leave(struct worker *worker, const struct node *node, enum stats_exit exit, int value) {
    ASSERT(node->entered >= 0 && node->entered < STATS_DEPTHS);
    worker->stats.exits[exit][node->entered]++;
    return value;
}

/* The line of this ply is one move. */
static void line_of_one(struct worker *worker, int ply, int square) {
    worker->pv[ply][0] = (uint16_t)square;
    worker->pv_length[ply] = 1;
}

static void tree_keep_line(struct worker *worker, int ply, uint16_t move) {
    ASSERT(ply < MOST_PLY && worker->pv_length[ply + 1] <= MOST_PLY);
    int rest = worker->pv_length[ply + 1];
    worker->pv[ply][0] = move;
    memcpy(&worker->pv[ply][1], worker->pv[ply + 1], (size_t)rest * sizeof(uint16_t));
    worker->pv_length[ply] = rest + 1;
}

/* The line in pv[0] is the best of this iteration so far, should the search be stopped. */
static void keep_root(struct worker *worker, int value) {
    worker->root_value = value;
    worker->root_length = worker->pv_length[0];
    memcpy(worker->root_line, worker->pv[0], (size_t)worker->root_length * sizeof(uint16_t));
}

static bool tree_is_skipped(const struct worker *worker, uint16_t square) {
    if (gomoku_is_closed(worker->shared->wishes.closed, square)) {
        return true;
    }
    for (int i = 0; i < worker->root_skip_count; i++) {
        if (worker->root_skip[i] == square) {
            return true;
        }
    }
    return false;
}

/* Whether some moves of the node are left alone because others asked for that: its value is not the position's then. */
static bool is_partial(const struct worker *worker, const struct node *node) {
    return node->ply == 0 && (worker->root_skip_count > 0 || worker->shared->wishes.closed);
}

/* The first five that may be played at the node; NO_SQUARE when there is none. */
static uint16_t first_five(const struct worker *worker, const struct node *node) {
    const uint64_t *fives = worker->board.sets[node->side][SET_FIVE];
    for (int i = 0; i < GBOARD_WORDS; i++) {
        for (uint64_t rest = fives[i]; rest;) {
            uint16_t square = (uint16_t)(i * 64 + bits_pop(&rest));
            if (!is_partial(worker, node) || !tree_is_skipped(worker, square)) {
                return square;
            }
        }
    }
    return NO_SQUARE;
}

static void tree_store(struct worker *worker, const struct node *node, int value, enum tt_bound bound, uint16_t move) {
    if (is_partial(worker, node)) {
        return;
    }
    struct gomoku_tt_hit hit = {.move = move == NO_SQUARE ? GOMOKU_TT_NO_MOVE : move,
                                .value = value_to_table(value, node->ply),
                                .eval = node->static_eval,
                                .depth = bound == TT_NONE ? -2 * ONE_PLY : node->depth,
                                .bound = bound,
                                .fours = node->fours};
    if (gomoku_tt_store(&worker->shared->table, node->key, hit)) {
        clock_over(&worker->shared->clock);
    }
}

/* Whether no stone stops the fives of the other side. */
static bool fives_cannot_be_stopped(const struct gboard *board) {
    if (!gboard_is_peculiar(board)) {
        return gboard_set_count(board, 1 - board->side, SET_FIVE) > 1;
    }
    uint64_t stops[GBOARD_WORDS];
    moves_stops(board, stops);
    return moves_none(stops);
}

/* What to play when they cannot be stopped: one of them, or where that is forbidden anything that is not. */
static int first_loss(const struct gboard *board) {
    int square = gboard_first_open(board, 1 - board->side, SET_FIVE);
    for (int any = 0; board->variant == GOMOKU_RENJU && board->side == 0 && any < board->squares; any++) {
        if (square < 0 || !gboard_is_open_to(board, 0, square)) {
            square = gboard_is_empty(board, any) && gboard_is_open_to(board, 0, any) ? any : -1;
        }
    }
    return square < 0 ? gboard_set_first(board, 1 - board->side, SET_FIVE) : square;
}

/* A five at once wins; two fives of the other side cannot both be stopped; an open four wins unless the other side has
 * a five first. True when that decides the node; notes what must be stopped otherwise. */
static bool tree_is_decided(struct worker *worker, struct node *node, int *value) {
    const struct gboard *board = &worker->board;
    int side = node->side;
    int ply = node->ply;
    uint16_t five = NO_SQUARE;
    if (!gboard_set_empty(board, side, SET_FIVE) && (five = first_five(worker, node)) != NO_SQUARE) {
        line_of_one(worker, ply, five);
        *value = WIN_VALUE - (ply + 1);
        return true;
    }
    if (board->count >= board->squares) {
        *value = 0;
        return true;
    }
    node->forced = !gboard_set_empty(board, 1 - side, SET_FIVE);
    if (node->forced && !is_partial(worker, node) && fives_cannot_be_stopped(board)) {
        line_of_one(worker, ply, first_loss(board));
        *value = -(WIN_VALUE - (ply + 2));
        return true;
    }
    if (!node->forced && !gboard_set_empty(board, side, SET_OPEN_FOUR) && node->excluded == NO_SQUARE && ply > 0) {
        int open = gboard_first_open(board, side, SET_OPEN_FOUR);
        if (open >= 0) {
            line_of_one(worker, ply, open);
            *value = WIN_VALUE - (ply + 3);
            return true;
        }
    }
    if (ply >= MOST_PLY) {
        *value = gboard_evaluate(board);
        return true;
    }
    return false;
}

/* When every move worth a look is closed, any other will do. */
static void open_others(const struct worker *worker, struct node *node) {
    const uint64_t *closed = worker->shared->wishes.closed;
    uint64_t any = 0;
    for (int i = 0; i < GBOARD_WORDS; i++) {
        any |= node->squares[i] & ~closed[i];
    }
    for (int i = 0; i < GBOARD_WORDS && !any; i++) {
        node->squares[i] = worker->board.empty[i] & ~closed[i];
    }
    gboard_drop_fouls(&worker->board, node->side, node->squares);
}

/* What the table knows; true when that is enough. A proved value is enough however shallow the search was. */
static bool tree_probe_table(struct worker *worker, struct node *node) {
    const struct gboard *board = &worker->board;
    struct gomoku_tt_hit *hit = &node->hit;
    *hit = (struct gomoku_tt_hit){.move = GOMOKU_TT_NO_MOVE, .eval = VALUE_NONE};
    node->key = board->hash ^ (node->excluded == NO_SQUARE ? 0 : rng_mix(node->excluded));
    worker->stats.probes++;
    node->known = gomoku_tt_probe(&worker->shared->table, node->key, hit);
    node->table_move = NO_SQUARE;
    node->fours = TT_FOURS_UNKNOWN;
    if (!node->known) {
        return false;
    }
    worker->stats.hits++;
    node->fours = hit->fours;
    node->table_value = value_from_table(hit->value, node->ply);
    if (hit->move != GOMOKU_TT_NO_MOVE && hit->move < board->squares && gboard_is_empty(board, hit->move)) {
        node->table_move = hit->move;
    }
    bool deep = hit->depth >= (node->depth & -GOMOKU_TT_STEP) || value_is_decided(node->table_value);
    return !node->pv && deep &&
           ((hit->bound == TT_EXACT && hit->depth >= (node->depth & -GOMOKU_TT_STEP)) ||
            ((hit->bound & TT_LOWER) && node->table_value >= node->beta) ||
            ((hit->bound & TT_UPPER) && node->table_value <= node->alpha));
}

/* The evaluation, from the table where it is known; a bound of the table says more when it lies beyond. */
static void tree_evaluate(struct worker *worker, struct node *node) {
    const struct gomoku_tt_hit *hit = &node->hit;
    if (hit->eval != VALUE_NONE) {
        node->static_eval = hit->eval;
    } else {
        worker->stats.evaluations++;
        node->static_eval = gboard_evaluate(&worker->board);
        const struct gomoku_wishes *wishes = &worker->shared->wishes;
        if (wishes->evaluated && worker->index == 0) {
            wishes->evaluated(wishes->user, worker->played, node->ply);
        }
    }
    node->eval = node->static_eval;
    if (node->known && !value_is_decided(node->table_value) &&
        ((hit->bound & TT_LOWER && node->table_value > node->eval) ||
         (hit->bound & TT_UPPER && node->table_value < node->eval))) {
        node->eval = node->table_value;
    }
}

/* Fours all the way to a win: once at every node that needs one, because its value is not good enough as it is (58 %
 * against looking at every node, 228 games). When nodes ran out before the fours did, a deeper visit tries again. */
static bool fours_win(struct worker *worker, struct node *node, int *value) {
    const struct tree_params *params = &worker->shared->params;
    const struct gboard *board = &worker->board;
    bool enough = !node->pv && node->eval >= node->beta && node->beta > -WIN_LEAST;
    bool tried = node->fours == TT_FOURS_NONE ||
                 (node->fours == TT_FOURS_CUT_SHORT && node->hit.depth >= (node->depth & -GOMOKU_TT_STEP));
    if (node->excluded != NO_SQUARE || node->ply == 0 || enough || tried) {
        return false;
    }
    node->fours = TT_FOURS_NONE;
    if (gboard_set_empty(board, node->side, SET_FOUR)) {
        return false;
    }
    uint16_t move;
    int nodes = node->depth > 0 ? params->inner_vcf_nodes : params->leaf_vcf_nodes;
    uint64_t before = worker->vcf.nodes;
    worker->vcf.near = true;
    int plies = vcf_search(&worker->vcf, LEAF_VCF_DEPTH, (uint64_t)nodes, &move);
    worker->vcf.near = false;
    if (plies == 0) {
        node->fours = worker->vcf.nodes - before >= (uint64_t)nodes ? TT_FOURS_CUT_SHORT : TT_FOURS_NONE;
        return false;
    }
    *value = WIN_VALUE - (node->ply + plies);
    line_of_one(worker, node->ply, move);
    tree_store(worker, node, *value, TT_LOWER, move);
    return true;
}

/* Exits before any move: the horizon, and near it values far below the window (razoring) or far above it (reverse
 * futility pruning). */
static bool tree_is_settled(struct worker *worker, const struct node *node, enum stats_exit *exit) {
    const struct tree_params *params = &worker->shared->params;
    if (node->depth <= 0) {
        *exit = EXIT_HORIZON;
        return true;
    }
    if (node->pv || node->excluded != NO_SQUARE) {
        return false;
    }
    int depth = node->depth;
    int razor = params->razor_base + params->razor_square * depth / ONE_PLY * depth / ONE_PLY;
    if (depth <= params->razor_depth * ONE_PLY && node->eval + razor <= node->alpha && node->alpha < WIN_LEAST) {
        *exit = EXIT_RAZOR;
        return true;
    }
    int reverse = params->reverse_margin * depth / ONE_PLY - params->reverse_improving * node->improving;
    if (depth <= params->reverse_depth * ONE_PLY && !node->restricted && node->eval - reverse >= node->beta &&
        node->beta > -WIN_LEAST && node->eval < WIN_LEAST) {
        *exit = EXIT_REVERSE;
        return true;
    }
    return false;
}

static int tree_node(struct worker *worker, int alpha, int beta, int depth, int ply, bool cut, uint16_t excluded);

/* Singular extension: whether the table's move stands alone, which has it looked at deeper. True when the others are
 * good enough as well (multi-cut), which settles the node at *value. */
static bool test_singular(struct worker *worker, const struct node *node, int *extension, int *value) {
    const struct tree_params *params = &worker->shared->params;
    *extension = 0;
    if (node->ply == 0 || node->forced || node->depth < params->singular_depth * ONE_PLY ||
        node->table_move == NO_SQUARE || node->excluded != NO_SQUARE || !(node->hit.bound & TT_LOWER) ||
        node->hit.depth < node->depth - 3 * ONE_PLY || value_is_decided(node->table_value)) {
        return false;
    }
    int beta = node->table_value - params->singular_margin * plies_of(node->depth) / 100;
    *value = tree_node(worker, beta - 1, beta, (node->depth - ONE_PLY) / 2, node->ply, node->cut, node->table_move);
    worker->pv_length[node->ply] = 0;
    if (*value < beta) {
        bool far = !node->pv && *value < beta - params->singular_far && worker->extended[node->ply] < MOST_EXTENDED;
        *extension = far ? 2 * ONE_PLY : ONE_PLY;
    } else if (beta >= node->beta) {
        *value = beta;
        return true;
    }
    return false;
}

/* How many moves are worth a try at a node before the rest is left out. */
static int most_moves(const struct tree_params *params, const struct node *node) {
    int plies = plies_of(node->depth);
    int most = params->late_base + params->late_slope * plies / 16 + params->late_square * plies * plies / 256;
    return node->improving ? most : most * params->late_halved / 100;
}

/* Late-move pruning: whether all moves from here on come too late to be looked at, threats, answers to open threes and
 * the main line included; that threats and the main line are scores 60 % against leaving out only quiet moves off the
 * main line (164 games at 200 000 nodes). */
static bool is_late(const struct tree_params *params, const struct node *node, int searched) {
    return node->ply > 0 && !node->forced && searched >= most_moves(params, node);
}

/* Futility pruning: moves that cannot raise alpha near the horizon, and unlikely ones right above it. *rest: so are all
 * quiet moves behind it. */
static bool is_left_out(const struct worker *worker, const struct node *node, const struct scored_move *move,
                        int searched, bool *rest) {
    const struct tree_params *params = &worker->shared->params;
    *rest = false;
    if (node->ply == 0 || node->forced || node->restricted || node->pv || !is_quiet(&worker->board, move->square)) {
        return false;
    }
    if (node->depth < (params->futility_depth + 1) * ONE_PLY && searched >= 2 &&
        node->eval + params->futility_base + params->futility_margin * node->depth / ONE_PLY <= node->alpha) {
        *rest = true;
        return true;
    }
    int gap = worker->lists[node->ply].best_policy - move->policy;
    return node->depth < ONE_PLY && gap >= params->policy_base + params->policy_margin * node->depth / ONE_PLY;
}

/* Late-move reductions: how much shallower a late move is looked at first. */
static int reduction_of(const struct worker *worker, const struct node *node, const struct scored_move *move,
                        int own_class, int rank) {
    const struct tree_params *params = &worker->shared->params;
    int plies = plies_of(node->depth);
    int percent = (worker->lists[node->ply].best_policy - move->policy) * 100 / params->reduce_policy;
    percent += log32[plies > 64 ? 64 : plies] * log32[rank > 64 ? 64 : rank] * params->reduce_scale / 1024;
    percent += node->improving ? 0 : params->reduce_improving;
    percent += node->cut ? params->reduce_cut : 0;
    percent -= node->pv ? params->reduce_pv : 0;
    percent -= node->restricted ? params->reduce_answer : 0;
    percent -= worker->history[node->side][move->square] * 100 / params->reduce_history;
    percent -= own_class >= CLASS_THREE ? params->reduce_threat : 0;
    return hundredths(percent);
}

/* How far the moves of a node have been gone through. */
struct progress {
    int next;  /* in the ply's list */
    int tried; /* moves handed out or put off */
    int later_count;
    int later_next;
    struct scored_move later[MOST_LATER]; /* put off, since another thread was at them */
    int later_ranks[MOST_LATER];
};

/* Whether threads tell each other that they are at this move: at the first all of them may be. */
static bool is_told(const struct worker *worker, const struct node *node, int rank) {
    return worker->shared->several && rank > 0 && node->depth >= LATER_DEPTH * ONE_PLY;
}

/* ABDADA's exclusive moves: whether one is put off, since another thread is at it (search/busy.h). */
static bool put_off(const struct worker *worker, const struct node *node, const struct scored_move *move, int rank,
                    struct progress *progress) {
    ASSERT(rank >= 0 && progress->later_count <= MOST_LATER);
    if (!is_told(worker, node, rank) || progress->later_count == MOST_LATER ||
        !busy_has(&worker->shared->busy, gboard_hash_after(&worker->board, move->square))) {
        return false;
    }
    progress->later[progress->later_count] = *move;
    progress->later_ranks[progress->later_count++] = rank;
    return true;
}

/* The next move worth a try, and how many come before it by their order; false when there is none. `holds`: a move is
 * known that does not lose, and nothing is left out before. Pruning of late and futile moves, and what threads put off
 * for each other, happen here. */
static bool next_move(struct worker *worker, const struct node *node, bool holds, struct progress *progress,
                      struct scored_move *move, int *rank) {
    const struct tree_params *params = &worker->shared->params;
    struct move_list *list = &worker->lists[node->ply];
    while (progress->next < list->count) {
        int at = progress->next++;
        bool rest;
        if (at == (list->first_known ? 1 : 0)) {
            order_policy(worker, node->ply);
        }
        *move = order_pick(list, at);
        if (move->square == node->excluded || (node->ply == 0 && tree_is_skipped(worker, move->square))) {
            continue;
        }
        if (holds && is_late(params, node, progress->tried)) {
            progress->next = list->count;
            break;
        }
        if (holds && is_left_out(worker, node, move, progress->tried, &rest)) {
            if (rest) {
                order_drop_quiet(&worker->board, list, at + 1);
            }
            continue;
        }
        *rank = progress->tried++;
        if (!put_off(worker, node, move, *rank, progress)) {
            return true;
        }
    }
    if (progress->later_next == progress->later_count) {
        return false;
    }
    *rank = progress->later_ranks[progress->later_next];
    *move = progress->later[progress->later_next++];
    return true;
}

/* A move that is not the first, which has just been played: reduced and with no window, and again with more depth when
 * it turns out better than that. *depth, the whole one, is changed by what was seen. */
static int search_reduced(struct worker *worker, const struct node *node, const struct scored_move *move, int own_class,
                          int rank, int best_value, int *depth) {
    const struct tree_params *params = &worker->shared->params;
    int reduced = *depth;
    if (node->depth >= params->reduce_depth * ONE_PLY && rank >= params->reduce_from && !node->forced) {
        reduced = clamp(reduced - reduction_of(worker, node, move, own_class, rank), ONE_PLY, *depth);
        worker->stats.reduced += reduced < *depth;
    }
    int value = -tree_node(worker, -node->alpha - 1, -node->alpha, reduced, node->ply + 1, true, NO_SQUARE);
    if (reduced >= *depth || value <= node->alpha) {
        return value;
    }
    worker->stats.again++;
    *depth += node->alpha <= -WIN_LEAST && !value_is_decided(value) ? ONE_PLY : 0; /* the first that does not lose */
    *depth -= value < best_value + plies_of(*depth) ? ONE_PLY : 0;
    if (reduced < *depth) {
        value = -tree_node(worker, -node->alpha - 1, -node->alpha, *depth, node->ply + 1, !node->cut, NO_SQUARE);
    }
    return value;
}

/* Plays a move and searches it (principal variation search): the first with the whole window, the others so only when
 * they turn out better without one. */
static int tree_search_move(struct worker *worker, const struct node *node, const struct scored_move *move, int rank,
                            int extension, int best_value) {
    ASSERT(gboard_is_empty(&worker->board, move->square));
    ASSERT(rank >= 0);
    struct gboard *board = &worker->board;
    int ply = node->ply;
    int own_class = gboard_class(board, node->side, move->square);
    int depth = node->depth - ONE_PLY + extension;
    int value = 0;
    uint64_t hash = gboard_hash_after(board, move->square);
    bool told = is_told(worker, node, rank);
    gomoku_tt_prefetch(&worker->shared->table, hash);
    if (told) {
        busy_enter(&worker->shared->busy, hash);
    }
    gboard_play(board, move->square);
    worker->played[ply] = move->square;
    worker->extended[ply + 1] = worker->extended[ply] + (extension > ONE_PLY);
    bool full = rank == 0;
    if (!full) {
        value = search_reduced(worker, node, move, own_class, rank, best_value, &depth);
        full = node->pv && value > node->alpha;
        if (full && ply == 0 && !clock_stopped(&worker->shared->clock)) {
            line_of_one(worker, 0, move->square); /* better already, should the search be stopped in what follows */
            keep_root(worker, value);
        }
    }
    if (full) {
        value = -tree_node(worker, -node->beta, -node->alpha, depth, ply + 1, node->pv ? false : !node->cut, NO_SQUARE);
    }
    gboard_undo(board);
    if (told) {
        busy_leave(&worker->shared->busy, hash);
    }
    return value;
}

/* Whether somebody wants to hear which moves of the root are looked at. */
static bool is_heard(const struct worker *worker, const struct node *node) {
    return node->ply == 0 && worker->index == 0 && worker->root_skip_count == 0 && worker->shared->wishes.root;
}

static void tell_root(const struct worker *worker, uint16_t square, enum gomoku_root_news news) {
    const struct gomoku_wishes *wishes = &worker->shared->wishes;
    wishes->root(wishes->user, square, news);
}

/* A move of the root has its value. */
static void tell_value(const struct worker *worker, const struct node *node, uint16_t square, int value) {
    tell_root(worker, square, GOMOKU_ROOT_DONE);
    if (value <= -WIN_LEAST) {
        tell_root(worker, square, GOMOKU_ROOT_LOST);
    } else if (value > node->alpha) {
        tell_root(worker, square, GOMOKU_ROOT_BEST);
    }
}

/* How much deeper a move is looked at than a ply less: an answer to a four more, the table's move as the singular test
 * says, and less where a cut is expected and all that is asked is whether the position is lost. */
static int extension_of(const struct worker *worker, const struct node *node, uint16_t square, int table_extension) {
    const struct tree_params *params = &worker->shared->params;
    if (node->forced) {
        return hundredths(params->answer_more);
    }
    int extension = square == node->table_move ? table_extension : 0;
    if (!node->pv && node->cut && node->beta <= -WIN_LEAST &&
        gboard_class(&worker->board, node->side, square) < CLASS_FOUR) {
        extension -= hundredths(params->lost_less);
    }
    return extension;
}

/* What has come of a node's moves so far. */
struct outcome {
    int best_value;
    uint16_t best_move; /* one that raised alpha, or NO_SQUARE */
    int failed_count;
    uint16_t failed[MOST_FAILED]; /* searched, and not good enough */
};

/* Notes the value of a move; true when it is good enough to end the node. */
static bool take_value(struct worker *worker, struct node *node, uint16_t square, int value, struct outcome *outcome) {
    bool better = value > outcome->best_value;
    outcome->best_value = better ? value : outcome->best_value;
    if (!better || value <= node->alpha) {
        if (outcome->failed_count < MOST_FAILED) {
            outcome->failed[outcome->failed_count++] = square;
        }
        return false;
    }
    outcome->best_move = square;
    if (node->pv) {
        tree_keep_line(worker, node->ply, square);
    }
    if (node->ply == 0) {
        keep_root(worker, value);
    }
    if (value >= node->beta) {
        return true;
    }
    node->alpha = value;
    return false;
}

/* All moves worth a try have been: learns from them, and fills the table. */
static int tree_finish(struct worker *worker, const struct node *node, const struct outcome *outcome, int tried) {
    ASSERT(tried > 0);
    int value = outcome->best_value;
    enum stats_exit exit = value >= node->beta ? EXIT_CUT : value > node->old_alpha ? EXIT_INSIDE : EXIT_ALL;
    if (exit == EXIT_CUT) {
        worker->stats.cut_moves[node->entered] += (uint64_t)tried;
        worker->stats.first_cuts += tried == 1;
        if (!node->forced) {
            order_learn(worker, node->ply, plies_of(node->depth), outcome->best_move, outcome->failed,
                        outcome->failed_count);
        }
    } else if (exit == EXIT_ALL) {
        worker->stats.all_moves[node->entered] += (uint64_t)tried;
    }
    enum tt_bound bound = exit == EXIT_CUT ? TT_LOWER : exit == EXIT_INSIDE ? TT_EXACT : TT_UPPER;
    tree_store(worker, node, value, bound, outcome->best_move);
    return tree_leave(worker, node, exit, value);
}

/* Every move worth a try; fills the table. */
static int search_moves(struct worker *worker, struct node *node, int table_extension) {
    struct progress progress;
    progress.next = progress.tried = progress.later_count = progress.later_next = 0;
    struct outcome outcome;
    outcome.best_value = -GAME_INFINITY;
    outcome.best_move = NO_SQUARE;
    outcome.failed_count = 0;
    struct scored_move move;
    int rank;
    bool heard = is_heard(worker, node);
    order_list(worker, node->squares, node->ply, node->table_move);
    worker->killers[node->ply + 2][0] = worker->killers[node->ply + 2][1] = NO_SQUARE;

    while (next_move(worker, node, outcome.best_value > -WIN_LEAST, &progress, &move, &rank)) {
        int extension = extension_of(worker, node, move.square, table_extension);
        if (heard) {
            tell_root(worker, move.square, GOMOKU_ROOT_BEGUN);
        }
        int value = tree_search_move(worker, node, &move, rank, extension, outcome.best_value);
        if (clock_stopped(&worker->shared->clock)) {
            return 0;
        }
        if (heard) {
            tell_value(worker, node, move.square, value);
        }
        if (take_value(worker, node, move.square, value, &outcome)) {
            break;
        }
    }
    if (progress.tried == 0) {
        return node->alpha; /* only when the one move there is was excluded */
    }
    return tree_finish(worker, node, &outcome, progress.tried);
}

/* Counts a visit to the node, for the statistics and the clock. True when the clock has ended the search. */
static bool tree_enter(struct worker *worker, struct node *node) {
    int plies = plies_of(node->depth);
    node->entered = plies < STATS_DEPTHS ? plies : STATS_DEPTHS - 1;
    worker->nodes++;
    worker->pv_length[node->ply] = 0;
    if (clock_tick(&worker->shared->clock, &worker->meter, worker->nodes + worker->vcf.nodes)) {
        return true;
    }
    if (node->entered == 1) {
        worker->stats.frontier++;
        worker->stats.frontier_plies += (uint64_t)node->ply;
    }
    return false;
}

/* Nothing here can beat a shorter win, or lose earlier, than what is known: narrows the window to what can be. True
 * when nothing is left of it. */
static bool is_beyond_mates(struct node *node) {
    if (node->ply > 0) {
        int least = -(WIN_VALUE - (node->ply + 2));
        int most = WIN_VALUE - (node->ply + 1);
        node->alpha = node->alpha > least ? node->alpha : least;
        node->beta = node->beta < most ? node->beta : most;
    }
    node->old_alpha = node->alpha;
    return node->alpha >= node->beta;
}

/* Which moves there are: the one that stops a five, those that stop an open four, or all near ones. False when nothing
 * stops an open four. */
static bool find_moves(const struct worker *worker, struct node *node) {
    const struct gboard *board = &worker->board;
    if (node->forced && gboard_is_peculiar(board)) {
        moves_stops(board, node->squares);
    } else if (node->forced) {
        memcpy(node->squares, board->sets[1 - node->side][SET_FIVE], sizeof node->squares);
    } else {
        node->restricted = moves_forced(board, node->squares);
        if (node->restricted && moves_none(node->squares)) {
            if (node->ply > 0) {
                return false;
            }
            node->restricted = false; /* all stops forbidden: anything that is not */
        }
        if (!node->restricted) {
            moves_near(board, node->squares);
        }
    }
    if (node->ply == 0 && worker->shared->wishes.closed) {
        open_others(worker, node);
    }
    return true;
}

/* What the position is worth without a move; after a four that must be answered it is what it was before. */
static void evaluate_ply(struct worker *worker, struct node *node) {
    int ply = node->ply;
    const int16_t *evals = worker->evals;
    if (node->forced) {
        worker->evals[ply] = (int16_t)(ply > 0 && evals[ply - 1] != VALUE_NONE ? -evals[ply - 1] : VALUE_NONE);
        return;
    }
    tree_evaluate(worker, node);
    worker->evals[ply] = (int16_t)node->static_eval;
    node->improving = ply >= 2 && evals[ply - 2] != VALUE_NONE && node->static_eval > evals[ply - 2];
}

/* Whether the node ends before any move is tried, by fours that win or by its value; *value then. What was worked out
 * is kept in the table. */
static bool ends_early(struct worker *worker, struct node *node, enum stats_exit *exit, int *value) {
    if (fours_win(worker, node, value)) {
        *exit = EXIT_FOURS;
        return true;
    }
    if (clock_stopped(&worker->shared->clock)) {
        return false; /* nothing found may mean nothing looked for: it must not reach the table */
    }
    bool settled = tree_is_settled(worker, node, exit);
    if (node->excluded == NO_SQUARE &&
        (!node->known || (settled && node->fours != node->hit.fours && node->hit.depth <= 0))) {
        tree_store(worker, node, node->static_eval, TT_NONE, NO_SQUARE);
    }
    *value = node->eval;
    return settled;
}

/* Without a move from the table, a shallower search finds one for next time. */
static int depth_without_table(const struct worker *worker, const struct node *node) {
    if (node->forced || node->excluded != NO_SQUARE || node->ply == 0) {
        return node->depth;
    }
    bool untried = node->table_move == NO_SQUARE && node->depth >= 4 * ONE_PLY && (node->pv || node->cut);
    int depth = node->depth - (untried ? hundredths(worker->shared->params.table_less) : 0);
    return depth < ONE_PLY / 2 ? ONE_PLY / 2 : depth;
}

/* One node, step by step. Each step bears the name a chess program gives it. `cut`: a move that is good enough is
 * expected. There is no null move, and no quiescence search of captures: the fours of step 6 stand in its place. */
static int tree_node(struct worker *worker, int alpha, int beta, int depth, int ply, bool cut, uint16_t excluded) {
    ASSERT(alpha < beta);
    ASSERT(ply >= 0 && ply <= MOST_PLY);
    struct node node = {.alpha = alpha,
                        .beta = beta,
                        .depth = depth,
                        .ply = ply,
                        .side = worker->board.side,
                        .excluded = excluded,
                        .pv = beta - alpha > 1,
                        .cut = cut,
                        .static_eval = VALUE_NONE};
    enum stats_exit exit;
    int value;
    if (tree_enter(worker, &node)) {
        return 0;
    }

    /* 1. Decided positions. */
    if (tree_is_decided(worker, &node, &value)) {
        return tree_leave(worker, &node, EXIT_DECIDED, value);
    }

    /* 2. Mate distance pruning. */
    if (is_beyond_mates(&node)) {
        return node.alpha;
    }

    /* 3. The transposition table. */
    if (tree_probe_table(worker, &node)) {
        return tree_leave(worker, &node, EXIT_TABLE, node.table_value);
    }

    /* 4. Move generation. */
    if (!find_moves(worker, &node)) {
        return tree_leave(worker, &node, EXIT_DECIDED, -(WIN_VALUE - (ply + 4)));
    }
    if (gboard_is_peculiar(&worker->board) && moves_none(node.squares)) {
        return tree_leave(worker, &node, EXIT_DECIDED, 0); /* no square is allowed: a draw */
    }

    /* 5. Static evaluation, and whether it is improving. */
    evaluate_ply(worker, &node);

    /* 6. Victory by continuous fours, then the horizon, razoring and reverse futility pruning. */
    if (!node.forced) {
        bool ends = ends_early(worker, &node, &exit, &value);
        if (clock_stopped(&worker->shared->clock)) {
            return 0;
        }
        if (ends) {
            return tree_leave(worker, &node, exit, value);
        }
    }

    /* 7. Internal iterative reduction. */
    node.depth = depth_without_table(worker, &node);

    /* 8. Singular extension of the table's move, and multi-cut where others are good enough as well. */
    int extension;
    if (test_singular(worker, &node, &extension, &value)) {
        return tree_leave(worker, &node, EXIT_SINGULAR, value);
    }

    /* 9. The moves in order of policy, history, killers and countermoves, each with its own steps: late-move and
     * futility pruning and ABDADA (next_move), then late-move reductions and the principal variation search. */
    return search_moves(worker, &node, extension);
}

int tree_search(struct worker *worker, int alpha, int beta, int depth) {
    ASSERT(alpha < beta);
    ASSERT(depth >= 1);
    worker->extended[0] = 0;
    return tree_node(worker, alpha, beta, depth * ONE_PLY, 0, false, NO_SQUARE);
}
