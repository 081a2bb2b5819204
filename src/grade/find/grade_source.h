/* What a source file says about itself: which files of a course it names, whether a program begins in it, and which
 * other files it uses. Nothing is run, and nothing is believed: this is evidence for grade_choose.h to weigh. */
#ifndef SORTIE_GRADE_FIND_GRADE_SOURCE_H
#define SORTIE_GRADE_FIND_GRADE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "grade/find/grade_python.h"

/* What stands in the texts of a source, as bits. */
enum grade_says {
    GRADE_SAYS_INPUT = 1 << 0,     /* input.txt */
    GRADE_SAYS_OUTPUT = 1 << 1,    /* output.txt */
    GRADE_SAYS_NEXT = 1 << 2,      /* next_state.txt */
    GRADE_SAYS_LOG = 1 << 3,       /* traverse_log.txt */
    GRADE_SAYS_TRACE = 1 << 4,     /* trace_state.txt */
    GRADE_SAYS_METHOD = 1 << 5,    /* MINIMAX, ALPHABETA or COMPETITION */
    GRADE_SAYS_STAKE = 1 << 6,     /* Stake or Raid */
    GRADE_SAYS_MOVE = 1 << 7,      /* move_file */
    GRADE_SAYS_GO = 1 << 8,        /* .go */
    GRADE_SAYS_LASER = 1 << 9,     /* laser or emitter, also as a name */
    GRADE_SAYS_ARGUMENTS = 1 << 10 /* uses its command line */
};

struct grade_source {
    bool has_main;            /* a main function, a main class, or the test of __name__ */
    bool runs;                /* has_main, or statements of Python that do something when the file is run */
    unsigned says;            /* enum grade_says */
    struct text uses;         /* names of modules, classes or headers, each ended by a zero */
    char class[200];          /* of Java: the one main is in, with its package; "" otherwise */
    char public[120];         /* of Java: the type whose name javac wants the file to have; "" none */
    bool latin;               /* the bytes are no UTF-8 */
    enum grade_python python; /* of Python */
    struct grade_python_sign sign;
};

/* Adds what stands in a text to the bits. */
unsigned grade_says_of(const char *bytes, size_t length);

/* C, C++ and Java; `path` names the file. The text is changed: comments and texts become blanks. */
void grade_source_c(char *text, size_t length, struct grade_source *source);
void grade_source_java(char *text, size_t length, const char *path, struct grade_source *source);
void grade_source_python(const char *text, size_t length, struct grade_source *source);
/* A script of another kind. */
void grade_source_script(const char *text, size_t length, struct grade_source *source);
void grade_source_free(struct grade_source *source);

/* Adds a name to a list of zero-ended ones, once; false when the list is long enough. */
bool grade_source_add_name(struct text *list, const char *name, size_t length);

#endif
