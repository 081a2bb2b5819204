/* What the parts of the war board's engine share: the competition search for every board, and when to leave it for the
 * exact solver, which takes over for the end of the game (solve.h). */
#ifndef SORTIE_GAMES_WAR_SEARCH_SEARCHER_H
#define SORTIE_GAMES_WAR_SEARCH_SEARCHER_H

#include "games/war/rules/board.h"
#include "search/clock.h"
#include "search/table.h"
#include "search/team.h"

/* Whether the seconds are those of a whole game, in which only winning counts. */
bool war_plan_is_game(const struct search_limits *limits);

/* Takes off the clock of the game what answering costs apart from thinking, for this move and all to come. */
void war_plan_keep_back(struct search_limits *limits, int empties);

/* How many moves a side thinks about before the end is solved, weighted so that what solving takes is kept back. */
double war_plan_moves(const struct search_limits *limits, int squares, int empties);

/* Whether the exact solver may get through this position within the limits; then *ends are deadlines for it, beyond
 * which the competition search has its share still. */
bool war_plan_solving(const struct search_clock *clock, const struct search_limits *limits, int empties,
                      struct clock_deadlines *ends);

/* The competition search: one of these a thread, kept for the life of a searcher. */
#define WAR_MOST_DEPTH 127
#define WAR_LOOK_STEP 256 /* nodes between two looks at the clock */

struct war_solver; /* solve/solve.h */

struct war_root_move {
    uint16_t cell;
    int32_t value;
};

struct war_worker {
    struct war_board board;
    struct search_clock *clock;
    const struct table *table;
    struct clock_meter meter;
    bool plain;     /* the plain score as evaluation */
    bool full;      /* every move is searched to the full depth: values of whole games are exact */
    uint64_t nodes; /* of this search */
    uint64_t leaves;
    uint64_t cutoffs;
    int size;
    int root_count;
    struct war_root_move root[WAR_MOST_SQUARES];
    int line_length; /* the line of root[0], that move included */
    uint16_t line[WAR_MOST_DEPTH + 1];
    int pv_length[WAR_MOST_DEPTH + 2];
    uint16_t pv[WAR_MOST_DEPTH + 2][WAR_MOST_DEPTH + 2];
    int32_t order[WAR_MOST_DEPTH + 2][WAR_MOST_SQUARES]; /* the keys of the moves being sorted, by ply */
    uint16_t moves[WAR_MOST_DEPTH + 2][WAR_MOST_SQUARES];
};

/* Called after every finished depth by the answering thread. */
typedef void war_report(void *user, struct war_worker *worker, int depth);

/* Iterative deepening from worker->board until the depth is reached or the clock ends it. Afterwards root[0] is
 * the best move with its value, and `line` begins with it; returns the depth finished. */
int war_search(struct war_worker *worker, int most_depth, war_report *report, void *user);

/* -- a lost game, in trap.c -- */

/* Looks for the move after which the replies that searches of several depths would choose give the win away, by as many
 * of them as possible, until the clock stops. The worker has just searched the position. False when there is none, and
 * then *result is as it was. */
bool war_trap(struct war_solver *solver, struct war_worker *worker, const struct war_position *position,
              struct search_result *result);

#endif
