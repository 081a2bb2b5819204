/* What the files of `sortie database` share. */
#ifndef SORTIE_CLI_ANALYSIS_DATABASE_H
#define SORTIE_CLI_ANALYSIS_DATABASE_H

#include "analysis/tree.h"
#include "cli/cli.h"
#include "games/gomoku/rules/gomoku.h"

struct database_job {
    const char *path;     /* of the database */
    const char *position; /* a file; NULL: none */
    struct cli_source source;
    const char *import;
    const char *export;
    const char *merge;
    const char *comment;
    const char *label;
    const char *mark;
    const char *rules;
    int size;
    bool delete;
    bool prune;
    bool json;
    int variant;             /* of --rules */
    int mark_square;         /* and of --mark, */
    const char *mark_text;   /* whose text this is */
    struct gametrees trees;  /* of --import */
    bool played;             /* they are games */
    struct analyses *others; /* of --merge */
    const char *doing;       /* for the line of progress */
    struct analyses *analyses;
    struct course_request request; /* the position, where there is one */
};

/* Prints what is wrong with the database and returns the exit status. */
int database_fail(const struct database_job *job, const struct error *error, enum status status);

/* Both print, and return the exit status. */
int database_show_position(struct database_job *job);
int database_show_all(struct database_job *job);

#endif
