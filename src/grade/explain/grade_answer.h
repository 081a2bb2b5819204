/* What a teacher answers when asked which file is the program, kept in the table of overrides. */
#ifndef SORTIE_GRADE_EXPLAIN_GRADE_ANSWER_H
#define SORTIE_GRADE_EXPLAIN_GRADE_ANSWER_H

#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Adds a line to the bytes of a table, or begins one: this submission's program is that file. STATUS_BAD_INPUT when the
 * table has no columns for it. */
enum status grade_answer_add(const char *bytes, size_t length, const char *submission, const char *main,
                             struct text *out, struct error *error);

#endif
