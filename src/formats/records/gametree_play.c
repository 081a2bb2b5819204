/* From a recorded game to the position at its end, and back. */
#include <stdio.h>
#include <string.h>

#include "formats/records/gametree.h"

struct walk {
    const struct gametree *tree;
    struct gomoku_position *position;
    int variant;
    uint8_t stones[GOMOKU_MOST_SQUARES];   /* 'B' or 'W' */
    uint32_t touched[GOMOKU_MOST_SQUARES]; /* the node of the last set-up, counted from 1 */
    char first;                            /* the colour that is X, once that is known */
    char next;                             /* the colour said to move next; 0: none is */
    bool placed;                           /* the position is that of the stones */
    uint32_t line;                         /* of the last set-up */
    uint32_t column;
};

/* A place of a text, or a byte of a binary file. */
static enum status refuse_at(uint32_t line, uint32_t column, const char *expected, struct error *error) {
    return line == 0 && column > 0 ? error_at(error, 0, 0, "byte %u: expected %s", column, expected)
                                   : error_at(error, (int)line, (int)column, "expected %s", expected);
}

/* Turns the stones into a position, once it is known who moves next: that side has as many as the other when it is X,
 * and one less when it is O. */
static enum status place(struct walk *walk, char next, struct error *error) {
    int squares = walk->tree->size * walk->tree->size;
    int count[2] = {0, 0};
    for (int i = 0; i < squares; i++) {
        count[0] += walk->stones[i] == 'B';
        count[1] += walk->stones[i] == 'W';
    }
    char even = next ? next : 'B';
    walk->first = count[0] > count[1] ? 'B' : count[1] > count[0] ? 'W' : even;
    uint8_t board[GOMOKU_MOST_SQUARES] = {0};
    for (int i = 0; i < squares; i++) {
        bool first = walk->stones[i] == walk->first;
        board[i] = walk->stones[i] == 0 ? GOMOKU_EMPTY : first ? GOMOKU_X : GOMOKU_O;
    }
    walk->placed = true;
    enum status status = gomoku_set_board(walk->position, walk->tree->size, walk->variant, board, error);
    if (status == STATUS_BAD_INPUT && error) {
        error->line = (int)walk->line;
        error->column = (int)walk->column;
    }
    return status;
}

/* One value of AB, AW or AE: a square, or two corners of a rectangle. */
static enum status set_up(struct walk *walk, uint32_t node, char colour, const struct gametree_property *property,
                          struct error *error) {
    const char *value = gametree_value(walk->tree, property);
    int size = walk->tree->size;
    const char *colon = property->length ? memchr(value, ':', property->length) : NULL;
    size_t first = colon ? (size_t)(colon - value) : property->length;
    int from = gametree_point(size, value, first);
    int to = colon ? gametree_point(size, colon + 1, property->length - first - 1) : from;
    if (from < 0 || to < 0 || from / size > to / size || from % size > to % size) {
        return refuse_at(property->line, property->column, "a square of two letters on the board", error);
    }
    for (int row = from / size; row <= to / size; row++) {
        for (int column = from % size; column <= to % size; column++) {
            int square = row * size + column;
            if (walk->touched[square] == node + 1) {
                return refuse_at(property->line, property->column, "an empty square, this one is set up twice", error);
            }
            walk->touched[square] = node + 1;
            walk->stones[square] = (uint8_t)colour;
        }
    }
    walk->line = property->line;
    walk->column = property->column;
    walk->placed = false;
    return STATUS_OK;
}

