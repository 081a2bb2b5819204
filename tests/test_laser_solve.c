/* The searches of Laser Checkmate: against a plain minimax, against the table of exact values, and against
 * themselves on wider boards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formats/course.h"
#include "games/laser/rules/laser.h"
#include "search/limits.h"
#include "search/textbook.h"
#include "support/scale.h"
#include "system/file.h"

static const struct game_position *generic(const struct laser_position *position) {
    return (const struct game_position *)position;
}

static struct searcher *searcher_with(int threads) {
    struct searcher *searcher =
        laser_game.searcher_new(&(struct searcher_options){.threads = threads, .hash_bytes = (size_t)16 << 20}, NULL);
    assert_non_null(searcher);
    return searcher;
}

static struct search_result think(struct searcher *searcher, const struct laser_position *position,
                                  struct search_limits limits) {
    struct search_control control = {.stop = false};
    struct search_result result;
    laser_game.think(searcher, generic(position), &limits, &control, &result);
    assert_true(laser_game.legal(generic(position), result.move));
    assert_int_equal(result.pv[0], result.move);
    return result;
}

static int solve(struct searcher *searcher, const struct laser_position *position) {
    struct search_result result = think(searcher, position, (struct search_limits){.goal = SEARCH_EXACT});
    assert_int_equal(result.certainty, SEARCH_PROVED);
    assert_int_equal(result.lower, result.upper);
    assert_int_equal(result.value, result.lower);
    return result.value;
}

/* Plain minimax through the game interface, from the view of the side to move. */
static int plain_value(struct laser_position *position) {
    game_move moves[LASER_MOST_SQUARES];
    int count = laser_game.moves(generic(position), moves);
    if (count == 0) {
        int score = laser_game.score(generic(position));
        return position->to_move == 0 ? score : -score;
    }
    int best = -LASER_MOST_SQUARES;
    for (int i = 0; i < count; i++) {
        struct game_undo undo;
        laser_game.play((struct game_position *)position, moves[i], &undo);
        int value = -plain_value(position);
        laser_game.undo((struct game_position *)position, &undo);
        best = value > best ? value : best;
    }
    return best;
}

/* A random board with more blocks than a match has, played until at most `free` squares are left. */
static bool random_late_position(struct rng *rng, int size, int free, struct laser_position *position) {
    laser_clear(position, size);
    for (int square = 0; square < size * size; square++) {
        if (rng_below(rng, 100) < 15) {
            laser_add(position->blocks, square);
        }
    }
    for (;;) {
        game_move moves[LASER_MOST_SQUARES];
        int count = laser_game.moves(generic(position), moves);
        if (count <= free) {
            return count > 0;
        }
        struct game_undo undo;
        laser_game.play((struct game_position *)position, moves[rng_below(rng, (uint32_t)count)], &undo);
    }
}

static void agrees_with_plain_minimax(void **state) {
    (void)state;
    struct searcher *searcher = searcher_with(1);
    struct rng rng = {7};
    for (int i = 0; i < SCALED(6000); i++) {
        struct laser_position position;
        int size = 1 + (int)rng_below(&rng, i % 50 == 0 ? LASER_MOST_SIZE : 9);
        if (!random_late_position(&rng, size, 1 + (int)rng_below(&rng, 11), &position)) {
            continue;
        }
        int value = plain_value(&position);
        assert_int_equal(solve(searcher, &position), value);
        struct search_result win = think(searcher, &position, (struct search_limits){.goal = SEARCH_WIN});
        assert_int_equal(win.certainty, SEARCH_PROVED);
        assert_int_equal(win.lower > 0, value > 0);
        assert_int_equal(win.upper < 0, value < 0);
        assert_true(win.lower <= value && value <= win.upper);
    }
    laser_game.searcher_free(searcher);
}

/* Plain alpha-beta: at least beta, at most alpha, or the value. */
static int plain_bound(struct laser_position *position, int alpha, int beta) {
    game_move moves[LASER_MOST_SQUARES];
    int count = laser_game.moves(generic(position), moves);
    if (count == 0) {
        return plain_value(position);
    }
    for (int i = 0; i < count && alpha < beta; i++) {
        struct game_undo undo;
        laser_game.play((struct game_position *)position, moves[i], &undo);
        int value = -plain_bound(position, -beta, -alpha);
        laser_game.undo((struct game_position *)position, &undo);
        alpha = value > alpha ? value : alpha;
    }
    return alpha;
}

