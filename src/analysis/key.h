/* The name a position has in a database: the same for all eight images of a Gomoku board, whatever order its stones
 * were played in. Other games have one image, and their own text as the name.
 *
 *   gomoku renju 15 X H8 J8 O I9
 *
 * Of the eight images it is the one that stands last when their squares, row by row from the top left, are compared as
 * texts of . < X < O. Squares follow in this order too. */
#ifndef SORTIE_ANALYSIS_KEY_H
#define SORTIE_ANALYSIS_KEY_H

#include "game/game.h"

struct key {
    struct text text; /* owned */
    int size;         /* of a board that can be turned; 0: it cannot */
    int symmetry;     /* that takes the position to its named image */
    unsigned all;     /* a bit for each that does: several, where the position is its own image */
};

/* Makes the key of a position, into a struct that is {0} or was used before; key_free in the end. What fails for want
 * of memory leaves text.broken. */
void key_make(struct key *key, const struct game *game, const struct game_position *position);
void key_free(struct key *key);

/* Where a square of the position lies in its named image, and back. A board that cannot be turned keeps all. */
int key_square_in(const struct key *key, int square);
int key_square_out(const struct key *key, int square);

/* The same for a square on its own: of those that are images of each other, the first. */
int key_first_in(const struct key *key, int square);
int key_first_out(const struct key *key, int square);

/* The same for moves by name: appends the image of a line of moves with commas between them. False, and appends
 * nothing, where one of them is no square of a board that can be turned. */
bool key_line(const struct key *key, const char *line, size_t length, bool out, struct text *text);

#endif
