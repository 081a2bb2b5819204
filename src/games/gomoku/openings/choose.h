/* What the opening book says of a position, and choosing by it. Among equals the generator decides, images included. */
#ifndef SORTIE_GAMES_GOMOKU_OPENINGS_CHOOSE_H
#define SORTIE_GAMES_GOMOKU_OPENINGS_CHOOSE_H

#include "games/gomoku/openings/openings.h"
#include "games/gomoku/rules/swap2.h"
#include "search/limits.h"

/* The book's entry with its moves on the squares of this position, the one of the most worth first. `rng` (NULL: always
 * the same) chooses among images. False when the book does not have the position, or only wants it. */
bool openings_ask(const struct openings *book, const struct gomoku_position *position, struct rng *rng,
                  struct openings_position *said);

/* A move of the position out of the book, with the line the book expects, when at least `effort` thousand nodes stand
 * behind it. The game must not be over. */
bool openings_choose(const struct openings *book, const struct gomoku_position *position, uint64_t effort,
                     struct rng *rng, struct search_result *result);

/* The same within limits whose wishes ask for the book: what stands behind the move must be more than a search within
 * them would look at. */
bool openings_choose_within(const struct openings *book, const struct gomoku_position *position,
                            const struct search_limits *limits, struct search_result *result);

/* What to do with an empty board, three or five stones of swap2; false when the book cannot tell. */
bool openings_swap2(const struct openings *book, const struct gomoku_position *position, struct rng *rng,
                    struct swap2_answer *answer);

/* -- the course's swap: one stone, which the other side may take over -- */

/* A first stone on an empty board after which neither side is much better; false when the book has none. */
bool openings_first_stone(const struct openings *book, const struct gomoku_position *empty, struct rng *rng,
                          int *square);
/* Whether to take over the only stone on the board; false when the book does not say. */
bool openings_take_stone(const struct openings *book, const struct gomoku_position *position, bool *take);

#endif
