/* Windows has no streams over memory: files that are kept in memory while there is room, and vanish when closed. */
#include "api/proofs/stream.h"

#include <stdlib.h>

#include <windows.h>

static FILE *open_nameless(void) {
    char folder[MAX_PATH + 1];
    char path[MAX_PATH + 1];
    DWORD length = GetTempPathA(sizeof folder, folder);
    bool named = length > 0 && length < sizeof folder && GetTempFileNameA(folder, "srt", 0, path) != 0;
    return named ? fopen(path, "w+bTD") : NULL; /* T: temporary, D: deleted when closed */
}

FILE *stream_in(const char *bytes, size_t length) {
    FILE *stream = open_nameless();
    if (stream && (fwrite(bytes, 1, length, stream) != length || fseek(stream, 0, SEEK_SET) != 0)) {
        fclose(stream);
        stream = NULL;
    }
    return stream;
}

bool stream_out_open(struct stream_out *out) {
    *out = (struct stream_out){.stream = open_nameless()};
    return out->stream;
}

char *stream_out_close(struct stream_out *out) {
    if (!out->stream) {
        return NULL;
    }
    long length = !ferror(out->stream) && fseek(out->stream, 0, SEEK_END) == 0 ? ftell(out->stream) : -1;
    bool good = length >= 0 && fseek(out->stream, 0, SEEK_SET) == 0;
    char *bytes = good ? malloc((size_t)length + 1) : NULL;
    if (bytes && fread(bytes, 1, (size_t)length, out->stream) == (size_t)length) {
        bytes[length] = '\0';
        out->bytes = bytes;
        out->length = (size_t)length;
    } else {
        free(bytes);
    }
    fclose(out->stream);
    out->stream = NULL;
    return out->bytes;
}
