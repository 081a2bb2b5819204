#include "formats/records/gametree.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/number.h"

/* -- making them -- */

static void tree_free(struct gametree *tree) {
    free(tree->nodes);
    free(tree->properties);
    text_free(&tree->texts);
}

void gametrees_free(struct gametrees *trees) {
    for (int i = 0; i < trees->count; i++) {
        tree_free(&trees->items[i]);
    }
    free(trees->items);
    *trees = (struct gametrees){0};
}

/* Room for one more of an array; false when there is none, or the file has as many as it may. */
static bool grow(void **items, size_t size, uint32_t before, uint32_t count, uint32_t *capacity) {
    if (before + count >= GAMETREE_MOST) {
        return false;
    }
    if (count < *capacity) {
        return true;
    }
    uint32_t larger = *capacity ? 2 * *capacity : 8;
    void *moved = realloc(*items, larger * size);
    if (moved) {
        *items = moved;
        *capacity = larger;
    }
    return moved != NULL;
}

static bool new_node(struct gametree *tree, uint32_t parent) {
    void *nodes = tree->nodes;
    bool room = grow(&nodes, sizeof *tree->nodes, tree->nodes_before, tree->node_count, &tree->node_capacity);
    tree->nodes = nodes;
    if (room) {
        tree->nodes[tree->node_count++] =
            (struct gametree_node){.parent = parent, .square = GAMETREE_NO_SQUARE, .turn = 'B'};
    }
    return room;
}

struct gametree *gametrees_add(struct gametrees *trees) {
    if (trees->count == GAMETREE_MOST_GAMES) {
        return NULL;
    }
    if (trees->count == trees->capacity) {
        int capacity = trees->capacity ? 2 * trees->capacity : 4;
        struct gametree *items = realloc(trees->items, (size_t)capacity * sizeof *items);
        if (!items) {
            return NULL;
        }
        trees->items = items;
        trees->capacity = capacity;
    }
    struct gametree *tree = &trees->items[trees->count];
    *tree = (struct gametree){.size = GAMETREE_USUAL_SIZE, .rules = GAMETREE_RULES_UNSAID};
    if (trees->count > 0) {
        tree->nodes_before = tree[-1].nodes_before + tree[-1].node_count;
        tree->properties_before = tree[-1].properties_before + tree[-1].property_count;
    }
    if (!new_node(tree, 0)) {
        return NULL;
    }
    trees->count++;
    return tree;
}

uint32_t gametree_add(struct gametree *tree, uint32_t parent) {
    ASSERT(parent < tree->node_count);
    if (!new_node(tree, parent)) {
        return 0;
    }
    uint32_t node = tree->node_count - 1;
    struct gametree_node *above = &tree->nodes[parent];
    if (above->last_child) {
        tree->nodes[above->last_child].next = node;
    } else {
        above->child = node;
    }
    above->last_child = node;
    tree->nodes[node].turn = above->turn;
    return node;
}

uint32_t gametree_add_move(struct gametree *tree, uint32_t parent, char colour, int square) {
    ASSERT(square >= 0 && square < tree->size * tree->size);
    uint32_t node = gametree_add(tree, parent);
    if (node) {
        tree->nodes[node].colour = colour;
        tree->nodes[node].square = (int16_t)square;
        tree->nodes[node].turn = colour == 'B' ? 'W' : 'B';
    }
    return node;
}

bool gametree_put(struct gametree *tree, uint32_t node, const char *name, size_t name_length, const char *value,
                  size_t length) {
    ASSERT(node < tree->node_count);
    void *properties = tree->properties;
    bool room = grow(&properties, sizeof *tree->properties, tree->properties_before, tree->property_count,
                     &tree->property_capacity);
    tree->properties = properties;
    size_t at = tree->texts.length;
    text_add(&tree->texts, name, name_length);
    text_add(&tree->texts, value, length);
    if (!room || tree->texts.broken) {
        return false;
    }
    tree->properties[tree->property_count++] =
        (struct gametree_property){.at = at, .length = length, .name_length = (uint32_t)name_length};
    struct gametree_node *owner = &tree->nodes[node];
    if (owner->last_property) {
        tree->properties[owner->last_property - 1].next = tree->property_count;
    } else {
        owner->property = tree->property_count;
    }
    owner->last_property = tree->property_count;
    return true;
}

bool gametree_put_text(struct gametree *tree, uint32_t node, const char *name, const char *text, size_t length) {
    struct text value = TEXT_EMPTY;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == ']' || text[i] == '\\') {
            text_add_char(&value, '\\');
        }
        text_add_char(&value, text[i]);
    }
    bool done = !value.broken && gametree_put(tree, node, name, strlen(name), text_string(&value), value.length);
    text_free(&value);
    return done;
}

bool gametree_put_point(struct gametree *tree, uint32_t node, const char *name, int square) {
    char value[2] = {(char)('a' + square % tree->size), (char)('a' + square / tree->size)};
    return gametree_put(tree, node, name, strlen(name), value, sizeof value);
}

