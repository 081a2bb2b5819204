/* The file of an opening book: text, a line a position.
 *
 *     sortie-book 1
 *     # how it was made
 *     gomoku freestyle 15
 *     H8 = 14 2000 : I9 12 G8 3
 *     H8 I9 J8 = ?
 *     digest 0123456789abcdef
 *
 * A line "gomoku RULE SIZE" begins the positions of a board. A position is its squares, X and O in turn; behind = stand
 * depth and thousands of nodes of its searches, "proved" where the value of the best move is; behind : moves and their
 * values for the side that plays them, the best first. "= ?": wanted, but not searched yet. Positions stand in the
 * order of the book, so that a book has one text. The digest is that of all lines before it, each with one line end. */
#ifndef SORTIE_GAMES_GOMOKU_OPENINGS_FILE_H
#define SORTIE_GAMES_GOMOKU_OPENINGS_FILE_H

#include "games/gomoku/openings/openings.h"

#define OPENINGS_MOST_BYTES ((size_t)64 << 20) /* of a file */

/* Reads a book into *book, which is empty before, and settles it. On failure nothing needs freeing. */
enum status openings_parse(const char *bytes, size_t length, struct openings *book, struct error *error);

/* Appends the book's text and sets its digest. */
void openings_write(struct openings *book, struct text *text);

/* Appends a folded position's squares, "H8 I9". */
void openings_write_squares(const struct openings_position *position, struct text *text);

#endif
