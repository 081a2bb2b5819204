/* What the processes of a crew tell each other while they grade a class. All of them are this same program and have
 * read the same folders; the brief says what the leader saw, so that a helper that saw something else notices. */
#ifndef SORTIE_GRADE_GRADE_WIRE_H
#define SORTIE_GRADE_GRADE_WIRE_H

#include "grade/grade.h"

/* What is judged already, and the answers the cases did not bring. */
void grade_write_brief(const struct grade *grade, struct text *brief);
/* Fills these in; grade->results must be there. */
enum status grade_read_brief(struct grade *grade, const struct text *brief, struct error *error);

/* The build of a submission and all its results. */
void grade_write_judged(const struct grade *grade, int submission, struct text *judged);
/* And back. */
struct grade_judged {
    int submission;
    struct grade_build build;     /* the caller frees its messages */
    char unjudged[240];           /* as in a submission */
    struct grade_result *results; /* owned: one a case */
};
enum status grade_read_judged(const struct grade *grade, const struct text *judged, struct grade_judged *out,
                              struct error *error);

#endif