enum status gametrees_refuse(const struct gametrees *trees, struct error *error) {
    const struct gametree *last = trees->count ? &trees->items[trees->count - 1] : NULL;
    if (trees->count == GAMETREE_MOST_GAMES) {
        return error_at(error, 0, 0, "expected at most %d games in a file", GAMETREE_MOST_GAMES);
    }
    if (last && (last->nodes_before + last->node_count == GAMETREE_MOST ||
                 last->properties_before + last->property_count == GAMETREE_MOST)) {
        return error_at(error, 0, 0, "expected at most %u nodes and properties in a file", GAMETREE_MOST);
    }
    return error_machine(error, "out of memory");
}

/* -- asking them -- */

const struct gametree_property *gametree_first(const struct gametree *tree, uint32_t node) {
    ASSERT(node < tree->node_count);
    uint32_t first = tree->nodes[node].property;
    return first ? &tree->properties[first - 1] : NULL;
}

const struct gametree_property *gametree_next(const struct gametree *tree, const struct gametree_property *property) {
    return property->next ? &tree->properties[property->next - 1] : NULL;
}

const char *gametree_name(const struct gametree *tree, const struct gametree_property *property) {
    return text_string(&tree->texts) + property->at;
}

const char *gametree_value(const struct gametree *tree, const struct gametree_property *property) {
    return text_string(&tree->texts) + property->at + property->name_length;
}

bool gametree_named(const struct gametree *tree, const struct gametree_property *property, const char *name) {
    return strlen(name) == property->name_length && memcmp(gametree_name(tree, property), name, strlen(name)) == 0;
}

const struct gametree_property *gametree_find(const struct gametree *tree, uint32_t node, const char *name) {
    const struct gametree_property *property = gametree_first(tree, node);
    while (property && !gametree_named(tree, property, name)) {
        property = gametree_next(tree, property);
    }
    return property;
}

void gametree_add_text(const struct gametree *tree, const struct gametree_property *property, struct text *text) {
    const char *value = gametree_value(tree, property);
    for (size_t i = 0; i < property->length; i++) {
        bool escape = value[i] == '\\' && i + 1 < property->length;
        i += escape;
        if (escape && (value[i] == '\n' || value[i] == '\r')) {
            /* an escaped line end is none; two bytes may make one */
            i += i + 1 < property->length && (value[i + 1] == '\n' || value[i + 1] == '\r') && value[i + 1] != value[i];
            continue;
        }
        text_add_char(text, value[i]);
    }
}

int gametree_point(int size, const char *value, size_t length) {
    for (; length > 0 && number_is_space(value[length - 1]); length--) {
    }
    for (; length > 0 && number_is_space(value[0]); length--, value++) {
    }
    int column = length == 2 ? (value[0] | 0x20) - 'a' : -1;
    int row = length == 2 ? (value[1] | 0x20) - 'a' : -1;
    return column >= 0 && column < size && row >= 0 && row < size ? row * size + column : -1;
}

/* -- what is in them -- */

/* A mark belongs to a move only where it stands on the move's own square. */
static bool is_elsewhere(const struct gametree *tree, uint32_t node, const struct gametree_property *property) {
    int square = tree->nodes[node].square;
    return gametree_named(tree, property, "MA") &&
           (square < 0 || gametree_point(tree->size, gametree_value(tree, property), property->length) != square);
}

static unsigned property_kind(const struct gametree *tree, uint32_t node, const struct gametree_property *property) {
    static const struct {
        const char *name;
        unsigned kind;
    } kinds[] = {
        {"C", GAMETREE_COMMENTS},
        {"LB", GAMETREE_COMMENTS},
        {"MA", GAMETREE_COMMENTS},
        {"PB", GAMETREE_NAMES},
        {"PW", GAMETREE_NAMES},
        {"XMS", GAMETREE_TIMES},
        {"AB", GAMETREE_SETUP},
        {"AW", GAMETREE_SETUP},
        {"AE", GAMETREE_SETUP},
        {"FF", 0},
        {"GM", 0},
        {"CA", 0},
        {"AP", 0},
        {"ST", 0},
        {"SZ", 0},
        {"RU", 0},
        {"PL", 0},
        {"XPH", 0},
        {"XRL", 0},
        {"XDB", 0},
        {"XPL", GAMETREE_NAMES},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (gametree_named(tree, property, kinds[i].name) && !is_elsewhere(tree, node, property)) {
            return kinds[i].kind;
        }
    }
    return GAMETREE_OTHERS;
}

unsigned gametree_contents(const struct gametree *tree) {
    unsigned contents = tree->size == GAMETREE_USUAL_SIZE ? 0 : GAMETREE_SIZE;
    bool usual = tree->rules == GAMETREE_RULES_UNSAID || tree->rules == GOMOKU_FREESTYLE;
    contents |= usual ? 0 : GAMETREE_RULES;
    for (uint32_t node = 0; node < tree->node_count; node++) {
        contents |= tree->nodes[node].next ? GAMETREE_VARIATIONS : 0;
        const struct gametree_property *property = gametree_first(tree, node);
        for (; property; property = gametree_next(tree, property)) {
            contents |= property_kind(tree, node, property);
        }
    }
    return contents;
}
