/* The search explorer's data: the tree of a position as far as a textbook search needs it, and what searches of other
 * kinds cost. The page runs the searches of its lessons on that tree, step by step (web/js/screens/explore). */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "formats/line.h"
#include "web.h"

/* A node as the page reads it: eight numbers. The children of a node stand side by side, behind their parent. A node
 * that alpha-beta cuts away has a name, and nothing else is known of it. */
struct node {
    int32_t parent; /* -1 at the root */
    int32_t first;  /* its first child; -1: none */
    int32_t count;  /* of children */
    int32_t name;   /* of the move that leads to it: index into the list of names; -1 at the root */
    int32_t value;  /* of the evaluation, for the side to move at the root */
    uint32_t low;   /* the position's hash */
    uint32_t high;
    int32_t visited; /* 0: cut away */
};

#define MOST_NAMES 4096
#define MOST_DEPTH 64
#define NODES_A_REPORT 2000

/* The walk that finds the tree. */
struct growth {
    const struct game *game;
    struct game_position *board;
    struct text nodes; /* of struct node */
    int32_t count;     /* of them */
    int32_t visited;
    int32_t most; /* visited nodes */
    int side;     /* to move at the root */
    int depth;    /* of the leaves */
    bool cuts;    /* alpha-beta; else every node is visited */
    bool cut_short;
    int name_count;
    int32_t heads[1024];      /* hash of a name to its first entry, -1: none */
    int32_t next[MOST_NAMES]; /* entries with the same hash */
    sortie_move known[MOST_NAMES];
};

static struct growth growth;

/* The number of a move's name; a new one is added to the list. */
static int32_t name_of(struct growth *g, const char *move) {
    uint32_t hash = 0;
    for (const char *c = move; *c; c++) {
        hash = hash * 31 + (uint8_t)*c;
    }
    int32_t *head = &g->heads[hash % 1024];
    for (int32_t i = *head; i >= 0; i = g->next[i]) {
        if (strcmp(g->known[i], move) == 0) {
            return i;
        }
    }
    if (g->name_count == MOST_NAMES) {
        return -1;
    }
    int32_t fresh = g->name_count++;
    memcpy(g->known[fresh], move, sizeof(sortie_move));
    g->next[fresh] = *head;
    *head = fresh;
    return fresh;
}

static struct node *node_at(const struct growth *g, int32_t number) {
    return (struct node *)(void *)g->nodes.data + number;
}

/* Adds a node that nobody has looked at yet. */
static void add_node(struct growth *g, int32_t parent, int32_t name) {
    struct node node = {.parent = parent, .first = -1, .name = name};
    text_add(&g->nodes, (const char *)&node, sizeof node);
    g->count++;
}

/* Looks at a node: its value, which position it is. */
static game_score visit_node(struct growth *g, int32_t number) {
    struct node *node = node_at(g, number);
    uint64_t hash = g->game->hash(g->board);
    game_score value = g->game->evaluate(g->board);
    node->value = g->side == 0 ? value : -value;
    node->low = (uint32_t)hash;
    node->high = (uint32_t)(hash >> 32);
    node->visited = 1;
    g->visited++;
    g->cut_short = g->cut_short || g->visited > g->most || g->nodes.broken;
    if (g->visited % NODES_A_REPORT == 0) {
        struct text line = TEXT_EMPTY;
        text_addf(&line, "{\"info\": {\"line\": 0, \"nodes\": %d}}", g->visited);
        page_report(text_string(&line), line.length);
        text_free(&line);
    }
    return node->value;
}

/* Adds the children of a node. */
static void add_children(struct growth *g, int32_t number, const game_move *moves, int count) {
    node_at(g, number)->first = g->count;
    node_at(g, number)->count = count;
    for (int i = 0; i < count; i++) {
        char name[sizeof(sortie_move)];
        g->game->move_text(g->board, moves[i], name);
        add_node(g, number, name_of(g, name));
    }
    g->cut_short = g->cut_short || g->nodes.broken;
}

/* The tree below a node, as the textbook walks through it; gives the node's value. `moves` is the free part of the move
 * stack. */
