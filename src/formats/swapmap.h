/* The swap map: what the first stone of a game is worth on each square of 15x15, when the other side moves next.
 *
 * Symmetry leaves 36 squares, written in the order A1, A2, B2, A3, … H8. The file has one line a square:
 *
 *   # any comment
 *   square value depth nodes won drawn lost proved
 *   A1     -412  13    5000000 0 1 39
 *   B2     -350  13    5000000 2 0 38 other
 *
 * `value` is the search's, for the owner of the stone; won, drawn and lost are the owner's in games the engine played
 * against itself from there. Behind them, where it is proved, who wins: the owner or the other side. With a question
 * mark, other?, that is a claim: there was a proof, and none is kept that could be checked. It counts for nothing. */
#ifndef SORTIE_FORMATS_SWAPMAP_H
#define SORTIE_FORMATS_SWAPMAP_H

#include "base/reader.h"
#include "base/text.h"
#include "games/gomoku/rules/swap_table.h"

struct swapmap_entry {
    bool known;
    int value;
    int depth;
    uint64_t nodes;
    int won, drawn, lost;
    enum gomoku_swap_proof proof;
    enum gomoku_swap_proof claim; /* of a proof that is not there to be checked */
};

struct swapmap {
    struct swapmap_entry entries[GOMOKU_SWAP_SQUARES];
    char comment[240]; /* the first comment of the file, without its mark: how it was made */
};

/* The chance of the stone's owner in thousandths, 500 is even: the games, with the search's value weighing as much as a
 * few more games. Neighbouring squares are much alike and games are few, so those of the neighbours count in part. */
int swapmap_estimate(const struct swapmap *map, int index);
/* The same, but 1000 or 0 where it is proved who wins. */
int swapmap_share(const struct swapmap *map, int index);

/* Squares that are missing from the file are unknown afterwards. */
enum status swapmap_parse(const char *bytes, size_t length, struct swapmap *map, struct error *error);
void swapmap_write(const struct swapmap *map, struct text *text);

/* The table as C source, for src/games/gomoku/rules/swap_table.c; every square must be known. */
void swapmap_write_table(const struct swapmap *map, struct text *text);
/* A picture of the whole board, one coloured square each. */
void swapmap_write_svg(const struct swapmap *map, struct text *text);

#endif