/* Enough free squares for one reply to refute many moves above the endgame. */
static void agrees_with_plain_alpha_beta(void **state) {
    (void)state;
    struct searcher *searcher = searcher_with(1);
    struct rng rng = {11};
    for (int i = 0; i < SCALED(120); i++) {
        struct laser_position position;
        if (random_late_position(&rng, 7 + i % 3, 26 + i % 7, &position)) {
            int value = solve(searcher, &position);
            assert_int_equal(plain_bound(&position, value - 1, value + 1), value);
        }
    }
    laser_game.searcher_free(searcher);
}

/* Wide boards with many squares left: the value must be that of the best move, solved by itself. */
static void agrees_with_its_moves(void **state) {
    (void)state;
    struct searcher *searcher = searcher_with(1);
    struct rng rng = {19};
    for (int i = 0; i < SCALED(10); i++) {
        struct laser_position position;
        if (!random_late_position(&rng, 10 + i % 3, 52, &position)) {
            continue;
        }
        int value = solve(searcher, &position);
        game_move moves[LASER_MOST_SQUARES];
        int count = laser_game.moves(generic(&position), moves);
        int best = -LASER_MOST_SQUARES;
        for (int m = 0; m < count; m++) {
            struct game_undo undo;
            laser_game.searcher_clear(searcher);
            laser_game.play((struct game_position *)&position, moves[m], &undo);
            int after = laser_game.over(generic(&position)) ? plain_value(&position) : solve(searcher, &position);
            laser_game.undo((struct game_position *)&position, &undo);
            best = -after > best ? -after : best;
        }
        assert_int_equal(value, best);
    }
    laser_game.searcher_free(searcher);
}

/* Follows the line of best play: it must end the game with the value. */
static void the_line_leads_to_the_value(void **state) {
    (void)state;
    struct searcher *searcher = searcher_with(1);
    struct rng rng = {3};
    for (int i = 0; i < SCALED(100); i++) {
        struct laser_position position;
        if (!random_late_position(&rng, 7, 30, &position)) {
            continue;
        }
        struct search_result result = think(searcher, &position, (struct search_limits){.goal = SEARCH_EXACT});
        int side = position.to_move;
        for (int ply = 0; ply < result.pv_length; ply++) {
            struct game_undo undo;
            assert_true(laser_game.legal(generic(&position), result.pv[ply]));
            laser_game.play((struct game_position *)&position, result.pv[ply], &undo);
        }
        assert_true(laser_game.over(generic(&position)));
        int score = laser_game.score(generic(&position));
        assert_int_equal(side == 0 ? score : -score, result.value);
    }
    laser_game.searcher_free(searcher);
}

static char *read_golden(int number, const char *name, size_t *length) {
    char path[512];
    char *bytes;
    struct error error = {0};
    snprintf(path, sizeof path, TEST_GOLDEN "/laser/%03d/%s", number, name);
    if (file_read(path, 1 << 20, &bytes, length, &error) != STATUS_OK) {
        fail_msg("%s: %s", path, error.text);
    }
    return bytes;
}

/* Every move of every case has exactly the value of the table, and the engine plays one of the best. */
static void every_move_of_the_cases(void **state) {
    (void)state;
    struct searcher *searcher = searcher_with(1);
    for (int number = 0; number < 60; number += SLOW) {
        size_t length;
        struct course_request request;
        char *bytes = read_golden(number, "input.txt", &length);
        assert_int_equal(course_parse(bytes, length, NULL, &request, NULL), STATUS_OK);
        struct laser_position position = *(struct laser_position *)request.position;
        course_request_free(&request);
        free(bytes);

        char *values = read_golden(number, "values.txt", &length);
        game_move moves[LASER_MOST_SQUARES];
        int count = laser_game.moves(generic(&position), moves);
        int best = -LASER_MOST_SQUARES;
        int wanted[LASER_MOST_SQUARES];
        char *at = values;
        for (int i = 0; i < count; i++) {
            int row = (int)strtol(at, &at, 10);
            int column = (int)strtol(at, &at, 10);
            int value = (int)strtol(at, &at, 10);
            assert_int_equal(moves[i], row * position.size + column);
            struct game_undo undo;
            laser_game.play((struct game_position *)&position, moves[i], &undo);
            int found = laser_game.over(generic(&position)) ? laser_game.score(generic(&position))
                                                            : -solve(searcher, &position);
            laser_game.undo((struct game_position *)&position, &undo);
            assert_int_equal(found, value);
            wanted[moves[i]] = value;
            best = value > best ? value : best;
        }
        assert_int_equal(strspn(at, " \r\n"), strlen(at));
        free(values);
        assert_int_equal(solve(searcher, &position), best);
        struct search_result played = think(searcher, &position, (struct search_limits){.wall_seconds = 5});
        assert_int_equal(wanted[played.move], best);
    }
    laser_game.searcher_free(searcher);
}

