/* What is proved is played: certificates of Gomoku wins (docs/proofs.md) as a book. They are data beside the program,
 * not inside it: the file or files that the environment's SORTIE_PROOFS names, as a list of paths, otherwise
 * share/sortie/gomoku.proof of the installation. They are read when first asked for. A file is believed when its digest
 * and its moves are in order; `sortie verify` is for those who believe nothing. */
#ifndef SORTIE_GAMES_GOMOKU_BOOK_BOOK_H
#define SORTIE_GAMES_GOMOKU_BOOK_BOOK_H

#include "games/gomoku/rules/gomoku.h"
#include "games/gomoku/rules/swap_table.h"

#define BOOK_MOST_BYTES ((size_t)1 << 30) /* of a file of certificates */

/* A position whose side to move is proved to win, or to lose. Inside a win that answers many replies alike it stands
 * without that reply's stone, and holds with one more stone of the loser's on any square the cover leaves free. */
struct book_entry {
    uint64_t key;
    uint16_t move;  /* that wins; UINT16_MAX where the side to move loses */
    uint16_t plies; /* at most so many to the five */
    uint32_t cover; /* 0: the position as it is; else the cover's number from 1, and below it three bits: which
                       symmetry leads from the cover to the key's board */
};

/* The replies that one win does not answer. */
struct book_cover {
    uint64_t squares[4];
};

struct book {
    struct book_entry *entries; /* owned; in the order of their keys */
    size_t count;
    size_t room;
    struct book_cover *covers; /* owned */
    size_t cover_count;
    size_t cover_room;
};

/* Adds the certificates in a buffer. False when one of them is of another game or claim or out of order, or there is no
 * memory; then the book is as it was. */
bool book_read(struct book *book, const uint8_t *bytes, size_t length);
void book_free(struct book *book);
/* The same for the game interface, and the choice of the swap is told. */
enum status book_add(struct book *book, const char *bytes, size_t length, size_t *positions, struct error *error);

/* The proved move of the position or one that is symmetric to it. */
bool book_look_up(const struct book *book, const struct gomoku_position *position, uint16_t *move, int *plies);

/* Whether the side to move is proved to lose, in so many plies at most. */
bool book_look_up_lost(const struct book *book, const struct gomoku_position *position, int *plies);
/* The reply of a lost position against which the proof takes longest; false when it has no reply on its own. */
bool book_resist(const struct book *book, const struct gomoku_position *position, uint16_t *move);

/* What is proved about the first stone on a square of 15x15. */
enum gomoku_swap_proof book_first_stone(const struct book *book, int square);
/* Tells the choice of the swap what the book has about first stones. */
void book_settle_swap(const struct book *book);

/* Both at once, as the game interface asks: with moves closed nothing is known, since a proof may need them. */
bool book_known(const struct book *book, const struct gomoku_position *position, const struct gomoku_wishes *wishes,
                struct game_known *known);

#endif
