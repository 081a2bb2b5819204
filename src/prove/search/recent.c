#include "prove/search/recent.h"

void recent_free(struct recent_wins *recent) {
    for (int i = 0; i < RECENT_WINS; i++) {
        tree_free(&recent->trees[i]);
    }
}

int32_t recent_find(const struct recent_wins *recent, struct gboard *board, struct tree *tree) {
    for (int i = 1; i <= recent->count; i++) {
        int at = (recent->next - i + RECENT_WINS) % RECENT_WINS;
        const struct tree *known = &recent->trees[at];
        tree_clear(tree);
        int32_t node = tree_adapt(known, known->node_count - 1, board, tree);
        if (node != TREE_NONE) {
            return node;
        }
    }
    return TREE_NONE;
}

void recent_keep(struct recent_wins *recent, const struct tree *tree, int32_t node) {
    struct tree *place = &recent->trees[recent->next];
    tree_clear(place);
    tree_copy_plain(tree, node, place);
    if (!place->broken) {
        recent->next = (recent->next + 1) % RECENT_WINS;
        recent->count += recent->count < RECENT_WINS;
    }
}
