#include "formats/records/study.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/reader.h"
#include "base/text.h"

static const char first_line[] = "sortie study";

/* The line of play on the way to a node: a position, and the moves that led to it. */
struct path {
    struct gomoku_position start;
    struct gomoku_position position;
    int depth; /* moves behind the start */
    uint16_t moves[GOMOKU_MOST_SQUARES + 1];
};

/* Goes back to so many moves behind the start. */
static void path_back(struct path *path, int depth) {
    ASSERT(depth <= path->depth);
    if (depth < path->depth) {
        path->position = path->start;
        for (int i = 0; i < depth; i++) {
            gomoku_put(&path->position, path->moves[i]);
        }
        path->depth = depth;
    }
}

/* Plays a move of the side to move; false where it is none. */
static bool path_play(struct path *path, int square) {
    if (square < 0 || !gomoku_game.legal((const struct game_position *)&path->position, (game_move)square)) {
        return false;
    }
    gomoku_put(&path->position, square);
    path->moves[path->depth++] = (uint16_t)square;
    return true;
}

/* -- writing -- */

/* Ends a line that began at a place of the text, without the blanks at its end, which no reader would see. Whether the
 * line says anything. */
static bool end_line(struct text *text, size_t start) {
    size_t length = 0;
    if (!text->broken) {
        length = reader_trimmed(text->data + start, text->length - start);
        text->length = start + length;
    }
    text_add_char(text, '\n');
    return length > 1;
}

/* Lines with a mark before each; what a line must not hold is left out, and so is a text that says nothing. */
static void add_marked(struct text *text, char mark, const char *bytes, size_t length) {
    size_t before = text->length;
    size_t start = before;
    bool said = false;
    text_addf(text, "%c ", mark);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '\n' || (c == '\r' && (i + 1 == length || bytes[i + 1] != '\n'))) {
            said = end_line(text, start) || said;
            start = text->length;
            text_addf(text, "%c ", mark);
        } else if (c >= ' ' || c == '\t') {
            text_add_char(text, (char)c);
        }
    }
    said = end_line(text, start) || said;
    if (!said && !text->broken) {
        text->length = before;
        text->data[before] = '\0';
    }
}

/* The remarks of a node. */
static void add_comments(const struct gametree *tree, uint32_t node, struct text *text) {
    const struct gametree_property *property = gametree_first(tree, node);
    for (; property; property = gametree_next(tree, property)) {
        if (gametree_named(tree, property, "C")) {
            struct text comment = TEXT_EMPTY;
            gametree_add_text(tree, property, &comment);
            add_marked(text, '>', text_string(&comment), comment.length);
            text->broken = text->broken || comment.broken;
            text_free(&comment);
        }
    }
}

/* The name of the game, or of who played it. */
static void add_title(const struct gametree *tree, struct text *text) {
    const struct gametree_property *name = gametree_find(tree, 0, "GN");
    const struct gametree_property *players[2] = {gametree_find(tree, 0, "PB"), gametree_find(tree, 0, "PW")};
    struct text title = TEXT_EMPTY;
    if (name) {
        gametree_add_text(tree, name, &title);
    } else if (players[0] && players[1]) {
        gametree_add_text(tree, players[0], &title);
        text_add_string(&title, " – ");
        gametree_add_text(tree, players[1], &title);
    }
    size_t length = 0; /* of its first line; a record may hold zero bytes */
    while (length < title.length && title.data[length] != '\r' && title.data[length] != '\n') {
        length++;
    }
    add_marked(text, '=', text_string(&title), length);
    text_free(&title);
}

static enum status refuse_node(const struct gametree_node *node, const char *expected, struct error *error) {
    return error_at(error, (int)node->line, (int)node->column, "expected %s", expected);
}

/* Whether stones come or go here without being played. */
static bool sets_up(const struct gametree *tree, uint32_t node) {
    return gametree_find(tree, node, "AB") || gametree_find(tree, node, "AW") || gametree_find(tree, node, "AE");
}

