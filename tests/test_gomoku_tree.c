/* The tree search from the inside: its table, its fours, and what it counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "games/gomoku/search/search.h"
#include "support/tactics.h"

static struct gomoku_position position;

static void play_moves(const char *moves) {
    gomoku_clear(&position, 15, GOMOKU_FREESTYLE);
    while (*moves) {
        size_t length = strcspn(moves, " ");
        int square = gomoku_parse_square(15, moves, length);
        assert_true(square >= 0);
        gomoku_put(&position, square);
        moves += length + (moves[length] == ' ');
    }
}

static struct gboard board;
static struct gboard_history history;

/* Searches for fours within 200 nodes, adding to *nodes those it took: whether they win. */
static bool fours_win(bool thorough, uint64_t *nodes) {
    enum { ENTRIES = 1 << 12 };
    static struct vcf_entry entries[ENTRIES];
    struct search_clock clock;
    clock_start(&clock, &(struct search_limits){0}, NULL, 1);
    memset(entries, 0, sizeof entries);
    gboard_load(&board, &position, &history);
    struct vcf vcf = {.board = &board,
                      .entries = entries,
                      .mask = ENTRIES - 1,
                      .clock = &clock,
                      .thorough = thorough,
                      .near = !thorough};
    uint16_t move;
    int plies = vcf_search(&vcf, 60, 200, &move);
    *nodes += vcf.nodes;
    return plies > 0;
}

/* Leaving out fours that lead nowhere finds nine wins of ten in a tenth of the nodes, and none that is not there. */
static void test_quick_fours(void **state) {
    (void)state;
    static struct tactics tactics;
    uint64_t quick_nodes = 0, thorough_nodes = 0;
    int wins = 0, quick = 0, thorough = 0;
    assert_true(tactics_open(&tactics, TEST_GOLDEN "/gomoku/tactics.txt"));
    while (tactics_next(&tactics)) {
        struct reader reader;
        struct error error;
        reader_init(&reader, tactics.text, strlen(tactics.text));
        assert_int_equal(gomoku_game.read((struct game_position *)&position, &reader, &error), STATUS_OK);
        bool won = strcmp(tactics.kind, "fours") == 0;
        bool found = fours_win(false, &quick_nodes);
        assert_true(won || !found);
        wins += won;
        quick += found;
        thorough += fours_win(true, &thorough_nodes);
    }
    assert_true(tactics_close(&tactics));
    assert_true(quick >= thorough && quick * 10 >= wins * 9);
    assert_true(quick_nodes * 10 <= thorough_nodes);
}

/* All the memory there is, not the largest power of two of it. */
static void test_table_uses_its_memory(void **state) {
    (void)state;
    struct table table;
    size_t bytes = (size_t)3 << 20;
    assert_true(table_open_whole(&table, bytes));
    assert_int_equal(table.bytes, bytes);
    assert_int_equal(table_scale(&table, UINT64_MAX), bytes / (TABLE_WAYS * sizeof(struct table_entry)) - 1);
    assert_int_equal(table_scale(&table, 0), 0);
    table_close(&table);
}

/* What a search long ago found deep must make room for what is found now, however deep it was. */
static void test_table_forgets_old_entries(void **state) {
    (void)state;
    for (int searches = 1; searches < 60; searches++) {
        struct table table;
        assert_true(table_open_whole(&table, TABLE_WAYS * sizeof(struct table_entry))); /* one bucket */
        struct gomoku_tt_hit deep = {.move = 3, .value = WIN_VALUE - 5, .depth = 30 * ONE_PLY, .bound = TT_LOWER};
        for (uint64_t key = 1; key <= 4; key++) {
            gomoku_tt_store(&table, key, deep);
        }
        table.generation += (unsigned)searches;
        struct gomoku_tt_hit fresh = {.move = 7, .value = 1, .depth = 0, .bound = TT_EXACT};
        struct gomoku_tt_hit hit;
        for (uint64_t key = 11; key <= 13; key++) { /* a table of deep entries alone keeps the last of the fresh ones */
            gomoku_tt_store(&table, key, fresh);
        }
        int found = 0;
        for (uint64_t key = 11; key <= 13; key++) {
            found += gomoku_tt_probe(&table, key, &hit);
        }
        assert_int_equal(found, searches > 5 ? 3 : found);
        assert_true(found >= 1);
        table_close(&table);
    }
}

