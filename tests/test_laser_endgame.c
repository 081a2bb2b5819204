/* The endgame of Laser Checkmate against plain searches. The games are made up: any squares that see each other
 * and cover anything at all. No board has most of them, so no property of boards can hide a wrong bound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/rng.h"
#include "games/laser/kernel/endgame.h"
#include "support/scale.h"

struct made_up {
    struct laser_last last;
    uint64_t nodes;
    int count;
    uint64_t mine; /* can still be covered */
    uint64_t theirs;
};

/* Squares that see each other with a chance of `dense` in 100 and cover up to `most` squares of each side. */
static void make_up(struct rng *rng, int count, uint32_t dense, int most, struct made_up *game) {
    memset(game, 0, sizeof *game);
    game->count = count;
    game->mine = most >= 64 ? ~0ULL : (1ULL << most) - 1;
    game->theirs = game->mine;
    uint32_t cover = 10 + rng_below(rng, 50);
    for (int i = 0; i < count; i++) {
        game->last.sees[i] |= 1u << i;
        for (int j = 0; j < i; j++) {
            if (rng_below(rng, 100) < dense) {
                game->last.sees[i] |= 1u << j;
                game->last.sees[j] |= 1u << i;
            }
        }
        for (int bit = 0; bit < most; bit++) {
            for (int side = 0; side < 2; side++) {
                game->last.beams[side][i] |= (uint64_t)(rng_below(rng, 100) < cover) << bit;
            }
        }
    }
}

static int ask(struct made_up *game, int beta, bool doubtful) {
    game->last.nodes = &game->nodes;
    return laser_endgame(&game->last, game->count, game->mine, game->theirs, beta, doubtful);
}

/* Plain minimax. */
static int plain_value(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int side) {
    int best = -1000;
    for (uint32_t rest = free; rest; rest &= rest - 1) {
        int move = __builtin_ctz(rest);
        uint64_t beams = last->beams[side][move];
        int value =
            bits_count(beams & mine) - plain_value(last, free & ~last->sees[move], theirs, mine & ~beams, !side);
        best = value > best ? value : best;
    }
    return free ? best : 0;
}

/* Every answer about every beta must be true. */
static void check_answers(struct made_up *game, int value) {
    for (int beta = value - 12; beta <= value + 12; beta++) {
        for (int doubtful = 0; doubtful < 2; doubtful++) {
            int answer = ask(game, beta, doubtful);
            assert_int_equal(answer >= beta, value >= beta);
            if (answer >= beta) {
                assert_true(answer <= value);
            } else {
                assert_true(answer >= value);
            }
        }
    }
}

/* Up to three squares, with every way for them to see each other. */
static void few_squares_are_exact(void **state) {
    (void)state;
    struct rng rng = {1};
    for (int i = 0; i < SCALED(30000); i++) {
        struct made_up game;
        make_up(&rng, i % 4, (uint32_t)(i % 5 * 25), 1 + (int)rng_below(&rng, 64), &game);
        int value = plain_value(&game.last, (1u << game.count) - 1, game.mine, game.theirs, 0);
        assert_int_equal(ask(&game, 0, false), value);
        assert_int_equal(ask(&game, 0, true), value);
    }
}

static void bounds_agree_with_plain_minimax(void **state) {
    (void)state;
    struct rng rng = {2};
    for (int i = 0; i < SCALED(30000); i++) {
        struct made_up game;
        /* Sparse games are long: few squares for those. */
        uint32_t dense = rng_below(&rng, 80);
        int count = 4 + (int)rng_below(&rng, dense < 20 ? 4 : dense < 40 ? 6 : 9);
        make_up(&rng, count, dense, 8 + (int)rng_below(&rng, 57), &game);
        check_answers(&game, plain_value(&game.last, (1u << count) - 1, game.mine, game.theirs, 0));
    }
}

/* Plain minimax for a side that makes so many moves first. */
static int plain_row(const struct laser_last *last, uint32_t free, uint64_t mine, uint64_t theirs, int moves) {
    if (moves == 1 || !free) {
        return plain_value(last, free, mine, theirs, 0);
    }
    int best = -1000;
    for (uint32_t rest = free; rest; rest &= rest - 1) {
        int move = __builtin_ctz(rest);
        uint64_t beams = last->beams[0][move];
        int value =
            bits_count(beams & mine) + plain_row(last, free & ~last->sees[move], mine & ~beams, theirs, moves - 1);
        best = value > best ? value : best;
    }
    return best;
}

/* A bound below what was asked for must hold, and bounds must not be given away. */
static void bounds_of_rows_hold(void **state) {
    (void)state;
    struct rng rng = {4};
    int useful = 0;
    for (int i = 0; i < SCALED(6000); i++) {
        struct made_up game;
        int moves = 2 + i % 3;
        int count = 4 + (int)rng_below(&rng, 5);
        make_up(&rng, count, 30 + rng_below(&rng, 40), 8 + (int)rng_below(&rng, 57), &game);
        game.last.nodes = &game.nodes;
        int value = plain_row(&game.last, (1u << count) - 1, game.mine, game.theirs, moves);
        for (int enough = value - 3; enough <= value + 12; enough++) {
            int bound = laser_endgame_row(&game.last, count, game.mine, game.theirs, enough, moves);
            assert_true(bound >= (value < enough ? value : enough));
            useful += bound < enough;
        }
    }
    assert_true(useful > 1000 / SLOW);
}

/* More squares, where the careful choice of a move sets in: the answers to all questions must fit together, and the
 * value be that of the moves. */
static void values_agree_with_those_of_the_moves(void **state) {
    (void)state;
    struct rng rng = {3};
    for (int i = 0; i < SCALED(2000); i++) {
        struct made_up game;
        int count = 12 + (int)rng_below(&rng, 9);
        make_up(&rng, count, 25 + rng_below(&rng, 40), 20 + (int)rng_below(&rng, 45), &game);
        int value = -1000;
        for (int move = 0; move < count; move++) {
            /* The game behind the move, from the other side. */
            struct made_up after = {.theirs = game.mine & ~game.last.beams[0][move], .mine = game.theirs};
            uint32_t left = ((1u << count) - 1) & ~game.last.sees[move];
            for (uint32_t rest = left; rest; rest &= rest - 1) {
                int from = __builtin_ctz(rest);
                int at = 0;
                for (uint32_t bits = left; bits; bits &= bits - 1, at++) {
                    after.last.sees[after.count] |= (game.last.sees[from] >> __builtin_ctz(bits) & 1) << at;
                }
                after.last.beams[0][after.count] = game.last.beams[1][from];
                after.last.beams[1][after.count] = game.last.beams[0][from];
                after.count++;
            }
            int lower = -200;
            int upper = 200;
            while (lower < upper) {
                int beta = (lower + upper + 401) / 2 - 200;
                int answer = ask(&after, beta, move & 1);
                lower = answer >= beta ? beta : lower;
                upper = answer >= beta ? upper : beta - 1;
            }
            int gain = bits_count(game.last.beams[0][move] & game.mine);
            value = gain - lower > value ? gain - lower : value;
        }
        check_answers(&game, value);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_squares_are_exact),
        cmocka_unit_test(bounds_agree_with_plain_minimax),
        cmocka_unit_test(bounds_of_rows_hold),
        cmocka_unit_test(values_agree_with_those_of_the_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