/* Writes one node behind `depth` moves. */
static enum status add_node(const struct gametree *tree, uint32_t index, int depth, struct path *path, char first,
                            struct text *text, struct error *error) {
    const struct gametree_node *node = &tree->nodes[index];
    path_back(path, depth);
    if (sets_up(tree, index)) {
        return refuse_node(node, "stones to be set up before the first move only", error);
    }
    if (node->colour) {
        if ((node->colour == first) != ((path->position.count - path->start.count) % 2 == 0)) {
            return refuse_node(node, "the other colour to move", error);
        }
        if (!path_play(path, node->square)) {
            return refuse_node(node, "an empty square of the board in a game that is not over", error);
        }
        char name[8];
        gomoku_square_text(path->position.size, node->square, name);
        text_addf(text, "%d %s\n", path->depth, name);
    }
    add_comments(tree, index, text);
    return STATUS_OK;
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

/* Everything below the root, the first variation first. */
static enum status add_nodes(const struct gametree *tree, struct path *path, uint16_t *depths, struct text *text,
                             struct error *error) {
    char first = first_colour(tree);
    int moves = 0;
    for (uint32_t index = tree->nodes[0].child; index;) {
        const struct gametree_node *node = &tree->nodes[index];
        int above = depths[node->parent];
        if (++moves > STUDY_MOST_MOVES) {
            return refuse_node(node, "at most 20000 moves", error);
        }
        enum status status = add_node(tree, index, above, path, first, text, error);
        if (status != STATUS_OK) {
            return status;
        }
        depths[index] = (uint16_t)(above + (node->colour != 0));
        uint32_t next = node->child;
        for (uint32_t at = index; !next && at; at = tree->nodes[at].parent) {
            next = tree->nodes[at].next;
        }
        index = next;
    }
    return STATUS_OK;
}

enum status study_write(struct gametree *tree, struct text *text, struct error *error) {
    struct path *path = calloc(1, sizeof *path);
    uint16_t *depths = calloc(tree->node_count, sizeof *depths);
    enum status status = path && depths ? STATUS_OK : error_machine(error, "out of memory");
    if (status == STATUS_OK) {
        status = gametree_start(tree, GOMOKU_FREESTYLE, &path->start, error);
    }
    if (status == STATUS_OK) {
        struct text own = TEXT_EMPTY;
        path->position = path->start;
        text_addf(text, "%s\n", first_line);
        add_title(tree, text);
        gomoku_game.write((const struct game_position *)&path->start, &own);
        add_marked(text, '|', text_string(&own), own.length - (own.length > 0)); /* without its last line end */
        text_free(&own);
        add_comments(tree, 0, text);
        status = add_nodes(tree, path, depths, text, error);
    }
    free(path);
    free(depths);
    return status;
}

/* -- reading -- */

bool study_sniff(const char *bytes, size_t length) {
    struct reader reader;
    reader_init(&reader, bytes, length);
    return reader_next_line(&reader) && reader_line_is(&reader, first_line);
}

struct study {
    struct reader reader;
    struct gametree *tree;
    struct path path;
    struct text position; /* the lines behind "|" */
    struct text comment;  /* those behind ">" of the node under way */
    struct text title;
    int position_line; /* where it begins */
    bool begun;        /* the position was made */
    int moves;
    uint32_t node;
    uint32_t nodes[GOMOKU_MOST_SQUARES + 1]; /* on the way to it, by moves behind the start */
};

/* What stands behind a line's mark and one blank. */
static void add_rest(struct study *study, struct text *text) {
    size_t from = study->reader.length > 1 && study->reader.line[1] == ' ' ? 2 : 1;
    text_add(text, study->reader.line + from, study->reader.length - from);
    text_add_char(text, '\n');
}

static enum status no_room(struct error *error) {
    return error_machine(error, "out of memory");
}

/* Gives the node under way its remarks. */
static enum status end_comment(struct study *study, struct error *error) {
    struct text *comment = &study->comment;
    bool fine = !comment->broken &&
                (comment->length == 0 ||
                 gametree_put_text(study->tree, study->node, "C", text_string(comment), comment->length - 1));
    text_free(comment);
    *comment = TEXT_EMPTY;
    return fine ? STATUS_OK : no_room(error);
}

/* The position is complete: makes it the tree's root. */
static enum status begin_moves(struct study *study, struct error *error) {
    struct reader reader;
    struct error inner = {0};
    study->begun = true;
    reader_init(&reader, text_string(&study->position), study->position.length);
    if (study->position.length == 0 || strncmp(text_string(&study->position), "gomoku", 6) != 0) {
        return reader_expected(&study->reader, "a position of Gomoku in lines that begin with |", error);
    }
    enum status status = gomoku_game.read((struct game_position *)&study->path.start, &reader, &inner);
    if (status != STATUS_OK) {
        int line = inner.line ? study->position_line + inner.line - 1 : 0;
        error_fill(error, line, inner.line ? inner.column + 2 : 0, "%s", inner.text);
        return status;
    }
    study->path.position = study->path.start;
    if (!gametree_take(study->tree, &study->path.start) ||
        (study->title.length > 1 &&
         !gametree_put_text(study->tree, 0, "GN", text_string(&study->title), study->title.length - 1))) {
        return no_room(error);
    }
    study->node = study->tree->node_count - 1;
    study->nodes[0] = study->node;
    return STATUS_OK;
}

/* "3 J7". */
static enum status read_move(struct study *study, struct error *error) {
    int64_t depth = 0;
    const char *word;
    struct path *path = &study->path;
    enum status status = study->begun ? end_comment(study, error) : begin_moves(study, error);
    if (status == STATUS_OK && study->moves == 0 && study->comment.length > 0) {
        status = end_comment(study, error);
    }
    if (status == STATUS_OK) {
        status = reader_integer(&study->reader, 1, path->depth + 1, "a number of moves, one more than before at most",
                                &depth, error);
    }
    if (status != STATUS_OK) {
        return status;
    }
    if (++study->moves > STUDY_MOST_MOVES) {
        return reader_expected(&study->reader, "at most 20000 moves", error);
    }
    path_back(path, (int)depth - 1);
    reader_skip_blanks(&study->reader);
    struct reader here = study->reader;
    size_t length = reader_word(&study->reader, &word);
    int square = gomoku_parse_square(path->position.size, word, length);
    char colour = path->position.count & 1 ? 'W' : 'B';
    if (square < 0 || !path_play(path, square)) {
        return reader_expected(&here, "an empty square in a game that is not over", error);
    }
    study->node = gametree_add_move(study->tree, study->nodes[depth - 1], colour, square);
    study->nodes[depth] = study->node;
    return study->node ? reader_need_line_end(&study->reader, "the end of the line", error) : no_room(error);
}

static enum status read_line(struct study *study, struct error *error) {
    char mark = study->reader.length > 0 ? study->reader.line[0] : '#';
    if (mark == '#') {
        return STATUS_OK;
    }
    if (mark == '>') {
        add_rest(study, &study->comment);
        return STATUS_OK;
    }
    if ((mark == '|' || mark == '=') && !study->begun) {
        if (mark == '=') {
            text_free(&study->title);
            study->title = TEXT_EMPTY;
        } else if (study->position.length == 0) {
            study->position_line = study->reader.line_number;
        }
        add_rest(study, mark == '|' ? &study->position : &study->title);
        return STATUS_OK;
    }
    return read_move(study, error);
}

enum status study_read(struct gametrees *trees, const char *bytes, size_t length, struct error *error) {
    struct study *study = calloc(1, sizeof *study);
    struct gametree *tree = study ? gametrees_add(trees) : NULL;
    if (!tree) {
        free(study);
        return no_room(error);
    }
    study->tree = tree;
    reader_init(&study->reader, bytes, length);
    enum status status = reader_need_line(&study->reader, first_line, error);
    if (status == STATUS_OK && !reader_line_is(&study->reader, first_line)) {
        status = reader_expected(&study->reader, first_line, error);
    }
    while (status == STATUS_OK && reader_next_line(&study->reader)) {
        status = read_line(study, error);
    }
    if (status == STATUS_OK && !study->begun) {
        status = begin_moves(study, error);
    }
    if (status == STATUS_OK) {
        status = end_comment(study, error);
    }
    if (study->position.broken || study->title.broken) {
        status = no_room(error);
    }
    text_free(&study->position);
    text_free(&study->comment);
    text_free(&study->title);
    free(study);
    if (status != STATUS_OK) {
        gametrees_free(trees);
    }
    return status;
}
