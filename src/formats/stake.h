#ifndef SORTIE_FORMATS_STAKE_H
#define SORTIE_FORMATS_STAKE_H

#include "formats/course.h"

extern const struct course_format stake_format;

#endif
