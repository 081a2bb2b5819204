/* The textbook searches over the game interface. */
#include "search/textbook.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/stopwatch.h"

/* One search. MAX is the side to move at the root. Cuts are at v >= beta and v <= alpha. */
struct walk {
    const struct game *game;
    int root_side;
    struct game_position *board;
    int depth; /* of the leaves */
    const struct textbook_visitor *visitor;
    uint64_t nodes;
    uint64_t leaves;
    uint64_t cutoffs;
    game_move best; /* the first strictly best move at the root */
    const struct textbook_request *request;
};

static inline void see_enter(const struct walk *walk, struct textbook_step step) {
    if (walk->visitor && walk->visitor->enter) {
        walk->visitor->enter(walk->visitor->user, &step);
    }
}

static inline void see_after_child(const struct walk *walk, struct textbook_step step, bool cut) {
    if (walk->visitor && walk->visitor->after_child) {
        walk->visitor->after_child(walk->visitor->user, &step, cut);
    }
}

static inline game_score leaf(struct walk *walk, struct textbook_step step) {
    walk->leaves++;
    game_score value = walk->game->evaluate(walk->board);
    step.value = walk->root_side == 0 ? value : -value;
    if (walk->visitor && walk->visitor->leaf) {
        walk->visitor->leaf(walk->visitor->user, &step);
    }
    return step.value;
}

/* Tells the caller the best so far. */
static inline void see_progress(const struct walk *walk, game_score value) {
    if (walk->request->progress) {
        struct search_result best = {.move = walk->best, .value = value, .depth = walk->depth, .nodes = walk->nodes};
        best.pv[0] = walk->best;
        best.pv_length = 1;
        walk->request->progress(walk->request->user, &best);
    }
}

static inline bool textbook_stopped(const struct walk *walk) {
    return textbook_asked_to_stop(walk->request);
}

/* Plain minimax. `moves` is the free part of the move stack. */
static game_score textbook_minimax(struct walk *walk, game_move from, int depth, bool maximise, game_move *moves) {
    walk->nodes++;
    struct textbook_step step = {.move = from, .depth = depth};
    int count = depth < walk->depth ? walk->game->moves(walk->board, moves) : 0;
    if (count == 0) {
        return leaf(walk, step);
    }
    step.value = maximise ? -GAME_INFINITY : GAME_INFINITY;
    see_enter(walk, step);
    for (int i = 0; i < count && !textbook_stopped(walk); i++) {
        struct game_undo undo;
        walk->game->play(walk->board, moves[i], &undo);
        game_score value = textbook_minimax(walk, moves[i], depth + 1, !maximise, moves + count);
        walk->game->undo(walk->board, &undo);
        if (maximise ? value > step.value : value < step.value) {
            step.value = value;
            if (depth == 0) {
                walk->best = moves[i];
            }
        }
        see_after_child(walk, step, false);
        if (depth == 0) {
            see_progress(walk, step.value);
        }
    }
    return step.value;
}

/* Alpha-beta: the same value and the same root move with fewer nodes. */
static game_score textbook_alphabeta(struct walk *walk, game_move from, int depth, bool maximise, game_score alpha,
                                     game_score beta, game_move *moves) {
    walk->nodes++;
    struct textbook_step step = {.move = from, .depth = depth, .alpha = alpha, .beta = beta};
    int count = depth < walk->depth ? walk->game->moves(walk->board, moves) : 0;
    if (count == 0) {
        return leaf(walk, step);
    }
    step.value = maximise ? -GAME_INFINITY : GAME_INFINITY;
    see_enter(walk, step);
    for (int i = 0; i < count && !textbook_stopped(walk); i++) {
        struct game_undo undo;
        walk->game->play(walk->board, moves[i], &undo);
        game_score value =
            textbook_alphabeta(walk, moves[i], depth + 1, !maximise, step.alpha, step.beta, moves + count);
        walk->game->undo(walk->board, &undo);
        if (maximise ? value > step.value : value < step.value) {
            step.value = value;
            if (depth == 0) {
                walk->best = moves[i];
            }
        }
        if (maximise ? step.value >= step.beta : step.value <= step.alpha) {
            walk->cutoffs++;
            see_after_child(walk, step, true);
            return step.value;
        }
        if (maximise && step.value > step.alpha) {
            step.alpha = step.value;
        }
        if (!maximise && step.value < step.beta) {
            step.beta = step.value;
        }
        see_after_child(walk, step, false);
        if (depth == 0) {
            see_progress(walk, step.value);
        }
    }
    return step.value;
}

