/* The shared parts of a search: clock, table, team, the search over the game interface, and the façade on top. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "base/greatest.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "game/registry.h"
#include "search/clock.h"
#include "search/deepen.h"
#include "search/table.h"
#include "search/team.h"
#include "support/small_tree.h"

/* -- the clock -- */

static void test_clock_divides_the_game(void **state) {
    (void)state;
    struct search_clock clock;
    clock_start(&clock, &(struct search_limits){.cpu_seconds_left = 100}, NULL, 10);
    double soft = clock.ends.cpu_soft - clock.cpu_start;
    double hard = clock.ends.cpu - clock.cpu_start;
    assert_true(soft > 5 && soft < 6);
    assert_true(hard > 17 && hard < 18);
    assert_true(clock.ends.wall == 0);
    /* The last move may take half, and the limit of a move holds besides. */
    clock_start(&clock, &(struct search_limits){.wall_seconds_left = 100, .wall_seconds = 3}, NULL, 1);
    assert_true(clock.ends.wall - clock.wall_start < 3.001);
    clock_start(&clock, &(struct search_limits){.wall_seconds_left = 100}, NULL, 1);
    assert_true(clock.ends.wall - clock.wall_start < 50);
    /* Nothing left is over at once, and not unlimited. */
    clock_start(&clock, &(struct search_limits){.cpu_seconds_left = 0.001}, NULL, 10);
    assert_true(clock_is_limited(&clock));
    assert_true(clock_over(&clock));
}

/* One thread that counts one by one stops at exactly the limit, whatever the step. */
static void test_clock_counts_exactly(void **state) {
    (void)state;
    for (unsigned step = 1; step <= 4096; step *= 4) {
        struct search_clock clock;
        struct clock_meter meter = {.step = step};
        uint64_t nodes = 0;
        clock_start(&clock, &(struct search_limits){.nodes = 1000}, NULL, 1);
        while (!clock_tick(&clock, &meter, ++nodes)) {
        }
        assert_int_equal(nodes, 1000);
        /* A second phase counts on. */
        clock_phase(&clock, (struct clock_deadlines){.nodes = 1500});
        while (!clock_tick(&clock, &meter, ++nodes)) {
        }
        assert_int_equal(nodes, 1500);
    }
}

static void test_clock_hears_the_caller(void **state) {
    (void)state;
    struct search_clock clock;
    atomic_bool asked = false;
    struct clock_meter meter = {.step = 16};
    clock_start(&clock, &(struct search_limits){0}, &asked, 1);
    assert_false(clock_is_limited(&clock));
    for (uint64_t nodes = 1; nodes < 100; nodes++) {
        assert_false(clock_tick(&clock, &meter, nodes));
    }
    atomic_store(&asked, true);
    uint64_t nodes = 100;
    while (!clock_tick(&clock, &meter, nodes)) {
        nodes++;
    }
    assert_true(nodes <= 116);
    /* What the caller asked for holds in every later phase too. */
    clock_phase(&clock, clock.ends);
    assert_true(clock_over(&clock));
}

static void test_clock_parts(void **state) {
    (void)state;
    struct search_clock clock;
    clock_start(&clock, &(struct search_limits){.cpu_seconds = 8, .nodes = 1000}, NULL, 1);
    struct clock_deadlines part = clock_part(&clock, clock.ends, 0.25);
    assert_true(part.cpu - clock.cpu_start > 1.99 && part.cpu - clock.cpu_start < 2.01);
    assert_int_equal(part.nodes, 251);
    assert_true(part.wall == 0);
}

/* -- the table -- */

static int low_byte(uint64_t data, unsigned generation) {
    (void)generation;
    return (int)(data & 255);
}

static struct table_key key_of(uint64_t position) {
    return (struct table_key){position, rng_mix(position)};
}

