/* Laser Checkmate: both sides in turn put an emitter on a square that no beam covers. An emitter covers its
 * own square and up to three squares in each of the eight directions; beams stop at blocks and at the border.
 * When no square is left the side that covers more squares wins.
 *
 * Squares are numbered row by row from the top left: square = row * size + column, both from 0. A move is its
 * square. By the letter of the rules a beam passes an emitter, so what an emitter covers depends on the blocks
 * alone, and play depends on nothing but the two coverage sets and the side to move. The emitters are kept as
 * well: they are what files show. */
#ifndef SORTIE_GAMES_LASER_RULES_LASER_H
#define SORTIE_GAMES_LASER_RULES_LASER_H

#include "base/assert.h"
#include "game/game.h"

#define LASER_MOST_SIZE 32
#define LASER_MOST_SQUARES (LASER_MOST_SIZE * LASER_MOST_SIZE)
#define LASER_WORDS (LASER_MOST_SQUARES / 64)
#define LASER_RANGE 3
/* Of two by two squares at most one can hold an emitter in legal play. */
#define LASER_MOST_PLIES (LASER_MOST_SQUARES / 4)

struct laser_position {
    uint64_t blocks[LASER_WORDS];
    uint64_t emitters[2][LASER_WORDS];
    uint64_t covered[2][LASER_WORDS]; /* the beams of the emitters, kept up to date */
    uint8_t size;
    uint8_t to_move;    /* 0 the side of the digit 1, 1 the side of the digit 2 */
    uint8_t padding[6]; /* zero, so that positions compare byte by byte */
};

extern const struct game laser_game;

static inline bool laser_has(const uint64_t *set, int square) {
    ASSERT(square >= 0 && square < LASER_MOST_SQUARES);
    return set[square >> 6] >> (square & 63) & 1;
}

static inline void laser_add(uint64_t *set, int square) {
    ASSERT(square >= 0 && square < LASER_MOST_SQUARES);
    set[square >> 6] |= 1ULL << (square & 63);
}

/* How many words of a set are in use on a board of this size. */
static inline int laser_words(int size) {
    ASSERT(size >= 0 && size <= LASER_MOST_SIZE);
    return (size * size + 63) / 64;
}

/* An empty board without blocks, side 1 to move. The size must be in range. */
void laser_clear(struct laser_position *position, int size);

/* The squares an emitter on `square` covers, added to `beams`. */
void laser_add_beams(const struct laser_position *position, int square, uint64_t beams[LASER_WORDS]);

/* Reads `size` rows of the digits 0 to 3 from the next lines into a clear position: 0 empty, 1 and 2 emitters,
 * 3 a block. Coverage is worked out afterwards, by the letter. */
enum status laser_read_rows(struct laser_position *position, struct reader *reader, struct error *error);
void laser_write_rows(const struct laser_position *position, struct text *text);

/* How many emitters stand in a beam of another one. Legal play has none; files may. */
int laser_count_lit_emitters(const struct laser_position *position);

/* -- the searches behind the game interface, each in its own file -- */

void laser_textbook(const struct game_position *position, const struct textbook_request *request,
                    struct search_result *result);
struct searcher *laser_searcher_new(const struct searcher_options *options, struct error *error);
void laser_searcher_free(struct searcher *searcher);
void laser_searcher_clear(struct searcher *searcher);
void laser_think(struct searcher *searcher, const struct game_position *position, const struct search_limits *limits,
                 struct search_control *control, struct search_result *result);

#endif
