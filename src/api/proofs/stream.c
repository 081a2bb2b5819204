#include "api/proofs/stream.h"

#include <stdint.h>
#include <stdlib.h>

FILE *stream_in(const char *bytes, size_t length) {
    return fmemopen((void *)(uintptr_t)bytes, length, "r"); /* only read */
}

bool stream_out_open(struct stream_out *out) {
    *out = (struct stream_out){0};
    out->stream = open_memstream(&out->bytes, &out->length);
    return out->stream;
}

char *stream_out_close(struct stream_out *out) {
    if (!out->stream) {
        return NULL;
    }
    bool good = !ferror(out->stream);
    good = fclose(out->stream) == 0 && good;
    out->stream = NULL;
    if (!good) {
        free(out->bytes);
        out->bytes = NULL;
    }
    return out->bytes;
}
