/* Gomoku: stones in turn on an empty board of 5x5 to 22x22; a row of five wins. Four rule sets:
 *
 *   freestyle  five or more in a row win.
 *   exact      exactly five in a row win; six and more are nothing.
 *   renju      X wins with exactly five and may not make six or more, two fours or two threes at once (rules/foul.h); O
 *              wins with five or more. Who has no square left on which a stone is allowed draws.
 *   caro       five in a row win unless a stone of the other side stands at both ends; six and more always do.
 *
 * Squares are numbered row by row from the top left: square = row * size + column. Columns are the letters
 * A, B, … from the left (I included), rows the numbers 1, 2, … from the top: H8 is the middle of 15x15.
 *
 * A position keeps the order of its moves. One that was read from a drawn board has `setup` stones without an
 * order; they stand first in `order`, X and O alternating, so that the stone of index i is always X's when i
 * is even. */
#ifndef SORTIE_GAMES_GOMOKU_RULES_GOMOKU_H
#define SORTIE_GAMES_GOMOKU_RULES_GOMOKU_H

#include <stdatomic.h>

#include "base/assert.h"
#include "game/game.h"

#define GOMOKU_LEAST_SIZE 5
#define GOMOKU_MOST_SIZE 22 /* of Gomocup managers; a line of it and its borders just fill 64 bits (board/board.h) */
#define GOMOKU_MOST_SQUARES (GOMOKU_MOST_SIZE * GOMOKU_MOST_SIZE)

enum { GOMOKU_FREESTYLE, GOMOKU_EXACT, GOMOKU_RENJU, GOMOKU_CARO, GOMOKU_VARIANTS };
enum { GOMOKU_EMPTY = 0, GOMOKU_X = 1, GOMOKU_O = 2 }; /* what stands on a square; side + 1 */
enum { GOMOKU_NO_WINNER = 0 /* otherwise GOMOKU_X or GOMOKU_O */ };

struct gomoku_position {
    uint16_t order[GOMOKU_MOST_SQUARES]; /* the squares in the order they were played, zero behind `count` */
    uint8_t board[GOMOKU_MOST_SQUARES];
    uint16_t count; /* stones on the board; the side to move is count & 1 */
    uint16_t setup; /* of them, how many came with a drawn board */
    uint8_t size;
    uint8_t variant;
    uint8_t winner;
    uint8_t padding; /* zero, so that positions compare byte by byte */
};

extern const struct game gomoku_game;

static inline const struct gomoku_position *gomoku_const(const struct game_position *position) {
    return (const struct gomoku_position *)position;
}

/* Builds what the engine needs for a rule, which the first search would do otherwise. */
void gomoku_prepare(int variant);

/* The number Gomocup's managers and Piskvork's files have for a variant, and back: 0 freestyle, 1 exact, 4 renju, 8
 * caro; -1 for any other. */
int gomoku_rule_number(int variant);
int gomoku_variant_of_rule(int number);

/* An empty board; the size must be in range. */
void gomoku_clear(struct gomoku_position *position, int size, int variant);

/* True when the stone on `square` stands in a row that wins by the position's rules. */
bool gomoku_wins_at(const struct gomoku_position *position, int square);

/* What keeps the side to move from the empty square: "an overline" and the like, or NULL. */
const char *gomoku_forbidden_at(const struct gomoku_position *position, int square);

/* Plays on an empty square of a game that is not over, be it forbidden. */
void gomoku_put(struct gomoku_position *position, int square);

/* Makes a position of a drawn board: `board` holds size*size of GOMOKU_EMPTY, _X, _O. STATUS_BAD_INPUT when the
 * colours are out of balance, or the side to move already has its five. */
enum status gomoku_set_board(struct gomoku_position *position, int size, int variant, const uint8_t *board,
                             struct error *error);

/* "H8": at most three characters and a zero. */
void gomoku_square_text(int size, int square, char text[8]);

/* Reads "H8" or "h8"; -1 when it is not a square of the board. */
int gomoku_parse_square(int size, const char *bytes, size_t length);

