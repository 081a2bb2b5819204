/* The proof tree of what was proved: the hero's moves out of what is remembered, the replies as the claim needs them.
 * Nothing is taken on trust from the search: a win after a pass is replayed against every reply, and where a position
 * turns out to be unproved (forgotten, or never looked at since a reply was thought to be covered) it is searched. */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "prove/search/pairing.h"
#include "prove/search/prover.h"

#define FOUR_NODES 4000
#define ROOT_SHARE 500
#define LOOK_EVERY 16  /* positions between two looks at the clock */
#define MORE_THREATS 2 /* nodes of threats, as a multiple of the search's: they are not found the same way again */

struct builder {
    struct prover *prover;
    struct tree *tree;
    struct proved met; /* the node of every position that has one */
    uint64_t positions;
};

static int32_t build_hero(struct builder *builder);

/* A win of the hero's by threats, after a pass where the villain is to move. */
static int32_t build_threats(struct builder *builder) {
    struct prover *prover = builder->prover;
    int32_t kept = prover_kept_tree(prover, builder->tree);
    if (kept != TREE_NONE) {
        return kept;
    }
    uint64_t share = prover->ply == 0 ? ROOT_SHARE : MORE_THREATS;
    bool winning = prover->settings.claim == PROVE_WIN;
    int32_t node =
        prover_find_win(prover, winning ? FOUR_NODES : MORE_THREATS * PROVER_HOLD_THREATS,
                        winning ? share * prover->settings.threat_nodes : MORE_THREATS * PROVER_HOLD_THREATS);
    return node == TREE_NONE ? TREE_NONE : tree_copy(&prover->tree, node, prover->turned[0], builder->tree);
}