static void test_table_keeps_the_worthy(void **state) {
    (void)state;
    struct table table;
    assert_true(table_open(&table, 1 << 16));
    assert_int_equal(table.bytes, 1 << 16);
    uint64_t step = table.bucket_mask + 1; /* positions so far apart share a bucket */
    for (uint64_t i = 0; i < TABLE_WAYS; i++) {
        table_store(&table, key_of(i * step), 0x100 + 10 * (i + 1), 0, low_byte);
    }
    for (uint64_t i = 0; i < TABLE_WAYS; i++) {
        assert_int_equal(table_probe(&table, key_of(i * step)), 0x100 + 10 * (i + 1));
    }
    /* The least of them goes, and never one worth more than what comes, but for the last way. */
    table_store(&table, key_of(4 * step), 0x100 + 25, 25, low_byte);
    assert_int_equal(table_probe(&table, key_of(0)), 0);
    assert_int_equal(table_probe(&table, key_of(4 * step)), 0x100 + 25);
    table_store(&table, key_of(5 * step), 0x100 + 5, 5, low_byte);
    assert_int_equal(table_probe(&table, key_of(5 * step)), 0x100 + 5);
    assert_int_equal(table_probe(&table, key_of(3 * step)), 0);
    /* The same position is written over. */
    table_store(&table, key_of(5 * step), 0x100 + 1, 1, low_byte);
    assert_int_equal(table_probe(&table, key_of(5 * step)), 0x100 + 1);
    table_clear(&table);
    assert_int_equal(table_probe(&table, key_of(5 * step)), 0);
    table_limit(&table, 16);
    assert_int_equal(table.bucket_mask, 3);
    table_limit(&table, SIZE_MAX);
    assert_int_equal((table.bucket_mask + 1) * TABLE_WAYS * sizeof(struct table_entry), table.bytes);
    table_close(&table);
}

/* Who stores is told of the first entry in each huge page, once; and clearing forgets them all. */
static void test_table_tells_of_fresh_pages(void **state) {
    (void)state;
    enum { STORED = 4000 };
    struct table table;
    assert_true(table_open(&table, (size_t)8 << PAGES_HUGE_BITS));
    int fresh = 0;
    for (uint64_t i = 0; i < STORED; i++) {
        fresh += table_store(&table, key_of(rng_mix(i)), 0x101, 0, low_byte);
    }
    assert_in_range(fresh, 8, 9); /* one more where the table begins in the middle of one */
    table_clear(&table);
    for (uint64_t i = 0; i < STORED; i++) {
        assert_int_equal(table_probe(&table, key_of(rng_mix(i))), 0);
        assert_false(table_store(&table, key_of(rng_mix(i)), 0x101, 0, low_byte));
    }
    table_close(&table);
}

struct hammering {
    struct table table;
    _Atomic uint64_t wrong;
    _Atomic uint64_t found;
};

/* Writes and reads positions that crowd in a few buckets; data that belong to another position are wrong. */
static void hammer(void *user, int index) {
    struct hammering *hammering = user;
    struct rng rng = {(uint64_t)index};
    for (int i = 0; i < 200000; i++) {
        struct table_key key = key_of(rng_below(&rng, 1024));
        uint64_t right = rng_mix(key.check) | 1;
        uint64_t data = table_probe(&hammering->table, key);
        atomic_fetch_add(&hammering->wrong, data && data != right);
        atomic_fetch_add(&hammering->found, data == right);
        table_store(&hammering->table, key, right, 256, low_byte);
    }
}

static void test_table_shared_by_threads(void **state) {
    (void)state;
    struct hammering hammering = {.wrong = 0};
    struct team *team = team_new(4);
    assert_non_null(team);
    assert_true(table_open(&hammering.table, 4096));
    team_run(team, 4, hammer, &hammering);
    assert_int_equal(hammering.wrong, 0);
    assert_true(hammering.found > 1000);
    table_close(&hammering.table);
    team_free(team);
}

/* -- the team -- */

struct rounds {
    _Atomic int calls[TEAM_MOST];
};

static void count_call(void *user, int index) {
    struct rounds *rounds = user;
    atomic_fetch_add(&rounds->calls[index], 1);
}

