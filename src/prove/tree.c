#include "prove/tree.h"

#include <stdlib.h>

#include "base/bits.h"
#include "games/gomoku/gomoku_search.h"

void tree_free(struct tree *tree) {
    free(tree->nodes);
    free(tree->replies);
    *tree = (struct tree){0};
}

void tree_clear(struct tree *tree) {
    tree->node_count = 0;
    tree->reply_count = 0;
}

/* Makes room for `more` elements; false when there is none. */
static bool make_room(void **list, int32_t *room, int32_t count, int more, size_t size) {
    if (count + more <= *room) {
        return true;
    }
    int32_t wanted = *room ? *room : 1024;
    while (wanted < count + more) {
        if (wanted > INT32_MAX / 2) {
            return false;
        }
        wanted *= 2;
    }
    void *moved = realloc(*list, (size_t)wanted * size);
    if (!moved) {
        return false;
    }
    *list = moved;
    *room = wanted;
    return true;
}

int32_t tree_add(struct tree *tree, int move, int32_t pass, const struct tree_reply *replies, int count) {
    if (!make_room((void **)&tree->nodes, &tree->node_room, tree->node_count, 1, sizeof *tree->nodes) ||
        !make_room((void **)&tree->replies, &tree->reply_room, tree->reply_count, count, sizeof *tree->replies)) {
        tree->broken = true;
        return TREE_NONE;
    }
    int32_t index = tree->node_count++;
    tree->nodes[index] =
        (struct tree_node){.move = (uint16_t)move, .count = (uint16_t)count, .first = tree->reply_count, .pass = pass};
    for (int i = 0; i < count; i++) {
        tree->replies[tree->reply_count++] = replies[i];
    }
    return index;
}

/* The hero has moved and threatens nothing at once: squares where a stone makes three or more of the villain's that
 * could become five may spoil what follows. */
static void add_counters(const struct gboard *board, int villain, struct squares *zone) {
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = board->near[word] & board->empty[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            const struct gboard_cell *cell = &board->cells[square];
            if (board->tables->kinds_of[cell->code[villain]][3] >= KIND_BLOCKED_THREE) {
                squares_add(zone, square);
            }
        }
    }
}

static const struct tree_reply *find_reply(const struct tree *tree, const struct tree_node *node, int square) {
    for (int i = 0; i < node->count; i++) {
        if (tree->replies[node->first + i].square == square) {
            return &tree->replies[node->first + i];
        }
    }
    return NULL;
}

/* The empty squares of the lines on which `next` makes a four: a stone there may leave more ways to stop it. */
static void add_lines(const struct gboard *board, int side, int next, struct squares *zone) {
    for (int direction = 0; direction < 4; direction++) {
        if (gboard_kind(board, side, next, direction) < KIND_FOUR) {
            continue;
        }
        for (int way = -1; way <= 1; way += 2) {
            int square = next;
            for (int i = 0; i < 4; i++) {
                int column = board->column_of[square];
                square += way * board->delta[direction];
                if (square < 0 || square >= board->squares || abs(board->column_of[square] - column) > 1) {
                    break;
                }
                squares_add(zone, square);
            }
        }
    }
}

/* The tree after a pass is an open four or a double one on `next`: it holds against every reply that neither spoils it
 * nor makes a four. So those must be listed. */
static bool four_holds(const struct tree *tree, const struct gboard *board, const struct tree_node *node, int next,
                       struct squares *zone) {
    int villain = board->side;
    uint64_t squares[GBOARD_WORDS];
    moves_defences(board, 1 - villain, next, squares);
    for (int word = 0; word < board->words; word++) {
        zone->words[word] |= squares[word];
        squares[word] |= board->sets[villain][SET_FOUR][word] | board->sets[villain][SET_OPEN_FOUR][word];
        for (uint64_t left = squares[word]; left;) {
            if (!find_reply(tree, node, word * 64 + bits_pop(&left))) {
                return false;
            }
        }
    }
    add_counters(board, villain, zone);
    add_lines(board, 1 - villain, next, zone);
    return true;
}

