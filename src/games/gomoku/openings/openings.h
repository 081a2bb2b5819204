/* The opening book: positions with the best moves that long searches found in them, and what these are worth once every
 * position behind them is looked at. One file has books of several rule sets and boards (file.h is its form).
 *
 * Positions that are images of each other are one position. It stands in the book as the least of its eight images: the
 * stones of each colour in the order of their squares, X and O in turn, so that the squares can be played one after the
 * other. Whole positions are compared, not hashes of them. */
#ifndef SORTIE_GAMES_GOMOKU_OPENINGS_OPENINGS_H
#define SORTIE_GAMES_GOMOKU_OPENINGS_OPENINGS_H

#include "base/text.h"
#include "games/gomoku/rules/gomoku.h"

#define OPENINGS_MOST_STONES 40
#define OPENINGS_MOST_MOVES 12
#define OPENINGS_MOST_POSITIONS 1000000
#define OPENINGS_DECIDED (GAME_WIN_VALUE - 1000) /* values from here on are forced wins */

struct openings_move {
    uint16_t square;
    int32_t value; /* for the side that plays it, by the search that found it */
    int32_t worth; /* the same by all that stands behind it (openings_settle) */
    int32_t child; /* the position behind it, or -1 (openings_settle) */
};

struct openings_position {
    uint16_t squares[OPENINGS_MOST_STONES];          /* zero behind `stones` */
    struct openings_move moves[OPENINGS_MOST_MOVES]; /* by value, the best first; one of each set of images */
    uint8_t variant;
    uint8_t size;
    uint8_t stones;
    uint8_t move_count; /* 0: wanted in the book, but not searched yet */
    bool proved;        /* the value of the best move is */
    uint16_t depth;     /* of the deepest search */
    uint32_t effort;    /* thousands of nodes of all its searches */
    int32_t worth;      /* for the side to move, of the best move (openings_settle) */
    int32_t cost;       /* of the cheapest line that leads there (openings_next) */
    uint64_t behind;    /* thousands of nodes searched here and in all positions behind it (openings_settle) */
};

struct openings {
    struct openings_position *positions; /* owned; in the order of openings_compare */
    size_t count;
    size_t room;
    struct text comment; /* lines that say how the book was made, each with its line end */
    uint64_t digest;     /* of the file it was read from */
};

void openings_free(struct openings *book);

/* Turns a position into its least image (rule set, size and squares; the rest is zero). Returns the symmetries that
 * lead there, a bit for each. The position must have at most OPENINGS_MOST_STONES stones. */
unsigned openings_fold(const struct gomoku_position *position, struct openings_position *folded);
/* The symmetries that leave the squares of a folded position where they are, 0 where they are not folded. */
unsigned openings_keep(const struct openings_position *position);
/* The least of the squares that those symmetries make of one. */
int openings_least_image(const struct openings_position *position, unsigned keep, int square);

/* Whether a position has all stones of another one when that is turned in some way; of that way alone in the second. */
bool openings_contains(const struct openings_position *position, const struct openings_position *part);
bool openings_contains_turned(const struct openings_position *position, const struct openings_position *part,
                              int symmetry);

/* The order of the book: by rule set, size, number of stones, squares. */
int openings_compare(const struct openings_position *a, const struct openings_position *b);
/* The position's index, or -1. */
int openings_find(const struct openings *book, const struct openings_position *folded);
/* Plays the squares on a board; false when a stone has no room, or somebody has won. */
bool openings_play(const struct openings_position *position, struct gomoku_position *board);

/* Puts a position into its place, or in the place of the one that is there. False when there is no memory. */
bool openings_put(struct openings *book, const struct openings_position *position);
/* Adds a move that is not there yet, in its place; false when there is no room for it. */
bool openings_add_move(struct openings_position *position, int square, int value);

/* After all positions are there: links them, and counts what moves and positions are worth back from the last ones. */
void openings_settle(struct openings *book);

#endif
