/* A study in sortie's own text: a position and what was tried from it, with remarks. The page keeps studies of all
 * games so; here they are made of recorded games of Gomoku, and turned into them.
 *
 *   sortie study
 *   = The ladder                   its name; may be left out
 *   | gomoku freestyle 15          the position, in sortie's own text
 *   | H8 I9
 *   > A remark about it, of
 *   > any number of lines
 *   1 J7                           a move, and how far from the position it is
 *   2 K8
 *   > A remark about this move
 *   1 G7                           another first move
 *   # what nobody reads
 */
#ifndef SORTIE_FORMATS_RECORDS_STUDY_H
#define SORTIE_FORMATS_RECORDS_STUDY_H

#include "formats/records/gametree.h"

#define STUDY_MOST_MOVES 20000

bool study_sniff(const char *bytes, size_t length);
/* Reads a study of Gomoku; every move is tried by the rules. On failure nothing needs freeing. */
enum status study_read(struct gametrees *trees, const char *bytes, size_t length, struct error *error);
/* Appends a recorded game. STATUS_BAD_INPUT where a move breaks the rules, stones are set up in the middle of the game,
 * or there are too many moves; a node without a move is a part of the one before it. */
enum status study_write(struct gametree *tree, struct text *text, struct error *error);

#endif
