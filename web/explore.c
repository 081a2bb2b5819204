/* The search explorer's data: every step of the textbook's own search, and what other orders of moves would cost. */
#include <stdlib.h>
#include <string.h>

#include "formats/line.h"
#include "web.h"

/* A step as the page reads it: seven numbers. Nodes are numbered as they are entered; names of moves come apart. */
struct step {
    int32_t kind;
    int32_t node;
    int32_t name; /* index into the list of names; -1 at the root */
    int32_t depth;
    int32_t value;
    int32_t alpha;
    int32_t beta;
};

#define MOST_NAMES 4096
#define MOST_DEPTH 1024

struct recorder {
    struct text steps; /* of struct step */
    int name_count;
    int32_t heads[1024];      /* hash of a name to its first entry, -1: none */
    int32_t next[MOST_NAMES]; /* entries with the same hash */
    sortie_move known[MOST_NAMES];
    int32_t path[MOST_DEPTH + 1]; /* node numbers from the root down */
    int32_t nodes;
    int32_t most_nodes;
    bool cut_short;
    sortie_engine *engine;
};

static struct recorder recorder;

/* The number of a move's name; a new one is added to the list. */
static int32_t name_of(struct recorder *r, const char *move) {
    if (!move[0]) {
        return -1;
    }
    uint32_t hash = 0;
    for (const char *c = move; *c; c++) {
        hash = hash * 31 + (uint8_t)*c;
    }
    int32_t *head = &r->heads[hash % 1024];
    for (int32_t i = *head; i >= 0; i = r->next[i]) {
        if (strcmp(r->known[i], move) == 0) {
            return i;
        }
    }
    if (r->name_count == MOST_NAMES) {
        return -1;
    }
    int32_t fresh = r->name_count++;
    memcpy(r->known[fresh], move, sizeof(sortie_move));
    r->next[fresh] = *head;
    *head = fresh;
    return fresh;
}

static void record(void *user, const sortie_step *seen) {
    struct recorder *r = user;
    if (r->cut_short || seen->depth > MOST_DEPTH) {
        return;
    }
    if (seen->kind == SORTIE_ENTER || seen->kind == SORTIE_LEAF) {
        if (r->nodes == r->most_nodes) {
            r->cut_short = true;
            sortie_engine_stop(r->engine);
            return;
        }
        r->path[seen->depth] = r->nodes++;
    }
    struct step step = {.kind = (int32_t)seen->kind,
                        .node = r->path[seen->depth],
                        .name = name_of(r, seen->move),
                        .depth = seen->depth,
                        .value = seen->value,
                        .alpha = seen->alpha,
                        .beta = seen->beta};
    text_add(&r->steps, (const char *)&step, sizeof step);
}

/* Runs minimax (1) or alpha-beta (2) on the position in the input and keeps every step, up to `most_nodes` nodes. The
 * answer tells of the search; the steps themselves are read through web_steps. */
int EXPORT(web_explore)(int method, int depth, int most_nodes) {
    struct ask ask;
    if (!web_ask(&ask)) {
        return 2;
    }
    text_free(&recorder.steps);
    recorder = (struct recorder){.most_nodes = most_nodes};
    memset(recorder.heads, -1, sizeof recorder.heads);
    sortie_error error = {0};
    recorder.engine = web_engine(&error);
    static sortie_result result;
    result = SORTIE_INIT(sortie_result);
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    limits.method = method == 1 ? SORTIE_MINIMAX : SORTIE_ALPHABETA;
    limits.depth = depth;
    limits.on_step = record;
    limits.user = &recorder;
    sortie_status status =
        recorder.engine ? sortie_engine_go(recorder.engine, ask.position, &limits, &result, &error) : SORTIE_FAIL;
    ask_free(&ask);
    if (status != SORTIE_OK || recorder.steps.broken) {
        return web_refuse(status != SORTIE_OK ? &error : &(sortie_error){.text = "out of memory"});
    }
    struct json json = {web_answer(), false};
    json_open_object(&json, NULL);
    json_string(&json, "move", result.move);
    json_int(&json, "value", result.value);
    json_int(&json, "nodes", recorder.nodes);
    json_bool(&json, "cutShort", recorder.cut_short);
    line_list(recorder.known, recorder.name_count, "names", &json);
    json_close_object(&json);
    return 0;
}

const char *EXPORT(web_steps)(void) {
    return recorder.steps.data;
}

size_t EXPORT(web_steps_length)(void) {
    return recorder.steps.length;
}

/* -- what another way would cost -- */

/* Nodes the plain textbook search of the position in the input visits, as text. */
int EXPORT(web_count)(int method, int depth) {
    struct ask ask;
    if (!web_ask(&ask)) {
        return 2;
    }
    static sortie_result result;
    result = SORTIE_INIT(sortie_result);
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    sortie_error error = {0};
    limits.method = method == 1 ? SORTIE_MINIMAX : SORTIE_ALPHABETA;
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
    bool over; /* it ends the game */
};

static int better_first(const void *a, const void *b) {
    const struct candidate *one = a;
    const struct candidate *two = b;
    return (two->value > one->value) - (two->value < one->value);
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
