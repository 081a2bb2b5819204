/* Which Python runs a program: asked by letting each that this machine has compile the program's own files, inside the
 * sandbox. Compiling runs nothing of them. */
#ifndef SORTIE_GRADE_GRADE_PYTHONS_H
#define SORTIE_GRADE_GRADE_PYTHONS_H

#include "grade/find/grade_interpreter.h"
#include "grade/grade_prepare.h"

/* Gives every way of Python its interpreter; where two would do there are two ways afterwards, the likelier first. Only
 * a failure of the machine is an error. */
enum status grade_pythons_settle(struct grade_prepared *prepared, struct warden *warden,
                                 const struct grade_submission *submission, const struct grade_options *options,
                                 struct error *error);
/* The same for a way that turned out to be Python after it was built: it gets the likelier one. */
enum status grade_pythons_settle_one(struct grade_prepared *prepared, int way, struct warden *warden,
                                     const struct grade_submission *submission, const struct grade_options *options,
                                     struct error *error);

/* The compiler or interpreter of a way that is not Python, with its version as it tells it; "" when it has none. */
void grade_tool_version(struct warden *warden, const struct grade_way *way, const struct grade_options *options,
                        char tool[64]);

/* The first interpreter that fits a version ("3", "2.7") or is at a path, and can be started; NULL when there is none,
 * with why in `problem`. Kept for the whole process. */
const struct grade_interpreter *grade_pythons_get(struct warden *warden, const char *wanted,
                                                  const struct grade_options *options, char problem[400]);

/* Lets the runs of a warden see an interpreter. */
void grade_pythons_show(const struct grade_interpreter *python, struct warden_view *view);

/* What a program that ended with this on standard error lacks on this machine: a module that can be installed and is
 * not there. False when it lacks nothing; otherwise *python may be another interpreter that has it. */
bool grade_pythons_lacks(struct warden *warden, const char *errors, const struct grade_options *options,
                         const struct grade_interpreter **python, char tool[32], char problem[400]);

#endif
