/* Minimax and alpha-beta on the war board when nobody watches: the same values and the same root move as the
 * textbook's, found faster. With a visitor, and for greedy, the plain ones of search/textbook.h run.
 *
 * What makes it fast:
 *   1. The board is kept twice: as bitboards, to walk over the empty squares, and as a grid of signed values
 *      with a border (+value for the root's side, -value for the other, 0 empty), so that what a move gains is
 *      four loads.
 *   2. The last two plies are one loop. What each reply gains is computed once for all squares; a move changes
 *      only the replies beside the squares it took, so the best reply after it is a few patches and, when they
 *      touch the best one, a maximum over the grid, which the compiler turns into vector code.
 *
 * Minimax visits every node above that and counts every leaf. Alpha-beta searches moves with a large gain first,
 * and leaves out a Stake where a Raid on the same square flips something: owning more is never worse at any
 * depth (docs/theory.md), so no value changes. */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "games/war/rules/war.h"
#include "search/textbook.h"

#define SIDE_CELLS (WAR_MOST_SIZE + 2)
#define MOST_CELLS (SIDE_CELLS * SIDE_CELLS)

struct front {
    int size;
    int stride; /* of the grid: size + 2 */
    int cells;
    int words; /* of the bitboard */
    bool sneak;
    int32_t value[MOST_CELLS]; /* 0 on the border */
    int32_t held[MOST_CELLS];  /* +value, -value or 0 */
    uint64_t empty[WAR_WORDS]; /* by square */
    int16_t cell[WAR_MOST_SQUARES];
    int16_t square[MOST_CELLS];
    int32_t score; /* the root side's view */
    const struct textbook_request *request;
    uint64_t nodes;
    uint64_t leaves;
    uint64_t cutoffs;
};

struct candidate {
    int32_t order;
    int16_t cell;
    bool raid;
};

/* What a move took, for taking it back. */
struct taken {
    int16_t cell;
    int16_t flipped[4];
    int flips;
    int32_t score;
};

static void front_set_up(struct front *front, const struct war_position *position) {
    memset(front, 0, sizeof *front);
    front->size = position->size;
    front->stride = position->size + 2;
    front->cells = front->stride * front->stride;
    front->words = (position->size * position->size + 63) / 64;
    front->sneak = position->variant == WAR_SNEAK;
    for (int square = 0; square < position->size * position->size; square++) {
        int cell = (square / front->size + 1) * front->stride + square % front->size + 1;
        front->cell[square] = (int16_t)cell;
        front->square[cell] = (int16_t)square;
        front->value[cell] = position->values[square];
        if (war_owns(position, position->to_move, square)) {
            front->held[cell] = position->values[square];
        } else if (war_owns(position, 1 - position->to_move, square)) {
            front->held[cell] = -position->values[square];
        } else {
            front->empty[square >> 6] |= 1ULL << (square & 63);
        }
        front->score += front->held[cell];
    }
}

static inline int32_t positive(int32_t x) {
    return x > 0 ? x : 0;
}

/* What a raid on `cell` flips for `sign`, or -1 when it has no own piece beside it. */
static inline int32_t raid_flips(const struct front *front, int cell, int32_t sign) {
    const int32_t *at = front->held + cell;
    int32_t a = sign * at[-1];
    int32_t b = sign * at[1];
    int32_t c = sign * at[-front->stride];
    int32_t d = sign * at[front->stride];
    bool beside = a > 0 || b > 0 || c > 0 || d > 0;
    return beside ? positive(-a) + positive(-b) + positive(-c) + positive(-d) : -1;
}

/* The gain of the best move on `cell`: its value, and twice what flips. */
static inline int32_t gain_at(const struct front *front, int cell, int32_t sign) {
    return front->value[cell] + 2 * positive(raid_flips(front, cell, sign));
}

static inline bool war_textbook_is_empty(const struct front *front, int cell) {
    return front->value[cell] != 0 && front->held[cell] == 0;
}

