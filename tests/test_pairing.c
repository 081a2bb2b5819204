/* Pairs that hold: the books are checked square by square, what holds by playing every game to the end, and what is not
 * found by trying all pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "games/gomoku/rules/gomoku.h"
#include "games/gomoku/search/search.h"
#include "prove/search/answers.h"
#include "support/scale.h"

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
    gboard_load(&board, &position, &history);
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
    static const int costs[6] = {32, 16, 8, 4, 2, 1};
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

/* The attacker takes a square, and leaves it again. */
static void check_taken(const struct pairing_lines *lines, const struct pairing_state *pairs, int defender,
                        int square) {
    struct pairing_state taken;
    pairing_copy(lines, &taken, pairs);
    pairing_take(lines, &taken, square);
    position.board[square] = (uint8_t)(2 - defender);
    taken.partner[square] = -1;
    assert_int_equal(taken.cost, naive_cost(taken.partner, defender, -1));
    position.board[square] = GOMOKU_EMPTY;
    taken.partner[square] = (int16_t)square;
    pairing_leave(lines, &taken, square);
    assert_int_equal(taken.cost, naive_cost(taken.partner, defender, -1));
    assert_true(pairs->partner[square] >= 0 || taken.cost == pairs->cost);
}

/* The cost in the books is that of the pairs, on boards of every size, also after a move of the defender's; improving
 * never makes it worse, and gives the same again. */
