/* Feeds arbitrary bytes to the reader of swap maps; what it accepts must read the same once written. */
#include <stdlib.h>
#include <string.h>

#include "formats/swapmap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct swapmap map;
    struct swapmap again;
    struct error error;
    if (swapmap_parse((const char *)data, size, &map, &error) != STATUS_OK) {
        return 0;
    }
    struct text text = TEXT_EMPTY;
    struct text second = TEXT_EMPTY;
    swapmap_write(&map, &text);
    if (!text.broken && swapmap_parse(text_string(&text), text.length, &again, &error) != STATUS_OK) {
        abort();
    }
    swapmap_write(&again, &second);
    if (!text.broken && !second.broken && strcmp(text_string(&text), text_string(&second)) != 0) {
        abort();
    }
    text_free(&text);
    text_free(&second);
    return 0;
}
