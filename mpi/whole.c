/* The passes of the whole-board solver over the processes of an MPI job.
 *
 * A layer is cut by upper sets into one stretch a process, with about as much memory each. A process makes the blocks
 * of its upper sets one set after the other: what it needs of the layer behind lies in a few stretches without gaps
 * (the same upper set with one lower square more, and each upper set with one square more), which it reads from the
 * processes that hold them. The first process leads: it alone asks for targets, the others answer until they are told
 * to stop. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/war/whole/whole_backend.h"
#include "process.h"
#include "system/pages.h"

#define NO_MORE_TARGETS INT32_MIN

struct state {
    struct whole_layout layout; /* owned */
    const struct whole_kernel *kernel;
    int rank;
    int ranks;
    uint32_t first[WHOLE_MOST_SQUARES + 1][256]; /* by layer and process: the first of its upper sets */
    uint64_t *memory[2];                         /* owned: this process's part of two layers */
    size_t bytes[2];
    MPI_Win windows[2];
    uint64_t *staged; /* owned: what was read for one upper set */
    uint64_t staged_words;
    struct whole_step *steps; /* owned: room for those of a stretch */
    uint64_t *answers[2];     /* owned, of the first process: the first two layers */
    double sent;              /* bytes read from other processes */
    char description[160];
};

#define MOST_RANKS 255

static uint64_t words_before(const struct state *state, int k, uint32_t high) {
    return whole_stretch_start(&state->layout, k, high);
}

/* Cuts every layer so that each process has about the same share. */
static void cut_layers(struct state *state) {
    const struct whole_layout *layout = &state->layout;
    for (int k = 0; k <= layout->board.empties; k++) {
        uint64_t blocks = layout->high_rank[k][layout->high_sets];
        uint32_t high = 0;
        for (int rank = 0; rank <= state->ranks; rank++) {
            while (high < layout->high_sets &&
                   layout->high_rank[k][high] < blocks * (uint64_t)rank / (uint64_t)state->ranks) {
                high++;
            }
            state->first[k][rank] = rank == state->ranks ? layout->high_sets : high;
        }
    }
}

static int owner_of(const struct state *state, int k, uint32_t high) {
    int rank = 0;
    while (rank + 1 < state->ranks && state->first[k][rank + 1] <= high) {
        rank++;
    }
    return rank;
}

/* The blocks of an upper set in a layer: read into `room`, or where they are when this process holds them. */
static const uint64_t *bring(struct state *state, int k, uint32_t high, uint64_t *room, uint64_t *used) {
    uint64_t words = words_before(state, k, high + 1) - words_before(state, k, high);
    int owner = owner_of(state, k, high);
    uint64_t offset = words_before(state, k, high) - words_before(state, k, state->first[k][owner]);
    if (owner == state->rank) {
        return state->memory[k & 1] + offset;
    }
    for (uint64_t done = 0; done < words;) { /* MPI counts in int */
        uint64_t part = words - done < (1u << 27) ? words - done : 1u << 27;
        MPI_Get(room + done, (int)part, MPI_UINT64_T, owner, (MPI_Aint)(offset + done), (int)part, MPI_UINT64_T,
                state->windows[k & 1]);
        done += part;
    }
    *used = words;
    state->sent += 8.0 * (double)words;
    return room;
}

/* Makes all blocks of one upper set in the layer of k. */
static void make_blocks(struct state *state, int k, uint32_t high) {
    const struct whole_layout *layout = &state->layout;
    if (whole_stretch_blocks(layout, k, high) == 0) {
        return;
    }
    struct whole_stretch stretch = {.layout = layout, .kernel = state->kernel, .k = k, .high = high};
    uint64_t *room = state->staged;
    uint64_t used = 0;
    if (whole_stretch_blocks(layout, k + 1, high) > 0) {
        stretch.same = bring(state, k + 1, high, room, &used);
        room += used;
    }
    for (uint32_t bit = 1, i = 0; bit < layout->high_sets; bit <<= 1, i++) {
        used = 0;
        stretch.more[i] = high & bit ? NULL : bring(state, k + 1, high | bit, room, &used);
        room += used;
    }
    MPI_Win_flush_all(state->windows[(k + 1) & 1]);
    stretch.made =
        state->memory[k & 1] + words_before(state, k, high) - words_before(state, k, state->first[k][state->rank]);
    stretch.steps = state->steps;
    whole_make_chunks(&stretch, 0, whole_chunks(layout, k));
}

