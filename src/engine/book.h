/* What is proved is played: certificates of Gomoku wins (docs/proofs.md) as a book. They are data beside the program,
 * not inside it: the file or files that the environment's SORTIE_PROOFS names, separated by colons, otherwise
 * share/sortie/gomoku.proof of the installation. They are read when first asked for. A file is believed when its digest
 * and its moves are in order; `sortie verify` is for those who believe nothing. */
#ifndef SORTIE_ENGINE_BOOK_H
#define SORTIE_ENGINE_BOOK_H

#include "games/gomoku/gomoku.h"

/* A position in which the side to move is proved to win. */
struct book_entry {
    uint64_t key;
    uint16_t move;
    uint16_t plies; /* at most so many to the five */
};

struct book {
    struct book_entry *entries; /* owned */
    size_t count;
    size_t room;
};

/* Adds the certificates in a buffer; those of other games and claims are passed over. False when something in it is out
 * of order or there is no memory; then the book is as it was. */
bool book_read(struct book *book, const uint8_t *bytes, size_t length);
void book_free(struct book *book);

/* The proved move of the position or one that is symmetric to it. */
bool book_look_up(const struct book *book, const struct gomoku_position *position, uint16_t *move, int *plies);

/* The same in the installed book. */
bool book_find(const struct gomoku_position *position, uint16_t *move, int *plies);

#endif
