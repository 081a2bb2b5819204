/* The CUDA backend of the whole-board solver, as the solver sees it. */
#include <stdlib.h>

#include "games/war/whole_backend.h"
#include "whole_cuda.h"

struct state {
    const struct whole_layout *layout;
    struct whole_cuda *cuda;  /* owned */
    uint64_t *first, *second; /* owned: the first two layers, for the answers */
};

static void cuda_close(void *opened) {
    struct state *state = opened;
    if (state->cuda) {
        whole_cuda_close(state->cuda);
    }
    free(state->first);
    free(state->second);
    free(state);
}

static void *cuda_open(const struct whole_layout *layout, struct error *error) {
    const struct whole_board *board = &layout->board;
    struct whole_cuda_layout flat = {
        .squares = board->squares,
        .empties = board->empties,
        .pieces = board->pieces,
        .side = board->side,
        .low_bits = layout->low_bits,
        .settled = board->settled,
        .filled = board->filled,
        .high_sets = layout->high_sets,
        .value = board->value,
        .beside = board->beside,
        .high_rank = (const uint32_t *const *)layout->high_rank,
        .low_rank = layout->low_rank,
        .low_sets = layout->low_sets,
        .low_start = layout->low_start,
        .layer_words = layout->layer_words,
    };
    struct state *state = calloc(1, sizeof *state);
    if (state) {
        state->layout = layout;
        state->first = malloc(8 * layout->layer_words[0]);
        state->second = malloc(8 * layout->layer_words[1]);
    }
    if (!state || !state->first || !state->second) {
        error_fill(error, 0, 0, "out of memory");
    } else {
        const char *fault = whole_cuda_open(&flat, &state->cuda);
        if (!fault) {
            return state;
        }
        error_fill(error, 0, 0, "%s", fault);
    }
    if (state) {
        cuda_close(state);
    }
    return NULL;
}

static enum status cuda_run(void *opened, int32_t target, const atomic_bool *stop, _Atomic uint64_t *done,
                            struct whole_answers *answers, bool *finished, struct error *error) {
    struct state *state = opened;
    const struct whole_layout *layout = state->layout;
    const char *fault = whole_cuda_last(state->cuda, target);
    for (int k = layout->board.empties - 1; k >= 0 && !fault; k--) {
        *finished = !(stop && atomic_load(stop));
        if (!*finished) {
            return STATUS_OK;
        }
        fault = whole_cuda_layer(state->cuda, k);
        if (done) {
            uint64_t sets = layout->high_rank[k][layout->high_sets];
            atomic_fetch_add(done, sets << (layout->board.pieces + k));
        }
    }
    fault = fault ? fault : whole_cuda_read(state->cuda, 0, state->first);
    fault = fault ? fault : whole_cuda_read(state->cuda, 1, state->second);
    if (fault) {
        return error_machine(error, "the graphics card failed: %s", fault);
    }
    whole_read_answers(layout, state->first, state->second, answers);
    *finished = true;
    return STATUS_OK;
}

static const char *cuda_describe(void *opened) {
    return whole_cuda_name(((struct state *)opened)->cuda);
}

static double cuda_bandwidth(void *opened) {
    return whole_cuda_bandwidth(((struct state *)opened)->cuda);
}

__attribute__((visibility("default"))) const struct whole_backend sortie_whole_backend = {
    .name = "cuda",
    .open = cuda_open,
    .describe = cuda_describe,
    .bandwidth = cuda_bandwidth,
    .run = cuda_run,
    .close = cuda_close,
};
