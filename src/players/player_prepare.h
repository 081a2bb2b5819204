/* What happens before a program's first move of a game: a new world, its extra files, and what its setup step made. */
#ifndef SORTIE_PLAYERS_PLAYER_PREPARE_H
#define SORTIE_PLAYERS_PLAYER_PREPARE_H

#include <limits.h>

#include "players/player.h"

#define PLAYER_MOST_MADE 64

/* What the setup step left, kept for all games of a player; zero before the first. */
struct player_prepared {
    bool set_up;
    int count;
    struct {
        char name[NAME_MAX + 1];
        struct text text;
    } made[PLAYER_MOST_MADE];
};

/* Cleans the world, puts the files of file= there, and what setup= made; the step itself runs once, before the first
 * game. A failure is written into *answer as a fault and is false. */
bool player_prepare(struct player_prepared *prepared, const struct player_spec *spec, const struct player_game *game,
                    struct player_answer *answer);
void player_prepared_free(struct player_prepared *prepared);

#endif
