/* Who stands where: everything a table, a page or a progress line says about a set of results. */
#ifndef SORTIE_RESULTS_STANDINGS_H
#define SORTIE_RESULTS_STANDINGS_H

#include "results/record.h"

struct standing {
    int won, drawn, lost;
    int faults[PLAYER_FAULTS]; /* games lost by a fault of one's own; [PLAYER_NO_FAULT]: lost by the rules */
    int seconds;               /* games as the second side, and in how many of them it took the first stone over */
    int swaps;
    int64_t moves;
    double wall_seconds;
    double cpu_seconds;
    double slowest;
    struct rating_player rating;
};

struct standings {
    int players;
    int64_t games;
    struct standing *table;          /* owned; by player */
    struct rating_meeting *meetings; /* owned; [i * players + j] for i < j, from i's view */
    double *points;                  /* owned; [i * players + j]: what i took from j */
    int *met;                        /* owned; [i * players + j]: games between them */
    int *order;                      /* owned; players from the best to the last */
    int8_t *waiting;                 /* owned; points of pairs' first games whose second is missing */
    int64_t pairs;                   /* how many entries waiting has */
};

enum status standings_new(struct standings *standings, const struct plan *plan, struct error *error);
void standings_free(struct standings *standings);

/* Takes one game in, in any order, each once. */
void standings_add(struct standings *standings, const struct plan *plan, const struct record *record);

/* Works out ratings and order from what was taken in; may be called again after more. */
void standings_finish(struct standings *standings);

/* Whole pairs between two players as player `a` sees them. */
void standings_pairs(const struct standings *standings, int a, int b, struct rating_pairs *pairs);

/* The table as plain text: places, points, ratings, causes of losses; then, for two players, the match in one
 * line each. */
void standings_text(const struct standings *standings, const struct plan *plan, struct text *text);

/* "4.5", or "?" where the results say nothing about the error (all pairs alike). */
void standings_error_text(double error, char text[16]);

/* "+12.3 +- 4.5" with a bound for infinite values; `text` has room for 40 bytes. */
void standings_elo_text(const struct rating_estimate *estimate, char text[40]);

#endif
