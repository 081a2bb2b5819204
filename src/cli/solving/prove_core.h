/* `sortie prove --core` and `--guide`: the core of a certificate, and what one tells. */
#ifndef SORTIE_CLI_SOLVING_PROVE_CORE_H
#define SORTIE_CLI_SOLVING_PROVE_CORE_H

#include "prove/search/proved.h"

/* Writes the core of a certificate in a file to another, which a certificate made of it is checked against. The exit
 * status. */
int prove_core(const char *certificate, const char *output);

/* Adds the moves of a core in a file to what is proved, where they guide other proofs. The exit status. */
int prove_learn(const char *path, struct proved *proved);

#endif
