/* The inner loop of the whole-board solver for each kind of processor, and the choice among them. */
#include <pthread.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "games/war/whole.h"

/* 512 positions. */
typedef uint64_t tile __attribute__((vector_size(8 * WHOLE_TILE_WORDS), may_alias));

/* Bits of a word whose number has a zero at this place. */
static const uint64_t zeros_at[6] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                     0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};

/* By mover and a set of nine index bits: the positions of a tile in which the mover owns none of them. */
static tile lonely[2][1 << WHOLE_TILE_BITS];

/* Tiles are made in groups of so many, whose numbers differ in the last bits. */
#define GROUP_TILES 64u

/* By mover and a set of the last bits of a tile's number: the tiles of a group in which the mover owns one of them. */
static uint64_t raiding[2][GROUP_TILES];

static void fill_raiding(void) {
    for (uint32_t set = 0; set < GROUP_TILES; set++) {
        for (uint32_t number = 0; number < GROUP_TILES; number++) {
            raiding[0][set] |= (uint64_t)((~number & set) != 0) << number;
            raiding[1][set] |= (uint64_t)((number & set) != 0) << number;
        }
    }
}

static void fill_lonely(void) {
    for (uint32_t set = 0; set < 1u << WHOLE_TILE_BITS; set++) {
        for (uint32_t index = 0; index < 1u << WHOLE_TILE_BITS; index++) {
            uint64_t bit = (uint64_t)1 << (index & 63);
            lonely[0][set][index >> 6] |= (~index & set) ? 0 : bit;
            lonely[1][set][index >> 6] |= (index & set) ? 0 : bit;
        }
    }
}

#define INLINE inline __attribute__((always_inline))

static INLINE bool is_zero_plain(tile words) {
    return !((words[0] | words[1] | words[2] | words[3]) | (words[4] | words[5] | words[6] | words[7]));
}

#define TARGET
#define IS_ZERO(words) is_zero_plain(words)
#define KERNEL(name) name##_plain_x
#define X_MOVES 1
#include "games/war/whole_kernel.inc"
#undef KERNEL
#define KERNEL(name) name##_plain_o
#define X_MOVES 0
#include "games/war/whole_kernel.inc"
#undef KERNEL
#undef TARGET
static const struct whole_kernel plain = {"plain", make_plain_x, make_plain_o};

#if defined(__x86_64__)
#define TARGET __attribute__((target("avx2,bmi,bmi2")))
static INLINE TARGET bool is_zero_avx2(tile words) {
    union {
        tile words;
        __m256i halves[2];
    } both = {words};
    __m256i any = _mm256_or_si256(both.halves[0], both.halves[1]);
    return _mm256_testz_si256(any, any);
}
#undef IS_ZERO
#define IS_ZERO(words) is_zero_avx2(words)
#define KERNEL(name) name##_avx2_x
#define X_MOVES 1
#include "games/war/whole_kernel.inc"
#undef KERNEL
#define KERNEL(name) name##_avx2_o
#define X_MOVES 0
#include "games/war/whole_kernel.inc"
#undef KERNEL
#undef TARGET
static const struct whole_kernel avx2 = {"avx2", make_avx2_x, make_avx2_o};

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,bmi,bmi2")))
static INLINE TARGET bool is_zero_avx512(tile words) {
    return !_mm512_test_epi64_mask((__m512i)words, (__m512i)words);
}
#undef IS_ZERO
#define IS_ZERO(words) is_zero_avx512(words)
#define KERNEL(name) name##_avx512_x
#define X_MOVES 1
#include "games/war/whole_kernel.inc"
#undef KERNEL
#define KERNEL(name) name##_avx512_o
#define X_MOVES 0
#include "games/war/whole_kernel.inc"
#undef KERNEL
#undef TARGET
static const struct whole_kernel avx512 = {"avx512", make_avx512_x, make_avx512_o};
#endif

static const struct whole_kernel *runnable[4];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_runnable(void) {
    int count = 0;
    fill_lonely();
    fill_raiding();
    runnable[count++] = &plain;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) {
        runnable[count++] = &avx2;
    }
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq")) {
        runnable[count++] = &avx512;
    }
#endif
    runnable[count] = NULL;
}

const struct whole_kernel *const *whole_kernels(void) {
    pthread_once(&once, find_runnable);
    return runnable;
}

const struct whole_kernel *whole_kernel_pick(void) {
    const struct whole_kernel *const *kernels = whole_kernels();
    while (kernels[1]) {
        kernels++;
    }
    return *kernels;
}
