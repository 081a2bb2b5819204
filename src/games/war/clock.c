/* How long to think: the limits of one move, and a share of the clock of a whole game. */
#include "base/clock.h"

#include "games/war/engine.h"

static double least(double a, double b) {
    return a < b ? a : b;
}

/* The share of the seconds left for the rest of the game that one move may take. The last moves are solved in
 * no time, so the seconds are divided among the moves before them; a move may run over its share a little, and
 * never beyond half of what is left. Kept back: what answering costs a move even without thinking (a process is
 * started and files are written for each), but no more than a third of the clock, and a little for the clock's
 * own coarseness. */
static void share(double left, int empties, double *soft, double *hard) {
    int moves = (empties + 1) / 2;
    int counted = moves > 8 ? moves - 4 : moves;
    double spare = 0.98 * left - 0.003 - least(0.0015 * moves, 0.3 * left);
    if (spare <= 0.0) {
        *soft = *hard = 1e-9;
        return;
    }
    double even = spare / (double)counted;
    *soft = 0.6 * even;
    *hard = least(1.8 * even, 0.5 * spare);
}

static double combine(double limit, double share_hard) {
    return limit > 0.0 && share_hard > 0.0 ? least(limit, share_hard) : limit > 0.0 ? limit : share_hard;
}

void war_clock_start(struct war_clock *clock, const struct search_limits *limits, const struct search_control *control,
                     int empties, int threads) {
    atomic_store(&clock->stop, false);
    clock->asked = &control->stop;
    clock->wall_start = clock_wall();
    clock->cpu_start = clock_cpu();
    clock->nodes = limits->nodes ? (limits->nodes + (uint64_t)threads - 1) / (uint64_t)threads : 0;
    double wall_soft = 0.0;
    double wall_hard = 0.0;
    double cpu_soft = 0.0;
    double cpu_hard = 0.0;
    if (limits->wall_seconds_left > 0.0) {
        share(limits->wall_seconds_left, empties, &wall_soft, &wall_hard);
    }
    if (limits->cpu_seconds_left > 0.0) {
        share(limits->cpu_seconds_left, empties, &cpu_soft, &cpu_hard);
    }
    clock->wall_soft = wall_soft;
    clock->cpu_soft = cpu_soft;
    clock->wall_hard = combine(limits->wall_seconds, wall_hard);
    clock->cpu_hard = combine(limits->cpu_seconds, cpu_hard);
}

bool war_clock_poll(struct war_clock *clock) {
    if (war_clock_stopped(clock)) {
        return true;
    }
    bool over = atomic_load_explicit(clock->asked, memory_order_relaxed) ||
                (clock->cpu_hard > 0.0 && clock_cpu() - clock->cpu_start >= clock->cpu_hard) ||
                (clock->wall_hard > 0.0 && clock_wall() - clock->wall_start >= clock->wall_hard);
    if (over) {
        atomic_store_explicit(&clock->stop, true, memory_order_relaxed);
    }
    return over;
}

bool war_clock_allows_more(struct war_clock *clock) {
    if (war_clock_poll(clock)) {
        return false;
    }
    return !(clock->cpu_soft > 0.0 && clock_cpu() - clock->cpu_start >= clock->cpu_soft) &&
           !(clock->wall_soft > 0.0 && clock_wall() - clock->wall_start >= clock->wall_soft);
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

bool war_clock_lets_solve(const struct war_clock *clock, const struct search_limits *limits, int empties,
                          struct war_clock *solving) {
    const int most_empties = 24;
    if (empties > most_empties) {
        return false;
    }
    uint64_t nodes = solving_nodes(empties);
    double need = 0.4e-6 * (double)nodes;
    bool cpu = limits->cpu_seconds > 0.0 || limits->cpu_seconds_left > 0.0;
    bool wall = limits->wall_seconds > 0.0 || limits->wall_seconds_left > 0.0;
    *solving =
        (struct war_clock){.asked = clock->asked, .wall_start = clock->wall_start, .cpu_start = clock->cpu_start};
    if (limits->nodes && nodes > limits->nodes / 2) {
        return false;
    }
    solving->nodes = clock->nodes / 2;
    if (cpu) {
        solving->cpu_hard = solving_limit(limits->cpu_seconds, limits->cpu_seconds_left - 0.003, need);
    }
    if (wall) {
        solving->wall_hard = solving_limit(limits->wall_seconds, limits->wall_seconds_left - 0.003, need);
    }
    if ((cpu && solving->cpu_hard <= 0.0) || (wall && solving->wall_hard <= 0.0)) {
        return false;
    }
    return cpu || wall || limits->nodes || (limits->depth >= empties && empties <= 16);
}
