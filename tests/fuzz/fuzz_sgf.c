/* Any bytes as an SGF: no crash, and what is accepted is written and read back the same. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "formats/records/sgf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct gomoku_position position;
    static struct gomoku_position again;
    struct error error = {0};
    if (sgf_read(&position, (const char *)data, size, &error) != STATUS_OK) {
        if (error.text[0] == '\0') {
            __builtin_trap();
        }
        return 0;
    }
    struct text text = TEXT_EMPTY;
    sgf_write(&position, &text);
    if (sgf_read(&again, text_string(&text), text.length, &error) != STATUS_OK ||
        memcmp(again.board, position.board, sizeof position.board) != 0) {
        __builtin_trap();
    }
    text_free(&text);
    return 0;
}
