/* The suite every registered game must pass, through the game interface alone: random play-outs, play and
 * undo restore every byte, texts round trip, faster searches equal the reference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "game/registry.h"
#include "search/limits.h"
#include "search/perft.h"
#include "search/textbook.h"
#include "support/small_tree.h"

/* One game on one board, with room for copies of its position. */
struct table {
    const struct game *game;
    int size;
    int variant;
    struct game_position *position;
    struct game_position *copy;
    game_move *moves;
    game_move *sorted;
    struct rng rng;
};

static size_t position_bytes(const struct table *table) {
    return table->game->properties->position_size;
}

static void table_set_up(struct table *table, const struct game *game, int size, int variant, uint64_t seed) {
    table->game = game;
    table->size = size;
    table->variant = variant;
    table->rng.state = seed;
    table->position = test_calloc(1, game->properties->position_size);
    table->copy = test_calloc(1, game->properties->position_size);
    table->moves = test_calloc((size_t)game->properties->most_moves, sizeof(game_move));
    table->sorted = test_calloc((size_t)game->properties->most_moves, sizeof(game_move));
    struct error error = {0};
    if (game->start_random(table->position, size, variant, &table->rng, &error) != STATUS_OK) {
        fail_msg("%s %d: %s", game->properties->name, size, error.text);
    }
}

static void table_free(struct table *table) {
    test_free(table->position);
    test_free(table->copy);
    test_free(table->moves);
    test_free(table->sorted);
}

/* Plays random moves; stops at the end of the game. */
static void play_random(struct table *table, int plies) {
    for (int i = 0; i < plies && !table->game->over(table->position); i++) {
        struct game_undo undo;
        int count = table->game->moves(table->position, table->moves);
        assert_true(count > 0);
        table->game->play(table->position, table->moves[rng_below(&table->rng, (uint32_t)count)], &undo);
    }
}

/* Plays a random number of moves; false when the game is over then. */
static bool play_somewhere(struct table *table) {
    struct game_shape shape = game_shape(table->game, table->position);
    play_random(table, (int)rng_below(&table->rng, (uint32_t)(shape.rows * shape.columns)));
    return !table->game->over(table->position);
}

/* Calls `check` on every game, every variant, and every size the game takes up to `most_size`. */
static void on_every_board(int most_size, int seeds, void (*check)(struct table *table)) {
    for (const struct game *const *game = game_list(); *game; game++) {
        const struct game_properties *properties = (*game)->properties;
        for (int variant = 0; variant < 4 && properties->variants[variant]; variant++) {
            int most = most_size < properties->most_size ? most_size : properties->most_size;
            for (int size = properties->least_size; size <= most; size++) {
                for (int seed = 0; seed < seeds && game_takes_size(*game, size); seed++) {
                    struct table table;
                    table_set_up(&table, *game, size, variant, (uint64_t)(seed * 1000 + size));
                    check(&table);
                    table_free(&table);
                }
            }
        }
    }
}

/* -- rules -- */

static int compare_moves(const void *a, const void *b) {
    const game_move *first = a;
    const game_move *second = b;
    return (*first > *second) - (*first < *second);
}

static void check_moves_are_legal_and_distinct(const struct table *table, int count) {
    game_move *sorted = table->sorted;
    for (int i = 0; i < count; i++) {
        assert_true(table->game->legal(table->position, table->moves[i]));
    }
    memcpy(sorted, table->moves, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_moves);
    for (int i = 1; i < count; i++) {
        assert_true(sorted[i - 1] != sorted[i]);
    }
    assert_false(table->game->legal(table->position, GAME_NO_MOVE));
}

static void check_notation(const struct table *table, game_move move) {
    char text[32];
    game_move parsed = GAME_NO_MOVE;
    struct error error = {0};
    table->game->move_text(table->position, move, text);
    assert_true(strlen(text) > 0 && strlen(text) < 32);
    assert_int_equal(table->game->parse_move(table->position, text, strlen(text), &parsed, &error), STATUS_OK);
    assert_int_equal(parsed, move);
}

