/* The textbook searches over the game interface. */
#include "search/textbook.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

struct generic_context {
    const struct game *game;
    int root_side;
};

static game_score generic_value(const struct generic_context *context, const struct game_position *position) {
    game_score value = context->game->evaluate(position);
    return context->root_side == 0 ? value : -value;
}

#define TB(name) generic_##name
#define TB_BOARD struct game_position
#define TB_UNDO struct game_undo
#define TB_CONTEXT const struct generic_context *
#define TB_MOVES(context, board, out) (context)->game->moves(board, out)
#define TB_PLAY(context, board, move, record) (context)->game->play(board, move, record)
#define TB_TAKE_BACK(context, board, record) (context)->game->undo(board, record)
#define TB_VALUE(context, board) generic_value(context, board)
#include "search/textbook.inc"

void textbook_search(const struct game *game, const struct game_position *position,
                     const struct textbook_request *request, struct search_result *result) {
    memset(result, 0, sizeof *result);
    result->move = GAME_NO_MOVE;
    const struct game_properties *properties = game->properties;
    size_t levels = (size_t)(request->depth < properties->most_plies ? request->depth : properties->most_plies) + 1;
    struct game_position *board = malloc(properties->position_size);
    game_move *moves = malloc(levels * (size_t)properties->most_moves * sizeof *moves);
    if (board && moves) {
        memcpy(board, position, properties->position_size);
        struct generic_context context = {game, game->to_move(position)};
        struct generic_walk walk = {.context = &context, .board = board};
        generic_run(&walk, request, moves, result);
    }
    free(board);
    free(moves);
}

void textbook_run(const struct game *game, const struct game_position *position, const struct textbook_request *request,
                  struct search_result *result) {
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
        struct textbook_request next = {.method = TEXTBOOK_ALPHABETA, .depth = depth, .stop = request->stop};
        struct search_result answer;
        textbook_run(game, board, &next, &answer);
        move = answer.move;
    }
    free(board);
}
