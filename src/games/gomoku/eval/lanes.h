/* Vectors of the network's numbers, as long as the processor has them, and the few things compilers do not find the
 * instruction for. What needs a name of its own on a processor is here; eval/net.c is the same for all. */
#ifndef SORTIE_GAMES_GOMOKU_EVAL_LANES_H
#define SORTIE_GAMES_GOMOKU_EVAL_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX512BW__) || defined(__AVX2__) || defined(__SSE2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__AVX512BW__)
#define LANES 32
#elif defined(__AVX2__)
#define LANES 16
#else
#define LANES 8
#endif
typedef int16_t lanes __attribute__((vector_size(2 * LANES)));

/* The layers behind the sums go by pairs of inputs, each for OUTS outputs at a time. */
#if defined(__AVX512BW__)
#define OUTS 16
#elif defined(__AVX2__)
#define OUTS 8
#else
#define OUTS 4
#endif
typedef int16_t pairs __attribute__((vector_size(4 * OUTS)));
typedef int32_t outs __attribute__((vector_size(4 * OUTS)));

#pragma GCC diagnostic ignored "-Wpsabi" /* all functions that take vectors are inline */

/* The sums, without what does not fit. */
static inline lanes lanes_add(lanes a, lanes b) {
    typedef uint16_t wrapping __attribute__((vector_size(2 * LANES)));
    return (lanes)((wrapping)a + (wrapping)b);
}

/* The same word in all of them. */
static inline lanes lanes_repeat(uint64_t word) {
    typedef uint64_t words __attribute__((vector_size(2 * LANES)));
    return (lanes)((words){0} + word);
}

/* Is one of them not zero? */
static inline bool lanes_any(lanes numbers) {
#if defined(__AVX512BW__)
    return _mm512_test_epi64_mask((__m512i)numbers, (__m512i)numbers) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)numbers, (__m256i)numbers);
#else
    uint64_t words[2];
    memcpy(words, &numbers, sizeof words);
    return (words[0] | words[1]) != 0;
#endif
}

/* Between 0 and `most`. */
static inline lanes lanes_clamp(lanes numbers, int16_t most) {
    const lanes low = {0};
    const lanes high = low + most;
#if defined(__AVX512BW__)
    return (lanes)_mm512_min_epi16(_mm512_max_epi16((__m512i)numbers, (__m512i)low), (__m512i)high);
#elif defined(__AVX2__)
    return (lanes)_mm256_min_epi16(_mm256_max_epi16((__m256i)numbers, (__m256i)low), (__m256i)high);
#elif defined(__SSE2__)
    return (lanes)_mm_min_epi16(_mm_max_epi16((__m128i)numbers, (__m128i)low), (__m128i)high);
#elif defined(__wasm_simd128__)
    return (lanes)wasm_i16x8_min(wasm_i16x8_max((v128_t)numbers, (v128_t)low), (v128_t)high);
#elif defined(__ARM_NEON) && defined(__aarch64__)
    return (lanes)vminq_s16(vmaxq_s16((int16x8_t)numbers, (int16x8_t)low), (int16x8_t)high);
#else
    lanes some = numbers & (numbers > low);
    lanes less = some < high;
    return (some & less) | (high & ~less);
#endif
}

/* LANES bytes, made longer. */
static inline lanes lanes_of_bytes(const int8_t *bytes) {
#if defined(__AVX512BW__)
    return (lanes)_mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)bytes));
#elif defined(__AVX2__)
    return (lanes)_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)bytes));
#elif defined(__SSE2__)
    __m128i twice = _mm_loadl_epi64((const __m128i *)bytes);
    return (lanes)_mm_srai_epi16(_mm_unpacklo_epi8(twice, twice), 8);
#else
    typedef int8_t short_lanes __attribute__((vector_size(LANES)));
    short_lanes numbers;
    memcpy(&numbers, bytes, sizeof numbers);
    return __builtin_convertvector(numbers, lanes);
#endif
}

/* The sum of the two products of each pair. */
static inline outs pairs_products(pairs a, pairs b) {
#if defined(__AVX512BW__)
    return (outs)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (outs)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (outs)_mm_madd_epi16((__m128i)a, (__m128i)b);
#elif defined(__wasm_simd128__)
    return (outs)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b);
#elif defined(__ARM_NEON) && defined(__aarch64__)
    int32x4_t low = vmull_s16(vget_low_s16((int16x8_t)a), vget_low_s16((int16x8_t)b));
    return (outs)vpaddq_s32(low, vmull_high_s16((int16x8_t)a, (int16x8_t)b));
#else
    typedef uint32_t both __attribute__((vector_size(4 * OUTS)));
    outs products = ((outs)((both)a << 16) >> 16) * ((outs)((both)b << 16) >> 16);
    return products + ((outs)a >> 16) * ((outs)b >> 16);
#endif
}

/* The sum of all of them. */
static inline int32_t outs_sum(outs numbers) {
#if defined(__AVX512BW__)
    return _mm512_reduce_add_epi32((__m512i)numbers);
#elif defined(__AVX2__)
    __m128i halves =
        _mm_add_epi32(_mm256_castsi256_si128((__m256i)numbers), _mm256_extracti128_si256((__m256i)numbers, 1));
    halves = _mm_add_epi32(halves, _mm_shuffle_epi32(halves, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(halves, _mm_shuffle_epi32(halves, 0xb1)));
#else
    int32_t sum = 0;
    for (int i = 0; i < OUTS; i++) {
        sum += numbers[i];
    }
    return sum;
#endif
}

#endif
