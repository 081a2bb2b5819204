/* Sample cases of each course, written for this: small, and between them they ask for everything the course does. Their
 * answers are worked out when they are used. */
#ifndef SORTIE_GRADE_FEEDBACK_GRADE_SAMPLES_H
#define SORTIE_GRADE_FEEDBACK_GRADE_SAMPLES_H

#include "grade/grade.h"

/* The courses that have some; ended by GRADE_COURSE_ANY. */
extern const enum grade_course grade_sample_courses[];
extern const char *const grade_course_names[GRADE_COURSES]; /* "stake"; NULL for any */

/* Adds the cases of a course to those a grading has; not `all`: two that take little time. */
enum status grade_samples_read(enum grade_course course, bool all, struct grade *grade, struct error *error);

/* Which course a program is written for, by what its sources name (up to three levels of folders); GRADE_COURSE_ANY
 * where they do not say. */
enum grade_course grade_samples_guess(const char *path);

#endif
