/* Judging one run of one program on one case. */
#ifndef SORTIE_GRADE_GRADE_JUDGE_H
#define SORTIE_GRADE_GRADE_JUDGE_H

#include "grade/grade.h"

/* Whether the course leaves the move free: then every legal one is right, or every best one. */
bool grade_is_free(const struct grade_case *one);
/* Whether CPU time counts for a case. */
bool grade_counts_cpu(const struct grade_case *one, const struct grade_options *options);

/* Judges what a run left in the warden's folder. Only a failure of the machine is an error. */
enum status grade_judge(struct warden *warden, const struct grade_case *one, const struct grade_options *options,
                        const struct warden_report *report, struct grade_result *result, struct error *error);
/* The result of a submission that cannot be run at all. */
void grade_judge_unready(const struct grade_case *one, const char *reason, struct grade_result *result);

#endif
