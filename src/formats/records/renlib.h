/* RenLib's libraries (.lib): trees of moves on 15x15 with remarks, the stones in turn, black first.
 *
 *   head    20 bytes: ff "RenLib" ff, the version (3, and a smaller number), ten times ff
 *   node    the square: row * 16 + column, rows from 0 at the top, columns from 1; 0: no move
 *           flags: 80 another variation follows this one   40 no move follows
 *                  20 a remark of older versions            10 a mark   08 a remark   04 start   02 no move
 *                  01 two more bytes of flags; of these, 01 in the second: a text on the board
 *           then the remark and the text on the board, each ended by a zero and made even by another
 *
 * Nodes stand in the order of play, the first variation first. Texts are bytes without an alphabet: those that are
 * UTF-8 are taken so, others as Latin-1, and are written back as they were. */
#ifndef SORTIE_FORMATS_RECORDS_RENLIB_H
#define SORTIE_FORMATS_RECORDS_RENLIB_H

#include "formats/records/gametree.h"

#define RENLIB_SIZE 15

bool renlib_sniff(const char *bytes, size_t length);
enum status renlib_read(struct gametrees *trees, const char *bytes, size_t length, struct error *error);
/* STATUS_BAD_INPUT when the board is not of 15x15, or a move is of no square. */
enum status renlib_write(const struct gametree *tree, struct text *text, struct error *error);

#endif
