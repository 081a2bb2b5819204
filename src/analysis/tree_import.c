#include <stdlib.h>
#include <string.h>

#include "analysis/analyses_inside.h"
#include "analysis/remark.h"
#include "analysis/tree.h"
#include "base/assert.h"
#include "base/crc64.h"
#include "base/number.h"

#define MARKED "mark" /* the label of a move that is marked and says nothing */

/* The way to a node: a position, and the moves that led to it. */
struct import {
    struct analyses *analyses;
    struct gametree *tree;
    struct analysis_import *counts;
    const struct analyses_watch *watch;
    struct gomoku_position start;
    struct gomoku_position position;
    int depth;
    uint16_t moves[GOMOKU_MOST_SQUARES + 1];
    uint16_t *depths; /* owned; of each node, moves behind the start */
    bool *left_out;   /* owned; of each node */
    char first;       /* the colour of the first move behind the start */
};

static struct game_position *here(struct import *import) {
    return (struct game_position *)&import->position;
}

static void go_back(struct import *import, int depth) {
    if (depth < import->depth) {
        import->position = import->start;
        for (int i = 0; i < depth; i++) {
            gomoku_put(&import->position, import->moves[i]);
        }
        import->depth = depth;
    }
}

/* -- what a node says -- */

/* Adds a remark to the one that is there, unless that has it already. */
static enum status add_comment(struct import *import, const char *bytes, size_t length, struct error *error) {
    struct analysis *found = calloc(1, sizeof *found);
    struct text whole = TEXT_EMPTY;
    if (!found) {
        return error_machine(error, "out of memory");
    }
    enum status status = analyses_get(import->analyses, &gomoku_game, here(import), found, error);
    if (status == STATUS_OK) {
        text_add(&whole, text_string(&found->comment), found->comment.length);
        size_t before = whole.length;
        const char *there = before >= length ? memmem(whole.data, before, bytes, length) : NULL;
        if (!there && before + length < ANALYSIS_MOST_TEXT) {
            text_add_string(&whole, before ? "\n" : "");
            text_add(&whole, bytes, length);
            import->counts->comments++;
            status = whole.broken ? error_machine(error, "out of memory")
                                  : analyses_write(import->analyses, &gomoku_game, here(import), ANALYSIS_COMMENT,
                                                   text_string(&whole), whole.length, error);
        }
    }
    text_free(&whole);
    analysis_free(found);
    free(found);
    return status;
}

static enum status add_label(struct import *import, const char *text, size_t length, struct error *error) {
    length = length < ANALYSIS_MOST_LABEL ? length : ANALYSIS_MOST_LABEL;
    import->counts->marks += length > 0;
    return length == 0
               ? STATUS_OK
               : analyses_write(import->analyses, &gomoku_game, here(import), ANALYSIS_LABEL, text, length, error);
}

/* A remark, and what its last line says of the position. */
static enum status take_remark(struct import *import, const struct gametree_property *property, struct error *error) {
    struct text text = TEXT_EMPTY;
    struct remark remark;
    enum status status = STATUS_OK;
    gametree_add_text(import->tree, property, &text);
    remark_read(&remark, text_string(&text), text.length);
    if (text.broken || remark.line.broken || remark.label.broken) {
        status = error_machine(error, "out of memory");
    }
    if (status == STATUS_OK && remark.length > 0) {
        status = add_comment(import, text_string(&text), remark.length, error);
    }
    if (status == STATUS_OK && remark.valued) {
        bool kept = false;
        remark.value.line = text_string(&remark.line);
        status = analyses_put(import->analyses, &gomoku_game, here(import), &remark.value, &kept, error);
        import->counts->values += kept;
    }
    if (status == STATUS_OK) {
        status = add_label(import, text_string(&remark.label), remark.label.length, error);
    }
    remark_free(&remark);
    text_free(&text);
    return status;
}

