/* When a search ends: the only place of a search that looks at time, CPU time, nodes and the caller's stop.
 *
 * One clock a search, shared by its threads. A search may have several phases (a threat search, a proof, a look
 * ahead) one after the other; each has deadlines of its own, all of them moments and not spans, so that what one
 * phase leaves over the next one has. Whoever finds a phase over sets `stop`, and everybody returns.
 *
 * A search that was told whom to speak to (clock_speak) also says by it every so often how far it is, so that no phase
 * is silent.
 *
 * Threads ask by clock_tick at every node: that costs a comparison, and a look at the system's clocks every so many
 * nodes. */
#ifndef SORTIE_SEARCH_CLOCK_H
#define SORTIE_SEARCH_CLOCK_H

#include "base/assert.h"
#include "search/limits.h"

/* Zero: no such deadline. */
struct clock_deadlines {
    double wall; /* of the system's clock */
    double cpu;
    double wall_soft; /* no new iteration is begun after these */
    double cpu_soft;
    uint64_t nodes; /* of all threads, since the beginning of the search */
};

#define CLOCK_APART 64 /* bytes: a cache line */

struct search_clock {
    atomic_bool stop;
    const atomic_bool *asked; /* the caller's flag, or NULL */
    const atomic_bool *also;  /* another one, or NULL; to be set after the start */
    double wall_start;
    double cpu_start;
    struct clock_deadlines ends; /* of the phase under way */
    /* Whom to tell how far the search is; all NULL: nobody. */
    const void *speaker; /* the thread that speaks */
    struct search_control *control;
    const struct search_result *result; /* what is known so far */
    double next_word;                   /* the moment */
    /* All threads write to what follows and read what stands above, at every node: so they lie in cache lines apart. */
    char before[CLOCK_APART];
    _Atomic uint64_t nodes; /* told so far */
    char behind[CLOCK_APART];
};

/* One thread's part in looking at the clock. */
struct clock_meter {
    uint64_t next; /* the count of nodes at which to look again; 0 before the first look */
    uint64_t from; /* the count at the first look */
    uint64_t told; /* of this thread's nodes, how many the clock knows */
    uint64_t due;  /* the count at which a coarse meter tells it again */
    unsigned step; /* at most so many nodes between two looks; fewer at first */
    /* 0: one thread stops at exactly the limit of nodes. Otherwise that is looked at only so often, for a search that
     * counts many nodes at once. */
    unsigned coarse;
};

/* Begins a search whose side has about `moves` moves to think about before the game is over or as good as over,
 * this one included: what is left for the whole game is divided among them. */
void clock_start(struct search_clock *clock, const struct search_limits *limits, const atomic_bool *asked,
                 double moves);

/* From here on the thread that calls this tells control->info, where there is one, of *result a few times a second,
 * whenever it looks at the clock: with the nodes and times of that moment, and not before there is a move in it. */
void clock_speak(struct search_clock *clock, struct search_control *control, const struct search_result *result);

/* Fixes the deadlines again and begins a phase, once some of the time is spent: what is left now of the whole game is
 * divided; a limit of the move itself stays where it was. */
void clock_replan(struct search_clock *clock, const struct search_limits *limits, double moves);

/* Whether anything but the caller ends this search. */
bool clock_is_limited(const struct search_clock *clock);

/* Begins a phase. Only while no other thread is at work. */
void clock_phase(struct search_clock *clock, struct clock_deadlines ends);

/* These deadlines brought forward to a part of the span since the beginning of the search; no soft ones. */
struct clock_deadlines clock_part(const struct search_clock *clock, struct clock_deadlines ends, double part);

/* Looks at everything but the nodes of threads at work; sets `stop` when the phase is over, and says so. */
bool clock_over(struct search_clock *clock);

/* Whether an iteration that probably takes several times as long as all before it may be begun. */
bool clock_allows_more(struct search_clock *clock);

/* Ends the phase for all threads. */
static inline void clock_end(struct search_clock *clock) {
    atomic_store_explicit(&clock->stop, true, memory_order_relaxed);
}

static inline bool clock_stopped(const struct search_clock *clock) {
    return atomic_load_explicit(&clock->stop, memory_order_relaxed);
}

/* The slow part of clock_tick. */
void clock_look(struct search_clock *clock, struct clock_meter *meter, uint64_t nodes);

/* To be asked with the thread's count of nodes at every node; true: return at once. */
static inline bool clock_tick(struct search_clock *clock, struct clock_meter *meter, uint64_t nodes) {
    if (__builtin_expect(nodes >= meter->next, 0)) {
        clock_look(clock, meter, nodes);
    }
    return clock_stopped(clock);
}

/* Tells the clock of a thread's nodes; at the end of a phase. */
static inline void clock_tell(struct search_clock *clock, struct clock_meter *meter, uint64_t nodes) {
    ASSERT(nodes >= meter->told);
    atomic_fetch_add_explicit(&clock->nodes, nodes - meter->told, memory_order_relaxed);
    meter->told = nodes;
}

/* Seconds since the beginning of the search. */
double clock_wall_spent(const struct search_clock *clock);
double clock_cpu_spent(const struct search_clock *clock);

/* Seconds from the beginning of the search to the first of the hard deadlines, or 1e9. */
double clock_span(const struct search_clock *clock);

/* Fills the times of a result. */
void clock_fill(const struct search_clock *clock, struct search_result *result);

#endif
