/* The inner loop of the whole-board solver for each kind of processor, and the choice among them. */
#include <pthread.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "games/war/whole/whole.h"

/* 512 positions. */
typedef uint64_t tile __attribute__((vector_size(8 * WHOLE_TILE_WORDS), may_alias));

/* Bits of a word whose number has a zero at this place. */
static const uint64_t zeros_at[6] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                     0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};

/* By mover and a set of nine index bits: the positions of a tile in which the mover owns none of them. */
static tile lonely[2][1 << WHOLE_TILE_BITS];

/* 0, 1, 2 ... 63 */
static uint8_t byte_numbers[64] __attribute__((aligned(64)));

/* By mover: what a tile is before the first move is joined. */
static const tile unmade[2] = {
    {~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0},
    {0}};

/* So many tiles are made at a time at most; their numbers differ in the last bits. */
#define MOST_TILES 64u

/* By mover and a set of the last bits of a tile's number: those of 64 tiles in which the mover owns one of them. */
static uint64_t raiding[2][MOST_TILES];

static void fill_raiding(void) {
    for (uint32_t set = 0; set < MOST_TILES; set++) {
        for (uint32_t number = 0; number < MOST_TILES; number++) {
            raiding[0][set] |= (uint64_t)((~number & set) != 0) << number;
            raiding[1][set] |= (uint64_t)((number & set) != 0) << number;
        }
    }
}

