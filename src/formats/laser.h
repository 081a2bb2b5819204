/* The course file of Laser Checkmate: N, then N rows of N digits (0 empty, 1 an emitter of the side to move,
 * 2 of the other side, 3 a block). The answer is `row column`, counted from 0. */
#ifndef SORTIE_FORMATS_LASER_H
#define SORTIE_FORMATS_LASER_H

#include "formats/course.h"

extern const struct course_format laser_format;

#endif
