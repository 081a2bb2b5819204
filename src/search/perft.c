#include "search/perft.h"

#include <stdlib.h>

#include "base/assert.h"

/* `moves` is the free part of a stack that grows with the depth. */
static uint64_t count(const struct game *game, struct game_position *position, int depth, const atomic_bool *stop,
                      game_move *moves) {
    if (depth == 0 || game->over(position)) {
        return 1;
    }
    int number = game->moves(position, moves);
    uint64_t leaves = 0;
    for (int i = 0; i < number; i++) {
        if (stop && atomic_load_explicit(stop, memory_order_relaxed)) {
            break;
        }
        struct game_undo undo;
        game->play(position, moves[i], &undo);
        leaves += count(game, position, depth - 1, stop, moves + number);
        game->undo(position, &undo);
    }
    return leaves;
}

enum status perft(const struct game *game, struct game_position *position, int depth, const atomic_bool *stop,
                  uint64_t *leaves) {
    ASSERT(depth >= 0);
    int levels = depth < game->properties->most_plies ? depth : game->properties->most_plies;
    game_move *moves = malloc((size_t)(levels + 1) * (size_t)game->properties->most_moves * sizeof *moves);
    if (!moves) {
        return STATUS_FAIL;
    }
    *leaves = count(game, position, depth, stop, moves);
    free(moves);
    return STATUS_OK;
}