/* gains[cell] for every empty square, -GAME_INFINITY elsewhere. Written so that it becomes vector code. */
static void all_gains(const struct front *front, int32_t sign, int32_t gains[MOST_CELLS]) {
    int stride = front->stride;
    const int32_t *held = front->held;
    for (int i = 0; i < stride; i++) {
        gains[i] = -GAME_INFINITY;
        gains[front->cells - 1 - i] = -GAME_INFINITY;
    }
    for (int i = stride; i < front->cells - stride; i++) {
        int32_t a = sign * held[i - 1];
        int32_t b = sign * held[i + 1];
        int32_t c = sign * held[i - stride];
        int32_t d = sign * held[i + stride];
        int32_t own = positive(a) | positive(b) | positive(c) | positive(d);
        int32_t flips = positive(-a) + positive(-b) + positive(-c) + positive(-d);
        int32_t gain = front->value[i] + (own ? 2 * flips : 0);
        bool open = (front->value[i] != 0) & (held[i] == 0);
        gains[i] = open ? gain : -GAME_INFINITY;
    }
}

static int32_t most(const int32_t *gains, int cells) {
    int32_t best = -GAME_INFINITY;
    for (int i = 0; i < cells; i++) {
        best = gains[i] > best ? gains[i] : best;
    }
    return best;
}

static void war_textbook_play(struct front *front, int cell, bool raid, int32_t sign, struct taken *taken) {
    taken->cell = (int16_t)cell;
    taken->flips = 0;
    taken->score = front->score;
    int square = front->square[cell];
    front->empty[square >> 6] ^= 1ULL << (square & 63);
    front->held[cell] = sign * front->value[cell];
    front->score += front->held[cell];
    if (!raid) {
        return;
    }
    const int around[4] = {-1, 1, -front->stride, front->stride};
    for (int i = 0; i < 4; i++) {
        int beside = cell + around[i];
        if (sign * front->held[beside] < 0) {
            front->held[beside] = -front->held[beside];
            front->score += 2 * front->held[beside];
            taken->flipped[taken->flips++] = (int16_t)beside;
        }
    }
}

static void war_textbook_take_back(struct front *front, const struct taken *taken) {
    int square = front->square[taken->cell];
    front->empty[square >> 6] ^= 1ULL << (square & 63);
    front->held[taken->cell] = 0;
    for (int i = 0; i < taken->flips; i++) {
        front->held[taken->flipped[i]] = -front->held[taken->flipped[i]];
    }
    front->score = taken->score;
}

/* The replies of one node of two plies, kept up to date while its moves are tried. */
struct replies {
    int32_t gains[MOST_CELLS];
    bool raidable[MOST_CELLS]; /* by the replying side */
    int32_t raids;             /* how many squares are */
    int32_t empties;
    int top;    /* a cell of the greatest gain before any move */
    int second; /* and of the next */
};

/* What a move changed in the replies, for taking it back. */
struct patch {
    int16_t cell;
    bool raidable;
    int32_t gain;
};

static void replies_set_up(const struct front *front, int32_t sign, struct replies *replies) {
    all_gains(front, sign, replies->gains);
    replies->raids = 0;
    replies->empties = 0;
    replies->top = replies->second = 0; /* on the border, where gains are -GAME_INFINITY */
    for (int word = 0; word < front->words; word++) {
        replies->empties += bits_count(front->empty[word]);
        for (uint64_t left = front->empty[word]; left;) {
            int cell = front->cell[word * 64 + bits_pop(&left)];
            replies->raidable[cell] = raid_flips(front, cell, sign) >= 0;
            replies->raids += replies->raidable[cell];
            if (replies->gains[cell] > replies->gains[replies->top]) {
                replies->second = replies->top;
                replies->top = cell;
            } else if (replies->gains[cell] > replies->gains[replies->second]) {
                replies->second = cell;
            }
        }
    }
}

/* Refreshes the replies beside a square that changed hands, remembering what was there. */
static inline int refresh_beside(const struct front *front, int cell, int32_t sign, struct replies *replies,
                                 struct patch patches[], int count) {
    const int around[4] = {-1, 1, -front->stride, front->stride};
    for (int i = 0; i < 4; i++) {
        int beside = cell + around[i];
        if (war_textbook_is_empty(front, beside)) {
            patches[count++] = (struct patch){(int16_t)beside, replies->raidable[beside], replies->gains[beside]};
            int32_t flips = raid_flips(front, beside, sign);
            replies->gains[beside] = front->value[beside] + 2 * positive(flips);
            replies->raids -= replies->raidable[beside] && flips < 0;
            replies->raidable[beside] = flips >= 0;
        }
    }
    return count;
}

/* The gain of the best reply (of the side -sign) to a move of `sign` on `cell` that flips nothing: the square is
 * gone, and raids beside it gain by it. */
