/* Any two texts as an expected answer and a student's, with what was asked or without: an explanation is clean text,
 * and there is one exactly where they differ. The input is three texts, divided by bytes of zero. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "explain/explain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(const struct explain_pair *pair) {
    struct text out = TEXT_EMPTY;
    int line = explain(pair, &out);
    if (line > 0 && out.length == 0) {
        __builtin_trap();
    }
    for (size_t i = 0; i < out.length; i++) {
        if ((out.data[i] >= 0 && out.data[i] < ' ' && out.data[i] != '\n') || out.data[i] == 0x7f) {
            __builtin_trap();
        }
    }
    text_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *bytes = (const char *)data;
    const char *end = bytes + size;
    const char *parts[3] = {bytes, "", ""};
    size_t lengths[3] = {0, 0, 0};
    for (int i = 0; i < 3 && bytes <= end; i++) {
        const char *stop = bytes < end ? memchr(bytes, 0, (size_t)(end - bytes)) : NULL;
        stop = stop ? stop : end;
        parts[i] = bytes;
        lengths[i] = (size_t)(stop - bytes);
        bytes = stop + 1;
    }
    struct course_request request;
    bool known = course_parse(parts[0], lengths[0], NULL, &request, NULL) == STATUS_OK;
    struct explain_pair pair = {.name = "mine.txt",
                                .wanted = parts[1],
                                .wanted_length = lengths[1],
                                .found = parts[2],
                                .found_length = lengths[2],
                                .request = known ? &request : NULL};
    look_at(&pair);
    if (known) {
        course_request_free(&request);
    }
    return 0;
}
