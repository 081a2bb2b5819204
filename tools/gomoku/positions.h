/* Positions as lines of moves such as "H8 I9 J8", on 15x15 freestyle, for the tools that measure the search. */
#ifndef SORTIE_TOOLS_GOMOKU_POSITIONS_H
#define SORTIE_TOOLS_GOMOKU_POSITIONS_H

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "games/gomoku/rules/gomoku.h"

/* Reads the moves; false when they are not those of a game that is not over. The text is taken apart. */
static inline bool positions_read(struct gomoku_position *position, char *moves) {
    gomoku_clear(position, 15, GOMOKU_FREESTYLE);
    for (char *word = strtok(moves, " \n"); word; word = strtok(NULL, " \n")) {
        int square = gomoku_parse_square(15, word, strlen(word));
        if (square < 0 || position->board[square] != GOMOKU_EMPTY || position->winner != GOMOKU_NO_WINNER) {
            return false;
        }
        gomoku_put(position, square);
    }
    return position->winner == GOMOKU_NO_WINNER && position->count < 15 * 15;
}

/* A random square at most two steps from a stone that may be played on. */
static inline int positions_near(const struct gomoku_position *position, struct rng *rng) {
    for (;;) {
        int stone = position->order[rng_below(rng, position->count)];
        int row = stone / position->size + (int)rng_below(rng, 5) - 2;
        int column = stone % position->size + (int)rng_below(rng, 5) - 2;
        if (row >= 0 && row < position->size && column >= 0 && column < position->size &&
            gomoku_game.legal((const struct game_position *)position, (game_move)(row * position->size + column))) {
            return row * position->size + column;
        }
    }
}

/* 1 when a search's value is a proved win of the side to move, -1 when a proved loss. */
static inline int positions_proven(game_score value) {
    return value >= GAME_WIN_VALUE - 1000 ? 1 : value <= 1000 - GAME_WIN_VALUE ? -1 : 0;
}

static inline void positions_write(const struct gomoku_position *position) {
    for (int i = 0; i < position->count; i++) {
        char square[8];
        gomoku_square_text(position->size, position->order[i], square);
        printf(" %s", square);
    }
    printf("\n");
    fflush(stdout);
}

#endif