/* The texts of the moves before are moves now exactly where they are legal. */
static void check_old_notation(const struct table *table, char (*texts)[32], const game_move *moves, int count) {
    for (int i = 0; i < count; i++) {
        game_move parsed = GAME_NO_MOVE;
        struct error error = {0};
        enum status status = table->game->parse_move(table->position, texts[i], strlen(texts[i]), &parsed, &error);
        bool legal = table->game->legal(table->position, moves[i]);
        assert_int_equal(status, legal ? STATUS_OK : STATUS_BAD_INPUT);
        assert_true(legal ? parsed == moves[i] : error.text[0] != '\0');
    }
}

/* The position and its copy look the same; of the copy, what was played last may be unknown. */
static void check_cells_are_alike(const struct table *table) {
    struct game_shape shape = game_shape(table->game, table->position);
    for (int i = 0; i < shape.rows * shape.columns; i++) {
        struct game_cell cell;
        struct game_cell other;
        table->game->cell(table->position, i / shape.columns, i % shape.columns, &cell);
        table->game->cell(table->copy, i / shape.columns, i % shape.columns, &other);
        assert_true(cell.glyph >= ' ' && cell.glyph < 0x7f);
        assert_true(cell.ink == other.ink && cell.glyph == other.glyph);
        assert_string_equal(cell.label, other.label);
    }
}

static void check_text_round_trip(const struct table *table) {
    struct text first = TEXT_EMPTY;
    struct text second = TEXT_EMPTY;
    struct reader reader;
    struct error error = {0};
    table->game->write(table->position, &first);
    reader_init(&reader, first.data, first.length);
    memset(table->copy, 0, position_bytes(table));
    if (table->game->read(table->copy, &reader, &error) != STATUS_OK) {
        fail_msg("line %d column %d: %s in\n%s", error.line, error.column, error.text, text_string(&first));
    }
    table->game->write(table->copy, &second);
    assert_string_equal(text_string(&first), text_string(&second));
    assert_true(table->game->hash(table->position) == table->game->hash(table->copy));
    assert_int_equal(table->game->to_move(table->position), table->game->to_move(table->copy));
    assert_int_equal(table->game->over(table->position), table->game->over(table->copy));
    check_cells_are_alike(table);
    text_free(&first);
    text_free(&second);
}

/* A move's text is read back as that move, and taking it back restores every byte. */
static void check_move(const struct table *table, game_move move) {
    struct game_undo undo;
    check_notation(table, move);
    memcpy(table->copy, table->position, position_bytes(table));
    uint64_t hash = table->game->hash(table->position);
    table->game->play(table->position, move, &undo);
    assert_true(table->game->hash(table->position) != hash);
    table->game->undo(table->position, &undo);
    assert_memory_equal(table->copy, table->position, position_bytes(table));
}

/* Moves have numbers below game_actions, all different, and no other number is legal. */
static void check_actions(const struct table *table, int count, int actions) {
    assert_int_equal(game_actions(table->game, table->position), actions);
    for (int i = 0; i < count; i++) {
        int action = game_action(table->game, table->position, table->moves[i]);
        assert_true(action >= 0 && action < actions);
        assert_int_equal(game_action_move(table->game, table->position, action), table->moves[i]);
    }
    int legal = 0;
    for (int action = 0; action < actions; action++) {
        legal += table->game->legal(table->position, game_action_move(table->game, table->position, action));
    }
    assert_int_equal(legal, count);
}

/* The board in bulk is the board by squares, and shows what the properties say. */
static void check_board(const struct table *table) {
    const struct game *game = table->game;
    struct game_shape shape = game_shape(game, table->position);
    int squares = shape.rows * shape.columns;
    uint8_t *inks = test_malloc((size_t)squares);
    int32_t *values = test_malloc((size_t)squares * sizeof *values);
    game_inks(game, table->position, inks);
    game_values(game, table->position, values);
    for (int i = 0; i < squares; i++) {
        struct game_cell cell;
        game->cell(table->position, i / shape.columns, i % shape.columns, &cell);
        assert_true(cell.glyph >= ' ' && cell.glyph < 0x7f);
        assert_int_equal(inks[i], cell.ink);
        assert_true(cell.ink <= GAME_INK_BOTH_FIELD);
        assert_true(cell.ink != GAME_INK_BLOCK || game->properties->shows & GAME_SHOWS_BLOCKS);
        assert_true(cell.ink <= GAME_INK_BLOCK || game->properties->shows & GAME_SHOWS_FIELDS);
        assert_true(values[i] >= 0 && (values[i] == 0 || game->properties->shows & GAME_SHOWS_VALUES));
    }
    test_free(inks);
    test_free(values);
}

