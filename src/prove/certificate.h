/* Certificates: proofs written down so that a program which believes nothing can check them (verify.c). This is the
 * writer: it puts down what it is told, in order, and keeps only the digest and the number of names. Several
 * certificates may follow each other in one file. certificate/certificate.h has the format. */
#ifndef SORTIE_PROVE_CERTIFICATE_H
#define SORTIE_PROVE_CERTIFICATE_H

#include <stdio.h>

#include "certificate/certificate.h"

struct certificate {
    FILE *stream; /* NULL: nowhere, it is only counted */
    uint64_t digest;
    uint64_t bytes; /* written so far */
    unsigned char waiting[4096];
    size_t waiting_bytes;
    uint64_t moves; /* of the hero's, written so far */
    uint32_t names; /* complete named nodes */
    int squares;
};

/* Writes the head. The stream must be binary; whoever closes it finds out whether all was written. */
void certificate_begin(struct certificate *certificate, FILE *stream, const struct certificate_claim *claim);
/* Writes the digest, after the root node is complete, and what is waiting. The stream stays open. */
void certificate_end(struct certificate *certificate);

/* The hero's move; unless it makes five the villain's node comes next. */
void certificate_move(struct certificate *certificate, int square);
/* Nodes of one code: WON, FORCED (the hero's node comes next) and BOUND. In the games of margins also COVER. */
void certificate_code(struct certificate *certificate, enum certificate_code code);
/* Gomoku: COVER. With a default write its node next; then certificate_replies, then a node for each reply. */
void certificate_cover(struct certificate *certificate, bool with_default);
void certificate_replies(struct certificate *certificate, const uint16_t *squares, int count);
/* 2 * count squares. */
void certificate_pairing(struct certificate *certificate, const uint16_t *squares, int count);
void certificate_refer(struct certificate *certificate, uint32_t name);
/* Write certificate_code(CERTIFICATE_NAME), the node, and then ask for its number. */
uint32_t certificate_named(struct certificate *certificate);

#endif
