/* Boards and layers of the whole-board solver. */
#include "games/war/whole/whole.h"
#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

/* Pieces come before empty squares, cheaper squares before dearer ones. */
static bool comes_before(const struct war_position *position, int a, int b) {
    bool taken = war_taken(position, a);
    return taken != (bool)war_taken(position, b) ? taken : position->values[a] < position->values[b];
}

/* Numbers the squares that matter. Pieces come first, since they fill the tiles: what a move on a square outside the
 * tile leads to is read as it is. Then come the empty squares by rising value, so that the positions of a tile tend to
 * have the same answer, and the most valuable move, which is tried first, settles most of them. */
static void number_squares(struct whole_board *board, const struct war_position *position, const bool *matters) {
    int squares = position->size * position->size;
    for (int square = 0; square < squares; square++) {
        if (!matters[square]) {
            continue;
        }
        int place = board->squares++;
        while (place > 0 && comes_before(position, square, board->board_square[place - 1])) {
            board->board_square[place] = board->board_square[place - 1];
            place--;
        }
        board->board_square[place] = (uint16_t)square;
    }
}

static void link_squares(struct whole_board *board, const struct war_position *position) {
    int8_t number[WAR_MOST_SQUARES];
    memset(number, -1, sizeof number);
    for (int i = 0; i < board->squares; i++) {
        number[board->board_square[i]] = (int8_t)i;
    }
    for (int i = 0; i < board->squares; i++) {
        int square = board->board_square[i];
        int neighbours[4];
        int count = war_neighbours(position->size, square, neighbours);
        for (int j = 0; j < count; j++) {
            board->beside[i] |= number[neighbours[j]] >= 0 ? 1u << number[neighbours[j]] : 0;
        }
        board->value[i] = position->values[square];
        board->total += board->value[i];
        if (war_taken(position, square)) {
            board->pieces++;
            board->filled |= 1u << i;
            board->holds_x |= war_owns(position, WAR_X, square) ? 1u << i : 0;
        }
    }
    board->empties = board->squares - board->pieces;
}

bool whole_board_from(struct whole_board *board, const struct war_position *position) {
    memset(board, 0, sizeof *board);
    board->side = position->to_move;
    bool matters[WAR_MOST_SQUARES] = {false};
    int count = 0;
    for (int square = 0; square < position->size * position->size; square++) {
        int neighbours[4];
        int beside = war_neighbours(position->size, square, neighbours);
        bool taken = war_taken(position, square);
        matters[square] = !taken;
        for (int i = 0; i < beside && taken; i++) {
            matters[square] |= !war_taken(position, neighbours[i]);
        }
        count += matters[square];
        if (!matters[square]) {
            board->settled += war_owns(position, WAR_X, square) ? position->values[square] : -position->values[square];
        }
    }
    if (count > WHOLE_MOST_SQUARES) {
        return false;
    }
    number_squares(board, position, matters);
    link_squares(board, position);
    return true;
}

/* The sets of lower squares that hold all pieces there, sorted by their stones, and the rank of each. */
static bool sort_low_sets(struct whole_layout *layout) {
    uint32_t sets = 1u << layout->low_bits;
    uint32_t filled = layout->board.filled & (sets - 1);
    layout->low_rank = calloc(sets, sizeof *layout->low_rank);
    layout->low_sets = calloc(sets, sizeof *layout->low_sets);
    if (!layout->low_rank || !layout->low_sets) {
        return false;
    }
    uint32_t found = 0;
    uint32_t empties = sets - 1 - filled;
    for (int stones = 0; stones <= layout->low_bits + 1; stones++) {
        layout->low_start[stones] = found;
        uint32_t taken = 0;
        do { /* all subsets of the empty squares, rising */
            if (__builtin_popcount(taken) == stones) {
                layout->low_rank[taken | filled] = (uint16_t)(found - layout->low_start[stones]);
                layout->low_sets[found++] = taken | filled;
            }
            taken = (taken - empties) & empties;
        } while (taken);
    }
    for (int stones = layout->low_bits + 2; stones < WHOLE_MOST_SQUARES + 2; stones++) {
        layout->low_start[stones] = found;
    }
    return true;
}

/* How many lower sets have so many stones. */
static uint32_t low_count(const struct whole_layout *layout, int stones) {
    return stones < 0 ? 0 : layout->low_start[stones + 1] - layout->low_start[stones];
}

/* The lower squares are those with the first LOW_EMPTIES empty ones, so that a chunk of every lower set and of every
 * lower set behind it, some 300 of each, fit into a second-level cache together. */
