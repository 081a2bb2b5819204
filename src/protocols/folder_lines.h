/* The rows of five that the course's public referee looks at.
 *
 * It walks over every square and asks for five in a row to the right, down, down-right and up-right. Its bounds
 * are off by one: a row that touches the last column or, going down, the last row is skipped (62 of the 572 rows of
 * the board). And going up-right it does not look at the upper edge, where Python counts from the other end: from
 * the first four rows the row goes on at the bottom (40 rows that are none, such as A1 B15 C14 D13 E12). */
#ifndef SORTIE_PROTOCOLS_FOLDER_LINES_H
#define SORTIE_PROTOCOLS_FOLDER_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "protocols/folder.h"

#define FOLDER_LINES 550
#define FOLDER_LINES_THROUGH 24 /* no square lies on more */

struct folder_lines {
    uint8_t squares[FOLDER_LINES][5];
    uint16_t through[FOLDER_SQUARES][FOLDER_LINES_THROUGH]; /* the rows of a square */
    uint8_t through_count[FOLDER_SQUARES];
};

void folder_lines_make(struct folder_lines *lines);

/* The five squares it compares from a square in a direction (0 right, 1 down, 2 down-right, 3 up-right); false when
 * it does not look there. */
bool folder_line_seen(int column, int row, int direction, uint8_t squares[5]);

#endif
