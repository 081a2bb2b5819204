/* The rows of five that the course's public referee looks at.
 *
 * It walks over every square and asks for five in a row to the right, down, down-right and up-right. Its bounds
 * are off by one: a row that touches the last column or, going down, the last row is skipped (62 of the 572 rows of
 * the board). And going up-right it does not look at the upper edge, where Python counts from the other end: from
 * the first four rows the row goes on at the bottom (40 rows that are none, such as A1 B15 C14 D13 E12). */
#ifndef SORTIE_GAMES_GOMOKU_REFEREE_COURSE_ROWS_H
#define SORTIE_GAMES_GOMOKU_REFEREE_COURSE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "games/gomoku/rules/gomoku.h"

#define COURSE_SIZE 15 /* the board of the course: 15x15 */
#define COURSE_SQUARES (COURSE_SIZE * COURSE_SIZE)
#define COURSE_ROWS 550
#define COURSE_ROWS_THROUGH 24 /* no square lies on more */

struct course_rows {
    uint8_t squares[COURSE_ROWS][5];
    uint16_t through[COURSE_SQUARES][COURSE_ROWS_THROUGH]; /* the rows of a square */
    uint8_t through_count[COURSE_SQUARES];
};

void course_rows_make(struct course_rows *lines);

/* The five squares it compares from a square in a direction (0 right, 1 down, 2 down-right, 3 up-right); false when
 * it does not look there. */
bool course_row_seen(int column, int row, int direction, uint8_t squares[5]);

/* Whether it sees a row of five of one colour anywhere on the board. */
bool gomoku_course_sees_five(const struct gomoku_position *position);

#endif