/* Runs one request. Greedy best-first is minimax of one ply. `moves` holds the whole move stack. */
static void textbook_walk(struct walk *walk, const struct textbook_request *request, game_move *moves,
                          struct search_result *result) {
    walk->depth = request->method == TEXTBOOK_GREEDY ? 1 : request->depth;
    walk->visitor = request->visitor;
    walk->request = request;
    walk->best = GAME_NO_MOVE;
    result->value = request->method == TEXTBOOK_ALPHABETA
                        ? textbook_alphabeta(walk, GAME_NO_MOVE, 0, true, -GAME_INFINITY, GAME_INFINITY, moves)
                        : textbook_minimax(walk, GAME_NO_MOVE, 0, true, moves);
    if (walk->best == GAME_NO_MOVE && walk->game->moves(walk->board, moves) > 0) {
        walk->best = moves[0]; /* stopped before the first move was through */
    }
    result->move = walk->best;
    result->depth = walk->depth;
    result->nodes = walk->nodes;
    result->leaves = walk->leaves;
    result->cutoffs = walk->cutoffs;
    if (walk->best != GAME_NO_MOVE) {
        result->pv_length = 1;
        result->pv[0] = walk->best;
    }
}

void textbook_search(const struct game *game, const struct game_position *position,
                     const struct textbook_request *request, struct search_result *result) {
    ASSERT(request->depth >= 1 || request->method == TEXTBOOK_GREEDY);
    ASSERT(request->method != SEARCH_ENGINE);
    ASSERT(!game->over(position));
    memset(result, 0, sizeof *result);
    result->move = GAME_NO_MOVE;
    const struct game_properties *properties = game->properties;
    size_t levels = (size_t)(request->depth < properties->most_plies ? request->depth : properties->most_plies) + 1;
    struct game_position *board = malloc(properties->position_size);
    game_move *moves = malloc(levels * (size_t)properties->most_moves * sizeof *moves);
    if (board && moves) {
        memcpy(board, position, properties->position_size);
        struct walk walk = {.game = game, .root_side = game->to_move(position), .board = board};
        textbook_walk(&walk, request, moves, result);
    }
    free(board);
    free(moves);
}

void textbook_run(const struct game *game, const struct game_position *position, const struct textbook_request *request,
                  struct search_result *result) {
    ASSERT(request->depth >= 1 || request->method == TEXTBOOK_GREEDY);
    ASSERT(request->method != SEARCH_ENGINE);
    double wall = clock_wall();
    double cpu = clock_cpu();
    if (game->textbook) {
        game->textbook(position, request, result);
    } else {
        textbook_search(game, position, request, result);
    }
    result->wall_seconds = clock_wall() - wall;
    result->cpu_seconds = clock_cpu() - cpu;
}

void textbook_line(const struct game *game, const struct game_position *position,
                   const struct textbook_request *request, struct search_result *result) {
    ASSERT(request->depth >= 1 || request->method == TEXTBOOK_GREEDY);
    struct game_position *board = malloc(game->properties->position_size);
    if (!board) {
        return;
    }
    memcpy(board, position, game->properties->position_size);
    int depth = request->method == TEXTBOOK_GREEDY ? 1 : request->depth;
    game_move move = result->move;
    result->pv_length = 0;
    while (move != GAME_NO_MOVE && result->pv_length < SEARCH_MOST_PV) {
        struct game_undo undo;
        result->pv[result->pv_length++] = move;
        game->play(board, move, &undo);
        if (--depth < 1 || game->over(board)) {
            break;
        }
        struct textbook_request next = {
            .method = TEXTBOOK_ALPHABETA, .depth = depth, .stop = request->stop, .also = request->also};
        struct search_result answer;
        textbook_run(game, board, &next, &answer);
        move = answer.move;
    }
    free(board);
}
