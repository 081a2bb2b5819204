#include "prove/search/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "games/gomoku/search/search.h"

void tree_free(struct tree *tree) {
    free(tree->nodes);
    free(tree->replies);
    free(tree->pairs);
    free(tree->zones);
    *tree = (struct tree){0};
}

void tree_clear(struct tree *tree) {
    tree->node_count = 0;
    tree->reply_count = 0;
    tree->pair_count = 0;
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

int32_t tree_add_pairs(struct tree *tree, int move, const uint16_t *squares, int count) {
    if (!make_room((void **)&tree->pairs, &tree->pair_room, tree->pair_count, count, sizeof *tree->pairs)) {
        tree->broken = true;
        return TREE_NONE;
    }
    int32_t index = tree_add(tree, move, TREE_PAIRING, NULL, 0);
    if (index != TREE_NONE) {
        tree->nodes[index].count = (uint16_t)count;
        tree->nodes[index].first = tree->pair_count;
        for (int i = 0; i < count; i++, tree->pair_count++) {
            tree->pairs[tree->pair_count][0] = (uint8_t)squares[2 * i];
            tree->pairs[tree->pair_count][1] = (uint8_t)squares[2 * i + 1];
        }
    }
    return index;
}

int32_t tree_copy(const struct tree *from, int32_t index, const uint16_t *turned, struct tree *to) {
    const struct tree_node node = from->nodes[index];
    struct tree_reply replies[GOMOKU_MOST_SQUARES];
    int32_t pass = node.pass >= 0 ? tree_copy(from, node.pass, turned, to) : node.pass;
    for (int i = 0; i < node.count; i++) {
        const struct tree_reply *old = &from->replies[node.first + i];
        struct tree_reply reply = {turned[old->square], tree_copy(from, old->node, turned, to)};
        int place = i;
        for (; place > 0 && replies[place - 1].square > reply.square; place--) { /* certificates list them in order */
            replies[place] = replies[place - 1];
        }
        replies[place] = reply;
    }
    return tree_add(to, turned[node.move], pass, replies, node.count);
}

int32_t tree_copy_plain(const struct tree *from, int32_t node, struct tree *to) {
    uint16_t same[GOMOKU_MOST_SQUARES];
    for (int square = 0; square < GOMOKU_MOST_SQUARES; square++) {
        same[square] = (uint16_t)square;
    }
    return tree_copy(from, node, same, to);
}

/* One replay of a tree on a board. Either `zones` gets for each node the squares where one more stone of the villain's
 * could matter, or, with such a `stone` on the board, nodes whose zone does not have it are passed over; or neither. */
struct replay {
    const struct tree *tree;
    struct gboard *board;
    struct squares *zones;
    struct squares *zone; /* of the node being replayed; NULL: none is wanted */
    int stone;            /* NO_SQUARE: none */
};

/* The hero is to move: squares where a stone makes three or more of the villain's that could become five may spoil what
 * follows. */
static void add_counters(const struct gboard *board, int villain, struct squares *zone) {
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = board->near[word] & board->empty[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            if (board->tables->kinds_of[gboard_code(board, villain, square)][3] >= KIND_BLOCKED_THREE) {
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

/* The other side plays an open four or a double one on `next` after a pass: that wins against every reply that neither
 * spoils it nor makes a four, which are these. False when there is no such four. */
static bool find_spoilers(const struct gboard *board, int next, uint64_t *squares) {
    int villain = board->side;
    if (!gboard_in_set(board, 1 - villain, SET_OPEN_FOUR, next)) {
        return false;
    }
    moves_defences(board, 1 - villain, next, squares);
    for (int word = 0; word < board->words; word++) {
        squares[word] |= board->sets[villain][SET_FOUR][word] | board->sets[villain][SET_OPEN_FOUR][word];
    }
    return true;
}

static bool node_holds(struct replay *replay, int32_t index);

/* The tree after a pass is a four on `next`: what stops it must be listed. */
static bool four_holds(const struct replay *replay, const struct tree_node *node, int next) {
    const struct gboard *board = replay->board;
    int villain = board->side;
    uint64_t squares[GBOARD_WORDS];
    if (!find_spoilers(board, next, squares)) {
        return false;
    }
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = squares[word]; left;) {
            if (!find_reply(replay->tree, node, word * 64 + bits_pop(&left))) {
                return false;
            }
        }
    }
    if (replay->zone) {
        for (int word = 0; word < board->words; word++) {
            replay->zone->words[word] |= squares[word];
        }
        add_lines(board, 1 - villain, next, replay->zone);
    }
    return true;
}

static bool reply_holds(struct replay *replay, const struct tree_reply *reply) {
    if (!gboard_is_empty(replay->board, reply->square)) {
        return true; /* no longer a legal reply */
    }
    gboard_play(replay->board, reply->square);
    bool holds = node_holds(replay, reply->node);
    gboard_undo(replay->board);
    return holds;
}

/* The hero has just moved. */
static bool replies_hold(struct replay *replay, const struct tree_node *node) {
    struct gboard *board = replay->board;
    int villain = board->side;
    int hero = 1 - villain;
    if (!gboard_set_empty(board, villain, SET_FIVE)) {
        return false;
    }
    for (int i = 0; i < board->words && replay->zone; i++) {
        replay->zone->words[i] |= board->sets[hero][SET_FIVE][i];
    }
    int fives = gboard_set_count(board, hero, SET_FIVE);
    if (fives > 1) {
        return true;
    }
    if (fives == 1) {
        const struct tree_reply *reply = find_reply(replay->tree, node, gboard_set_first(board, hero, SET_FIVE));
        return reply && reply_holds(replay, reply);
    }
    bool holds = node->pass >= 0 && four_holds(replay, node, replay->tree->nodes[node->pass].move);
    for (int i = 0; i < node->count && holds; i++) {
        holds = reply_holds(replay, &replay->tree->replies[node->first + i]);
    }
    return holds;
}

/* The hero is to move by the tree. */
static bool node_holds(struct replay *replay, int32_t index) {
    const struct tree_node *node = &replay->tree->nodes[index];
    struct gboard *board = replay->board;
    if (replay->stone != NO_SQUARE && replay->zones && !squares_has(&replay->zones[index], replay->stone)) {
        return true;
    }
    if (!gboard_is_empty(board, node->move)) {
        return false;
    }
    struct squares *outer = replay->zone;
    if (outer) {
        replay->zone = &replay->zones[index];
        *replay->zone = (struct squares){0};
        squares_add(replay->zone, node->move);
        add_counters(board, 1 - board->side, replay->zone);
    }
    bool holds = gboard_in_set(board, board->side, SET_FIVE, node->move);
    if (!holds) {
        gboard_play(board, node->move);
        holds = replies_hold(replay, node);
        gboard_undo(board);
    }
    for (int i = 0; i < board->words && outer; i++) {
        outer->words[i] |= replay->zones[index].words[i];
    }
    replay->zone = outer;
    return holds;
}

/* Finds the zones of a tree of the other side's, if the side to move passes; *zone is that of the whole. */
static bool find_zones(struct tree *tree, struct gboard *board, int32_t node, struct squares *zone) {
    if (!make_room((void **)&tree->zones, &tree->zone_room, 0, tree->node_count, sizeof *tree->zones)) {
        tree->broken = true;
        return false;
    }
    struct replay replay = {.tree = tree, .board = board, .zones = tree->zones, .zone = zone, .stone = NO_SQUARE};
    *zone = (struct squares){0};
    gboard_pass(board);
    bool holds = node_holds(&replay, node);
    gboard_pass(board);
    return holds;
}

bool tree_breakers(struct tree *tree, struct gboard *board, int32_t node, bool everywhere, struct squares *breakers) {
    struct squares zone;
    *breakers = (struct squares){0};
    if (!find_zones(tree, board, node, &zone)) {
        return false;
    }
    if (everywhere) {
        memcpy(zone.words, board->empty, sizeof zone.words);
    }
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = zone.words[word] & board->empty[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            struct replay replay = {
                .tree = tree, .board = board, .zones = everywhere ? NULL : tree->zones, .stone = square};
            gboard_play(board, square);
            bool holds = node_holds(&replay, node);
            gboard_undo(board);
            if (!holds) {
                squares_add(breakers, square);
            }
        }
    }
    return true;
}

/* -- on another board -- */

/* Adds a move whose replies are those on `squares`, each with its part of the old tree; TREE_NONE when one has none. */
static int32_t adapt_replies(const struct tree *from, const struct tree_node *node, struct gboard *board, int32_t pass,
                             const uint64_t *squares, struct tree *to) {
    struct tree_reply replies[GOMOKU_MOST_SQUARES];
    int count = 0;
    for (int word = 0; word < board->words; word++) {
        for (uint64_t left = squares[word]; left;) {
            int square = word * 64 + bits_pop(&left);
            const struct tree_reply *old = find_reply(from, node, square);
            if (!old) {
                return TREE_NONE;
            }
            gboard_play(board, square);
            int32_t answer = tree_adapt(from, old->node, board, to);
            gboard_undo(board);
            if (answer == TREE_NONE) {
                return TREE_NONE;
            }
            replies[count++] = (struct tree_reply){.square = (uint16_t)square, .node = answer};
        }
    }
    return tree_add(to, node->move, pass, replies, count);
}

/* The hero has just played the node's move. */
static int32_t adapt_move(const struct tree *from, const struct tree_node *node, struct gboard *board,
                          struct tree *to) {
    int hero = 1 - board->side;
    uint64_t squares[GBOARD_WORDS];
    int fives = gboard_set_count(board, hero, SET_FIVE);
    if (!gboard_set_empty(board, board->side, SET_FIVE)) {
        return TREE_NONE;
    }
    if (fives > 1) {
        return tree_add(to, node->move, TREE_NONE, NULL, 0);
    }
    if (fives == 1) {
        return adapt_replies(from, node, board, TREE_NONE, board->sets[hero][SET_FIVE], to);
    }
    if (node->pass < 0 || !find_spoilers(board, from->nodes[node->pass].move, squares)) {
        return TREE_NONE;
    }
    int32_t pass = tree_add(to, from->nodes[node->pass].move, TREE_NONE, NULL, 0);
    return adapt_replies(from, node, board, pass, squares, to);
}

int32_t tree_adapt(const struct tree *from, int32_t index, struct gboard *board, struct tree *to) {
    const struct tree_node *node = &from->nodes[index];
    if (gboard_in_set(board, board->side, SET_FIVE, node->move)) {
        return tree_add(to, node->move, TREE_NONE, NULL, 0);
    }
    if (!gboard_is_empty(board, node->move)) {
        return TREE_NONE;
    }
    gboard_play(board, node->move);
    int32_t adapted = adapt_move(from, node, board, to);
    gboard_undo(board);
    return adapted;
}
