/* A page for each student: what was asked, what came out, and what is wrong with it. */
#ifndef SORTIE_GRADE_FEEDBACK_GRADE_FEEDBACK_H
#define SORTIE_GRADE_FEEDBACK_GRADE_FEEDBACK_H

#include "grade/grade.h"

/* The page of one submission. It needs no other file and names nobody else. */
void grade_feedback(const struct grade *grade, int submission, struct text *out);
/* The teacher's list of all pages. */
void grade_feedback_index(const struct grade *grade, struct text *out);
/* The name of a submission's page, which is that of its link too: "ann.html". */
void grade_feedback_name(const struct grade_submission *submission, struct text *out);

#endif
