/* In a browser there are no files beside the program: the book is what the page's user opened. */
#include "book.h"

struct book web_book;

bool book_find(const struct gomoku_position *position, uint16_t *move, int *plies) {
    return book_look_up(&web_book, position, move, plies);
}

bool book_find_lost(const struct gomoku_position *position, int *plies) {
    return book_look_up_lost(&web_book, position, plies);
}

void book_teach_swap(void) {
    /* it is told when a certificate is opened */
}
