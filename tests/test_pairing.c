/* Pairs that hold: what is found is checked square by square, what is not found by trying everything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "games/gomoku/gomoku.h"
#include "prove/pairing.h"
#include "support/slow.h"

static struct gomoku_position position;
static struct gboard board;

/* So many stones at random, fewer when somebody has five. */
static void put_stones(struct rng *rng, int size, int stones) {
    static struct gboard_history history;
    gomoku_clear(&position, size, GOMOKU_FREESTYLE);
    while (position.count < stones && !gomoku_game.over((struct game_position *)&position)) {
        int square = (int)rng_below(rng, (uint32_t)(size * size));
        if (position.board[square] == GOMOKU_EMPTY) {
            gomoku_put(&position, square);
        }
    }
    gboard_load(&board, &position, &history, NULL);
}

/* The squares of a line by where it begins; false where the board ends before. */
static bool line_at(int square, int direction, int squares[5]) {
    static const int down[4] = {0, 1, 1, 1};
    static const int right[4] = {1, 0, 1, -1};
    int size = position.size;
    int row = square / size;
    int column = square % size;
    int end = column + 4 * right[direction];
    if (row + 4 * down[direction] >= size || end < 0 || end >= size) {
        return false;
    }
    for (int i = 0; i < 5; i++) {
        squares[i] = (row + i * down[direction]) * size + column + i * right[direction];
    }
    return true;
}

/* What the lines cost that the defender has no stone in, nor on `blocked`, and no pair. */
static int naive_cost(const int16_t *partner, int defender, int blocked) {
    static const int costs[6] = {128, 32, 8, 4, 2, 1};
    int total = 0;
    int line[5];
    for (int i = 0; i < 4 * position.size * position.size; i++) {
        bool served = !line_at(i / 4, i % 4, line);
        int outside = 0;
        for (int j = 0; j < 5 && !served; j++) {
            served = position.board[line[j]] == defender + 1 || line[j] == blocked;
            outside += position.board[line[j]] == GOMOKU_EMPTY && partner[line[j]] < 0;
            for (int k = 0; k < 5; k++) {
                served = served || partner[line[j]] == line[k];
            }
        }
        total += served ? 0 : costs[outside];
    }
    return total;
}

static void check_pairs(const int16_t *partner, int blocked) {
    for (int square = 0; square < position.size * position.size; square++) {
        if (partner[square] >= 0) {
            assert_int_equal(position.board[square], GOMOKU_EMPTY);
            assert_int_not_equal(square, blocked);
            assert_int_not_equal(square, partner[square]);
            assert_int_equal(partner[partner[square]], square);
        }
    }
}

/* The cost in the books is that of the pairs, on boards of every size, also after a move of the defender's; improving
 * never makes it worse, and gives the same again. */
static void test_costs(void **state) {
    (void)state;
    struct rng rng = {7};
    static struct pairing_lines lines;
    int improved = 0;
    for (int i = 0; i < 400 / SLOW; i++) {
        int size = 5 + (int)rng_below(&rng, 11);
        put_stones(&rng, size, (int)rng_below(&rng, (uint32_t)(size * size / 2)));
        int defender = (int)rng_below(&rng, 2);
        struct pairing_state pairs;
        struct pairing_state again;
        pairing_lines_make(&lines, &board, defender);
        pairing_start(&lines, &pairs);
        assert_int_equal(pairs.cost, naive_cost(pairs.partner, defender, -1));
        again = pairs;
        int before = pairs.cost;
        pairing_improve(&lines, &pairs, 60, (uint64_t)i);
        pairing_improve(&lines, &again, 60, (uint64_t)i);
        assert_memory_equal(&pairs, &again, sizeof pairs);
        assert_true(pairs.cost <= before);
        improved += pairs.cost < before;
        assert_int_equal(pairs.cost, naive_cost(pairs.partner, defender, -1));
        check_pairs(pairs.partner, -1);
        int square = (int)rng_below(&rng, (uint32_t)(size * size));
        if (position.board[square] != GOMOKU_EMPTY) {
            continue;
        }
        int there = pairing_cost_at(&lines, &pairs, square);
        assert_in_range(there, 0, pairs.cost);
        bool paired = pairs.partner[square] >= 0;
        before = pairs.cost;
        pairing_block(&lines, &pairs, square);
        assert_int_equal(pairs.cost, naive_cost(pairs.partner, defender, square));
        assert_true(paired || pairs.cost == before - there);
        pairing_improve(&lines, &pairs, 60, (uint64_t)i);
        assert_int_equal(pairs.cost, naive_cost(pairs.partner, defender, square));
        check_pairs(pairs.partner, square);
    }
    assert_true(improved > 100 / SLOW);
}

/* Whether there are pairs that hold, beside those chosen, by trying all of them; -1: that takes too long. */
static int naive_pairs(int16_t *partner, int defender, int *steps) {
    int line[5];
    for (int i = 0; i < 4 * position.size * position.size; i++) {
        bool served = !line_at(i / 4, i % 4, line);
        for (int j = 0; j < 25 && !served; j++) {
            served = position.board[line[j / 5]] == defender + 1 || partner[line[j / 5]] == line[j % 5];
        }
        if (served) {
            continue;
        }
        for (int j = 0; j < 25; j++) {
            int a = line[j / 5];
            int b = line[j % 5];
            if (a >= b || partner[a] >= 0 || partner[b] >= 0 || position.board[a] != GOMOKU_EMPTY ||
                position.board[b] != GOMOKU_EMPTY) {
                continue;
            }
            if (--*steps < 0) {
                return -1;
            }
            partner[a] = (int16_t)b;
            partner[b] = (int16_t)a;
            int found = naive_pairs(partner, defender, steps);
            partner[a] = partner[b] = -1;
            if (found != 0) {
                return found;
            }
        }
        return 0;
    }
    return 1;
}

/* What is found holds; and where trying everything finds pairs, they are found. */
static void test_find(void **state) {
    (void)state;
    struct rng rng = {3};
    int seen[2] = {0};
    struct pairing last = {0}; /* of whatever position was before */
    for (int i = 0; i < 1200 / SLOW; i++) {
        put_stones(&rng, 5 + i % 2, 4 + (int)rng_below(&rng, 14));
        int defender = (int)rng_below(&rng, 2);
        int16_t partner[GOMOKU_MOST_SQUARES];
        memset(partner, -1, sizeof partner);
        int steps = 3000;
        int exist = naive_pairs(partner, defender, &steps);
        struct pairing pairing;
        bool found = pairing_find(&board, defender, i % 3 ? &last : NULL, &pairing);
        last = found ? pairing : last;
        for (int j = 0; j < pairing.count && found; j++) {
            int a = pairing.squares[2 * j];
            int b = pairing.squares[2 * j + 1];
            assert_true(partner[a] < 0 && partner[b] < 0);
            partner[a] = (int16_t)b;
            partner[b] = (int16_t)a;
        }
        check_pairs(partner, -1);
        assert_true(!found || naive_cost(partner, defender, -1) == 0);
        assert_false(found && exist == 0);
        if (exist >= 0) {
            assert_int_equal(found, exist);
            seen[exist]++;
        }
    }
    assert_true(seen[0] > 50 / SLOW && seen[1] > 50 / SLOW);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
