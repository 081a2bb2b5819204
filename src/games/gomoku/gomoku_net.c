#include "games/gomoku/gomoku_net.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__AVX2__)
#include <immintrin.h>
#endif

#include "base/bits.h"
#include "games/gomoku/gomoku_weights.h"

/* The board with a border of one square, so that the convolution need not ask where it ends. */
#define STRIDE (GOMOKU_MOST_SIZE + 2)
#define PLACES (STRIDE * STRIDE)
#define HALF 4
#define ALIGNMENT 64
#define EVERY_CELL 0x5555555555555555ULL /* the low bit of each square of a line */
#define MOST_LINE_CHANGES 33             /* four each way on four lines, and the square itself */
#define MOST_CONV_CHANGES 121            /* all within five of the stone */
#define CONV_SHIFT 6
#define LAYER_SHIFT 10
#define POLICY_SHIFT 9
#define MOST_VALUE 20000 /* no position gets there, and it stays apart from proven wins */

/* Numbers are taken sixteen at a time; what a processor lacks the compiler makes of shorter vectors. In memory a
 * square's numbers are the convolved ones of X's and O's view, then the plain ones of X's and of O's. */
#pragma GCC diagnostic ignored "-Wpsabi" /* all functions that take vectors are of this file */
typedef int16_t lanes __attribute__((vector_size(32)));
typedef int8_t row_lanes __attribute__((vector_size(16)));
#define LANES 16
#define PARTS (NET_SQUARE / LANES)
#define CONV_PARTS (2 * NET_CONV / LANES) /* the first parts are the convolved numbers */
_Static_assert(2 * NET_CONV % LANES == 0, "the convolved numbers of both views are whole vectors");

/* What a move overwrote. */
struct net_ply {
    int line_count;
    int conv_count;
    uint16_t square;
    uint8_t side;
    uint16_t line_places[MOST_LINE_CHANGES];
    uint16_t conv_places[MOST_CONV_CHANGES];
    lanes line_sums[MOST_LINE_CHANGES][PARTS];
    lanes conv_sums[MOST_CONV_CHANGES][CONV_PARTS];
    lanes pools[NET_REGIONS][PARTS];
};

struct net {
    lanes sums[PLACES][PARTS];               /* of the rows; of empty squares */
    lanes conv[PLACES][CONV_PARTS];          /* convolved sums, X's and O's */
    lanes pools[NET_REGIONS][PARTS];         /* of the empty squares of a region */
    uint64_t lines[4][2 * GOMOKU_MOST_SIZE]; /* as in the board */
    uint16_t place_of[GOMOKU_MOST_SQUARES];
    uint8_t region_of[PLACES];
    uint8_t empty[PLACES];
    uint32_t stamp[PLACES]; /* the move at which a convolved sum was last put on the stack */
    uint32_t moves;
    int size;
    int squares;
    int loaded;            /* stones of the position that was loaded */
    int applied;           /* stones of the position the sums are of */
    struct net_ply *plies; /* GOMOKU_MOST_SQUARES of them, or NULL */
    void *block;           /* owned: where this lies, and where the plies do */
    void *plies_block;
};

/* -- the numbers, made ready for use -- */

static struct {
    struct network network;
    bool good;
    uint8_t half_before[256];          /* the four squares before a place, the farthest in the low bits */
    uint8_t half_behind[256];          /* and behind it, the nearest in the low bits */
    lanes conv_weights[9][CONV_PARTS]; /* for each of the nine places a number goes to */
    lanes conv_bias[CONV_PARTS];
    _Alignas(64) int8_t rows[NET_LINES][NET_SQUARE];
    /* The layers that see a square's numbers, for X and for O to move. */
    _Alignas(32) int16_t region[2][NET_REGION_OUT][NET_SQUARE];
    _Alignas(32) int16_t board[2][NET_HIDDEN_SIZE][NET_SQUARE];
    _Alignas(32) int16_t parts[NET_HIDDEN_SIZE][NET_REGIONS * NET_REGION_OUT];
    _Alignas(32) int16_t policy[2][NET_SQUARE][NET_SQUARE];
} ready;

