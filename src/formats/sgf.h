/* SGF (Smart Game Format, FF[4], GM[4]) in and out, for Gomoku: the main line of one game tree.
 *
 * Read: SZ (5 to 22, 15 when missing), RU ("exact" for exactly five), AB and AW set-up before the first move, B and W
 * moves; of variations the first is followed, other properties are skipped. Whichever colour moves first is X.
 * Squares are two letters, column then row from the top left ("hh" is H8). */
#ifndef SORTIE_FORMATS_SGF_H
#define SORTIE_FORMATS_SGF_H

#include "formats/course.h"
#include "games/gomoku/rules/gomoku.h"

extern const struct course_format sgf_format;

enum status sgf_read(struct gomoku_position *position, const char *bytes, size_t length, struct error *error);

/* -- writing: every record begins with sgf_begin and ends with ")" -- */

/* The head of a record: "(;" and what belongs to every one. */
void sgf_begin(struct text *text, int size);
/* A property with its text, brackets and backslashes escaped. */
void sgf_property(struct text *text, const char *name, const char *value);
/* A property's value that is a square. */
void sgf_point(struct text *text, int size, int square);

/* Writes the game with X as black; drawn stones come as set-up. */
void sgf_write(const struct gomoku_position *position, struct text *text);

#endif
