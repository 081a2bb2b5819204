/* What is left of a game: end_game, history_file, and an SGF for people. */
#include <stdio.h>
#include <string.h>

#include "formats/records/sgf.h"
#include "protocols/folder/folder_referee.h"

void folder_end_text(const char *const teams[2], const struct folder_verdict *verdict,
                     char text[2 * FOLDER_MOST_LINE]) {
    if (verdict->winner < 0) {
        snprintf(text, 2 * FOLDER_MOST_LINE, "END: TIE! %s\n", verdict->reason);
    } else {
        snprintf(text, 2 * FOLDER_MOST_LINE, "END: %s WINS!  %s LOSES!  %s\n", teams[verdict->winner],
                 teams[1 - verdict->winner], verdict->reason);
    }
}

void folder_history_text(const char *const teams[2], const struct folder_game *game, struct text *text) {
    for (int i = 0; i < game->count; i++) {
        char line[FOLDER_MOST_LINE];
        folder_move_text(teams[i % 2], game->squares[i], true, line);
        text_add_string(text, line);
    }
}

static bool put(struct gametree *tree, uint32_t node, const char *name, const char *value) {
    return gametree_put_text(tree, node, name, value, strlen(value));
}

/* White begins, as the referee calls it; a swap is a node that gives the stone to Black. */
static bool put_moves(struct gametree *tree, const struct folder_game *game) {
    static const char colours[2] = {'W', 'B'};
    uint32_t node = 0;
    for (int i = 0; i < game->count; i++) {
        bool swap = i == 1 && game->swapped;
        node = swap ? gametree_add(tree, node) : gametree_add_move(tree, node, colours[i % 2], game->squares[i]);
        if (!node) {
            return false;
        }
        if (swap && !(gametree_put_point(tree, node, "AB", game->squares[1]) &&
                      put(tree, node, "C", "takes the stone over") && put(tree, node, "PL", "W"))) {
            return false;
        }
    }
    return true;
}

void folder_sgf_text(const char *const teams[2], const struct folder_game *game, const struct folder_verdict *verdict,
                     struct text *text) {
    char result[16] = "0";
    const char *how = strcmp(verdict->reason, "out of time") == 0 ? "T" : game->state == FOLDER_WON ? "" : "F";
    if (verdict->winner >= 0) {
        snprintf(result, sizeof result, "%c+%s", verdict->winner == 0 ? 'W' : 'B', how);
    }
    struct gametrees trees = {0};
    struct gametree *tree = gametrees_add(&trees);
    bool done = tree && put(tree, 0, "PW", teams[0]) && put(tree, 0, "PB", teams[1]) &&
                put(tree, 0, "RU", "five or more; the second player may take the first stone over") &&
                put(tree, 0, "RE", result) && put(tree, 0, "GC", verdict->reason) && put(tree, 0, "PL", "W");
    if (done) {
        tree->size = FOLDER_SIZE;
        tree->rules = GOMOKU_FREESTYLE;
        done = put_moves(tree, game);
    }
    if (done) {
        sgf_write_tree(tree, text);
    }
    text->broken = text->broken || !done;
    gametrees_free(&trees);
}
