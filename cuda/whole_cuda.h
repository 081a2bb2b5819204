/* What the C side of the CUDA backend asks of the card: plain C, so that either compiler reads it. Functions return
 * NULL, or what went wrong. */
#ifndef SORTIE_CUDA_WHOLE_CUDA_H
#define SORTIE_CUDA_WHOLE_CUDA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A struct whole_layout, flat. */
struct whole_cuda_layout {
    int squares;
    int empties;
    int pieces;
    int side;
    int low_bits;
    int32_t settled;
    uint32_t filled;
    uint32_t high_sets;
    const int32_t *value;
    const uint32_t *beside;
    const uint32_t *const *high_rank;
    const uint16_t *low_rank;
    const uint16_t *low_sets;
    const uint32_t *low_start;
    const uint64_t *layer_words;
};

struct whole_cuda;

const char *whole_cuda_open(const struct whole_cuda_layout *layout, struct whole_cuda **cuda);
void whole_cuda_close(struct whole_cuda *cuda);
/* The last layer, then one layer from the next; each waits until it is made. */
const char *whole_cuda_last(struct whole_cuda *cuda, int32_t target);
const char *whole_cuda_layer(struct whole_cuda *cuda, int k);
/* Copies a layer that is still on the card. */
const char *whole_cuda_read(struct whole_cuda *cuda, int k, uint64_t *words);
/* The card's name, and how many bytes a second it copies from its memory to its memory, read and written together. */
const char *whole_cuda_name(const struct whole_cuda *cuda);
double whole_cuda_bandwidth(struct whole_cuda *cuda);

#ifdef __cplusplus
}
#endif

#endif
