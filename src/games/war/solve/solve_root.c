/* The exact value of a whole position, by questions with an empty window; then the line that reaches it. */
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "games/war/solve/solve.h"

/* With so many squares empty the first question is asked so much above the guess, whose error is about as large. */
#define MANY_EMPTY 22
#define ABOVE 12

struct solving {
    struct war_solver *solver;
    struct solve_graph graph;
    struct search_clock *clock;
    struct search_control *control;
    struct search_result *result;
};

static void solve_count_up(const struct solving *solving) {
    struct search_result *result = solving->result;
    result->nodes = war_solver_nodes(solving->solver);
    clock_fill(solving->clock, result);
}

static void solve_report(const struct solving *solving) {
    if (solving->control->info) {
        solve_count_up(solving);
        /* With the nodes of the search before it, which was told of as well: reports never count back. */
        uint64_t nodes = atomic_load_explicit(&solving->clock->nodes, memory_order_relaxed);
        solving->result->nodes = nodes > solving->result->nodes ? nodes : solving->result->nodes;
        solving->control->info(solving->control->user, solving->result);
    }
}

static game_move solve_move_of(const struct solving *solving, const struct solve_position *position, int square,
                               bool raid) {
    bool raids = raid && (position->own & solving->graph.beside[square]);
    return (game_move)solving->graph.board_square[square] | (raids ? WAR_RAID : 0);
}

/* What is known of a value. */
struct bracket {
    int32_t lower;
    int32_t upper;
    int square; /* a move that proves `lower`, or -1 */
};

/* Closes in on the value. A question near one already answered the same way costs a tenth of the first, since the
 * table holds most of its proof; the first question answered the other way costs a whole proof again. So it walks from
 * the guess in small steps, a little longer each time, until the answer changes, and from there back in the same
 * manner: two proofs and some steps, where halving would pay for several. Stops at once when the clock does. */
static void solve_close_in(const struct solving *solving, const struct solve_position *position, int32_t guess,
                           struct bracket *bracket, void (*progress)(const struct solving *, const struct bracket *)) {
    int32_t step = 1;
    int32_t beta = guess;
    bool rising = true;
    while (bracket->lower < bracket->upper) {
        beta = beta <= bracket->lower ? bracket->lower + 1 : beta > bracket->upper ? bracket->upper : beta;
        int square;
        int32_t value = war_solver_test(solving->solver, position, beta - 1, &square);
        if (clock_stopped(solving->clock)) {
            return;
        }
        bool rises = value >= beta;
        step = rises == rising ? step + step / 2 + 1 : 1;
        rising = rises;
        if (rises) {
            bracket->lower = value;
            bracket->square = square;
            beta = bracket->lower + step;
        } else {
            bracket->upper = value;
            beta = bracket->upper - step + 1;
        }
        if (progress) {
            progress(solving, bracket);
        }
    }
}

static void tell_bracket(const struct solving *solving, const struct bracket *bracket) {
    struct search_result *result = solving->result;
    result->lower = bracket->lower;
    result->upper = bracket->upper;
    result->value = bracket->lower == bracket->upper ? bracket->lower : result->value;
    if (bracket->square >= 0) {
        struct solve_position root = war_solver_root(solving->solver);
        result->move = result->pv[0] = solve_move_of(solving, &root, bracket->square, true);
        result->pv_length = 1;
    }
    solve_report(solving);
}

/* A move that keeps the value, which is known to be `value`. -1 when the clock stops first. */
static int solve_best_move(const struct solving *solving, const struct solve_position *position, int32_t value) {
    int square;
    war_solver_test(solving->solver, position, value - 1, &square);
    if (clock_stopped(solving->clock) || square >= 0) {
        return clock_stopped(solving->clock) ? -1 : square;
    }
    for (uint64_t rest = position->empty; rest;) {
        int candidate = bits_pop(&rest);
        struct solve_position after = war_solver_play(solving->solver, position, candidate, true);
        int reply;
        int32_t bound = war_solver_test(solving->solver, &after, -value, &reply);
        if (clock_stopped(solving->clock)) {
            return -1;
        }
        if (bound <= -value) {
            return candidate;
        }
    }
    return -1;
}

