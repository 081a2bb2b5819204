/* Puzzles: positions with one right move, and the file that holds them, one a line:
 *
 *   win;MOVES;STARS;MOVE;POSITION           the side to move wins within MOVES of its moves, and no sooner; MOVE is the
 *                                           only first move that does
 *   best;VALUE:SECOND;STARS;MOVE;POSITION   MOVE leads to the margin VALUE for the side to move, every move that leads
 *                                           to another board to SECOND at most
 *
 * POSITION is sortie's own text with "/" for the ends of its lines. Lines that begin with # say what the file is. The
 * puzzles of a game stand together, easy ones first. */
#ifndef SORTIE_TOOLS_PUZZLES_PUZZLE_H
#define SORTIE_TOOLS_PUZZLES_PUZZLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sortie/sortie.h"

#define PUZZLE_MOST_TEXT 1024
#define PUZZLE_MOST_WIN 5        /* moves of the winner that are looked for */
#define PUZZLE_NODES 20000000ULL /* for each question about a win */
#define PUZZLE_STARS 5

enum puzzle_kind { PUZZLE_WIN, PUZZLE_BEST };

struct puzzle {
    enum puzzle_kind kind;
    int moves;  /* win: in how many */
    int value;  /* best: what the move leads to */
    int second; /* and what the next best one does */
    int stars;  /* 1 to PUZZLE_STARS */
    int hard;   /* what the stars are given by; not in the file */
    int order;  /* where it was found, so that sorting decides nothing by chance */
    sortie_move move;
    char text[PUZZLE_MOST_TEXT]; /* the position, "/" for line ends */
};

/* A list that grows. */
struct puzzles {
    struct puzzle *list; /* owned */
    int count;
    int room;
};

/* -- the file (file.c) -- */

/* False when there is no memory. */
bool puzzles_add(struct puzzles *puzzles, const struct puzzle *puzzle);
void puzzles_free(struct puzzles *puzzles);

/* Writes one line. */
void puzzle_write(FILE *out, const struct puzzle *puzzle);

/* Reads a whole file's text; every position and move is tried by the rules. What was read before a fault stays. */
enum status puzzles_read(const char *bytes, size_t length, struct puzzles *puzzles, struct error *error);

/* The position of a puzzle, to be freed; NULL with the reason. */
sortie_position *puzzle_position(const struct puzzle *puzzle, sortie_error *error);

/* Takes a position's text into a puzzle; false when it is too long. */
bool puzzle_take_text(struct puzzle *puzzle, const char *text);

/* -- wins of Gomoku (wins.c) -- */

/* Finds so many in the engine's games against itself, and in positions of the certificate in the file `proof` (NULL:
 * none). False when the machine fails. */
bool wins_find(struct puzzles *puzzles, uint64_t seed, int from_games, int from_proof, const char *proof);

/* Proves a puzzle again from its text; otherwise *why says what does not hold. */
bool wins_check(const struct puzzle *puzzle, const char **why);

/* -- best moves of games with margins (margins.c) -- */

bool margins_find(struct puzzles *puzzles, uint64_t seed, const char *game, const char *rules, int count);
bool margins_check(const struct puzzle *puzzle, const char **why);

#endif