/* The node of a hero's move with an answer to each of the squares. */
static int32_t build_answers(struct builder *builder, int move, int32_t pass, const struct squares *squares) {
    struct prover *prover = builder->prover;
    struct tree_reply replies[GOMOKU_MOST_SQUARES];
    int count = 0;
    for (int word = 0; word < prover->board->words; word++) {
        for (uint64_t left = squares->words[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            prover_play(prover, square);
            int32_t node = build_hero(builder);
            prover_undo(prover);
            if (node == TREE_NONE) {
                return TREE_NONE;
            }
            replies[count++] = (struct tree_reply){.square = (uint16_t)square, .node = node};
        }
    }
    return tree_add(builder->tree, move, pass, replies, count);
}

/* After a move that threatens no five, to win: a win after a pass where there is one, and what breaks it. */
static int32_t build_quiet(struct builder *builder, int move) {
    struct prover *prover = builder->prover;
    struct gboard *board = prover->board;
    struct squares all;
    struct squares replies;
    memcpy(all.words, board->empty, sizeof all.words);
    int32_t pass = build_threats(builder);
    if (pass == TREE_NONE || !tree_breakers(builder->tree, board, pass, true, &replies)) {
        return build_answers(builder, move, TREE_NONE, &all);
    }
    return build_answers(builder, move, pass, &replies);
}

/* After a move that threatens no five, to hold: pairs, or an answer to everything. */
static int32_t build_wait(struct builder *builder, int move) {
    struct prover *prover = builder->prover;
    struct gboard *board = prover->board;
    struct answers *answers = &prover->answers;
    struct pairing pairing;
    if (answers_begin(answers, board, prover->keys[0])) {
        pairing_list(&answers->lines, &answers->pairs, &pairing);
        return tree_add_pairs(builder->tree, move, pairing.squares, pairing.count);
    }
    struct squares squares;
    int32_t pass = build_threats(builder);
    if (pass == TREE_NONE || !tree_breakers(builder->tree, board, pass, true, &squares)) {
        pass = TREE_NONE;
        memcpy(squares.words, board->empty, sizeof squares.words);
    }
    struct pn_children open;
    struct answer *found = malloc(sizeof *found * GOMOKU_MOST_SQUARES);
    if (!found) {
        builder->tree->broken = true;
        return TREE_NONE;
    }
    answers_find(answers, squares.words, board->squares, &open, found);
    struct tree_reply replies[GOMOKU_MOST_SQUARES];
    int count = 0;
    int32_t node = 0;
    for (int square = 0; square < board->squares && node != TREE_NONE; square++) {
        if (!squares_has(&squares, square)) {
            continue;
        }
        if (found[square].move != NO_SQUARE) {
            const struct pairing *pairs = &found[square].pairs;
            node = tree_add_pairs(builder->tree, found[square].move, pairs->squares, pairs->count);
        } else {
            prover_play(prover, square);
            node = build_hero(builder);
            prover_undo(prover);
        }
        replies[count++] = (struct tree_reply){.square = (uint16_t)square, .node = node};
    }
    free(found);
    return node == TREE_NONE ? TREE_NONE : tree_add(builder->tree, move, pass, replies, count);
}

/* The villain is to move, after the hero's `move`. */
static int32_t build_villain(struct builder *builder, int move) {
    struct gboard *board = builder->prover->board;
    int hero = 1 - board->side;
    int fives = gboard_set_count(board, hero, SET_FIVE);
    if (fives > 1) {
        return tree_add(builder->tree, move, TREE_NONE, NULL, 0);
    }
    if (fives == 1) {
        struct squares forced;
        memcpy(forced.words, board->sets[hero][SET_FIVE], sizeof forced.words);
        return build_answers(builder, move, TREE_NONE, &forced);
    }
    return builder->prover->settings.claim == PROVE_WIN ? build_quiet(builder, move) : build_wait(builder, move);
}

/* The hero's move: what is remembered, or found now. NO_SQUARE when a limit is reached. */
static uint16_t find_move(struct prover *prover) {
    uint16_t move = prover_known_move(prover);
    if (move == NO_SQUARE && prover_search(prover).phi == 0) {
        move = prover_known_move(prover);
    }
    return move != NO_SQUARE && gboard_is_empty(prover->board, move) ? move : NO_SQUARE;
}

/* Whether there is time for one more position. */
static bool has_time(struct builder *builder) {
    struct prover *prover = builder->prover;
    prover->built = (uint64_t)builder->tree->node_count;
    return builder->positions++ % LOOK_EVERY != 0 || prover_goes_on(prover);
}

/* The hero is to move. */
static int32_t build_hero(struct builder *builder) {
    struct prover *prover = builder->prover;
    struct gboard *board = prover->board;
    int symmetry;
    if (clock_stopped(&prover->clock) || !has_time(builder)) {
        return TREE_NONE;
    }
    uint64_t key = prover_key(prover, &symmetry);
    int64_t met = proved_find(&builder->met, key);
    if (met >= 0) {
        int32_t node = tree_add(builder->tree, 0, TREE_REFER, NULL, 0);
        if (node != TREE_NONE) {
            builder->tree->nodes[node].first = (int32_t)met;
        }
        return node;
    }
    int32_t node = build_threats(builder);
    if (node == TREE_NONE) {
        uint16_t move = find_move(prover);
        if (move == NO_SQUARE) {
            return TREE_NONE;
        }
        if (gboard_in_set(board, board->side, SET_FIVE, move)) {
            return tree_add(builder->tree, move, TREE_NONE, NULL, 0);
        }
        prover_play(prover, move);
        node = build_villain(builder, move);
        prover_undo(prover);
    }
    if (node != TREE_NONE && builder->tree->nodes[node].count > 0) {
        proved_add(&builder->met, key, (uint32_t)node);
    }
    return node;
}

int32_t prover_build(struct prover *prover, struct tree *tree) {
    struct builder builder = {.prover = prover, .tree = tree};
    proved_init(&builder.met);
    tree_clear(tree);
    int32_t root = prover_hero_moves(prover) ? build_hero(&builder) : build_villain(&builder, NO_SQUARE);
    proved_close(&builder.met);
    return tree->broken ? TREE_NONE : root;
}
