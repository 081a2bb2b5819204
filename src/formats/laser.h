/* The course file of Laser Checkmate: N, then N rows of N digits (0 empty, 1 an emitter of the side to move,
 * 2 of the other side, 3 a block). The answer is `row column`, counted from 0. */
#ifndef SORTIE_FORMATS_LASER_H
#define SORTIE_FORMATS_LASER_H

#include "games/laser/laser.h"

/* True when the bytes begin like such a file: a line with one number, then a line of digits of 0 to 3. */
bool laser_file_detect(const char *bytes, size_t length);

/* Reads a whole file. A board without a legal move is refused: the game is over and there is no answer. */
enum status laser_file_parse(const char *bytes, size_t length, struct laser_position *out, struct error *error);

/* What is odd but accepted about a position, as one line to show, or NULL. */
const char *laser_file_warning(const struct laser_position *position);

/* Appends the answer for a move, with its line end. */
void laser_file_write_answer(const struct laser_position *position, game_move move, struct text *text);

#endif
