/* Judging one submission: the ways it may be run, over the cases, and which of them counts. */
#ifndef SORTIE_GRADE_GRADE_TRY_H
#define SORTIE_GRADE_GRADE_TRY_H

#include "grade/grade.h"

/* Where what is found out goes. Each returns false to stop. */
struct grade_keeper {
    bool (*build)(void *user, const struct grade_submission *submission);
    bool (*result)(void *user, int submission, int case_number, const struct grade_result *result);
    void *user;
};

/* Prepares a submission and judges the cases that have no result yet. Where several ways are as likely, each is run
 * until one passes everything, and the best is kept. Only a failure of the machine is an error. */
enum status grade_try(struct warden *warden, struct grade *grade, int submission, const struct grade_options *options,
                      const struct grade_keeper *keeper, struct error *error);

/* Runs a command, words ended by zeros, on one case and judges what it leaves. */
enum status grade_run_case(struct warden *warden, const struct grade_case *one, const char *command,
                           const struct grade_options *options, struct grade_result *result, struct error *error);

/* The options that hold for one submission: the teacher may have said others for it. */
struct grade_options grade_options_for(const struct grade_submission *submission, const struct grade_options *options);

#endif
