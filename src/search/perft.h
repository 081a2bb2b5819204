/* Counts the leaves of the full tree of a given depth: the usual check of a move generator. */
#ifndef SORTIE_SEARCH_PERFT_H
#define SORTIE_SEARCH_PERFT_H

#include <stdatomic.h>

#include "game/game.h"

/* Lines of play of exactly `depth` plies, or shorter where the game ends. Counts until *stop is set (or NULL).
 * STATUS_FAIL: there is no memory, and *leaves is as it was. */
enum status perft(const struct game *game, struct game_position *position, int depth, const atomic_bool *stop,
                  uint64_t *leaves);

#endif