/* Follows best moves for so many plies, or to the end of the game. */
static void solve_follow_line(const struct solving *solving, struct solve_position position, int32_t value, int plies) {
    struct search_result *result = solving->result;
    result->pv_length = 0;
    while (position.empty && result->pv_length < plies) {
        int square = solve_best_move(solving, &position, value);
        if (square < 0) {
            break;
        }
        result->pv[result->pv_length++] = solve_move_of(solving, &position, square, true);
        position = war_solver_play(solving->solver, &position, square, true);
        value = -value;
    }
    if (result->pv_length == 0) {
        result->pv[result->pv_length++] = result->move;
    }
    result->move = result->pv[0];
}

/* The square of the graph that a move takes, or -1. */
static int square_of(const struct solve_graph *graph, game_move move) {
    return solve_graph_find(graph, (int)(move & ~(game_move)WAR_RAID));
}

/* Suggests the moves of the line that *result brought along. Each touches a page of the table for the first time, which
 * the system has to clear: that can take milliseconds, so the clock is asked in between. */
static void suggest_line(const struct solving *solving, struct solve_position position) {
    const struct search_result *result = solving->result;
    for (int i = 0; i < result->pv_length && !clock_over(solving->clock); i++) {
        int square = square_of(&solving->graph, result->pv[i]);
        if (square < 0 || !(position.empty >> square & 1)) {
            return;
        }
        war_solver_suggest(solving->solver, &position, square);
        position = war_solver_play(solving->solver, &position, square, true);
    }
}

/* Where in the line the two positions are, in plies from the root; growth a ply that is believed, and the usual one. */
#define FORECAST_FAR 6
#define FORECAST_NEAR 3
#define GROWTH_LEAST 2.0
#define GROWTH_USUAL 2.6
#define GROWTH_MOST 3.6

/* Seconds by the clock that ends the search, and how many there are until then. */
static double seconds_spent(const struct search_clock *clock) {
    return clock->ends.cpu > 0.0 ? clock_cpu_spent(clock) : clock_wall_spent(clock);
}

static double solve_seconds_left(const struct search_clock *clock) {
    double cpu = clock->ends.cpu - clock->cpu_start - clock_cpu_spent(clock);
    double wall = clock->ends.wall - clock->wall_start - clock_wall_spent(clock);
    return clock->ends.cpu <= 0.0 ? wall : clock->ends.wall <= 0.0 || cpu < wall ? cpu : wall;
}

/* Seconds that the value of the position so many plies down the line takes, or with `sign` only whether it is above
 * zero; 0 when the line is too short. */
static double measure_below(const struct solving *solving, struct solve_position position, game_score guess, bool sign,
                            int plies) {
    const struct search_result *result = solving->result;
    if (result->pv_length < plies) {
        return 0.0;
    }
    for (int i = 0; i < plies; i++) {
        int square = square_of(&solving->graph, result->pv[i]);
        if (square < 0 || !(position.empty >> square & 1)) {
            return 0.0;
        }
        position = war_solver_play(solving->solver, &position, square, true);
    }
    int32_t total = solving->graph.total;
    struct bracket bracket = {position.score - 2 * total, position.score + 2 * total, -1};
    double before = seconds_spent(solving->clock);
    if (sign) {
        war_solver_test(solving->solver, &position, plies % 2 ? -1 : 0, &bracket.square);
    } else {
        solve_close_in(solving, &position, plies % 2 ? -guess : guess, &bracket, NULL);
    }
    return seconds_spent(solving->clock) - before;
}

bool war_solve_forecast(struct war_solver *solver, const struct war_position *position, struct search_clock *clock,
                        game_score guess, bool sign, const struct search_result *result) {
    struct search_result line = *result;
    struct search_control silent = {.info = NULL};
    struct solving solving = {.solver = solver, .clock = clock, .control = &silent, .result = &line};
    if (!solve_graph_from(&solving.graph, position) || !war_solver_begin(solver, &solving.graph, clock)) {
        return false;
    }
    struct solve_position root = war_solver_root(solver);
    double far = measure_below(&solving, root, guess, sign, FORECAST_FAR);
    double growth = GROWTH_USUAL;
    double usual = GROWTH_USUAL * GROWTH_USUAL * GROWTH_USUAL;
    if (clock_over(clock) || far * usual > solve_seconds_left(clock)) {
        return false;
    }
    double near = measure_below(&solving, root, guess, sign, FORECAST_NEAR);
    if (near > 0.001 && far > 0.001) {
        growth = cbrt(near / far);
        growth = growth < GROWTH_LEAST ? GROWTH_LEAST : growth > GROWTH_MOST ? GROWTH_MOST : growth;
    }
    return !clock_over(clock) && near * growth * growth * growth <= solve_seconds_left(clock);
}

