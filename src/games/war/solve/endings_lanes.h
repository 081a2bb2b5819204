/* Vectors of values for working out endings: of 32 where the processor has AVX-512, else of 16. The second half of a
 * vector differs from the first in its last piece, so it has a window of its own. */
#ifndef SORTIE_GAMES_WAR_SOLVE_ENDINGS_LANES_H
#define SORTIE_GAMES_WAR_SOLVE_ENDINGS_LANES_H

#include <stdint.h>
#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#ifdef __AVX512BW__
#define LANES 32
#define LANE_BITS 5
#else
#define LANES 16
#define LANE_BITS 4
#endif
#define WINDOW LANES /* values among which those of half a vector are found */

#ifdef __AVX512BW__
typedef __m512i lanes;

struct pick_lanes {
    __m512i places; /* in both windows, one after the other */
};

static inline lanes lanes_all(int value) {
    return _mm512_set1_epi16((short)value);
}

static inline lanes lanes_from(const int16_t *values) {
    return _mm512_loadu_si512(values);
}

static inline void lanes_to(int16_t *values, lanes a) {
    _mm512_storeu_si512(values, a);
}

static inline lanes lanes_add(lanes a, lanes b) {
    return _mm512_add_epi16(a, b);
}

static inline lanes lanes_subtract(lanes a, lanes b) {
    return _mm512_sub_epi16(a, b);
}

static inline lanes lanes_greater(lanes a, lanes b) {
    return _mm512_max_epi16(a, b);
}

/* Lanes of `a` where the mask is all ones, of `b` where it is 0. */
static inline lanes lanes_choose(lanes mask, lanes a, lanes b) {
    return _mm512_mask_blend_epi16(_mm512_movepi16_mask(mask), b, a);
}

static inline void pick_make(struct pick_lanes *pick, const int places[LANES]) {
    int16_t both[LANES];
    for (int i = 0; i < LANES; i++) {
        both[i] = (int16_t)(places[i] + (i < LANES / 2 ? 0 : WINDOW));
    }
    pick->places = _mm512_loadu_si512(both);
}

static inline lanes lanes_pick(const struct pick_lanes *pick, const int16_t *window, const int16_t *window_high) {
    return _mm512_permutex2var_epi16(_mm512_loadu_si512(window), pick->places, _mm512_loadu_si512(window_high));
}
#elif defined(__AVX2__)
typedef __m256i lanes;

struct pick_lanes {
    __m256i first, second; /* bytes of the lower and the upper half of the windows */
};

static inline lanes lanes_all(int value) {
    return _mm256_set1_epi16((short)value);
}

static inline lanes lanes_from(const int16_t *values) {
    return _mm256_loadu_si256((const __m256i *)values);
}

static inline void lanes_to(int16_t *values, lanes a) {
    _mm256_storeu_si256((__m256i *)values, a);
}

static inline lanes lanes_add(lanes a, lanes b) {
    return _mm256_add_epi16(a, b);
}

static inline lanes lanes_subtract(lanes a, lanes b) {
    return _mm256_sub_epi16(a, b);
}

static inline lanes lanes_greater(lanes a, lanes b) {
    return _mm256_max_epi16(a, b);
}

/* Lanes of `a` where the mask is all ones, of `b` where it is 0. */
static inline lanes lanes_choose(lanes mask, lanes a, lanes b) {
    return _mm256_blendv_epi8(b, a, mask);
}

static inline void pick_make(struct pick_lanes *pick, const int places[LANES]) {
    unsigned char bytes[2][2 * LANES];
    memset(bytes, 0x80, sizeof bytes);
    for (int i = 0; i < LANES; i++) {
        unsigned char *half = bytes[places[i] / 8];
        half[2 * i] = (unsigned char)(2 * (places[i] % 8));
        half[2 * i + 1] = (unsigned char)(half[2 * i] + 1);
    }
    pick->first = _mm256_loadu_si256((const __m256i *)bytes[0]);
    pick->second = _mm256_loadu_si256((const __m256i *)bytes[1]);
}

static inline lanes two_halves(const int16_t *low, const int16_t *high) {
    __m256i both = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)low));
    return _mm256_inserti128_si256(both, _mm_loadu_si128((const __m128i *)high), 1);
}

static inline lanes lanes_pick(const struct pick_lanes *pick, const int16_t *window, const int16_t *window_high) {
    return _mm256_or_si256(_mm256_shuffle_epi8(two_halves(window, window_high), pick->first),
                           _mm256_shuffle_epi8(two_halves(window + 8, window_high + 8), pick->second));
}
#elif defined(__wasm_simd128__)
typedef struct {
    v128_t half[2];
} lanes;

