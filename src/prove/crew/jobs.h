/* A question too large for one process: proof-number search over a small tree whose leaves are searched by others, each
 * for a moment (a job). A leaf that comes back open gets its numbers, and is split into its moves when its turn comes
 * again. Leaves that are under way are passed over, so that all helpers have something to do. */
#ifndef SORTIE_PROVE_CREW_JOBS_H
#define SORTIE_PROVE_CREW_JOBS_H

#include "prove/search/prover.h"

#define JOB_NONE (-1)
#define JOB_ENOUGH UINT8_MAX /* jobs are not asked about so often */

struct job_node {
    struct pn_value value; /* from the view of the side to move there */
    int32_t parent;
    int32_t first;   /* of its children */
    uint16_t count;  /* of them; 0: a leaf */
    uint16_t square; /* the move that leads here */
    uint16_t advice; /* the engine's move, where it was asked; NO_SQUARE: none */
    uint8_t tried;   /* how often it has been a job; JOB_ENOUGH: it need not become one */
    bool busy;       /* is a job */
};

struct jobs {
    struct gomoku_position start;
    struct prover prover;   /* walks through the tree, and says which moves a position has */
    struct job_node *nodes; /* owned; the first is the root */
    int32_t count;
    int32_t room;
    int patience; /* how often a position with the hero to move is a job before it is split; others are once */
    bool guided;  /* the store's and the engine's moves come first where a position is split */
    bool broken;  /* there is no memory for more */
};

/* False when there is no memory. The game must not be over. With `split` the root itself is no job but its moves. */
bool jobs_make(struct jobs *jobs, const struct gomoku_position *position, const struct prove_settings *settings,
               struct proved *proved, bool split);
void jobs_free(struct jobs *jobs);

/* How the claim stands. */
enum prove_outcome jobs_outcome(const struct jobs *jobs);

/* The next leaf that somebody should search, and its position; JOB_NONE when there is none now. */
int32_t jobs_next(struct jobs *jobs, struct gomoku_position *position);

/* What came of it: the numbers for the hero, 0 proved. Whether there is such a job under way. */
bool jobs_take(struct jobs *jobs, int32_t node, struct pn_value numbers);

/* How many replies there are at the top, and how many of them are answered: where the hero is to move, those to the
 * move that most are answered of. */
void jobs_count(const struct jobs *jobs, int *answered, int *replies);

#endif