static pthread_once_t ready_once = PTHREAD_ONCE_INIT;

/* The number of half a line with `inside` squares on the board, nearest first; `swap` exchanges the colours. */
static int half_code(const int *cells, int inside, bool swap) {
    static const int first[5] = {0, 1, 4, 13, 40};
    int code = 0;
    for (int i = inside - 1; i >= 0; i--) {
        code = code * 3 + (swap && cells[i] ? 3 - cells[i] : cells[i]);
    }
    return first[inside] + code;
}

/* Where number `i` of a view (0: X's) lies in memory. */
static int memory_index(int view, int i) {
    return i < NET_CONV ? view * NET_CONV + i : 2 * NET_CONV + view * (NET_VIEW - NET_CONV) + i - NET_CONV;
}

/* The stored weights go by the own and the other view; in use they go by X's and O's. */
static void arrange(int16_t *to, const int16_t *from, int side) {
    for (int i = 0; i < NET_VIEW; i++) {
        to[memory_index(side, i)] = from[i];
        to[memory_index(1 - side, i)] = from[NET_VIEW + i];
    }
}

static void prepare_layers(void) {
    const struct network *network = &ready.network;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < NET_REGION_OUT; i++) {
            arrange(ready.region[side][i], network->region[i], side);
        }
        for (int i = 0; i < NET_HIDDEN_SIZE; i++) {
            arrange(ready.board[side][i], network->hidden[i], side);
        }
        for (int i = 0; i < NET_SQUARE; i++) {
            int out = memory_index(i < NET_VIEW ? side : 1 - side, i % NET_VIEW);
            arrange(ready.policy[side][out], network->policy[i], side);
        }
    }
    for (int i = 0; i < NET_HIDDEN_SIZE; i++) {
        memcpy(ready.parts[i], network->hidden[i] + NET_SQUARE, sizeof ready.parts[i]);
    }
    for (int channel = 0; channel < 2 * NET_CONV; channel++) {
        int part = channel / LANES;
        for (int i = 0; i < 9; i++) {
            ready.conv_weights[i][part][channel % LANES] = network->conv[channel % NET_CONV][i];
        }
        ready.conv_bias[part][channel % LANES] = network->conv_bias[channel % NET_CONV];
    }
}

static void prepare(void) {
    ready.good = network_read(&ready.network, gomoku_network_text, gomoku_network_digest);
    uint8_t swapped[NET_HALVES] = {0};
    for (int packed = 0; packed < 256; packed++) {
        int cells[HALF];
        int inside = 0;
        int back = 0;
        for (int i = 0; i < HALF; i++) {
            cells[i] = packed >> (2 * i) & 3;
            back |= cells[i] << (2 * (HALF - 1 - i));
        }
        while (inside < HALF && cells[inside] != 3) {
            inside++;
        }
        int code = half_code(cells, inside, false);
        ready.half_behind[packed] = (uint8_t)code;
        ready.half_before[back] = (uint8_t)code;
        swapped[code] = (uint8_t)half_code(cells, inside, true);
    }
    for (int line = 0; line < NET_LINES; line++) {
        int other = swapped[line / NET_HALVES] * NET_HALVES + swapped[line % NET_HALVES];
        for (int i = 0; i < NET_VIEW; i++) {
            ready.rows[line][memory_index(0, i)] = ready.network.rows[line][i];
            ready.rows[line][memory_index(1, i)] = ready.network.rows[other][i];
        }
    }
    prepare_layers();
}

const struct network *net_numbers(void) {
    pthread_once(&ready_once, prepare);
    return ready.good ? &ready.network : NULL;
}

/* -- the sums -- */

