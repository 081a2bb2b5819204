/* Principal variation search: the heart of the engine. Values are for the side to move; a win in k plies from the
 * root is WIN_VALUE - k. */
#include <string.h>

#include "base/bits.h"
#include "games/gomoku/gomoku_search.h"

#define HISTORY_TOP 8192

/* Natural logarithms times 32, for the reductions: ln(0) is taken as 0. */
static const uint8_t log32[65] = {0,   0,   22,  35,  44,  52,  57,  62,  67,  70,  74,  77,  80,  82,  84,  87,  89,
                                  91,  92,  94,  96,  97,  99,  100, 102, 103, 104, 105, 107, 108, 109, 110, 111, 112,
                                  113, 114, 115, 116, 116, 117, 118, 119, 120, 120, 121, 122, 123, 123, 124, 125, 125,
                                  126, 126, 127, 128, 128, 129, 129, 130, 130, 131, 132, 132, 133, 133};

const struct tree_params tree_usual_params = {
    .leaf_vcf_nodes = 40,
    .inner_vcf_nodes = 80,
    .root_vct = 8,
    .vct_depth = 99,
    .vct_nodes = 100,
    .answer_moves = 0,
    .razor_base = 40,
    .razor_depth = 40,
    .reverse_depth = 8,
    .reverse_margin = 32,
    .reverse_improving = 25,
    .reduce_base = 40,
    .late_base = 3,
    .late_square = 4,
    .futility_depth = 5,
    .futility_base = 70,
    .futility_margin = 50,
    .policy_depth = 0,
    .policy_base = 100,
    .policy_margin = 32,
    .reduce_scale = 130,
    .reduce_policy = 1000,
    .reduce_history = 3000,
    .singular_depth = 5,
    .singular_margin = 2,
    .window = 20,
    .killer = 20,
    .counter = 15,
    .history = 256,
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

static bool none(const uint64_t *squares) {
    uint64_t any = 0;
    for (int i = 0; i < GBOARD_WORDS; i++) {
        any |= squares[i];
    }
    return any == 0;
}

/* The last two moves before a ply. */
static void last_moves(const struct worker *worker, int ply, uint16_t last[2]) {
    for (int i = 0; i < 2; i++) {
        last[i] = ply > i ? worker->played[ply - 1 - i] : worker->before[i - ply];
    }
}

/* Fills the ply's list with scored squares. */
static void score_moves(struct worker *worker, const uint64_t *squares, int ply, uint16_t table_move) {
    const struct gboard *board = &worker->board;
    struct move_list *list = &worker->lists[ply];
    int side = board->side;
    uint16_t last[2];
    last_moves(worker, ply, last);
    uint16_t counter = last[0] != NO_SQUARE ? worker->counter[side][last[0]] : NO_SQUARE;
    const struct tree_params *params = &worker->shared->params;
    list->count = 0;
    list->best_policy = -32768;
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = squares[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            int policy = move_score(board, square, last);
            int score = policy + worker->history[side][square] / params->history;
            if (square == table_move) {
                score += 1 << 20;
            } else if (square == worker->killers[ply][0] || square == worker->killers[ply][1]) {
                score += params->killer;
            }
            if (square == counter) {
                score += params->counter;
            }
            list->best_policy = policy > list->best_policy ? policy : list->best_policy;
            list->moves[list->count++] = (struct scored_move){(uint16_t)square, (int16_t)policy, score};
        }
    }
}