static inline int32_t best_reply_to_quiet(const struct front *front, int cell, const struct replies *replies) {
    int32_t best = replies->gains[cell == replies->top ? replies->second : replies->top];
    const int around[4] = {-1, 1, -front->stride, front->stride};
    for (int i = 0; i < 4; i++) {
        int beside = cell + around[i];
        int32_t gain = replies->gains[beside] + 2 * front->value[cell];
        if (war_textbook_is_empty(front, beside) && replies->raidable[beside] && gain > best) {
            best = gain;
        }
    }
    return best;
}

/* Likewise to a Raid that flips something: the replies beside every square that changed hands are refreshed.
 * *raids: how many squares the replying side can still raid. */
static int32_t best_reply_to_raid(struct front *front, int cell, int32_t sign, struct replies *replies,
                                  int32_t *raids) {
    struct patch patches[20];
    int count = 0;
    int32_t own = replies->gains[cell];
    int32_t raids_before = replies->raids;
    struct taken taken;
    war_textbook_play(front, cell, true, sign, &taken);
    replies->gains[cell] = -GAME_INFINITY;
    count = refresh_beside(front, cell, -sign, replies, patches, count);
    for (int i = 0; i < taken.flips; i++) {
        count = refresh_beside(front, taken.flipped[i], -sign, replies, patches, count);
    }
    /* The top reply still stands unless the move touched it; then only a patched one can be better. */
    int32_t best = replies->gains[replies->top];
    bool touched = cell == replies->top;
    for (int i = 0; i < count; i++) {
        int32_t gain = replies->gains[patches[i].cell];
        best = gain > best ? gain : best;
        touched |= patches[i].cell == replies->top;
    }
    if (touched) {
        best = most(replies->gains + front->stride, front->cells - 2 * front->stride);
    }
    *raids = replies->raids;
    while (count) {
        const struct patch *patch = &patches[--count];
        replies->gains[patch->cell] = patch->gain;
        replies->raidable[patch->cell] = patch->raidable;
    }
    replies->gains[cell] = own;
    replies->raids = raids_before;
    war_textbook_take_back(front, &taken);
    return best;
}

/* Either of the two; *moves: how many replies there are. */
static inline int32_t best_reply(struct front *front, int cell, bool flips, int32_t sign, struct replies *replies,
                                 int32_t *moves) {
    int32_t raids = replies->raids;
    int32_t best =
        flips ? best_reply_to_raid(front, cell, sign, replies, &raids) : best_reply_to_quiet(front, cell, replies);
    *moves = replies->empties - 1 + (front->sneak ? 0 : raids - replies->raidable[cell]);
    return best;
}

static inline bool war_textbook_stopped(const struct front *front) {
    return textbook_asked_to_stop(front->request);
}

/* -- minimax: every node, in the view of `sign` -- */

/* Calls for each legal move in turn: a Stake or Sneak, and a Raid, as the rule set has them. */
struct move_kinds {
    bool plain;
    bool raid;
};

static inline struct move_kinds kinds_at(const struct front *front, int cell, int32_t sign) {
    bool raid = raid_flips(front, cell, sign) >= 0;
    return (struct move_kinds){.plain = !raid || !front->sneak, .raid = raid};
}

/* A node with one ply left: all its leaves at once. */
static int32_t minimax_last(struct front *front, int32_t sign) {
    int32_t best = -GAME_INFINITY;
    int32_t moves = 0;
    for (int word = 0; word < front->words; word++) {
        for (uint64_t left = front->empty[word]; left;) {
            int cell = front->cell[word * 64 + bits_pop(&left)];
            struct move_kinds kinds = kinds_at(front, cell, sign);
            int32_t gain = gain_at(front, cell, sign);
            moves += kinds.plain + kinds.raid;
            best = gain > best ? gain : best;
        }
    }
    front->nodes += (uint64_t)moves;
    front->leaves += (uint64_t)moves;
    return sign * front->score + best;
}

static int32_t minimax_two_plies(struct front *front, int32_t sign) {
    struct replies replies;
    replies_set_up(front, -sign, &replies);
    int32_t best = -GAME_INFINITY;
    uint64_t moves = 0;
    uint64_t leaves = 0;
    for (int word = 0; word < front->words; word++) {
        for (uint64_t left = front->empty[word]; left;) {
            int cell = front->cell[word * 64 + bits_pop(&left)];
            int32_t flips = raid_flips(front, cell, sign);
            int32_t value = 0;
            int32_t replies_here = 0;
            if (flips <= 0 || !front->sneak) { /* a Stake or Sneak, or a Raid that is the same */
                value = front->value[cell] - best_reply(front, cell, false, sign, &replies, &replies_here);
                best = value > best ? value : best;
                bool both = flips == 0 && !front->sneak;
                moves += both ? 2 : 1;
                leaves += (uint64_t)replies_here << both;
            }
            if (flips > 0) {
                value = front->value[cell] + 2 * flips - best_reply(front, cell, true, sign, &replies, &replies_here);
                best = value > best ? value : best;
                moves++;
                leaves += (uint64_t)replies_here;
            }
        }
    }
    front->nodes += moves + leaves;
    front->leaves += leaves;
    return sign * front->score + best;
}

