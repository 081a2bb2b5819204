/* autograder.zip for Gradescope: this program, the cases, and the two scripts that Gradescope calls. */
#ifndef SORTIE_GRADE_PLATFORM_GRADE_AUTOGRADER_H
#define SORTIE_GRADE_PLATFORM_GRADE_AUTOGRADER_H

#include "base/error.h"
#include "base/text.h"

struct grade_autograder {
    const char *program; /* a file: sortie, as it is packed */
    const char *cases;   /* the folder */
    const char *points;  /* files that become CASES/points.csv and CASES/overrides.csv; NULL: what is there */
    const char *overrides;
    const char *packages;       /* of Ubuntu, that submissions need; "" for none */
    const struct text *options; /* of `sortie grade`, zero-ended words */
};

/* What a program needs of the machine it runs on. */
enum grade_program_kind { GRADE_PROGRAM_STATIC, GRADE_PROGRAM_DYNAMIC, GRADE_PROGRAM_OTHER, GRADE_PROGRAM_NONE };
/* Linux on x86-64, in one file or with libraries; for something else; or no program at all. */
enum grade_program_kind grade_program_kind(const char *bytes, size_t length);

/* Makes the archive; the same files give the same bytes. */
enum status grade_autograder_pack(const struct grade_autograder *autograder, struct text *zip, struct error *error);

#endif
