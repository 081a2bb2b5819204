/* A position that random moves lead to, in which the game is not over. */
#ifndef SORTIE_TESTS_RANDOM_POSITION_H
#define SORTIE_TESTS_RANDOM_POSITION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "game/game.h"

static inline void random_position(const struct game *game, int size, int plies, struct rng *rng,
                                   struct game_position *position) {
    game_move moves[2048];
    do {
        assert_int_equal(game->start_random(position, size, 0, rng, NULL), STATUS_OK);
        for (int ply = 0; ply < plies && !game->over(position); ply++) {
            struct game_undo undo;
            int count = game->moves(position, moves);
            game->play(position, moves[rng_below(rng, (uint32_t)count)], &undo);
        }
    } while (game->over(position));
}

#endif
