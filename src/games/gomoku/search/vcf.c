/* Victory by continuous fours. Every attacking move threatens a five, so the defender has one reply, the square
 * of that five; what remains is to find an order of fours that ends in two fives at once. The only thing the
 * defender can do is to get a four or a five of its own with a forced reply: a five is looked for at every step,
 * and a four of its own must be answered by a four that stops it. */
#include "base/assert.h"
#include "base/bits.h"
#include "games/gomoku/eval/weights.h"
#include "games/gomoku/search/search.h"

#define NEAR 4
#define NEAR_KEY 0x2545f4914f6cdd1dULL /* keeps what was found among near fours apart */

/* Whether two squares lie within reach of each other. */
static bool is_near(const struct gboard *board, int a, int b) {
    return abs(board->row_of[a] - board->row_of[b]) <= NEAR && abs(board->column_of[a] - board->column_of[b]) <= NEAR;
}

/* The direction of the line that two squares within reach of each other share, or -1. */
static int line_between(const struct gboard *board, int a, int b) {
    int rows = board->row_of[a] - board->row_of[b];
    int columns = board->column_of[a] - board->column_of[b];
    if (!is_near(board, a, b)) {
        return -1;
    }
    return rows == 0 ? 0 : columns == 0 ? 1 : rows == columns ? 2 : rows == -columns ? 3 : -1;
}

/* Whether a stone helps another four of its side, by lying in line with it beside a stone; `own` is the line of its
 * own four, which the reply shuts. */
static bool helps_another(const struct gboard *board, int side, int square, int own) {
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = board->sets[side][SET_FOUR][word]; left;) {
            int other = word * 64 + bits_pop(&left);
            int line = other == square ? -1 : line_between(board, square, other);
            if (line >= 0 && line != own && gboard_kind(board, side, square, line) >= KIND_BLOCKED_TWO) {
                return true;
            }
        }
    }
    return false;
}

/* A four leads on when its stone makes a three in another direction, helps another four, or keeps a three on its own
 * line in spite of the reply. Any other can as well be played later, when it does. */
static bool leads_on(const struct gboard *board, int side, int square) {
    int own = 0;
    for (int direction = 0; direction < 4; direction++) {
        int kind = gboard_kind(board, side, square, direction);
        if (kind == KIND_FOUR) {
            own = direction;
        } else if (kind >= KIND_BLOCKED_THREE) {
            return true;
        }
    }
    uint16_t replies[2 * GBOARD_MARGIN];
    return helps_another(board, side, square, own) ||
           gboard_spoilers(board, side, square, own, KIND_BLOCKED_THREE, replies) == 0;
}

/* The fours of the side to move, the promising ones first. `last` is the four before, or NO_SQUARE. */
static int collect_fours(const struct vcf *vcf, int only, int last, struct scored_move *moves) {
    const struct gboard *board = vcf->board;
    int side = board->side;
    int count = 0;
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = board->sets[side][SET_FOUR][word]; left;) {
            int square = word * 64 + bits_pop(&left);
            if (only >= 0 ? square != only
                          : (vcf->near && last != NO_SQUARE && !is_near(board, square, last)) ||
                                (!vcf->thorough && !leads_on(board, side, square))) {
                continue;
            }
            if (!gboard_is_open_to(board, side, square)) {
                continue;
            }
            uint32_t kinds = gboard_kinds(board, square);
            int score = gomoku_weights.attack[gboard_code_of(board, side, kinds)] +
                        gomoku_weights.defend[gboard_code_of(board, 1 - side, kinds)] / 4;
            count = moves_insert(moves, count, GOMOKU_MOST_SQUARES,
                                 (struct scored_move){.square = (uint16_t)square, .score = score});
        }
    }
    return count;
}

static int vcf_node(struct vcf *vcf, int depth, int last, uint16_t *best);

/* The same after a four of the other side's, by the rules in which there is not always one reply: plies to its five,
 * and the longest defence. No reply at all: the five is next. */
static int vcf_replies(struct vcf *vcf, int depth, int last, uint16_t *longest) {
    struct gboard *board = vcf->board;
    uint64_t stops[GBOARD_WORDS];
    int most = 2;
    *longest = (uint16_t)gboard_set_first(board, 1 - board->side, SET_FIVE);
    moves_stops(board, stops);
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = stops[word]; left;) {
            uint16_t next;
            int square = word * 64 + bits_pop(&left);
            vcf->nodes++;
            gboard_play(board, square);
            int rest = vcf_node(vcf, depth, last, &next);
            gboard_undo(board);
            if (rest == 0) {
                return 0;
            }
            if (rest + 1 > most) {
                most = rest + 1;
                *longest = (uint16_t)square;
            }
        }
    }
    return most;
}