/* A text on a square. On that of the move itself it belongs to the position before, where the square is empty. */
static enum status add_mark(struct import *import, uint32_t node, int square, const char *text, size_t length,
                            struct error *error) {
    bool own = square == import->tree->nodes[node].square && import->position.count > import->start.count;
    length = length < ANALYSIS_MOST_LABEL ? length : ANALYSIS_MOST_LABEL;
    import->counts->marks += length > 0;
    if (!own) {
        return analyses_mark(import->analyses, here(import), square, text, length, error);
    }
    struct gomoku_position before = import->position;
    before.board[square] = GOMOKU_EMPTY;
    before.order[--before.count] = 0;
    before.winner = GOMOKU_NO_WINNER;
    return analyses_mark(import->analyses, (const struct game_position *)&before, square, text, length, error);
}

static enum status take_property(struct import *import, uint32_t node, const struct gametree_property *property,
                                 struct error *error) {
    const struct gametree *tree = import->tree;
    struct text text = TEXT_EMPTY;
    enum status status = STATUS_OK;
    if (gametree_named(tree, property, "C")) {
        return take_remark(import, property, error);
    }
    if (gametree_named(tree, property, "MA")) {
        int square = gametree_point(tree->size, gametree_value(tree, property), property->length);
        bool own = square >= 0 && square == tree->nodes[node].square;
        return own           ? add_label(import, MARKED, sizeof MARKED - 1, error)
               : square >= 0 ? add_mark(import, node, square, "x", 1, error)
                             : STATUS_OK;
    }
    if (gametree_named(tree, property, "LB")) {
        gametree_add_text(tree, property, &text);
        int square = text.length > 3 && text.data[2] == ':' ? gametree_point(tree->size, text.data, 2) : -1;
        status = square >= 0 ? add_mark(import, node, square, text.data + 3, text.length - 3, error) : STATUS_OK;
        text_free(&text);
    }
    return status;
}

static enum status take_node(struct import *import, uint32_t node, struct error *error) {
    enum status status = analyses_touch(import->analyses, &gomoku_game, here(import), error);
    const struct gametree_property *property = gametree_first(import->tree, node);
    for (; property && status == STATUS_OK; property = gametree_next(import->tree, property)) {
        status = take_property(import, node, property, error);
    }
    return status;
}

/* -- the way through the tree -- */

/* Whether stones come or go here without being played. */
static bool sets_up(const struct gametree *tree, uint32_t node) {
    return gametree_find(tree, node, "AB") || gametree_find(tree, node, "AW") || gametree_find(tree, node, "AE");
}

/* Goes to a node; false where the rules do not, or where the stones of a game are changed by hand. */
static bool go_to(struct import *import, uint32_t index) {
    const struct gametree_node *node = &import->tree->nodes[index];
    if (import->left_out[node->parent] || sets_up(import->tree, index)) {
        return false;
    }
    go_back(import, import->depths[node->parent]);
    import->depths[index] = (uint16_t)import->depth;
    if (!node->colour) {
        return true;
    }
    bool turn = (node->colour == import->first) == (import->position.count % 2 == import->start.count % 2);
    if (!turn || node->square < 0 || !gomoku_game.legal(here(import), (game_move)node->square)) {
        return false;
    }
    gomoku_put(&import->position, node->square);
    import->moves[import->depth++] = (uint16_t)node->square;
    import->depths[index] = (uint16_t)import->depth;
    return true;
}

static enum status take_nodes(struct import *import, struct error *error) {
    const struct gametree *tree = import->tree;
    enum status status = take_node(import, 0, error);
    for (uint32_t index = tree->nodes[0].child; index && status == STATUS_OK;) {
        import->counts->nodes++;
        if (go_to(import, index)) {
            status = take_node(import, index, error);
        } else {
            import->counts->forbidden += !import->left_out[tree->nodes[index].parent];
            import->left_out[index] = true;
        }
        uint32_t next = tree->nodes[index].child;
        for (uint32_t at = index; !next && at; at = tree->nodes[at].parent) {
            next = tree->nodes[at].next;
        }
        index = next;
        if (import->watch && import->watch->look && import->watch->look(import->watch->user, import->counts->nodes)) {
            return error_machine(error, "stopped, nothing of it was kept");
        }
    }
    return status;
}

/* -- a game that was played -- */

