/* How a whole game of Gomoku with the swap is played: the first stone, whether to take it over, and under the course's
 * referee a check of the engine's moves by its rules. Who searches, and for how long at most, is the caller's. */
#ifndef SORTIE_GAMES_GOMOKU_REFEREE_PLAYER_H
#define SORTIE_GAMES_GOMOKU_REFEREE_PLAYER_H

#include <stdatomic.h>

#include "games/gomoku/rules/gomoku.h"
#include "search/limits.h"

struct openings;

struct gomoku_player {
    struct rng rng;              /* for the first stone */
    int open;                    /* or its square; -1: by chance */
    bool no_swap;                /* never take the first stone over */
    const struct openings *book; /* the opening book; NULL: none */
    bool course_rules;           /* the referee is the course's public one, with its faults */
    const atomic_bool *stop;
    /* Searches a position of the game for at most so many seconds. */
    enum status (*search)(void *user, double seconds, struct search_result *result, struct error *error);
    void *user;
};

/* Chooses a square in `seconds`. `first`: the only stone on the board when the second player is to choose whether to
 * take it over (the answer is then its square); -1 otherwise. *expected is the answer that is expected from the other
 * side, or -1. */
enum status gomoku_player_choose(struct gomoku_player *player, const struct gomoku_position *position, int first,
                                 double seconds, int *square, int *expected, struct error *error);

#endif
