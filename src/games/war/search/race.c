/* How the time of a game is planned: how many moves there are to think about, and when to solve. */
#include "base/assert.h"
#include "games/war/search/searcher.h"

/* Above this many empty squares nobody waits for a proof. */
#define MOST_EMPTIES 25

static double plan_least(double a, double b) {
    return a < b ? a : b;
}

/* Seconds that solving takes, as measured on 5x5 boards out of games: 0.04 with 16 empty squares, 0.22 with 18, 0.55
 * with 19, 1.4 with 20 (0.7 to 3.2), above that 3.3 times as long a square. Larger boards with as many empty squares
 * take a third of it. Whether it is won is known in a sixth of it. What a position really takes is found out by
 * war_solve_forecast. */
static double usual_seconds(int empties, bool to_win) {
    double seconds = to_win ? 1.4 / 6.0 : 1.4;
    for (int i = empties; i < 20; i++) {
        seconds /= 2.4;
    }
    for (int i = 20; i < empties; i++) {
        seconds *= 3.3;
    }
    return seconds;
}

/* The clock of the whole game that is shorter, or 0. */
static double game_seconds(const struct search_limits *limits) {
    double wall = limits->wall_seconds_left;
    double cpu = limits->cpu_seconds_left;
    return wall > 0.0 && cpu > 0.0 ? plan_least(wall, cpu) : wall > 0.0 ? wall : cpu;
}

bool war_plan_is_game(const struct search_limits *limits) {
    return limits->cpu_seconds_left > 0.0 || limits->wall_seconds_left > 0.0;
}

/* Where nothing is left to think with, the answer comes at once. */
void war_plan_keep_back(struct search_limits *limits, int empties) {
    ASSERT(empties >= 0);
    const double at_once = 1e-6;
    if (limits->cpu_seconds_left > 0.0) {
        int answers = (empties + 1) / 2;
        double rest = limits->cpu_seconds_left - limits->cpu_seconds_apart * answers;
        limits->cpu_seconds_left = rest > at_once ? rest : at_once;
    }
}

/* The share of the clock that is kept for solving. A small board is decided by who sees the end first, a larger one
 * long before: with as much kept there as on 5x5 one of six games on 8x8 was won against an engine that keeps less. */
static double most_kept(int squares) {
    return squares <= 25 ? 0.8 : 0.25;
}

/* The turn at which solving takes up to half of what may be kept for it comes after `moves` more; twice that is kept.
 */
double war_plan_moves(const struct search_limits *limits, int squares, int empties) {
    ASSERT(empties >= 1 && empties <= squares);
    double left = game_seconds(limits);
    double most = most_kept(squares);
    int moves = 1;
    int then = empties - 2;
    while (then > 0 && (then > MOST_EMPTIES || usual_seconds(then, true) > 0.5 * most * left)) {
        moves++;
        then -= 2;
    }
    double kept = left > 0.0 ? plan_least(most, 2.0 * usual_seconds(then, true) / left) : 0.0;
    return moves / (1.0 - kept);
}

/* Nodes the solver needs, from above: measured 9 thousand at 13 empty squares and 2.6 times as many a square. */
static uint64_t solving_nodes(int empties) {
    uint64_t nodes = 20000;
    for (int i = 13; i < empties; i++) {
        nodes = nodes * 13 / 5;
    }
    for (int i = empties; i < 13; i++) {
        nodes = nodes * 5 / 13;
    }
    return nodes + 100;
}

/* What solving may take by one kind of clock: a part of the move's limit, or half of what is left for the game, since a
 * solved game needs hardly any more, and should it fail, two squares fewer take a seventh. */
static double solving_limit(double limit, double left) {
    return limit > 0.0 && left > 0.0 ? plan_least(0.6 * limit, 0.5 * left) : limit > 0.0 ? 0.6 * limit : 0.5 * left;
}

bool war_plan_solving(const struct search_clock *clock, const struct search_limits *limits, int empties,
                      struct clock_deadlines *ends) {
    bool cpu = limits->cpu_seconds > 0.0 || limits->cpu_seconds_left > 0.0;
    bool wall = limits->wall_seconds > 0.0 || limits->wall_seconds_left > 0.0;
    *ends = (struct clock_deadlines){.nodes = limits->nodes / 2};
    if (empties > MOST_EMPTIES || (limits->nodes && solving_nodes(empties) > limits->nodes / 2)) {
        return false;
    }
    /* Some positions are solved in a third of the usual time, and whether this is one will show. */
    double need = usual_seconds(empties, war_plan_is_game(limits)) / 3.0;
    if (cpu) {
        double limit = solving_limit(limits->cpu_seconds, limits->cpu_seconds_left - 0.003);
        ends->cpu = clock->cpu_start + limit;
        if (limit < need) {
            return false;
        }
    }
    if (wall) {
        double limit = solving_limit(limits->wall_seconds, limits->wall_seconds_left - 0.003);
        ends->wall = clock->wall_start + limit;
        if (limit < need) {
            return false;
        }
    }
    return cpu || wall || limits->nodes || (limits->depth >= empties && empties <= 16);
}
