/* The passes of the whole-board solver on a graphics card.
 *
 * A warp makes one block, or a piece of a large one. Its lanes first work out the steps, one empty square a lane; then
 * each lane makes several words of the block and the steps are handed round. Neighbouring lanes make neighbouring
 * words, so that they read neighbouring words as well. A lane whose words no further move can change stops reading;
 * the most valuable squares come first, which settles most words early. */
#include "whole_cuda.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SQUARES 30
#define MOST_WORDS_A_WARP 2048u /* of a block; larger blocks are shared by several warps */
#define WARPS 8                 /* of a group of threads */
#define AT_ONCE 2               /* words a lane makes at a time; four of them take 0.546 s, one 0.494 s */
#define RESIDENT 6              /* groups a processor should hold: 0.482 s a pass on an H200, with 5 0.485, with 8 0.511 s */

struct whole_cuda {
    int squares, empties, pieces, side, low_bits;
    int32_t settled;
    uint32_t filled, high_sets;
    uint64_t *memory[2];
    uint32_t *high_rank; /* all layers, high_sets + 1 each */
    uint16_t *low_rank, *low_sets;
    uint32_t low_start[MOST_SQUARES + 2];
    uint32_t blocks[MOST_SQUARES + 1]; /* of a layer */
    uint64_t words[MOST_SQUARES + 1];
    char name[256];
};

/* What every thread needs to know of the board. */
struct board {
    int squares, pieces, low_bits;
    uint32_t filled, high_sets;
    int32_t settled;
    int32_t value[MOST_SQUARES];
    uint32_t beside[MOST_SQUARES];
    uint32_t low_start[MOST_SQUARES + 2];
};
__constant__ struct board board;

__constant__ const uint64_t zeros_at[6] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                           0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};

/* The 32 bits of a word whose number has the mover's bit at `place`, moved together. */
template <bool x_moves> __device__ inline uint64_t squeeze(uint64_t word, uint32_t place) {
    word = (x_moves ? word >> (1u << place) : word) & zeros_at[place];
    switch (place) {
    case 0:
        word = (word | word >> 1) & 0x3333333333333333; /* fall through */
    case 1:
        word = (word | word >> 2) & 0x0f0f0f0f0f0f0f0f; /* fall through */
    case 2:
        word = (word | word >> 4) & 0x00ff00ff00ff00ff; /* fall through */
    case 3:
        word = (word | word >> 8) & 0x0000ffff0000ffff; /* fall through */
    case 4:
        word = (word | word >> 16) & 0x00000000ffffffff;
    }
    return word;
}

/* What is read of the block behind for one word: a word, or two of which half the bits are wanted. */
template <bool x_moves, bool far> __device__ inline ulonglong2 load(const uint64_t *block, uint32_t number, uint32_t place) {
    if (far) {
        uint32_t bit = 1u << (place - 6);
        uint32_t at = (number & (bit - 1)) | (number & ~(bit - 1)) << 1 | (x_moves ? bit : 0);
        return make_ulonglong2(__ldg((const unsigned long long *)block + at), 0);
    }
    return __ldg((const ulonglong2 *)block + number);
}

/* The word after the mover takes the square at `place`, nothing flipped. */
template <bool x_moves, bool far> __device__ inline uint64_t word_of(ulonglong2 read, uint32_t place) {
    return far ? read.x : squeeze<x_moves>(read.x, place) | squeeze<x_moves>(read.y, place) << 32;
}

/* Every position gets the bit of the one in which the mover owns all squares `around` (six bits). */
template <bool x_moves> __device__ inline uint64_t flip(uint64_t word, uint32_t around) {
    for (uint32_t rest = around; rest; rest &= rest - 1) {
        uint32_t place = __ffs(rest) - 1;
        uint64_t zeros = zeros_at[place];
        if (x_moves) {
            word &= ~zeros;
            word |= word >> (1u << place);
        } else {
            word &= zeros;
            word |= word << (1u << place);
        }
    }
    return word;
}

/* The positions of a word in which the mover owns none of the squares `around` (six bits). */
template <bool x_moves> __device__ inline uint64_t nobody(uint32_t around) {
    uint64_t word = ~(uint64_t)0;
    for (uint32_t rest = around; rest; rest &= rest - 1) {
        uint64_t zeros = zeros_at[__ffs(rest) - 1];
        word &= x_moves ? zeros : ~zeros;
    }
    return word;
}