/* Whether it is one line of moves, each allowed, and not what analyses_export wrote. */
static bool is_game(const struct import *import) {
    const struct gametree *tree = import->tree;
    if (gametree_find(tree, 0, "XDB")) {
        return false;
    }
    for (uint32_t i = 0; i < tree->node_count; i++) {
        if (tree->nodes[i].next || import->left_out[i]) {
            return false;
        }
    }
    return import->depths[tree->node_count - 1] > 0;
}

static void add_property(const struct gametree *tree, const char *name, struct text *text) {
    const struct gametree_property *property = gametree_find(tree, 0, name);
    text_add_char(text, '|');
    text_add(text, property ? gametree_value(tree, property) : "", property ? property->length : 0);
}

/* Who won: by the rules, else by what the record says; -1: nobody, or it is not said. */
static int winner_of(const struct import *import) {
    if (import->position.winner != GOMOKU_NO_WINNER) {
        return import->position.winner - GOMOKU_X;
    }
    const struct gametree_property *result = gametree_find(import->tree, 0, "RE");
    const char *value = result && result->length > 1 ? gametree_value(import->tree, result) : "  ";
    if (value[1] != '+' || (value[0] != 'B' && value[0] != 'W')) {
        return -1;
    }
    char x = import->start.count % 2 == 0 ? import->first : import->first == 'B' ? 'W' : 'B';
    return value[0] == x ? 0 : 1;
}

/* The moves as they are on the named image of their end, so that turned boards do not make other games. */
static void add_moves(struct import *import, struct text *text) {
    struct key key = {0};
    key_make(&key, &gomoku_game, here(import));
    text_add(text, text_string(&key.text), key.text.length);
    for (int i = 0; i < import->position.count; i++) {
        text_addf(text, " %d", key_square_in(&key, import->position.order[i]));
    }
    key_free(&key);
}

/* Counts the game, once: the same moves of the same players on the same day are the same game. */
static enum status count_game(struct import *import, struct error *error) {
    static const char *const names[] = {"PB", "PW", "DT", "EV", "RO", NULL};
    struct text about = TEXT_EMPTY;
    char id[24];
    bool fresh = false;
    add_moves(import, &about);
    for (int i = 0; names[i]; i++) {
        add_property(import->tree, names[i], &about);
    }
    number_format(id, sizeof id, "%016llx",
                  (unsigned long long)crc64_add(0, (const uint8_t *)text_string(&about), about.length));
    enum status status =
        about.broken ? error_machine(error, "out of memory") : analyses_add_record(import->analyses, id, &fresh, error);
    text_free(&about);
    int winner = winner_of(import);
    import->counts->games += fresh;
    for (int depth = import->depth; depth >= 0 && fresh && status == STATUS_OK; depth--) {
        go_back(import, depth);
        status = analyses_count_game(import->analyses, &gomoku_game, here(import), winner, error);
    }
    return status;
}

/* The colour of the first move of a tree, or of the moves beside it. */
static char first_colour(const struct gametree *tree) {
    for (uint32_t i = 1; i < tree->node_count; i++) {
        if (tree->nodes[i].colour) {
            return tree->nodes[i].colour;
        }
    }
    return 'B';
}

enum status analyses_import(struct analyses *analyses, struct gametree *tree, int usual, bool played,
                            const struct analyses_watch *watch, struct analysis_import *counts, struct error *error) {
    struct import *import = calloc(1, sizeof *import);
    enum status status = STATUS_OK;
    if (import) {
        *import = (struct import){.analyses = analyses, .tree = tree, .counts = counts, .watch = watch};
        import->depths = calloc(tree->node_count, sizeof *import->depths);
        import->left_out = calloc(tree->node_count, sizeof *import->left_out);
        import->first = first_colour(tree);
    }
    if (!import || !import->depths || !import->left_out) {
        status = error_machine(error, "out of memory");
    } else {
        status = gametree_start(tree, usual, &import->start, error);
    }
    if (status == STATUS_OK) {
        import->position = import->start;
        status = take_nodes(import, error);
    }
    if (status == STATUS_OK && played && is_game(import)) {
        status = count_game(import, error);
    }
    if (import) {
        free(import->depths);
        free(import->left_out);
    }
    free(import);
    return status;
}