/* Between 0 and NET_MOST; compilers do not find the two instructions for it. */
static inline lanes clamped(lanes sum) {
    const lanes most = (lanes){0} + NET_MOST;
#ifdef __AVX2__
    return (lanes)_mm256_min_epi16(_mm256_max_epi16((__m256i)sum, _mm256_setzero_si256()), (__m256i)most);
#else
    lanes low = sum & (sum > 0);
    lanes small = low < most;
    return (low & small) | (most & ~small);
#endif
}

static inline lanes row_part(int line, int part) {
    row_lanes bytes;
    memcpy(&bytes, ready.rows[line] + part * LANES, sizeof bytes);
    return __builtin_convertvector(bytes, lanes);
}

static inline bool any(lanes numbers) {
    uint64_t words[4];
    memcpy(words, &numbers, sizeof words);
    return (words[0] | words[1] | words[2] | words[3]) != 0;
}

/* The numbers of a place that others see change by `delta`: so do the sums around it, which go onto the stack first
 * unless they are there already. */
static inline void spread(struct net *net, struct net_ply *ply, int place, const lanes *delta) {
    for (int i = 0; i < 9; i++) {
        int to = place - (i / 3 - 1) * STRIDE - (i % 3 - 1);
        lanes *sums = net->conv[to];
        if (ply && net->stamp[to] != net->moves) {
            net->stamp[to] = net->moves;
            ply->conv_places[ply->conv_count] = (uint16_t)to;
            memcpy(ply->conv_sums[ply->conv_count++], sums, sizeof net->conv[to]);
        }
        for (int part = 0; part < CONV_PARTS; part++) {
            sums[part] += delta[part] * ready.conv_weights[i][part];
        }
    }
}

/* A direction of an empty square sees another line. */
static inline void change_line(struct net *net, struct net_ply *ply, int place, int before, int now) {
    lanes *sums = net->sums[place];
    lanes *pool = net->pools[net->region_of[place]];
    lanes *saved = ply->line_sums[ply->line_count];
    ply->line_places[ply->line_count++] = (uint16_t)place;
    lanes delta[CONV_PARTS];
    lanes changed = {0};
    for (int part = 0; part < PARTS; part++) {
        lanes was = sums[part];
        lanes after = was + row_part(now, part) - row_part(before, part);
        lanes change = clamped(after) - clamped(was);
        saved[part] = was;
        sums[part] = after;
        if (part < CONV_PARTS) {
            delta[part] = change;
            changed |= change;
        } else {
            pool[part] += change;
        }
    }
    if (any(changed)) {
        spread(net, ply, place, delta);
    }
}

static inline int line_of(uint64_t line, int place) {
    uint64_t window = line >> (2 * (place - HALF));
    return ready.half_before[window & 0xff] * NET_HALVES + ready.half_behind[window >> (2 * HALF + 2) & 0xff];
}

/* What a square has after the convolution. */
static inline void numbers_of(const struct net *net, int place, lanes numbers[PARTS]) {
    for (int part = 0; part < CONV_PARTS; part++) {
        numbers[part] = clamped(net->conv[place][part] >> CONV_SHIFT);
    }
    for (int part = CONV_PARTS; part < PARTS; part++) {
        numbers[part] = clamped(net->sums[place][part]);
    }
}

static int line_number(const struct net *net, int square, int direction) {
    int row = square / net->size;
    int column = square % net->size;
    return direction == 0   ? row
           : direction == 1 ? column
           : direction == 2 ? row - column + net->size - 1
                            : row + column;
}

