/* Games as lines of squares, one game a line; neither says the board's size or the rules.
 *
 *   pos      h8i9j8             column and row, rows counted from the top as everywhere in sortie
 *   offset   0,0, 1,1, 2,0      columns and rows away from the middle, as Gomocup's openings are written */
#ifndef SORTIE_FORMATS_RECORDS_MOVES_H
#define SORTIE_FORMATS_RECORDS_MOVES_H

#include "formats/records/gametree.h"

bool pos_sniff(const char *bytes, size_t length);
/* `size` 0: the usual one, or a larger one where a square needs it. */
enum status pos_read(struct gametrees *trees, const char *bytes, size_t length, int size, struct error *error);
void pos_write(const struct gomoku_position *position, struct text *text);

bool offset_sniff(const char *bytes, size_t length);
enum status offset_read(struct gametrees *trees, const char *bytes, size_t length, int size, struct error *error);
void offset_write(const struct gomoku_position *position, struct text *text);

#endif
