/* Pairs of empty squares that keep a side from five for ever: whenever it plays on one of a pair, the other side, the
 * defender, takes its partner. Every five squares in a row that the defender has no stone in (a line) contain a pair.
 * Such pairs are looked for by local search; what it ends with, where lines remain without a pair, still says how far
 * the defender is from having them. */
#ifndef SORTIE_PROVE_SEARCH_PAIRING_H
#define SORTIE_PROVE_SEARCH_PAIRING_H

#include "games/gomoku/board/board.h"

#define PAIRING_MOST_LINES 640 /* 572 on 15x15 */
#define PAIRING_WORDS (PAIRING_MOST_LINES / 64)
#define PAIRING_UNIT 32 /* the cost of a line that is as good as lost */

struct pairing {
    int count;
    uint16_t squares[GOMOKU_MOST_SQUARES]; /* two a pair */
};

struct line_set {
    uint64_t words[PAIRING_WORDS];
};

/* The lines of a position. */
struct pairing_lines {
    int board_squares;
    int count;
    int words;                                    /* in use of each set */
    struct line_set through[GOMOKU_MOST_SQUARES]; /* each empty square */
    uint16_t squares[PAIRING_MOST_LINES][5];      /* the empty squares of each line */
    uint8_t room[PAIRING_MOST_LINES];             /* how many they are */
};

/* What chosen pairs mean for 64 lines, one bit each. */
struct pairing_word {
    uint64_t open;       /* the defender has no stone in it yet */
    uint64_t served;     /* has a pair or two */
    uint64_t twice;      /* has two */
    uint64_t outside[3]; /* how many of its squares are in no pair, bit by bit */
};

/* Chosen pairs. The attacker may get one square of each, so a line without a pair counts by its squares outside all
 * pairs: 1 for five of them, and twice as much for each one fewer, as chances go; far more for one or none. */
struct pairing_state {
    struct pairing_word words[PAIRING_WORDS];
    int16_t partner[GOMOKU_MOST_SQUARES]; /* or -1 */
    int cost;                             /* of all open lines without a pair; 0: the pairs hold */
};

void pairing_lines_make(struct pairing_lines *lines, const struct gboard *board, int defender);

/* No pairs. */
void pairing_start(const struct pairing_lines *lines, struct pairing_state *state);

/* What is in use of a state. */
void pairing_copy(const struct pairing_lines *lines, struct pairing_state *to, const struct pairing_state *from);

/* The defender gets an empty square. */
void pairing_block(const struct pairing_lines *lines, struct pairing_state *state, int square);

/* The attacker gets an empty square. */
void pairing_take(const struct pairing_lines *lines, struct pairing_state *state, int square);

/* And gives it back. */
void pairing_leave(const struct pairing_lines *lines, struct pairing_state *state, int square);

/* Whether the defender holds with these pairs, either side being to move. */
bool pairing_holds(const struct pairing_lines *lines, const struct pairing_state *state, bool defender_moves);

/* Looks for better pairs, for so many steps at most or until they hold; the best remain. The same seed gives the same
 * pairs. */
void pairing_improve(const struct pairing_lines *lines, struct pairing_state *state, int steps, uint64_t seed,
                     bool defender_moves);

/* Likewise with the attacker to move, but gives up where the pairs cost more than is ever made good. */
void pairing_attempt(const struct pairing_lines *lines, struct pairing_state *state, int steps, uint64_t seed);

/* What the open lines through each empty square cost that have no pair. */
void pairing_costs(const struct pairing_lines *lines, const struct pairing_state *state, int *costs);

/* The chosen pairs. */
void pairing_list(const struct pairing_lines *lines, const struct pairing_state *state, struct pairing *pairing);

#endif
