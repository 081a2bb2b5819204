#include "games/war/whole/whole_pass.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/stopwatch.h"
#include "search/team.h"
#include "system/pages.h"

struct whole_pass {
    const struct whole_layout *layout;
    const struct whole_kernel *kernel;
    struct team *team;                        /* owned */
    uint64_t *memory[WHOLE_MOST_SQUARES + 1]; /* owned: two of them, or one a layer */
    size_t bytes[WHOLE_MOST_SQUARES + 1];
    uint64_t *layers[WHOLE_MOST_SQUARES + 1]; /* where each layer is while it is there */
    struct whole_step *steps;                 /* owned: room for the steps of a stretch, for each thread */
    /* of the pass under way */
    const struct whole_watch *watch;
    _Atomic uint64_t made; /* 64-bit words */
    int k;                 /* the layer being made */
    _Atomic uint32_t next; /* the next share nobody has taken yet */
};

/* A stretch is made in so many shares, where it has so many chunks. */
#define SHARES 8u

/* Of so many copies the fastest tells how fast the memory is. */
#define COPIES 3

struct whole_pass *whole_pass_new(const struct whole_layout *layout, int threads, bool keep,
                                  const struct whole_kernel *kernel) {
    ASSERT(threads >= 1);
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
    pass->steps =
        pass->team ? calloc((size_t)team_size(pass->team), (layout->most_steps + 1) * sizeof *pass->steps) : NULL;
    bool enough = pass->steps;
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
    free(pass->steps);
    free(pass);
}

/* Makes a share of the stretch of one upper set. */
static void make_share(struct whole_pass *pass, uint32_t high, uint32_t share, struct whole_step *steps) {
    const struct whole_layout *layout = pass->layout;
    int k = pass->k;
    if (whole_stretch_blocks(layout, k, high) == 0) {
        return;
    }
    struct whole_stretch stretch = {.layout = layout, .kernel = pass->kernel, .k = k, .high = high, .steps = steps};
    stretch.made = pass->layers[k] + whole_stretch_start(layout, k, high);
    stretch.same = pass->layers[k + 1] + whole_stretch_start(layout, k + 1, high);
    for (uint32_t bit = 1, i = 0; bit < layout->high_sets; bit <<= 1, i++) {
        stretch.more[i] = pass->layers[k + 1] + whole_stretch_start(layout, k + 1, high | bit);
    }
    uint32_t chunks = whole_chunks(layout, k);
    uint32_t first = (uint32_t)((uint64_t)chunks * share / SHARES);
    uint32_t end = (uint32_t)((uint64_t)chunks * (share + 1) / SHARES);
    if (first == end) {
        return;
    }
    whole_make_chunks(&stretch, first, end);
    uint64_t words = (uint64_t)(end - first) * whole_stretch_blocks(layout, k, high) * whole_chunk_words(layout, k);
    atomic_fetch_add_explicit(&pass->made, words, memory_order_relaxed);
}

/* What every thread does for a layer: share by share. */
static void make_layer(void *user, int index) {
    struct whole_pass *pass = user;
    uint32_t shares = pass->layout->high_sets * SHARES;
    struct whole_step *steps = pass->steps + (size_t)index * (pass->layout->most_steps + 1);
    uint32_t next;
    while ((next = atomic_fetch_add_explicit(&pass->next, 1, memory_order_relaxed)) < shares &&
           !whole_stopped(pass->watch)) {
        make_share(pass, next / SHARES, next % SHARES, steps);
        if (index == 0 && pass->watch->tick) {
            pass->watch->tick(pass->watch->user, atomic_load_explicit(&pass->made, memory_order_relaxed));
        }
    }
}

bool whole_pass_run(struct whole_pass *pass, int32_t target, const struct whole_watch *watch,
                    struct whole_answers *answers) {
    const struct whole_layout *layout = pass->layout;
    pass->watch = watch;
    atomic_store(&pass->made, 0);
    whole_last_layer(&layout->board, target, pass->layers[layout->board.empties]);
    for (pass->k = layout->board.empties - 1; pass->k >= 0; pass->k--) {
        atomic_store(&pass->next, 0);
        team_run(pass->team, team_size(pass->team), make_layer, pass);
    }
    whole_read_answers(layout, pass->layers[0], pass->layers[1], answers);
    return !whole_stopped(watch);
}

/* What every thread does to measure the memory. */
static void copy_part(void *user, int index) {
    struct whole_pass *pass = user;
    size_t bytes = pass->bytes[0] < pass->bytes[1] ? pass->bytes[0] : pass->bytes[1];
    size_t part = bytes / (size_t)team_size(pass->team);
    memcpy((char *)pass->memory[0] + (size_t)index * part, (char *)pass->memory[1] + (size_t)index * part, part);
}

double whole_pass_bandwidth(struct whole_pass *pass) {
    int threads = team_size(pass->team);
    size_t bytes = pass->bytes[0] < pass->bytes[1] ? pass->bytes[0] : pass->bytes[1];
    size_t copied = bytes / (size_t)threads * (size_t)threads;
    double best = 0;
    for (int i = 0; i < COPIES; i++) {
        double start = clock_wall();
        team_run(pass->team, threads, copy_part, pass);
        double seconds = clock_wall() - start;
        double rate = seconds > 0 ? 2.0 * (double)copied / seconds : 0;
        best = rate > best ? rate : best;
    }
    return best;
}

bool whole_pass_look(const struct whole_pass *pass, int k, uint32_t set, uint32_t holds_x) {
    return whole_look(pass->layout, k, pass->layers[k], set, holds_x);
}

uint32_t whole_play(const struct whole_board *board, uint32_t set, uint32_t holds_x, int square, int side, bool raid) {
    ASSERT((set >> square & 1) == 0);
    ASSERT(side == WAR_X || side == WAR_O);
    uint32_t own = side == WAR_X ? holds_x : set & ~holds_x;
    uint32_t flips = raid && own & board->beside[square] ? set & board->beside[square] : 0;
    uint32_t taken = flips | 1u << square;
    return side == WAR_X ? holds_x | taken : holds_x & ~taken;
}

void whole_read_answers(const struct whole_layout *layout, const uint64_t *first, const uint64_t *second,
                        struct whole_answers *answers) {
    const struct whole_board *board = &layout->board;
    *answers = (struct whole_answers){.root = whole_look(layout, 0, first, board->filled, board->holds_x)};
    for (int square = 0; square < board->squares; square++) {
        uint32_t set = board->filled | 1u << square;
        if (set == board->filled) {
            continue;
        }
        for (int raid = 0; raid < 2; raid++) {
            uint32_t holds_x = whole_play(board, board->filled, board->holds_x, square, board->side, raid);
            answers->moves[raid] |= whole_look(layout, 1, second, set, holds_x) ? 1u << square : 0;
        }
    }
}