static void fill_byte_numbers(void) {
    for (int i = 0; i < 64; i++) {
        byte_numbers[i] = (uint8_t)i;
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

/* Places outside a tile, for the compiler: of a tile of the chunk, and of a chunk. */
#define WITHIN WHOLE_TILE_BITS
#define APART (WHOLE_TILE_BITS + 1)

#define INLINE inline __attribute__((always_inline))

static INLINE bool is_zero_plain(tile words) {
    return !((words[0] | words[1] | words[2] | words[3]) | (words[4] | words[5] | words[6] | words[7]));
}

/* The 32 bits of a word whose index has the mover's bit at `place`, moved together. */
static INLINE uint64_t squeeze(uint64_t word, uint32_t place, int x_moves) {
    word = (x_moves ? word >> (1u << place) : word) & zeros_at[place];
    for (uint32_t step = place; step < 5; step++) {
        word = (word | word >> (1u << step)) & zeros_at[step + 1];
    }
    return word;
}

/* Of two tiles the half of the positions whose index has the mover's bit at `place`, moved together. */
static INLINE tile half_plain(tile low, tile high, uint32_t place, int x_moves) {
    tile both[2] = {low, high};
    const uint64_t *words = (const uint64_t *)both;
    tile half = low;
    for (uint32_t i = 0; i < WHOLE_TILE_WORDS; i++) {
        uint32_t bit = place < 6 ? 0 : 1u << (place - 6);
        half[i] = place < 6 ? squeeze(words[2 * i], place, x_moves) | squeeze(words[2 * i + 1], place, x_moves) << 32
                            : words[(i & (bit - 1)) | (i & ~(bit - 1)) << 1 | (x_moves ? bit : 0)];
    }
    return half;
}

/* Every position of a word gets the bit of the one in which the mover owns all squares `around` (six bits). A macro,
 * since a function would have to be compiled for each processor. */
#define FLIP_WORDS(words, around, x_moves)                                                                             \
    for (uint32_t rest = (around)&63; rest; rest &= rest - 1) {                                                        \
        uint32_t place = (uint32_t)__builtin_ctz(rest);                                                                \
        (words) &= (x_moves) ? ~zeros_at[place] : zeros_at[place];                                                     \
        (words) |= (x_moves) ? (words) >> (1u << place) : (words) << (1u << place);                                    \
    }

/* The same over a tile (nine bits). */
static INLINE tile flip_plain(tile words, uint32_t around, int x_moves) {
    tile flipped = words;
    FLIP_WORDS(words, around, x_moves)
    for (uint32_t i = 0; i < WHOLE_TILE_WORDS; i++) {
        flipped[i] = words[x_moves ? i | around >> 6 : i & ~(around >> 6)];
    }
    return flipped;
}

#define TARGET
#define TILE tile
#define EITHER(a, b) ((a) | (b))
#define BOTH(a, b) ((a) & (b))
#define CHOOSE(mask, a, b) (((a) & (mask)) | ((b) & ~(mask)))
#define IS_SETTLED(words, x_moves) IS_ZERO((x_moves) ? ~(words) : (words))
#define IS_ZERO(words) is_zero_plain(words)
#define HALF(low, high, place, x_moves) half_plain(low, high, place, x_moves)
#define FLIP(words, around, x_moves) flip_plain(words, around, x_moves)
#define STREAM(to, words) (*(to) = (words))
#define KERNEL(name) name##_plain_x
#define X_MOVES 1
#include "games/war/whole/whole_kernel.inc"
#undef KERNEL
#define KERNEL(name) name##_plain_o
#define X_MOVES 0
#include "games/war/whole/whole_kernel.inc"
#undef KERNEL
#undef TARGET
static const struct whole_kernel plain = {"plain", make_plain_x, make_plain_o};

#if defined(__x86_64__)
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,bmi,bmi2")))
static INLINE TARGET bool is_zero_avx512(tile words) {
    return !_mm512_test_epi64_mask((__m512i)words, (__m512i)words);
}

static INLINE TARGET __m512i nibbles_avx512(__m512i bytes, uint32_t place, int x_moves) {
    tile nibbles = (tile)bytes;
    nibbles = (x_moves ? nibbles >> (1u << place) : nibbles) & zeros_at[place];
    for (uint32_t step = place; step < 2; step++) {
        nibbles = (nibbles | nibbles >> (1u << step)) & zeros_at[step + 1];
    }
    return (__m512i)nibbles;
}

/* half_plain for places above 2; below, the bytes have had their halves moved together already. */
static INLINE TARGET tile half_avx512(tile low_words, tile high_words, uint32_t place, int x_moves) {
    __m512i low = (__m512i)low_words;
    __m512i high = (__m512i)high_words;
    switch (place) {
    case 3:
        low = x_moves ? _mm512_srli_epi16(low, 8) : _mm512_and_si512(low, _mm512_set1_epi16(0xff));
        high = x_moves ? _mm512_srli_epi16(high, 8) : _mm512_and_si512(high, _mm512_set1_epi16(0xff));
        low = _mm512_packus_epi16(low, high);
        break;
    case 4:
        low = x_moves ? _mm512_srli_epi32(low, 16) : _mm512_and_si512(low, _mm512_set1_epi32(0xffff));
        high = x_moves ? _mm512_srli_epi32(high, 16) : _mm512_and_si512(high, _mm512_set1_epi32(0xffff));
        low = _mm512_packus_epi32(low, high);
        break;
    case 5:
        low = x_moves ? (__m512i)_mm512_shuffle_ps((__m512)low, (__m512)high, 0xdd)
                      : (__m512i)_mm512_shuffle_ps((__m512)low, (__m512)high, 0x88);
        break;
    case 6:
        low = x_moves ? _mm512_unpackhi_epi64(low, high) : _mm512_unpacklo_epi64(low, high);
        break;
    case 7:
        return x_moves ? (tile)_mm512_shuffle_i64x2(low, high, 0xdd) : (tile)_mm512_shuffle_i64x2(low, high, 0x88);
    case 8:
        return x_moves ? (tile)_mm512_shuffle_i64x2(low, high, 0xee) : (tile)_mm512_shuffle_i64x2(low, high, 0x44);
    default:
        low = _mm512_maddubs_epi16(low, _mm512_set1_epi16(0x1001));
        high = _mm512_maddubs_epi16(high, _mm512_set1_epi16(0x1001));
        low = _mm512_packus_epi16(low, high);
    }
    return (tile)_mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), low);
}

