/* The exact solver: the game-theoretic margin of a war board with few enough empty squares.
 *
 * It works on the squares that still matter: the empty ones and the pieces beside them. Everything else can never
 * change hands and is a fixed part of the score. docs/theory.md proves what is used here. */
#ifndef SORTIE_GAMES_WAR_SOLVE_SOLVE_H
#define SORTIE_GAMES_WAR_SOLVE_SOLVE_H

#include "games/war/rules/board.h"
#include "search/clock.h"
#include "search/team.h"

#define SOLVE_MOST_SQUARES 64

/* What is left of a board: squares numbered from 0, the empty ones first, the most valuable first. */
struct solve_graph {
    int squares; /* empty ones and pieces beside them */
    int empties;
    int32_t settled; /* the score of all other pieces, from the view of the side to move */
    int32_t total;   /* of all values here */
    uint64_t board;  /* equal only for boards of the same size and values */
    uint64_t own;    /* of the side to move */
    uint64_t other;
    uint64_t empty;
    int32_t value[SOLVE_MOST_SQUARES];
    uint64_t beside[SOLVE_MOST_SQUARES];
    uint16_t board_square[SOLVE_MOST_SQUARES]; /* of the war board */
};

/* False when more than SOLVE_MOST_SQUARES squares still matter. */
bool solve_graph_from(struct solve_graph *graph, const struct war_position *position);

/* The number here of a square of the war board, or -1. */
int solve_graph_find(const struct solve_graph *graph, int board_square);

struct war_solver;

/* The team stays the caller's. */
struct war_solver *war_solver_new(size_t table_bytes, struct team *team);
void war_solver_free(struct war_solver *solver);

/* Makes the solver ready for a graph; afterwards questions about it share one table. A graph that is what became of the
 * last one (a later position of the same game, or another move tried) keeps that one's numbers and table: *graph is
 * rewritten to them. `clock` ends the questions. */
bool war_solver_begin(struct war_solver *solver, struct solve_graph *graph, struct search_clock *clock);
/* Forgets the last graph. */
void war_solver_forget(struct war_solver *solver);

/* A position of the graph: own and other from the view of the side to move. */
struct solve_position {
    uint64_t own;
    uint64_t other;
    uint64_t empty;
    int32_t score; /* settled squares included */
};

struct solve_position war_solver_root(const struct war_solver *solver);
/* The position after taking a square, by a Raid where there is one, or by a Stake that flips nothing. */
struct solve_position war_solver_play(const struct war_solver *solver, const struct solve_position *position,
                                      int square, bool raid);

/* Has questions about this position try the square first. */
void war_solver_suggest(struct war_solver *solver, const struct solve_position *position, int square);

/* Is the value of the position more than `alpha`? Returns a bound on the side that was proved: a value above alpha is
 * a lower bound, any other an upper bound; meaningless once the clock has stopped. *square becomes a move that proves
 * a lower bound, or -1 where none was needed. */
int32_t war_solver_test(struct war_solver *solver, const struct solve_position *position, int32_t alpha, int *square);

uint64_t war_solver_nodes(const struct war_solver *solver);

/* -- the whole question, in solve_root.c -- */

/* Whether war_solve of this position, or with `sign` war_solve_sign, probably ends within the clock's deadlines: by
 * what it takes to solve two positions further down the line that *result brings along. What that finds is not lost. */
bool war_solve_forecast(struct war_solver *solver, const struct war_position *position, struct search_clock *clock,
                        game_score guess, bool sign, const struct search_result *result);

/* Whether the position is won, drawn or lost: bounds, value and a move that keeps them. False when the clock ended it
 * before; the bounds hold all the same. */
bool war_solve_sign(struct war_solver *solver, const struct war_position *position, struct search_clock *clock,
                    struct search_control *control, struct search_result *result);

/* Solves a position of a game of margins: fills value, bounds, move and line of *result, reports progress through
 * control->info. `guess` is where the value is looked for first; a line that *result brings along is tried first. False
 * when it had to stop before the value was proved (the bounds of *result hold all the same), or when the position is
 * too large. With SEARCH_BEST a move that is proved to win is enough when the time is over. */
bool war_solve(struct war_solver *solver, const struct war_position *position, const struct search_limits *limits,
               struct search_clock *clock, game_score guess, struct search_control *control,
               struct search_result *result);

#endif