static int32_t war_textbook_minimax(struct front *front, int left, int32_t sign) {
    front->nodes++;
    if (left == 0) {
        front->leaves++;
        return sign * front->score;
    }
    if (left == 1) {
        return minimax_last(front, sign);
    }
    if (left == 2) {
        return minimax_two_plies(front, sign);
    }
    int32_t best = -GAME_INFINITY;
    for (int word = 0; word < front->words; word++) {
        for (uint64_t bits = front->empty[word]; bits && !war_textbook_stopped(front);) {
            int cell = front->cell[word * 64 + bits_pop(&bits)];
            struct move_kinds kinds = kinds_at(front, cell, sign);
            for (int raid = 0; raid < 2; raid++) {
                if (!(raid ? kinds.raid : kinds.plain)) {
                    continue;
                }
                struct taken taken;
                war_textbook_play(front, cell, raid, sign, &taken);
                int32_t value = -war_textbook_minimax(front, left - 1, -sign);
                war_textbook_take_back(front, &taken);
                best = value > best ? value : best;
            }
        }
    }
    return best;
}

/* -- alpha-beta, in the view of `sign` -- */

static int by_order(const void *left, const void *right) {
    const struct candidate *a = left;
    const struct candidate *b = right;
    return a->order != b->order ? (a->order < b->order) - (a->order > b->order) : a->cell - b->cell;
}

/* Brings the best of candidates[from..count) to `from`: cheaper than sorting where a cut comes early. */
static void pick(struct candidate *candidates, int from, int count) {
    int best = from;
    for (int i = from + 1; i < count; i++) {
        if (candidates[i].order > candidates[best].order) {
            best = i;
        }
    }
    struct candidate first = candidates[from];
    candidates[from] = candidates[best];
    candidates[best] = first;
}

/* One candidate an empty square, the Raid where there is one. */
static int list_candidates(const struct front *front, int32_t sign, struct candidate *candidates) {
    int count = 0;
    for (int word = 0; word < front->words; word++) {
        for (uint64_t left = front->empty[word]; left;) {
            int cell = front->cell[word * 64 + bits_pop(&left)];
            int32_t flips = raid_flips(front, cell, sign);
            candidates[count++] =
                (struct candidate){front->value[cell] + 2 * positive(flips), (int16_t)cell, flips >= 0};
        }
    }
    return count;
}

/* Two plies: a move's value is its gain less the best reply's. */
static int32_t alphabeta_two_plies(struct front *front, int32_t sign, int32_t beta, struct candidate *candidates) {
    struct replies replies;
    replies_set_up(front, -sign, &replies);
    int count = list_candidates(front, sign, candidates);
    int32_t base = sign * front->score;
    int32_t best = -GAME_INFINITY;
    for (int i = 0; i < count; i++) {
        pick(candidates, i, count);
        int32_t moves;
        bool flips = candidates[i].order > front->value[candidates[i].cell];
        int32_t reply = best_reply(front, candidates[i].cell, flips, sign, &replies, &moves);
        int32_t value = base + candidates[i].order - reply;
        front->nodes += (uint64_t)count;
        front->leaves += (uint64_t)count - 1;
        if (value > best) {
            best = value;
            if (best >= beta) {
                front->cutoffs++;
                break;
            }
        }
    }
    return best;
}

