/* Positions near enough to the end of a game that everything behind them can be tried, whatever the game: how many
 * moves or squares are left says little where moves become more, or squares stay empty. */
#ifndef TESTS_SUPPORT_SMALL_TREE_H
#define TESTS_SUPPORT_SMALL_TREE_H

#include "game/game.h"

/* Counts *room down by a position; false when it is used up, or a wrong game has no end. */
static inline bool small_tree_fits(const struct game *game, struct game_position *position, int plies, int *room) {
    game_move moves[2048];
    bool fits = --*room > 0 && plies <= game->properties->most_plies;
    int count = fits ? game->moves(position, moves) : 0;
    for (int i = 0; fits && i < count; i++) {
        struct game_undo undo;
        game->play(position, moves[i], &undo);
        fits = small_tree_fits(game, position, plies + 1, room);
        game->undo(position, &undo);
    }
    return fits;
}

/* Plays moves by chance until fewer than `most` positions are behind the one reached, or the game is over. */
static inline void small_tree_reach(const struct game *game, struct game_position *position, int most,
                                    struct rng *rng) {
    int room = most;
    for (int i = 0; i < game->properties->most_plies && !small_tree_fits(game, position, 0, &room); i++) {
        game_move moves[2048];
        struct game_undo undo;
        int count = game->moves(position, moves);
        if (count == 0) { /* a wrong game that is not over */
            return;
        }
        game->play(position, moves[rng_below(rng, (uint32_t)count)], &undo);
        room = most;
    }
}

#endif
