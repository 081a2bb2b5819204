#include "games/laser/kernel/kernel.h"

#include <string.h>

#include "base/assert.h"
#include "game/symmetry.h"

const struct laser_kernel *laser_kernel_for(int words) {
    ASSERT(words >= 1 && words <= LASER_WORDS);
    static const struct laser_kernel *const kernels[] = {&laser_kernel_1, &laser_kernel_2, &laser_kernel_3,
                                                         &laser_kernel_4, &laser_kernel_7, &laser_kernel_16};
    size_t i = 0;
    while (kernels[i]->words < words) {
        i++;
    }
    return kernels[i];
}

/* The symmetries that take blocks to blocks, the one that moves nothing aside. */
static void find_images(struct laser_beams *beams, const struct laser_position *position) {
    for (int way = 1; way < SYMMETRY_COUNT; way++) {
        uint16_t *image = beams->image[beams->images];
        bool fits = true;
        for (int square = 0; square < beams->squares && fits; square++) {
            int to = symmetry_turn(beams->size, way, square);
            image[square] = (uint16_t)to;
            fits = laser_has(position->blocks, square) == laser_has(position->blocks, to);
        }
        beams->images += fits;
    }
}

void laser_beams_init(struct laser_beams *beams, const struct laser_position *position, int words) {
    ASSERT(words >= laser_words(position->size));
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
    find_images(beams, position);
}