static void test_team_rounds(void **state) {
    (void)state;
    struct rounds rounds = {{0}};
    struct team *team = team_new(5);
    assert_non_null(team);
    assert_int_equal(team_size(team), 5);
    int expected[5] = {0};
    for (int round = 0; round < 500; round++) {
        int count = 1 + round % 5;
        assert_int_equal(team_run(team, count, count_call, &rounds), count);
        for (int i = 0; i < 5; i++) {
            expected[i] += i < count;
            assert_int_equal(rounds.calls[i], expected[i]);
        }
    }
    team_free(team);
    team = team_new(0);
    assert_int_equal(team_size(team), 1);
    assert_int_equal(team_run(team, 7, count_call, &rounds), 1);
    team_free(team);
}

/* -- a stranger's game: a pile; take two and the other side is to move, take one and you are again; whoever takes the
 * last one wins. Moves stay legal after being played, and sides do not alternate. -- */

struct pile {
    int32_t left;
    int32_t side;
};

static struct pile *pile_of(struct game_position *position) {
    return (struct pile *)position;
}

static const struct pile *pile_const(const struct game_position *position) {
    return (const struct pile *)position;
}

static int pile_to_move(const struct game_position *position) {
    return pile_const(position)->side;
}

static bool pile_over(const struct game_position *position) {
    return pile_const(position)->left == 0;
}

static int pile_moves(const struct game_position *position, game_move *moves) {
    int count = 0;
    for (game_move take = 1; take <= 2 && (int)take <= pile_const(position)->left; take++) {
        moves[count++] = take;
    }
    return count;
}

static void pile_play(struct game_position *position, game_move move, struct game_undo *undo) {
    memcpy(undo->words, position, sizeof(struct pile));
    pile_of(position)->left -= (int)move;
    if (move == 2 || pile_of(position)->left == 0) {
        pile_of(position)->side = 1 - pile_of(position)->side;
    }
}

static void pile_undo(struct game_position *position, const struct game_undo *undo) {
    memcpy(position, undo->words, sizeof(struct pile));
}

/* When it is over the side to move has lost. */
static game_score pile_score(const struct game_position *position) {
    return pile_const(position)->left ? 0 : pile_const(position)->side == 0 ? -1 : 1;
}

static game_score pile_evaluate(const struct game_position *position) {
    (void)position;
    return 0;
}

static uint64_t pile_hash(const struct game_position *position) {
    return rng_mix((uint64_t)pile_const(position)->left * 2 + (uint64_t)pile_const(position)->side);
}

static const struct game_properties pile_properties = {.name = "pile",
                                                       .title = "Pile",
                                                       .variants = {"usual"},
                                                       .sides = {"A", "B"},
                                                       .most_moves = 2,
                                                       .most_plies = 200,
                                                       .position_size = sizeof(struct pile),
                                                       .score_kind = GAME_SCORE_WIN};

static const struct game pile_game = {.properties = &pile_properties,
                                      .to_move = pile_to_move,
                                      .over = pile_over,
                                      .moves = pile_moves,
                                      .play = pile_play,
                                      .undo = pile_undo,
                                      .score = pile_score,
                                      .evaluate = pile_evaluate,
                                      .hash = pile_hash};

/* The exact value by trying everything, of any game, from the view of the side to move. */
static game_score try_everything(const struct game *game, struct game_position *position, int ply) {
    int side = game->to_move(position);
    if (game->over(position)) {
        game_score score = side == 0 ? game->score(position) : -game->score(position);
        return game->properties->score_kind == GAME_SCORE_MARGIN ? score
               : score > 0                                       ? GAME_WIN_VALUE - ply
               : score < 0                                       ? ply - GAME_WIN_VALUE
                                                                 : 0;
    }
    game_move moves[2048];
    int count = game->moves(position, moves);
    game_score best = -GAME_INFINITY;
    for (int i = 0; i < count; i++) {
        struct game_undo undo;
        game->play(position, moves[i], &undo);
        game_score value = try_everything(game, position, ply + 1);
        value = game->to_move(position) == side ? value : -value;
        game->undo(position, &undo);
        best = value > best ? value : best;
    }
    return best;
}

