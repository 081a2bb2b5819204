/* Proofs of values: what a war board or a board of Laser Checkmate is worth, with certificates. A plain alpha-beta with
 * a table of bounds; it is there for boards small enough that their proofs can be kept, not for speed. */
#ifndef SORTIE_PROVE_VALUES_H
#define SORTIE_PROVE_VALUES_H

#include <stdatomic.h>
#include <stdio.h>

#include "game/game.h"

#define VALUES_MOST_SIZE 8

struct values_report {
    int32_t lower; /* what the side to move gets at the end, as far as is known */
    int32_t upper;
    bool settled;       /* they are the same, and the certificates are written */
    uint64_t positions; /* searched */
    uint64_t bytes;     /* of the certificates */
    uint64_t moves;     /* in them, of the heroes */
};

struct values_request {
    const struct game *game; /* war or Laser Checkmate */
    const struct game_position *position;
    FILE *stream;            /* gets a certificate for each side: what it has at least at the end. NULL: none wanted */
    size_t memory;           /* of the table; given up beyond. 0: no limit */
    double seconds;          /* of the wall clock; given up beyond. 0: no limit */
    const atomic_bool *stop; /* or NULL */
    /* Told now and then how things stand; may be NULL. */
    void (*progress)(void *user, const struct values_report *report);
    void *user;
};

/* Whether there are proofs of values in this game, on whatever board. */
bool values_know(const struct game *game);
/* Whether a position can be given to values_prove: of such a game, and small enough. */
bool values_take(const struct game *game, const struct game_position *position);

/* Works out the value. STATUS_FAIL when there is no memory; stopped or given up is no failure. */
enum status values_prove(const struct values_request *request, struct values_report *report, struct error *error);

#endif
