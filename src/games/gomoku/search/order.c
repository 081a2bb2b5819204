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

void order_list(struct worker *worker, const uint64_t *squares, int ply, uint16_t table_move) {
    ASSERT(ply >= 0 && ply <= MOST_PLY);
    const struct gboard *board = &worker->board;
    const struct tree_params *params = &worker->shared->params;
    struct move_list *list = &worker->lists[ply];
    int side = board->side;
    uint16_t last[2];
    last_moves(worker, ply, last);
    uint16_t counter = last[0] != NO_SQUARE ? worker->counter[side][last[0]] : NO_SQUARE;
    list->count = 0;
    list->first_known = false;
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = squares[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            int score = worker->history[side][square] / params->history;
            if (square == table_move) {
                score += TABLE_MOVE_FIRST;
                list->first_known = true;
            } else if (square == worker->killers[ply][0] || square == worker->killers[ply][1]) {
                score += params->killer;
            }
            if (square == counter) {
                score += params->counter;
            }
            list->moves[list->count++] = (struct scored_move){(uint16_t)square, 0, score};
        }
    }
    list->first_known = list->first_known || list->count == 1;
}

void order_policy(struct worker *worker, int ply) {
    ASSERT(ply >= 0 && ply <= MOST_PLY);
    const struct gboard *board = &worker->board;
    struct move_list *list = &worker->lists[ply];
    uint16_t last[2];
    last_moves(worker, ply, last);
    struct net_policy weights;
    net_policy_begin(worker->net, board, &weights);
    list->best_policy = -32768;
    for (int i = 0; i < list->count; i++) {
        struct scored_move *move = &list->moves[i];
        int policy = net_policy_of(worker->net, &weights, move->square) +
                     move_draw(board, move->square, last, net_numbers()->draw);
        policy = policy > 30000 ? 30000 : policy < -30000 ? -30000 : policy;
        move->policy = (int16_t)policy;
        move->score += policy;
        list->best_policy = policy > list->best_policy ? policy : list->best_policy;
    }
}

struct scored_move order_pick(struct move_list *list, int from) {
    ASSERT(from >= 0 && from < list->count);
    int best = from;
    for (int i = from + 1; i < list->count; i++) {
        if (list->moves[i].score > list->moves[best].score) {
            best = i;
        }
    }
    struct scored_move move = list->moves[best];
    list->moves[best] = list->moves[from];
    list->moves[from] = move;
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

static void history_add(int16_t *entry, int bonus) {
    ASSERT(bonus >= -HISTORY_TOP && bonus <= HISTORY_TOP);
    int size = bonus < 0 ? -bonus : bonus;
    *entry = (int16_t)(*entry + bonus - *entry * size / HISTORY_TOP);
}

void order_learn(struct worker *worker, int ply, int depth, uint16_t best, const uint16_t *failed, int count) {
    ASSERT(best != NO_SQUARE);
    ASSERT(count >= 0);
    int side = worker->board.side;
    int bonus = depth * depth * 4 > 1200 ? 1200 : depth * depth * 4;
    history_add(&worker->history[side][best], bonus);
    for (int i = 0; i < count; i++) {
        history_add(&worker->history[side][failed[i]], -bonus / 2);
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
        }
    }
    memset(worker->killers, 0xff, sizeof worker->killers);
}

void order_forget(struct worker *worker) {
    memset(worker->history, 0, sizeof worker->history);
    memset(worker->counter, 0xff, sizeof worker->counter);
    memset(worker->killers, 0xff, sizeof worker->killers);
}