/* Everything an entry holds comes back, depths rounded down to a step. */
static void test_table_keeps_what_it_is_given(void **state) {
    (void)state;
    struct table table;
    assert_true(table_open_whole(&table, 1 << 16));
    struct rng rng = {5};
    for (int i = 0; i < 2000; i++) {
        struct gomoku_tt_hit in = {.move = (uint16_t)rng_below(&rng, 400),
                                   .value = (int)rng_below(&rng, 60000) - 30000,
                                   .eval = (int)rng_below(&rng, 40000) - 20000,
                                   .depth = (int)rng_below(&rng, 90 * ONE_PLY) - ONE_PLY,
                                   .bound = TT_EXACT,
                                   .fours = (enum tt_fours)rng_below(&rng, 3)};
        struct gomoku_tt_hit out;
        uint64_t key = rng_mix((uint64_t)i + 1);
        gomoku_tt_store(&table, key, in);
        assert_true(gomoku_tt_probe(&table, key, &out));
        assert_int_equal(out.move, in.move);
        assert_int_equal(out.value, in.value);
        assert_int_equal(out.eval, in.eval);
        assert_int_equal(out.depth, in.depth & -GOMOKU_TT_STEP);
        assert_int_equal(out.bound, in.bound);
        assert_int_equal(out.fours, in.fours);
    }
    table_close(&table);
}

static struct gomoku_stats search_counts(uint64_t nodes) {
    struct searcher_options options = {.hash_bytes = (size_t)16 << 20};
    struct searcher *searcher = gomoku_searcher_new(&options, NULL);
    assert_non_null(searcher);
    struct search_limits limits = {.nodes = nodes};
    struct search_control control = {0};
    struct search_result result;
    gomoku_think(searcher, (const struct game_position *)&position, &limits, &control, &result);
    struct gomoku_stats stats = gomoku_searcher_counts(searcher);
    gomoku_searcher_free(searcher);
    assert_int_equal(stats.nodes + stats.fours, result.nodes);
    return stats;
}

/* Every node ends in exactly one way, but for those the limit cut off and the few that shorter wins made pointless. */
static void test_counts_add_up(void **state) {
    (void)state;
    play_moves("H8 I9 I7 G9 H9 H7 J8 G8");
    struct gomoku_stats stats = search_counts(60000);
    uint64_t ends = 0;
    uint64_t cuts = 0;
    for (int depth = 0; depth < STATS_DEPTHS; depth++) {
        for (int exit = 0; exit < EXIT_COUNT; exit++) {
            ends += stats.exits[exit][depth];
        }
        cuts += stats.exits[EXIT_CUT][depth];
    }
    assert_true(ends <= stats.nodes);
    assert_true(ends >= stats.nodes - stats.nodes / 50 - 60);
    assert_true(stats.first_cuts <= cuts && stats.first_cuts > cuts / 2);
    assert_true(stats.again <= stats.reduced);
    assert_true(stats.hits <= stats.probes && stats.probes <= stats.nodes);
}

/* Nodes given up or stopped without a move leave their evaluation in the table as well: when they did not, 65 to 70 %
 * of the nodes were evaluated and 19 % of the probes hit. */
static void test_every_exit_is_remembered(void **state) {
    (void)state;
    play_moves("H8 I9 I7 G9 H9 H7 J8 G8");
    struct gomoku_stats stats = search_counts(200000);
    assert_true(stats.evaluations * 100 < stats.nodes * 64);
    assert_true(stats.hits * 100 > stats.probes * 26);
}

/* Threats are among the late moves that are left out: when they were not, 7.8 moves were searched at a node of depth 2
 * where none is good enough; now 4.4. */
static void test_few_moves_near_the_horizon(void **state) {
    (void)state;
    play_moves("I9 H8 H10 G11 J9 H9 I8 I10 K10 L11 J11 L9 J8 J7 I7 K9");
    struct gomoku_stats stats = search_counts(200000);
    assert_true(stats.exits[EXIT_ALL][2] > 100);
    assert_true(stats.all_moves[2] < stats.exits[EXIT_ALL][2] * 6);
}

/* A move is busy from when a thread enters it until that thread leaves it; the later of two that share a place has it,
 * and the earlier one's leaving does not take it away. */
static void test_busy_moves(void **state) {
    (void)state;
    static struct busy busy;
    uint64_t first = rng_mix(1);
    uint64_t second = first + 3 * (uint64_t)BUSY_PLACES;
    assert_false(busy_has(&busy, first));
    busy_enter(&busy, first);
    assert_true(busy_has(&busy, first) && !busy_has(&busy, second));
    busy_enter(&busy, second);
    assert_true(busy_has(&busy, second) && !busy_has(&busy, first));
    busy_leave(&busy, first);
    assert_true(busy_has(&busy, second));
    busy_leave(&busy, second);
    assert_false(busy_has(&busy, second));
}

/* The longer a move has been best, the less time it gets; the further its value fell, the more. */
static void test_time_by_stability(void **state) {
    (void)state;
    for (int same_for = 0; same_for < 12; same_for++) {
        assert_true(gomoku_time_part(same_for + 1, 0) <= gomoku_time_part(same_for, 0));
        for (int fall = -200; fall < 200; fall += 10) {
            assert_true(gomoku_time_part(same_for, fall + 10) >= gomoku_time_part(same_for, fall));
        }
    }
    assert_true(gomoku_time_part(12, 0) < gomoku_time_part(0, 0));
    assert_true(gomoku_time_part(3, 60) > gomoku_time_part(3, 0) && gomoku_time_part(3, -60) < gomoku_time_part(3, 0));
    assert_true(gomoku_time_part(0, 100000) < 3.0 && gomoku_time_part(12, -100000) > 0.2);
}

