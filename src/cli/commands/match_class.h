/* match --class: a folder of submissions becomes the players. */
#ifndef SORTIE_CLI_COMMANDS_MATCH_CLASS_H
#define SORTIE_CLI_COMMANDS_MATCH_CLASS_H

#include "cli/secure.h"
#include "results/plan.h"

struct match_class {
    const char *folder;
    const char *overrides; /* NULL: none */
    const char *database;  /* the results file; what is built is kept beside it */
    int depth;             /* 0: by the clock */
    int workers;
    const struct cli_programs *programs;
};

/* Builds the class and adds everybody who can play; 0, or the exit status. */
int match_class_add(struct plan *plan, const struct match_class *class);

#endif
