/* `sortie prove` in the games of margins: what a small board is worth, with a certificate for each side. */
#ifndef SORTIE_CLI_COMMANDS_PROVE_VALUES_H
#define SORTIE_CLI_COMMANDS_PROVE_VALUES_H

#include "cli/cli.h"

struct prove_values_options {
    const char *output; /* where the certificates go; NULL: nowhere */
    double seconds;     /* given up after so long */
    size_t hash_bytes;  /* 0: the usual */
    int open_status;    /* the exit status when it was given up */
};

/* Proves, prints, and returns the exit status. */
int prove_values(const struct course_request *request, const struct prove_values_options *options);

#endif
