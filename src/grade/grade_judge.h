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

/* The times of a run of this case. Where CPU time counts, the wall clock does not end a program that is computing or
 * waiting for a processor that others have; only one that does neither, or a machine that never lets it run. */
void grade_time_limits(const struct grade_case *one, const struct grade_options *options, struct warden_limits *limits);

#endif