/* Every word gets the one in whose number the bits `around` are the mover's. */
static INLINE TARGET tile spread_avx512(tile words, uint32_t around, int x_moves) {
    __m512i number = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    __m512i bits = _mm512_set1_epi64((long long)around);
    __m512i from = x_moves ? _mm512_or_si512(number, bits) : _mm512_andnot_si512(bits, number);
    return (tile)_mm512_permutexvar_epi64(from, (__m512i)words);
}

static INLINE TARGET tile take_avx512(tile low, tile high, uint32_t place, int x_moves) {
    if (place < 3) {
        low = (tile)nibbles_avx512((__m512i)low, place, x_moves);
        high = (tile)nibbles_avx512((__m512i)high, place, x_moves);
    }
    return half_avx512(low, high, place, x_moves);
}

static INLINE TARGET tile flip_avx512(tile words, uint32_t around, int x_moves) {
    FLIP_WORDS(words, around, x_moves)
    return spread_avx512(words, around >> 6, x_moves);
}
#undef IS_ZERO
#undef HALF
#undef FLIP
#define IS_ZERO(words) is_zero_avx512(words)
#define HALF(low, high, place, x_moves) take_avx512(low, high, place, x_moves)
#define FLIP(words, around, x_moves) flip_avx512(words, around, x_moves)
#undef STREAM
#define STREAM(to, words) _mm512_stream_si512((__m512i *)(to), (__m512i)(words))
#define KERNEL(name) name##_avx512_x
#define X_MOVES 1
#include "games/war/whole/whole_kernel.inc"
#undef KERNEL
#define KERNEL(name) name##_avx512_o
#define X_MOVES 0
#include "games/war/whole/whole_kernel.inc"
#undef KERNEL
#undef TARGET
static const struct whole_kernel avx512 = {"avx512", make_avx512_x, make_avx512_o};

/* With GFNI the bits of all bytes can be moved at once by a matrix, with VBMI all bytes of a tile. */
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni,bmi,bmi2")))
/* The matrix that moves bit from[j] to bit j. */
static INLINE TARGET __m512i matrix(const uint32_t from[8]) {
    uint64_t rows = 0;
#pragma GCC unroll 8
    for (uint32_t j = 0; j < 8; j++) {
        rows |= (uint64_t)1 << (from[j] & 7) << 8 * (7 - j);
    }
    return _mm512_set1_epi64((long long)rows);
}

static INLINE TARGET tile half_gfni(tile low, tile high, uint32_t place, int x_moves) {
    if (place < 3) {
        uint32_t from[8];
#pragma GCC unroll 8
        for (uint32_t j = 0; j < 8; j++) { /* bits 4 to 7 are cleared below */
            from[j] = (j & ((1u << place) - 1)) | j >> place << (place + 1) | (uint32_t)x_moves << place;
        }
        __m512i nibble = _mm512_set1_epi8(0xf);
        low = (tile)_mm512_and_si512(_mm512_gf2p8affine_epi64_epi8((__m512i)low, matrix(from), 0), nibble);
        high = (tile)_mm512_and_si512(_mm512_gf2p8affine_epi64_epi8((__m512i)high, matrix(from), 0), nibble);
    }
    return half_avx512(low, high, place, x_moves);
}