/* -- behind the game interface, each in its own file -- */

/* A balanced start of a few stones (rules/opening.c). */
void gomoku_random_opening(struct gomoku_position *position, struct rng *rng);

/* The static evaluation from X's view; +-GAME_WIN_VALUE for a finished game (eval/eval.c). */
game_score gomoku_evaluate(const struct game_position *position);

/* The chances to win, to draw and to lose that a value of the side to move stands for (eval/eval.c). */
void gomoku_chances(const struct game_position *position, game_score value, double chances[3]);

/* What happens to a move of the position that is searched, in the course of one depth. */
enum gomoku_root_news {
    GOMOKU_ROOT_BEGUN, /* it is looked at now */
    GOMOKU_ROOT_DONE,  /* that is over */
    GOMOKU_ROOT_BEST,  /* it is the best of this depth so far */
    GOMOKU_ROOT_LOST   /* it is proved to lose */
};

/* What a search of this game can be asked for beside its limits. */
struct gomoku_wishes {
    /* Moves that are not looked at: a bit for each square of the largest board. May be NULL. One move stays open. */
    const uint64_t *closed;
    /* May be NULL; called by the thread that calls `info`, and only about the best line. */
    void (*root)(void *user, game_move move, enum gomoku_root_news news);
    /* May be NULL; called at every position that the network is asked for the value of, with the moves that lead to it
     * from the one that is searched. By that thread alone, too. */
    void (*evaluated)(void *user, const uint16_t *moves, int count);
    void *user; /* of both */
    /* A move of the opening book may be the answer where it has more work behind it than the limits allow; among equal
     * ones `book_seed` decides. Not with a depth, nodes or several lines asked for. */
    bool book;
    uint64_t book_seed;
};

static inline bool gomoku_is_closed(const uint64_t *closed, int square) {
    ASSERT(square >= 0);
    return closed && closed[square >> 6] >> (square & 63) & 1;
}

/* A move at once, without a search: the one that stops the worst, or looks best, among the squares that are not in
 * `closed` (as in the wishes of a search; NULL: all are open). The game must not be over, and a square be open. */
game_move gomoku_quick_move(const struct gomoku_position *position, const uint64_t *closed);

struct searcher *gomoku_searcher_new(const struct searcher_options *options, struct error *error);
void gomoku_searcher_free(struct searcher *searcher);
void gomoku_searcher_clear(struct searcher *searcher);
void gomoku_searcher_stats(const struct searcher *searcher, struct text *text);
void gomoku_think(struct searcher *searcher, const struct game_position *position, const struct search_limits *limits,
                  struct search_control *control, struct search_result *result);

/* What is proved; beside the program there may be certificates (book_installed.c). */
void gomoku_known_prepare(void);
bool gomoku_known(const struct game_position *position, const void *wishes, struct game_known *known);
enum status gomoku_known_add(const char *bytes, size_t length, size_t *positions, struct error *error);

/* The opening book beside the program (openings/choose.c), for searches whose wishes ask for it. */
bool gomoku_booked(const struct game_position *position, const struct search_limits *limits,
                   struct search_result *result);

/* -- forced wins on their own (search/forced.c) -- */

enum gomoku_forced_answer { GOMOKU_FORCED_WIN, GOMOKU_FORCED_NONE, GOMOKU_FORCED_UNKNOWN };

struct gomoku_forced {
    enum gomoku_forced_answer answer; /* NONE: no such win exists; UNKNOWN: a limit was reached first */
    bool by_fours;                    /* every move of the winner is a four */
    int plies;                        /* of the win found */
    int length;
    uint16_t line[GOMOKU_MOST_SQUARES]; /* the winner's moves and a best defence */
    uint64_t nodes;
};

/* Looks for a win of the side to move by fours alone, or (`threats`) by fours and open threes; to the end unless
 * `nodes` are used up first. STATUS_FAIL when there is no memory. */
enum status gomoku_find_forced(const struct gomoku_position *position, bool threats, uint64_t nodes,
                               const atomic_bool *stop, struct gomoku_forced *forced, struct error *error);

#endif