/* Plays a move and asks about the first few of the position before. */
static void play_and_look_back(const struct table *table, game_move move, int count) {
    char texts[8][32];
    struct game_undo undo;
    int asked = count < 8 ? count : 8;
    for (int i = 0; i < asked; i++) {
        table->game->move_text(table->position, table->moves[i], texts[i]);
    }
    table->game->play(table->position, move, &undo);
    check_old_notation(table, texts, table->moves, asked);
}

/* A whole random game: what holds of every position in it. */
static void play_out(struct table *table) {
    const struct game *game = table->game;
    int plies = 0;
    int actions = game_actions(game, table->position);
    assert_int_equal(game->size(table->position), table->size);
    assert_int_equal(game->variant(table->position), table->variant);
    for (;; plies++) {
        assert_true(plies <= game->properties->most_plies);
        int count = game->moves(table->position, table->moves);
        assert_true(count <= game->properties->most_moves);
        assert_int_equal(game->over(table->position), count == 0);
        check_moves_are_legal_and_distinct(table, count);
        check_actions(table, count, actions);
        if (plies % 3 == 0 || count == 0) {
            check_text_round_trip(table);
            check_board(table);
        }
        if (count == 0) {
            break;
        }
        game_move move = table->moves[rng_below(&table->rng, (uint32_t)count)];
        check_move(table, move);
        /* Every move of every position takes minutes on large boards; every move of some positions does not. */
        for (int i = 0; i < count && (table->size <= 8 || plies % 16 == 0); i++) {
            check_move(table, table->moves[i]);
        }
        play_and_look_back(table, move, count);
    }
    check_board(table);
}

static void test_play_outs(void **state) {
    (void)state;
    on_every_board(32, 2, play_out);
}

static void take_back_whole_game(struct table *table) {
    struct game_undo undos[64];
    int plies = 0;
    memcpy(table->copy, table->position, position_bytes(table));
    while (plies < 64 && !table->game->over(table->position)) {
        int count = table->game->moves(table->position, table->moves);
        assert_true(count > 0);
        table->game->play(table->position, table->moves[rng_below(&table->rng, (uint32_t)count)], &undos[plies++]);
    }
    while (plies) {
        table->game->undo(table->position, &undos[--plies]);
    }
    assert_memory_equal(table->copy, table->position, position_bytes(table));
}

static void test_undo_to_the_start(void **state) {
    (void)state;
    on_every_board(32, 3, take_back_whole_game);
}

/* The starts take exactly the sizes that the game says it takes, and tell why not. */
static void check_size(struct table *table, int size) {
    bool takes = game_takes_size(table->game, size);
    for (int random = 0; random < 2; random++) {
        struct error error = {0};
        enum status status = random
                                 ? table->game->start_random(table->position, size, table->variant, &table->rng, &error)
                                 : table->game->start(table->position, size, table->variant, &error);
        assert_int_equal(status, takes ? STATUS_OK : STATUS_BAD_INPUT);
        assert_true(takes || error.text[0] != '\0');
        assert_true(!takes || table->game->size(table->position) == size);
    }
}

static void sizes(struct table *table) {
    const struct game_properties *properties = table->game->properties;
    for (int size = properties->least_size - 2; size <= properties->most_size + 2; size++) {
        check_size(table, size);
    }
    check_size(table, -5);
    check_size(table, 1000000);
    assert_true(game_takes_size(table->game, properties->usual_size));
}