static INLINE TARGET tile flip_gfni(tile words, uint32_t around, int x_moves) {
    uint32_t from[8];
#pragma GCC unroll 8
    for (uint32_t j = 0; j < 8; j++) {
        from[j] = x_moves ? j | (around & 7) : j & ~(around & 7);
    }
    __m512i bytes = _mm512_gf2p8affine_epi64_epi8((__m512i)words, matrix(from), 0);
    __m512i number = _mm512_load_si512(byte_numbers);
    __m512i bits = _mm512_set1_epi8((char)(around >> 3));
    return (tile)_mm512_permutexvar_epi8(x_moves ? _mm512_or_si512(number, bits) : _mm512_andnot_si512(bits, number),
                                         bytes);
}
#undef HALF
#undef FLIP
#define HALF(low, high, place, x_moves) half_gfni(low, high, place, x_moves)
#define FLIP(words, around, x_moves) flip_gfni(words, around, x_moves)
#define KERNEL(name) name##_gfni_x
#define X_MOVES 1
#include "games/war/whole/whole_kernel.inc"
#undef KERNEL
#define KERNEL(name) name##_gfni_o
#define X_MOVES 0
#include "games/war/whole/whole_kernel.inc"
#undef KERNEL
#undef TARGET
static const struct whole_kernel gfni = {"gfni", make_gfni_x, make_gfni_o};

#define TARGET __attribute__((target("avx2,bmi,bmi2")))
/* A tile, as AVX2 holds it. */
typedef uint64_t half_tile __attribute__((vector_size(32), may_alias));
struct pair {
    half_tile half[2];
} __attribute__((may_alias));

static INLINE TARGET struct pair either_avx2(struct pair a, struct pair b) {
    return (struct pair){{a.half[0] | b.half[0], a.half[1] | b.half[1]}};
}

static INLINE TARGET struct pair both_avx2(struct pair a, struct pair b) {
    return (struct pair){{a.half[0] & b.half[0], a.half[1] & b.half[1]}};
}

static INLINE TARGET struct pair choose_avx2(struct pair mask, struct pair a, struct pair b) {
    return (struct pair){{(a.half[0] & mask.half[0]) | (b.half[0] & ~mask.half[0]),
                          (a.half[1] & mask.half[1]) | (b.half[1] & ~mask.half[1])}};
}

static INLINE TARGET bool is_settled_avx2(struct pair words, int x_moves) {
    __m256i any = (__m256i)(x_moves ? words.half[0] & words.half[1] : words.half[0] | words.half[1]);
    return x_moves ? _mm256_testc_si256(any, _mm256_set1_epi64x(-1)) : _mm256_testz_si256(any, any);
}

static INLINE TARGET void stream_avx2(struct pair *to, struct pair words) {
    _mm256_stream_si256((__m256i *)&to->half[0], (__m256i)words.half[0]);
    _mm256_stream_si256((__m256i *)&to->half[1], (__m256i)words.half[1]);
}

/* In every byte the four bits whose index has the mover's bit at `place` (0 to 2), moved together; then two bytes make
 * one, in units of 16 bits. */
static INLINE TARGET __m256i nibbles_avx2(__m256i bytes, uint32_t place, int x_moves) {
    half_tile nibbles = (half_tile)bytes;
    nibbles = (x_moves ? nibbles >> (1u << place) : nibbles) & zeros_at[place];
    for (uint32_t step = place; step < 2; step++) {
        nibbles = (nibbles | nibbles >> (1u << step)) & zeros_at[step + 1];
    }
    return _mm256_maddubs_epi16((__m256i)nibbles, _mm256_set1_epi16(0x1001));
}

