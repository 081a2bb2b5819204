/* Fixed numbers of lines of play for every game, and a second set of rules that has to count the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "game/registry.h"
#include "search/perft.h"
#include "support/plain_rules.h"

#define MOST_DEPTH 9

/* A position and how many lines of each length begin there; 0 ends the list. */
struct row {
    const char *position;
    uint64_t leaves[MOST_DEPTH];
};

/* clang-format off */
static const struct row rows[] = {
    {"war stake 1 X\n7\n.\n", {1, 1, 1}},
    {"war stake 3 X\n1 2 3\n4 5 6\n7 8 9\n...\n...\n...\n", {9, 72, 672, 5312, 41224, 254320, 1304760}},
    {"war stake 4 O\n1 2 3 4\n5 6 7 8\n9 8 7 6\n5 4 3 2\nX..O\n.OX.\n....\nX..O\n", {17, 255, 3589, 43508, 470743, 4193187}},
    {"war stake 6 X\n1 1 1 1 1 1\n1 1 1 1 1 1\n1 1 1 1 1 1\n1 1 1 1 1 1\n1 1 1 1 1 1\n1 1 1 1 1 1\n"
     "......\n..XO..\n......\n......\n......\n......\n", {37, 1329, 49867, 1812708}},
    {"war sneak 2 X\n3 1\n2 5\n..\n.O\n", {3, 6, 6}},
    {"war sneak 5 X\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n"
     "X.O..\n.....\n..X..\n.....\nO...X\n", {20, 380, 6840, 116280, 1860480}},
    {"laser 4 1\n0000\n0000\n0000\n0000\n", {16, 88, 144, 144}},
    {"laser 7 1\n0000300\n0000000\n0000030\n0000000\n0000000\n0000000\n0030000\n", {46, 1456, 31524, 455520, 4213560}},
    {"laser 8 2\n10000000\n00030000\n00000000\n00300300\n00000000\n00003000\n00000000\n03000000\n", {49, 1782, 46728, 861816}},
    {"gomoku freestyle 5\n", {25, 600, 13800, 303600, 6375600}},
    {"gomoku freestyle 15\nH8 I7 H7 H9\n", {221, 48620, 10647780}},
    {"gomoku freestyle 6\nA1 A6 B1 B6 C1 C6 D1 F6 F1 D5\n", {26, 626, 15001, 331801, 7265749}},
    {"gomoku exact 6\nA1 A6 B1 B6 C1 C6 D1 F6 F1 D5\n", {26, 650, 15600, 358800, 7893600}},
    {"gomoku renju 6\nA1 A6 B1 B6 C1 C6 D1 F6 F1 D5\n", {25, 625, 14400, 331200}},
    {"gomoku renju 7\nD3 A1 D2 G1 B4 A7 C4 G7\n", {40, 1600, 61012}},
    {"gomoku caro 6\nA1 A6 B1 B6 C1 C6 D1 F6 F1 D5\n", {26, 626, 15001, 331801}},
    {"gomoku caro 7\nB1 A1 C1 G1 D1 A7 E1 F1 B3 B7 B4 C7\n", {37, 1332, 46620}},
    {"connect4 plain 7 6\n", {7, 49, 343, 2401, 16807, 117649, 823536}},
    {"connect4 plain 5 4\nC C B D\n", {5, 25, 124, 606, 2900, 13453, 59380, 251815, 987019}},
    {"connect4 plain 4 9\nA A B B\n", {4, 16, 64, 238, 934, 3484, 13372, 50102, 187688}},
    {"othello plain 4 X\n....\n.OX.\n.XO.\n....\n", {4, 12, 44, 128, 424, 1256, 3624, 9116, 20044}},
    {"othello plain 6 X\n......\n......\n..OX..\n..XO..\n......\n......\n", {4, 12, 56, 244, 1364, 7604, 47740, 308716}},
    {"othello plain 8 X\n........\n........\n........\n...OX...\n...XO...\n........\n........\n........\n",
     {4, 12, 56, 244, 1396, 8200, 55092, 390216}},
};
/* clang-format on */

/* NULL where that game is not linked. */
static const struct game *game_of(const char *text) {
    return game_find(text, strcspn(text, " "));
}

static uint64_t count(const struct row *row, int depth) {
    const struct game *game = game_of(row->position);
    struct game_position *position = test_calloc(1, game->properties->position_size);
    struct reader reader;
    struct error error = {0};
    reader_init(&reader, row->position, strlen(row->position));
    if (game->read(position, &reader, &error) != STATUS_OK) {
        fail_msg("%sline %d column %d: %s", row->position, error.line, error.column, error.text);
    }
    uint64_t leaves = 0;
    assert_int_equal(perft(game, position, depth, NULL, &leaves), STATUS_OK);
    test_free(position);
    return leaves;
}

static void test_fixed_numbers(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int depth = 1; game_of(rows[i].position) && depth <= MOST_DEPTH && rows[i].leaves[depth - 1]; depth++) {
            uint64_t leaves = count(&rows[i], depth);
            if (leaves != rows[i].leaves[depth - 1]) {
                fail_msg("%sdepth %d: %llu lines, expected %llu", rows[i].position, depth, (unsigned long long)leaves,
                         (unsigned long long)rows[i].leaves[depth - 1]);
            }
        }
    }
}

/* The second rules are slow: they are asked up to a few hundred thousand lines. */
static void test_second_rules_agree(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int depth = 1; game_of(rows[i].position) && depth <= MOST_DEPTH && rows[i].leaves[depth - 1]; depth++) {
            if (rows[i].leaves[depth - 1] < 400000) {
                assert_int_equal(plain_perft(rows[i].position, depth), rows[i].leaves[depth - 1]);
            }
        }
    }
}

/* A table that says nothing about a game would pass. */
static void test_every_game_is_in_the_table(void **state) {
    (void)state;
    for (const struct game *const *game = game_list(); *game; game++) {
        const struct game_properties *properties = (*game)->properties;
        for (int variant = 0; variant < 4 && properties->variants[variant]; variant++) {
            int found = 0;
            for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
                found +=
                    game_of(rows[i].position) == *game &&
                    (!properties->variants[1] || strstr(rows[i].position, properties->variants[variant]) != NULL) &&
                    rows[i].leaves[2] > 0;
            }
            if (found == 0) {
                fail_msg("no number for %s %s", properties->name, properties->variants[variant]);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed_numbers),
        cmocka_unit_test(test_second_rules_agree),
        cmocka_unit_test(test_every_game_is_in_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
