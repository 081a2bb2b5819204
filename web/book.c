/* In a browser there are no files beside the program: no book is installed. */
#include "engine/book.h"

bool book_find(const struct gomoku_position *position, uint16_t *move, int *plies) {
    (void)position, (void)move, (void)plies;
    return false;
}
