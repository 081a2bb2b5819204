/* The whole board at once: not a search but all positions of a war board, a bit each.
 *
 * One pass asks of every position "is the final margin for X at least `target`?". Positions are laid out in layers: the
 * layer of k holds all sets of taken squares with k of the root's empty squares among them, in rising order as
 * numbers; a set with n squares has a block of 2^n bits, one for each way its squares can be owned (bit i of the index:
 * X holds the i-th square of the set). A layer follows from the next one: where X is to move a bit is the OR over the
 * empty squares of the bits behind them, where O is to move the AND. docs/theory.md says why a Stake need not be looked
 * at where a Raid can be made, so that one pass serves both rule sets.
 *
 * A board of e empty squares and f pieces that can still change hands has 3^e * 2^f positions. Only two neighbouring
 * layers are in memory at a time. */
#ifndef SORTIE_GAMES_WAR_WHOLE_H
#define SORTIE_GAMES_WAR_WHOLE_H

#include "games/war/war.h"

#define WHOLE_MOST_SQUARES 30
#define WHOLE_TILE_BITS 9 /* a tile is 2^9 positions, the least a block takes: 64 bytes */
#define WHOLE_TILE_WORDS 8

/* The squares that still matter, numbered by rising value: the empty ones and the pieces beside them. */
struct whole_board {
    int squares;
    int empties;
    int pieces;
    int side;         /* to move at the root */
    int32_t settled;  /* X's score of all other pieces */
    int32_t total;    /* of the values here */
    uint32_t filled;  /* the pieces, a bit a square */
    uint32_t holds_x; /* those of X */
    int32_t value[WHOLE_MOST_SQUARES];
    uint32_t beside[WHOLE_MOST_SQUARES];
    uint16_t board_square[WHOLE_MOST_SQUARES]; /* of the war board */
};

/* False when more than WHOLE_MOST_SQUARES squares still matter. */
bool whole_board_from(struct whole_board *board, const struct war_position *position);

/* Where the blocks of a layer lie. A set is split into its upper and its lower squares; the rank of a set among those
 * with as many stones is the sum of two looked-up numbers. */
struct whole_layout {
    struct whole_board board;
    int low_bits;
    uint32_t high_sets;                           /* sets of upper squares: 2^(squares - low_bits) */
    uint32_t *high_rank[WHOLE_MOST_SQUARES + 1];  /* by layer and upper set; the last entry is the layer's count */
    uint16_t *low_rank;                           /* by lower set, among those with as many stones */
    uint16_t *low_sets;                           /* the lower sets, by number of stones, rising */
    uint32_t low_start[WHOLE_MOST_SQUARES + 2];   /* where those of a number of stones begin in low_sets */
    uint64_t layer_words[WHOLE_MOST_SQUARES + 1]; /* 64-bit words of a layer */
};

/* False when memory runs out. */
bool whole_layout_open(struct whole_layout *layout, const struct whole_board *board);
void whole_layout_close(struct whole_layout *layout);

/* The most memory two neighbouring layers take, in bytes. */
uint64_t whole_layout_bytes(const struct whole_layout *layout);

/* 64-bit words of a block in the layer of k. */
static inline uint64_t whole_block_words(const struct whole_layout *layout, int k) {
    int bits = layout->board.pieces + k;
    return bits <= WHOLE_TILE_BITS ? WHOLE_TILE_WORDS : (uint64_t)1 << (bits - 6);
}

/* The rank of a set of taken squares in the layer of k. */
static inline uint64_t whole_rank(const struct whole_layout *layout, int k, uint32_t set) {
    uint32_t low = set & ((1u << layout->low_bits) - 1);
    return (uint64_t)layout->high_rank[k][set >> layout->low_bits] + layout->low_rank[low];
}

/* Who is to move in the layer of k. */
static inline int whole_side(const struct whole_layout *layout, int k) {
    return layout->board.side ^ (k & 1);
}

/* One empty square of a set, as the blocks behind it are read. */
struct whole_step {
    const uint64_t *block; /* of the set with this square */
    uint32_t place;        /* bit of the square in that block's index */
    uint32_t around;       /* bits of the squares beside it, in the index of the block being made */
};

/* Makes one block of 2^bits positions from the blocks of its steps. */
typedef void whole_make(uint64_t *block, int bits, const struct whole_step *steps, int count);

/* The fastest this processor can do. */
struct whole_kernel {
    const char *name;
    whole_make *for_x;
    whole_make *for_o;
};
const struct whole_kernel *whole_kernel_pick(void);
/* All of them that run here, the plainest first, ended by one without a name; for tests. */
const struct whole_kernel *const *whole_kernels(void);

/* The index of a position within the block of `set`: which of its squares X holds. */
uint32_t whole_index(uint32_t set, uint32_t holds_x);

/* The steps from a set of the layer of k; `behind` is the layer after it. Returns how many. */
int whole_steps(const struct whole_layout *layout, int k, uint32_t set, const uint64_t *behind,
                struct whole_step *steps);

/* The last layer: the only block of all squares. */
void whole_last_layer(const struct whole_board *board, int32_t target, uint64_t *block);

#endif
