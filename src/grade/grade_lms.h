/* What learning platforms make of the files students hand in: the student in front, the file's own name behind.
 *
 *   Canvas      doejane_101_202_homework.java, doejane_LATE_101_202_homework-1.java
 *   Moodle      Jane Doe_12345_assignsubmission_file_/homework.java, or the same without a folder
 *   Gradescope  submission_123/homework.java, with the names in submission_metadata.yml */
#ifndef SORTIE_GRADE_GRADE_LMS_H
#define SORTIE_GRADE_GRADE_LMS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "grade/grade.h"

struct grade_lms_name {
    enum grade_platform platform;
    bool late; /* marked so */
    char student[NAME_MAX + 1];
    char id[24];             /* the student's number there */
    unsigned long long turn; /* grows with every upload; 0 where the platform does not count */
    char file[NAME_MAX + 1]; /* as it was called; "" for a folder */
};

/* Takes a name apart; false when it is none of a platform's. */
bool grade_lms_read(const char *name, struct grade_lms_name *out);

/* Looks up the folder "submission_123" in Gradescope's metadata: the names of all who handed it in, with " and "
 * between, and in `people` "name\taddress\tnumber", a line each. False when it is not there. */
bool grade_lms_submitters(const char *bytes, size_t length, const char *folder, struct text *names,
                          struct text *people);

#endif
