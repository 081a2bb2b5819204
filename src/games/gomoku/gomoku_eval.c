/* The static evaluation, for the engine and behind the game interface. The sums it rests on are brought up to date
 * when a position is evaluated. */
#include <string.h>

#include "games/gomoku/gomoku_board.h"
#include "games/gomoku/gomoku_weights.h"

/* Large enough that no position gets there, small enough to stay apart from proven wins. */
#define MOST_EVALUATION 20000

/* What the evaluation does with vectors of numbers is compiled twice on x86-64: for every processor, and for those
 * with AVX2, which are asked for when the tables are built. Both give the same numbers. */
#define INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__) && !defined(__AVX2__)
#define TWO_VERSIONS 1
#else
#define TWO_VERSIONS 0
#endif

/* Numbers are taken sixteen at a time; what a processor lacks the compiler makes of shorter vectors. */
#pragma GCC diagnostic ignored "-Wpsabi" /* all of it is inlined: no vector is handed over */
typedef int16_t lanes __attribute__((vector_size(32)));
#define LANES 16

INLINE lanes clamped(lanes sum) {
    const lanes one = (lanes){0} + NET_ONE;
    lanes low = sum & (sum > 0);
    lanes small = low < one;
    return (low & small) | (one & ~small);
}

INLINE lanes row_part(const int16_t *row, int at) {
    lanes part;
    memcpy(&part, row + at, sizeof part);
    return part;
}

/* Takes a square's part out of one view's sums or, with `add`, puts it in. The sums are 16 bits wide: 225 squares
 * times NET_ONE fit, and on larger boards the parts are halved. */
INLINE void pool_square(lanes *sums, const int16_t (*rows)[NET_CELL], const uint8_t kinds[4], bool add, int down) {
    for (int i = 0; i < NET_CELL / LANES; i++) {
        lanes part = row_part(rows[kinds[0]], i * LANES) + row_part(rows[kinds[1]], i * LANES) +
                     row_part(rows[kinds[2]], i * LANES) + row_part(rows[kinds[3]], i * LANES);
        part = clamped(part) >> down;
        sums[i] = add ? sums[i] + part : sums[i] - part;
    }
}

INLINE void pool_change(lanes *sums, const int16_t (*rows)[NET_CELL], const struct gboard_change *change, int down) {
    const uint8_t *kinds = change->before.kinds;
    const int16_t *before = rows[kinds[change->direction]];
    const int16_t *after = rows[change->after];
    const int16_t *a = rows[kinds[(change->direction + 1) & 3]];
    const int16_t *b = rows[kinds[(change->direction + 2) & 3]];
    const int16_t *c = rows[kinds[(change->direction + 3) & 3]];
    for (int i = 0; i < NET_CELL / LANES; i++) {
        lanes rest = row_part(a, i * LANES) + row_part(b, i * LANES) + row_part(c, i * LANES);
        lanes now = clamped(rest + row_part(after, i * LANES)) >> down;
        lanes then = clamped(rest + row_part(before, i * LANES)) >> down;
        sums[i] += now - then;
    }
}

static int pool_down(const struct gboard *board) {
    return board->squares > 255;
}

/* Makes up for the moves since the last pool that is ready. */
INLINE const struct gboard_pool *pool_catch_up(const struct gboard *board, int down) {
    if (board->count == board->loaded) {
        return &board->pool;
    }
    struct gboard_ply *plies = board->history->plies;
    int at = board->count;
    while (at > board->loaded && !plies[at - 1].pool_ready) {
        at--;
    }
    for (; at < board->count; at++) {
        const struct gboard_pool *from = at == board->loaded ? &board->pool : &plies[at - 1].pool;
        struct gboard_ply *ply = &plies[at];
        uint32_t end = at + 1 < board->count ? plies[at + 1].changes : board->changes;
        for (int view = 0; view < 2; view++) {
            const int16_t(*rows)[NET_CELL] = board->tables->view[view];
            lanes sums[NET_CELL / LANES];
            memcpy(sums, from->sums[view], sizeof sums);
            pool_square(sums, rows, board->cells[ply->square].kinds, false, down);
            for (uint32_t i = ply->changes; i < end; i++) {
                pool_change(sums, rows, &board->history->changes[i], down);
            }
            memcpy(ply->pool.sums[view], sums, sizeof sums);
        }
        ply->pool_ready = true;
    }
    return &plies[board->count - 1].pool;
}

INLINE int evaluate(const struct gboard *board) {
    const struct gboard_pool *pool = pool_down(board) ? pool_catch_up(board, 1) : pool_catch_up(board, 0);
    int shift = NET_POOL_SHIFT - pool_down(board);
    int16_t inputs[2 * NET_CELL];
    for (int i = 0; i < NET_CELL; i++) {
        inputs[i] = (int16_t)(pool->sums[board->side][i] >> shift);
        inputs[NET_CELL + i] = (int16_t)(pool->sums[1 - board->side][i] >> shift);
    }
    int16_t hidden[NET_HIDDEN];
    for (int j = 0; j < NET_HIDDEN; j++) {
        int32_t sum = 0;
        for (int i = 0; i < 2 * NET_CELL; i++) {
            sum += inputs[i] * gomoku_weights.hidden[j][i];
        }
        sum = (sum + gomoku_weights.hidden_bias[j]) >> NET_HIDDEN_SHIFT;
        hidden[j] = (int16_t)(sum < 0 ? 0 : sum > NET_HIDDEN_MOST ? NET_HIDDEN_MOST : sum);
    }
    int64_t sum = gomoku_weights.out_bias;
    for (int j = 0; j < NET_SECOND; j++) {
        int32_t second = gomoku_weights.second_bias[j];
        for (int i = 0; i < NET_HIDDEN; i++) {
            second += hidden[i] * gomoku_weights.second[j][i];
        }
        second = second > 0 ? second >> NET_HIDDEN_SHIFT : 0;
        sum += (int64_t)second * gomoku_weights.out[j];
    }
    int64_t value = (sum * NET_VALUE_UNIT) >> 20;
    return value > MOST_EVALUATION ? MOST_EVALUATION : value < -MOST_EVALUATION ? -MOST_EVALUATION : (int)value;
}

#if TWO_VERSIONS
__attribute__((target("avx2"))) static int evaluate_wide(const struct gboard *board) {
    return evaluate(board);
}

int gboard_evaluate(const struct gboard *board) {
    return board->tables->wide ? evaluate_wide(board) : evaluate(board);
}
#else
int gboard_evaluate(const struct gboard *board) {
    return evaluate(board);
}
#endif

const struct gboard_pool *gboard_pool(const struct gboard *board) {
    return pool_catch_up(board, pool_down(board));
}

void gboard_pool_load(struct gboard *board) {
    for (int view = 0; view < 2; view++) {
        lanes sums[NET_CELL / LANES] = {{0}};
        for (int square = 0; square < board->squares; square++) {
            if (gboard_is_empty(board, square)) {
                pool_square(sums, board->tables->view[view], board->cells[square].kinds, true, pool_down(board));
            }
        }
        memcpy(board->pool.sums[view], sums, sizeof sums);
    }
}

game_score gomoku_evaluate(const struct game_position *position) {
    const struct gomoku_position *g = gomoku_const(position);
    if (g->winner != GOMOKU_NO_WINNER) {
        return g->winner == GOMOKU_X ? GAME_WIN_VALUE : -GAME_WIN_VALUE;
    }
    if (g->count == g->size * g->size) {
        return 0;
    }
    struct gboard board = {0};
    gboard_load(&board, g, NULL);
    int value = gboard_evaluate(&board);
    return board.side == 0 ? value : -value;
}
