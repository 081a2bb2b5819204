/* Making a submission ready to run. The work is done inside the sandbox, by this same program started there: it lays
 * out what was handed in under /build, finds out how to build it, builds it, and leaves a short file that says how
 * it is run. Nothing a student wrote is unpacked, read or compiled outside. */
#ifndef SORTIE_MATCH_GRADE_PREPARE_H
#define SORTIE_MATCH_GRADE_PREPARE_H

#include "match/grade.h"

/* Fills submission->build and *command: the words that run it, each ended by a zero, for runs that are shown /build
 * read-only. Only a failure of the machine is an error. */
enum status grade_prepare(struct warden *warden, struct grade_submission *submission,
                          const struct grade_options *options, struct text *command, struct error *error);

/* The word that makes `sortie grade` do the part inside: GRADE_INSIDE SOURCE FOLDER BUILD RUN. */
#define GRADE_INSIDE "--prepare-inside"
/* Lays out `source` in the folder, which is empty or made, and prepares it; build_command and run_command may be "".
 * Leaves the file `plan` in the current folder. The exit status of the process. */
int grade_prepare_inside(const char *source, const char *folder, const char *build_command, const char *run_command);

#endif