/* Opinions as depth, value and move; the chosen one, or -1. */
static int choose(const int said[][3], int count) {
    struct opinion opinions[8] = {{0}};
    const struct opinion *list[8];
    for (int i = 0; i < count; i++) {
        opinions[i] =
            (struct opinion){.depth = said[i][0], .value = said[i][1], .length = 1, .line = {(uint16_t)said[i][2]}};
        list[i] = &opinions[i];
    }
    return gomoku_choose_opinion(list, count);
}

static void test_threads_vote(void **state) {
    (void)state;
    enum { WIN = WIN_VALUE };
    assert_int_equal(choose((const int[][3]){{0, 0, 1}, {0, 0, 2}}, 2), -1);
    assert_int_equal(choose((const int[][3]){{9, 30, 1}}, 1), 0);
    /* Nothing was finished by the first. */
    assert_int_equal(choose((const int[][3]){{0, 0, 1}, {2, -50, 2}}, 2), 1);
    /* As good and as deep: the first answers. */
    assert_int_equal(choose((const int[][3]){{9, 30, 1}, {9, 30, 2}}, 2), 0);
    /* Deeper, better, or more of them; of those the deepest speaks. */
    assert_int_equal(choose((const int[][3]){{9, 30, 1}, {10, 30, 2}}, 2), 1);
    assert_int_equal(choose((const int[][3]){{9, 30, 1}, {9, 60, 2}}, 2), 1);
    assert_int_equal(choose((const int[][3]){{10, 30, 1}, {9, 30, 2}, {9, 31, 2}}, 3), 1);
    assert_int_equal(choose((const int[][3]){{9, 30, 1}, {9, 30, 2}, {10, 30, 2}}, 3), 2);
    assert_int_equal(choose((const int[][3]){{9, 30, 1}, {10, 30, 1}, {10, 10, 2}}, 3), 1);
    /* A proved win beats every vote, the shortest first. */
    assert_int_equal(choose((const int[][3]){{12, 900, 1}, {12, 900, 1}, {3, WIN - 9, 2}, {4, WIN - 7, 3}}, 4), 3);
    assert_int_equal(choose((const int[][3]){{12, 8 - WIN, 1}, {9, WIN - 5, 2}}, 2), 1);
    /* Who thinks that everything loses has no vote; where all do the longest loss is played. */
    assert_int_equal(choose((const int[][3]){{9, 8 - WIN, 1}, {11, 12 - WIN, 1}, {7, -90, 2}}, 3), 2);
    assert_int_equal(choose((const int[][3]){{12, 8 - WIN, 1}, {9, 12 - WIN, 2}, {0, 0, 3}}, 3), 1);
}

/* With several threads the answer is one of them's whole opinion: a legal line from its move on, and counters of all.
 */
static void test_threads_answer(void **state) {
    (void)state;
    struct searcher *searcher =
        gomoku_game.searcher_new(&(struct searcher_options){.threads = 3, .hash_bytes = (size_t)8 << 20}, NULL);
    assert_non_null(searcher);
    struct rng rng = {29};
    for (int i = 0; i < 6; i++) {
        struct gomoku_position game;
        struct game_position *generic = (struct game_position *)&game;
        struct search_control control = {0};
        struct search_result result;
        game_move moves[GOMOKU_MOST_SQUARES];
        struct game_undo undo;
        assert_int_equal(gomoku_game.start_random(generic, 15, 0, &rng, NULL), STATUS_OK);
        for (int ply = 0; ply < 5; ply++) {
            int count = gomoku_game.moves(generic, moves);
            gomoku_game.play(generic, moves[rng_below(&rng, (uint32_t)count)], &undo);
        }
        gomoku_game.think(searcher, generic, &(struct search_limits){.nodes = 6000}, &control, &result);
        assert_true(result.depth > 0 && result.pv_length > 0);
        assert_int_equal(result.move, result.pv[0]);
        assert_true(result.nodes >= 6000 || result.certainty == SEARCH_PROVED);
        for (int ply = 0; ply < result.pv_length; ply++) {
            assert_true(gomoku_game.legal(generic, result.pv[ply]));
            gomoku_game.play(generic, result.pv[ply], &undo);
        }
    }
    gomoku_game.searcher_free(searcher);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quick_fours),
        cmocka_unit_test(test_table_uses_its_memory),
        cmocka_unit_test(test_table_forgets_old_entries),
        cmocka_unit_test(test_table_keeps_what_it_is_given),
        cmocka_unit_test(test_counts_add_up),
        cmocka_unit_test(test_every_exit_is_remembered),
        cmocka_unit_test(test_few_moves_near_the_horizon),
        cmocka_unit_test(test_busy_moves),
        cmocka_unit_test(test_time_by_stability),
        cmocka_unit_test(test_threads_vote),
        cmocka_unit_test(test_threads_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
