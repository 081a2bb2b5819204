/* A recorded game of Gomoku in memory: a tree of nodes, each with a move or none, and with properties as SGF has them.
 * What a format has beyond moves becomes a property, so that nothing is lost on the way through the tree: a name of
 * SGF's where there is one (C, PB, AB, ...), otherwise one of our own that begins with X:
 *
 *   XMS   the milliseconds a move took (Piskvork)      XPH, XPL   the rest of Piskvork's header and its last lines
 *   XRL   flags of a RenLib node that mean nothing here      XDB   at the root: the tree is out of a database
 *
 * Values are held as they stand between SGF's brackets, escapes and all. Nothing here is recursive: a file can nest as
 * deeply as it likes. */
#ifndef SORTIE_FORMATS_RECORDS_GAMETREE_H
#define SORTIE_FORMATS_RECORDS_GAMETREE_H

#include "games/gomoku/rules/gomoku.h"

#define GAMETREE_MOST (1u << 22) /* nodes, and properties, of all games of a file */
#define GAMETREE_MOST_GAMES 100000
#define GAMETREE_USUAL_SIZE 15

enum { GAMETREE_NO_SQUARE = -1, GAMETREE_BAD_SQUARE = -2 /* a move that names none; see its property B or W */ };
enum { GAMETREE_RULES_UNSAID = -1, GAMETREE_RULES_STRANGE = -2 /* not ours */ }; /* otherwise a variant */

struct gametree_node {
    uint32_t parent;
    uint32_t child; /* the first; 0: none, as in the next two */
    uint32_t last_child;
    uint32_t next;     /* the other variation behind this one */
    uint32_t property; /* the first, counted from 1 */
    uint32_t last_property;
    uint32_t line; /* where the move stands in its file; 0 with a column: a byte of a binary one */
    uint32_t column;
    int16_t square;
    char colour; /* 'B' or 'W'; 0: no move */
    char turn;   /* whose move it is afterwards, for formats that leave it to be counted */
};

struct gametree_property {
    size_t at; /* in `texts`: the name, and behind it the value */
    size_t length;
    uint32_t name_length;
    uint32_t next; /* counted from 1 */
    uint32_t line;
    uint32_t column;
};

struct gametree {
    struct gametree_node *nodes; /* owned; the first is the root */
    uint32_t node_count;
    uint32_t node_capacity;
    struct gametree_property *properties; /* owned */
    uint32_t property_count;
    uint32_t property_capacity;
    uint32_t nodes_before; /* of the file's other games */
    uint32_t properties_before;
    struct text texts;
    int size;
    int rules;
    uint32_t rules_line; /* where they are said */
    uint32_t rules_column;
    bool plain; /* texts need not be UTF-8: they came from an SGF that says so itself, or not at all */
    bool latin; /* texts were not UTF-8 and were read as Latin-1 */
};

/* The games of one file. */
struct gametrees {
    struct gametree *items; /* owned */
    int count;
    int capacity;
};

void gametrees_free(struct gametrees *trees);
/* A new game with a root alone at the end of the list; NULL when there is no memory, or too many. */
struct gametree *gametrees_add(struct gametrees *trees);

/* A new last child; 0 when there is no memory, or too many nodes. */
uint32_t gametree_add(struct gametree *tree, uint32_t parent);
/* The same with a move. */
uint32_t gametree_add_move(struct gametree *tree, uint32_t parent, char colour, int square);
/* Appends a property. False when there is no memory, or too many. */
bool gametree_put(struct gametree *tree, uint32_t node, const char *name, size_t name_length, const char *value,
                  size_t length);
/* The same with a text that is to be escaped. */
bool gametree_put_text(struct gametree *tree, uint32_t node, const char *name, const char *text, size_t length);
/* The same with a square. */
bool gametree_put_point(struct gametree *tree, uint32_t node, const char *name, int square);
/* Why one of them failed. */
enum status gametrees_refuse(const struct gametrees *trees, struct error *error);

const struct gametree_property *gametree_first(const struct gametree *tree, uint32_t node);
const struct gametree_property *gametree_next(const struct gametree *tree, const struct gametree_property *property);
bool gametree_named(const struct gametree *tree, const struct gametree_property *property, const char *name);
/* The node's first property of that name, or NULL. */
const struct gametree_property *gametree_find(const struct gametree *tree, uint32_t node, const char *name);
const char *gametree_name(const struct gametree *tree, const struct gametree_property *property);
const char *gametree_value(const struct gametree *tree, const struct gametree_property *property);
/* Appends the value without its escapes. */
void gametree_add_text(const struct gametree *tree, const struct gametree_property *property, struct text *text);

/* Column and row of a square of two letters, in either case; -1 when they are none of the board. */
int gametree_point(int size, const char *value, size_t length);

/* The position at the end of the first line of play. `usual`: the rules where none are said. */
enum status gametree_position(const struct gametree *tree, int usual, struct gomoku_position *position,
                              struct error *error);
/* The root's position, before the first move below it, whose colour it is told. */
enum status gametree_start(struct gametree *tree, int usual, struct gomoku_position *start, struct error *error);
/* Makes the root the beginning of a position and adds its moves. X is black. False as in gametree_add. */
bool gametree_take(struct gametree *tree, const struct gomoku_position *position);

/* What a game has in it, and what a format can hold. */
enum {
    GAMETREE_SEVERAL = 1,    /* games in a file */
    GAMETREE_VARIATIONS = 2, /* other moves than those played */
    GAMETREE_COMMENTS = 4,   /* and marks on the board */
    GAMETREE_TIMES = 8,
    GAMETREE_NAMES = 16, /* of the players */
    GAMETREE_SETUP = 32, /* stones that nobody played */
    GAMETREE_RULES = 64,
    GAMETREE_SIZE = 128,  /* of the board, other than the usual one */
    GAMETREE_OTHERS = 256 /* properties */
};
unsigned gametree_contents(const struct gametree *tree);

#endif