__device__ inline uint32_t index_of(uint32_t set, uint32_t squares) {
    uint32_t index = 0;
    uint32_t place = 0;
    for (uint32_t rest = set; rest; rest &= rest - 1, place++) {
        index |= (squares & rest & -rest) ? 1u << place : 0;
    }
    return index;
}

/* The set of taken squares of a block, by its rank in the layer of k. */
__device__ inline uint32_t set_of(uint32_t rank, int k, const uint32_t *high_rank, const uint16_t *low_sets) {
    uint32_t low = 0, high = board.high_sets; /* the last upper set whose first rank is not above `rank` */
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (high_rank[middle] <= rank) {
            low = middle;
        } else {
            high = middle;
        }
    }
    int stones = k - __popc(low & ~(board.filled >> board.low_bits));
    return low << board.low_bits | low_sets[board.low_start[stones] + rank - high_rank[low]];
}

/* One step, as a lane holds it. */
struct step {
    const uint64_t *block;
    uint32_t place, around;
};

/* Joins one step into a lane's words. All reads are asked for before the first is used. */
template <bool x_moves, bool far>
__device__ inline void join(uint64_t *made, const struct step &step, uint32_t first_number) {
    const uint64_t full = x_moves ? ~(uint64_t)0 : 0;
    uint32_t inside = step.around & 63;
    uint32_t outside = step.around >> 6;
    ulonglong2 raided[AT_ONCE], quiet[AT_ONCE];
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++) {
        uint32_t number = first_number + 32 * i;
        bool open = made[i] != full;
        bool beside = ((x_moves ? number : ~number) & outside) != 0;
        uint32_t flipped = x_moves ? number | outside : number & ~outside;
        raided[i] = quiet[i] = make_ulonglong2(0, 0);
        if (open && (beside || inside)) {
            raided[i] = load<x_moves, far>(step.block, flipped, step.place);
        }
        if (open && !beside) {
            quiet[i] = load<x_moves, far>(step.block, number, step.place);
        }
    }
    uint64_t alone = nobody<x_moves>(inside);
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++) {
        uint32_t number = first_number + 32 * i;
        bool beside = ((x_moves ? number : ~number) & outside) != 0;
        uint64_t nobody_there = beside ? 0 : alone;
        uint64_t after = word_of<x_moves, far>(quiet[i], step.place);
        if (outside || inside) {
            uint64_t raid = flip<x_moves>(word_of<x_moves, far>(raided[i], step.place), inside);
            after = (after & nobody_there) | (raid & ~nobody_there);
        }
        made[i] = made[i] == full ? full : x_moves ? made[i] | after : made[i] & after;
    }
}

template <bool x_moves>
__global__ void __launch_bounds__(32 * WARPS, RESIDENT)
    make_layer(int k, uint32_t blocks, uint32_t block_words, uint32_t used_words, uint32_t pieces_a_block,
               uint64_t behind_words, const uint32_t *high_rank, const uint32_t *high_rank_behind,
               const uint16_t *low_rank, const uint16_t *low_sets, uint64_t *layer, const uint64_t *behind) {
    uint64_t warp = (uint64_t)blockIdx.x * WARPS + threadIdx.x / 32;
    uint32_t lane = threadIdx.x & 31;
    uint32_t rank = (uint32_t)(warp / pieces_a_block);
    if (rank >= blocks) {
        return;
    }
    uint32_t set = set_of(rank, k, high_rank, low_sets);
    /* lane i works out the step to the i-th most valuable empty square */
    uint32_t empty = ((1u << board.squares) - 1) & ~set;
    int count = __popc(empty);
    struct step mine = {behind, 6, 0};
    if ((int)lane < count) {
        for (uint32_t i = 0; i < lane; i++) {
            empty &= ~(0x80000000u >> __clz(empty));
        }
        int square = 31 - __clz(empty);
        uint32_t after = set | 1u << square;
        uint64_t after_rank = (uint64_t)high_rank_behind[after >> board.low_bits] +
                              low_rank[after & ((1u << board.low_bits) - 1)];
        mine.block = behind + after_rank * behind_words;
        mine.place = __popc(set & ((1u << square) - 1));
        mine.around = index_of(set, board.beside[square]);
    }
    uint32_t words = used_words / pieces_a_block;
    uint32_t first = (uint32_t)(warp % pieces_a_block) * words;
    uint64_t *block = layer + (uint64_t)rank * block_words;
    const uint64_t full = x_moves ? ~(uint64_t)0 : 0; /* what no further move can change */
    for (uint32_t base = lane; base - lane < words; base += 32 * AT_ONCE) {
        uint64_t made[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++) {
            made[i] = base + 32 * i < words ? ~full : full;
        }
        for (int s = 0; s < count; s++) {
            struct step step;
            step.block = (const uint64_t *)__shfl_sync(~0u, (unsigned long long)mine.block, s);
            step.place = __shfl_sync(~0u, mine.place, s);
            step.around = __shfl_sync(~0u, mine.around, s);
            if (step.place >= 6) {
                join<x_moves, true>(made, step, first + base);
            } else {
                join<x_moves, false>(made, step, first + base);
            }
            bool open = false;
#pragma unroll
            for (int i = 0; i < AT_ONCE; i++) {
                open |= made[i] != full;
            }
            if (!__any_sync(~0u, open)) {
                break;
            }
        }
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++) {
            if (base + 32 * i < words) {
                block[first + base + 32 * i] = made[i];
            }
        }
    }
}