/* Makes ready to ask about a position; what *result knows of its value already holds on. */
static bool solve_begin(struct solving *solving, const struct war_position *position, struct bracket *bracket) {
    struct search_result *result = solving->result;
    if (!solve_graph_from(&solving->graph, position) ||
        !war_solver_begin(solving->solver, &solving->graph, solving->clock)) {
        return false;
    }
    int32_t lower = solving->graph.settled - solving->graph.total;
    int32_t upper = solving->graph.settled + solving->graph.total;
    bool known = result->certainty == SEARCH_PROVED;
    *bracket = (struct bracket){known && result->lower > lower ? result->lower : lower,
                                known && result->upper < upper ? result->upper : upper, -1};
    result->certainty = SEARCH_PROVED;
    result->depth = position->empty;
    result->lower = bracket->lower;
    result->upper = bracket->upper;
    return true;
}

/* Two questions tell the sign: is it above zero, and if not, is it below? */
bool war_solve_sign(struct war_solver *solver, const struct war_position *position, struct search_clock *clock,
                    struct search_control *control, struct search_result *result) {
    struct solving solving = {.solver = solver, .clock = clock, .control = control, .result = result};
    struct bracket bracket;
    if (!solve_begin(&solving, position, &bracket)) {
        return false;
    }
    struct solve_position root = war_solver_root(solver);
    int square;
    int32_t value = war_solver_test(solver, &root, 0, &square);
    if (!clock_stopped(clock) && value <= 0) {
        bracket.upper = value;
        value = war_solver_test(solver, &root, -1, &square);
    }
    if (!clock_stopped(clock)) {
        bracket.lower = value >= 0 && value > bracket.lower ? value : bracket.lower;
        bracket.upper = value < 0 && value < bracket.upper ? value : bracket.upper;
        bracket.square = square;
    }
    tell_bracket(&solving, &bracket);
    int sign = bracket.lower > 0 ? 1 : bracket.upper < 0 ? -1 : 0;
    result->value = sign > 0 ? bracket.lower : sign < 0 ? bracket.upper : 0;
    solve_count_up(&solving);
    return !clock_stopped(clock);
}

bool war_solve(struct war_solver *solver, const struct war_position *position, const struct search_limits *limits,
               struct search_clock *clock, game_score guess, struct search_control *control,
               struct search_result *result) {
    struct solving solving = {.solver = solver, .clock = clock, .control = control, .result = result};
    struct bracket bracket;
    if (!solve_begin(&solving, position, &bracket)) {
        return false;
    }
    struct solve_position root = war_solver_root(solver);
    suggest_line(&solving, root);
    /* From above: a "no" looks at all moves and so finds the one that comes closest, which the "yes" further down then
     * begins with. On the golden case empty-1 691 instead of 1003 million nodes, where a "yes" 9 below the value had
     * been found with a move that does not reach it. */
    int32_t above = bits_count(root.empty) >= MANY_EMPTY ? ABOVE : 0;
    solve_close_in(&solving, &root, guess + above, &bracket, tell_bracket);
    result->lower = bracket.lower;
    result->upper = bracket.upper;
    bool proved = bracket.lower == bracket.upper;
    if (proved) {
        result->value = bracket.lower;
        solve_follow_line(&solving, root, bracket.lower, limits->goal == SEARCH_BEST ? 1 : SEARCH_MOST_PV);
    } else if (limits->goal == SEARCH_BEST && bracket.lower > 0 && bracket.square >= 0) {
        result->value = bracket.lower;
        proved = true;
    }
    solve_count_up(&solving);
    return proved;
}
