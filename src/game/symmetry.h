/* The eight symmetries of a square board: it can be mirrored top to bottom (1), left to right (2) and along its
 * diagonal (4), in this order, by any of them together. Squares are numbered row by row: row * size + column.
 *
 * The numbers of the symmetries are part of what the book and the provers compare positions by, so they stay as they
 * are. prove/verify.c has its own, on purpose: it checks the others and shares nothing with them. */
#ifndef SORTIE_GAME_SYMMETRY_H
#define SORTIE_GAME_SYMMETRY_H

#define SYMMETRY_COUNT 8 /* 0 leaves everything where it is */

/* Where a symmetry takes a square. */
int symmetry_turn(int size, int symmetry, int square);

/* The one image of a square whose row is in the upper half and whose column is not behind its row: two squares are
 * images of each other when this is the same. */
int symmetry_fold(int size, int square);

#endif
