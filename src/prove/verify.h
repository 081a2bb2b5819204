/* Checking certificates (docs/proofs.md). verify.c is the whole of it: it shares no code with the engine, and compiled
 * with VERIFY_ALONE it is a program that needs not even this header. */
#ifndef SORTIE_PROVE_VERIFY_H
#define SORTIE_PROVE_VERIFY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Checks the certificates in a stream, one after the other, to its end. Prints what each proves to `out`, and the first
 * fault as one line to `errors`. `naive`: play every default through against every stone, believing no shortcut.
 * `progress`, if not NULL, is called now and then; false: stop. Returns the exit status of the process: 0 when all
 * hold, 1 when one does not, 2 when the stream holds something else. */
int verify_stream(FILE *in, const char *name, bool naive, bool (*progress)(uint64_t bytes, uint64_t steps), FILE *out,
                  FILE *errors);

#endif
