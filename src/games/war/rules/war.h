/* The war board: NxN squares of fixed values, taken one at a time by X and O. One game, two rule sets:
 *
 *   stake  any empty square may be taken by a Stake, which flips nothing; an empty square beside an own piece
 *          may also be taken by a Raid, which flips every enemy piece beside it.
 *   sneak  an empty square beside an own piece is taken by a Raid, any other by a Sneak.
 *
 * Squares are numbered row by row from the top left: square = row * size + column. Columns are the letters
 * A..Z from the left, rows the numbers 1..26 from the top. */
#ifndef SORTIE_GAMES_WAR_RULES_WAR_H
#define SORTIE_GAMES_WAR_RULES_WAR_H

#include "base/assert.h"
#include "game/game.h"

#define WAR_MOST_SIZE 26
#define WAR_MOST_SQUARES (WAR_MOST_SIZE * WAR_MOST_SIZE)
#define WAR_WORDS ((WAR_MOST_SQUARES + 63) / 64)
/* All values together stay within this, so that every sum fits into 32 bits. */
#define WAR_MOST_TOTAL 1000000000

/* A move is its square, plus this bit for a Raid. */
#define WAR_RAID 1024u

enum { WAR_STAKE = 0, WAR_SNEAK = 1 }; /* the variants */
enum { WAR_X = 0, WAR_O = 1 };         /* the sides */

struct war_position {
    int32_t values[WAR_MOST_SQUARES];
    uint64_t own[2][WAR_WORDS]; /* the squares each side holds */
    int32_t score;              /* X's values minus O's, kept up to date */
    int32_t empty;              /* squares still empty */
    uint8_t size;
    uint8_t variant;
    uint8_t to_move;
    uint8_t padding[5]; /* zero, so that positions compare byte by byte */
};

extern const struct game war_game;

static inline bool war_owns(const struct war_position *position, int side, int square) {
    ASSERT(side == WAR_X || side == WAR_O);
    ASSERT(square >= 0 && square < WAR_MOST_SQUARES);
    return position->own[side][square >> 6] >> (square & 63) & 1;
}

static inline bool war_taken(const struct war_position *position, int square) {
    ASSERT(square >= 0 && square < WAR_MOST_SQUARES);
    return (position->own[0][square >> 6] | position->own[1][square >> 6]) >> (square & 63) & 1;
}

/* Writes the up to four neighbours of a square, returns how many. */
int war_neighbours(int size, int square, int neighbours[4]);

/* As many plies of `depth` as there are squares to take: to ask for more asks for the same, and not every program ends
 * its search where the board is full. */
static inline int war_depth(const struct war_position *position, int depth) {
    return depth > position->empty && position->empty > 0 ? position->empty : depth;
}

/* An empty board with every value 1 and X to move. The size must be in range. */
void war_clear(struct war_position *position, int size, int variant);

/* Puts a piece on an empty square while a position is being set up. */
void war_put(struct war_position *position, int side, int square);

bool war_can_raid(const struct war_position *position, int side, int square);

/* Read the side to play (a line X or O), `size` rows of values or of the board from the next lines, as every war board
 * file has them; `empty` is the character of an empty square. The position must be clear. */
enum status war_read_side(struct reader *reader, int *side, struct error *error);
enum status war_read_values(struct war_position *position, struct reader *reader, struct error *error);
enum status war_read_board(struct war_position *position, struct reader *reader, char empty, struct error *error);

void war_write_values(const struct war_position *position, struct text *text);
void war_write_board(const struct war_position *position, char empty, struct text *text);

/* "F22": at most three characters and a zero. */
void war_square_text(int size, int square, char text[8]);

/* -- the searches behind the game interface, each in its own file -- */

void war_textbook(const struct game_position *position, const struct textbook_request *request,
                  struct search_result *result);
struct searcher *war_searcher_new(const struct searcher_options *options, struct error *error);
void war_searcher_free(struct searcher *searcher);
void war_searcher_clear(struct searcher *searcher);
void war_think(struct searcher *searcher, const struct game_position *position, const struct search_limits *limits,
               struct search_control *control, struct search_result *result);

#endif
