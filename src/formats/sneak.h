#ifndef SORTIE_FORMATS_SNEAK_H
#define SORTIE_FORMATS_SNEAK_H

#include "formats/course.h"

extern const struct course_format sneak_format;

#endif
