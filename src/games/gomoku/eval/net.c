#include "games/gomoku/eval/net.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/bits.h"
#include "games/gomoku/eval/lanes.h"
#include "games/gomoku/eval/weights.h"
#include "system/pages.h"

/* The board with a border of one square, so that the convolution need not ask where it ends. */
#define STRIDE (GOMOKU_MOST_SIZE + 2)
#define PLACES (STRIDE * STRIDE)
#define HALF 4
#define ALIGNMENT 64
#define EVERY_CELL 0x5555555555555555ULL /* the low bit of each square of a line */
#define MOST_LINE_CHANGES 32             /* four each way on four lines */
#define AREA_HALF (HALF + 1)             /* the convolution sees a stone's lines from one farther */
#define AREA_SIDE (2 * AREA_HALF + 1)
#define AREA_MIDDLE (AREA_HALF * AREA_SIDE + AREA_HALF)
#define AREA_PLACES (AREA_SIDE * AREA_SIDE)
#define ROWS (NET_HALVES * (NET_HALVES + 1) / 2) /* a line and its mirror image share one */
#define CONV_SHIFT 6
#define LAYER_SHIFT 10
#define POLICY_SHIFT 9
#define USUAL_SIZE 15 /* of the boards the numbers were learnt on */
#define MOST_POOL (INT16_MAX / NET_REGIONS)
#define MOST_VALUE 20000 /* no position gets there, and it stays apart from proven wins */

/* In memory a square's numbers are the convolved ones of X's and O's view, then the plain ones of X's and of O's. */
#define PARTS (NET_SQUARE / LANES)
#define CONV_PARTS (2 * NET_CONV / LANES) /* the first parts are the convolved numbers */
_Static_assert(2 * NET_CONV % LANES == 0, "the convolved numbers of both views are whole vectors");

/* An empty square sees another line in one direction: the rows it had and has. */
struct line_change {
    uint16_t place;
    uint8_t direction;
    uint8_t area_place; /* in the area around the stone */
    uint16_t before;
    uint16_t now;
};

/* What a move changes: by how much the sums of the squares on its lines, and the convolved ones around those. */
struct net_ply {
    int line_count;
    uint16_t square;
    uint8_t side;
    struct line_change lines[MOST_LINE_CHANGES];
    lanes line_changes[MOST_LINE_CHANGES][PARTS];
    lanes conv_changes[AREA_PLACES][CONV_PARTS]; /* the stone's place is the middle; nobody reads those off the board */
    lanes pools[NET_REGIONS][PARTS];             /* with the stone */
};

struct net {
    lanes sums[PLACES][PARTS];               /* of the rows; of empty squares */
    lanes conv[PLACES][CONV_PARTS];          /* convolved sums, X's and O's; of empty squares */
    lanes pools[NET_REGIONS][PARTS];         /* of the empty squares of a region, in the position that was loaded */
    uint64_t lines[4][2 * GOMOKU_MOST_SIZE]; /* as in the board */
    uint64_t empty[PLACES];                  /* all ones for an empty square, otherwise 0 */
    uint16_t rows[PLACES][4];                /* the rows of an empty square's lines, by direction */
    uint16_t place_of[GOMOKU_MOST_SQUARES];
    uint16_t far_of[GOMOKU_MOST_SQUARES]; /* the same in rows of FAR_STRIDE */
    uint8_t region_of[PLACES];
    int thirds[4]; /* the first row of each third of the board, and the first column; the last one is the size */
    int size;
    int loaded;            /* stones of the position that was loaded */
    int applied;           /* stones of the position the pools are of */
    bool pending;          /* the sums are still those before the last of its moves */
    struct net_ply *plies; /* PLIES_BYTES, owned, or NULL */
    void *block;           /* owned: where this lies */
};

/* Pages of their own, so that only those are cleared that a game comes to. */
#define PLIES_BYTES (GOMOKU_MOST_SQUARES * sizeof(struct net_ply))

/* A region has fewer outputs than the longest vectors: those go by REGION_PAIRS pairs at a time, one after the other
 * for each output, and what they make of an output is added up in the end. */
