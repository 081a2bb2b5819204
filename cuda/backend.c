/* The CUDA backend of the whole-board solver, as the solver sees it. */
#include <stdlib.h>

#include "games/war/whole/whole_backend.h"
#include "whole_cuda.h"

struct state {
    struct whole_layout layout; /* owned: blocks uncut */
    struct whole_cuda *cuda;    /* owned */
    uint64_t *first, *second;   /* owned: the first two layers, for the answers */
    uint16_t *low_sets;         /* owned: the layout's, as the card keeps them */
};

static void cuda_close(void *opened) {
    struct state *state = opened;
    if (state->cuda) {
        whole_cuda_close(state->cuda);
    }
    free(state->first);
    free(state->second);
    free(state->low_sets);
    whole_layout_close(&state->layout);
    free(state);
}

static const char *open_card(struct state *state) {
    const struct whole_layout *layout = &state->layout;
    const struct whole_board *board = &layout->board;
    uint32_t low_sets = 1u << layout->low_bits;
    state->low_sets = malloc(low_sets * sizeof *state->low_sets);
    for (uint32_t i = 0; i < low_sets && state->low_sets; i++) {
        state->low_sets[i] = (uint16_t)layout->low_sets[i];
    }
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
        .low_sets = state->low_sets,
        .low_start = layout->low_start,
        .layer_words = layout->layer_words,
    };
    state->first = malloc(8 * layout->layer_words[0]);
    state->second = malloc(8 * layout->layer_words[1]);
    return state->first && state->second && state->low_sets ? whole_cuda_open(&flat, &state->cuda) : "out of memory";
}

static void *cuda_open(const struct whole_board *board, struct error *error) {
    struct state *state = calloc(1, sizeof *state);
    const char *fault = "out of memory";
    if (state && whole_layout_open(&state->layout, board, whole_cut_into_blocks(board))) {
        fault = open_card(state);
    }
    if (!fault) {
        return state;
    }
    error_fill(error, 0, 0, "%s", fault);
    if (state) {
        cuda_close(state);
    }
    return NULL;
}

static enum status cuda_run(void *opened, int32_t target, const struct whole_watch *watch,
                            struct whole_answers *answers, bool *finished, struct error *error) {
    struct state *state = opened;
    const struct whole_layout *layout = &state->layout;
    const char *fault = whole_cuda_last(state->cuda, target);
    uint64_t made = 0;
    for (int k = layout->board.empties - 1; k >= 0 && !fault; k--) {
        *finished = !whole_stopped(watch);
        if (!*finished) {
            return STATUS_OK;
        }
        fault = whole_cuda_layer(state->cuda, k);
        made += layout->layer_words[k];
        if (watch->tick) {
            watch->tick(watch->user, made);
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
    .pace = 1.6e12,
    .open = cuda_open,
    .describe = cuda_describe,
    .bandwidth = cuda_bandwidth,
    .run = cuda_run,
    .close = cuda_close,
};