struct pick_lanes {
    v128_t bytes[2][2]; /* of a half: bytes of the lower and the upper half of its window */
};

static inline lanes lanes_all(int value) {
    v128_t all = wasm_i16x8_splat((int16_t)value);
    return (lanes){{all, all}};
}

static inline lanes lanes_from(const int16_t *values) {
    return (lanes){{wasm_v128_load(values), wasm_v128_load(values + LANES / 2)}};
}

static inline void lanes_to(int16_t *values, lanes a) {
    wasm_v128_store(values, a.half[0]);
    wasm_v128_store(values + LANES / 2, a.half[1]);
}

static inline lanes lanes_add(lanes a, lanes b) {
    return (lanes){{wasm_i16x8_add(a.half[0], b.half[0]), wasm_i16x8_add(a.half[1], b.half[1])}};
}

static inline lanes lanes_subtract(lanes a, lanes b) {
    return (lanes){{wasm_i16x8_sub(a.half[0], b.half[0]), wasm_i16x8_sub(a.half[1], b.half[1])}};
}

static inline lanes lanes_greater(lanes a, lanes b) {
    return (lanes){{wasm_i16x8_max(a.half[0], b.half[0]), wasm_i16x8_max(a.half[1], b.half[1])}};
}

static inline lanes lanes_choose(lanes mask, lanes a, lanes b) {
    return (lanes){{wasm_v128_bitselect(a.half[0], b.half[0], mask.half[0]),
                    wasm_v128_bitselect(a.half[1], b.half[1], mask.half[1])}};
}

static inline void pick_make(struct pick_lanes *pick, const int places[LANES]) {
    unsigned char bytes[2][2][LANES];
    memset(bytes, 0x80, sizeof bytes);
    for (int i = 0; i < LANES; i++) {
        unsigned char *at = &bytes[i / 8][places[i] / 8][2 * (i % 8)];
        at[0] = (unsigned char)(2 * (places[i] % 8));
        at[1] = (unsigned char)(at[0] + 1);
    }
    memcpy(pick->bytes, bytes, sizeof bytes);
}

static inline v128_t pick_half(const v128_t bytes[2], const int16_t *window) {
    return wasm_v128_or(wasm_i8x16_swizzle(wasm_v128_load(window), bytes[0]),
                        wasm_i8x16_swizzle(wasm_v128_load(window + 8), bytes[1]));
}

static inline lanes lanes_pick(const struct pick_lanes *pick, const int16_t *window, const int16_t *window_high) {
    return (lanes){{pick_half(pick->bytes[0], window), pick_half(pick->bytes[1], window_high)}};
}
#else
typedef struct {
    int16_t at[LANES];
} lanes;

struct pick_lanes {
    int places[LANES];
};

static inline lanes lanes_all(int value) {
    lanes all;
    for (int i = 0; i < LANES; i++) {
        all.at[i] = (int16_t)value;
    }
    return all;
}

static inline lanes lanes_from(const int16_t *values) {
    lanes a;
    memcpy(a.at, values, sizeof a.at);
    return a;
}

static inline void lanes_to(int16_t *values, lanes a) {
    memcpy(values, a.at, sizeof a.at);
}

static inline lanes lanes_add(lanes a, lanes b) {
    for (int i = 0; i < LANES; i++) {
        a.at[i] = (int16_t)(a.at[i] + b.at[i]);
    }
    return a;
}

static inline lanes lanes_subtract(lanes a, lanes b) {
    for (int i = 0; i < LANES; i++) {
        a.at[i] = (int16_t)(a.at[i] - b.at[i]);
    }
    return a;
}

static inline lanes lanes_greater(lanes a, lanes b) {
    for (int i = 0; i < LANES; i++) {
        a.at[i] = a.at[i] > b.at[i] ? a.at[i] : b.at[i];
    }
    return a;
}

static inline lanes lanes_choose(lanes mask, lanes a, lanes b) {
    for (int i = 0; i < LANES; i++) {
        a.at[i] = mask.at[i] ? a.at[i] : b.at[i];
    }
    return a;
}

static inline void pick_make(struct pick_lanes *pick, const int places[LANES]) {
    memcpy(pick->places, places, sizeof pick->places);
}

static inline lanes lanes_pick(const struct pick_lanes *pick, const int16_t *window, const int16_t *window_high) {
    lanes a;
    for (int i = 0; i < LANES / 2; i++) {
        a.at[i] = window[pick->places[i]];
        a.at[i + LANES / 2] = window_high[pick->places[i + LANES / 2]];
    }
    return a;
}
#endif

#endif
