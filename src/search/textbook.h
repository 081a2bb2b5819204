/* The searches of the textbook: greedy best-first, plain depth-limited minimax, alpha-beta. They visit moves
 * in the game's own order, the first strictly better move wins, and a visitor may watch every step. */
#ifndef SORTIE_SEARCH_TEXTBOOK_H
#define SORTIE_SEARCH_TEXTBOOK_H

#include "search/limits.h"

/* One step of the walk over the tree. */
struct textbook_step {
    game_move move; /* the move that led to this node; GAME_NO_MOVE at the root */
    int depth;      /* the root has 0 */
    game_score value;
    game_score alpha; /* alpha and beta: only in alpha-beta; +-GAME_INFINITY when open */
    game_score beta;
};

/* Sees every entry into an inner node, every leaf, and every return from a child into its parent (`cut` when
 * the parent stops there). Slots may be NULL. */
struct textbook_visitor {
    void *user;
    void (*enter)(void *user, const struct textbook_step *step);
    void (*leaf)(void *user, const struct textbook_step *step);
    void (*after_child)(void *user, const struct textbook_step *step, bool cut);
};

struct textbook_request {
    enum search_method method;              /* one of the three */
    int depth;                              /* at least 1; more than the rest of the game is fine */
    const struct textbook_visitor *visitor; /* NULL: nobody watches, and short cuts that change no value are taken */
    const atomic_bool *stop;                /* NULL or a flag that ends the search early */
    const atomic_bool *also;                /* and another */
    /* NULL or called after each move of the root with the best so far. */
    void (*progress)(void *user, const struct search_result *best);
    void *user;
};

/* Whether either flag of a request is set. */
static inline bool textbook_asked_to_stop(const struct textbook_request *request) {
    return (request->stop && atomic_load_explicit(request->stop, memory_order_relaxed)) ||
           (request->also && atomic_load_explicit(request->also, memory_order_relaxed));
}

/* Works through the game interface alone: the reference every faster search is compared with. */
void textbook_search(const struct game *game, const struct game_position *position,
                     const struct textbook_request *request, struct search_result *result);

/* The game's own instance where it has one, otherwise the generic one. */
void textbook_run(const struct game *game, const struct game_position *position, const struct textbook_request *request,
                  struct search_result *result);

/* Fills result->pv with the line of play behind an answered request: what each side would answer with the depth
 * that is left. */
void textbook_line(const struct game *game, const struct game_position *position,
                   const struct textbook_request *request, struct search_result *result);

#endif
