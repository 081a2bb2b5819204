/* One submission, step by step: what was looked at, which ways there are to build and run it, and by which commands. */
#ifndef SORTIE_GRADE_EXPLAIN_GRADE_EXPLAIN_H
#define SORTIE_GRADE_EXPLAIN_GRADE_EXPLAIN_H

#include "grade/grade.h"

/* Builds every way in a sandbox of its own and writes down, for people, how. The caller must have only one thread; only
 * a failure of the machine is an error. */
enum status grade_explain(struct grade *grade, int submission, const struct grade_options *options, struct text *out,
                          struct error *error);

/* Opens a shell in the sandbox of a submission that was made ready, in a folder with the first case's input.txt and the
 * command that runs the program as run.sh: what comes from `in` goes to it, what it says to `out`. `hello` is called
 * with what there is before it begins. Ends with the shell, with the end of `in`, or when asked to stop. */
enum status grade_shell(struct grade *grade, int submission, const struct grade_options *options, int in, int out,
                        void (*hello)(const char *text), struct error *error);

#endif
