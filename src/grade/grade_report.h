/* What is made from a grading: text, tables, a page, and Gradescope's results. Names and differences are strangers'
 * words: each format escapes them. */
#ifndef SORTIE_GRADE_GRADE_REPORT_H
#define SORTIE_GRADE_GRADE_REPORT_H

#include "grade/grade.h"

void grade_text(const struct grade *grade, struct text *out);
/* A line a submission and case; a line a submission. */
void grade_csv_cases(const struct grade *grade, struct text *out);
void grade_csv_students(const struct grade *grade, struct text *out);
void grade_html(const struct grade *grade, struct text *out);
/* results.json of one submission. */
void grade_gradescope(const struct grade *grade, int submission, struct text *out);

/* Each failure is explained once: the number of cases with the same explanation as this one, or 0 when the case passed,
 * was not run, or an earlier one has said the same. */
int grade_explains(const struct grade *grade, int submission, int case_number);
/* What a program said last on standard error: the exception of a trace, or the last line; "" when it said nothing. */
void grade_last_words(const struct grade_result *result, char words[200]);
/* The names of those cases, at most `most` of them. */
void grade_add_case_names(const struct grade *grade, int submission, int case_number, int most, struct text *out);
/* The same where nothing was run, because programs cannot be locked in here: only teachers see the reason and the
 * score.
 */
void grade_gradescope_refused(const char *reason, struct text *out);

#endif