/* The same small board surrounded by blocks: other widths of the sets, the same game. */
static void wider_boards_agree(void **state) {
    (void)state;
    struct searcher *searcher = searcher_with(1);
    struct rng rng = {11};
    static const int sizes[] = {7, 9, 12, 15, 19, 26, 32};
    for (int i = 0; i < SCALED(30); i++) {
        struct laser_position small;
        if (!random_late_position(&rng, 6 + i % 2, 25 + i, &small)) {
            continue;
        }
        int value = solve(searcher, &small);
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            struct laser_position wide;
            int off = (int)rng_below(&rng, (uint32_t)(sizes[j] - small.size + 1));
            laser_clear(&wide, sizes[j]);
            wide.to_move = small.to_move;
            memset(wide.blocks, 0xff, sizeof wide.blocks);
            for (int square = 0; square < LASER_MOST_SQUARES; square++) {
                int row = square / sizes[j] - off;
                int column = square % sizes[j] - off;
                bool inside = row >= 0 && row < small.size && column >= 0 && column < small.size;
                int from = inside ? row * small.size + column : 0;
                if (square >= sizes[j] * sizes[j] || (inside && !laser_has(small.blocks, from))) {
                    wide.blocks[square >> 6] &= ~(1ULL << (square & 63));
                }
                for (int side = 0; side < 2 && inside; side++) {
                    if (laser_has(small.covered[side], from)) {
                        laser_add(wide.covered[side], square);
                    }
                }
            }
            assert_int_equal(solve(searcher, &wide), value);
        }
    }
    laser_game.searcher_free(searcher);
}

static void threads_agree(void **state) {
    (void)state;
    struct searcher *one = searcher_with(1);
    struct searcher *three = searcher_with(3);
    struct rng rng = {5};
    for (int i = 0; i < SCALED(40); i++) {
        struct laser_position position;
        if (random_late_position(&rng, 8, 56, &position)) {
            assert_int_equal(solve(one, &position), solve(three, &position));
        }
    }
    laser_game.searcher_free(one);
    laser_game.searcher_free(three);
}

/* Limits in nodes or depth: the same answer and the same count every time, after a clear as in a new searcher. */
static void one_thread_is_deterministic(void **state) {
    (void)state;
    struct searcher *first = searcher_with(1);
    struct searcher *second = searcher_with(1);
    struct rng rng = {9};
    static const struct search_limits limits[] = {{.depth = 3}, {.nodes = 20000}, {.goal = SEARCH_EXACT}};
    for (int i = 0; i < 9; i++) {
        struct laser_position position;
        if (!random_late_position(&rng, i % 3 == 2 ? 7 : 12, 100, &position)) {
            continue;
        }
        struct search_result a = think(first, &position, limits[i % 3]);
        laser_game.searcher_clear(second);
        struct search_result b = think(second, &position, limits[i % 3]);
        laser_game.searcher_clear(first);
        assert_int_equal(a.nodes, b.nodes);
        assert_int_equal(a.move, b.move);
        assert_int_equal(a.value, b.value);
        assert_int_equal(a.pv_length, b.pv_length);
    }
    laser_game.searcher_free(first);
    laser_game.searcher_free(second);
}

static void limits_are_obeyed(void **state) {
    (void)state;
    struct searcher *searcher = searcher_with(2);
    struct rng rng = {13};
    static const int sizes[] = {1, 10, 20, 32};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct laser_position position;
        assert_int_equal(laser_game.start_random((struct game_position *)&position, sizes[i], 0, &rng, NULL),
                         STATUS_OK);
        struct search_result timed = think(searcher, &position, (struct search_limits){.wall_seconds = 0.1});
        assert_true(timed.wall_seconds < 2.0); /* generous: the machine may be busy */
        struct search_result plain = think(searcher, &position, (struct search_limits){.goal = SEARCH_BEST});
        assert_true(plain.depth <= 1 || plain.certainty == SEARCH_PROVED);

        /* Told to stop before it begins, it still names a legal move, also when asked for the exact value. */
        struct search_control control = {.stop = true};
        struct search_limits exact = {.goal = SEARCH_EXACT};
        struct search_result stopped;
        laser_game.think(searcher, generic(&position), &exact, &control, &stopped);
        assert_true(laser_game.legal(generic(&position), stopped.move));
        assert_true(stopped.lower <= stopped.upper);
    }
    laser_game.searcher_free(searcher);
}

