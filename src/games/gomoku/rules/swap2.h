/* The swap2 opening: one side puts three stones, the other takes a colour or puts two more and leaves the choice to the
 * first. All of it by the engine's own judgement of the positions. */
#ifndef SORTIE_GAMES_GOMOKU_RULES_SWAP2_H
#define SORTIE_GAMES_GOMOKU_RULES_SWAP2_H

#include "games/gomoku/rules/gomoku.h"
#include "search/limits.h"

struct swap2_answer {
    bool swap; /* takes the colour that is not to move; otherwise `squares` are played */
    int count; /* three to open, one to keep the colour to move, two to leave the choice to the other */
    int squares[3];
};

/* Searches a position for at most so many seconds; false when it cannot. */
typedef bool swap2_search(void *user, const struct gomoku_position *position, double seconds,
                          struct search_result *result);

/* What to do with an empty board, or after three or five stones (X first). Thinks for at most `seconds` in all, or
 * until `stop`; `seed` varies the stones. */
void gomoku_swap2(swap2_search *search, void *user, const struct gomoku_position *position, double seconds,
                  uint64_t seed, const atomic_bool *stop, struct swap2_answer *answer);

#endif
