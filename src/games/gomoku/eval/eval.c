/* The static evaluation, for the engine and behind the game interface. */
#include <math.h>

#include "base/assert.h"
#include "games/gomoku/eval/net.h"
#include "games/gomoku/eval/weights.h"

int gboard_evaluate(const struct gboard *board) {
    ASSERT(board->net);
    return net_value(board->net, board);
}

/* Has `ask` answered about a position that is not over; 0 when there is no memory, and nothing is known. */
static int ask_network(const struct gomoku_position *position, int (*ask)(struct net *, const struct gboard *)) {
    struct net *net = net_new(false);
    if (!net) {
        return 0;
    }
    struct gboard board = {0};
    gboard_load(&board, position, NULL);
    net_load(net, &board);
    int answer = ask(net, &board);
    net_free(net);
    return answer;
}

game_score gomoku_evaluate(const struct game_position *position) {
    const struct gomoku_position *g = gomoku_const(position);
    if (gomoku_game.over(position)) {
        return g->winner == GOMOKU_NO_WINNER ? 0 : g->winner == GOMOKU_X ? GAME_WIN_VALUE : -GAME_WIN_VALUE;
    }
    int value = ask_network(g, net_value);
    return g->count & 1 ? -value : value;
}

static double likelihood(int value) {
    return 1 / (1 + exp(-(double)value / NET_VALUE_UNIT));
}

/* A value is the expected result; the network knows how much of it is draws, each of which counts half. */
void gomoku_chances(const struct game_position *position, game_score value, double chances[3]) {
    const struct gomoku_position *g = gomoku_const(position);
    bool won = value >= GAME_WIN_VALUE - 1000;
    bool lost = value <= 1000 - GAME_WIN_VALUE;
    double result = won ? 1 : lost ? 0 : likelihood(value);
    double most = 2 * (result < 0.5 ? result : 1 - result);
    double draw = most > 0 && !gomoku_game.over(position) ? likelihood(ask_network(g, net_draw)) : most;
    draw = draw < most ? draw : most;
    chances[0] = result - draw / 2;
    chances[1] = draw;
    chances[2] = 1 - result - draw / 2;
}
