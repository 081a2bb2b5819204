/* What the tree search does, counted: how its nodes end, how far from the root its frontier lies, what its moves cost.
 * Reductions, limits and margins are judged by these counts before any game is played. */
#ifndef SORTIE_GAMES_GOMOKU_SEARCH_STATS_H
#define SORTIE_GAMES_GOMOKU_SEARCH_STATS_H

#include <stdint.h>

#include "base/text.h"
#include "search/limits.h"

#define STATS_DEPTHS 20 /* plies of remaining depth that are told apart */

/* How a node of the tree ended. */
enum stats_exit {
    EXIT_DECIDED,  /* a five, an open four or two fives at once */
    EXIT_TABLE,    /* a bound of the table sufficed */
    EXIT_FOURS,    /* fours win */
    EXIT_HORIZON,  /* no depth left */
    EXIT_RAZOR,    /* far below alpha */
    EXIT_REVERSE,  /* far above beta */
    EXIT_CUT,      /* a move was good enough */
    EXIT_ALL,      /* none was */
    EXIT_INSIDE,   /* a value inside the window */
    EXIT_SINGULAR, /* several moves are good enough already at less depth */
    EXIT_COUNT
};

/* Counters alone, each 64 bits wide. `nodes` are those of the tree, `fours` those of the searches for fours. Depths are
 * those the node was entered with. */
struct gomoku_stats {
    uint64_t nodes;
    uint64_t fours;
    uint64_t frontier; /* nodes entered with one ply left, and the plies they lie from the root, added up */
    uint64_t frontier_plies;
    uint64_t exits[EXIT_COUNT][STATS_DEPTHS];
    uint64_t cut_moves[STATS_DEPTHS]; /* moves searched at nodes that ended by EXIT_CUT, and by EXIT_ALL */
    uint64_t all_moves[STATS_DEPTHS];
    uint64_t first_cuts; /* of the cuts, those by the first move */
    uint64_t reduced;    /* moves searched with less depth, and of them how many were searched again */
    uint64_t again;
    uint64_t probes;
    uint64_t hits;
    uint64_t evaluations;
};

/* How far a search had come after an iteration: what its growth is worked out from. */
struct stats_mark {
    uint64_t nodes; /* with the fours */
    uint64_t frontier;
    uint64_t frontier_plies;
};

/* Adds the counts of one thread to those of all. */
void stats_add(struct gomoku_stats *total, const struct gomoku_stats *part);

/* What a searcher has counted in its last search. */
struct gomoku_stats gomoku_searcher_counts(const struct searcher *searcher);

/* The text of counts; `marks` are those of the iterations, the last of them the whole search. */
void stats_write(const struct gomoku_stats *stats, const struct stats_mark *marks, int count, struct text *text);

#endif
