/* The order of moves: how likely a square looks, and what this search has learnt about it. */
#include <string.h>

#include "base/assert.h"
#include "base/bits.h"
#include "games/gomoku/search/search.h"

#define HISTORY_TOP 8192
#define TABLE_MOVE_FIRST (1 << 20)

/* The last two moves before a ply. */
static void last_moves(const struct worker *worker, int ply, uint16_t last[2]) {
    for (int i = 0; i < 2; i++) {
        last[i] = ply > i ? worker->played[ply - 1 - i] : worker->before[i - ply];
    }
}

/* Adds to a move's score when it is in the list, which has the squares of the set in their order, and is not another.
 * Returns where it is, or -1. */
static int add_score(struct move_list *list, const uint64_t *squares, uint16_t square, uint16_t other, int score) {
    if (square == NO_SQUARE || square == other || !(squares[square >> 6] >> (square & 63) & 1)) {
        return -1;
    }
    int at = bits_count(squares[square >> 6] & ((1ULL << (square & 63)) - 1));
    for (int word = 0; word < square >> 6; word++) {
        at += bits_count(squares[word]);
    }
    list->moves[at].score += score;
    return at;
}

void order_list(struct worker *worker, const uint64_t *squares, int ply, uint16_t table_move) {
    ASSERT(ply >= 0 && ply <= MOST_PLY);
    const struct gboard *board = &worker->board;
    const struct tree_params *params = &worker->shared->params;
    struct move_list *list = &worker->lists[ply];
    int side = board->side;
    uint16_t last[2];
    last_moves(worker, ply, last);
    uint16_t counter = last[0] != NO_SQUARE ? worker->counter[side][last[0]] : NO_SQUARE;
    int count = 0;
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = squares[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            list->moves[count++] = (struct scored_move){(uint16_t)square, 0, worker->order[side][square]};
        }
    }
    list->count = count;
    add_score(list, squares, worker->killers[ply][0], table_move, params->killer);
    if (worker->killers[ply][1] != worker->killers[ply][0]) {
        add_score(list, squares, worker->killers[ply][1], table_move, params->killer);
    }
    add_score(list, squares, counter, NO_SQUARE, params->counter);
    list->first = add_score(list, squares, table_move, NO_SQUARE, TABLE_MOVE_FIRST);
    list->first_known = list->first >= 0 || count == 1;
}

void order_policy(struct worker *worker, int ply) {
    ASSERT(ply >= 0 && ply <= MOST_PLY);
    const struct gboard *board = &worker->board;
    struct move_list *list = &worker->lists[ply];
    uint16_t last[2];
    last_moves(worker, ply, last);
    uint16_t squares[GOMOKU_MOST_SQUARES];
    int policies[GOMOKU_MOST_SQUARES];
    for (int i = 0; i < list->count; i++) {
        squares[i] = list->moves[i].square;
    }
    net_policies(worker->net, board, (int[2]){last[0] == NO_SQUARE ? -1 : last[0], last[1] == NO_SQUARE ? -1 : last[1]},
                 squares, list->count, policies);
    int most = -32768;
    for (int i = 0; i < list->count; i++) {
        int policy = policies[i] > 30000 ? 30000 : policies[i] < -30000 ? -30000 : policies[i];
        list->moves[i].policy = (int16_t)policy;
        list->moves[i].score += policy;
        most = policy > most ? policy : most;
    }
    list->best_policy = most;
}

struct scored_move order_pick(struct move_list *list, int from) {
    ASSERT(from >= 0 && from < list->count);
    struct scored_move *moves = list->moves;
    int count = list->count;
    int best = count;
    if (from == 0 && list->first >= 0) {
        best = list->first;
    } else {
        int32_t most = moves[from].score; /* in two loops, each of which compilers make vectors of */
        for (int i = from + 1; i < count; i++) {
            most = moves[i].score > most ? moves[i].score : most;
        }
        for (int i = from; i < count; i++) {
            int at = moves[i].score == most ? i : count;
            best = at < best ? at : best;
        }
    }
    struct scored_move move = moves[best];
    moves[best] = moves[from];
    moves[from] = move;
    return move;
}

void order_drop_quiet(const struct gboard *board, struct move_list *list, int from) {
    ASSERT(from >= 0);
    int count = from;
    for (int i = from; i < list->count; i++) {
        if (!is_quiet(board, list->moves[i].square)) {
            list->moves[count++] = list->moves[i];
        }
    }
    list->count = count;
}

static void history_add(struct worker *worker, int side, uint16_t square, int bonus) {
    ASSERT(bonus >= -HISTORY_TOP && bonus <= HISTORY_TOP);
    int size = bonus < 0 ? -bonus : bonus;
    int16_t *entry = &worker->history[side][square];
    *entry = (int16_t)(*entry + bonus - *entry * size / HISTORY_TOP);
    worker->order[side][square] = (int16_t)(*entry / worker->shared->params.history);
}

void order_learn(struct worker *worker, int ply, int depth, uint16_t best, const uint16_t *failed, int count) {
    ASSERT(best != NO_SQUARE);
    ASSERT(count >= 0);
    int side = worker->board.side;
    int bonus = depth * depth * 4 > 1200 ? 1200 : depth * depth * 4;
    history_add(worker, side, best, bonus);
    for (int i = 0; i < count; i++) {
        history_add(worker, side, failed[i], -bonus / 2);
    }
    if (worker->killers[ply][0] != best) {
        worker->killers[ply][1] = worker->killers[ply][0];
        worker->killers[ply][0] = best;
    }
    if (ply > 0) {
        worker->counter[side][worker->played[ply - 1]] = best;
    }
}

void order_age(struct worker *worker) {
    for (int side = 0; side < 2; side++) {
        for (int square = 0; square < GOMOKU_MOST_SQUARES; square++) {
            worker->history[side][square] /= 2;
            worker->order[side][square] = (int16_t)(worker->history[side][square] / worker->shared->params.history);
        }
    }
    memset(worker->killers, 0xff, sizeof worker->killers);
}

void order_forget(struct worker *worker) {
    memset(worker->history, 0, sizeof worker->history);
    memset(worker->order, 0, sizeof worker->order);
    memset(worker->counter, 0xff, sizeof worker->counter);
    memset(worker->killers, 0xff, sizeof worker->killers);
}