static game_score grow(struct growth *g, int32_t number, int depth, game_score alpha, game_score beta,
                       game_move *moves) {
    game_score value = visit_node(g, number);
    int count = depth < g->depth && !g->cut_short ? g->game->moves(g->board, moves) : 0;
    if (count == 0) {
        return value;
    }
    add_children(g, number, moves, count);
    bool max = depth % 2 == 0;
    int32_t first = g->count - count;
    value = max ? -GAME_INFINITY : GAME_INFINITY;
    for (int i = 0; i < count && alpha < beta && !g->cut_short; i++) {
        struct game_undo undo;
        g->game->play(g->board, moves[i], &undo);
        game_score found = grow(g, first + i, depth + 1, alpha, beta, moves + count);
        g->game->undo(g->board, &undo);
        value = (max ? found > value : found < value) ? found : value;
        if (g->cuts && max && value > alpha) {
            alpha = value;
        }
        if (g->cuts && !max && value < beta) {
            beta = value;
        }
    }
    return value;
}

/* Grows the tree from the root; false when memory runs out. */
static bool grow_tree(struct growth *g) {
    size_t levels = (size_t)g->depth + 1;
    game_move *moves = malloc(levels * (size_t)g->game->properties->most_moves * sizeof *moves);
    if (moves) {
        add_node(g, -1, -1);
        if (!g->nodes.broken) {
            grow(g, 0, 0, -GAME_INFINITY, GAME_INFINITY, moves);
        }
    }
    free(moves);
    return moves && !g->nodes.broken;
}

/* Finds the tree of the position in the input, `depth` plies deep: all of it for minimax (1), what alpha-beta (2) looks
 * at and the names of what it cuts away. The nodes are read through web_nodes; a tree in which more than `most_nodes`
 * are looked at is given up. */
int EXPORT(web_tree)(int method, int depth, int most_nodes) {
    struct ask ask;
    if (!web_ask(&ask)) {
        return 2;
    }
    text_free(&growth.nodes);
    growth = (struct growth){.game = ask.position->game,
                             .board = ask.position->board,
                             .most = most_nodes,
                             .depth = depth < MOST_DEPTH ? depth : MOST_DEPTH,
                             .cuts = method != 1,
                             .side = sortie_position_to_move(ask.position)};
    memset(growth.heads, -1, sizeof growth.heads);
    bool fits = grow_tree(&growth);
    ask_free(&ask);
    if (!fits) {
        return web_refuse(&(sortie_error){.text = "out of memory"});
    }
    struct json json = {web_answer(), false};
    json_open_object(&json, NULL);
    json_int(&json, "nodes", growth.visited);
    json_bool(&json, "cutShort", growth.cut_short);
    line_list(growth.known, growth.name_count, "names", &json);
    json_close_object(&json);
    return 0;
}

const char *EXPORT(web_nodes)(void) {
    return growth.nodes.data;
}

size_t EXPORT(web_nodes_length)(void) {
    return growth.nodes.length;
}

/* -- what another way would cost -- */

/* What a search of the position in the input counts: minimax (1) or alpha-beta (2) as the textbook has them, or the
 * engine's own (3), which takes every short cut it knows. */
int EXPORT(web_count)(int method, int depth) {
    struct ask ask;
    if (!web_ask(&ask)) {
        return 2;
    }
    static sortie_result result;
    result = SORTIE_INIT(sortie_result);
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    sortie_error error = {0};
    limits.method = method == 1 ? SORTIE_MINIMAX : method == 2 ? SORTIE_ALPHABETA : SORTIE_ENGINE;
    limits.depth = depth;
    limits.textbook_counts = 1;
    sortie_engine *engine = web_engine(&error);
    sortie_status status = engine ? sortie_engine_go(engine, ask.position, &limits, &result, &error) : SORTIE_FAIL;
    ask_free(&ask);
    if (status != SORTIE_OK) {
        return web_refuse(&error);
    }
    struct json json = {web_answer(), false};
    json_open_object(&json, NULL);
    json_int(&json, "nodes", (int64_t)result.nodes);
    json_int(&json, "leaves", (int64_t)result.leaves);
    json_int(&json, "cuts", (int64_t)result.cutoffs);
    json_int(&json, "value", result.value);
    json_close_object(&json);
    return 0;
}

/* Alpha-beta with the best order there is: at every node the moves are tried in the order of their true values. */
struct ordered {
    sortie_position *position;
    sortie_engine *engine;
    uint64_t nodes; /* of the search with that order */
    uint64_t work;  /* spent on finding it */
    uint64_t most_work;
    bool margin;
    bool given_up;
};

struct candidate {
    sortie_move move;
    int value; /* for the side that plays it */
    int order; /* among the moves as the game has them; those of equal value keep it */
    bool over; /* it ends the game */
};

static int better_first(const void *a, const void *b) {
    const struct candidate *one = a;
    const struct candidate *two = b;
    int difference = (two->value > one->value) - (two->value < one->value);
    return difference ? difference : one->order - two->order;
}