#define LOW_EMPTIES 11
#define MOST_LOW_BITS 20 /* of the table of ranks */
#define CHUNK_BITS 13
#define UNCUT_BITS WHOLE_MOST_SQUARES
#define STREAMED_WORDS (1u << 20) /* layers from 8 MB on are written past the caches */

struct whole_cut whole_cut_for_caches(const struct whole_board *board) {
    struct whole_cut cut = {.chunk_bits = CHUNK_BITS};
    for (int empties = 0; cut.low_bits < board->squares && cut.low_bits < MOST_LOW_BITS; cut.low_bits++) {
        empties += !(board->filled >> cut.low_bits & 1);
        if (empties > LOW_EMPTIES) {
            break;
        }
    }
    return cut;
}

struct whole_cut whole_cut_for_stretches(const struct whole_board *board) {
    int half = board->pieces + board->empties / 2;
    return (struct whole_cut){.low_bits = half < MOST_LOW_BITS ? half : MOST_LOW_BITS, .chunk_bits = CHUNK_BITS};
}

struct whole_cut whole_cut_into_blocks(const struct whole_board *board) {
    return (struct whole_cut){.low_bits = board->squares / 2, .chunk_bits = UNCUT_BITS};
}

/* Counts the blocks and words of the layer of k. */
static bool rank_layer(struct whole_layout *layout, int k) {
    uint32_t *rank = layout->high_rank[k] = malloc((layout->high_sets + 1) * sizeof *rank);
    if (!rank) {
        return false;
    }
    uint32_t before = 0;
    for (uint32_t set = 0; set < layout->high_sets; set++) {
        uint32_t count = low_count(layout, whole_stones_below(layout, k, set));
        uint32_t steps = count * (uint32_t)(layout->board.empties - k);
        layout->most_steps = steps > layout->most_steps ? steps : layout->most_steps;
        rank[set] = before;
        before += count;
    }
    rank[layout->high_sets] = before;
    layout->layer_words[k] = before * whole_block_words(layout, k);
    return true;
}

bool whole_layout_open(struct whole_layout *layout, const struct whole_board *board, struct whole_cut cut) {
    ASSERT(board->squares <= WHOLE_MOST_SQUARES);
    ASSERT(cut.low_bits >= 0 && cut.low_bits <= board->squares);
    ASSERT(cut.chunk_bits >= WHOLE_TILE_BITS);
    memset(layout, 0, sizeof *layout);
    layout->board = *board;
    layout->low_bits = cut.low_bits;
    layout->chunk_bits = cut.chunk_bits;
    layout->high_sets = 1u << (board->squares - layout->low_bits);
    bool fits = sort_low_sets(layout);
    for (int k = 0; k <= board->empties && fits; k++) {
        fits = rank_layer(layout, k);
    }
    if (!fits) {
        whole_layout_close(layout);
    }
    return fits;
}

void whole_layout_close(struct whole_layout *layout) {
    for (int k = 0; k <= WHOLE_MOST_SQUARES; k++) {
        free(layout->high_rank[k]);
    }
    free(layout->low_rank);
    free(layout->low_sets);
    memset(layout, 0, sizeof *layout);
}

uint64_t whole_layout_bytes(const struct whole_layout *layout) {
    uint64_t most[2] = {0, 0};
    for (int k = 0; k <= layout->board.empties; k++) {
        uint64_t words = layout->layer_words[k];
        most[k & 1] = words > most[k & 1] ? words : most[k & 1];
    }
    return 8 * (most[0] + most[1]);
}

uint32_t whole_index(uint32_t set, uint32_t holds_x) {
    ASSERT((holds_x & ~set) == 0);
    uint32_t index = 0;
    int place = 0;
    for (uint32_t rest = set; rest; rest &= rest - 1) {
        index |= (holds_x & rest & -rest) ? 1u << place : 0;
        place++;
    }
    return index;
}

bool whole_look(const struct whole_layout *layout, int k, const uint64_t *layer, uint32_t set, uint32_t holds_x) {
    uint32_t high = set >> layout->low_bits;
    uint32_t low = set & ((1u << layout->low_bits) - 1);
    uint32_t index = whole_index(set, holds_x);
    uint64_t chunk = (uint64_t)(index >> layout->chunk_bits) * whole_stretch_blocks(layout, k, high);
    uint32_t inside = index & ((1u << layout->chunk_bits) - 1);
    uint64_t word = whole_stretch_start(layout, k, high) +
                    (chunk + layout->low_rank[low]) * whole_chunk_words(layout, k) + (inside >> 6);
    return layer[word] >> (inside & 63) & 1;
}

