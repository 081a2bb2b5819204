/* The static evaluation behind the game interface; the engine keeps the same sum up to date move by move. */
#include "games/gomoku/gomoku_board.h"

/* Large enough that no position gets there, small enough to stay apart from proven wins. */
#define MOST_EVALUATION 20000

game_score gomoku_evaluate(const struct game_position *position) {
    const struct gomoku_position *g = gomoku_const(position);
    if (g->winner != GOMOKU_NO_WINNER) {
        return g->winner == GOMOKU_X ? GAME_WIN_VALUE : -GAME_WIN_VALUE;
    }
    if (g->count == g->size * g->size) {
        return 0;
    }
    struct gboard board = {0};
    gboard_load(&board, g, NULL);
    int value = gboard_evaluate(&board);
    value = value > MOST_EVALUATION ? MOST_EVALUATION : value < -MOST_EVALUATION ? -MOST_EVALUATION : value;
    return board.side == 0 ? value : -value;
}
