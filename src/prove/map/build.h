/* The proof of a position whose search is through, made as it is checked: its core, and the positions whose moves the
 * core tells. */
#ifndef SORTIE_PROVE_MAP_BUILD_H
#define SORTIE_PROVE_MAP_BUILD_H

#include "prove/core/unfold.h"
#include "prove/search/prover.h"

struct build {
    const struct gomoku_position *position;
    int hero;
    struct prover *prover; /* at this position: it knows the moves, or finds them */
    const atomic_bool *stop;
    void (*progress)(void *user, uint64_t bytes);
    void *user;
    /* What came of it. */
    struct text core;    /* owned */
    struct text records; /* owned; of a store */
    uint64_t bytes;      /* of the certificate */
    uint64_t positions;  /* that the checker went through */
};

/* STATUS_BAD_INPUT when a move is not to be had in time, or when it was stopped. */
enum status build_proof(struct build *build, struct error *error);
void build_free(struct build *build);

#endif
