/* A proof tree of Gomoku as a certificate. */
#ifndef SORTIE_PROVE_WRITE_H
#define SORTIE_PROVE_WRITE_H

#include "prove/certificate.h"
#include "prove/prover.h"

/* Writes the proof that prover_build made, for the position the prover stands at; false when there is no memory. */
bool write_proof(struct prover *prover, const struct tree *tree, int32_t root, FILE *stream,
                 struct certificate *certificate);

#endif
