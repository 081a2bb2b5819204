#include "search/clock.h"

#include "base/assert.h"
#include "base/stopwatch.h"

static double clock_least(double a, double b) {
    return a < b ? a : b;
}

/* Divides the seconds left for the rest of the game: no new iteration after 60 % of an even share, an end at 180 % of
 * it, and never more than half of what is left. Kept back: what answering costs a move even without thinking (a
 * process is started and files are written for each), but no more than a third of the clock, and a little for the
 * clock's own coarseness. */
static void clock_divide(double left, double moves, double *soft, double *hard) {
    double spare = 0.98 * left - 0.003 - clock_least(0.0015 * moves, 0.3 * left);
    if (spare <= 0.0) {
        *soft = *hard = 1e-9;
        return;
    }
    double even = spare / moves;
    *soft = 0.6 * even;
    *hard = clock_least(1.8 * even, 0.5 * spare);
}

/* The deadlines by one kind of clock, from the seconds for this move and those for the rest of the game, of which some
 * are spent. */
static void set_deadlines(double start, double spent, double limit, double left, double moves, double *soft,
                          double *hard) {
    *soft = 0.0;
    *hard = limit > 0.0 ? start + limit : 0.0;
    if (left > 0.0) {
        double share_soft;
        double share_hard;
        clock_divide(left - spent, moves, &share_soft, &share_hard);
        *soft = start + spent + share_soft;
        *hard = limit > 0.0 ? clock_least(*hard, start + spent + share_hard) : start + spent + share_hard;
    }
}

void clock_replan(struct search_clock *clock, const struct search_limits *limits, double moves) {
    ASSERT(moves > 0);
    struct clock_deadlines ends = {.nodes = limits->nodes};
    moves = moves < 1.0 ? 1.0 : moves;
    set_deadlines(clock->wall_start, clock_wall_spent(clock), limits->wall_seconds, limits->wall_seconds_left, moves,
                  &ends.wall_soft, &ends.wall);
    set_deadlines(clock->cpu_start, clock_cpu_spent(clock), limits->cpu_seconds, limits->cpu_seconds_left, moves,
                  &ends.cpu_soft, &ends.cpu);
    clock_phase(clock, ends);
}

void clock_start(struct search_clock *clock, const struct search_limits *limits, const atomic_bool *asked,
                 double moves) {
    ASSERT(moves > 0);
    ASSERT(limits->nodes == 0 || limits->depth >= 0);
    atomic_store_explicit(&clock->nodes, 0, memory_order_relaxed);
    clock->asked = asked;
    clock->also = NULL;
    clock->speaker = NULL;
    clock->wall_start = clock_wall();
    clock->cpu_start = clock_cpu();
    clock_replan(clock, limits, moves);
}

bool clock_is_limited(const struct search_clock *clock) {
    return clock->ends.nodes || clock->ends.wall > 0.0 || clock->ends.cpu > 0.0;
}

void clock_phase(struct search_clock *clock, struct clock_deadlines ends) {
    clock->ends = ends;
    atomic_store_explicit(&clock->stop, false, memory_order_relaxed);
}

struct clock_deadlines clock_part(const struct search_clock *clock, struct clock_deadlines ends, double part) {
    ASSERT(part >= 0 && part <= 1);
    return (struct clock_deadlines){
        .wall = ends.wall > 0.0 ? clock->wall_start + part * (ends.wall - clock->wall_start) : 0.0,
        .cpu = ends.cpu > 0.0 ? clock->cpu_start + part * (ends.cpu - clock->cpu_start) : 0.0,
        .nodes = ends.nodes ? 1 + (uint64_t)(part * (double)ends.nodes) : 0,
    };
}

static bool is_set(const atomic_bool *flag) {
    return flag && atomic_load_explicit(flag, memory_order_relaxed);
}

/* Seconds between two words. */
#define CLOCK_WORDS 0.4

static _Thread_local char self; /* its address tells threads apart */

