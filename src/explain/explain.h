/* Explains the first difference between an answer and the one a course expects, as a tutor would: where in the search
 * it is, what the textbook does there, and which common mistake looks like that. */
#ifndef SORTIE_EXPLAIN_EXPLAIN_H
#define SORTIE_EXPLAIN_EXPLAIN_H

#include "base/text.h"
#include "formats/course.h"

/* A file of an answer, both as it should be and as it is. Neither need be text. */
struct explain_pair {
    const char *name; /* how the file is called: "traverse_log.txt" */
    const char *wanted;
    size_t wanted_length;
    const char *found;
    size_t found_length;
    const struct course_request *request; /* what was asked; NULL: unknown */
};

/* Appends the explanation: lines of plain text, clean to show. Returns the number of the first line that differs, 0
 * when nothing does; then nothing is appended, unless the answer is odd in a way the course accepts. */
int explain(const struct explain_pair *pair, struct text *out);

/* Whether a text begins as a traversal log does. */
bool explain_is_log(const char *bytes, size_t length);

#endif
