#include "cli/analysis/each.h"

#include <stdlib.h>
#include <string.h>

#include "formats/position.h"
#include "formats/records/records.h"
#include "games/gomoku/rules/gomoku.h"

struct walk {
    const char *file;
    struct gametree *tree;
    struct gomoku_position start;
    uint32_t *way; /* owned; the nodes on the way to one */
    int (*visit)(void *user, const struct each *each);
    void *user;
    struct each each;
};

static const struct game_position *any(const struct gomoku_position *position) {
    return (const struct game_position *)position;
}

/* Goes to a node; false where the rules do not, or the game is over there. */
static bool go_to(const struct walk *walk, uint32_t node, struct gomoku_position *position, int *last) {
    const struct gametree *tree = walk->tree;
    uint32_t length = 0;
    for (uint32_t at = node; at; at = tree->nodes[at].parent) {
        walk->way[length++] = at;
    }
    *position = walk->start;
    *last = -1;
    while (length > 0) {
        const struct gametree_node *next = &tree->nodes[walk->way[--length]];
        if (!next->colour) {
            continue;
        }
        if (next->square < 0 || !gomoku_game.legal(any(position), (game_move)next->square)) {
            return false;
        }
        gomoku_put(position, next->square);
        *last = next->square;
    }
    return !gomoku_game.over(any(position));
}

static int visit_node(struct walk *walk, uint32_t node) {
    struct gomoku_position position;
    struct text text = TEXT_EMPTY;
    sortie_position *board = NULL;
    sortie_error error = {0};
    char played[8] = "";
    int last;
    walk->each.number++;
    if (node && !walk->tree->nodes[node].colour) {
        return 0; /* the position before it once more */
    }
    if (!go_to(walk, node, &position, &last)) {
        return 0;
    }
    gomoku_game.write(any(&position), &text);
    sortie_status status = sortie_position_parse(text_string(&text), text.length, &board, &error);
    text_free(&text);
    if (status != SORTIE_OK) {
        return cli_refuse(walk->file, &error, status);
    }
    if (last >= 0) {
        gomoku_square_text(position.size, last, played);
    }
    walk->each.position = board;
    walk->each.played = played;
    walk->each.ply = position.count;
    int exit_status = walk->visit(walk->user, &walk->each);
    sortie_position_free(board);
    return exit_status;
}

static int visit_tree(struct walk *walk) {
    struct error error = {0};
    enum status status = gametree_start(walk->tree, GOMOKU_FREESTYLE, &walk->start, &error);
    if (status != STATUS_OK) {
        return cli_fail(walk->file, &error, status);
    }
    walk->way = malloc(walk->tree->node_count * sizeof *walk->way);
    if (!walk->way) {
        return cli_no_memory();
    }
    walk->each.count = (int)walk->tree->node_count;
    int exit_status = 0;
    for (uint32_t node = walk->tree->node_count; node > 0 && exit_status == 0; node--) {
        exit_status = visit_node(walk, node - 1);
    }
    free(walk->way);
    return exit_status;
}

/* A position in sortie's own text, with the moves that led to it, as a tree. */
static enum status take_text(struct gametrees *trees, const char *bytes, size_t length, struct error *error) {
    struct course_request request;
    enum status status = course_parse_any(bytes, length, NULL, &request, error);
    if (status != STATUS_OK) {
        return status;
    }
    struct gametree *tree = request.game == &gomoku_game ? gametrees_add(trees) : NULL;
    if (request.game != &gomoku_game) {
        status = error_at(error, 0, 0, "expected a game of Gomoku for --each");
    } else if (!tree || !gametree_take(tree, (const struct gomoku_position *)request.position)) {
        status = gametrees_refuse(trees, error);
    }
    course_request_free(&request);
    return status;
}

int each_position(const char *file, const struct cli_source *source, int (*visit)(void *user, const struct each *each),
                  void *user) {
    struct gametrees trees = {0};
    struct error error = {0};
    char *bytes;
    size_t length;
    int exit_status = cli_read_bytes(file, &bytes, &length);
    if (exit_status != 0) {
        return exit_status;
    }
    const struct record_format *format = source->format                 ? record_format_find(source->format)
                                         : position_game(bytes, length) ? NULL
                                                                        : record_format_look(bytes, length);
    enum status status =
        format ? format->read(&trees, bytes, length, 0, &error) : take_text(&trees, bytes, length, &error);
    free(bytes);
    int record = source->record ? source->record : 1;
    if (status == STATUS_OK && record > trees.count) {
        status = error_at(&error, 0, 0, "expected game 1 to %d of the file, found %d", trees.count, record);
    }
    if (status != STATUS_OK) {
        exit_status = cli_fail(file, &error, status);
    } else {
        struct walk walk = {.file = file, .tree = &trees.items[record - 1], .visit = visit, .user = user};
        exit_status = visit_tree(&walk);
    }
    gametrees_free(&trees);
    return exit_status;
}
