/* Piskvork's files (.psq), as Gomocup publishes its games: a head, a line for each move, then names and remarks.
 *
 *   Piskvorky 15x15, 11:11, 0     the board; something that is kept; the rules by Gomocup's number (0, 1)
 *   8,8,0                         column and row from 1 at the top left, milliseconds
 *   ...
 *   first.zip                     who played, the first player first; further lines are kept */
#ifndef SORTIE_FORMATS_RECORDS_PSQ_H
#define SORTIE_FORMATS_RECORDS_PSQ_H

#include "formats/records/gametree.h"

bool psq_sniff(const char *bytes, size_t length);
enum status psq_read(struct gametrees *trees, const char *bytes, size_t length, struct error *error);
/* Writes the stones of the position, which is the game's first line of play, with what the game says about it. */
void psq_write(const struct gametree *tree, const struct gomoku_position *position, struct text *text);

#endif
