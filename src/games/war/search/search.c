/* The competition search: iterative deepening principal variation search with a transposition table. */
#include <string.h>

#include "base/assert.h"
#include "base/greatest.h"
#include "games/war/search/searcher.h"

/* An entry of the table: worth 6 (the depth, at most 63), bound 2, depth 10, cell 10, value 32 from the top. */
enum { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT };

static uint64_t war_search_entry_pack(int32_t value, int cell, int depth, int bound) {
    uint64_t worth = (uint64_t)(depth < 63 ? depth : 63);
    return (uint64_t)(uint32_t)value << 32 | (uint64_t)cell << 18 | (uint64_t)depth << 8 | (uint64_t)bound << 6 | worth;
}

static int32_t entry_value(uint64_t entry) {
    return (int32_t)(uint32_t)(entry >> 32);
}

static int entry_cell(uint64_t entry) {
    return (int)(entry >> 18 & 1023);
}

static int war_search_entry_depth(uint64_t entry) {
    return (int)(entry >> 8 & 1023);
}

static int war_search_entry_worth(uint64_t entry, unsigned generation) {
    (void)generation;
    return (int)(entry & 63);
}

static int entry_bound(uint64_t entry) {
    return (int)(entry >> 6 & 3);
}

/* The evaluation, from the view of the side to move: the score; what each side could flip, more for the side that is
 * about to move; the empty squares that only one side stands beside; and the move itself. The weights, in 64ths, are
 * least squares of the exact value (docs/war.md). */
static int32_t war_search_evaluate(const struct war_worker *worker) {
    enum { OWN_THREAT = 54, OTHER_THREAT = 8, ONLY = 29, TEMPO = 50 };
    const struct war_board *board = &worker->board;
    if (worker->plain || board->empties == 0) {
        return board->score;
    }
    int own = board->side;
    int other = 1 - own;
    int64_t more = (int64_t)OWN_THREAT * board->threat[own] - (int64_t)OTHER_THREAT * board->threat[other] +
                   (int64_t)board->mean * (ONLY * (board->only[own] - board->only[other]) + TEMPO);
    return board->score + (int32_t)(more / 64);
}

/* Fills the moves of a node with their sorting keys: what the move gains, and what it denies the other side. */
static int war_search_list_moves(struct war_worker *worker, int ply, int first) {
    const struct war_board *board = &worker->board;
    int count = board->empties;
    uint16_t *moves = worker->moves[ply];
    int32_t *order = worker->order[ply];
    for (int i = 0; i < count; i++) {
        int cell = board->empty[i];
        moves[i] = (uint16_t)cell;
        order[i] = cell == first ? GAME_INFINITY : board_gain_both(board, cell);
    }
    return count;
}

/* Brings the best of the moves from `at` on to `at`. */
static int war_search_pick_move(struct war_worker *worker, int ply, int at, int count) {
    uint16_t *moves = worker->moves[ply];
    int32_t *order = worker->order[ply];
    int best = greatest_from(order, at, count);
    uint16_t move = moves[best];
    int32_t key = order[best];
    moves[best] = moves[at];
    order[best] = order[at];
    moves[at] = move;
    order[at] = key;
    return move;
}

static void war_search_keep_line(struct war_worker *worker, int ply, int cell) {
    int tail = worker->pv_length[ply + 1];
    worker->pv[ply][0] = (uint16_t)cell;
    memcpy(&worker->pv[ply][1], worker->pv[ply + 1], (size_t)tail * sizeof worker->pv[0][0]);
    worker->pv_length[ply] = tail + 1;
}

/* How many of the best-looking moves are searched at an inner node with this much depth left. */
static int width(const struct war_worker *worker, int depth) {
    if (worker->full) {
        return WAR_MOST_SQUARES;
    }
    return depth >= 4 ? 8 : 6;
}

/* Whether the table has a value good enough for this window; lines are not cut short by it. *first is the cell to begin
 * with, 0 where none is known. */
static inline bool probe(const struct war_worker *worker, struct table_key key, int depth, int32_t alpha, int32_t beta,
                         int *first, int32_t *value) {
    uint64_t entry = table_probe(worker->table, key);
    *first = 0;
    if (!entry) {
        return false;
    }
    int cell = entry_cell(entry);
    *first = worker->board.owner[cell] == BOARD_EMPTY ? cell : 0;
    *value = entry_value(entry);
    int bound = entry_bound(entry);
    return war_search_entry_depth(entry) >= depth && beta - alpha <= 1 &&
           (bound == BOUND_EXACT || (bound == BOUND_LOWER && *value >= beta) ||
            (bound == BOUND_UPPER && *value <= alpha));
}