static void check_exact(const struct game *game, struct game_position *position, int threads) {
    game_score expected = try_everything(game, position, 0);
    struct deepen *deepen =
        deepen_new(game, &(struct searcher_options){.threads = threads, .hash_bytes = 1 << 20}, NULL);
    assert_non_null(deepen);
    struct search_control control = {0};
    struct search_result result;
    deepen_think(deepen, position, &(struct search_limits){.goal = SEARCH_EXACT}, &control, &result);
    assert_int_equal(result.certainty, SEARCH_PROVED);
    assert_int_equal(result.value, expected);
    assert_int_equal(result.lower, expected);
    assert_int_equal(result.upper, expected);
    /* The move keeps the value. */
    struct game_undo undo;
    int side = game->to_move(position);
    game->play(position, result.move, &undo);
    game_score kept = try_everything(game, position, 1);
    assert_int_equal(game->to_move(position) == side ? kept : -kept, expected);
    game->undo(position, &undo);
    /* The sign alone. */
    deepen_think(deepen, position, &(struct search_limits){.goal = SEARCH_WIN}, &control, &result);
    assert_int_equal(result.certainty, SEARCH_PROVED);
    assert_true(expected > 0 ? result.lower > 0 : expected < 0 ? result.upper < 0 : !result.lower && !result.upper);
    deepen_free(deepen);
}

static void test_deepen_solves_the_pile(void **state) {
    (void)state;
    for (int left = 1; left <= 14; left++) {
        for (int side = 0; side < 2; side++) {
            struct pile pile = {left, side};
            check_exact(&pile_game, (struct game_position *)&pile, 1 + left % 2);
        }
    }
}

/* Every game of the house near its end, searched as if it had no engine of its own. */
static void test_deepen_solves_the_last_moves(void **state) {
    (void)state;
    for (const struct game *const *game = game_list(); *game; game++) {
        const struct game_properties *properties = (*game)->properties;
        struct game_position *position = test_calloc(1, properties->position_size);
        for (uint64_t seed = 0; seed < 12; seed++) {
            struct rng rng = {seed};
            int size = properties->least_size < 5 ? 5 : properties->least_size;
            while (!game_takes_size(*game, size)) {
                size++;
            }
            assert_int_equal((*game)->start_random(position, size, 0, &rng, NULL), STATUS_OK);
            small_tree_reach(*game, position, 6000, &rng);
            if (!(*game)->over(position)) {
                check_exact(*game, position, 1 + (int)(seed % 2));
            }
        }
        test_free(position);
    }
}

