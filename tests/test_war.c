/* The war board against a naive implementation on arrays of characters that shares no code with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "formats/course.h"
#include "games/war/rules/war.h"
#include "search/perft.h"
#include "search/textbook.h"

/* -- the naive war board -- */

struct naive {
    int size;
    bool sneak;
    char side;
    int values[26][26];
    char board[26][26];
};

struct naive_move {
    int row;
    int column;
    bool raid;
};

static char naive_at(const struct naive *naive, int row, int column) {
    bool inside = row >= 0 && column >= 0 && row < naive->size && column < naive->size;
    return inside ? naive->board[row][column] : '#';
}

static bool naive_beside(const struct naive *naive, int row, int column, char side) {
    return naive_at(naive, row - 1, column) == side || naive_at(naive, row + 1, column) == side ||
           naive_at(naive, row, column - 1) == side || naive_at(naive, row, column + 1) == side;
}

static int naive_moves(const struct naive *naive, struct naive_move *moves) {
    int count = 0;
    for (int pass = 0; pass < (naive->sneak ? 1 : 2); pass++) {
        for (int row = 0; row < naive->size; row++) {
            for (int column = 0; column < naive->size; column++) {
                bool beside = naive_beside(naive, row, column, naive->side);
                bool raid = naive->sneak ? beside : pass == 1;
                if (naive->board[row][column] == '.' && (!raid || beside)) {
                    moves[count++] = (struct naive_move){row, column, raid};
                }
            }
        }
    }
    return count;
}

