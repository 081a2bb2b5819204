#include <string.h>

#include "formats/records/sgf.h"

#define MOVES_A_LINE 10

struct writer {
    const struct gametree *tree;
    struct text *text;
    int moves; /* on the line under way */
};

static void end_line(struct writer *writer) {
    text_add_char(writer->text, '\n');
    writer->moves = 0;
}

static bool same_name(const struct gametree *tree, const struct gametree_property *one,
                      const struct gametree_property *other) {
    return one->name_length == other->name_length &&
           memcmp(gametree_name(tree, one), gametree_name(tree, other), one->name_length) == 0;
}

/* A value, with its name where the property before it is another. */
static void add_property(struct writer *writer, const struct gametree_property *property,
                         const struct gametree_property *before) {
    const struct gametree *tree = writer->tree;
    if (!before || !same_name(tree, before, property)) {
        text_add(writer->text, gametree_name(tree, property), property->name_length);
    }
    text_add_char(writer->text, '[');
    text_add(writer->text, gametree_value(tree, property), property->length);
    text_add_char(writer->text, ']');
}

static bool is_ascii(const struct text *text) {
    for (size_t i = 0; i < text->length; i++) {
        if ((unsigned char)text->data[i] >= 0x80) {
            return false;
        }
    }
    return true;
}

/* The alphabet of the texts, where it is known. */
static void add_alphabet(struct writer *writer) {
    const struct gametree *tree = writer->tree;
    const struct gametree_property *said = gametree_find(tree, 0, "CA");
    if (tree->plain && said) {
        add_property(writer, said, NULL);
    } else if (!tree->plain || is_ascii(&tree->texts)) {
        text_add_string(writer->text, "CA[UTF-8]");
    }
}

/* The rules in the words of the file, unless these say something else by now. */
static void add_rules(struct writer *writer) {
    const struct gametree *tree = writer->tree;
    const struct gametree_property *said = gametree_find(tree, 0, "RU");
    if (said && (tree->rules < 0 || sgf_rules(gametree_value(tree, said), said->length) == tree->rules)) {
        add_property(writer, said, NULL);
    } else if (tree->rules >= 0) {
        text_addf(writer->text, "RU[%s]", gomoku_game.properties->variants[tree->rules]);
    }
}

static bool is_one_of(const struct gametree *tree, const struct gametree_property *property, const char *const *names) {
    for (; *names; names++) {
        if (gametree_named(tree, property, *names)) {
            return true;
        }
    }
    return false;
}

static const char *const head_names[] = {"FF", "GM", "CA", "AP", "SZ", "RU", NULL};
static const char *const setup_names[] = {"AB", "AW", "AE", "PL", NULL};

/* The root: what belongs to every record, what this one has, and stones that are there from the start. */
static void add_root(struct writer *writer) {
    const struct gametree *tree = writer->tree;
    const struct gametree_property *before = NULL;
    text_add_string(writer->text, "(;FF[4]GM[4]");
    add_alphabet(writer);
    text_addf(writer->text, "AP[sortie:" SORTIE_VERSION "]SZ[%d]", tree->size);
    add_rules(writer);
    const struct gametree_property *property = gametree_first(tree, 0);
    for (; property; property = gametree_next(tree, property)) {
        if (!is_one_of(tree, property, head_names) && !is_one_of(tree, property, setup_names)) {
            add_property(writer, property, before);
            before = property;
        }
    }
    end_line(writer);
    before = NULL;
    for (property = gametree_first(tree, 0); property; property = gametree_next(tree, property)) {
        if (is_one_of(tree, property, setup_names)) {
            if (before && !same_name(tree, before, property)) {
                end_line(writer);
            }
            add_property(writer, property, before);
            before = property;
        }
    }
    if (before) {
        end_line(writer);
    }
}

static void add_move(struct writer *writer, const struct gametree_node *node) {
    int size = writer->tree->size;
    if (node->square >= 0) {
        text_addf(writer->text, "%c[%c%c]", node->colour, 'a' + node->square % size, 'a' + node->square / size);
    }
}

static void add_node(struct writer *writer, uint32_t index) {
    const struct gametree *tree = writer->tree;
    const struct gametree_property *before = NULL;
    text_add_char(writer->text, ';');
    add_move(writer, &tree->nodes[index]);
    const struct gametree_property *property = gametree_first(tree, index);
    for (; property; property = gametree_next(tree, property)) {
        add_property(writer, property, before);
        before = property;
    }
    writer->moves += tree->nodes[index].colour != 0;
    if (writer->moves == MOVES_A_LINE) {
        end_line(writer);
    }
}

/* Whether a node is one of several variations, which have brackets of their own. */
static bool is_variation(const struct gametree *tree, uint32_t index) {
    uint32_t first = tree->nodes[tree->nodes[index].parent].child;
    return tree->nodes[first].next != 0;
}

static void begin_variation(struct writer *writer, uint32_t index) {
    if (is_variation(writer->tree, index)) {
        if (writer->moves > 0) {
            end_line(writer);
        }
        text_add_char(writer->text, '(');
    }
}

/* The node that follows when everything below one is written, or 0; the brackets of what ends on the way are closed. */
static uint32_t leave(struct writer *writer, uint32_t index) {
    const struct gametree *tree = writer->tree;
    while (index != 0) {
        if (is_variation(tree, index)) {
            text_add_char(writer->text, ')');
        }
        if (tree->nodes[index].next) {
            return tree->nodes[index].next;
        }
        index = tree->nodes[index].parent;
    }
    return 0;
}

void sgf_write_tree(const struct gametree *tree, struct text *text) {
    struct writer writer = {.tree = tree, .text = text};
    add_root(&writer);
    add_move(&writer, &tree->nodes[0]);
    uint32_t index = tree->nodes[0].child;
    while (index) {
        begin_variation(&writer, index);
        add_node(&writer, index);
        uint32_t child = tree->nodes[index].child;
        index = child ? child : leave(&writer, index);
    }
    text_add_string(text, ")\n");
}

void sgf_write(const struct gomoku_position *position, struct text *text) {
    struct gametrees trees = {0};
    struct gametree *tree = gametrees_add(&trees);
    if (tree && gametree_take(tree, position)) {
        sgf_write_tree(tree, text);
    } else {
        text->broken = true;
    }
    gametrees_free(&trees);
}