/* The next best of the list's rest comes to index `from`. */
static struct scored_move pick(struct move_list *list, int from) {
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

/* What a move of the side to move does there: quiet ones threaten nothing. */
static bool is_quiet(const struct gboard *board, const struct scored_move *move) {
    return board->cells[move->square].class_of[board->side] < CLASS_THREE;
}

/* No quiet move behind index `from` will be searched any more: drops them, so that they need not be sorted. */
static void drop_quiet(const struct gboard *board, struct move_list *list, int from) {
    int count = from;
    for (int i = from; i < list->count; i++) {
        if (!is_quiet(board, &list->moves[i])) {
            list->moves[count++] = list->moves[i];
        }
    }
    list->count = count;
}

static void history_add(int16_t *entry, int bonus) {
    int size = bonus < 0 ? -bonus : bonus;
    *entry = (int16_t)(*entry + bonus - *entry * size / HISTORY_TOP);
}

static void learn_cutoff(struct worker *worker, int ply, int depth, int index) {
    int side = worker->board.side;
    const struct move_list *list = &worker->lists[ply];
    uint16_t best = list->moves[index].square;
    int bonus = depth * depth * 4 > 1200 ? 1200 : depth * depth * 4;
    history_add(&worker->history[side][best], bonus);
    for (int i = 0; i < index; i++) {
        history_add(&worker->history[side][list->moves[i].square], -bonus / 2);
    }
    if (worker->killers[ply][0] != best) {
        worker->killers[ply][1] = worker->killers[ply][0];
        worker->killers[ply][0] = best;
    }
    if (ply > 0 && worker->played[ply - 1] != NO_SQUARE) {
        worker->counter[side][worker->played[ply - 1]] = best;
    }
}

static void keep_line(struct worker *worker, int ply, uint16_t move) {
    int rest = worker->pv_length[ply + 1];
    worker->pv[ply][0] = move;
    memcpy(&worker->pv[ply][1], worker->pv[ply + 1], (size_t)rest * sizeof(uint16_t));
    worker->pv_length[ply] = rest + 1;
}

static bool is_skipped(const struct worker *worker, uint16_t square) {
    for (int i = 0; i < worker->root_skip_count; i++) {
        if (worker->root_skip[i] == square) {
            return true;
        }
    }
    return false;
}

static int search(struct worker *worker, int alpha, int beta, int depth, int ply, bool cut_node, uint16_t excluded) {
    struct gboard *board = &worker->board;
    struct shared *shared = worker->shared;
    const int side = board->side;
    const int other = 1 - side;
    const bool root = ply == 0;
    const bool pv_node = beta - alpha > 1;
    const struct tree_params *params = &shared->params;

    worker->nodes++;
    worker->pv_length[ply] = 0;
    if (clock_tick(&shared->clock, &worker->meter, worker->nodes + worker->vcf.nodes)) {
        return 0;
    }

    /* 1. Decided positions. A five at once wins; two fives of the other side cannot both be stopped; an open four
     * wins unless the other side has a five first. */
    if (!gboard_set_empty(board, side, SET_FIVE)) {
        worker->pv[ply][0] = (uint16_t)gboard_set_first(board, side, SET_FIVE);
        worker->pv_length[ply] = 1;
        return WIN_VALUE - (ply + 1);
    }
    if (board->count >= board->squares) {
        return 0;
    }
    int threats = gboard_set_count(board, other, SET_FIVE);
    if (threats > 1) {
        worker->pv[ply][0] = (uint16_t)gboard_set_first(board, other, SET_FIVE);
        worker->pv_length[ply] = 1;
        return -(WIN_VALUE - (ply + 2));
    }
    if (threats == 0 && !gboard_set_empty(board, side, SET_OPEN_FOUR) && excluded == NO_SQUARE && !root) {
        worker->pv[ply][0] = (uint16_t)gboard_set_first(board, side, SET_OPEN_FOUR);
        worker->pv_length[ply] = 1;
        return WIN_VALUE - (ply + 3);
    }
    if (ply >= MOST_PLY) {
        return gboard_evaluate(board);
    }

    /* 2. Nothing here can beat a shorter win, or lose earlier, than what is known. */
    if (!root) {
        int least = -(WIN_VALUE - (ply + 2));
        int most = WIN_VALUE - (ply + 1);
        alpha = alpha > least ? alpha : least;
        beta = beta < most ? beta : most;
        if (alpha >= beta) {
            return alpha;
        }
    }

    /* 3. The table. */
    struct gomoku_tt_hit hit = {.move = GOMOKU_TT_NO_MOVE, .bound = TT_NONE, .eval = VALUE_NONE};
    uint64_t key = board->hash ^ (excluded == NO_SQUARE ? 0 : rng_mix(excluded));
    bool known = gomoku_tt_probe(&shared->table, key, &hit);
    uint16_t table_move = NO_SQUARE;
    int table_value = 0;
    if (known) {
        table_value = value_from_table(hit.value, ply);
        if (hit.move != GOMOKU_TT_NO_MOVE && hit.move < board->squares && gboard_is_empty(board, hit.move)) {
            table_move = hit.move;
        }
        if (!pv_node && hit.depth >= depth &&
            (hit.bound == TT_EXACT || (hit.bound == TT_LOWER && table_value >= beta) ||
             (hit.bound == TT_UPPER && table_value <= alpha))) {
            return table_value;
        }
    }

    /* 4. Which moves there are: the one that stops a five, those that stop an open four, or all near ones. */
    uint64_t squares[GBOARD_WORDS];
    bool forced = threats == 1;
    bool restricted = false;
    if (forced) {
        memcpy(squares, board->sets[other][SET_FIVE], sizeof squares);
    } else {
        restricted = moves_forced(board, squares);
        if (!restricted) {
            moves_near(board, squares);
        } else if (!root && none(squares)) {
            return -(WIN_VALUE - (ply + 4));
        }
    }

    int eval = VALUE_NONE;
    bool fours = known && hit.fours;
    if (!forced) {
        eval = hit.eval != VALUE_NONE ? hit.eval : gboard_evaluate(board);

        /* 5. Fours all the way to a win: once at every node that needs one, because its value is not good enough as it
         * is (58 % against looking at every node, 228 games). Threats all the way: where the depth makes it worth
         * while. */
        bool enough = !pv_node && eval >= beta && beta > -WIN_LEAST;
        if (excluded == NO_SQUARE && !root && !enough) {
            uint16_t move;
            int plies = 0;
            if (!fours && !gboard_set_empty(board, side, SET_FOUR)) {
                plies = vcf_search(&worker->vcf, 12,
                                   (uint64_t)(depth > 0 ? params->inner_vcf_nodes : params->leaf_vcf_nodes), &move);
            }
            fours = true;
            if (plies == 0 && depth >= params->vct_depth && !(known && hit.depth >= params->vct_depth)) {
                plies = vct_search(&worker->vcf, 2 + depth, (uint64_t)depth * (uint64_t)params->vct_nodes, &move);
            }
            if (clock_stopped(&shared->clock)) {
                return 0; /* nothing found may mean nothing looked for */
            }
            if (plies > 0) {
                int value = WIN_VALUE - (ply + plies);
                worker->pv_length[ply] = 1;
                worker->pv[ply][0] = move;
                gomoku_tt_store(&shared->table, key,
                                (struct gomoku_tt_hit){.move = move,
                                                       .value = value_to_table(value, ply),
                                                       .eval = eval,
                                                       .depth = MOST_PLY,
                                                       .bound = TT_LOWER,
                                                       .fours = true});
                return value;
            }
        }

        /* 6. The horizon. */
        if (depth <= 0) {
            worker->leaves++;
            if (!known || (fours && !hit.fours && hit.depth <= 0)) {
                gomoku_tt_store(&shared->table, key,
                                (struct gomoku_tt_hit){.move = GOMOKU_TT_NO_MOVE,
                                                       .value = eval,
                                                       .eval = eval,
                                                       .depth = 0,
                                                       .bound = fours ? TT_EXACT : TT_LOWER,
                                                       .fours = fours});
            }
            return eval;
        }
    }
    worker->evals[ply] = (int16_t)eval;
    bool improving = !forced && ply >= 2 && worker->evals[ply - 2] != VALUE_NONE && eval > worker->evals[ply - 2];

    if (!forced && !pv_node && excluded == NO_SQUARE) {
        /* 7. Far below alpha near the horizon, and no fours that win: give up. */
        if (depth <= 3 && eval + params->razor_base + params->razor_depth * depth * depth <= alpha &&
            alpha < WIN_LEAST) {
            return eval;
        }
        /* 8. Far above beta: stop. */
        if (depth <= params->reverse_depth && !restricted &&
            eval - params->reverse_margin * depth + params->reverse_improving * improving >= beta &&
            beta > -WIN_LEAST && eval < WIN_LEAST) {
            return eval;
        }
    }

    /* 9. Without a move from the table, a shallower search finds one next time. */
    if (table_move == NO_SQUARE && depth >= 4 && !forced && (pv_node || cut_node)) {
        depth--;
    }

    score_moves(worker, squares, ply, table_move);
    struct move_list *list = &worker->lists[ply];
    int best_value = -GAME_INFINITY;
    uint16_t best_move = NO_SQUARE;
    int old_alpha = alpha;
    int searched = 0;
    worker->killers[ply + 1][0] = worker->killers[ply + 1][1] = NO_SQUARE;

    for (int i = 0; i < list->count; i++) {
        struct scored_move move = pick(list, i);
        if (move.square == excluded || (root && is_skipped(worker, move.square))) {
            continue;
        }
        const struct gboard_cell *cell = &board->cells[move.square];
        int own_class = cell->class_of[side];
        bool quiet = is_quiet(board, &move) && !restricted && !forced;

        /* 10. Late and futile quiet moves near the horizon. */
        if (!root && quiet && best_value > -WIN_LEAST) {
            int most = (params->late_base + depth * depth * params->late_square / 8) * (improving ? 3 : 2) / 2;
            int gap = list->best_policy - move.policy;
            bool futile = depth <= params->futility_depth && searched >= 2 &&
                          eval + params->futility_base + params->futility_margin * depth <= alpha;
            if (!pv_node && (searched >= most || futile)) {
                drop_quiet(board, list, i + 1);
                continue;
            }
            if (!pv_node && depth <= params->policy_depth &&
                gap >= params->policy_base + params->policy_margin * depth) {
                continue;
            }
        }

        /* 11. The answer to a four costs no depth. A table move that stands alone is looked at deeper. */
        int extension = 0;
        if (forced || (restricted && list->count <= params->answer_moves)) {
            extension = 1;
        } else if (!root && depth >= params->singular_depth && move.square == table_move && excluded == NO_SQUARE &&
                   known && hit.bound != TT_UPPER && hit.depth >= depth - 3 && table_value > -WIN_LEAST &&
                   table_value < WIN_LEAST) {
            int singular_beta = table_value - params->singular_margin * depth;
            int value = search(worker, singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut_node, move.square);
            worker->pv_length[ply] = 0;
            score_moves(worker, squares, ply, table_move);
            pick(list, i);
            if (value < singular_beta) {
                extension = 1;
            } else if (singular_beta >= beta) {
                return singular_beta;
            }
        }

        gboard_play(board, move.square);
        gomoku_tt_prefetch(&shared->table, board->hash);
        worker->played[ply] = move.square;
        int new_depth = depth - 1 + extension;
        int value = 0;

        /* 12. Late moves are looked at shallower first, and everything behind the first with a null window. */
        bool full = searched == 0;
        if (!full) {
            int reduction = 0;
            if (depth >= 3 && searched >= 2 && !forced) {
                reduction = (log32[depth > 64 ? 64 : depth] * log32[searched > 64 ? 64 : searched] *
                                 params->reduce_scale / (32 * 32 * 2) +
                             params->reduce_base) /
                            100;
                reduction += (list->best_policy - move.policy) / params->reduce_policy;
                reduction += !improving;
                reduction += cut_node;
                reduction -= pv_node;
                reduction -= restricted;
                reduction -= worker->history[side][move.square] / params->reduce_history;
                if (own_class >= CLASS_FOUR) {
                    reduction -= 1;
                } else if (own_class >= CLASS_THREE) {
                    reduction -= 1;
                }
                reduction = clamp(reduction, 0, new_depth - 1);
            }
            value = -search(worker, -alpha - 1, -alpha, new_depth - reduction, ply + 1, true, NO_SQUARE);
            if (reduction > 0 && value > alpha) {
                value = -search(worker, -alpha - 1, -alpha, new_depth, ply + 1, !cut_node, NO_SQUARE);
            }
            full = pv_node && value > alpha;
        }
        if (full) {
            value = -search(worker, -beta, -alpha, new_depth, ply + 1, pv_node ? false : !cut_node, NO_SQUARE);
        }
        gboard_undo(board);
        searched++;
        if (clock_stopped(&shared->clock)) {
            return 0;
        }

        if (value > best_value) {
            best_value = value;
            if (value > alpha) {
                best_move = move.square;
                if (pv_node) {
                    keep_line(worker, ply, move.square);
                }
                if (root) {
                    worker->partial_value = value;
                }
                if (value >= beta) {
                    worker->cutoffs++;
                    if (!forced) {
                        learn_cutoff(worker, ply, depth, i);
                    }
                    break;
                }
                alpha = value;
            }
        }
    }

    if (searched == 0) {
        return alpha; /* only when the one move there is was excluded */
    }

    /* 13. Remember. */
    gomoku_tt_store(&shared->table, key,
                    (struct gomoku_tt_hit){.move = best_move == NO_SQUARE ? GOMOKU_TT_NO_MOVE : best_move,
                                           .value = value_to_table(best_value, ply),
                                           .eval = eval,
                                           .depth = depth,
                                           .bound = best_value >= beta       ? TT_LOWER
                                                    : best_value > old_alpha ? TT_EXACT
                                                                             : TT_UPPER,
                                           .fours = fours});
    return best_value;
}

int tree_search(struct worker *worker, int alpha, int beta, int depth) {
    worker->killers[0][0] = worker->killers[0][1] = NO_SQUARE;
    return search(worker, alpha, beta, depth, 0, false, NO_SQUARE);
}

void tree_age(struct worker *worker) {
    for (int side = 0; side < 2; side++) {
        for (int square = 0; square < GOMOKU_MOST_SQUARES; square++) {
            worker->history[side][square] /= 2;
        }
    }
}

void tree_forget(struct worker *worker) {
    memset(worker->history, 0, sizeof worker->history);
    memset(worker->counter, 0xff, sizeof worker->counter);
    memset(worker->killers, 0xff, sizeof worker->killers);
}