/* Plies to the five, 0 when there is none within the limits. */
static int vcf_node(struct vcf *vcf, int depth, int last, uint16_t *best) {
    struct gboard *board = vcf->board;
    int side = board->side;
    int other = 1 - side;
    /* 1. A five at once. */
    if (!gboard_set_empty(board, side, SET_FIVE)) {
        *best = (uint16_t)gboard_set_first(board, side, SET_FIVE);
        return 1;
    }
    /* 2. The other side threatens five: only stopping it counts, and two of them cannot be stopped. */
    int only = -1;
    if (!gboard_set_empty(board, other, SET_FIVE)) {
        vcf->cut_short = vcf->cut_short || board->variant == GOMOKU_CARO; /* other squares may stop it too */
        if (gboard_set_count(board, other, SET_FIVE) != 1) {
            return 0;
        }
        only = gboard_set_first(board, other, SET_FIVE);
        if (!gboard_is_open_to(board, side, only)) {
            return 0;
        }
        if (gboard_in_set(board, side, SET_OPEN_FOUR, only)) {
            *best = (uint16_t)only;
            return 3;
        }
        if (!gboard_in_set(board, side, SET_FOUR, only)) {
            return 0;
        }
    } else if (!gboard_set_empty(board, side, SET_OPEN_FOUR)) {
        /* 3. An open four or two fours at once: nothing stops both fives. */
        int open = gboard_first_open(board, side, SET_OPEN_FOUR);
        if (open >= 0) {
            *best = (uint16_t)open;
            return 3;
        }
    }
    if (gboard_set_empty(board, side, SET_FOUR)) {
        return 0;
    }
    if (depth <= 0) {
        vcf->cut_short = true;
        return 0;
    }
    /* 4. What is known already. */
    uint64_t key = board->hash ^ (vcf->near ? NEAR_KEY : 0);
    struct vcf_entry *entry = &vcf->entries[key & vcf->mask];
    if (entry->key == key && (entry->plies > 0 || entry->depth >= depth)) {
        *best = entry->move;
        vcf->cut_short = vcf->cut_short || (entry->plies == 0 && entry->depth != VCF_COMPLETE);
        return entry->plies;
    }
    if (vcf_out(vcf) || board->count + 2 >= board->squares) {
        return 0;
    }
    /* 5. Each four, its forced reply, and on. */
    struct scored_move moves[GOMOKU_MOST_SQUARES];
    int count = collect_fours(vcf, only, last, moves);
    int plies = 0;
    bool cut_before = vcf->cut_short;
    vcf->cut_short = false;
    for (int i = 0; i < count && plies == 0; i++) {
        vcf->nodes += 2;
        gboard_play(board, moves[i].square);
        uint16_t next;
        int rest;
        if (gboard_is_peculiar(board)) {
            rest = vcf_replies(vcf, depth - 1, moves[i].square, &next) - 1;
        } else {
            uint16_t reply = (uint16_t)gboard_set_first(board, side, SET_FIVE);
            gboard_play(board, reply);
            rest = vcf_node(vcf, depth - 1, moves[i].square, &next);
            gboard_undo(board);
        }
        gboard_undo(board);
        if (rest > 0) {
            plies = rest + 2;
            *best = moves[i].square;
        }
    }
    /* 6. A failure is only worth keeping when the nodes sufficed; it is final when the depth did too. */
    if (plies > 0 || (vcf->nodes < vcf->node_limit && !clock_stopped(vcf->clock))) {
        entry->key = key;
        entry->move = plies > 0 ? *best : NO_SQUARE;
        entry->depth = vcf->cut_short || !vcf->thorough ? (uint16_t)depth : VCF_COMPLETE;
        entry->plies = (int16_t)plies;
    }
    vcf->cut_short = vcf->cut_short || cut_before;
    return plies;
}

int vcf_search(struct vcf *vcf, int depth, uint64_t nodes, uint16_t *move) {
    ASSERT(depth >= 0);
    ASSERT(move);
    vcf->node_limit = vcf->nodes + nodes;
    *move = NO_SQUARE;
    int plies = vcf_node(vcf, depth, NO_SQUARE, move);
    return plies;
}

int vcf_line(struct vcf *vcf, int depth, uint64_t nodes, uint16_t *line, int most) {
    ASSERT(most >= 0);
    struct gboard *board = vcf->board;
    int side = board->side;
    int length = 0;
    int played = 0;
    while (length < most) {
        uint16_t move;
        int plies = vcf_search(vcf, depth, nodes, &move);
        if (plies == 0) {
            break;
        }
        line[length++] = move;
        if (plies == 1 || length == most) {
            break;
        }
        gboard_play(board, move);
        played++;
        uint16_t reply = (uint16_t)gboard_set_first(board, side, SET_FIVE);
        if (gboard_is_peculiar(board)) {
            vcf->node_limit = vcf->nodes + nodes;
            vcf_replies(vcf, depth, move, &reply);
            if (!gboard_is_open_to(board, board->side, reply)) {
                break; /* nothing stops the five */
            }
        }
        line[length++] = reply;
        gboard_play(board, reply);
        played++;
    }
    while (played-- > 0) {
        gboard_undo(board);
    }
    return length;
}
