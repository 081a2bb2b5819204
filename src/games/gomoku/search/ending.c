/* The end of a game nobody wins: whether the side that would like to can still make a row of five, and if so, whether
 * the other one can keep it from it to the last square. The tree search leaves out moves and cannot prove a draw. */
#include "games/gomoku/search/search.h"

#define ROW 5
#define LOOK_CALLS 64 /* positions between two looks at the clock: each is looked over row by row */

struct ending {
    struct gomoku_position position;
    struct search_clock *clock;
    struct clock_meter meter;
    uint64_t calls; /* positions come to; nodes are those of them in which moves are tried */
    uint64_t nodes;
    uint64_t most_nodes;
    bool cut_short;
};

/* Whether a row of five squares from here is free of the other side's stones. */
static bool is_open(const struct gomoku_position *position, int side, int row, int column, int down, int right) {
    int size = position->size;
    if (row + (ROW - 1) * down >= size || column + (ROW - 1) * right >= size || column + (ROW - 1) * right < 0) {
        return false;
    }
    for (int i = 0; i < ROW; i++) {
        int stone = position->board[(row + i * down) * size + column + i * right];
        if (stone != GOMOKU_EMPTY && stone != side + 1) {
            return false;
        }
    }
    return true;
}

/* Whether a side has any row left in which it could make five. With rules of exactly five this may say so in vain, and
 * never the other way round. */
static bool may_win(const struct gomoku_position *position, int side) {
    static const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int square = 0; square < position->size * position->size; square++) {
        for (int k = 0; k < 4; k++) {
            if (is_open(position, side, square / position->size, square % position->size, steps[k][0], steps[k][1])) {
                return true;
            }
        }
    }
    return false;
}

/* The outcome for the side to move, 1, 0 or -1, within the window; by trying everything. */
static int ending_outcome(struct ending *ending, int alpha, int beta) {
    struct game_position *position = (struct game_position *)&ending->position;
    int side = gomoku_game.to_move(position);
    if (gomoku_game.over(position)) {
        return ending->position.winner == GOMOKU_NO_WINNER ? 0 : -1; /* the one who just moved has five */
    }
    if (++ending->calls % LOOK_CALLS == 0 && clock_over(ending->clock)) {
        ending->cut_short = true;
        return 0;
    }
    bool ours = may_win(&ending->position, side);
    bool theirs = may_win(&ending->position, 1 - side);
    int most = ours ? 1 : 0;
    int least = theirs ? -1 : 0;
    if (most == least || most <= alpha) {
        return most;
    }
    if (least >= beta) {
        return least;
    }
    ending->cut_short = ending->cut_short || ++ending->nodes > ending->most_nodes ||
                        clock_tick(ending->clock, &ending->meter, ending->nodes);
    int best = least - 1;
    game_move moves[GOMOKU_MOST_SQUARES];
    int count = ending->cut_short ? 0 : gomoku_game.moves(position, moves);
    for (int i = 0; i < count && best < beta && best < most && !ending->cut_short; i++) {
        struct game_undo undo;
        gomoku_game.play(position, moves[i], &undo);
        int value = -ending_outcome(ending, -beta, -(best > alpha ? best : alpha));
        gomoku_game.undo(position, &undo);
        best = value > best ? value : best;
    }
    return best < least ? least : best;
}

/* A move after which the other side cannot win, this one if it is one. */
static uint16_t holding_move(struct ending *ending, uint16_t wanted) {
    struct game_position *position = (struct game_position *)&ending->position;
    game_move moves[GOMOKU_MOST_SQUARES];
    int count = gomoku_game.moves(position, moves);
    for (int i = -1; i < count && !ending->cut_short; i++) {
        game_move move = i < 0 ? wanted : moves[i];
        struct game_undo undo;
        gomoku_game.play(position, move, &undo);
        bool holds = ending_outcome(ending, 0, 1) <= 0;
        gomoku_game.undo(position, &undo);
        if (holds && !ending->cut_short) {
            return (uint16_t)move;
        }
    }
    return wanted;
}

bool ending_is_drawn(const struct gomoku_position *position, struct search_clock *clock, uint64_t nodes, uint16_t *move,
                     uint64_t *visited) {
    struct ending ending = {.position = *position, .clock = clock, .meter = {.step = LOOK_STEP}, .most_nodes = nodes};
    bool no_loss = ending_outcome(&ending, -1, 0) >= 0;
    bool no_win = no_loss && !ending.cut_short && ending_outcome(&ending, 0, 1) <= 0;
    bool drawn = no_win && !ending.cut_short;
    if (drawn) {
        ending.most_nodes = UINT64_MAX; /* what was proved once is proved again */
        *move = holding_move(&ending, *move);
    }
    *visited = ending.nodes;
    return drawn && !ending.cut_short;
}