#if OUTS > NET_REGION_OUT
#define REGION_PAIRS 2
#else
#define REGION_PAIRS 1
#endif
#define REGION_STEPS (NET_SQUARE / 2 / REGION_PAIRS)
#define REGION_VECTORS (NET_REGION_OUT * REGION_PAIRS / OUTS)
#define PARTS_VECTORS ((NET_REGIONS * NET_REGION_OUT + OUTS - 1) / OUTS)
_Static_assert(REGION_VECTORS > 0, "a region's outputs are one vector at least");

/* Squares in rows so long that the difference of two tells how far they lie from each other. */
#define FAR_STRIDE (2 * GOMOKU_MOST_SIZE - 1)
#define FAR_MIDDLE ((GOMOKU_MOST_SIZE - 1) * FAR_STRIDE + GOMOKU_MOST_SIZE - 1)

/* -- the numbers, made ready for use -- */

static struct {
    struct network network;
    bool good;
    uint8_t half_before[256];          /* the four squares before a place, the farthest in the low bits */
    uint8_t half_behind[256];          /* and behind it, the nearest in the low bits */
    uint16_t rows_below[NET_HALVES];   /* how many rows come before those of a half and lower ones */
    lanes conv_weights[9][CONV_PARTS]; /* for each of the nine places a number goes to */
    lanes conv_bias[CONV_PARTS];
    _Alignas(64) int8_t rows[ROWS][NET_SQUARE];
    /* The layers, pair of inputs by pair; those that see a square's numbers for X and for O to move. */
    pairs region[2][REGION_STEPS][REGION_VECTORS];
    pairs hidden[2][NET_INPUTS / 2][NET_HIDDEN_SIZE / OUTS];
    pairs second[NET_HIDDEN_SIZE / 2][NET_SECOND_SIZE / OUTS];
    pairs policy[2][NET_SQUARE / 2][NET_SQUARE / OUTS];
    int32_t policy_bias[2][NET_SQUARE];
    /* What the usual board has more than one of each size when both are empty. */
    lanes more[GOMOKU_MOST_SIZE + 1][NET_REGIONS][PARTS];
    int16_t draw[2][2 * FAR_MIDDLE + 1]; /* by how far a square lies from one of the last two moves */
    int16_t no_draw[FAR_MIDDLE + 1];     /* when there was none */
} ready;

static pthread_once_t ready_once = PTHREAD_ONCE_INIT;

/* The number of half a line with so many squares on the board, all of them empty. */
static const int empty_half[HALF + 1] = {0, 1, 4, 13, 40};

/* The number of half a line with `inside` squares on the board, nearest first; `swap` exchanges the colours. */
static int half_code(const int *cells, int inside, bool swap) {
    int code = 0;
    for (int i = inside - 1; i >= 0; i--) {
        code = code * 3 + (swap && cells[i] ? 3 - cells[i] : cells[i]);
    }
    return empty_half[inside] + code;
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

/* Puts the weights of one output of a layer with `count` of them where their pairs belong. */
static void lay(pairs *layer, int count, int out, const int16_t *weights, int inputs) {
    int16_t *to = (int16_t *)layer;
    for (int i = 0; i < inputs; i++) {
        to[(i / 2 * count + out) * 2 + i % 2] = weights[i];
    }
}

/* The same for an output of a region. */
static void lay_region(pairs *layer, int out, const int16_t *weights) {
    int16_t *to = (int16_t *)layer;
    for (int i = 0; i < NET_SQUARE; i++) {
        int pair = i / 2;
        to[((pair / REGION_PAIRS * NET_REGION_OUT + out) * REGION_PAIRS + pair % REGION_PAIRS) * 2 + i % 2] =
            weights[i];
    }
}

static void prepare_layers(void) {
    const struct network *network = &ready.network;
    int16_t weights[NET_INPUTS];
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < NET_REGION_OUT; i++) {
            arrange(weights, network->region[i], side);
            lay_region(ready.region[side][0], i, weights);
        }
        for (int i = 0; i < NET_HIDDEN_SIZE; i++) {
            memcpy(weights, network->hidden[i], sizeof weights);
            arrange(weights, network->hidden[i], side);
            lay(ready.hidden[side][0], NET_HIDDEN_SIZE, i, weights, NET_INPUTS);
        }
        for (int i = 0; i < NET_SQUARE; i++) {
            int out = memory_index(i < NET_VIEW ? side : 1 - side, i % NET_VIEW);
            arrange(weights, network->policy[i], side);
            lay(ready.policy[side][0], NET_SQUARE, out, weights, NET_SQUARE);
            ready.policy_bias[side][out] = network->policy_bias[i];
        }
    }
    for (int i = 0; i < NET_SECOND_SIZE; i++) {
        lay(ready.second[0], NET_SECOND_SIZE, i, network->second[i], NET_HIDDEN_SIZE);
    }
    for (int channel = 0; channel < 2 * NET_CONV; channel++) {
        int part = channel / LANES;
        for (int i = 0; i < 9; i++) {
            ready.conv_weights[i][part][channel % LANES] = network->conv[channel % NET_CONV][i];
        }
        ready.conv_bias[part][channel % LANES] = network->conv_bias[channel % NET_CONV];
    }
}