static int32_t war_search_node(struct war_worker *worker, int depth, int32_t alpha, int32_t beta, int ply) {
    struct war_board *board = &worker->board;
    worker->pv_length[ply] = 0;

    /* 1. Stop when told to; the value returned then is not used. */
    worker->nodes++;
    if (clock_tick(worker->clock, &worker->meter, worker->nodes)) {
        return 0;
    }

    /* 2. The end of the game, or of the depth. */
    if (board->empties == 0 || depth == 0) {
        worker->leaves++;
        return war_search_evaluate(worker);
    }
    if (depth > board->empties) {
        depth = board->empties;
    }

    /* 3. The table: a value good enough for this window, or at least a first move. */
    bool on_line = beta - alpha > 1;
    uint64_t hash = worker->full ? board->key : board->key ^ 0x5bd1e9955bd1e995ULL;
    struct table_key key = {hash, hash};
    int first;
    int32_t known;
    if (probe(worker, key, depth, alpha, beta, &first, &known)) {
        return known;
    }

    /* 4. The moves, best first; all after the first are tried with an empty window. */
    int count = war_search_list_moves(worker, ply, first);
    int most = width(worker, depth);
    int32_t best = -GAME_INFINITY;
    int32_t bottom = alpha;
    int best_cell = 0;
    for (int i = 0; i < count && i < most; i++) {
        int cell = war_search_pick_move(worker, ply, i, count);
        struct board_undo undo;
        board_play(board, cell, &undo);
        int32_t value;
        if (i == 0) {
            value = -war_search_node(worker, depth - 1, -beta, -alpha, ply + 1);
        } else {
            value = -war_search_node(worker, depth - 1, -alpha - 1, -alpha, ply + 1);
            if (value > alpha && value < beta && on_line) {
                value = -war_search_node(worker, depth - 1, -beta, -alpha, ply + 1);
            }
        }
        board_take_back(board, &undo);
        if (clock_stopped(worker->clock)) {
            return 0;
        }
        if (value > best) {
            best = value;
            best_cell = cell;
            if (value > alpha) {
                alpha = value;
                war_search_keep_line(worker, ply, cell);
            }
            if (value >= beta) {
                worker->cutoffs++;
                break;
            }
        }
    }

    /* 5. Remember. */
    int bound = best >= beta ? BOUND_LOWER : best > bottom ? BOUND_EXACT : BOUND_UPPER;
    uint64_t data = war_search_entry_pack(best, best_cell, depth, bound);
    if (table_store(worker->table, key, data, war_search_entry_worth(data, 0), war_search_entry_worth)) {
        clock_over(worker->clock);
    }
    return best;
}

/* Sorts the root moves by value, equal ones by cell, in steps of shrinking gaps. */
static void sort_root(struct war_worker *worker) {
    static const int gaps[] = {301, 132, 57, 23, 10, 4, 1};
    struct war_root_move *root = worker->root;
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        for (int i = gaps[g]; i < worker->root_count; i++) {
            struct war_root_move move = root[i];
            int j = i;
            while (j >= gaps[g] && (move.value > root[j - gaps[g]].value ||
                                    (move.value == root[j - gaps[g]].value && move.cell < root[j - gaps[g]].cell))) {
                root[j] = root[j - gaps[g]];
                j -= gaps[g];
            }
            root[j] = move;
        }
    }
}

static void list_root(struct war_worker *worker) {
    const struct war_board *board = &worker->board;
    worker->root_count = board->empties;
    for (int i = 0; i < board->empties; i++) {
        int cell = board->empty[i];
        worker->root[i].cell = (uint16_t)cell;
        worker->root[i].value = board_gain_both(board, cell);
    }
    sort_root(worker);
    worker->line[0] = worker->root[0].cell;
    worker->line_length = 1;
}

/* One depth at the root. The best move stands in front as soon as it is known, so that a search ended in the
 * middle of a depth answers with the best it has seen. */
static void war_search_root(struct war_worker *worker, int depth) {
    struct war_board *board = &worker->board;
    int32_t alpha = -GAME_INFINITY;
    int most = worker->full || depth == 1 ? worker->root_count : 32;
    for (int i = 0; i < worker->root_count && i < most; i++) {
        struct war_root_move *move = &worker->root[i];
        struct board_undo undo;
        board_play(board, move->cell, &undo);
        int32_t value;
        if (i == 0) {
            value = -war_search_node(worker, depth - 1, -GAME_INFINITY, GAME_INFINITY, 1);
        } else {
            value = -war_search_node(worker, depth - 1, -alpha - 1, -alpha, 1);
            if (value > alpha) {
                value = -war_search_node(worker, depth - 1, -GAME_INFINITY, -alpha, 1);
            }
        }
        board_take_back(board, &undo);
        if (clock_stopped(worker->clock)) {
            return;
        }
        if (i == 0 || value > alpha) {
            alpha = value;
            struct war_root_move best = {move->cell, value};
            memmove(&worker->root[1], &worker->root[0], (size_t)i * sizeof best);
            worker->root[0] = best;
            worker->line[0] = best.cell;
            memcpy(&worker->line[1], worker->pv[1], (size_t)worker->pv_length[1] * sizeof worker->line[0]);
            worker->line_length = worker->pv_length[1] + 1;
        }
    }
}

int war_search(struct war_worker *worker, int most_depth, war_report *report, void *user) {
    ASSERT(most_depth >= 1);
    ASSERT(worker->board.empties > 0);
    worker->nodes = worker->leaves = worker->cutoffs = 0;
    worker->meter = (struct clock_meter){.step = WAR_LOOK_STEP};
    list_root(worker);
    if (most_depth > worker->board.empties) {
        most_depth = worker->board.empties;
    }
    if (most_depth > WAR_MOST_DEPTH) {
        most_depth = WAR_MOST_DEPTH;
    }
    int depth = 0;
    while (depth < most_depth && clock_allows_more(worker->clock)) {
        war_search_root(worker, depth + 1);
        if (clock_stopped(worker->clock)) {
            break;
        }
        depth++;
        if (report) {
            report(user, worker, depth);
        }
    }
    clock_tell(worker->clock, &worker->meter, worker->nodes);
    return depth;
}
