#include <stdlib.h>
#include <string.h>

#include "analysis/analyses_inside.h"
#include "analysis/remark.h"
#include "analysis/tree.h"
#include "analysis/walk.h"
#include "base/assert.h"

#define MARKED "mark"

/* A move behind which something is known. */
struct branch {
    uint16_t square;
    bool valued;
    int value; /* for the side that plays it */
};

/* A position whose branches are gone through. */
struct level {
    struct branch *branches; /* owned */
    int count;
    int next;
    uint32_t node;
};

struct export {
    struct analyses *analyses;
    struct gametree *tree;
    const struct analyses_watch *watch;
    struct gomoku_position position;
    struct analysis *found; /* owned */
    struct level levels[GOMOKU_MOST_SQUARES + 1];
    int depth;
    struct key_set met;
    int64_t positions;
    bool full; /* no memory, or too many nodes */
};

static struct game_position *here(struct export *export) {
    return (struct game_position *)&export->position;
}

/* -- what is said of a position -- */

struct marks {
    struct export *export;
    uint32_t node;
};

/* A text on a square: at the move there, once that stands in the tree, otherwise at the position. */
static void add_mark(void *user, int square, const char *text, size_t length) {
    struct marks *marks = user;
    struct gametree *tree = marks->export->tree;
    struct text value = TEXT_EMPTY;
    uint32_t node = marks->node;
    for (uint32_t child = tree->nodes[node].child; child; child = tree->nodes[child].next) {
        node = tree->nodes[child].square == square ? child : node;
    }
    text_addf(&value, "%c%c:", 'a' + square % tree->size, 'a' + square / tree->size);
    text_add(&value, text, length);
    marks->export->full =
        marks->export->full || value.broken || !gametree_put_text(tree, node, "LB", text_string(&value), value.length);
    text_free(&value);
}

/* The remark of a node, out of what was found last. */
static void add_remark(struct export *export, uint32_t node) {
    struct text remark = TEXT_EMPTY;
    struct analysis *found = export->found;
    int square = export->tree->nodes[node].square;
    bool marked = square >= 0 && found->label.length == sizeof MARKED - 1 &&
                  memcmp(text_string(&found->label), MARKED, found->label.length) == 0;
    if (marked) {
        export->full = export->full || !gametree_put_point(export->tree, node, "MA", square);
        found->label.length = 0;
    }
    remark_write(&gomoku_game, here(export), found, &remark);
    if (remark.length > 0 || remark.broken) {
        export->full = export->full || remark.broken ||
                       !gametree_put_text(export->tree, node, "C", text_string(&remark), remark.length);
    }
    text_free(&remark);
}

/* -- its branches -- */

struct gathering {
    struct level *level;
    bool broken;
};

static void gather(void *user, const struct analysis_child *child) {
    struct gathering *gathering = user;
    struct level *level = gathering->level;
    if (child->repeats) {
        return;
    }
    if (level->count % 16 == 0) {
        struct branch *branches = realloc(level->branches, (size_t)(level->count + 16) * sizeof *branches);
        if (!branches) {
            gathering->broken = true;
            return;
        }
        level->branches = branches;
    }
    struct analysis_value value = child->found->value;
    analysis_turn_before(&gomoku_game, &value);
    level->branches[level->count++] = (struct branch){(uint16_t)child->move, child->found->valued, value.value};
}

/* The best first, then those without a value; equals stay in the order of squares. */
static int compare(const void *left, const void *right) {
    const struct branch *a = left;
    const struct branch *b = right;
    if (a->valued != b->valued) {
        return a->valued ? -1 : 1;
    }
    if (a->valued && a->value != b->value) {
        return a->value > b->value ? -1 : 1;
    }
    return a->square - b->square;
}

/* Enters the position at hand: its node gets its branches below it, and each of them its remark. */
static enum status enter(struct export *export, uint32_t node, struct error *error) {
    struct level *level = &export->levels[export->depth++];
    struct gathering gathering = {.level = level};
    *level = (struct level){.node = node};
    enum status status = analyses_children(export->analyses, &gomoku_game, here(export), gather, &gathering, error);
    if (status == STATUS_OK && gathering.broken) {
        status = error_machine(error, "out of memory");
    }
    if (level->count > 1) {
        qsort(level->branches, (size_t)level->count, sizeof *level->branches, compare);
    }
    for (int i = 0; i < level->count && status == STATUS_OK; i++) {
        char colour = export->position.count & 1 ? 'W' : 'B';
        uint32_t child = gametree_add_move(export->tree, node, colour, level->branches[i].square);
        export->full = export->full || !child;
        status = export->full ? STATUS_FAIL : STATUS_OK;
    }
    if (status == STATUS_OK) {
        struct marks marks = {export, node};
        status = analyses_marks(export->analyses, here(export), add_mark, &marks, error);
    }
    return status;
}

