/* What is asked of a search and what it answers, for every game alike.
 *
 * Values are always from the view of the side to move at the root. */
#ifndef SORTIE_SEARCH_LIMITS_H
#define SORTIE_SEARCH_LIMITS_H

#include <stdatomic.h>

#include "base/assert.h"
#include "game/game.h"

#define SEARCH_MOST_PV 256

/* How a move is chosen: by one of the textbook's searches, or by the game's own engine. */
enum search_method { TEXTBOOK_GREEDY, TEXTBOOK_MINIMAX, TEXTBOOK_ALPHABETA, SEARCH_ENGINE };

enum search_goal {
    SEARCH_BEST,  /* the best move within the limits */
    SEARCH_EXACT, /* the game-theoretic value, however long it takes */
    SEARCH_WIN    /* only whether it is won, drawn or lost */
};

/* Zero means no limit of that kind. With no limit at all a search of SEARCH_BEST stops at depth 1. */
struct search_limits {
    enum search_goal goal;
    int depth;
    uint64_t nodes;           /* with one thread: deterministic */
    double wall_seconds;      /* for this move, a hard limit */
    double cpu_seconds;       /* for this move, CPU seconds summed over the threads, a hard limit */
    double cpu_seconds_left;  /* for the rest of the game: the search divides it itself */
    double wall_seconds_left; /* likewise by the wall clock */
    double cpu_seconds_apart; /* of cpu_seconds_left each answer costs so much besides its search, at most */
    int multi_pv;             /* how many best moves to report on, at least 1 is assumed */
    /* What only the game that is searched understands, in a struct of its own (gomoku_wishes), unchanged while it runs;
     * NULL: nothing. */
    const void *wishes;
};

struct searcher_options {
    int threads;       /* 0: one */
    size_t hash_bytes; /* 0: a modest default of each game; never exceeded by the table */
    bool plain;        /* leave out the game's evaluation knowledge; for measuring what it is worth */
};

enum search_certainty {
    SEARCH_HEURISTIC, /* a value of a depth-limited search */
    SEARCH_PROVED     /* lower and upper below are proved; exact when they are equal */
};

/* A report while searching, and the shape of the answer. Counters are totals of this search. */
struct search_result {
    game_move move; /* GAME_NO_MOVE only when the game is over */
    game_score value;
    enum search_certainty certainty;
    game_score lower; /* proved bounds of the exact value, where the game knows any */
    game_score upper;
    int depth;
    int line; /* which of the best moves this is about, from 0; for multi_pv */
    uint64_t nodes;
    uint64_t leaves;
    uint64_t cutoffs;
    double wall_seconds;
    double cpu_seconds;
    int pv_length;
    game_move pv[SEARCH_MOST_PV]; /* pv[0] == move */
};

/* How the caller reaches a search under way. `stop` may be set from any thread or a signal handler. */
struct search_control {
    atomic_bool stop;
    const atomic_bool *also;                                      /* another flag that stops an engine; may be NULL */
    void (*info)(void *user, const struct search_result *report); /* may be NULL; called from one thread at a time */
    void *user;
};

#endif