static void naive_play(struct naive *naive, struct naive_move move) {
    static const int around[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    char other = naive->side == 'X' ? 'O' : 'X';
    naive->board[move.row][move.column] = naive->side;
    for (int i = 0; i < 4 && move.raid; i++) {
        if (naive_at(naive, move.row + around[i][0], move.column + around[i][1]) == other) {
            naive->board[move.row + around[i][0]][move.column + around[i][1]] = naive->side;
        }
    }
    naive->side = other;
}

static int naive_score(const struct naive *naive, char side) {
    int score = 0;
    for (int row = 0; row < naive->size; row++) {
        for (int column = 0; column < naive->size; column++) {
            char at = naive->board[row][column];
            score += at == '.' ? 0 : at == side ? naive->values[row][column] : -naive->values[row][column];
        }
    }
    return score;
}

static uint64_t naive_perft(const struct naive *naive, int depth) {
    struct naive_move moves[2 * 26 * 26];
    int count = depth ? naive_moves(naive, moves) : 0;
    if (count == 0) {
        return 1;
    }
    uint64_t leaves = 0;
    for (int i = 0; i < count; i++) {
        struct naive next = *naive;
        naive_play(&next, moves[i]);
        leaves += naive_perft(&next, depth - 1);
    }
    return leaves;
}

static int naive_minimax(const struct naive *naive, int depth, char root_side, int *first_best) {
    struct naive_move moves[2 * 26 * 26];
    int count = depth ? naive_moves(naive, moves) : 0;
    if (count == 0) {
        return naive_score(naive, root_side);
    }
    bool maximise = naive->side == root_side;
    int best = 0;
    for (int i = 0; i < count; i++) {
        struct naive next = *naive;
        naive_play(&next, moves[i]);
        int value = naive_minimax(&next, depth - 1, root_side, NULL);
        if (i == 0 || (maximise ? value > best : value < best)) {
            best = value;
            if (first_best) {
                *first_best = i;
            }
        }
    }
    return best;
}

/* -- pairs of positions -- */

struct pair {
    struct naive naive;
    struct war_position war;
};

static struct game_position *as_position(struct war_position *war) {
    return (struct game_position *)war;
}

/* A random board: each square empty with some chance, the rest of either side. */
static void pair_random(struct pair *pair, int size, int variant, struct rng *rng) {
    memset(&pair->naive, 0, sizeof pair->naive);
    war_clear(&pair->war, size, variant);
    pair->naive.size = size;
    pair->naive.sneak = variant == WAR_SNEAK;
    uint32_t fill = rng_below(rng, 100);
    for (int square = 0; square < size * size; square++) {
        int value = 1 + (int)rng_below(rng, rng_below(rng, 2) ? 99 : 3);
        pair->naive.values[square / size][square % size] = value;
        pair->war.values[square] = value;
    }
    for (int square = 0; square < size * size; square++) {
        bool filled = rng_below(rng, 100) < fill;
        int side = (int)rng_below(rng, 2);
        pair->naive.board[square / size][square % size] = !filled ? '.' : side == WAR_X ? 'X' : 'O';
        if (filled) {
            war_put(&pair->war, side, square);
        }
    }
    pair->war.to_move = (uint8_t)rng_below(rng, 2);
    pair->naive.side = pair->war.to_move == WAR_X ? 'X' : 'O';
}

static game_move encode(const struct naive *naive, struct naive_move move) {
    return (game_move)(move.row * naive->size + move.column) | (move.raid ? WAR_RAID : 0);
}

static void assert_same_board(const struct pair *pair) {
    for (int square = 0; square < pair->naive.size * pair->naive.size; square++) {
        char expected = pair->naive.board[square / pair->naive.size][square % pair->naive.size];
        char actual = war_owns(&pair->war, WAR_X, square) ? 'X' : war_owns(&pair->war, WAR_O, square) ? 'O' : '.';
        assert_int_equal(actual, expected);
    }
    assert_int_equal(pair->war.score, naive_score(&pair->naive, 'X'));
}

/* Same moves in the same order, same boards and scores, along whole games; every size, both rule sets. */
static void test_rules_equal_naive(void **state) {
    (void)state;
    struct rng rng = {1};
    for (int round = 0; round < 2200; round++) {
        struct pair pair;
        int size = 1 + round % 26;
        pair_random(&pair, size, round & 1 ? WAR_SNEAK : WAR_STAKE, &rng);
        int plies = size > 10 ? 20 : size * size;
        for (int ply = 0; ply < plies; ply++) {
            struct naive_move naive_list[2 * 26 * 26];
            game_move list[2 * WAR_MOST_SQUARES];
            int count = naive_moves(&pair.naive, naive_list);
            assert_int_equal(war_game.moves(as_position(&pair.war), list), count);
            for (int i = 0; i < count; i++) {
                assert_int_equal(list[i], encode(&pair.naive, naive_list[i]));
            }
            if (count == 0) {
                break;
            }
            int chosen = (int)rng_below(&rng, (uint32_t)count);
            struct game_undo undo;
            naive_play(&pair.naive, naive_list[chosen]);
            war_game.play(as_position(&pair.war), list[chosen], &undo);
            assert_same_board(&pair);
        }
    }
}

static void test_perft_equals_naive(void **state) {
    (void)state;
    struct rng rng = {2};
    for (int round = 0; round < 260; round++) {
        struct pair pair;
        int size = 1 + round % 26;
        int depth = size <= 3 ? 4 : size <= 6 ? 2 : 1;
        pair_random(&pair, size, round & 1 ? WAR_SNEAK : WAR_STAKE, &rng);
        uint64_t leaves = 0;
        assert_int_equal(perft(&war_game, as_position(&pair.war), depth, NULL, &leaves), STATUS_OK);
        assert_int_equal(leaves, naive_perft(&pair.naive, depth));
    }
}

/* Minimax and alpha-beta of the program against naive minimax: the value and the defined move. */
static void test_searches_equal_naive(void **state) {
    (void)state;
    struct rng rng = {3};
    int compared = 0;
    for (int round = 0; compared < 3000; round++) {
        struct pair pair;
        int size = 1 + round % 12;
        int depth = 1 + (int)rng_below(&rng, size <= 3 ? 6 : size <= 5 ? 3 : 2);
        pair_random(&pair, size, round & 1 ? WAR_SNEAK : WAR_STAKE, &rng);
        if (pair.war.empty == 0 || (size > 3 && size < 6 && depth == 3 && pair.war.empty > 14) ||
            (size == 3 && depth > 4 && pair.war.empty > 7)) {
            continue;
        }
        compared++;
        struct naive_move moves[2 * 26 * 26];
        int first_best = 0;
        naive_moves(&pair.naive, moves);
        int value = naive_minimax(&pair.naive, depth, pair.naive.side, &first_best);
        for (int method = TEXTBOOK_MINIMAX; method <= TEXTBOOK_ALPHABETA; method++) {
            struct textbook_request request = {.method = (enum search_method)method, .depth = depth};
            struct search_result result;
            textbook_run(&war_game, as_position(&pair.war), &request, &result);
            assert_int_equal(result.value, value);
            assert_int_equal(result.move, encode(&pair.naive, moves[first_best]));
        }
    }
}

/* Deeper and larger than naive minimax can go: alpha-beta equals minimax. */
static void test_alphabeta_equals_minimax(void **state) {
    (void)state;
    struct rng rng = {4};
    for (int round = 0; round < 150; round++) {
        struct pair pair;
        int size = 4 + round % 23;
        int depth = size <= 5 ? 4 : size <= 10 ? 3 : 2;
        pair_random(&pair, size, round & 1 ? WAR_SNEAK : WAR_STAKE, &rng);
        if (pair.war.empty == 0) {
            continue;
        }
        struct search_result results[2];
        for (int i = 0; i < 2; i++) {
            struct textbook_request request = {.method = i ? TEXTBOOK_ALPHABETA : TEXTBOOK_MINIMAX, .depth = depth};
            textbook_run(&war_game, as_position(&pair.war), &request, &results[i]);
        }
        assert_int_equal(results[0].value, results[1].value);
        assert_int_equal(results[0].move, results[1].move);
        assert_true(results[1].nodes <= results[0].nodes);
    }
}

/* -- boards a person can check -- */

static struct course_request parse(const char *file) {
    struct course_request request;
    struct error error = {0};
    if (course_parse(file, strlen(file), NULL, &request, &error) != STATUS_OK) {
        fail_msg("line %d column %d: %s", error.line, error.column, error.text);
    }
    return request;
}

/* Plays `move` on the board of a course file and compares with the board drawn. */
static void assert_move(const char *file, const char *move, const char *board) {
    struct course_request request = parse(file);
    struct error error = {0};
    struct game_undo undo;
    game_move code;
    struct text text = TEXT_EMPTY;
    if (war_game.parse_move(request.position, move, strlen(move), &code, &error) != STATUS_OK) {
        fail_msg("%s: %s", move, error.text);
    }
    war_game.play(request.position, code, &undo);
    request.format->board(request.position, &text);
    assert_string_equal(text_string(&text), board);
    text_free(&text);
    course_request_free(&request);
}

#define VALUES_3 "1 2 3\n4 5 6\n7 8 9\n"

static void test_drawn_moves(void **state) {
    (void)state;
    /* a Raid flips all enemies beside the square, in one step, no chain */
    assert_move("3\nMINIMAX\nX\n1\n" VALUES_3 "XO.\nO.O\n.O.\n", "B2 Stake", "XO.\nOXO\n.O.\n");
    assert_move("3\nMINIMAX\nX\n1\n" VALUES_3 "XOO\n.OX\n.O.\n", "A2 Raid", "XOO\nXXX\n.O.\n");
    assert_move("3\nMINIMAX\nO\n1\n" VALUES_3 "XO.\nX.X\n.X.\n", "B2 Raid", "XO.\nOOO\n.O.\n");
    /* a Raid may flip nothing, and a Stake may stand where a Raid could */
    assert_move("3\nMINIMAX\nX\n1\n" VALUES_3 "X..\n..O\n...\n", "A2 Raid", "X..\nX.O\n...\n");
    assert_move("3\nMINIMAX\nX\n1\n" VALUES_3 "XO.\n...\n...\n", "C1 Stake", "XOX\n...\n...\n");
    /* Sneak-Raid: the square decides */
    assert_move("1\nX\n1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\nX*O**\n*****\n*****\n*****\n****O\n",
                "B1", "XXX**\n*****\n*****\n*****\n****O\n");
    assert_move("1\nX\n1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\nX*O**\n*****\n*****\n*****\n****O\n",
                "E4 Sneak", "X*O**\n*****\n*****\n****X\n****O\n");
}

static void test_refused_moves(void **state) {
    (void)state;
    struct course_request request = parse("3\nMINIMAX\nX\n1\n" VALUES_3 "X..\n..O\n...\n");
    static const char *const wrong[] = {
        "",        "A1",         "D1 Stake", "A4 Stake", "C3 Raid", "B1 Sneak",      "B",  "B0", "B01", "1B",
        "B1 raid", "B1 Stake x", "B10",      "@1",       "B1\nB2",  "B999999999999", "[1", "B-1"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        game_move move;
        struct error error = {0};
        if (war_game.parse_move(request.position, wrong[i], strlen(wrong[i]), &move, &error) == STATUS_OK) {
            fail_msg("accepted '%s'", wrong[i]);
        }
        assert_true(error.text[0] != '\0');
    }
    course_request_free(&request);
}

/* Ties and the order of moves: all Stakes before all Raids, row by row, and only a better move replaces. */
static void assert_answer(const char *file, const char *expected) {
    struct course_request request = parse(file);
    struct textbook_request search = {.method = request.players[0].method, .depth = request.players[0].depth};
    struct search_result result;
    textbook_run(&war_game, request.position, &search, &result);
    char text[32];
    war_game.move_text(request.position, result.move, text);
    assert_string_equal(text, expected);
    course_request_free(&request);
}

static void test_defined_answers(void **state) {
    (void)state;
    assert_answer("2\nMINIMAX\nX\n1\n1 1\n1 1\n..\n..\n", "A1 Stake");
    assert_answer("2\nALPHABETA\nX\n9\n1 1\n1 1\nX.\n..\n", "B1 Stake");
    assert_answer("3\nALPHABETA\nX\n1\n1 1 1\n1 1 1\n1 1 1\nX.O\n...\n...\n", "B1 Raid");
    assert_answer("3\nMINIMAX\nX\n1\n1 1 1\n1 1 1\n1 1 3\nX.O\n...\n...\n", "C3 Stake");
    assert_answer("1\nALPHABETA\nO\n1000000\n7\n.\n", "A1 Stake");
}

/* Played to the end, the line of play ends with the value found. */
static void test_line_leads_to_the_value(void **state) {
    (void)state;
    struct rng rng = {5};
    for (int round = 0; round < 100; round++) {
        struct pair pair;
        pair_random(&pair, 2 + round % 3, round & 1 ? WAR_SNEAK : WAR_STAKE, &rng);
        if (pair.war.empty == 0 || pair.war.empty > 9) {
            continue;
        }
        struct textbook_request request = {.method = TEXTBOOK_ALPHABETA, .depth = 1 + round % 9};
        struct search_result result;
        textbook_run(&war_game, as_position(&pair.war), &request, &result);
        textbook_line(&war_game, as_position(&pair.war), &request, &result);
        int sign = pair.war.to_move == WAR_X ? 1 : -1;
        int expected = request.depth < pair.war.empty ? request.depth : pair.war.empty;
        assert_int_equal(result.pv_length, expected);
        for (int i = 0; i < result.pv_length; i++) {
            struct game_undo undo;
            war_game.play(as_position(&pair.war), result.pv[i], &undo);
        }
        assert_int_equal(sign * pair.war.score, result.value);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_equal_naive),    cmocka_unit_test(test_perft_equals_naive),
        cmocka_unit_test(test_searches_equal_naive), cmocka_unit_test(test_alphabeta_equals_minimax),
        cmocka_unit_test(test_drawn_moves),          cmocka_unit_test(test_refused_moves),
        cmocka_unit_test(test_defined_answers),      cmocka_unit_test(test_line_leads_to_the_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