/* Goes to the next branch of the position on top; what was met elsewhere ends there. */
static enum status export_branch(struct export *export, struct error *error) {
    struct level *level = &export->levels[export->depth - 1];
    struct game_undo undo = {.words = {GOMOKU_NO_WINNER}};
    uint32_t node = export->tree->nodes[level->node].child;
    int square = level->branches[level->next++].square;
    bool known = false;
    while (node && export->tree->nodes[node].square != square) {
        node = export->tree->nodes[node].next;
    }
    ASSERT(node);
    gomoku_put(&export->position, square);
    enum status status = analyses_get(export->analyses, &gomoku_game, here(export), export->found, error);
    if (status == STATUS_OK && !key_set_add(&export->met, &export->analyses->key.text, &known)) {
        status = error_machine(error, "out of memory");
    }
    if (status != STATUS_OK) {
        return status;
    }
    if (known) { /* its remark stands elsewhere */
        export->found->comment.length = 0;
    }
    add_remark(export, node);
    export->positions++;
    if (!known && export->position.winner == GOMOKU_NO_WINNER) {
        return enter(export, node, error);
    }
    gomoku_game.undo(here(export), &undo);
    return STATUS_OK;
}

static void leave(struct export *export) {
    struct game_undo undo = {.words = {GOMOKU_NO_WINNER}};
    free(export->levels[--export->depth].branches);
    if (export->depth > 0) {
        gomoku_game.undo(here(export), &undo);
    }
}

static enum status export_all(struct export *export, uint32_t node, struct error *error) {
    bool known;
    enum status status = analyses_get(export->analyses, &gomoku_game, here(export), export->found, error);
    if (status == STATUS_OK && !key_set_add(&export->met, &export->analyses->key.text, &known)) {
        status = error_machine(error, "out of memory");
    }
    if (status != STATUS_OK) {
        return status;
    }
    bool here_known = export->found->here;
    add_remark(export, node);
    status = enter(export, node, error);
    if (status == STATUS_OK && !here_known && export->levels[0].count == 0) {
        return error_at(error, 0, 0, "nothing is known of the position, nor of any move there");
    }
    while (status == STATUS_OK && export->depth > 0) {
        struct level *level = &export->levels[export->depth - 1];
        if (level->next == level->count) {
            leave(export);
        } else {
            status = export_branch(export, error);
        }
        if (status == STATUS_OK && export->watch && export->watch->look &&
            export->watch->look(export->watch->user, export->positions)) {
            status = error_machine(error, "stopped, nothing was written");
        }
    }
    return status;
}

enum status analyses_export(struct analyses *analyses, const struct gomoku_position *root, struct gametrees *trees,
                            const struct analyses_watch *watch, int64_t *positions, struct error *error) {
    struct export *export = calloc(1, sizeof *export);
    struct gametree *tree = export ? gametrees_add(trees) : NULL;
    enum status status = STATUS_OK;
    if (tree) {
        *export = (struct export){.analyses = analyses, .tree = tree, .watch = watch, .position = *root};
        export->found = calloc(1, sizeof *export->found);
    }
    if (!tree || !export->found || !gametree_put(tree, 0, "XDB", 3, "1", 1) || !gametree_take(tree, root)) {
        status = error_machine(error, "out of memory");
    } else {
        /* one transaction: a lock for each of many thousand questions would take most of the time */
        bool begun = !analyses->begun && database_run(&analyses->database, "BEGIN", NULL) == STATUS_OK;
        status = export_all(export, tree->node_count - 1, error);
        if (begun) {
            database_run(&analyses->database, "COMMIT", NULL);
        }
        status = export->full ? gametrees_refuse(trees, error) : status;
        *positions = export->positions;
        analysis_free(export->found);
    }
    while (export && export->depth > 0) {
        free(export->levels[--export->depth].branches);
    }
    if (export) {
        free(export->found);
        key_set_free(&export->met);
    }
    free(export);
    return status;
}
