/* The game interface: what a front door, a match, a test or a generic search may ask of a game.
 *
 * Everything at the edges goes through this struct of function pointers. Nothing in a hot loop does: each
 * game compiles its own search for its own position type, and offers it here behind `think`.
 *
 * A position is plain bytes: `properties->position_size` of them, no pointers inside, copied with memcpy.
 * No function here allocates, keeps state or does input and output, except the searcher, which owns its
 * table and threads. */
#ifndef SORTIE_GAME_GAME_H
#define SORTIE_GAME_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/reader.h"
#include "base/rng.h"
#include "base/text.h"

typedef uint32_t game_move; /* encoded by each game; equal moves have equal codes */
typedef int32_t game_score; /* a margin or an evaluation */
struct game_position;       /* each game's own; cast inside the game's folder only */
struct search_limits;       /* search/limits.h */
struct search_control;
struct search_result;
struct textbook_request;
struct searcher;
struct searcher_options;

#define GAME_NO_MOVE UINT32_MAX

/* Beyond every score, and small enough that the difference of two of them still fits. */
#define GAME_INFINITY 1070000000

/* In games decided by a win: a value of GAME_WIN_VALUE - k says "won in k plies", its negative "lost in k".
 * Evaluations stay below GAME_WIN_VALUE - 1000 in size. Margins have no such values. */
#define GAME_WIN_VALUE 30000

/* What undo needs; each game uses as much as it likes of it. */
struct game_undo {
    uint64_t words[20];
};

/* How a square looks, for the terminal, SVG and the web page alike. */
enum game_ink {
    GAME_INK_EMPTY,
    GAME_INK_FIRST,        /* a piece of the first side (X, black, emitter 1) */
    GAME_INK_SECOND,       /* a piece of the second side */
    GAME_INK_BLOCK,        /* not playable */
    GAME_INK_FIRST_FIELD,  /* no piece, but the first side's (covered by its beams) */
    GAME_INK_SECOND_FIELD, /* likewise the second side's */
    GAME_INK_BOTH_FIELD
};

struct game_cell {
    enum game_ink ink;
    char glyph;     /* the character the game's own files use: X, O, ., *, 0..3 */
    char label[12]; /* a number to show in the square, or "" */
    bool last;      /* played last, where the position knows */
    bool forbidden; /* empty, but the side to move may not play here (renju) */
};

struct game_shape {
    int rows;
    int columns;
};

enum game_score_kind { GAME_SCORE_MARGIN, GAME_SCORE_WIN };

/* What a board shows beside the pieces of both sides. A learner gets a plane of numbers for each. */
enum game_shows {
    GAME_SHOWS_BLOCKS = 1, /* GAME_INK_BLOCK */
    GAME_SHOWS_FIELDS = 2, /* GAME_INK_..._FIELD */
    GAME_SHOWS_VALUES = 4  /* the slot `values` */
};

struct game_properties {
    const char *name;        /* one word, as in commands and files: "war" */
    const char *title;       /* for people: "War board" */
    const char *variants[6]; /* rule sets, the usual one first, ended by NULL: "stake", "sneak" */
    const char *sides[2];    /* the sides' names in files: "X", "O" */
    int least_size;
    int most_size;
    int usual_size;
    int most_moves; /* no position has more legal moves; arrays are sized by it */
    int most_plies; /* no game lasts longer */
    size_t position_size;
    enum game_score_kind score_kind;
    bool numbered_from_zero; /* rows and columns are numbers from 0, as in Laser Checkmate's files */
    bool stones_on_points;   /* drawn on the crossings of lines (Gomoku), not inside squares */
    bool many_lines;         /* think reports on limits->multi_pv of the best moves by itself */
    unsigned shows;          /* of enum game_shows; 0: pieces alone */
};

/* What is proved of a position, without a search. */
struct game_known {
    bool won;       /* by the side to move; otherwise it has lost */
    game_move move; /* that wins, or in a lost position the one that holds out longest */
    int plies;      /* the game is over in so many at most */
};

struct game {
    const struct game_properties *properties;

    /* -- positions -- */

    /* Whether there is a board of this size, which lies between the least and the most; NULL: of every such size.
     * game_takes_size() asks both. */
    bool (*takes_size)(int size);
    /* The usual start: the empty board; `variant` indexes properties->variants. Boards that need data (square
     * values) get a fixed plain one. STATUS_BAD_INPUT when the game does not take the size. */
    enum status (*start)(struct game_position *position, int size, int variant, struct error *error);
    /* A start for a match, drawn from the generator: random values, blocks or opening stones, fair enough to
     * be played once with each side. */
    enum status (*start_random)(struct game_position *position, int size, int variant, struct rng *rng,
                                struct error *error);
    /* The game's own text, as written by `write`: its first line begins with the game's name. The reader stands
     * before that first line; everything up to the end belongs to the position. */
    enum status (*read)(struct game_position *position, struct reader *reader, struct error *error);
    void (*write)(const struct game_position *position, struct text *text);
    int (*size)(const struct game_position *position);
    /* Rows and columns of the board; NULL: as many as `size` says of both. */
    struct game_shape (*shape)(const struct game_position *position);
    int (*variant)(const struct game_position *position);

    /* -- rules -- */

