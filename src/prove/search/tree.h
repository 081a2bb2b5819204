/* Proof trees of Gomoku in memory, in the terms of a certificate: for the hero one move, for the villain what it is
 * answered, with a default that stands for every reply not listed.
 *
 * A node is the hero's move and what follows it:
 *   - it makes five, or threatens two of them: nothing follows;
 *   - it threatens one five: the one reply on its square is listed;
 *   - otherwise `pass` is the tree that wins when the villain passes. It also wins against every reply that is not
 *     listed, move for move.
 * Trees share nodes: the same position needs its proof once. */
#ifndef SORTIE_PROVE_SEARCH_TREE_H
#define SORTIE_PROVE_SEARCH_TREE_H

#include "games/gomoku/board/board.h"

#define TREE_NONE (-1)
#define TREE_REFER (-2)   /* in place of `pass`: the position was met before, up to a symmetry, at node `first` */
#define TREE_PAIRING (-3) /* in place of `pass`: there are `count` pairs of squares from `first` on */

struct tree_node {
    uint16_t move;
    uint16_t count; /* replies listed */
    int32_t first;  /* of them, or of the pairs */
    int32_t pass;   /* node or TREE_NONE */
};

struct tree_reply {
    uint16_t square;
    int32_t node;
};

/* A set of squares. */
struct squares {
    uint64_t words[GBOARD_WORDS];
};

static inline void squares_add(struct squares *set, int square) {
    set->words[square >> 6] |= 1ULL << (square & 63);
}

static inline bool squares_has(const struct squares *set, int square) {
    return set->words[square >> 6] >> (square & 63) & 1;
}

struct tree {
    struct tree_node *nodes; /* owned, as are the replies */
    struct tree_reply *replies;
    int32_t node_count;
    int32_t node_room;
    int32_t reply_count;
    int32_t reply_room;
    uint8_t (*pairs)[2]; /* owned: of all nodes; a square of a board that a certificate is for is a byte */
    int32_t pair_count;
    int32_t pair_room;
    struct squares *zones; /* owned: room for tree_breakers, one a node */
    int32_t zone_room;
    bool broken; /* there was no memory: what was added since means nothing */
};

void tree_free(struct tree *tree);
/* Forgets all nodes but keeps the room. */
void tree_clear(struct tree *tree);

/* Adds a node with `count` replies and returns its index. */
int32_t tree_add(struct tree *tree, int move, int32_t pass, const struct tree_reply *replies, int count);

/* Adds a node after whose move pairs hold: 2 * count squares. */
int32_t tree_add_pairs(struct tree *tree, int move, const uint16_t *squares, int count);

/* Copies a tree of replies into another, its squares turned by a table; the new root, or TREE_NONE. */
int32_t tree_copy(const struct tree *from, int32_t node, const uint16_t *turned, struct tree *to);
/* The same, every square left where it is. */
int32_t tree_copy_plain(const struct tree *from, int32_t node, struct tree *to);

/* Plays a tree of threats by the side to move on the board, which may be another than it was made for. If it wins there
 * too, what is needed of it is copied into another tree; the new root, or TREE_NONE. */
int32_t tree_adapt(const struct tree *from, int32_t node, struct gboard *board, struct tree *to);

/* A tree of threats by the side that is not to move, which wins after a pass: the replies it does not win against when
 * it is replayed with a stone there. Looks `everywhere`, or only where a stone could matter, as far as is easily seen:
 * a guide for searching, not for believing. False when it does not win after a pass. */
bool tree_breakers(struct tree *tree, struct gboard *board, int32_t node, bool everywhere, struct squares *breakers);

#endif
