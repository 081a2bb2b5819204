#include "base/line_input.h"

#include <string.h>

#include "base/assert.h"

bool line_input_take(struct line_input *input, const char **line, size_t *length) {
    ASSERT(input->taken <= input->bytes.length);
    const char *at = text_string(&input->bytes) + input->taken;
    size_t left = input->bytes.length - input->taken;
    const char *end = left > 0 ? memchr(at, '\n', left) : NULL;
    if (left == 0 || (!end && !input->ended && left < input->most)) {
        return false;
    }
    *line = at;
    *length = end ? (size_t)(end - at) : left;
    input->taken += *length + (end != NULL);
    return true;
}

void line_input_add(struct line_input *input, const char *bytes, size_t length) {
    size_t left = input->bytes.length - input->taken;
    if (left > 0 && input->taken > 0) {
        memmove(input->bytes.data, input->bytes.data + input->taken, left);
    }
    input->bytes.length = left;
    input->taken = 0;
    text_add(&input->bytes, bytes, length);
    input->ended = length == 0 || input->bytes.broken;
}

void line_input_free(struct line_input *input) {
    text_free(&input->bytes);
}
