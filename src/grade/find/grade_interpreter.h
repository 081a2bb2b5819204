/* Where this machine has interpreters of Python: on the PATH, in an environment that is active, in pyenv, conda and
 * /opt. Only looked for, never started. */
#ifndef SORTIE_GRADE_FIND_GRADE_INTERPRETER_H
#define SORTIE_GRADE_FIND_GRADE_INTERPRETER_H

#include <limits.h>
#include <stdbool.h>

struct grade_interpreter {
    char path[PATH_MAX];
    char shown[2][PATH_MAX]; /* files or folders it needs that are not the system's; "" for none */
    char version[32];        /* "2.7.18", or as much of it as its place says; "" unknown */
    bool asked;              /* it was started, and the version is its own word */
    char problem[300];       /* why it cannot be started; "" when it can, or nobody has tried */
};

#define GRADE_MOST_INTERPRETERS 48
struct grade_interpreters {
    struct grade_interpreter list[GRADE_MOST_INTERPRETERS]; /* those to be preferred first */
    int count;
};

/* Fills an empty list. A program must not see `secrets` (paths ended by NULL): a folder that holds one of them, or
 * somebody's home, is not shown whole. */
void grade_interpreters_find(struct grade_interpreters *found, const char *const *secrets);
/* Puts one at the front of the list, or finds it there; NULL when the list is full. */
struct grade_interpreter *grade_interpreters_add(struct grade_interpreters *found, const char *path,
                                                 const char *version, bool first, const char *const *secrets);
/* Whether a version begins with the parts of another: 3.8.18 with 3.8, not 3.80 with 3.8. */
bool grade_version_fits(const char *version, const char *wanted);

#endif
