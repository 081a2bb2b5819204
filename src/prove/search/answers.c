#include "prove/search/answers.h"

#include <string.h>

#include "base/bits.h"
#include "games/gomoku/search/search.h"

#define REPLY_STEPS 10 /* in search of pairs after a move of the villain's, */
#define MOVE_STEPS 300 /* and after each of the hero's likeliest, */
#define LIKELIEST 5    /* so many of them */
#define LEAST_COST 24  /* up to which a number is 1 */
#define HOPE 4         /* a part of its number that a move starts with */
#define HIGHEST (PN_NEVER / 2)

/* A number for a hero to move whose pairs cost so much: it doubles about every five of the cost. */
static uint32_t number_of(int cost) {
    int over = 3 * (cost - LEAST_COST);
    int doublings = over / 16;
    return over <= 0 ? 1 : doublings >= 25 ? HIGHEST : ((uint32_t)(16 + over % 16) << doublings) / 16;
}

/* What the pairs cost when the villain takes a square; the hero answers on its partner, if it has one. */
static int cost_after(const struct pairing_state *pairs, const int *costs, int square) {
    int partner = pairs->partner[square];
    return pairs->cost + (partner >= 0 ? -costs[partner] : costs[square]);
}

/* A number for a villain to move: that of the hardest reply, and one for each other that the pairs do not answer. */
static uint32_t number_after(const struct gboard *board, const struct pairing_lines *lines,
                             const struct pairing_state *pairs) {
    int costs[GOMOKU_MOST_SQUARES];
    int highest = 0;
    int open = 0;
    pairing_costs(lines, pairs, costs);
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = board->empty[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            int cost = cost_after(pairs, costs, square);
            open += cost >= PAIRING_UNIT;
            highest = cost > highest ? cost : highest;
        }
    }
    return open == 0 ? 1 : number_of(highest) + (uint32_t)open - 1;
}

/* What a move of the hero's starts with that leads to a position of this number: less, so that several are looked at
 * before the best of them is followed. */
static uint32_t hopeful(uint32_t number) {
    return number / HOPE + 1;
}

/* Adds a move, behind those that are to be tried before it: the hero's by the least delta, the villain's by the
 * greatest phi. */
static void insert_child(struct pn_children *children, bool hero, int square, uint32_t number) {
    int at = children->count++;
    for (; at > 0; at--) {
        const struct pn_child *before = &children->list[at - 1];
        if (hero ? before->value.delta <= number : before->value.phi >= number) {
            break;
        }
        children->list[at] = *before;
    }
    children->list[at] = (struct pn_child){.square = (uint16_t)square,
                                           .value = hero ? (struct pn_value){1, number} : (struct pn_value){number, 1}};
}

/* -- the hero's move -- */

void answers_list(const struct gboard *board, const struct pairing_lines *lines, const struct pairing_state *pairs,
                  const uint64_t *squares, struct pn_children *children) {
    children->count = 0;
    children->patient = false;
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = squares[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            struct pairing_state after;
            pairing_copy(lines, &after, pairs);
            pairing_block(lines, &after, square);
            insert_child(children, true, square, hopeful(number_after(board, lines, &after)));
        }
    }
}

uint16_t answers_try(const struct gboard *board, const struct pairing_lines *lines, struct pairing_state *pairs,
                     uint64_t seed, struct pn_children *children) {
    int count = children->count < LIKELIEST ? children->count : LIKELIEST;
    for (int i = 0; i < count; i++) {
        struct pn_child *child = &children->list[i];
        struct pairing_state after;
        pairing_copy(lines, &after, pairs);
        pairing_block(lines, &after, child->square);
        pairing_improve(lines, &after, MOVE_STEPS, seed + (uint64_t)i, false);
        if (pairing_holds(lines, &after, false)) {
            pairing_copy(lines, pairs, &after);
            return child->square;
        }
        child->value.delta = hopeful(number_after(board, lines, &after));
    }
    return NO_SQUARE;
}

uint16_t answers_hold(const struct pairing_lines *lines, struct pairing_state *pairs, const uint64_t *squares) {
    struct pairing_state after;
    int costs[GOMOKU_MOST_SQUARES];
    int best = NO_SQUARE;
    if (!pairing_holds(lines, pairs, true)) {
        return NO_SQUARE;
    }
    pairing_costs(lines, pairs, costs);
    for (int square = 0; square < lines->board_squares; square++) {
        bool may = squares[square / 64] >> square % 64 & 1 && (pairs->partner[square] < 0 || pairs->cost == 0);
        if (may && (best == NO_SQUARE || costs[square] > costs[best])) {
            best = square;
        }
    }
    if (best == NO_SQUARE) {
        return NO_SQUARE;
    }
    pairing_copy(lines, &after, pairs);
    pairing_block(lines, &after, best);
    if (!pairing_holds(lines, &after, false)) {
        return NO_SQUARE;
    }
    pairing_copy(lines, pairs, &after);
    return (uint16_t)best;
}

/* -- answers -- */