/* The row of a line by the numbers of its halves, in either order. */
static inline int row_of(int half, int other) {
    int more = half > other ? half : other;
    int less = half > other ? other : half;
    return ready.rows_below[more] + less;
}

/* How far apart two squares are, in one direction, as far as the network tells it. */
static int away(int difference) {
    int distance = abs(difference);
    return distance >= NET_AWAY ? NET_AWAY - 1 : distance;
}

static void prepare_draw(void) {
    for (int down = 1 - GOMOKU_MOST_SIZE; down < GOMOKU_MOST_SIZE; down++) {
        for (int right = 1 - GOMOKU_MOST_SIZE; right < GOMOKU_MOST_SIZE; right++) {
            int larger = away(down) > away(right) ? away(down) : away(right);
            int smaller = away(down) > away(right) ? away(right) : away(down);
            for (int i = 0; i < 2; i++) {
                ready.draw[i][FAR_MIDDLE + down * FAR_STRIDE + right] = ready.network.draw[i][larger][smaller];
            }
        }
    }
}

static void compare_sizes(void);

static void net_prepare(void) {
    ready.good = network_read(&ready.network, gomoku_network_text, gomoku_network_digest);
    uint8_t swapped[NET_HALVES] = {0};
    for (int half = 0; half < NET_HALVES; half++) {
        ready.rows_below[half] = (uint16_t)(half * (half + 1) / 2);
    }
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
        int half = line / NET_HALVES;
        int behind = line % NET_HALVES;
        int other = swapped[half] * NET_HALVES + swapped[behind];
        int8_t *row = ready.rows[row_of(half, behind)];
        for (int i = 0; i < NET_VIEW; i++) {
            row[memory_index(0, i)] = ready.network.rows[line][i];
            row[memory_index(1, i)] = ready.network.rows[other][i];
        }
    }
    prepare_layers();
    prepare_draw();
    compare_sizes();
}

const struct network *net_numbers(void) {
    pthread_once(&ready_once, net_prepare);
    return ready.good ? &ready.network : NULL;
}

/* -- the sums -- */

static inline lanes clamped(lanes sum) {
    return lanes_clamp(sum, NET_MOST);
}

static inline lanes row_part(int row, int part) {
    return lanes_of_bytes(ready.rows[row] + part * LANES);
}

/* The numbers of a place that others see change by `delta`, and so do the convolved sums of the nine places around.
 * Those that are not of empty squares may wrap: nobody reads them. */
static inline void spread(lanes (*middle)[CONV_PARTS], int stride, const lanes *delta) {
    for (int i = 0; i < 9; i++) {
        lanes *sums = middle[-(i / 3 - 1) * stride - (i % 3 - 1)];
        for (int part = 0; part < CONV_PARTS; part++) {
            sums[part] = lanes_add(sums[part], delta[part] * ready.conv_weights[i][part]);
        }
    }
}