/* The engine sees a win the greedy move misses: it must never score less than the proved value. */
static void the_engine_wins_won_positions(void **state) {
    (void)state;
    struct searcher *searcher = searcher_with(1);
    struct rng rng = {17};
    int won = 0;
    for (int i = 0; i < SCALED(40); i++) {
        struct laser_position position;
        if (!random_late_position(&rng, 8, 40, &position) || solve(searcher, &position) <= 0) {
            continue;
        }
        int side = position.to_move;
        while (!laser_game.over(generic(&position))) {
            struct search_result result;
            if (position.to_move == side) {
                result = think(searcher, &position, (struct search_limits){.wall_seconds = 5});
            } else {
                textbook_search(&laser_game, generic(&position),
                                &(struct textbook_request){.method = TEXTBOOK_GREEDY, .depth = 1}, &result);
            }
            struct game_undo undo;
            laser_game.play((struct game_position *)&position, result.move, &undo);
        }
        int score = laser_game.score(generic(&position));
        assert_true((side == 0 ? score : -score) > 0);
        won++;
    }
    assert_true(won > 0);
    laser_game.searcher_free(searcher);
}

/* Plays a move and greedy's reply; whether the side that moved wins from there. */
static bool greedy_goes_wrong(struct searcher *searcher, const struct laser_position *position, game_move move) {
    struct laser_position at = *position;
    struct game_undo undo;
    laser_game.play((struct game_position *)&at, move, &undo);
    if (laser_game.over(generic(&at))) {
        return false;
    }
    struct search_result reply;
    textbook_search(&laser_game, generic(&at), &(struct textbook_request){.method = TEXTBOOK_GREEDY, .depth = 1},
                    &reply);
    laser_game.play((struct game_position *)&at, reply.move, &undo);
    return laser_game.over(generic(&at)) ? plain_value(&at) > 0 : solve(searcher, &at) > 0;
}

/* In lost positions the engine plays where a simple opponent throws the win away, if there is such a move. */
static void lost_positions_set_traps(void **state) {
    (void)state;
    struct searcher *searcher = searcher_with(1);
    struct rng rng = {23};
    int possible = 0;
    int set = 0;
    for (int i = 0; i < SCALED(80); i++) {
        struct laser_position position;
        if (!random_late_position(&rng, 8, 34, &position) || solve(searcher, &position) >= 0) {
            continue;
        }
        game_move moves[LASER_MOST_SQUARES];
        int count = laser_game.moves(generic(&position), moves);
        bool trap = false;
        for (int k = 0; k < count && !trap; k++) {
            trap = greedy_goes_wrong(searcher, &position, moves[k]);
        }
        struct search_result result = think(searcher, &position, (struct search_limits){.nodes = 20000000});
        assert_true(result.value < 0);
        assert_true(result.upper < 0);
        possible += trap;
        set += trap && greedy_goes_wrong(searcher, &position, result.move);
    }
    assert_true(possible > 0);
    assert_true(set * 10 >= possible * 8);
    laser_game.searcher_free(searcher);
}

/* The faster alpha-beta gives the move and the value of the plain one. */
static void textbook_answers_stay_the_same(void **state) {
    (void)state;
    struct rng rng = {19};
    for (int i = 0; i < SCALED(60); i++) {
        struct laser_position position;
        if (!random_late_position(&rng, 2 + i % 11, 40, &position)) {
            continue;
        }
        struct textbook_request request = {.method = TEXTBOOK_ALPHABETA, .depth = 2 + i % 3};
        struct search_result plain;
        struct search_result fast;
        textbook_search(&laser_game, generic(&position), &request, &plain);
        textbook_run(&laser_game, generic(&position), &request, &fast);
        assert_int_equal(fast.value, plain.value);
        assert_int_equal(fast.move, plain.move);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_plain_minimax),
        cmocka_unit_test(agrees_with_plain_alpha_beta),
        cmocka_unit_test(agrees_with_its_moves),
        cmocka_unit_test(the_line_leads_to_the_value),
        cmocka_unit_test(every_move_of_the_cases),
        cmocka_unit_test(wider_boards_agree),
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(one_thread_is_deterministic),
        cmocka_unit_test(limits_are_obeyed),
        cmocka_unit_test(the_engine_wins_won_positions),
        cmocka_unit_test(lost_positions_set_traps),
        cmocka_unit_test(textbook_answers_stay_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
