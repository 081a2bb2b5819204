/* Which Python a program was written for. */
#ifndef SORTIE_GRADE_FIND_GRADE_PYTHON_H
#define SORTIE_GRADE_FIND_GRADE_PYTHON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum grade_python {
    GRADE_PYTHON_ANY,       /* nothing speaks against Python 3 */
    GRADE_PYTHON_2_NAMES,   /* uses names only Python 2 knows (xrange, raw_input, ...), but may be run by Python 3 */
    GRADE_PYTHON_2,         /* Python 3 cannot read it, or its first line asks for Python 2 */
    GRADE_PYTHON_3_REQUIRED /* its first line asks for Python 3 */
};

struct grade_python_sign {
    int line;         /* where it was seen, from 1 */
    const char *what; /* "a print statement"; never freed */
};

enum grade_python grade_python_version(const char *bytes, size_t length, struct grade_python_sign *sign);

/* All that a source says about itself. */
struct grade_python_facts {
    enum grade_python version;
    struct grade_python_sign sign;
    bool has_main;       /* asks whether its name is __main__ */
    bool runs;           /* has statements at its left edge that do something */
    unsigned says;       /* enum grade_says of its texts */
    struct text imports; /* owned: dotted names of modules, each ended by a zero; "from a import b" gives a and a.b */
};

/* Fills the facts, which must be empty. */
void grade_python_read(const char *bytes, size_t length, struct grade_python_facts *facts);

#endif