static inline void play(struct net *net, int square, int side) {
    static const int step[4] = {1, STRIDE, STRIDE + 1, STRIDE - 1};
    struct net_ply *ply = &net->plies[net->applied++];
    int place = net->place_of[square];
    net->moves++;
    ply->line_count = ply->conv_count = 0;
    ply->square = (uint16_t)square;
    ply->side = (uint8_t)side;
    memcpy(ply->pools, net->pools, sizeof net->pools);

    /* 1. The square is empty no more. */
    lanes *pool = net->pools[net->region_of[place]];
    lanes numbers[PARTS];
    numbers_of(net, place, numbers);
    for (int part = 0; part < PARTS; part++) {
        pool[part] -= numbers[part];
    }
    net->empty[place] = 0;
    lanes seen[CONV_PARTS];
    for (int part = 0; part < CONV_PARTS; part++) {
        seen[part] = -clamped(net->sums[place][part]);
    }
    spread(net, ply, place, seen);

    /* 2. The lines through it. */
    for (int direction = 0; direction < 4; direction++) {
        uint64_t *line = &net->lines[direction][line_number(net, square, direction)];
        int at = GBOARD_MARGIN + (direction == 0 ? square % net->size : square / net->size);
        uint64_t before = *line;
        uint64_t now = before ^ (uint64_t)(side + 1) << (2 * at);
        *line = now;
        uint64_t reach = ((1ULL << (2 * (2 * HALF + 1))) - 1) << (2 * (at - HALF));
        uint64_t empty = ~(now | now >> 1) & EVERY_CELL & reach;
        while (empty) {
            int other = bits_pop(&empty) >> 1;
            change_line(net, ply, place + (other - at) * step[direction], line_of(before, other), line_of(now, other));
        }
    }

    /* 3. What the convolution makes of it. */
    for (int i = 0; i < ply->conv_count; i++) {
        int to = ply->conv_places[i];
        for (int part = 0; part < CONV_PARTS && net->empty[to]; part++) {
            net->pools[net->region_of[to]][part] +=
                clamped(net->conv[to][part] >> CONV_SHIFT) - clamped(ply->conv_sums[i][part] >> CONV_SHIFT);
        }
    }
}

static inline void take_back(struct net *net) {
    const struct net_ply *ply = &net->plies[--net->applied];
    for (int i = ply->line_count - 1; i >= 0; i--) {
        memcpy(net->sums[ply->line_places[i]], ply->line_sums[i], sizeof ply->line_sums[i]);
    }
    for (int i = 0; i < ply->conv_count; i++) {
        memcpy(net->conv[ply->conv_places[i]], ply->conv_sums[i], sizeof ply->conv_sums[i]);
    }
    memcpy(net->pools, ply->pools, sizeof net->pools);
    net->empty[net->place_of[ply->square]] = 1;
    for (int direction = 0; direction < 4; direction++) {
        int at = GBOARD_MARGIN + (direction == 0 ? ply->square % net->size : ply->square / net->size);
        net->lines[direction][line_number(net, ply->square, direction)] ^= (uint64_t)(ply->side + 1) << (2 * at);
    }
}

/* Brings the sums to the board's position: back to where both agree, and on from there. */
static inline void follow(struct net *net, const struct gboard *board) {
    if (!board->history) {
        return; /* nothing was played since the board was loaded */
    }
    struct gboard_ply *plies = board->history->plies;
    int same = net->applied < board->count ? net->applied : board->count;
    while (same > net->loaded && !plies[same - 1].followed) {
        same--;
    }
    while (net->applied > same) {
        take_back(net);
    }
    while (net->applied < board->count) {
        struct gboard_ply *ply = &plies[net->applied];
        ply->followed = true;
        play(net, ply->square, net->applied & 1);
    }
}

/* -- the heads -- */

/* The sums of each region, and of the whole board behind them, brought to the scale of the usual board. */
static inline void gather_pools(const struct net *net, lanes pools[NET_REGIONS + 1][PARTS]) {
    memcpy(pools, net->pools, sizeof net->pools);
    if (net->squares != 225) {
        int16_t *numbers = (int16_t *)pools;
        for (int i = 0; i < NET_REGIONS * NET_SQUARE; i++) {
            numbers[i] = (int16_t)(numbers[i] * 225 / net->squares);
        }
    }
    for (int part = 0; part < PARTS; part++) {
        lanes total = {0};
        for (int region = 0; region < NET_REGIONS; region++) {
            total += pools[region][part];
            pools[region][part] >>= 2;
        }
        pools[NET_REGIONS][part] = total >> 4;
    }
}