    int (*to_move)(const struct game_position *position); /* 0 the first side, 1 the second */
    bool (*over)(const struct game_position *position);
    /* Writes the legal moves in the game's defined order, returns how many; 0 exactly when the game is over. */
    int (*moves)(const struct game_position *position, game_move *moves);
    bool (*legal)(const struct game_position *position, game_move move);
    void (*play)(struct game_position *position, game_move move, struct game_undo *undo);
    void (*undo)(struct game_position *position, const struct game_undo *undo);
    /* The final result from the first side's view: the margin, or +1, 0, -1 in a game of wins. Asked at any
     * time in a game of margins: the margin as it stands. */
    game_score (*score)(const struct game_position *position);
    /* The value a depth-limited textbook search gives a leaf, from the first side's view. */
    game_score (*evaluate)(const struct game_position *position);
    /* What a search's value stands for in a game of wins: the chances of the side to move to win, to draw and to lose,
     * which add up to 1. NULL: unknown. */
    void (*chances)(const struct game_position *position, game_score value, double chances[3]);
    /* Equal positions have equal hashes. */
    uint64_t (*hash)(const struct game_position *position);

    /* -- notation -- */

    /* "F22 Stake", "3 4", "H8": at most 31 bytes and a zero. */
    void (*move_text)(const struct game_position *position, game_move move, char text[32]);
    /* STATUS_BAD_INPUT with a text (line 1, the column) when it is not a legal move here. */
    enum status (*parse_move)(const struct game_position *position, const char *bytes, size_t length, game_move *move,
                              struct error *error);
    void (*cell)(const struct game_position *position, int row, int column, struct game_cell *cell);
    /* The ink of every square, row by row, as `cell` has it. NULL: `cell` is asked for each. */
    void (*inks)(const struct game_position *position, uint8_t *inks);
    /* What every square is worth, row by row, none below 0. NULL: nothing. */
    void (*values)(const struct game_position *position, int32_t *values);

    /* -- moves as numbers from 0, which mean the same from the start of a game on this board to its end -- */

    /* How many numbers there are. NULL: as many as squares. */
    int (*actions)(const struct game_position *position);
    /* The number of a move, and the move of a number, be it legal or not. Both NULL: a move is its own number. */
    int (*action)(const struct game_position *position, game_move move);
    game_move (*action_move)(const struct game_position *position, int action);

    /* -- what is known beforehand: proofs that lie beside the program, or were handed to it. All NULL: nothing -- */

    /* Reads what lies beside the program, so that nobody waits for it later. */
    void (*known_prepare)(void);
    /* False: nothing is known of this position, whose game is not over, that would answer the wishes of a search
     * (search/limits.h; NULL: none). */
    bool (*known)(const struct game_position *position, const void *wishes, struct game_known *known);
    /* Adds certificates (docs/proofs.md) and gives the number of positions known since. STATUS_BAD_INPUT: they are of
     * another game, or not whole; then nothing is added. No search may be under way. */
    enum status (*known_add)(const char *bytes, size_t length, size_t *positions, struct error *error);

    /* An answer out of an opening book beside the program, for limits whose wishes ask for one; false: it has none that
     * is better than a search within them. NULL: there is no book. */
    bool (*booked)(const struct game_position *position, const struct search_limits *limits,
                   struct search_result *result);

    /* -- search -- */

    /* Greedy, minimax and alpha-beta exactly as in the textbook, with the visitor. NULL: the generic ones of
     * search/textbook.h are used. */
    void (*textbook)(const struct game_position *position, const struct textbook_request *request,
                     struct search_result *result);
    /* The game's own engine; it keeps its table between calls. All NULL where the game has none: then
     * search/deepen.h searches it. */
    struct searcher *(*searcher_new)(const struct searcher_options *options, struct error *error);
    void (*searcher_free)(struct searcher *searcher);
    /* Forgets everything learnt: after it, the same search gives the same nodes as in a new searcher. */
    void (*searcher_clear)(struct searcher *searcher);
    /* Appends what the last search counted, for people; NULL where nothing is counted. */
    void (*searcher_stats)(const struct searcher *searcher, struct text *text);
    /* Thinks within the limits and fills *result; the position must not be over. Always gives a legal move,
     * also when stopped at once. Reports through control->info; obeys control->stop within milliseconds. */
    void (*think)(struct searcher *searcher, const struct game_position *position, const struct search_limits *limits,
                  struct search_control *control, struct search_result *result);
};

/* Whether the game is played on boards of this size. */
bool game_takes_size(const struct game *game, int size);
/* These sizes for people: "5 to 20", or "4, 6, 8, 10". */
void game_sizes_text(const struct game *game, char text[128]);
/* The board's shape, asked of the game or made from its size. */
struct game_shape game_shape(const struct game *game, const struct game_position *position);
/* Moves as numbers, and the whole board at once, asked of the game or made from what it has. `action` is a number below
 * game_actions. */
int game_actions(const struct game *game, const struct game_position *position);
int game_action(const struct game *game, const struct game_position *position, game_move move);
game_move game_action_move(const struct game *game, const struct game_position *position, int action);
void game_inks(const struct game *game, const struct game_position *position, uint8_t *inks);
void game_values(const struct game *game, const struct game_position *position, int32_t *values);
/* Index of a variant by name, or -1. */
int game_find_variant(const struct game *game, const char *name, size_t length);

#endif
