/* SGF (Smart Game Format, FF[4], GM[4]) in and out, for Gomoku.
 *
 * Read: every game of the file, with variations and all properties. Tolerated is what cannot be misunderstood: older
 * versions with long names, squares in capitals, a missing GM or SZ (15), two moves in a node. RU is understood as a
 * name or as Gomocup's number. Whichever colour moves first is X. Squares are two letters, column then row from the top
 * left ("hh" is H8). */
#ifndef SORTIE_FORMATS_RECORDS_SGF_H
#define SORTIE_FORMATS_RECORDS_SGF_H

#include "formats/records/gametree.h"

bool sgf_sniff(const char *bytes, size_t length);
enum status sgf_read_all(struct gametrees *trees, const char *bytes, size_t length, struct error *error);
/* The position at the end of the first game's first line. */
enum status sgf_read(struct gomoku_position *position, const char *bytes, size_t length, struct error *error);

void sgf_write_tree(const struct gametree *tree, struct text *text);
/* Writes the game with X as black; drawn stones come as set-up. */
void sgf_write(const struct gomoku_position *position, struct text *text);

/* The variant that a text of rules means ("1", "Standard", "exact five"), or GAMETREE_RULES_STRANGE. */
int sgf_rules(const char *text, size_t length);

#endif
