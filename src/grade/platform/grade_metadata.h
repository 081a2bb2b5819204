/* What Gradescope tells an autograder about a submission: /autograder/submission_metadata.json. */
#ifndef SORTIE_GRADE_PLATFORM_GRADE_METADATA_H
#define SORTIE_GRADE_PLATFORM_GRADE_METADATA_H

#include "grade/grade.h"

struct grade_metadata {
    double created; /* seconds since 1970; NAN where it is not said */
    double due;     /* the latest that holds for one of its students, or else the assignment's; NAN: none */
    double late_due;
    struct text people; /* as in struct grade_submission */
};

/* Reads the file; the message names line and column. */
enum status grade_metadata_read(struct grade_metadata *metadata, const char *bytes, size_t length, struct error *error);
void grade_metadata_free(struct grade_metadata *metadata);

/* How late it is, in days; 0 when it is not, or nothing is due. */
double grade_metadata_late_days(const struct grade_metadata *metadata);

/* "2018-07-01T14:22:32.365935-07:00", or with Z, in seconds since 1970; NAN when it is none. */
double grade_metadata_time(const char *text);

#endif