int whole_stones_below(const struct whole_layout *layout, int k, uint32_t high) {
    uint32_t filled = layout->board.filled >> layout->low_bits;
    return (high & filled) == filled ? k - __builtin_popcount(high & ~filled) : -1;
}

uint32_t whole_chunks(const struct whole_layout *layout, int k) {
    int bits = layout->board.pieces + k;
    return bits <= layout->chunk_bits ? 1 : 1u << (bits - layout->chunk_bits);
}

/* The bits of some squares in the index of a set they belong to. */
static uint32_t places_of(uint32_t squares, uint32_t set) {
    uint32_t places = 0;
    for (uint32_t rest = squares; rest; rest &= rest - 1) {
        places |= 1u << __builtin_popcount(set & ((rest & -rest) - 1));
    }
    return places;
}

/* The steps from a set of the stretch, the most valuable square first. */
static void fill_steps(const struct whole_stretch *stretch, uint32_t low, struct whole_step *steps) {
    const struct whole_layout *layout = stretch->layout;
    const struct whole_board *board = &layout->board;
    uint32_t set = stretch->high << layout->low_bits | low;
    uint64_t words = whole_chunk_words(layout, stretch->k + 1);
    uint32_t tiles = (uint32_t)(words / WHOLE_TILE_WORDS);
    int count = 0;
    for (int square = board->squares - 1; square >= 0; square--) {
        uint32_t bit = 1u << square;
        if (set & bit) {
            continue;
        }
        int upper = square - layout->low_bits;
        uint32_t high = (set | bit) >> layout->low_bits;
        uint32_t low_after = upper < 0 ? low | bit : low;
        const uint64_t *behind = upper < 0 ? stretch->same : stretch->more[upper];
        steps[count++] = (struct whole_step){
            .block = behind + layout->low_rank[low_after] * words,
            .pitch = whole_stretch_blocks(layout, stretch->k + 1, high) * tiles,
            .place = (uint32_t)__builtin_popcount(set & (bit - 1)),
            .around = places_of(board->beside[square] & set, set),
        };
    }
}

void whole_make_chunks(const struct whole_stretch *stretch, uint32_t first, uint32_t end) {
    ASSERT(first <= end && end <= whole_chunks(stretch->layout, stretch->k));
    const struct whole_layout *layout = stretch->layout;
    int k = stretch->k;
    int stones = whole_stones_below(layout, k, stretch->high);
    uint32_t blocks = whole_stretch_blocks(layout, k, stretch->high);
    int count = layout->board.empties - k;
    whole_make *make = whole_side(layout, k) == WAR_X ? stretch->kernel->for_x : stretch->kernel->for_o;
    uint64_t words = whole_chunk_words(layout, k);
    struct whole_chunk chunk = {
        .bits = layout->board.pieces + k,
        .tiles = (uint32_t)(words / WHOLE_TILE_WORDS),
        .shift = (uint32_t)(layout->chunk_bits - WHOLE_TILE_BITS),
        .stream = layout->layer_words[k] >= STREAMED_WORDS,
    };
    for (uint32_t i = 0; i < blocks; i++) {
        fill_steps(stretch, layout->low_sets[layout->low_start[stones] + i], stretch->steps + i * (uint32_t)count);
    }
    for (uint32_t number = first; number < end; number++) {
        chunk.first = number * chunk.tiles;
        chunk.made = stretch->made + (uint64_t)number * blocks * words;
        for (uint32_t i = 0; i < blocks; i++, chunk.made += words) {
            make(&chunk, stretch->steps + i * (uint32_t)count, count);
        }
    }
}

void whole_last_layer(const struct whole_board *board, int32_t target, uint64_t *block) {
    int inside = board->squares < 6 ? board->squares : 6;
    int32_t sum[64]; /* X's margin over the squares inside a word */
    for (uint32_t index = 0; index < 64; index++) {
        sum[index] = 0;
        for (int i = 0; i < inside; i++) {
            sum[index] += index >> i & 1 ? board->value[i] : -board->value[i];
        }
    }
    uint64_t words = board->squares <= 6 ? 1 : (uint64_t)1 << (board->squares - 6);
    for (uint64_t number = 0; number < words; number++) {
        int32_t margin = board->settled;
        for (int i = 6; i < board->squares; i++) {
            margin += number >> (i - 6) & 1 ? board->value[i] : -board->value[i];
        }
        uint64_t word = 0;
        for (int index = 0; index < 64; index++) {
            word |= (uint64_t)(margin + sum[index] >= target) << index;
        }
        block[number] = word;
    }
}