bool answers_begin(struct answers *answers, const struct gboard *board, uint64_t seed) {
    answers->board = board;
    answers->seed = seed;
    answers->known_count = answers->known_next = 0;
    pairing_lines_make(&answers->lines, board, 1 - board->side);
    pairing_start(&answers->lines, &answers->pairs);
    pairing_improve(&answers->lines, &answers->pairs, ANSWERS_STEPS, seed, false);
    return pairing_holds(&answers->lines, &answers->pairs, false);
}

/* Keeps what held after the villain's move, for others. */
static void remember(struct answers *answers, const struct pairing_state *pairs, int villain, uint16_t move) {
    struct pairing_state *place = &answers->known[answers->known_next];
    pairing_copy(&answers->lines, place, pairs);
    pairing_leave(&answers->lines, place, villain);
    answers->known_moves[answers->known_next] = move;
    answers->known_next = (answers->known_next + 1) % ANSWERS_KNOWN;
    answers->known_count += answers->known_count < ANSWERS_KNOWN;
}

/* An answer that did it before. */
static uint16_t try_known(const struct answers *answers, int villain, struct pairing_state *pairs) {
    for (int i = 1; i <= answers->known_count; i++) {
        int at = (answers->known_next - i + ANSWERS_KNOWN) % ANSWERS_KNOWN;
        if (answers->known_moves[at] != villain) {
            pairing_copy(&answers->lines, pairs, &answers->known[at]);
            pairing_take(&answers->lines, pairs, villain);
            if (pairing_holds(&answers->lines, pairs, false)) {
                return answers->known_moves[at];
            }
        }
    }
    return NO_SQUARE;
}

/* A move that cuts many of the lines without pairs, after which the pairs hold. */
static uint16_t try_cuts(const struct answers *answers, struct pairing_state *pairs, const uint64_t *squares) {
    const struct pairing_lines *lines = &answers->lines;
    struct pairing_state after;
    int costs[GOMOKU_MOST_SQUARES];
    pairing_costs(lines, pairs, costs);
    for (int i = 0; i < LIKELIEST; i++) {
        int best = -1;
        for (int word = 0; word < answers->board->words; word++) {
            for (uint64_t left = squares[word]; left;) {
                int square = word * 64 + bits_pop(&left);
                best = best < 0 || costs[square] > costs[best] ? square : best;
            }
        }
        if (best < 0 || costs[best] <= 0) {
            break;
        }
        costs[best] = 0;
        pairing_copy(lines, &after, pairs);
        pairing_block(lines, &after, best);
        pairing_attempt(lines, &after, MOVE_STEPS, answers->seed + (uint64_t)i);
        if (pairing_holds(lines, &after, false)) {
            pairing_copy(lines, pairs, &after);
            return (uint16_t)best;
        }
    }
    return NO_SQUARE;
}

/* The answer to one move; the pairs are those that hold then, or the best there are. */
static uint16_t find_answer(struct answers *answers, int villain, struct pairing_state *pairs) {
    const struct pairing_lines *lines = &answers->lines;
    int partner = answers->pairs.partner[villain];
    uint64_t squares[GBOARD_WORDS];
    memcpy(squares, answers->board->empty, sizeof squares);
    squares[villain / 64] &= ~(1ULL << villain % 64);
    struct pairing_state taken;
    pairing_copy(lines, &taken, &answers->pairs);
    pairing_take(lines, &taken, villain);
    pairing_copy(lines, pairs, &taken);
    if (partner >= 0) {
        pairing_block(lines, pairs, partner);
        if (pairing_holds(lines, pairs, false)) {
            return (uint16_t)partner;
        }
    }
    uint16_t move = try_known(answers, villain, pairs);
    if (move != NO_SQUARE) {
        return move;
    }
    pairing_improve(lines, &taken, REPLY_STEPS, answers->seed, true);
    pairing_copy(lines, pairs, &taken);
    move = answers_hold(lines, pairs, squares);
    if (move == NO_SQUARE && answers->patience > 0) {
        move = try_cuts(answers, pairs, squares);
        answers->patience -= move == NO_SQUARE;
    }
    if (move != NO_SQUARE) {
        remember(answers, pairs, villain, move);
    }
    return move;
}

void answers_find(struct answers *answers, const uint64_t *squares, int patience, struct pn_children *open,
                  struct answer *found) {
    const struct pairing_state *pairs = &answers->pairs;
    struct pn_children order = {0};
    int costs[GOMOKU_MOST_SQUARES];
    pairing_costs(&answers->lines, pairs, costs);
    for (int word = 0; word < answers->board->words; word++) {
        for (uint64_t left = squares[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            insert_child(&order, false, square, (uint32_t)cost_after(pairs, costs, square));
        }
    }
    answers->patience = patience;
    open->count = 0;
    open->patient = true;
    for (int i = 0; i < order.count; i++) {
        int square = order.list[i].square;
        struct pairing_state after;
        uint16_t move = find_answer(answers, square, &after);
        if (move == NO_SQUARE) {
            insert_child(open, false, square, number_of(after.cost));
        }
        if (found) {
            found[square].move = move;
            pairing_list(&answers->lines, &after, &found[square].pairs);
        }
    }
}