/* The count is a multiple of eight. Compilers find the instruction for it, but for WebAssembly. */
static inline int32_t dot(const int16_t *a, const int16_t *b, int count) {
#ifdef __wasm_simd128__
    v128_t sums = wasm_i32x4_const(0, 0, 0, 0);
    for (int i = 0; i < count; i += 8) {
        sums = wasm_i32x4_add(sums, wasm_i32x4_dot_i16x8(wasm_v128_load(a + i), wasm_v128_load(b + i)));
    }
    sums = wasm_i32x4_add(sums, wasm_i32x4_shuffle(sums, sums, 2, 3, 0, 1));
    return wasm_i32x4_extract_lane(sums, 0) + wasm_i32x4_extract_lane(sums, 1);
#else
    int32_t sum = 0;
    for (int i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
#endif
}

static inline int16_t layer_out(int32_t sum) {
    sum >>= LAYER_SHIFT;
    return (int16_t)(sum < 0 ? 0 : sum > NET_LAYER_MOST ? NET_LAYER_MOST : sum);
}

/* What the last layer sees: all that is known of the board, for the side to move. */
static inline void last_numbers(struct net *net, const struct gboard *board, int16_t *second) {
    const struct network *numbers = &ready.network;
    int side = board->side;
    lanes pools[NET_REGIONS + 1][PARTS];
    _Alignas(32) int16_t parts[NET_REGIONS * NET_REGION_OUT];
    _Alignas(32) int16_t hidden[NET_HIDDEN_SIZE];
    follow(net, board);
    gather_pools(net, pools);
    for (int region = 0; region < NET_REGIONS; region++) {
        for (int i = 0; i < NET_REGION_OUT; i++) {
            parts[region * NET_REGION_OUT + i] = layer_out(
                dot((const int16_t *)pools[region], ready.region[side][i], NET_SQUARE) + numbers->region_bias[i]);
        }
    }
    for (int i = 0; i < NET_HIDDEN_SIZE; i++) {
        hidden[i] = layer_out(dot((const int16_t *)pools[NET_REGIONS], ready.board[side][i], NET_SQUARE) +
                              dot(parts, ready.parts[i], NET_REGIONS * NET_REGION_OUT) + numbers->hidden_bias[i]);
    }
    for (int i = 0; i < NET_SECOND_SIZE; i++) {
        second[i] = layer_out(dot(hidden, numbers->second[i], NET_HIDDEN_SIZE) + numbers->second_bias[i]);
    }
}

/* The last layer, in units of log odds. */
static inline int last_sum(const int16_t *second, const int16_t *weights, int32_t bias) {
    int64_t sum = bias;
    for (int i = 0; i < NET_SECOND_SIZE; i++) {
        sum += (int64_t)second[i] * weights[i];
    }
    int64_t value = (sum * NET_VALUE_UNIT) >> 18;
    return (int)(value > MOST_VALUE ? MOST_VALUE : value < -MOST_VALUE ? -MOST_VALUE : value);
}

int net_value(struct net *net, const struct gboard *board) {
    _Alignas(32) int16_t second[NET_SECOND_SIZE];
    last_numbers(net, board, second);
    return last_sum(second, ready.network.out, ready.network.out_bias);
}

int net_draw(struct net *net, const struct gboard *board) {
    _Alignas(32) int16_t second[NET_SECOND_SIZE];
    last_numbers(net, board, second);
    return last_sum(second, ready.network.even, ready.network.even_bias);
}

void net_policy_begin(struct net *net, const struct gboard *board, struct net_policy *policy) {
    const struct network *numbers = &ready.network;
    int side = board->side;
    lanes pools[NET_REGIONS + 1][PARTS];
    follow(net, board);
    gather_pools(net, pools);
    for (int i = 0; i < NET_SQUARE; i++) {
        int out = memory_index(i < NET_VIEW ? side : 1 - side, i % NET_VIEW);
        int32_t weight =
            (dot((const int16_t *)pools[NET_REGIONS], ready.policy[side][out], NET_SQUARE) + numbers->policy_bias[i]) >>
            LAYER_SHIFT;
        policy->weights[out] = (int16_t)(weight > INT16_MAX ? INT16_MAX : weight < INT16_MIN ? INT16_MIN : weight);
    }
}

int net_policy_of(const struct net *net, const struct net_policy *policy, int square) {
    lanes numbers[PARTS];
    numbers_of(net, net->place_of[square], numbers);
    return dot((const int16_t *)numbers, policy->weights, NET_SQUARE) >> POLICY_SHIFT;
}

/* -- a net's life -- */

/* Memory for vectors, which not every system's malloc aligns for them; *block is what must be freed. */
static void *aligned_new(size_t bytes, void **block) {
    *block = malloc(bytes + ALIGNMENT - 1);
    return *block ? (void *)(((uintptr_t)*block + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1)) : NULL;
}

struct net *net_new(bool moves) {
    if (!net_numbers()) {
        return NULL;
    }
    void *block;
    struct net *net = aligned_new(sizeof *net, &block);
    if (!net) {
        return NULL;
    }
    memset(net, 0, sizeof *net);
    net->block = block;
    if (moves) {
        net->plies = aligned_new(GOMOKU_MOST_SQUARES * sizeof *net->plies, &net->plies_block);
        if (!net->plies) {
            net_free(net);
            return NULL;
        }
    }
    return net;
}

void net_free(struct net *net) {
    if (net) {
        free(net->plies_block);
        free(net->block);
    }
}

void net_load(struct net *net, const struct gboard *board) {
    net->size = board->size;
    net->squares = board->squares;
    net->loaded = net->applied = board->count;
    memcpy(net->lines, board->lines, sizeof net->lines);
    memset(net->pools, 0, sizeof net->pools);
    memset(net->sums, 0, sizeof net->sums);
    memset(net->empty, 0, sizeof net->empty);
    for (int place = 0; place < PLACES; place++) {
        memcpy(net->conv[place], ready.conv_bias, sizeof ready.conv_bias);
    }
    for (int square = 0; square < board->squares; square++) {
        int row = board->row_of[square];
        int column = board->column_of[square];
        int place = (row + 1) * STRIDE + column + 1;
        net->place_of[square] = (uint16_t)place;
        net->region_of[place] = (uint8_t)(row * 3 / board->size * 3 + column * 3 / board->size);
        net->empty[place] = gboard_is_empty(board, square);
        if (!net->empty[place]) {
            continue;
        }
        for (int direction = 0; direction < 4; direction++) {
            int at = GBOARD_MARGIN + (direction == 0 ? column : row);
            int line = line_of(net->lines[direction][line_number(net, square, direction)], at);
            for (int part = 0; part < PARTS; part++) {
                net->sums[place][part] += row_part(line, part);
            }
        }
        lanes seen[CONV_PARTS];
        for (int part = 0; part < CONV_PARTS; part++) {
            seen[part] = clamped(net->sums[place][part]);
        }
        spread(net, NULL, place, seen);
    }
    for (int square = 0; square < board->squares; square++) {
        int place = net->place_of[square];
        lanes numbers[PARTS];
        numbers_of(net, place, numbers);
        for (int part = 0; part < PARTS && net->empty[place]; part++) {
            net->pools[net->region_of[place]][part] += numbers[part];
        }
    }
}
