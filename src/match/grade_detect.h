/* How a folder with somebody's program in it is built and run, found by looking at its files. */
#ifndef SORTIE_MATCH_GRADE_DETECT_H
#define SORTIE_MATCH_GRADE_DETECT_H

#include <stdbool.h>

#include "base/text.h"

enum grade_kind {
    GRADE_KIND_NONE,
    GRADE_KIND_C,
    GRADE_KIND_CPP,
    GRADE_KIND_JAVA,
    GRADE_KIND_PYTHON,
    GRADE_KIND_SCRIPT, /* run by an interpreter its ending names */
    GRADE_KIND_PROGRAM /* for the machine itself, or with a first line that says what runs it */
};

struct grade_file {
    char *path; /* owned; below the folder */
    enum grade_kind kind;
    bool has_main;  /* a main function, a main class, or the test of __name__ */
    char *class;    /* owned: of Java, with its package; NULL: none */
    bool was_there; /* before building */
};

struct grade_files {
    struct grade_file *list; /* owned */
    int count;
    bool has_makefile;
    bool has_cmake;
};

struct grade_plan {
    char how[160];
    char problem[320];     /* "" when all is well */
    char missing_tool[32]; /* a program needed for it that this machine does not have */
    struct text script;    /* for /bin/sh in the folder; empty: nothing to build */
    struct text command;   /* the words that run it, each ended by a zero; empty: look again after building */
};

/* The kind of file by its name and first bytes: enough to know whether it can be a submission by itself. */
enum grade_kind grade_kind_of(int folder, const char *name);

/* Lists what matters in an open folder. */
bool grade_files_read(struct grade_files *files, int folder);
void grade_files_free(struct grade_files *files);

/* Fills the plan for the files in the folder that is open and called `path`. */
void grade_detect(const struct grade_files *files, int folder, const char *path, struct grade_plan *plan);
/* Fills in the command after the script has run, from the files there are now. */
void grade_detect_built(const struct grade_files *before, struct grade_files *after, int folder, const char *path,
                        struct grade_plan *plan);
void grade_plan_free(struct grade_plan *plan);

/* Whether a program is found on the PATH. */
bool grade_has_tool(const char *name);
/* A word for /bin/sh. */
void grade_add_quoted(struct text *script, const char *word);

#endif