static void take_leaf(void *user, const sortie_step *step) {
    struct candidate **next = user;
    if (step->kind == SORTIE_LEAF) {
        (*next)++->value = step->value;
    }
}

/* The textbook's search of the position as it stands; its value is from the view of the side to move there. With
 * `leaves` the values of the moves are written there too, which needs depth 1. */
static int textbook_value(struct ordered *search, int depth, struct candidate *leaves) {
    static sortie_result result;
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    limits.method = leaves ? SORTIE_MINIMAX : SORTIE_ALPHABETA;
    limits.depth = depth;
    limits.on_step = leaves ? take_leaf : NULL;
    limits.user = &leaves;
    result = SORTIE_INIT(sortie_result);
    if (sortie_engine_go(search->engine, search->position, &limits, &result, NULL) != SORTIE_OK) {
        search->given_up = true;
    }
    search->work += result.nodes;
    search->given_up = search->given_up || search->work > search->most_work;
    return result.value;
}

/* Gives every move its value, `depth` plies from the leaves, for the side to move. */
static void value_moves(struct ordered *search, int depth, struct candidate *candidates, int count) {
    if (depth == 1) {
        textbook_value(search, 1, candidates);
        return;
    }
    for (int i = 0; i < count && !search->given_up; i++) {
        int side = sortie_position_to_move(search->position);
        sortie_position_play(search->position, candidates[i].move, NULL);
        candidates[i].over = sortie_position_is_over(search->position);
        int score = sortie_position_score(search->position) * (search->margin ? 1 : SORTIE_WIN_VALUE);
        candidates[i].value =
            candidates[i].over ? (side == 0 ? score : -score) : -textbook_value(search, depth - 1, NULL);
        sortie_position_undo(search->position, NULL);
    }
}

/* The legal moves, best first; the caller frees them. */
static struct candidate *order_moves(struct ordered *search, int depth, int *count) {
    *count = sortie_position_moves(search->position, NULL, 0);
    sortie_move *moves = malloc((size_t)*count * sizeof *moves);
    struct candidate *candidates = calloc((size_t)*count, sizeof *candidates);
    if (!moves || !candidates) {
        search->given_up = true;
        *count = 0;
    } else {
        sortie_position_moves(search->position, moves, *count);
        for (int i = 0; i < *count; i++) {
            memcpy(candidates[i].move, moves[i], sizeof moves[i]);
            candidates[i].order = i;
        }
        value_moves(search, depth, candidates, *count);
        qsort(candidates, (size_t)*count, sizeof *candidates, better_first);
    }
    free(moves);
    return candidates;
}

/* Values are from the view of the side to move; the depth is at least 1 and the game is not over. */
static int ordered_alphabeta(struct ordered *search, int depth, int alpha, int beta) {
    search->nodes++;
    int count;
    struct candidate *candidates = order_moves(search, depth, &count);
    int best = -SORTIE_INFINITY;
    for (int i = 0; i < count && best < beta && !search->given_up; i++) {
        int value = candidates[i].value;
        if (depth == 1 || candidates[i].over) {
            search->nodes++;
        } else {
            sortie_position_play(search->position, candidates[i].move, NULL);
            value = -ordered_alphabeta(search, depth - 1, -beta, -(best > alpha ? best : alpha));
            sortie_position_undo(search->position, NULL);
        }
        best = value > best ? value : best;
    }
    free(candidates);
    return best;
}

/* Nodes alpha-beta would visit with perfect order; null when finding out takes more than `most_work` nodes. */
int EXPORT(web_count_ordered)(int depth, int most_work) {
    struct ask ask;
    if (!web_ask(&ask)) {
        return 2;
    }
    sortie_error error = {0};
    sortie_game_info info = SORTIE_INIT(sortie_game_info);
    sortie_game_about(sortie_position_game(ask.position), &info, NULL);
    struct ordered search = {.position = ask.position,
                             .engine = web_engine(&error),
                             .most_work = (uint64_t)most_work,
                             .margin = info.margin};
    if (!search.engine) {
        ask_free(&ask);
        return web_refuse(&error);
    }
    int value = ordered_alphabeta(&search, depth, -SORTIE_INFINITY, SORTIE_INFINITY);
    ask_free(&ask);
    struct json json = {web_answer(), false};
    json_open_object(&json, NULL);
    if (search.given_up) {
        json_raw(&json, "nodes", "null");
    } else {
        json_int(&json, "nodes", (int64_t)search.nodes);
        json_int(&json, "value", value);
    }
    json_close_object(&json);
    return 0;
}