/* The listed replies. */
static bool listed_hold(const struct tree *tree, struct gboard *board, const struct tree_node *node,
                        struct squares *zone) {
    bool holds = true;
    for (int i = 0; i < node->count && holds; i++) {
        const struct tree_reply *reply = &tree->replies[node->first + i];
        if (gboard_is_empty(board, reply->square)) {
            gboard_play(board, reply->square);
            holds = tree_holds(tree, board, reply->node, zone);
            gboard_undo(board);
        }
    }
    return holds;
}

/* The villain's replies to a move that threatens no five: the tree after a pass, replayed against each reply that could
 * matter, and the listed ones. */
static bool quiet_holds(const struct tree *tree, struct gboard *board, const struct tree_node *node,
                        struct squares *zone) {
    if (node->pass == TREE_NONE) {
        return false;
    }
    const struct tree_node *next = &tree->nodes[node->pass];
    if (gboard_in_set(board, 1 - board->side, SET_OPEN_FOUR, next->move)) {
        return four_holds(tree, board, node, next->move, zone) && listed_hold(tree, board, node, zone);
    }
    struct squares touched = {0};
    bool holds = tree_holds_after_pass(tree, board, node->pass, &touched);
    for (int i = 0; i < GBOARD_WORDS; i++) {
        zone->words[i] |= touched.words[i];
    }
    for (int i = 0; i < node->count; i++) {
        int square = tree->replies[node->first + i].square;
        touched.words[square >> 6] &= ~(1ULL << (square & 63));
    }
    holds = holds && listed_hold(tree, board, node, zone);
    for (int word = 0; word < board->words && holds; word++) {
        for (uint64_t left = touched.words[word] & board->empty[word]; left && holds;) {
            gboard_play(board, word * 64 + bits_pop(&left));
            holds = tree_holds(tree, board, node->pass, zone);
            gboard_undo(board);
        }
    }
    return holds;
}

/* The hero has just moved. */
static bool replies_hold(const struct tree *tree, struct gboard *board, const struct tree_node *node,
                         struct squares *zone) {
    int villain = board->side;
    int hero = 1 - villain;
    if (!gboard_set_empty(board, villain, SET_FIVE)) {
        return false;
    }
    for (int i = 0; i < board->words; i++) {
        zone->words[i] |= board->sets[hero][SET_FIVE][i];
    }
    int fives = gboard_set_count(board, hero, SET_FIVE);
    if (fives == 0) {
        return quiet_holds(tree, board, node, zone);
    }
    if (fives > 1) {
        return true;
    }
    int forced = gboard_set_first(board, hero, SET_FIVE);
    const struct tree_reply *reply = find_reply(tree, node, forced);
    if (!reply) {
        return false;
    }
    add_counters(board, villain, zone);
    gboard_play(board, forced);
    bool holds = tree_holds(tree, board, reply->node, zone);
    gboard_undo(board);
    return holds;
}

bool tree_holds(const struct tree *tree, struct gboard *board, int32_t index, struct squares *zone) {
    const struct tree_node *node = &tree->nodes[index];
    if (!gboard_is_empty(board, node->move)) {
        return false;
    }
    squares_add(zone, node->move);
    if (gboard_in_set(board, board->side, SET_FIVE, node->move)) {
        return true;
    }
    gboard_play(board, node->move);
    bool holds = replies_hold(tree, board, node, zone);
    gboard_undo(board);
    return holds;
}

bool tree_holds_after_pass(const struct tree *tree, struct gboard *board, int32_t node, struct squares *zone) {
    add_counters(board, board->side, zone);
    gboard_pass(board);
    bool holds = tree_holds(tree, board, node, zone);
    gboard_pass(board);
    return holds;
}

void tree_breakers(const struct tree *tree, struct gboard *board, int32_t node, const struct squares *among,
                   struct squares *breakers) {
    *breakers = (struct squares){0};
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = among->words[word] & board->empty[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            struct squares zone = {0};
            gboard_play(board, square);
            bool holds = tree_holds(tree, board, node, &zone);
            gboard_undo(board);
            if (!holds) {
                squares_add(breakers, square);
            }
        }
    }
}