static inline int line_of(uint64_t line, int at) {
    uint64_t window = line >> (2 * (at - HALF));
    return row_of(ready.half_before[window & 0xff], ready.half_behind[window >> (2 * HALF + 2) & 0xff]);
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

/* The line through a place, and where on it the place is. */
static inline uint64_t *line_through(struct net *net, int place, int direction, int *at) {
    int row = place / STRIDE - 1;
    int column = place % STRIDE - 1;
    *at = GBOARD_MARGIN + (direction == 0 ? column : row);
    return &net->lines[direction][direction == 0   ? row
                                  : direction == 1 ? column
                                  : direction == 2 ? row - column + net->size - 1
                                                   : row + column];
}

static inline lanes (*pools_of(struct net *net))[PARTS] {
    return net->applied > net->loaded ? net->plies[net->applied - 1].pools : net->pools;
}

/* The squares on the lines of a new stone, and what changes for them. The rows are asked for here and used only when
 * all are known, so that they come from memory meanwhile. */
static inline void find_changes(struct net *net, struct net_ply *ply) {
    static const int step[4] = {1, STRIDE, STRIDE + 1, STRIDE - 1};
    static const int area_step[4] = {1, AREA_SIDE, AREA_SIDE + 1, AREA_SIDE - 1};
    int place = net->place_of[ply->square];
    struct line_change *change = ply->lines;
    for (int direction = 0; direction < 4; direction++) {
        int at;
        uint64_t line = *line_through(net, place, direction, &at);
        line ^= (uint64_t)(ply->side + 1) << (2 * at);
        uint64_t reach = ((1ULL << (2 * (2 * HALF + 1))) - 1) << (2 * (at - HALF));
        uint64_t empty = ~(line | line >> 1) & EVERY_CELL & reach;
        while (empty) {
            int other = bits_pop(&empty) >> 1;
            int to = place + (other - at) * step[direction];
            *change = (struct line_change){(uint16_t)to, (uint8_t)direction,
                                           (uint8_t)(AREA_MIDDLE + (other - at) * area_step[direction]),
                                           net->rows[to][direction], (uint16_t)line_of(line, other)};
            __builtin_prefetch(ready.rows[change->before]);
            __builtin_prefetch(ready.rows[change->now]);
            change++;
        }
    }
    ply->line_count = (int)(change - ply->lines);
}

/* What a new stone changes on its lines, and through the convolution around them. */
static inline void change_lines(const struct net *net, struct net_ply *ply) {
    for (int i = 0; i < ply->line_count; i++) {
        const struct line_change *line = &ply->lines[i];
        int to = line->place;
        lanes *pool = ply->pools[net->region_of[to]];
        lanes seen[PARTS];
        for (int part = 0; part < PARTS; part++) {
            lanes was = net->sums[to][part];
            lanes change = row_part(line->now, part) - row_part(line->before, part);
            seen[part] = clamped(was + change) - clamped(was);
            ply->line_changes[i][part] = change;
        }
        for (int part = CONV_PARTS; part < PARTS; part++) {
            pool[part] += seen[part];
        }
        lanes any = seen[0];
        for (int part = 1; part < CONV_PARTS; part++) {
            any |= seen[part];
        }
        if (lanes_any(any)) {
            spread(ply->conv_changes + line->area_place, AREA_SIDE, seen);
        }
    }
}

/* The part of the board that a stone's convolved changes lie in, by rows and columns; the last ones are outside. */
struct area {
    int row;
    int column;
    int first_row;
    int last_row;
    int first_column;
    int last_column;
};

static inline struct area area_around(const struct net *net, int place) {
    int row = place / STRIDE - 1;
    int column = place % STRIDE - 1;
    struct area area = {.row = row, .column = column};
    area.first_row = row > AREA_HALF ? row - AREA_HALF : 0;
    area.last_row = row + AREA_HALF < net->size ? row + AREA_HALF + 1 : net->size;
    area.first_column = column > AREA_HALF ? column - AREA_HALF : 0;
    area.last_column = column + AREA_HALF < net->size ? column + AREA_HALF + 1 : net->size;
    return area;
}

static inline int area_place(const struct area *area, int row, int column) {
    return AREA_MIDDLE + (row - area->row) * AREA_SIDE + column - area->column;
}

/* What the convolution makes of the changes, by regions. */
static inline void change_conv(const struct net *net, struct net_ply *ply, const struct area *area,
                               lanes (*pools)[PARTS]) {
    for (int region = 0; region < NET_REGIONS; region++) {
        int row = net->thirds[region / 3];
        int last_row = net->thirds[region / 3 + 1];
        int column = net->thirds[region % 3];
        int last_column = net->thirds[region % 3 + 1];
        row = row > area->first_row ? row : area->first_row;
        last_row = last_row < area->last_row ? last_row : area->last_row;
        column = column > area->first_column ? column : area->first_column;
        last_column = last_column < area->last_column ? last_column : area->last_column;
        lanes sums[CONV_PARTS];
        memcpy(sums, pools[region], sizeof sums);
        for (; row < last_row && column < last_column; row++) {
            int place = (row + 1) * STRIDE + 1 + column;
            int count = last_column - column;
            const lanes(*from)[CONV_PARTS] = net->conv + place;
            const lanes(*change)[CONV_PARTS] = ply->conv_changes + area_place(area, row, column);
            for (int i = 0; i < count; i++) {
                lanes mask = lanes_repeat(net->empty[place + i]);
                for (int part = 0; part < CONV_PARTS; part++) {
                    lanes was = from[i][part];
                    lanes now = lanes_add(was, change[i][part]);
                    sums[part] += (clamped(now >> CONV_SHIFT) - clamped(was >> CONV_SHIFT)) & mask;
                }
            }
        }
        memcpy(ply->pools[region], sums, sizeof sums);
    }
}

/* A move of `side`: works out the pools with it, from the sums, which stay as they are until it is entered. */
static inline void net_play(struct net *net, int square, int side) {
    struct net_ply *ply = &net->plies[net->applied];
    lanes(*pools)[PARTS] = pools_of(net);
    int place = net->place_of[square];
    struct area area = area_around(net, place);
    ply->square = (uint16_t)square;
    ply->side = (uint8_t)side;
    find_changes(net, ply);
    memset(ply->conv_changes[(area.first_row - area.row + AREA_HALF) * AREA_SIDE], 0,
           (size_t)((area.last_row - area.first_row) * AREA_SIDE) * sizeof ply->conv_changes[0]);
    for (int region = 0; region < NET_REGIONS; region++) {
        for (int part = CONV_PARTS; part < PARTS; part++) {
            ply->pools[region][part] = pools[region][part];
        }
    }

    /* 1. Others do not see the square any more. */
    lanes seen[CONV_PARTS];
    for (int part = 0; part < CONV_PARTS; part++) {
        seen[part] = -clamped(net->sums[place][part]);
    }
    spread(ply->conv_changes + AREA_MIDDLE, AREA_SIDE, seen);

    /* 2. The lines through it. */
    change_lines(net, ply);

    /* 3. What the convolution makes of it. The stone's own place is step 4. */
    memset(ply->conv_changes[AREA_MIDDLE], 0, sizeof ply->conv_changes[0]);
    change_conv(net, ply, &area, pools);

    /* 4. The square is empty no more. */
    lanes *pool = ply->pools[net->region_of[place]];
    lanes numbers[PARTS];
    numbers_of(net, place, numbers);
    for (int part = 0; part < PARTS; part++) {
        pool[part] -= numbers[part];
    }
    net->applied++;
    net->pending = true;
}

/* Adds the last move to the sums, or with `back` takes it out of them. */
static inline void net_enter(struct net *net, bool back) {
    const struct net_ply *ply = &net->plies[net->applied - 1];
    int place = net->place_of[ply->square];
    for (int i = 0; i < ply->line_count; i++) {
        const struct line_change *line = &ply->lines[i];
        lanes *sums = net->sums[line->place];
        for (int part = 0; part < PARTS; part++) {
            sums[part] += back ? -ply->line_changes[i][part] : ply->line_changes[i][part];
        }
        net->rows[line->place][line->direction] = back ? line->before : line->now;
    }
    struct area area = area_around(net, place);
    for (int row = area.first_row; row < area.last_row; row++) {
        lanes(*sums)[CONV_PARTS] = net->conv + (row + 1) * STRIDE + 1 + area.first_column;
        const lanes(*change)[CONV_PARTS] = ply->conv_changes + area_place(&area, row, area.first_column);
        for (int i = 0; i < area.last_column - area.first_column; i++) {
            for (int part = 0; part < CONV_PARTS; part++) {
                sums[i][part] = lanes_add(sums[i][part], back ? -change[i][part] : change[i][part]);
            }
        }
    }
    for (int direction = 0; direction < 4; direction++) {
        int at;
        uint64_t *line = line_through(net, place, direction, &at);
        *line ^= (uint64_t)(ply->side + 1) << (2 * at);
    }
    net->empty[place] = ~net->empty[place];
}

static inline void enter_pending(struct net *net) {
    if (net->pending) {
        net_enter(net, false);
        net->pending = false;
    }
}

/* Brings the pools to the board's position: back to where both agree, and on from there. */
static inline void follow(struct net *net, const struct gboard *board) {
    if (!board->history) {
        return; /* nothing was played since the board was loaded */
    }
    struct gboard_ply *plies = board->history->plies;
    int same = net->applied < board->count ? net->applied : board->count;
    while (same > net->loaded && !plies[same - 1].followed) {
        same--;
    }
    for (; net->applied > same; net->applied--) {
        if (!net->pending) {
            net_enter(net, true);
        }
        net->pending = false;
    }
    while (net->applied < board->count) {
        struct gboard_ply *ply = &plies[net->applied];
        ply->followed = true;
        enter_pending(net);
        net_play(net, ply->square, net->applied & 1);
    }
}

/* -- the heads -- */

/* The sums of each region, and of the whole board behind them. Those of another size than the usual one become what
 * they would be there: the squares it has more or less count as empty ones. */
static inline void gather_pools(struct net *net, lanes gathered[NET_REGIONS + 1][PARTS]) {
    lanes(*pools)[PARTS] = pools_of(net);
    if (net->size != USUAL_SIZE) {
        for (int region = 0; region < NET_REGIONS; region++) {
            for (int part = 0; part < PARTS; part++) {
                gathered[region][part] =
                    lanes_clamp(pools[region][part] + ready.more[net->size][region][part], MOST_POOL);
            }
        }
        pools = gathered;
    }
    for (int part = 0; part < PARTS; part++) {
        lanes total = {0};
        for (int region = 0; region < NET_REGIONS; region++) {
            total += pools[region][part];
            gathered[region][part] = pools[region][part] >> 2;
        }
        gathered[NET_REGIONS][part] = total >> 4;
    }
}

/* Adds what an even number of inputs brings to the `vectors` of a layer's sums. */
static inline __attribute__((always_inline)) void layer_add(outs *sums, int vectors, const int16_t *inputs, int count,
                                                            const pairs *weights) {
    for (int i = 0; i < count; i += 2) {
        int32_t pair;
        memcpy(&pair, inputs + i, sizeof pair);
        pairs both = (pairs)((outs){0} + pair);
        for (int vector = 0; vector < vectors; vector++) {
            sums[vector] += pairs_products(both, *weights++);
        }
    }
}

/* What an even number of inputs brings to a region's outputs, with the biases. */
static inline void region_sums(int32_t *sums, const int16_t *inputs, const int32_t *biases, const pairs *weights) {
    outs steps[REGION_VECTORS] = {{0}};
    for (int step = 0; step < REGION_STEPS; step++) {
#if REGION_PAIRS > 1
        typedef uint64_t words __attribute__((vector_size(4 * OUTS)));
        uint64_t some;
        memcpy(&some, inputs + step * REGION_PAIRS * 2, sizeof some);
        pairs both = (pairs)((words){0} + some);
#else
        int32_t some;
        memcpy(&some, inputs + step * 2, sizeof some);
        pairs both = (pairs)((outs){0} + some);
#endif
        for (int vector = 0; vector < REGION_VECTORS; vector++) {
            steps[vector] += pairs_products(both, *weights++);
        }
    }
    const int32_t *parts = (const int32_t *)steps;
    for (int i = 0; i < NET_REGION_OUT; i++) {
        sums[i] = biases[i];
        for (int pair = 0; pair < REGION_PAIRS; pair++) {
            sums[i] += parts[i * REGION_PAIRS + pair];
        }
    }
}

/* The outputs of a layer whose sums are complete. */
static inline void layer_out(int16_t *to, const outs *sums, int vectors) {
    for (int i = 0; i < vectors; i++) {
        typedef int16_t short_outs __attribute__((vector_size(2 * OUTS)));
        outs sum = sums[i] >> LAYER_SHIFT;
        sum &= sum > 0;
        outs over = sum > NET_LAYER_MOST;
        short_outs out = __builtin_convertvector((sum & ~over) | (NET_LAYER_MOST & over), short_outs);
        memcpy(to + i * OUTS, &out, sizeof out);
    }
}

/* What the last layer sees: all that is known of the board, for the side to move. */
static inline void last_numbers(struct net *net, const struct gboard *board, int16_t *second) {
    const struct network *numbers = &ready.network;
    int side = board->side;
    lanes pools[NET_REGIONS + 1][PARTS];
    _Alignas(32) int16_t parts[PARTS_VECTORS * OUTS];
    _Alignas(32) int16_t hidden[NET_HIDDEN_SIZE];
    outs part_sums[PARTS_VECTORS];
    outs sums[NET_HIDDEN_SIZE / OUTS];
    follow(net, board);
    gather_pools(net, pools);
    for (int region = 0; region < NET_REGIONS; region++) {
        region_sums((int32_t *)part_sums + region * NET_REGION_OUT, (const int16_t *)pools[region],
                    numbers->region_bias, ready.region[side][0]);
    }
    layer_out(parts, part_sums, PARTS_VECTORS);
    memcpy(sums, numbers->hidden_bias, sizeof sums);
    layer_add(sums, NET_HIDDEN_SIZE / OUTS, (const int16_t *)pools[NET_REGIONS], NET_SQUARE, ready.hidden[side][0]);
    layer_add(sums, NET_HIDDEN_SIZE / OUTS, parts, NET_REGIONS * NET_REGION_OUT, ready.hidden[side][NET_SQUARE / 2]);
    layer_out(hidden, sums, NET_HIDDEN_SIZE / OUTS);
    memcpy(sums, numbers->second_bias, sizeof sums);
    layer_add(sums, NET_SECOND_SIZE / OUTS, hidden, NET_HIDDEN_SIZE, ready.second[0]);
    layer_out(second, sums, NET_SECOND_SIZE / OUTS);
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
    ASSERT(board->net == net);
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
    int side = board->side;
    lanes pools[NET_REGIONS + 1][PARTS];
    outs sums[NET_SQUARE / OUTS];
    follow(net, board);
    enter_pending(net);
    gather_pools(net, pools);
    memcpy(sums, ready.policy_bias[side], sizeof sums);
    layer_add(sums, NET_SQUARE / OUTS, (const int16_t *)pools[NET_REGIONS], NET_SQUARE, ready.policy[side][0]);
    const int32_t *from = (const int32_t *)sums;
    for (int i = 0; i < NET_SQUARE; i++) {
        int32_t weight = from[i] >> LAYER_SHIFT;
        policy->weights[i] = (int16_t)(weight > INT16_MAX ? INT16_MAX : weight < INT16_MIN ? INT16_MIN : weight);
    }
}

static inline int policy_of(const struct net *net, const struct net_policy *policy, int square) {
    ASSERT(square >= 0 && square < GOMOKU_MOST_SQUARES);
    lanes numbers[PARTS];
    numbers_of(net, net->place_of[square], numbers);
    const pairs *inputs = (const pairs *)numbers;
    const pairs *weights = (const pairs *)policy->weights;
    outs sums = {0};
    for (int i = 0; i < NET_SQUARE / (2 * OUTS); i++) {
        sums += pairs_products(inputs[i], weights[i]);
    }
    return outs_sum(sums) >> POLICY_SHIFT;
}

int net_policy_of(const struct net *net, const struct net_policy *policy, int square) {
    return policy_of(net, policy, square);
}

void net_policies(struct net *net, const struct gboard *board, const int last[2], const uint16_t *squares, int count,
                  int *policies) {
    struct net_policy policy;
    const int16_t *draw[2];
    net_policy_begin(net, board, &policy);
    for (int i = 0; i < 2; i++) {
        draw[i] = last[i] < 0 ? ready.no_draw : ready.draw[i] + FAR_MIDDLE - net->far_of[last[i]];
    }
    for (int i = 0; i < count; i++) {
        int far = net->far_of[squares[i]];
        policies[i] = policy_of(net, &policy, squares[i]) + draw[0][far] + draw[1][far];
    }
}

/* -- a net's life -- */

/* Zeroed memory for vectors, which not every system's malloc aligns for them; *block is what must be freed. */
static void *aligned_new(size_t bytes, void **block) {
    *block = calloc(1, bytes + ALIGNMENT - 1);
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
    net->block = block;
    if (moves) {
        net->plies = pages_new(PLIES_BYTES);
        if (!net->plies) {
            net_free(net);
            return NULL;
        }
    }
    return net;
}

void net_free(struct net *net) {
    if (net) {
        if (net->plies) {
            pages_free(net->plies, PLIES_BYTES);
        }
        free(net->block);
    }
}

/* Where squares lie, by the size of the board. */
static void fill_places(struct net *net, int size) {
    net->size = size;
    for (int third = 0; third < 4; third++) {
        net->thirds[third] = (third * size + 2) / 3;
    }
    for (int square = 0; square < size * size; square++) {
        int row = square / size;
        int column = square % size;
        int place = (row + 1) * STRIDE + column + 1;
        net->place_of[square] = (uint16_t)place;
        net->far_of[square] = (uint16_t)(row * FAR_STRIDE + column);
        net->region_of[place] = (uint8_t)(row * 3 / size * 3 + column * 3 / size);
    }
}

/* Nothing is known of any square. */
static void forget_squares(struct net *net, int size) {
    if (net->size != size) {
        fill_places(net, size);
    }
    memset(net->pools, 0, sizeof net->pools);
    memset(net->sums, 0, sizeof net->sums);
    memset(net->empty, 0, sizeof net->empty);
    for (int place = 0; place < PLACES; place++) {
        memcpy(net->conv[place], ready.conv_bias, sizeof ready.conv_bias);
    }
}

/* An empty square with these rows. */
static void add_square(struct net *net, int place, const int rows[4]) {
    net->empty[place] = UINT64_MAX;
    for (int direction = 0; direction < 4; direction++) {
        net->rows[place][direction] = (uint16_t)rows[direction];
        for (int part = 0; part < PARTS; part++) {
            net->sums[place][part] += row_part(rows[direction], part);
        }
    }
    lanes seen[CONV_PARTS];
    for (int part = 0; part < CONV_PARTS; part++) {
        seen[part] = clamped(net->sums[place][part]);
    }
    spread(net->conv + place, STRIDE, seen);
}

/* Adds all empty squares up. */
static void fill_pools(struct net *net) {
    for (int square = 0; square < net->size * net->size; square++) {
        int place = net->place_of[square];
        lanes numbers[PARTS];
        numbers_of(net, place, numbers);
        for (int part = 0; part < PARTS && net->empty[place]; part++) {
            net->pools[net->region_of[place]][part] += numbers[part];
        }
    }
}

static int half_inside(int squares, int more_squares) {
    int inside = squares < more_squares ? squares : more_squares;
    return empty_half[inside < HALF ? inside : HALF];
}

static void load_empty(struct net *net, int size) {
    forget_squares(net, size);
    for (int square = 0; square < size * size; square++) {
        int up = square / size;
        int left = square % size;
        int down = size - 1 - up;
        int right = size - 1 - left;
        int rows[4] = {row_of(half_inside(left, left), half_inside(right, right)),
                       row_of(half_inside(up, up), half_inside(down, down)),
                       row_of(half_inside(up, left), half_inside(down, right)),
                       row_of(half_inside(up, right), half_inside(down, left))};
        add_square(net, net->place_of[square], rows);
    }
    fill_pools(net);
}

static void compare_sizes(void) {
    static struct net net; /* used once */
    lanes usual[NET_REGIONS][PARTS];
    load_empty(&net, USUAL_SIZE);
    memcpy(usual, net.pools, sizeof usual);
    for (int size = GOMOKU_LEAST_SIZE; size <= GOMOKU_MOST_SIZE; size++) {
        load_empty(&net, size);
        for (int region = 0; region < NET_REGIONS; region++) {
            for (int part = 0; part < PARTS; part++) {
                ready.more[size][region][part] = usual[region][part] - net.pools[region][part];
            }
        }
    }
}

void net_load(struct net *net, struct gboard *board) {
    board->net = net;
    net->loaded = net->applied = board->count;
    net->pending = false;
    forget_squares(net, board->size);
    memcpy(net->lines, board->lines, sizeof net->lines);
    for (int square = 0; square < board->squares; square++) {
        int place = net->place_of[square];
        if (!gboard_is_empty(board, square)) {
            continue;
        }
        int rows[4];
        for (int direction = 0; direction < 4; direction++) {
            int at;
            uint64_t line = *line_through(net, place, direction, &at);
            rows[direction] = line_of(line, at);
        }
        add_square(net, place, rows);
    }
    fill_pools(net);
}