static void test_costs(void **state) {
    (void)state;
    struct rng rng = {7};
    static struct pairing_lines lines;
    int improved = 0;
    for (int i = 0; i < SCALED(400); i++) {
        int size = 5 + (int)rng_below(&rng, i % 4 ? 3 : 11);
        put_stones(&rng, size, (int)rng_below(&rng, (uint32_t)(size * size / 4)));
        int defender = (int)rng_below(&rng, 2);
        struct pairing_state pairs;
        struct pairing_state again;
        pairing_lines_make(&lines, &board, defender);
        pairing_start(&lines, &pairs);
        assert_int_equal(pairs.cost, naive_cost(pairs.partner, defender, -1));
        again = pairs;
        int before = pairs.cost;
        pairing_improve(&lines, &pairs, 100, (uint64_t)i, i % 2);
        pairing_improve(&lines, &again, 100, (uint64_t)i, i % 2);
        assert_memory_equal(&pairs, &again, sizeof pairs);
        assert_true(pairs.cost <= before);
        improved += pairs.cost < before;
        assert_int_equal(pairs.cost, naive_cost(pairs.partner, defender, -1));
        check_pairs(pairs.partner, -1);
        int square = (int)rng_below(&rng, (uint32_t)(size * size));
        if (position.board[square] != GOMOKU_EMPTY) {
            continue;
        }
        int costs[GOMOKU_MOST_SQUARES];
        int there = pairs.cost - naive_cost(pairs.partner, defender, square);
        assert_in_range(there, 0, pairs.cost);
        pairing_costs(&lines, &pairs, costs);
        assert_int_equal(costs[square], there);
        check_taken(&lines, &pairs, defender, square);
        bool paired = pairs.partner[square] >= 0;
        before = pairs.cost;
        pairing_block(&lines, &pairs, square);
        assert_int_equal(pairs.cost, naive_cost(pairs.partner, defender, square));
        assert_true(paired || pairs.cost == before - there);
        pairing_improve(&lines, &pairs, 60, (uint64_t)i, false);
        assert_int_equal(pairs.cost, naive_cost(pairs.partner, defender, square));
        check_pairs(pairs.partner, square);
    }
    assert_true(improved > 50 / SLOW);
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

/* Where trying everything finds pairs, the search finds some that hold. */
static void test_find(void **state) {
    (void)state;
    struct rng rng = {3};
    static struct pairing_lines lines;
    int seen[2] = {0};
    for (int i = 0; i < SCALED(1200); i++) {
        put_stones(&rng, 5 + i % 2, 4 + (int)rng_below(&rng, 14));
        int defender = (int)rng_below(&rng, 2);
        int16_t partner[GOMOKU_MOST_SQUARES];
        memset(partner, -1, sizeof partner);
        int steps = 3000;
        int exist = naive_pairs(partner, defender, &steps);
        bool holds = false;
        pairing_lines_make(&lines, &board, defender);
        for (int attempt = 0; attempt < 8 && !holds; attempt++) {
            struct pairing_state pairs;
            pairing_start(&lines, &pairs);
            pairing_improve(&lines, &pairs, 700, (uint64_t)attempt, false);
            holds = pairing_holds(&lines, &pairs, false);
        }
        assert_true(exist <= 0 || holds);
        if (exist >= 0) {
            seen[exist]++;
        }
    }
    assert_true(seen[0] > 50 / SLOW && seen[1] > 50 / SLOW);
}

/* -- holding, by playing everything -- */

#define EMPTY 8 /* squares, at most, where everything is played */

/* 5x5 with so many empty squares and few stones of the defender's; nobody has five. */
static void put_attack(struct rng *rng, int defender, int empty) {
    static struct gboard_history history;
    do {
        gomoku_clear(&position, 5, GOMOKU_FREESTYLE);
        int defending = 2 + (int)rng_below(rng, 5);
        for (int left = 25; left > empty; left--) {
            int square = (int)rng_below(rng, 25);
            while (position.board[square] != GOMOKU_EMPTY) {
                square = (square + 1) % 25;
            }
            position.board[square] = (uint8_t)(left - empty <= defending ? defender + 1 : 2 - defender);
            position.count++;
        }
    } while (gomoku_game.over((struct game_position *)&position));
    gboard_load(&board, &position, &history);
}

/* Whether the attacker has five. */
static bool has_five(int attacker) {
    int line[5];
    for (int i = 0; i < 4 * 25; i++) {
        int stones = 0;
        for (int j = 0; j < 5 && line_at(i / 4, i % 4, line); j++) {
            stones += position.board[line[j]] == attacker + 1;
        }
        if (stones == 5) {
            return true;
        }
    }
    return false;
}

/* Whether the defender holds whatever the attacker plays, his own fives meaning nothing. */
static bool naive_holds(int defender, bool defender_moves) {
    if (has_five(1 - defender)) {
        return false;
    }
    bool any = false;
    bool holds = !defender_moves;
    for (int square = 0; square < 25 && holds != defender_moves; square++) {
        if (position.board[square] == GOMOKU_EMPTY) {
            any = true;
            position.board[square] = (uint8_t)(defender_moves ? defender + 1 : 2 - defender);
            holds = naive_holds(defender, !defender_moves);
            position.board[square] = GOMOKU_EMPTY;
        }
    }
    return holds || !any;
}

/* Each answer is one after which the attacker cannot win, and what is left open has a number. */
static int check_answers(const struct answers *answers, const struct pn_children *open, const struct answer *found,
                         int defender) {
    int count = 0;
    for (int square = 0; square < 25; square++) {
        if (position.board[square] == GOMOKU_EMPTY && found[square].move != NO_SQUARE) {
            int move = found[square].move;
            assert_true(move != square && position.board[move] == GOMOKU_EMPTY);
            position.board[square] = (uint8_t)(2 - defender);
            position.board[move] = (uint8_t)(defender + 1);
            assert_true(naive_holds(defender, false));
            position.board[square] = position.board[move] = GOMOKU_EMPTY;
            count++;
        }
    }
    for (int i = 0; i < open->count; i++) {
        assert_int_equal(found[open->list[i].square].move, NO_SQUARE);
        assert_true(open->list[i].value.phi > 0);
    }
    assert_int_equal(count + open->count, answers->board->squares - answers->board->count);
    return count;
}

/* Pairs that are said to hold do, with lines that have none as well; so do the answers. */
static void test_holds(void **state) {
    (void)state;
    struct rng rng = {5};
    static struct pairing_lines lines;
    static struct answers answers;
    static struct answer found[GOMOKU_MOST_SQUARES];
    int held = 0; /* with lines that have no pair */
    int lost = 0;
    int answered = 0;
    for (int i = 0; i < SCALED(1500); i++) {
        int empty = 4 + i % (EMPTY - 3);
        int defender = (25 - empty) & 1; /* so that the attacker is to move */
        defender = 1 - defender;
        put_attack(&rng, defender, empty);
        bool naive[2] = {naive_holds(defender, false), naive_holds(defender, true)};
        for (int moves = 0; moves < 2; moves++) {
            struct pairing_state pairs;
            pairing_lines_make(&lines, &board, defender);
            pairing_start(&lines, &pairs);
            pairing_improve(&lines, &pairs, i % 3 * 20, (uint64_t)i, moves);
            bool holds = pairing_holds(&lines, &pairs, moves);
            assert_true(!holds || naive[moves]);
            held += holds && pairs.cost > 0;
            lost += !naive[moves];
        }
        struct pairing_state attempt;
        pairing_start(&lines, &attempt);
        pairing_attempt(&lines, &attempt, 60, (uint64_t)i);
        assert_true(!pairing_holds(&lines, &attempt, false) || naive[0]);
        struct pn_children open;
        bool all = answers_begin(&answers, &board, (uint64_t)i);
        assert_true(!all || naive[0]);
        if (!all) {
            answers_find(&answers, board.empty, 1 + i % 9, &open, found);
            answered += check_answers(&answers, &open, found, defender);
            assert_true(open.count > 0 || naive[0]);
        }
    }
    assert_true(held > 100 / SLOW && lost > 100 / SLOW && answered > 100 / SLOW);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