/* One layer, each process its part; nobody goes on before all have made theirs. */
static void make_layer(struct state *state, int k) {
    for (uint32_t high = state->first[k][state->rank]; high < state->first[k][state->rank + 1]; high++) {
        make_blocks(state, k, high);
    }
    MPI_Win_sync(state->windows[k & 1]);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* One pass, by all processes. Whether it was stopped is the first one's to say, layer by layer. */
static bool run_pass(struct state *state, int32_t target, const struct whole_watch *watch) {
    const struct whole_layout *layout = &state->layout;
    int last = layout->board.empties;
    uint64_t made = 0;
    if (owner_of(state, last, layout->high_sets - 1) == state->rank) {
        whole_last_layer(&layout->board, target, state->memory[last & 1]);
    }
    MPI_Win_sync(state->windows[last & 1]);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = last - 1; k >= 0; k--) {
        int go_on = !whole_stopped(watch);
        MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (!go_on) {
            return false;
        }
        make_layer(state, k);
        made += layout->layer_words[k];
        if (watch->tick) {
            watch->tick(watch->user, made);
        }
    }
    return true;
}

static void close_state(struct state *state) {
    for (int i = 0; i < 2; i++) {
        MPI_Win_unlock_all(state->windows[i]);
        MPI_Win_free(&state->windows[i]);
        if (state->memory[i]) {
            pages_free(state->memory[i], state->bytes[i]);
        }
        free(state->answers[i]);
    }
    free(state->staged);
    free(state->steps);
    whole_layout_close(&state->layout);
    free(state);
}

/* The most words this process needs for two layers and for what it reads at a time. */
static void measure(const struct state *state, uint64_t words[2], uint64_t *staged) {
    const struct whole_layout *layout = &state->layout;
    words[0] = words[1] = WHOLE_TILE_WORDS;
    *staged = WHOLE_TILE_WORDS;
    for (int k = 0; k <= layout->board.empties; k++) {
        uint64_t own = words_before(state, k, state->first[k][state->rank + 1]) -
                       words_before(state, k, state->first[k][state->rank]);
        words[k & 1] = own > words[k & 1] ? own : words[k & 1];
        for (uint32_t high = 0; high < layout->high_sets; high++) {
            uint64_t stretch = words_before(state, k, high + 1) - words_before(state, k, high);
            uint64_t all = stretch * (uint64_t)(layout->board.squares - layout->low_bits + 1);
            *staged = all > *staged ? all : *staged;
        }
    }
}

