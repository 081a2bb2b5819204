/* A player for Gomoku as the course's referee judges it: five squares of one of its 550 rows win, whatever the board
 * looks like. It is far weaker than the engine, but right where the engine's rules are not the referee's: at
 * fives that the referee does not see and rows that only it sees. The agent lets it check the engine's moves. */
#ifndef SORTIE_GAMES_GOMOKU_REFEREE_COURSE_H
#define SORTIE_GAMES_GOMOKU_REFEREE_COURSE_H

#include <stdatomic.h>

#include "games/gomoku/rules/gomoku.h"
#include "search/limits.h"

/* The move that wins at once, stops a win at once, or begins a win by fours alone, which is looked for no longer than
 * `seconds`; -1 when there is none. */
int gomoku_course_forced(const struct gomoku_position *position, double seconds);

/* Whether the engine's answer holds under the course's rules as far as they differ: nobody has four of a five that is
 * not seen, a win or loss it claims ends in a five that is seen, and the move does not lose to fours, as far as can be
 * told in `seconds`. */
bool gomoku_course_trusts(const struct gomoku_position *position, const struct search_result *result, double seconds);

/* Searches by itself for at most `seconds` and gives a legal move. The board must not be full. */
int gomoku_course_search(const struct gomoku_position *position, double seconds, const atomic_bool *stop);

#endif
