/* Certificates in memory: written, checked, sealed again after they were changed. */
#ifndef SORTIE_TESTS_PROOF_FILE_H
#define SORTIE_TESTS_PROOF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct proof_file {
    char *bytes; /* owned */
    size_t length;
    FILE *stream;    /* while it is being written */
    char said[4000]; /* what the checker printed last */
};

/* Begins anew; write to `stream`, then close. */
void proof_file_open(struct proof_file *file);
void proof_file_close(struct proof_file *file);
void proof_file_free(struct proof_file *file);

/* Makes the digest right for the bytes before it. */
void proof_file_seal(struct proof_file *file);

/* What the checker says to the first `length` bytes: 0, 1 or 2. */
int proof_file_verify(struct proof_file *file, size_t length, bool naive);

#endif
