/* The core of a certificate: its hard moves. */
#ifndef SORTIE_PROVE_CORE_CONVERT_H
#define SORTIE_PROVE_CORE_CONVERT_H

#include <stdatomic.h>

#include "prove/core/unfold.h"

/* Appends the core of a certificate that a side wins at Gomoku, which must be all of the bytes and should have been
 * checked. Memory is six times its length. *result says what its unfolding comes to. */
enum status core_convert(const uint8_t *bytes, size_t length, const atomic_bool *stop,
                         void (*progress)(void *user, uint64_t bytes), void *user, struct text *core,
                         struct unfold *result, struct error *error);

#endif
