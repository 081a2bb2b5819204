/* The exact value of a war board from passes over all its positions. */
#ifndef SORTIE_GAMES_WAR_WHOLE_WHOLE_SOLVE_H
#define SORTIE_GAMES_WAR_WHOLE_WHOLE_SOLVE_H

#include "games/war/whole/whole_backend.h"

/* Bounds of a value, X's view; equal once it is known. */
struct whole_bounds {
    int32_t lower;
    int32_t upper;
};

struct whole_solution {
    struct whole_bounds value;
    struct whole_bounds moves[2][WHOLE_MOST_SQUARES]; /* of each empty square, by number: nothing flipped, raided */
    int best;                                         /* a square that keeps the value, or -1 while none is known */
    int passes;
    double seconds;    /* of all passes, by the wall */
    double positions;  /* of one pass */
    double joined;     /* positions times moves of one pass: what a pass would read, a bit each */
    char machine[160]; /* where a backend ran, in words */
    double bandwidth;  /* bytes a second its memory copies, when asked for and known; else 0 */
    double traffic;    /* bytes that reached this process from others */
    uint64_t bytes;    /* of memory */
};

struct whole_request {
    const struct whole_layout *layout;
    const struct whole_backend *backend; /* NULL: this machine's processor */
    const struct whole_kernel *kernel;   /* of the processor */
    int threads;
    bool all;     /* also the exact value of every move */
    bool measure; /* how fast memory is */
    /* Where the value is looked for first, X's view, found within about so many seconds; only the number of passes
     * depends on it. NULL: at 0. */
    int32_t (*guess)(void *user, double seconds);
    const atomic_bool *stop;
    void (*progress)(void *user, const struct whole_solution *so_far, double share); /* often: of the pass under way */
    void *user;
};

/* STATUS_FAIL when memory or the backend fails. When stopped the bounds hold all the same. */
enum status whole_solve(const struct whole_request *request, struct whole_solution *solution, struct error *error);

#endif