static void test_sizes(void **state) {
    (void)state;
    on_every_board(6, 1, sizes);
}

static uint64_t count_leaves(const struct table *table, int depth) {
    uint64_t leaves = 0;
    assert_int_equal(perft(table->game, table->position, depth, NULL, &leaves), STATUS_OK);
    return leaves;
}

/* perft of depth d is the sum of perft of depth d - 1 over the moves, and 1 where the game is over. */
static void perft_adds_up(struct table *table) {
    play_random(table, table->size);
    for (int depth = 1; depth <= 2; depth++) {
        uint64_t sum = 0;
        int count = table->game->moves(table->position, table->moves);
        for (int i = 0; i < count; i++) {
            struct game_undo undo;
            table->game->play(table->position, table->moves[i], &undo);
            sum += count_leaves(table, depth - 1);
            table->game->undo(table->position, &undo);
        }
        assert_true(count_leaves(table, depth) == (count ? sum : 1));
    }
}

static void test_perft(void **state) {
    (void)state;
    on_every_board(7, 1, perft_adds_up);
}

/* -- searches -- */

static struct search_result reference(const struct table *table, enum search_method method, int depth) {
    struct search_result result;
    struct textbook_request request = {.method = method, .depth = depth};
    textbook_search(table->game, table->position, &request, &result);
    return result;
}

/* The game's own textbook searches against the reference: value and move, and plain minimax node for node. */
static void textbook_equals_reference(struct table *table) {
    if (!play_somewhere(table)) {
        return;
    }
    int most = table->size <= 3 ? 4 : table->size <= 5 ? 3 : 2;
    for (int depth = 1; depth <= most; depth++) {
        struct search_result minimax = reference(table, TEXTBOOK_MINIMAX, depth);
        for (int method = TEXTBOOK_GREEDY; method <= TEXTBOOK_ALPHABETA; method++) {
            struct textbook_request request = {.method = (enum search_method)method, .depth = depth};
            struct search_result result;
            textbook_run(table->game, table->position, &request, &result);
            if (method != TEXTBOOK_GREEDY || depth == 1) {
                assert_int_equal(result.value, minimax.value);
                assert_int_equal(result.move, minimax.move);
            }
            if (method == TEXTBOOK_MINIMAX) {
                assert_int_equal(result.nodes, minimax.nodes);
                assert_int_equal(result.leaves, minimax.leaves);
            }
        }
        assert_int_equal(reference(table, TEXTBOOK_ALPHABETA, depth).move, minimax.move);
    }
}

static void test_textbook(void **state) {
    (void)state;
    on_every_board(8, 6, textbook_equals_reference);
}

/* Through the façade, so that a game without a search of its own gets the one over the interface. */
static struct engine *new_engine(int threads) {
    struct engine *engine = engine_new(&(struct searcher_options){.threads = threads, .hash_bytes = (size_t)1 << 20});
    assert_non_null(engine);
    return engine;
}

static struct search_result think(struct engine *engine, const struct table *table, const struct search_limits *limits,
                                  struct search_control *control) {
    struct search_result result = {0};
    struct error error = {0};
    struct engine_request request = {.method = SEARCH_ENGINE, .limits = *limits};
    if (engine_go(engine, table->game, table->position, &request, control, &result, &error) != STATUS_OK) {
        fail_msg("%s: %s", table->game->properties->name, error.text);
    }
    return result;
}

static void check_result(const struct table *table, const struct search_result *result) {
    assert_true(table->game->legal(table->position, result->move));
    assert_true(result->pv_length >= 1);
    assert_int_equal(result->pv[0], result->move);
    memcpy(table->copy, table->position, position_bytes(table));
    for (int i = 0; i < result->pv_length; i++) {
        struct game_undo undo;
        assert_true(table->game->legal(table->copy, result->pv[i]));
        table->game->play(table->copy, result->pv[i], &undo);
    }
}

