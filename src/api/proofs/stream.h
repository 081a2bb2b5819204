/* Bytes in memory as the streams that the prover writes and the checker reads. */
#ifndef SORTIE_API_PROOFS_STREAM_H
#define SORTIE_API_PROOFS_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct stream_out {
    FILE *stream;
    char *bytes; /* owned; current once the stream is closed */
    size_t length;
};

/* A stream over the bytes, of which there is at least one; NULL: the machine has none to give. */
FILE *stream_in(const char *bytes, size_t length);

/* False: the machine has none to give. */
bool stream_out_open(struct stream_out *out);
/* Closes it, if it is open. The bytes are the caller's, with a zero behind them; NULL when not all could be kept. What
 * was taken back by going back to an earlier place is not among them. */
char *stream_out_close(struct stream_out *out);

#endif