static long most_memory(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

/* A search of some thousand nodes leaves most of a large table alone: to touch all of it takes seconds. */
static void test_deepen_uses_little_of_a_large_table(void **state) {
    (void)state;
    const struct game *game = game_find("othello", 7);
    struct game_position *position = test_calloc(1, game->properties->position_size);
    assert_int_equal(game->start(position, 4, 0, NULL), STATUS_OK);
    long before = most_memory();
    struct deepen *deepen = deepen_new(game, &(struct searcher_options){.hash_bytes = (size_t)1 << 30}, NULL);
    struct search_control control = {0};
    struct search_result result;
    deepen_think(deepen, position, &(struct search_limits){.goal = SEARCH_EXACT}, &control, &result);
    assert_int_equal(result.certainty, SEARCH_PROVED);
    assert_int_equal(result.value, -8);
    assert_true(most_memory() - before < 64);
    deepen_free(deepen);
    test_free(position);
}

static void test_deepen_obeys(void **state) {
    (void)state;
    const struct game *game = game_find("war", 3);
    struct game_position *position = test_calloc(1, game->properties->position_size);
    assert_int_equal(game->start(position, 12, 0, NULL), STATUS_OK);
    struct deepen *deepen = deepen_new(game, &(struct searcher_options){.hash_bytes = 1 << 20}, NULL);
    struct search_control control = {0};
    struct search_result result;
    deepen_think(deepen, position, &(struct search_limits){.nodes = 5000}, &control, &result);
    assert_int_equal(result.nodes, 5000);
    assert_true(result.depth >= 1);
    deepen_think(deepen, position, &(struct search_limits){.depth = 2}, &control, &result);
    assert_int_equal(result.depth, 2);
    deepen_think(deepen, position, &(struct search_limits){0}, &control, &result);
    assert_int_equal(result.depth, 1);
    deepen_think(deepen, position, &(struct search_limits){.cpu_seconds = 0.05}, &control, &result);
    assert_true(result.cpu_seconds < 0.05 + 0.25);
    deepen_think(deepen, position, &(struct search_limits){.depth = 2, .multi_pv = 3}, &control, &result);
    assert_int_equal(result.line, 0);
    atomic_store(&control.stop, true);
    deepen_think(deepen, position, &(struct search_limits){.nodes = 1 << 30}, &control, &result);
    assert_true(game->legal(position, result.move));
    deepen_free(deepen);
    test_free(position);
}

/* -- the façade -- */

#define MANY 20

struct searcher {
    int number;
};

static int searchers_made;

static struct searcher *numbered_new(const struct searcher_options *options, struct error *error) {
    (void)options, (void)error;
    struct searcher *searcher = malloc(sizeof *searcher);
    searcher->number = ++searchers_made;
    return searcher;
}

static void numbered_free(struct searcher *searcher) {
    searchers_made--;
    free(searcher);
}

static void numbered_clear(struct searcher *searcher) {
    (void)searcher;
}

static void numbered_think(struct searcher *searcher, const struct game_position *position,
                           const struct search_limits *limits, struct search_control *control,
                           struct search_result *result) {
    (void)position, (void)limits, (void)control;
    result->move = 1;
    result->value = searcher->number;
}

/* Every game has a searcher of its own, and keeps it, however many there are. */
static void test_engine_serves_many_games(void **state) {
    (void)state;
    static struct game games[MANY];
    struct engine *engine = engine_new(&(struct searcher_options){.hash_bytes = 1 << 16});
    struct pile pile = {5, 0};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++) {
            games[i] = pile_game;
            if (i % 2) {
                games[i].searcher_new = numbered_new;
                games[i].searcher_free = numbered_free;
                games[i].searcher_clear = numbered_clear;
                games[i].think = numbered_think;
            }
            struct engine_request request = {.method = SEARCH_ENGINE, .limits = {.depth = 8}};
            struct search_result result;
            assert_int_equal(
                engine_go(engine, &games[i], (const struct game_position *)&pile, &request, NULL, &result, NULL),
                STATUS_OK);
            if (i % 2) {
                assert_int_equal(result.value, (i + 1) / 2);
            } else {
                assert_int_equal(result.certainty, SEARCH_PROVED);
            }
        }
    }
    engine_clear(engine);
    engine_free(engine);
    assert_int_equal(searchers_made, 0);
}

/* -- keys -- */

/* The first of the greatest keys, wherever it lies and however many are equal to it. */
static void test_greatest_is_the_first(void **state) {
    (void)state;
    struct rng rng = {2026};
    for (int round = 0; round < 20000; round++) {
        int32_t keys[40];
        int count = 1 + (int)(rng_next(&rng) % 40);
        int from = (int)(rng_next(&rng) % (uint64_t)count);
        uint64_t kinds = round % 2 ? 5 : UINT32_MAX; /* few of them: many are equal */
        for (int i = 0; i < count; i++) {
            keys[i] = (int32_t)((uint32_t)(rng_next(&rng) % kinds) - 2);
        }
        int expected = from;
        for (int i = from + 1; i < count; i++) {
            expected = keys[i] > keys[expected] ? i : expected;
        }
        assert_int_equal(greatest_from(keys, from, count), expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock_divides_the_game),
        cmocka_unit_test(test_clock_counts_exactly),
        cmocka_unit_test(test_clock_hears_the_caller),
        cmocka_unit_test(test_clock_parts),
        cmocka_unit_test(test_greatest_is_the_first),
        cmocka_unit_test(test_table_keeps_the_worthy),
        cmocka_unit_test(test_table_tells_of_fresh_pages),
        cmocka_unit_test(test_table_shared_by_threads),
        cmocka_unit_test(test_team_rounds),
        cmocka_unit_test(test_deepen_solves_the_pile),
        cmocka_unit_test(test_deepen_solves_the_last_moves),
        cmocka_unit_test(test_deepen_uses_little_of_a_large_table),
        cmocka_unit_test(test_deepen_obeys),
        cmocka_unit_test(test_engine_serves_many_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