__global__ void make_last(int32_t target, uint64_t words, uint64_t *block) {
    uint64_t number = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= words) {
        return;
    }
    int32_t margin = board.settled;
    for (int i = 6; i < board.squares; i++) {
        margin += number >> (i - 6) & 1 ? board.value[i] : -board.value[i];
    }
    uint64_t word = 0;
    for (uint32_t index = 0; index < 64; index++) {
        int32_t sum = margin;
        for (int i = 0; i < 6 && i < board.squares; i++) {
            sum += index >> i & 1 ? board.value[i] : -board.value[i];
        }
        word |= (uint64_t)(sum >= target) << index;
    }
    block[number] = word;
}

static const char *text_of(cudaError_t error) {
    return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}

static uint64_t block_words(const struct whole_cuda *cuda, int k) {
    int bits = cuda->pieces + k;
    return bits <= 9 ? 8 : (uint64_t)1 << (bits - 6);
}

/* Copies `bytes` to fresh memory on the card. */
static cudaError_t upload(void *to, const void *from, size_t bytes) {
    void **place = (void **)to;
    cudaError_t error = cudaMalloc(place, bytes);
    return error != cudaSuccess ? error : cudaMemcpy(*place, from, bytes, cudaMemcpyHostToDevice);
}

static cudaError_t upload_all(struct whole_cuda *cuda, const struct whole_cuda_layout *layout) {
    struct board b = {};
    b.squares = layout->squares;
    b.pieces = layout->pieces;
    b.low_bits = layout->low_bits;
    b.filled = layout->filled;
    b.high_sets = layout->high_sets;
    b.settled = layout->settled;
    memcpy(b.value, layout->value, layout->squares * sizeof *b.value);
    memcpy(b.beside, layout->beside, layout->squares * sizeof *b.beside);
    memcpy(b.low_start, layout->low_start, sizeof b.low_start);
    cudaError_t error = cudaMemcpyToSymbol(board, &b, sizeof b);
    size_t row = (size_t)layout->high_sets + 1;
    uint32_t *ranks = (uint32_t *)malloc((layout->empties + 1) * row * sizeof *ranks);
    if (!ranks) {
        return cudaErrorMemoryAllocation;
    }
    size_t bytes[2] = {0, 0};
    for (int k = 0; k <= layout->empties; k++) {
        memcpy(ranks + k * row, layout->high_rank[k], row * sizeof *ranks);
        cuda->blocks[k] = layout->high_rank[k][layout->high_sets];
        cuda->words[k] = layout->layer_words[k];
        bytes[k & 1] = cuda->words[k] * 8 > bytes[k & 1] ? cuda->words[k] * 8 : bytes[k & 1];
    }
    size_t low = (size_t)1 << layout->low_bits;
    error = error ? error : upload(&cuda->high_rank, ranks, (layout->empties + 1) * row * sizeof *ranks);
    free(ranks);
    error = error ? error : upload(&cuda->low_rank, layout->low_rank, low * sizeof *layout->low_rank);
    error = error ? error : upload(&cuda->low_sets, layout->low_sets, low * sizeof *layout->low_sets);
    for (int i = 0; i < 2 && bytes[i]; i++) {
        error = error ? error : cudaMalloc((void **)&cuda->memory[i], bytes[i]);
    }
    return error;
}

