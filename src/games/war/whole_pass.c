#include "games/war/whole_pass.h"

#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "search/team.h"

struct whole_pass {
    const struct whole_layout *layout;
    const struct whole_kernel *kernel;
    struct team *team;                        /* owned */
    uint64_t *memory[WHOLE_MOST_SQUARES + 1]; /* owned: two of them, or one a layer */
    size_t bytes[WHOLE_MOST_SQUARES + 1];
    uint64_t *layers[WHOLE_MOST_SQUARES + 1]; /* where each layer is while it is there */
    /* of the pass under way */
    const atomic_bool *stop;
    _Atomic uint64_t *done;
    int k;                 /* the layer being made */
    _Atomic uint32_t next; /* the next upper set nobody has taken yet */
};

struct whole_pass *whole_pass_new(const struct whole_layout *layout, int threads, bool keep,
                                  const struct whole_kernel *kernel) {
    struct whole_pass *pass = calloc(1, sizeof *pass);
    if (!pass) {
        return NULL;
    }
    pass->layout = layout;
    pass->kernel = kernel;
    pass->team = team_new(threads);
    int last = layout->board.empties;
    for (int k = 0; k <= last; k++) {
        size_t bytes = 8 * layout->layer_words[k];
        int slot = keep ? k : k & 1;
        pass->bytes[slot] = bytes > pass->bytes[slot] ? bytes : pass->bytes[slot];
    }
    bool enough = pass->team;
    for (int slot = 0; slot <= last && pass->bytes[slot] && enough; slot++) {
        pass->memory[slot] = pages_new(pass->bytes[slot]);
        enough = pass->memory[slot];
    }
    if (!enough) {
        whole_pass_free(pass);
        return NULL;
    }
    for (int k = 0; k <= last; k++) {
        pass->layers[k] = pass->memory[keep ? k : k & 1];
    }
    return pass;
}

void whole_pass_free(struct whole_pass *pass) {
    if (!pass) {
        return;
    }
    for (int slot = 0; slot <= WHOLE_MOST_SQUARES; slot++) {
        if (pass->memory[slot]) {
            pages_free(pass->memory[slot], pass->bytes[slot]);
        }
    }
    team_free(pass->team);
    free(pass);
}

/* Makes the blocks of one upper set in the layer of k. */
static void make_blocks(const struct whole_pass *pass, int k, uint32_t high) {
    const struct whole_layout *layout = pass->layout;
    uint32_t filled = layout->board.filled >> layout->low_bits;
    int stones = k - __builtin_popcount(high & ~filled);
    if ((high & filled) != filled || stones < 0) {
        return;
    }
    whole_make *make = whole_side(layout, k) == WAR_X ? pass->kernel->for_x : pass->kernel->for_o;
    uint64_t words = whole_block_words(layout, k);
    uint64_t *block = pass->layers[k] + layout->high_rank[k][high] * words;
    for (uint32_t i = layout->low_start[stones]; i < layout->low_start[stones + 1]; i++, block += words) {
        struct whole_step steps[WHOLE_MOST_SQUARES];
        uint32_t set = high << layout->low_bits | layout->low_sets[i];
        int count = whole_steps(layout, k, set, pass->layers[k + 1], steps);
        make(block, layout->board.pieces + k, steps, count);
    }
    if (pass->done) {
        uint64_t sets = layout->low_start[stones + 1] - layout->low_start[stones];
        atomic_fetch_add_explicit(pass->done, sets << (layout->board.pieces + k), memory_order_relaxed);
    }
}

static bool is_stopped(const struct whole_pass *pass) {
    return pass->stop && atomic_load_explicit(pass->stop, memory_order_relaxed);
}

/* What every thread does for a layer: upper set by upper set. */
static void make_layer(void *user, int index) {
    struct whole_pass *pass = user;
    (void)index;
    uint32_t high;
    while ((high = atomic_fetch_add_explicit(&pass->next, 1, memory_order_relaxed)) < pass->layout->high_sets &&
           !is_stopped(pass)) {
        make_blocks(pass, pass->k, high);
    }
}

bool whole_pass_run(struct whole_pass *pass, int32_t target, const atomic_bool *stop, _Atomic uint64_t *done,
                    struct whole_answers *answers) {
    const struct whole_layout *layout = pass->layout;
    pass->stop = stop;
    pass->done = done;
    whole_last_layer(&layout->board, target, pass->layers[layout->board.empties]);
    for (pass->k = layout->board.empties - 1; pass->k >= 0; pass->k--) {
        atomic_store(&pass->next, 0);
        team_run(pass->team, team_size(pass->team), make_layer, pass);
    }
    whole_read_answers(layout, pass->layers[0], pass->layers[1], answers);
    return !is_stopped(pass);
}

static bool bit_at(const uint64_t *block, uint32_t index) {
    return block[index >> 6] >> (index & 63) & 1;
}

bool whole_pass_look(const struct whole_pass *pass, int k, uint32_t set, uint32_t holds_x) {
    const struct whole_layout *layout = pass->layout;
    const uint64_t *block = pass->layers[k] + whole_rank(layout, k, set) * whole_block_words(layout, k);
    return bit_at(block, whole_index(set, holds_x));
}

uint32_t whole_play(const struct whole_board *board, uint32_t set, uint32_t holds_x, int square, int side, bool raid) {
    uint32_t own = side == WAR_X ? holds_x : set & ~holds_x;
    uint32_t flips = raid && own & board->beside[square] ? set & board->beside[square] : 0;
    uint32_t taken = flips | 1u << square;
    return side == WAR_X ? holds_x | taken : holds_x & ~taken;
}

void whole_read_answers(const struct whole_layout *layout, const uint64_t *first, const uint64_t *second,
                        struct whole_answers *answers) {
    const struct whole_board *board = &layout->board;
    *answers = (struct whole_answers){.root = bit_at(first, whole_index(board->filled, board->holds_x))};
    for (int square = 0; square < board->squares; square++) {
        uint32_t set = board->filled | 1u << square;
        if (set == board->filled) {
            continue;
        }
        const uint64_t *block = second + whole_rank(layout, 1, set) * whole_block_words(layout, 1);
        for (int raid = 0; raid < 2; raid++) {
            uint32_t holds_x = whole_play(board, board->filled, board->holds_x, square, board->side, raid);
            answers->moves[raid] |= bit_at(block, whole_index(set, holds_x)) ? 1u << square : 0;
        }
    }
}
