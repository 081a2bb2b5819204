/* A lost game: every move loses, but not every reply to it wins. */
#include "games/war/search/searcher.h"
#include "games/war/solve/solve.h"

/* The other side is thought to look at most so many plies ahead. */
#define TRAP_DEPTH 7

/* What searches of each depth would reply. */
struct likely {
    int depths;
    uint16_t cells[TRAP_DEPTH];
};

static void note_reply(void *user, struct war_worker *worker, int depth) {
    struct likely *likely = user;
    likely->cells[depth - 1] = worker->line[0];
    likely->depths = depth;
}

static int square_at(const struct war_worker *worker, const struct solve_graph *graph, int cell) {
    return solve_graph_find(graph, board_square(worker->size, cell));
}

/* How well a move of ours is hidden: the depths at which the reply gives the win away, deeper ones counting more.
 * worker->board and `after` stand behind the move. */
static int count_errors(struct war_solver *solver, const struct solve_graph *graph, struct war_worker *worker,
                        const struct solve_position *after) {
    struct likely likely = {0};
    war_search(worker, TRAP_DEPTH, note_reply, &likely);
    int errors = 0;
    bool wins = false;
    for (int i = 0; i < likely.depths && !clock_stopped(worker->clock); i++) {
        if (i == 0 || likely.cells[i] != likely.cells[i - 1]) {
            int reply = square_at(worker, graph, likely.cells[i]);
            struct solve_position then = war_solver_play(solver, after, reply, true);
            int square;
            wins = war_solver_test(solver, &then, 0, &square) > 0;
        }
        errors += wins ? i + 1 : 0;
    }
    return clock_stopped(worker->clock) ? 0 : errors;
}

bool war_trap(struct war_solver *solver, struct war_worker *worker, const struct war_position *position,
              struct search_result *result) {
    struct solve_graph graph;
    if (!solve_graph_from(&graph, position) || !war_solver_begin(solver, &graph, worker->clock)) {
        return false;
    }
    struct solve_position root = war_solver_root(solver);
    struct war_root_move moves[WAR_MOST_SQUARES];
    int count = worker->root_count;
    for (int i = 0; i < count; i++) {
        moves[i] = worker->root[i];
    }
    int most = 0;
    for (int i = 0; i < count && !clock_stopped(worker->clock); i++) {
        int cell = moves[i].cell;
        struct solve_position after = war_solver_play(solver, &root, square_at(worker, &graph, cell), true);
        game_move move = board_move(&worker->board, worker->size, cell);
        struct board_undo undo;
        board_play(&worker->board, cell, &undo);
        int errors = count_errors(solver, &graph, worker, &after);
        board_take_back(&worker->board, &undo);
        if (errors > most) {
            most = errors;
            result->move = result->pv[0] = move;
            result->pv_length = 1;
        }
    }
    return most > 0;
}
