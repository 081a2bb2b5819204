/* Making a submission ready to run, in up to three steps, each a run of its own in the sandbox:
 *
 *  1. This same program lays out what was handed in under /build and finds out how it is built.
 *  2. The build, by the submission's own Makefile or a compiler: strangers' code. It sees /build, and nothing of ours.
 *  3. This program again looks for what came out of it.
 *
 * The plan is what 1 and 3 leave in the scratch folder, which is thrown away between the steps: a build cannot write
 * one. Nothing a student wrote is unpacked, read or compiled outside; outside, files are only copied in. */
#ifndef SORTIE_GRADE_GRADE_PREPARE_H
#define SORTIE_GRADE_GRADE_PREPARE_H

#include "grade/grade.h"

/* Fills submission->build and *command: the words that run it, each ended by a zero, for runs that are shown /build
 * read-only. Only a failure of the machine is an error: whatever the submission causes is in its build. */
enum status grade_prepare(struct warden *warden, struct grade_submission *submission,
                          const struct grade_options *options, struct text *command, struct error *error);

/* The word that makes `sortie grade` do a step inside: GRADE_INSIDE lay-out SOURCE BUILD, or GRADE_INSIDE look-again
 * BUILD RUN, where RUN may be "". */
#define GRADE_INSIDE "--inside"
#define GRADE_INSIDE_LAY_OUT "lay-out"
#define GRADE_INSIDE_LOOK_AGAIN "look-again"
/* The file in the current folder that a step leaves, and that the second one finds there. */
#define GRADE_PLAN_FILE "plan"
#define GRADE_MOST_PLAN ((size_t)4 << 20)
/* The exit status of a step that failed for no fault of the submission; the reason is on standard error. */
#define GRADE_INSIDE_MACHINE 3

/* The steps; each returns the exit status of the process. */
int grade_lay_out(const char *source, const char *build);
int grade_look_again(const char *build, const char *run_command);

#endif
