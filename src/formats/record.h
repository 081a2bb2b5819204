/* Records of Gomoku games as files that positions come out of: the position at the end of a game's first line of play.
 */
#ifndef SORTIE_FORMATS_RECORD_H
#define SORTIE_FORMATS_RECORD_H

#include "formats/course.h"

extern const struct course_format record_sgf;
extern const struct course_format record_psq;
extern const struct course_format record_lib;
extern const struct course_format record_pos;
extern const struct course_format record_offset;

#endif
