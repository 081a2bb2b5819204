/* In a browser there are no files beside the program: what is known is what the page's user opened. */
#include "games/gomoku/book/book.h"
#include "games/gomoku/openings/installed.h"
#include "web.h"

static struct book opened;

void gomoku_known_prepare(void) {
    /* nothing lies there */
}

bool gomoku_known(const struct game_position *position, const void *wishes, struct game_known *known) {
    return book_known(&opened, gomoku_const(position), wishes, known);
}

enum status gomoku_known_add(const char *bytes, size_t length, size_t *positions, struct error *error) {
    return book_add(&opened, bytes, length, positions, error);
}

const struct openings *openings_installed(void) {
    static const struct openings none;
    return &none;
}

const char *openings_installed_path(void) {
    return "";
}

void web_forget_proofs(void) {
    book_free(&opened);
    opened = (struct book){0};
    book_settle_swap(&opened);
}
