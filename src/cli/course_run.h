/* Answers one course file: reads it, searches, and writes what the course expects where it expects it. The
 * body of `sortie move` and of the course-shaped programs; it stands on the public API alone. */
#ifndef SORTIE_CLI_COURSE_RUN_H
#define SORTIE_CLI_COURSE_RUN_H

#include "cli/cli.h"

struct course_options {
    const char *input;  /* "input.txt" */
    const char *output; /* the answer's file, or a folder to put all files in; NULL: the course's own names */
    const char *log;    /* the traversal log's file; NULL: the course's own */
    struct cli_source source;
    bool to_stdout;       /* print the answer instead of writing files */
    bool stats;           /* what the search did, on standard error */
    bool json;            /* the answer as JSON on standard output, besides the files */
    sortie_limits limits; /* of the engine; where one is set the engine is used, whatever the file asks for */
    sortie_engine_options engine;
};

/* Gives the exit status; every message is printed. */
int course_run(const struct course_options *options);

#endif
