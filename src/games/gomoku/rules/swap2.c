#include "games/gomoku/rules/swap2.h"

#include <stdlib.h>

#include "base/assert.h"
#include "base/stopwatch.h"

#define DRAWS 64      /* ways to add stones that are looked at without a search */
#define FINALISTS 6   /* of them the most even ones, which are searched */
#define REACH 4       /* how far from the others a stone is put */
#define CANNOT_TELL 8 /* 200 is a natural unit of log odds: 51 % */

/* A way to go on, and how far from even it is. */
struct draft {
    struct gomoku_position position;
    int tilt;
};

static bool swap2_is_stopped(const atomic_bool *stop) {
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

/* An empty square at most REACH from a stone; somewhere around the middle on an empty board. */
static int draw_square(const struct gomoku_position *position, struct rng *rng) {
    int size = position->size;
    for (;;) {
        int stone = position->count ? position->order[rng_below(rng, position->count)] : size / 2 * size + size / 2;
        int row = stone / size + (int)rng_below(rng, 2 * REACH + 1) - REACH;
        int column = stone % size + (int)rng_below(rng, 2 * REACH + 1) - REACH;
        if (row >= 0 && row < size && column >= 0 && column < size &&
            position->board[row * size + column] == GOMOKU_EMPTY) {
            return row * size + column;
        }
    }
}

/* What a search says for the side to move; *move is what it would play. Cut off by the clock, the evaluation speaks. */
static int swap2_judge(swap2_search *search, void *user, const struct gomoku_position *position, double seconds,
                       int *move) {
    const struct game_position *interface = (const struct game_position *)position;
    struct search_result result;
    bool searched = search(user, position, seconds > 0.001 ? seconds : 0.001, &result);
    *move = searched ? (int)result.move : draw_square(position, &(struct rng){position->count});
    int evaluation = (int)gomoku_evaluate(interface);
    return searched && result.depth > 0 ? (int)result.value : position->count & 1 ? -evaluation : evaluation;
}

/* Adds `stones` so that neither side is better: of many ways those the evaluation finds most even, of those the one the
 * search does. */
static void add_even(swap2_search *search, void *user, struct gomoku_position *position, int stones, double seconds,
                     uint64_t seed, const atomic_bool *stop) {
    struct rng rng = {rng_mix(seed)};
    struct draft best[FINALISTS] = {0};
    int count = 0;
    for (int i = 0; i < DRAWS; i++) {
        struct draft draft = {.position = *position};
        for (int k = 0; k < stones; k++) {
            gomoku_put(&draft.position, draw_square(&draft.position, &rng));
        }
        draft.tilt = abs((int)gomoku_evaluate((const struct game_position *)&draft.position));
        int at = count;
        if (count < FINALISTS) {
            count++;
        } else if (best[--at].tilt <= draft.tilt) {
            continue;
        }
        for (; at > 0 && best[at - 1].tilt > draft.tilt; at--) {
            best[at] = best[at - 1];
        }
        best[at] = draft;
    }
    double end = clock_wall() + seconds; /* what one search takes too long, the others have less */
    int chosen = 0;
    int least = GAME_INFINITY;
    for (int i = 0; i < count && !swap2_is_stopped(stop); i++) {
        int move;
        int tilt = abs(swap2_judge(search, user, &best[i].position, (end - clock_wall()) / (count - i), &move));
        if (tilt < least) {
            least = tilt;
            chosen = i;
        }
    }
    *position = best[chosen].position;
}

void gomoku_swap2(swap2_search *search, void *user, const struct gomoku_position *position, double seconds,
                  uint64_t seed, const atomic_bool *stop, struct swap2_answer *answer) {
    ASSERT(position->count == 0 || position->count == 3 || position->count == 5);
    ASSERT(seconds >= 0);
    struct gomoku_position now = *position;
    *answer = (struct swap2_answer){0};
    if (now.count == 0) {
        add_even(search, user, &now, 3, seconds, seed, stop);
    } else {
        /* Whoever chooses takes the better colour. Two stones more help only where it cannot tell which that is. */
        bool may_add = now.count == 3;
        int move;
        int value = swap2_judge(search, user, &now, may_add ? seconds / 2 : seconds, &move);
        answer->swap = value < -CANNOT_TELL || (!may_add && value < 0);
        if (answer->swap) {
            return;
        }
        if (may_add && value <= CANNOT_TELL) {
            add_even(search, user, &now, 2, seconds / 2, seed, stop);
        } else {
            gomoku_put(&now, move);
        }
    }
    for (int i = position->count; i < now.count; i++) {
        answer->squares[answer->count++] = now.order[i];
    }
}
