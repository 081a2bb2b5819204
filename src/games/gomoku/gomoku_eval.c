/* The static evaluation, for the engine and behind the game interface. */
#include "games/gomoku/gomoku_net.h"

int gboard_evaluate(const struct gboard *board) {
    return net_value(board->net, board);
}

game_score gomoku_evaluate(const struct game_position *position) {
    const struct gomoku_position *g = gomoku_const(position);
    if (g->winner != GOMOKU_NO_WINNER) {
        return g->winner == GOMOKU_X ? GAME_WIN_VALUE : -GAME_WIN_VALUE;
    }
    struct net *net = g->count < g->size * g->size ? net_new(false) : NULL;
    if (!net) {
        return 0; /* a draw; or there is no memory, and nothing is known */
    }
    struct gboard board = {0};
    gboard_load(&board, g, NULL, net);
    int value = gboard_evaluate(&board);
    net_free(net);
    return board.side == 0 ? value : -value;
}
