/* Any bytes as a book of proofs: no crash, and nothing of what is refused stays. */
#include <stddef.h>
#include <stdint.h>

#include "games/gomoku/book/book.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct book book = {0};
    if (!book_read(&book, data, size) && book.count != 0) {
        __builtin_trap();
    }
    book_free(&book);
    return 0;
}