void clock_speak(struct search_clock *clock, struct search_control *control, const struct search_result *result) {
    ASSERT(result);
    clock->speaker = control->info ? &self : NULL;
    clock->control = control;
    clock->result = result;
    clock->next_word = clock_wall() + CLOCK_WORDS;
}

static void speak(struct search_clock *clock) {
    if (clock->speaker != &self || clock->result->move == GAME_NO_MOVE || clock_wall() < clock->next_word) {
        return;
    }
    struct search_result now = *clock->result;
    uint64_t nodes = atomic_load_explicit(&clock->nodes, memory_order_relaxed);
    now.nodes = nodes > now.nodes ? nodes : now.nodes;
    if (now.pv_length == 0 || now.pv[0] != now.move) { /* the line is being found out */
        now.pv[0] = now.move;
        now.pv_length = 1;
    }
    clock_fill(clock, &now);
    clock->next_word = clock_wall() + CLOCK_WORDS;
    clock->control->info(clock->control->user, &now);
}

bool clock_over(struct search_clock *clock) {
    const struct clock_deadlines *ends = &clock->ends;
    bool over = clock_stopped(clock) || is_set(clock->asked) || is_set(clock->also) ||
                (ends->nodes && atomic_load_explicit(&clock->nodes, memory_order_relaxed) >= ends->nodes) ||
                (ends->cpu > 0.0 && clock_cpu() >= ends->cpu) || (ends->wall > 0.0 && clock_wall() >= ends->wall);
    if (over) {
        clock_end(clock);
    } else {
        speak(clock);
    }
    return over;
}

bool clock_allows_more(struct search_clock *clock) {
    const struct clock_deadlines *ends = &clock->ends;
    return !clock_over(clock) && !(ends->cpu_soft > 0.0 && clock_cpu() >= ends->cpu_soft) &&
           !(ends->wall_soft > 0.0 && clock_wall() >= ends->wall_soft);
}

/* At first the looks are closer: the first nodes of a search touch pages of memory for the first time, each of which
 * the system has to clear. Searches look at every new huge page of their tables besides (system/pages.h). */
void clock_look(struct search_clock *clock, struct clock_meter *meter, uint64_t nodes) {
    ASSERT(nodes >= meter->told);
    ASSERT(meter->step > 0);
    meter->from = meter->next ? meter->from : nodes;
    if (nodes >= meter->due) {
        meter->due = nodes + meter->coarse;
        clock_tell(clock, meter, nodes);
    }
    if (clock_over(clock)) {
        meter->next = meter->due = nodes; /* so that a meter used on in the next phase looks at once */
        return;
    }
    uint64_t step = 1 + (nodes - meter->from) / 32;
    step = step < meter->step ? step : meter->step;
    if (meter->coarse) {
        step = step < meter->due - nodes ? step : meter->due - nodes;
    } else if (clock->ends.nodes) {
        uint64_t total = atomic_load_explicit(&clock->nodes, memory_order_relaxed);
        uint64_t left = clock->ends.nodes > total ? clock->ends.nodes - total : 0;
        step = step < left ? step : left;
    }
    meter->next = nodes + step;
}

double clock_wall_spent(const struct search_clock *clock) {
    return clock_wall() - clock->wall_start;
}

double clock_cpu_spent(const struct search_clock *clock) {
    return clock_cpu() - clock->cpu_start;
}

double clock_span(const struct search_clock *clock) {
    double span = 1e9;
    if (clock->ends.wall > 0.0) {
        span = clock_least(span, clock->ends.wall - clock->wall_start);
    }
    if (clock->ends.cpu > 0.0) {
        span = clock_least(span, clock->ends.cpu - clock->cpu_start);
    }
    return span;
}

void clock_fill(const struct search_clock *clock, struct search_result *result) {
    result->wall_seconds = clock_wall_spent(clock);
    result->cpu_seconds = clock_cpu_spent(clock);
}