/* Whatever the limit, also when stopped before it began, the engine gives a legal move and a legal variation. */
static void engine_always_answers(struct table *table) {
    if (!play_somewhere(table)) {
        return;
    }
    struct engine *engine = new_engine(1);
    const struct search_limits limits[] = {{.depth = 1},
                                           {.depth = 2},
                                           {.nodes = 1},
                                           {.nodes = 500},
                                           {.wall_seconds = 0.001},
                                           {.cpu_seconds_left = 0.01},
                                           {.goal = SEARCH_BEST}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct search_result result = think(engine, table, &limits[i], NULL);
        check_result(table, &result);
    }
    struct search_control stopped = {0};
    atomic_store(&stopped.stop, true);
    struct search_result result = think(engine, table, &(struct search_limits){.nodes = 1000000}, &stopped);
    check_result(table, &result);
    engine_free(engine);
}

static void test_engine_always_answers(void **state) {
    (void)state;
    on_every_board(32, 1, engine_always_answers);
}

/* Fixed nodes on one thread: the same answer after clear, and in a second searcher. */
static void engine_is_deterministic(struct table *table) {
    play_random(table, table->size / 2);
    if (table->game->over(table->position)) {
        return;
    }
    struct search_result results[3];
    struct engine *engine = new_engine(1);
    struct engine *other = new_engine(1);
    for (int i = 0; i < 3; i++) {
        results[i] = think(i == 2 ? other : engine, table, &(struct search_limits){.nodes = 3000}, NULL);
        engine_clear(engine);
    }
    for (int i = 1; i < 3; i++) {
        assert_int_equal(results[i].move, results[0].move);
        assert_int_equal(results[i].value, results[0].value);
        assert_int_equal(results[i].nodes, results[0].nodes);
        assert_int_equal(results[i].depth, results[0].depth);
    }
    engine_free(engine);
    engine_free(other);
}

static void test_engine_is_deterministic(void **state) {
    (void)state;
    on_every_board(15, 1, engine_is_deterministic);
}

static int sign_of(game_score value) {
    return (value > 0) - (value < 0);
}

/* On boards small enough, the exact goal gives the value of full minimax, with one thread and with two; in a game of
 * wins who wins. */
static void exact_equals_reference(struct table *table) {
    bool margin = table->game->properties->score_kind == GAME_SCORE_MARGIN;
    small_tree_reach(table->game, table->position, 50000, &table->rng);
    if (table->game->over(table->position)) {
        return;
    }
    game_score expected = reference(table, TEXTBOOK_ALPHABETA, table->game->properties->most_plies).value;
    for (int threads = 1; threads <= 2; threads++) {
        struct engine *engine = new_engine(threads);
        struct search_result result = think(engine, table, &(struct search_limits){.goal = SEARCH_EXACT}, NULL);
        check_result(table, &result);
        if (margin || !table->game->think) {
            assert_int_equal(result.certainty, SEARCH_PROVED);
        }
        if (margin) {
            assert_int_equal(result.value, expected);
            assert_int_equal(result.lower, expected);
            assert_int_equal(result.upper, expected);
        } else if (result.certainty == SEARCH_PROVED) {
            assert_int_equal(sign_of(result.value), sign_of(expected));
        }
        engine_free(engine);
    }
}

static void test_exact(void **state) {
    (void)state;
    on_every_board(5, 6, exact_equals_reference);
}

/* One engine for more games than anybody has: each keeps a searcher of its own, whichever was asked before it. */
static void test_many_games(void **state) {
    (void)state;
    struct game copies[24];
    struct engine *engine = new_engine(1);
    int kinds = 0;
    while (game_list()[kinds]) {
        kinds++;
    }
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 24; i++) {
            struct table table;
            copies[i] = *game_list()[i % kinds];
            table_set_up(&table, &copies[i], copies[i].properties->usual_size, 0, (uint64_t)i);
            struct search_result result = think(engine, &table, &(struct search_limits){.nodes = 50}, NULL);
            check_result(&table, &result);
            table_free(&table);
        }
    }
    engine_free(engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_play_outs),
        cmocka_unit_test(test_undo_to_the_start),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_textbook),
        cmocka_unit_test(test_engine_always_answers),
        cmocka_unit_test(test_engine_is_deterministic),
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_many_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
