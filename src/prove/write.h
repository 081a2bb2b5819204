/* A proof tree of Gomoku as a certificate. */
#ifndef SORTIE_PROVE_WRITE_H
#define SORTIE_PROVE_WRITE_H

#include "prove/certificate.h"
#include "prove/search/prover.h"

enum write_outcome { WRITE_DONE, WRITE_STOPPED, WRITE_NO_MEMORY };

/* Writes the proof that prover_build made, for the position the prover stands at. `patient`: to the end, also when time
 * runs out or the search is stopped; otherwise the stream may be left with part of it. */
enum write_outcome write_proof(struct prover *prover, const struct tree *tree, int32_t root, FILE *stream, bool patient,
                               struct certificate *certificate);

/* Writes a win by threats of the side to move on the board: the hero's node, without names. */
void write_win(struct gboard *board, const struct tree *tree, int32_t node, struct certificate *certificate);

#endif