/* Fail-soft: outside (alpha, beta) the value is a bound. `candidates` is the free part of a stack. */
static int32_t war_textbook_alphabeta(struct front *front, int left, int32_t sign, int32_t alpha, int32_t beta,
                                      struct candidate *candidates) {
    front->nodes++;
    if (left == 0) {
        front->leaves++;
        return sign * front->score;
    }
    if (left == 1) {
        return minimax_last(front, sign);
    }
    if (left == 2) {
        return alphabeta_two_plies(front, sign, beta, candidates);
    }
    int count = list_candidates(front, sign, candidates);
    for (int i = 0; i < count; i++) {
        /* what the move takes, and what it takes away from the other side's best move there */
        candidates[i].order += gain_at(front, candidates[i].cell, -sign);
    }
    int32_t best = -GAME_INFINITY;
    for (int i = 0; i < count && !war_textbook_stopped(front); i++) {
        pick(candidates, i, count);
        struct taken taken;
        war_textbook_play(front, candidates[i].cell, candidates[i].raid, sign, &taken);
        int32_t value =
            -war_textbook_alphabeta(front, left - 1, -sign, -beta, best > alpha ? -best : -alpha, candidates + count);
        war_textbook_take_back(front, &taken);
        if (value > best) {
            best = value;
            if (best >= beta) {
                front->cutoffs++;
                break;
            }
        }
    }
    return best;
}

/* -- the root: the defined order of moves, the first strictly greatest value wins -- */

static int32_t child_value(struct front *front, bool pruned, int left, int32_t alpha, struct candidate *stack) {
    if (!pruned) {
        return -war_textbook_minimax(front, left, -1);
    }
    return -war_textbook_alphabeta(front, left, -1, -GAME_INFINITY, -alpha, stack);
}

/* Minimax takes the moves as they come. Alpha-beta tries promising ones first; a move that stands before the
 * best so far replaces it when it is equal, one behind it must be better: the answer is the defined one. */
static void war_textbook_search_root(struct front *front, const struct war_position *position,
                                     const struct textbook_request *request, int left, struct candidate *stack,
                                     struct search_result *result) {
    bool pruned = request->method == TEXTBOOK_ALPHABETA;
    game_move moves[2 * WAR_MOST_SQUARES];
    int count = war_game.moves((const struct game_position *)position, moves);
    result->move = moves[0]; /* should the search be stopped at once */
    struct candidate order[2 * WAR_MOST_SQUARES];
    struct replies replies;
    if (pruned && left > 1) {
        replies_set_up(front, -1, &replies);
    }
    for (int i = 0; i < count; i++) {
        int cell = front->cell[moves[i] & ~WAR_RAID];
        bool raid = (moves[i] & WAR_RAID) != 0;
        int32_t gain = raid ? gain_at(front, cell, 1) : front->value[cell];
        order[i] = (struct candidate){.order = 0, .cell = (int16_t)i, .raid = raid};
        if (pruned) {
            int32_t unused;
            order[i].order =
                gain - (left > 1 ? best_reply(front, cell, gain > front->value[cell], 1, &replies, &unused) : 0);
        }
    }
    if (pruned) {
        qsort(order, (size_t)count, sizeof order[0], by_order);
    }
    int32_t best = -GAME_INFINITY;
    int best_index = count;
    front->nodes++;
    for (int i = 0; i < count && !war_textbook_stopped(front); i++) {
        int index = order[i].cell;
        struct taken taken;
        war_textbook_play(front, front->cell[moves[index] & ~WAR_RAID], order[i].raid, 1, &taken);
        int32_t value = child_value(front, pruned, left - 1, index < best_index ? best - 1 : best, stack);
        war_textbook_take_back(front, &taken);
        if (!war_textbook_stopped(front) || best_index == count) {
            if (value > best || (value == best && index < best_index)) {
                best = value;
                best_index = index;
            }
        }
        result->move = result->pv[0] = moves[best_index];
        result->pv_length = 1;
        result->value = best;
        result->nodes = front->nodes;
        if (request->progress) {
            request->progress(request->user, result);
        }
    }
}

void war_textbook(const struct game_position *position, const struct textbook_request *request,
                  struct search_result *result) {
    const struct war_position *war = (const struct war_position *)position;
    if (request->visitor || request->method == TEXTBOOK_GREEDY || war->empty == 0) {
        textbook_search(&war_game, position, request, result);
        return;
    }
    memset(result, 0, sizeof *result);
    result->move = GAME_NO_MOVE;
    result->depth = request->depth;
    int left = request->depth < war->empty ? request->depth : war->empty;
    struct front *front = malloc(sizeof *front);
    struct candidate *stack = malloc((size_t)(left + 1) * (size_t)war->empty * sizeof *stack);
    if (front && stack) {
        front_set_up(front, war);
        front->request = request;
        war_textbook_search_root(front, war, request, left, stack, result);
        result->nodes = front->nodes;
        result->leaves = front->leaves;
        result->cutoffs = front->cutoffs;
        result->pv_length = 1;
        result->pv[0] = result->move;
    }
    free(front);
    free(stack);
}