static void *mpi_open(const struct whole_board *board, struct error *error) {
    struct state *state = calloc(1, sizeof *state);
    if (!state || !whole_layout_open(&state->layout, board, whole_cut_for_stretches(board))) {
        error_fill(error, 0, 0, "out of memory");
        free(state);
        return NULL;
    }
    const struct whole_layout *layout = &state->layout;
    process_rank();
    state->kernel = whole_kernel_pick();
    MPI_Comm_rank(MPI_COMM_WORLD, &state->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &state->ranks);
    if (state->ranks > MOST_RANKS) {
        error_fill(error, 0, 0, "at most %d processes can share a board", MOST_RANKS);
        whole_layout_close(&state->layout);
        free(state);
        return NULL;
    }
    cut_layers(state);
    uint64_t words[2];
    measure(state, words, &state->staged_words);
    state->staged = aligned_alloc(64, 8 * state->staged_words);
    state->steps = malloc((layout->most_steps + 1) * sizeof *state->steps);
    for (int i = 0; i < 2; i++) {
        state->bytes[i] = 8 * words[i];
        state->memory[i] = pages_new(state->bytes[i]); /* tiles need whole cache lines, which MPI does not promise */
        MPI_Win_create(state->memory[i], (MPI_Aint)(state->memory[i] ? state->bytes[i] : 0), 8, MPI_INFO_NULL,
                       MPI_COMM_WORLD, &state->windows[i]);
        MPI_Win_lock_all(MPI_MODE_NOCHECK, state->windows[i]);
        state->answers[i] = state->rank == 0 ? malloc(8 * layout->layer_words[i]) : NULL;
    }
    int fine = state->staged && state->steps && state->memory[0] && state->memory[1] &&
               (state->rank != 0 || (state->answers[0] && state->answers[1]));
    MPI_Allreduce(MPI_IN_PLACE, &fine, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!fine) {
        error_fill(error, 0, 0, "out of memory in one of the processes");
        close_state(state);
        return NULL;
    }
    return state;
}

static enum status mpi_run(void *opened, int32_t target, const struct whole_watch *watch, struct whole_answers *answers,
                           bool *finished, struct error *error) {
    struct state *state = opened;
    const struct whole_layout *layout = &state->layout;
    (void)error;
    MPI_Bcast(&target, 1, MPI_INT32_T, 0, MPI_COMM_WORLD);
    *finished = run_pass(state, target, watch);
    if (*finished) {
        for (int k = 0; k < 2; k++) { /* the first layers are small */
            for (uint32_t high = 0; high < layout->high_sets; high++) {
                uint64_t used = 0;
                uint64_t *room = state->answers[k] + words_before(state, k, high);
                const uint64_t *blocks = bring(state, k, high, room, &used);
                if (blocks != room) {
                    memcpy(room, blocks, 8 * (words_before(state, k, high + 1) - words_before(state, k, high)));
                }
            }
            MPI_Win_flush_all(state->windows[k]);
        }
        whole_read_answers(layout, state->answers[0], state->answers[1], answers);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return STATUS_OK;
}

static const char *mpi_describe(void *opened) {
    struct state *state = opened;
    uint64_t words[2];
    uint64_t staged;
    measure(state, words, &staged);
    snprintf(state->description, sizeof state->description, "%d processes, %.3g GB each", state->ranks,
             8e-9 * (double)(words[0] + words[1] + staged));
    return state->description;
}

/* Tells the others that there are no more targets. */
static void mpi_close(void *opened) {
    struct state *state = opened;
    int32_t target = NO_MORE_TARGETS;
    double sent = 0;
    MPI_Bcast(&target, 1, MPI_INT32_T, 0, MPI_COMM_WORLD);
    MPI_Reduce(&state->sent, &sent, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    close_state(state);
}

static double mpi_traffic(void *opened) {
    return ((struct state *)opened)->sent;
}

/* What all but the first process do. */
static enum status mpi_serve(const struct whole_board *board, struct error *error) {
    struct state *state = mpi_open(board, error);
    if (!state) {
        return STATUS_FAIL;
    }
    for (;;) {
        int32_t target;
        MPI_Bcast(&target, 1, MPI_INT32_T, 0, MPI_COMM_WORLD);
        if (target == NO_MORE_TARGETS) {
            break;
        }
        run_pass(state, target, &(struct whole_watch){0});
        MPI_Barrier(MPI_COMM_WORLD);
    }
    double nothing = 0;
    MPI_Reduce(&state->sent, &nothing, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    close_state(state);
    return STATUS_OK;
}

__attribute__((visibility("default"))) const struct whole_backend sortie_whole_backend = {
    .name = "mpi",
    .pace = 4e10,
    .open = mpi_open,
    .describe = mpi_describe,
    .run = mpi_run,
    .close = mpi_close,
    .rank = process_rank,
    .serve = mpi_serve,
    .traffic = mpi_traffic,
};
