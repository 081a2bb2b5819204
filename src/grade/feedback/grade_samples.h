/* Sample cases of each course, written for this: small, and between them they ask for everything the course does. Their
 * answers are worked out when they are used. */
#ifndef SORTIE_GRADE_FEEDBACK_GRADE_SAMPLES_H
#define SORTIE_GRADE_FEEDBACK_GRADE_SAMPLES_H

#include "grade/grade.h"

/* The courses that have some; ended by GRADE_COURSE_ANY. */
extern const enum grade_course grade_sample_courses[];
extern const char *const grade_course_names[GRADE_COURSES]; /* "stake"; NULL for any */

/* Writes the cases of a course below a folder that exists, one folder each. */
enum status grade_samples_write(enum grade_course course, const char *folder, struct error *error);

/* Which course a program is written for, by what its sources name (up to three levels of folders); GRADE_COURSE_ANY
 * where they do not say. */
enum grade_course grade_samples_guess(const char *path);

#endif
