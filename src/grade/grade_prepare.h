/* Making a submission ready to run, in steps, each a run of its own in the sandbox:
 *
 *  1. This same program lays out what was handed in under /build and finds the ways to build and run it.
 *  2. Where one is Python, each Python there is compiles its files, and runs nothing of them.
 *  3. The build, by the submission's own Makefile or a compiler: strangers' code. It sees /build, and nothing of ours.
 *  4. This program again looks for what came out of it, where only that tells what to run.
 *
 * The plan is what 1 and 4 leave in the scratch folder, which is thrown away between the steps: a build cannot write
 * one. Nothing a student wrote is unpacked, read or compiled outside; outside, files are only copied in. */
#ifndef SORTIE_GRADE_GRADE_PREPARE_H
#define SORTIE_GRADE_GRADE_PREPARE_H

#include "grade/find/grade_interpreter.h"
#include "grade/grade.h"

/* A submission that was laid out in a warden's /build: the ways it may be run, likeliest first. */
struct grade_prepared {
    struct grade_plan plan;
    const struct grade_interpreter *pythons[GRADE_MOST_WAYS]; /* of each way that has one, or NULL; never freed */
};

/* Steps 1 and 2. Only a failure of the machine is an error: whatever the submission causes is in its build. Afterwards
 * grade_prepared_free in any case. */
enum status grade_prepare(struct grade_prepared *prepared, struct warden *warden, struct grade_submission *submission,
                          const struct grade_options *options, struct error *error);
/* Steps 3 and 4 for one way: fills submission->build and *command, the words that run it, each ended by a zero and all
 * by another. The warden's runs are shown /build read-only from now on, and the interpreter. */
enum status grade_prepare_way(struct grade_prepared *prepared, int way, struct warden *warden,
                              struct grade_submission *submission, const struct grade_options *options,
                              struct text *command, struct error *error);
/* The first way that can be built, for callers who have no cases to tell ways apart. */
enum status grade_prepare_first(struct grade_prepared *prepared, struct warden *warden,
                                struct grade_submission *submission, const struct grade_options *options,
                                struct text *command, struct error *error);
void grade_prepared_free(struct grade_prepared *prepared);

/* The word that makes `sortie grade` do a step inside: GRADE_INSIDE lay-out SOURCE BUILD, or GRADE_INSIDE look-again
 * BUILD WAY. */
#define GRADE_INSIDE "--inside"
#define GRADE_INSIDE_LAY_OUT "lay-out"
#define GRADE_INSIDE_LOOK_AGAIN "look-again"
/* The files in the current folder: what a step is told, and the plan that it leaves and the second one finds there. */
#define GRADE_BRIEF_FILE "brief"
#define GRADE_PLAN_FILE "plan"
#define GRADE_MOST_PLAN ((size_t)4 << 20)
/* The exit status of a step that failed for no fault of the submission; the reason is on standard error. */
#define GRADE_INSIDE_MACHINE 3

/* The steps; each returns the exit status of the process. */
int grade_lay_out(const char *source, const char *build);
int grade_look_again(const char *build, const char *way);

#endif
