/* How the time of a game is planned: how many moves there are to think about, and when to solve. */
#include "games/war/engine.h"

static double least(double a, double b) {
    return a < b ? a : b;
}

double war_plan_moves(int empties) {
    int moves = (empties + 1) / 2;
    return moves > 8 ? moves - 4 : moves;
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

/* A limit for solving, given what one kind of clock has left for this purpose; 0 when it is not enough. */
static double solving_limit(double limit, double left, double need) {
    double most = limit > 0.0 && left > 0.0 ? least(0.6 * limit, 0.35 * left) : limit > 0.0 ? 0.6 * limit : 0.35 * left;
    return most >= need ? most : 0.0;
}

bool war_plan_solving(const struct search_clock *clock, const struct search_limits *limits, int empties,
                      struct clock_deadlines *ends) {
    const int most_empties = 24;
    if (empties > most_empties) {
        return false;
    }
    uint64_t nodes = solving_nodes(empties);
    double need = 0.4e-6 * (double)nodes;
    bool cpu = limits->cpu_seconds > 0.0 || limits->cpu_seconds_left > 0.0;
    bool wall = limits->wall_seconds > 0.0 || limits->wall_seconds_left > 0.0;
    *ends = (struct clock_deadlines){0};
    if (limits->nodes && nodes > limits->nodes / 2) {
        return false;
    }
    ends->nodes = limits->nodes / 2;
    if (cpu) {
        double limit = solving_limit(limits->cpu_seconds, limits->cpu_seconds_left - 0.003, need);
        ends->cpu = limit > 0.0 ? clock->cpu_start + limit : 0.0;
    }
    if (wall) {
        double limit = solving_limit(limits->wall_seconds, limits->wall_seconds_left - 0.003, need);
        ends->wall = limit > 0.0 ? clock->wall_start + limit : 0.0;
    }
    if ((cpu && ends->cpu <= 0.0) || (wall && ends->wall <= 0.0)) {
        return false;
    }
    return cpu || wall || limits->nodes || (limits->depth >= empties && empties <= 16);
}
