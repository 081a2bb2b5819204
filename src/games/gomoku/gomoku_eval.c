/* The static evaluation behind the game interface; the engine keeps the same sum up to date move by move. */
#include "games/gomoku/gomoku_board.h"
#include "games/gomoku/gomoku_weights.h"

/* Large enough that no position gets there, small enough to stay apart from proven wins. */
#define MOST_EVALUATION 20000

int gboard_evaluate(const struct gboard *board) {
    int16_t inputs[2 * NET_CELL];
    for (int i = 0; i < NET_CELL; i++) {
        inputs[i] = (int16_t)(board->pool[board->side][i] >> NET_POOL_SHIFT);
        inputs[NET_CELL + i] = (int16_t)(board->pool[1 - board->side][i] >> NET_POOL_SHIFT);
    }
    int64_t sum = gomoku_weights.out_bias;
    for (int j = 0; j < NET_HIDDEN; j++) {
        int32_t hidden = 0;
        for (int i = 0; i < 2 * NET_CELL; i++) {
            hidden += inputs[i] * gomoku_weights.hidden[j][i];
        }
        hidden += gomoku_weights.hidden_bias[j];
        hidden = hidden > 0 ? hidden >> NET_HIDDEN_SHIFT : 0;
        sum += (int64_t)hidden * gomoku_weights.out[j];
    }
    int64_t value = (sum * NET_VALUE_UNIT) >> 20;
    return value > MOST_EVALUATION ? MOST_EVALUATION : value < -MOST_EVALUATION ? -MOST_EVALUATION : (int)value;
}

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
    return board.side == 0 ? value : -value;
}
