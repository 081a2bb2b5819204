/* What the explanations share. */
#ifndef SORTIE_EXPLAIN_EXPLAIN_PARTS_H
#define SORTIE_EXPLAIN_EXPLAIN_PARTS_H

#include "explain/explain.h"
#include "formats/course_answer.h"

/* A traversal log, from its first difference on; explain_log.c. */
void explain_log(const struct explain_pair *pair, int line, struct text *out);

/* "label   text": a line of an explanation. The text is ours or clean already. */
#define EXPLAIN_LABEL "  %-9s "
void explain_add_line(struct text *out, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Appends a stranger's line, clean, in quotes; "nothing more" where there is none. */
void explain_add_quoted(struct text *out, struct course_line line);

#endif
