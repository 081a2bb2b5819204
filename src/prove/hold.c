/* The claim "the hero holds": the villain never makes five. A position is settled by pairs of squares (pairing.h), by a
 * forced win of the villain's, or by a board that is full. How far the hero is from having such pairs says which of his
 * moves are likeliest, which of the villain's are hardest to answer, and with which numbers both start. */
#include <string.h>

#include "base/bits.h"
#include "prove/pairing.h"
#include "prove/prover.h"

#define FOUR_NODES 1000
#define STEPS 300      /* in search of pairs, at a node of either side */
#define MOVE_STEPS 100 /* and then after each of the hero's likeliest moves, */
#define LIKELIEST 16   /* so many of them */
#define HIGHEST (PN_NEVER / 2)

/* A number to start with: it doubles about every five of the cost. */
static uint32_t number_of(int cost) {
    int doublings = cost * 3 / 16;
    return cost <= 0 ? 1 : doublings >= 25 ? HIGHEST : ((uint32_t)(16 + cost * 3 % 16) << doublings) / 16;
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

/* Fills *children with the moves of the side to move, by what is left without pairs. */
static void list_moves(const struct gboard *board, const struct pairing_lines *lines, const struct pairing_state *pairs,
                       const uint64_t *squares, bool hero, struct pn_children *children) {
    children->count = 0;
    children->patient = !hero;
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = squares[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            int there = pairing_cost_at(lines, pairs, square);
            insert_child(children, hero, square, number_of(pairs->cost + (hero ? -there : there)));
        }
    }
}

/* Whether the hero's pairs hold once he has the square too; *pairs become those. */
static bool holds_with(const struct pairing_lines *lines, struct pairing_state *pairs, int square, int steps,
                       uint64_t seed) {
    pairing_block(lines, pairs, square);
    pairing_improve(lines, pairs, steps, seed);
    return pairs->cost == 0;
}

/* Tries the likeliest of the hero's moves on the pairs; the one after which they hold, as *found, else NO_SQUARE and
 * better numbers to start with. */
static uint16_t try_moves(const struct pairing_lines *lines, const struct pairing_state *pairs, uint64_t seed,
                          struct pn_children *children, struct pairing *found) {
    struct pn_child tried[LIKELIEST];
    int count = children->count < LIKELIEST ? children->count : LIKELIEST;
    memcpy(tried, children->list, sizeof tried[0] * (size_t)count);
    for (int i = 0; i < count; i++) {
        struct pairing_state after = *pairs;
        if (holds_with(lines, &after, tried[i].square, MOVE_STEPS, seed + (uint64_t)i)) {
            pairing_list(&after, found);
            return tried[i].square;
        }
        tried[i].value.delta = number_of(after.cost);
    }
    memcpy(children->list, tried, sizeof tried[0] * (size_t)count);
    return NO_SQUARE;
}

/* The hero is to move, on one of the squares. */
static enum prove_outcome search_pairs(struct prover *prover, const uint64_t *squares, struct pn_children *children,
                                       uint16_t hint, uint16_t *move) {
    const struct gboard *board = prover->board;
    struct pairing *last = &prover->recent[prover->ply].pairs;
    uint64_t seed = prover->keys[0];
    struct pairing_lines lines;
    struct pairing_state pairs;
    pairing_lines_make(&lines, board, board->side);
    if (hint != NO_SQUARE && squares[hint / 64] >> hint % 64 & 1) {
        pairing_start(&lines, &pairs);
        pairing_adopt(&lines, &pairs, last);
        if (holds_with(&lines, &pairs, hint, STEPS, seed)) {
            pairing_list(&pairs, last);
            *move = hint;
            return PROVE_YES;
        }
    }
    pairing_start(&lines, &pairs);
    pairing_improve(&lines, &pairs, STEPS, seed);
    list_moves(board, &lines, &pairs, squares, true, children);
    *move = try_moves(&lines, &pairs, seed, children, last);
    return *move != NO_SQUARE ? PROVE_YES : children->count > 0 ? PROVE_OPEN : PROVE_NO;
}

/* The hero is to move. */
static enum prove_outcome expand_hero(struct prover *prover, struct pn_children *children, uint16_t hint,
                                      uint16_t *move) {
    struct gboard *board = prover->board;
    int villain = 1 - board->side;
    *move = prover_known_move(prover);
    if (*move != NO_SQUARE) {
        return PROVE_YES;
    }
    if (!gboard_set_empty(board, board->side, SET_FIVE)) {
        *move = (uint16_t)gboard_set_first(board, board->side, SET_FIVE);
        return PROVE_YES;
    }
    uint64_t squares[GBOARD_WORDS];
    int against = gboard_set_count(board, villain, SET_FIVE);
    if (against > 1) {
        return PROVE_NO;
    }
    if (against == 1) {
        memcpy(squares, board->sets[villain][SET_FIVE], sizeof squares);
    } else if (!moves_forced(board, squares)) {
        memcpy(squares, board->empty, sizeof squares);
    }
    return search_pairs(prover, squares, children, hint, move);
}

/* The villain is to move. */
static enum prove_outcome expand_villain(struct prover *prover, struct pn_children *children) {
    struct gboard *board = prover->board;
    int hero = 1 - board->side;
    if (!gboard_set_empty(board, board->side, SET_FIVE)) {
        return PROVE_NO;
    }
    int fives = gboard_set_count(board, hero, SET_FIVE);
    if (fives > 1 || board->count == board->squares) {
        return PROVE_YES;
    }
    struct pairing_lines lines;
    struct pairing_state pairs;
    pairing_lines_make(&lines, board, hero);
    pairing_start(&lines, &pairs);
    pairing_improve(&lines, &pairs, STEPS, prover->keys[0]);
    if (pairs.cost == 0) {
        return PROVE_YES;
    }
    if (fives == 0 && !prover_seen(prover)) {
        tree_clear(&prover->tree);
        if (threats_win(&prover->threats, FOUR_NODES, prover->settings.threat_nodes, &prover->tree) != TREE_NONE) {
            return PROVE_NO;
        }
    }
    list_moves(board, &lines, &pairs, fives == 1 ? board->sets[hero][SET_FIVE] : board->empty, false, children);
    return PROVE_OPEN;
}

enum prove_outcome hold_expand(struct prover *prover, struct pn_children *children, uint16_t hint, uint16_t *move) {
    return prover_hero_moves(prover) ? expand_hero(prover, children, hint, move) : expand_villain(prover, children);
}
