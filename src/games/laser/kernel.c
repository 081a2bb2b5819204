#include "games/laser/kernel.h"

#include <string.h>

const struct laser_kernel *laser_kernel_for(int words) {
    static const struct laser_kernel *const kernels[] = {&laser_kernel_1, &laser_kernel_2, &laser_kernel_3,
                                                         &laser_kernel_4, &laser_kernel_7, &laser_kernel_16};
    size_t i = 0;
    while (kernels[i]->words < words) {
        i++;
    }
    return kernels[i];
}

void laser_beams_init(struct laser_beams *beams, const struct laser_position *position, int words) {
    int size = position->size;
    memset(beams, 0, sizeof *beams);
    beams->size = size;
    beams->squares = size * size;
    beams->words = words;
    beams->seed = rng_mix((uint64_t)size);
    for (int i = 0; i < LASER_WORDS; i++) {
        beams->seed = rng_mix(beams->seed ^ position->blocks[i]);
    }
    for (int square = 0; square < size * size; square++) {
        if (!laser_has(position->blocks, square)) {
            uint64_t covered[LASER_WORDS] = {0};
            laser_add_beams(position, square, covered);
            memcpy(beams->beams + square * words, covered, (size_t)words * sizeof *covered);
            laser_add(beams->open, square);
            if (square % size != 0) {
                laser_add(beams->not_left, square);
            }
            if (square % size != size - 1) {
                laser_add(beams->not_right, square);
            }
        }
    }
}
