/* Wins by threats that were found lately at one distance from the root: what wins after one reply mostly wins after
 * others, and is tried first. */
#ifndef SORTIE_PROVE_SEARCH_RECENT_H
#define SORTIE_PROVE_SEARCH_RECENT_H

#include "prove/search/tree.h"

#define RECENT_WINS 32

/* Zero to begin with. */
struct recent_wins {
    struct tree trees[RECENT_WINS]; /* the root is the last node */
    int count;
    int next; /* the place of the next one */
};

void recent_free(struct recent_wins *recent);

/* The last of them that wins for the side to move on the board, as it is here, alone in *tree; its root or
 * TREE_NONE. */
int32_t recent_find(const struct recent_wins *recent, struct gboard *board, struct tree *tree);

/* Keeps a win, in place of the oldest one. */
void recent_keep(struct recent_wins *recent, const struct tree *tree, int32_t node);

#endif
