/* Any bytes as a search asked for over the wire: no crash, and a refusal always says why. */
#include <stddef.h>
#include <stdint.h>

#include "protocols/ask.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ask ask;
    struct error error = {0};
    if (ask_parse((const char *)data, size, &ask, &error) == STATUS_OK) {
        if (!ask.position || ask.limits.wall_seconds < 0) {
            __builtin_trap();
        }
        ask_free(&ask);
    } else if (error.text[0] == '\0') {
        __builtin_trap();
    }
    return 0;
}
