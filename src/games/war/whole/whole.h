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
#ifndef SORTIE_GAMES_WAR_WHOLE_WHOLE_H
#define SORTIE_GAMES_WAR_WHOLE_WHOLE_H

#include "base/assert.h"
#include "games/war/rules/war.h"

#define WHOLE_MOST_SQUARES 30
#define WHOLE_TILE_BITS 9 /* a tile is 2^9 positions, the least a block takes: 64 bytes */
#define WHOLE_TILE_WORDS 8

/* The squares that still matter: the pieces beside empty squares, then these, both by rising value. */
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
 * with as many stones is the sum of two looked-up numbers.
 *
 * The blocks that share their upper squares lie together in a stretch, and there they are cut into chunks of
 * 2^chunk_bits positions: first the first chunk of every block, then the second of every block. So a stretch can be
 * made chunk by chunk, and what the moves on lower squares read for one chunk, of all its blocks, stays in the nearest
 * cache. */
struct whole_layout {
    struct whole_board board;
    int low_bits;
    int chunk_bits;
    uint32_t high_sets;                           /* sets of upper squares: 2^(squares - low_bits) */
    uint32_t *high_rank[WHOLE_MOST_SQUARES + 1];  /* by layer and upper set; the last entry is the layer's count */
    uint16_t *low_rank;                           /* by lower set, among those with as many stones */
    uint32_t *low_sets;                           /* the lower sets, by number of stones, rising */
    uint32_t low_start[WHOLE_MOST_SQUARES + 2];   /* where those of a number of stones begin in low_sets */
    uint64_t layer_words[WHOLE_MOST_SQUARES + 1]; /* 64-bit words of a layer */
    uint32_t most_steps;                          /* of all blocks of a stretch together */
};

/* How the squares and blocks are cut. */
struct whole_cut {
    int low_bits;
    int chunk_bits;
};

/* As it suits the caches of a processor; those who read one stretch after the other; and those who care for whole
 * blocks alone, whose lower sets then fit into 16 bits. */
struct whole_cut whole_cut_for_caches(const struct whole_board *board);
struct whole_cut whole_cut_for_stretches(const struct whole_board *board);
struct whole_cut whole_cut_into_blocks(const struct whole_board *board);

/* False when memory runs out. */
bool whole_layout_open(struct whole_layout *layout, const struct whole_board *board, struct whole_cut cut);
void whole_layout_close(struct whole_layout *layout);

/* The most memory two neighbouring layers take, in bytes. */
uint64_t whole_layout_bytes(const struct whole_layout *layout);

/* 64-bit words of a block in the layer of k. */
static inline uint64_t whole_block_words(const struct whole_layout *layout, int k) {
    ASSERT(k >= 0 && k <= layout->board.empties);
    int bits = layout->board.pieces + k;
    return bits <= WHOLE_TILE_BITS ? WHOLE_TILE_WORDS : (uint64_t)1 << (bits - 6);
}

/* 64-bit words of a chunk in the layer of k. */
static inline uint64_t whole_chunk_words(const struct whole_layout *layout, int k) {
    ASSERT(layout->chunk_bits >= WHOLE_TILE_BITS);
    uint64_t chunk = (uint64_t)1 << (layout->chunk_bits - 6);
    uint64_t block = whole_block_words(layout, k);
    return block < chunk ? block : chunk;
}

/* How many blocks the stretch of an upper set has in the layer of k. */
static inline uint32_t whole_stretch_blocks(const struct whole_layout *layout, int k, uint32_t high) {
    ASSERT(high < layout->high_sets);
    return layout->high_rank[k][high + 1] - layout->high_rank[k][high];
}

/* Where the stretch of an upper set begins in the layer of k, in 64-bit words. */
static inline uint64_t whole_stretch_start(const struct whole_layout *layout, int k, uint32_t high) {
    ASSERT(high < layout->high_sets);
    return layout->high_rank[k][high] * whole_block_words(layout, k);
}

/* Who is to move in the layer of k. */
static inline int whole_side(const struct whole_layout *layout, int k) {
    return layout->board.side ^ (k & 1);
}

/* One empty square of a set, as the blocks behind it are read. */
struct whole_step {
    const uint64_t *block; /* of the set with this square: its first chunk */
    uint32_t pitch;        /* tiles from one of its chunks to the next */
    uint32_t place;        /* bit of the square in that block's index */
    uint32_t around;       /* bits of the squares beside it, in the index of the block being made */
};

/* What a kernel makes at a time: a chunk of a block. */
struct whole_chunk {
    uint64_t *made;
    int bits;       /* of the block's index */
    uint32_t first; /* the number of its first tile in the block */
    uint32_t tiles;
    uint32_t shift; /* a chunk of the blocks behind has 2^shift tiles */
    bool stream;    /* the layer is too large to stay in a cache */
};
typedef void whole_make(const struct whole_chunk *chunk, const struct whole_step *steps, int count);

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

/* The bit of a position in the layer of k. */
bool whole_look(const struct whole_layout *layout, int k, const uint64_t *layer, uint32_t set, uint32_t holds_x);

/* The stretch of an upper set in the layer of k, to be made, and the stretches behind it. */
struct whole_stretch {
    const struct whole_layout *layout;
    const struct whole_kernel *kernel;
    int k;
    uint32_t high;
    uint64_t *made;
    const uint64_t *same;                     /* the same upper set, with one lower square more */
    const uint64_t *more[WHOLE_MOST_SQUARES]; /* the upper set with this one of its squares more */
    struct whole_step *steps;                 /* room for layout->most_steps */
};

/* How many stones an upper set leaves to the lower squares in the layer of k; below 0 when there are no such sets. */
int whole_stones_below(const struct whole_layout *layout, int k, uint32_t high);

/* How many chunks each block of the layer of k has. */
uint32_t whole_chunks(const struct whole_layout *layout, int k);

/* Makes those from the first to before the end, of all blocks of the stretch. */
void whole_make_chunks(const struct whole_stretch *stretch, uint32_t first, uint32_t end);

/* The last layer: the only block of all squares. */
void whole_last_layer(const struct whole_board *board, int32_t target, uint64_t *block);

#endif