/* half_plain for a tile's worth of words in two registers. */
static INLINE TARGET __m256i join_avx2(__m256i low, __m256i high, uint32_t place, int x_moves) {
    switch (place) {
    case 3:
        low = x_moves ? _mm256_srli_epi16(low, 8) : _mm256_and_si256(low, _mm256_set1_epi16(0xff));
        high = x_moves ? _mm256_srli_epi16(high, 8) : _mm256_and_si256(high, _mm256_set1_epi16(0xff));
        low = _mm256_packus_epi16(low, high);
        break;
    case 4:
        low = x_moves ? _mm256_srli_epi32(low, 16) : _mm256_and_si256(low, _mm256_set1_epi32(0xffff));
        high = x_moves ? _mm256_srli_epi32(high, 16) : _mm256_and_si256(high, _mm256_set1_epi32(0xffff));
        low = _mm256_packus_epi32(low, high);
        break;
    case 5:
        low = x_moves ? (__m256i)_mm256_shuffle_ps((__m256)low, (__m256)high, 0xdd)
                      : (__m256i)_mm256_shuffle_ps((__m256)low, (__m256)high, 0x88);
        break;
    case 6:
        low = x_moves ? _mm256_unpackhi_epi64(low, high) : _mm256_unpacklo_epi64(low, high);
        break;
    case 7:
        return x_moves ? _mm256_permute2x128_si256(low, high, 0x31) : _mm256_permute2x128_si256(low, high, 0x20);
    case 8:
        return x_moves ? high : low;
    default:
        low = _mm256_packus_epi16(nibbles_avx2(low, place, x_moves), nibbles_avx2(high, place, x_moves));
    }
    return _mm256_permute4x64_epi64(low, 0xd8); /* the halves of both registers had been taken in turn */
}

static INLINE TARGET struct pair half_avx2(struct pair low, struct pair high, uint32_t place, int x_moves) {
    return (struct pair){{(half_tile)join_avx2((__m256i)low.half[0], (__m256i)low.half[1], place, x_moves),
                          (half_tile)join_avx2((__m256i)high.half[0], (__m256i)high.half[1], place, x_moves)}};
}

/* flip_plain inside one half of a tile (eight bits). */
static INLINE TARGET half_tile flip_half_avx2(half_tile words, uint32_t around, int x_moves) {
    FLIP_WORDS(words, around, x_moves)
    __m256i half = (__m256i)words;
    if (around & 1 << 6) {
        half = x_moves ? _mm256_permute4x64_epi64(half, 0xf5) : _mm256_permute4x64_epi64(half, 0xa0);
    }
    if (around & 1 << 7) {
        half = x_moves ? _mm256_permute4x64_epi64(half, 0xee) : _mm256_permute4x64_epi64(half, 0x44);
    }
    return (half_tile)half;
}

static INLINE TARGET struct pair flip_avx2(struct pair words, uint32_t around, int x_moves) {
    half_tile low = flip_half_avx2(words.half[0], around, x_moves);
    half_tile high = flip_half_avx2(words.half[1], around, x_moves);
    bool whole = around & 1 << 8;
    return (struct pair){{whole && x_moves ? high : low, whole && !x_moves ? low : high}};
}
#undef TILE
#undef EITHER
#undef BOTH
#undef CHOOSE
#undef IS_SETTLED
#undef HALF
#undef FLIP
#undef STREAM
#define TILE struct pair
#define EITHER(a, b) either_avx2(a, b)
#define BOTH(a, b) both_avx2(a, b)
#define CHOOSE(mask, a, b) choose_avx2(mask, a, b)
#define IS_SETTLED(words, x_moves) is_settled_avx2(words, x_moves)
#define HALF(low, high, place, x_moves) half_avx2(low, high, place, x_moves)
#define FLIP(words, around, x_moves) flip_avx2(words, around, x_moves)
#define STREAM(to, words) stream_avx2(to, words)
#define KERNEL(name) name##_avx2_x
#define X_MOVES 1
#include "games/war/whole/whole_kernel.inc"
#undef KERNEL
#define KERNEL(name) name##_avx2_o
#define X_MOVES 0
#include "games/war/whole/whole_kernel.inc"
#undef KERNEL
#undef TARGET
static const struct whole_kernel avx2 = {"avx2", make_avx2_x, make_avx2_o};
#endif

static const struct whole_kernel *runnable[5];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_runnable(void) {
    int count = 0;
    fill_lonely();
    fill_raiding();
    fill_byte_numbers();
    runnable[count++] = &plain;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) {
        runnable[count++] = &avx2;
    }
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq")) {
        runnable[count++] = &avx512;
        if (__builtin_cpu_supports("gfni") && __builtin_cpu_supports("avx512vbmi")) {
            runnable[count++] = &gfni;
        }
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