const char *whole_cuda_open(const struct whole_cuda_layout *layout, struct whole_cuda **out) {
    int devices = 0;
    cudaError_t error = cudaGetDeviceCount(&devices);
    if (error != cudaSuccess || devices == 0) {
        return "no graphics card that CUDA can use";
    }
    struct whole_cuda *cuda = (struct whole_cuda *)calloc(1, sizeof *cuda);
    if (!cuda) {
        return "out of memory";
    }
    cuda->squares = layout->squares;
    cuda->empties = layout->empties;
    cuda->pieces = layout->pieces;
    cuda->side = layout->side;
    cuda->high_sets = layout->high_sets;
    struct cudaDeviceProp properties;
    error = cudaGetDeviceProperties(&properties, 0);
    snprintf(cuda->name, sizeof cuda->name, "%s", error == cudaSuccess ? properties.name : "a card");
    error = error ? error : upload_all(cuda, layout);
    if (error != cudaSuccess) {
        whole_cuda_close(cuda);
        cudaGetLastError(); /* forget it */
        return error == cudaErrorMemoryAllocation ? "not enough memory on the graphics card" : text_of(error);
    }
    *out = cuda;
    return NULL;
}

void whole_cuda_close(struct whole_cuda *cuda) {
    cudaFree(cuda->memory[0]);
    cudaFree(cuda->memory[1]);
    cudaFree(cuda->high_rank);
    cudaFree(cuda->low_rank);
    cudaFree(cuda->low_sets);
    free(cuda);
}

const char *whole_cuda_last(struct whole_cuda *cuda, int32_t target) {
    uint64_t words = cuda->squares <= 6 ? 1 : (uint64_t)1 << (cuda->squares - 6);
    make_last<<<(unsigned)((words + 255) / 256), 256>>>(target, words, cuda->memory[cuda->empties & 1]);
    return text_of(cudaDeviceSynchronize());
}

const char *whole_cuda_layer(struct whole_cuda *cuda, int k) {
    uint32_t words = (uint32_t)block_words(cuda, k);
    int bits = cuda->pieces + k;
    uint32_t used = bits <= 6 ? 1 : 1u << (bits - 6); /* a small block is stored as a whole tile */
    uint32_t pieces = words > MOST_WORDS_A_WARP ? words / MOST_WORDS_A_WARP : 1;
    uint64_t warps = (uint64_t)cuda->blocks[k] * pieces;
    unsigned groups = (unsigned)((warps + WARPS - 1) / WARPS);
    size_t row = (size_t)cuda->high_sets + 1;
    bool x_moves = (cuda->side ^ (k & 1)) == 0;
    (x_moves ? make_layer<true> : make_layer<false>)<<<groups, 32 * WARPS>>>(
        k, cuda->blocks[k], words, used, pieces, block_words(cuda, k + 1), cuda->high_rank + k * row,
        cuda->high_rank + (k + 1) * row, cuda->low_rank, cuda->low_sets, cuda->memory[k & 1],
        cuda->memory[(k + 1) & 1]);
    return text_of(cudaDeviceSynchronize());
}

const char *whole_cuda_read(struct whole_cuda *cuda, int k, uint64_t *words) {
    return text_of(cudaMemcpy(words, cuda->memory[k & 1], cuda->words[k] * 8, cudaMemcpyDeviceToHost));
}

const char *whole_cuda_name(const struct whole_cuda *cuda) {
    return cuda->name;
}

double whole_cuda_bandwidth(struct whole_cuda *cuda) {
    size_t bytes = 0;
    for (int k = 0; k <= cuda->empties; k++) {
        bytes = cuda->words[k] * 8 > bytes ? cuda->words[k] * 8 : bytes;
    }
    for (int k = 0; k <= cuda->empties; k++) { /* what fits into both */
        uint64_t other = 0;
        for (int j = 0; j <= cuda->empties; j++) {
            other = (j & 1) == (k & 1) && cuda->words[j] * 8 > other ? cuda->words[j] * 8 : other;
        }
        bytes = other < bytes ? other : bytes;
    }
    if (!cuda->memory[1]) {
        return 0;
    }
    cudaEvent_t start, end;
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    cudaMemcpy(cuda->memory[0], cuda->memory[1], bytes, cudaMemcpyDeviceToDevice);
    cudaEventRecord(start);
    cudaMemcpyAsync(cuda->memory[0], cuda->memory[1], bytes, cudaMemcpyDeviceToDevice);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, start, end);
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    return milliseconds > 0 ? 2.0 * (double)bytes / (milliseconds / 1000.0) : 0;
}