static enum status play(struct walk *walk, const struct gametree_node *node, struct error *error) {
    enum status status = walk->placed ? STATUS_OK : place(walk, node->colour, error);
    if (status != STATUS_OK) {
        return status;
    }
    if ((node->colour == walk->first ? 0 : 1) != (walk->position->count & 1)) {
        return refuse_at(node->line, node->column, "the other colour to move", error);
    }
    if (node->square < 0) {
        return refuse_at(node->line, node->column, "a square of two letters on the board; nobody passes", error);
    }
    const struct gomoku_position *position = walk->position;
    if (position->board[node->square] != GOMOKU_EMPTY || position->winner != GOMOKU_NO_WINNER) {
        return refuse_at(node->line, node->column, "an empty square in a game that is not over", error);
    }
    const char *forbidden = gomoku_forbidden_at(position, node->square);
    if (forbidden) {
        char expected[80];
        snprintf(expected, sizeof expected, "a square renju allows, where black does not make %s", forbidden);
        return refuse_at(node->line, node->column, expected, error);
    }
    gomoku_put(walk->position, node->square);
    walk->stones[node->square] = (uint8_t)node->colour;
    walk->next = 0;
    return STATUS_OK;
}

static enum status visit(struct walk *walk, uint32_t index, struct error *error) {
    const struct gametree *tree = walk->tree;
    enum status status = STATUS_OK;
    const struct gametree_property *property = gametree_first(tree, index);
    for (; property && status == STATUS_OK; property = gametree_next(tree, property)) {
        const char *value = gametree_value(tree, property);
        if (gametree_named(tree, property, "AB") || gametree_named(tree, property, "AW")) {
            status = set_up(walk, index, gametree_name(tree, property)[1], property, error);
        } else if (gametree_named(tree, property, "AE")) {
            status = set_up(walk, index, 0, property, error);
        } else if (gametree_named(tree, property, "PL") && property->length > 0) {
            walk->next = (value[0] & ~0x20) == 'W' ? 'W' : 'B';
        }
    }
    if (status == STATUS_OK && tree->nodes[index].colour) {
        status = play(walk, &tree->nodes[index], error);
    }
    return status;
}

enum status gametree_position(const struct gametree *tree, int usual, struct gomoku_position *position,
                              struct error *error) {
    if (tree->rules == GAMETREE_RULES_STRANGE) {
        return refuse_at(
            tree->rules_line, tree->rules_column,
            "the rules freestyle (0), exact (1, standard), renju (4) or caro (8); others are not played here", error);
    }
    struct walk walk = {.tree = tree, .position = position};
    walk.variant = tree->rules == GAMETREE_RULES_UNSAID ? usual : tree->rules;
    uint32_t node = 0;
    enum status status = STATUS_OK;
    do {
        status = visit(&walk, node, error);
        node = tree->nodes[node].child;
    } while (node && status == STATUS_OK);
    return status == STATUS_OK && !walk.placed ? place(&walk, walk.next, error) : status;
}

/* The root's position. A set-up with as many stones of either colour is the mover's own, so that is told to the tree.
 */
enum status gametree_start(struct gametree *tree, int usual, struct gomoku_position *start, struct error *error) {
    uint32_t child = tree->nodes[0].child;
    uint32_t first = child;
    while (first && !tree->nodes[first].colour) {
        first = tree->nodes[first].child;
    }
    if (first && !gametree_find(tree, 0, "PL") && !tree->nodes[0].colour &&
        !gametree_put(tree, 0, "PL", 2, tree->nodes[first].colour == 'W' ? "W" : "B", 1)) {
        return error_machine(error, "out of memory");
    }
    tree->nodes[0].child = 0;
    enum status status = gametree_position(tree, usual, start, error);
    tree->nodes[0].child = child;
    return status;
}

bool gametree_take(struct gametree *tree, const struct gomoku_position *position) {
    tree->size = position->size;
    tree->rules = position->variant;
    for (int side = 0; side < 2; side++) {
        for (int i = side; i < position->setup; i += 2) {
            if (!gametree_put_point(tree, 0, side == 0 ? "AB" : "AW", position->order[i])) {
                return false;
            }
        }
    }
    uint32_t node = 0;
    for (int i = position->setup; i < position->count; i++) {
        node = gametree_add_move(tree, node, i & 1 ? 'W' : 'B', position->order[i]);
        if (!node) {
            return false;
        }
    }
    return true;
}
