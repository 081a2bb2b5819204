/* The search of Laser Checkmate, compiled once for each width of the board's sets (kernel.inc), and what the
 * threads of a search share. The values here are future ones: what the side to move will still cover afresh
 * minus what the other side will. */
#ifndef SORTIE_GAMES_LASER_KERNEL_KERNEL_H
#define SORTIE_GAMES_LASER_KERNEL_KERNEL_H

#include "games/laser/kernel/laser_table.h"
#include "games/laser/rules/laser.h"
#include "search/clock.h"

/* Heuristic values are counted in these parts of a square. */
#define LASER_UNIT 16

/* What depends on the blocks alone. Sets have as many words as the kernel's width. */
struct laser_beams {
    int size;
    int squares;
    int words;
    uint64_t seed;                         /* of the blocks and the size, for the keys */
    uint64_t open[LASER_WORDS];            /* squares of the board without a block */
    uint64_t not_left[LASER_WORDS];        /* open squares not in the first column */
    uint64_t not_right[LASER_WORDS];       /* nor in the last one */
    int images;                            /* ways to turn or mirror the board onto itself, besides none */
    uint16_t image[7][LASER_MOST_SQUARES]; /* where each of them takes a square */
    _Alignas(64) uint64_t beams[LASER_MOST_SQUARES * LASER_WORDS]; /* `words` of them a square */
};

#define LASER_BUSY 1024

struct laser_worker;

/* Shared by the threads of one search. */
struct laser_shared {
    const struct laser_beams *beams;
    struct table *table;
    atomic_bool abort;                 /* everybody returns at once, with no value */
    int threads;                       /* at work; with one, `busy` is not looked at */
    _Atomic uint64_t busy[LASER_BUSY]; /* positions some thread is searching right now */
    bool (*look)(struct laser_shared *shared, struct laser_worker *worker); /* at the clock; true: stop now */
    bool (*is_over)(struct laser_shared *shared);                           /* likewise, leaving the nodes aside */
};

/* One thread. */
struct laser_worker {
    struct laser_shared *shared;
    int thread;
    bool aborted;
    uint64_t nodes;
    struct clock_meter meter;
    uint64_t next_pause; /* the count of nodes at which an endgame looks at the clock */
    int square;          /* the best move at the root so far, or LASER_NO_SQUARE */
};

/* A position from the view of the side to move. */
struct laser_root {
    uint64_t mine[LASER_WORDS]; /* covered */
    uint64_t theirs[LASER_WORDS];
};

struct laser_kernel {
    int words;
    /* Compares the value of the rest of the game with beta: a lower bound when the result reaches beta, else an
     * upper bound. The worker's square is a move that reaches beta, or the most promising one. At least one
     * square is free. Meaningless when the worker was aborted. */
    int (*prove)(struct laser_worker *worker, const struct laser_root *root, int beta);
    /* The heuristic value to a depth, in units of LASER_UNIT. Of the root's moves only the `width` most promising
     * are looked at. */
    int (*guess)(struct laser_worker *worker, const struct laser_root *root, int depth, int width);
};

/* The narrowest kernel for a board. */
const struct laser_kernel *laser_kernel_for(int words);

void laser_beams_init(struct laser_beams *beams, const struct laser_position *position, int words);

extern const struct laser_kernel laser_kernel_1;
extern const struct laser_kernel laser_kernel_2;
extern const struct laser_kernel laser_kernel_3;
extern const struct laser_kernel laser_kernel_4;
extern const struct laser_kernel laser_kernel_7;
extern const struct laser_kernel laser_kernel_16;

#endif
