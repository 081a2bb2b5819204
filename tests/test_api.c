/* The public API as another program would use it: only sortie/sortie.h. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "sortie/sortie.h"

static const char stake_file[] = "3\nALPHABETA\nX\n9\n12 70 61\n8 22 63\n14 88 49\n...\n...\n...\n";

static sortie_position *parse(const char *file) {
    sortie_position *position = NULL;
    sortie_error error = {0};
    if (sortie_position_parse(file, strlen(file), &position, &error) != SORTIE_OK) {
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    }
    return position;
}

static void test_games_are_listed(void **state) {
    (void)state;
    assert_string_equal(sortie_game_name(0), "war");
    assert_null(sortie_game_name(100));
    assert_string_equal(sortie_game_rules("war", 1), "sneak");
    assert_null(sortie_game_rules("war", 2));
    assert_null(sortie_game_rules("chess", 0));
    assert_true(strlen(sortie_version()) > 0);
}

/* Starts are made on the sizes a game takes, and on no others. */
static void test_sizes(void **state) {
    (void)state;
    int refused = 0;
    for (int game = 0; sortie_game_name(game); game++) {
        const char *name = sortie_game_name(game);
        sortie_game_info info = SORTIE_INIT(sortie_game_info);
        assert_int_equal(sortie_game_about(name, &info, NULL), SORTIE_OK);
        assert_true(sortie_game_takes(name, info.usual_size, info.usual_size));
        assert_false(sortie_game_takes(name, info.usual_size, info.usual_size + 1));
        for (int size = info.least_size - 1; size <= info.most_size + 1; size++) {
            sortie_position *position = NULL;
            sortie_start start = SORTIE_INIT(sortie_start);
            start.rows = size;
            bool takes = sortie_game_takes(name, size, 0);
            bool inside = size >= info.least_size && size <= info.most_size;
            assert_true(inside || !takes);
            refused += inside && !takes;
            if (size != 0) { /* which asks for the usual size */
                assert_int_equal(sortie_position_start(name, &start, &position, NULL),
                                 takes ? SORTIE_OK : SORTIE_BAD_INPUT);
            }
            sortie_position_free(position);
        }
    }
    assert_int_equal(refused, 3); /* Othello's 5, 7 and 9 */
    assert_false(sortie_game_takes("chess", 8, 8));
    assert_false(sortie_game_takes(NULL, 8, 8));
}

static void test_play_and_undo(void **state) {
    (void)state;
    sortie_position *position = parse(stake_file);
    sortie_error error = {0};
    sortie_move moves[64];
    assert_int_equal(sortie_position_moves(position, moves, 64), 9);
    assert_string_equal(moves[4], "B2 Stake");
    assert_int_equal(sortie_position_undo(position, &error), SORTIE_BAD_INPUT);
    assert_int_equal(sortie_position_play(position, "B2 Stake", &error), SORTIE_OK);
    assert_int_equal(sortie_position_score(position), 22);
    assert_int_equal(sortie_position_to_move(position), 1);
    assert_int_equal(sortie_position_play(position, "B2 Stake", &error), SORTIE_BAD_INPUT);
    assert_string_equal(error.text, "expected an empty square, B2 is taken");

    sortie_position *copy = NULL;
    assert_int_equal(sortie_position_copy(position, &copy, &error), SORTIE_OK);
    assert_int_equal(sortie_position_undo(position, &error), SORTIE_OK);
    assert_int_equal(sortie_position_score(position), 0);
    assert_int_equal(sortie_position_score(copy), 22);
    assert_int_equal(sortie_position_undo(copy, &error), SORTIE_OK);
    char *first = sortie_position_text(position);
    char *second = sortie_position_text(copy);
    assert_string_equal(first, second);
    sortie_free(first);
    sortie_free(second);
    char *svg = sortie_position_svg(position);
    assert_non_null(strstr(svg, "</svg>"));
    sortie_free(svg);
    sortie_position_free(position);
    sortie_position_free(copy);
}

static void test_bad_input(void **state) {
    (void)state;
    sortie_position *position = NULL;
    sortie_error error = {0};
    assert_int_equal(sortie_position_parse("3\nFLY\n", 6, &position, &error), SORTIE_BAD_INPUT);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 1);
    assert_null(position);
    sortie_start start = SORTIE_INIT(sortie_start);
    assert_int_equal(sortie_position_start("chess", NULL, &position, &error), SORTIE_BAD_INPUT);
    start.rules = "pawns";
    assert_int_equal(sortie_position_start("war", &start, &position, &error), SORTIE_BAD_INPUT);
    start.rules = "stake";
    start.rows = 27;
    assert_int_equal(sortie_position_start("war", &start, &position, &error), SORTIE_BAD_INPUT);
    start.rows = 5;
    start.columns = 4;
    assert_int_equal(sortie_position_start("war", &start, &position, &error), SORTIE_BAD_INPUT);
    assert_null(position);
}

static void count_report(void *user, const sortie_result *report) {
    assert_true(report->line_length >= 1);
    ++*(int *)user;
}

static void test_every_method_finds_the_move(void **state) {
    (void)state;
    sortie_position *position = parse(stake_file);
    sortie_engine *engine = NULL;
    sortie_error error = {0};
    assert_int_equal(sortie_engine_new(NULL, &engine, &error), SORTIE_OK);
    for (int method = SORTIE_MINIMAX; method <= SORTIE_ENGINE; method++) {
        int reports = 0;
        sortie_limits limits = SORTIE_INIT(sortie_limits);
        limits.method = (sortie_method)method;
        limits.goal = SORTIE_EXACT;
        limits.depth = 9;
        limits.on_info = count_report;
        limits.user = &reports;
        sortie_result result = SORTIE_INIT(sortie_result);
        assert_int_equal(sortie_engine_go(engine, position, &limits, &result, &error), SORTIE_OK);
        assert_string_equal(result.move, "C2 Stake");
        assert_int_equal(result.value, 169);
        assert_string_equal(result.line_moves[0], result.move);
        assert_true(reports > 0);
    }
    sortie_limits unset = {0};
    sortie_result result = SORTIE_INIT(sortie_result);
    assert_int_equal(sortie_engine_go(engine, position, &unset, &result, &error), SORTIE_BAD_INPUT);
    sortie_position *over = parse("1\nMINIMAX\nX\n1\n5\nX\n");
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    assert_int_equal(sortie_engine_go(engine, over, &limits, &result, &error), SORTIE_BAD_INPUT);
    sortie_position_free(over);
    sortie_position_free(position);
    sortie_engine_free(engine);
}

static void *stop_soon(void *engine) {
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    sortie_engine_stop(engine);
    return NULL;
}

/* A search with no end in sight answers soon after a stop from another thread. */
static void test_stop_from_another_thread(void **state) {
    (void)state;
    sortie_position *position = NULL;
    sortie_engine *engine = NULL;
    sortie_error error = {0};
    pthread_t thread;
    sortie_start start = SORTIE_INIT(sortie_start);
    start.rows = 20;
    assert_int_equal(sortie_position_start("war", &start, &position, &error), SORTIE_OK);
    assert_int_equal(sortie_engine_new(NULL, &engine, &error), SORTIE_OK);
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, engine), 0);
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    limits.method = SORTIE_ENGINE;
    limits.wall_seconds = 60;
    sortie_result result = SORTIE_INIT(sortie_result);
    assert_int_equal(sortie_engine_go(engine, position, &limits, &result, &error), SORTIE_OK);
    pthread_join(thread, NULL);
    assert_true(result.wall_seconds < 10);
    assert_int_equal(sortie_position_play(position, result.move, &error), SORTIE_OK);
    sortie_position_free(position);
    sortie_engine_free(engine);
}

/* -- structs of other versions -- */

/* The structs as an older header might have had them: the same beginnings, and less behind. */
struct old_limits {
    size_t size;
    sortie_method method;
    sortie_goal goal;
    int depth;
};

struct old_result {
    size_t size;
    sortie_move move;
    int value;
};

struct new_limits {
    sortie_limits known;
    int unheard_of;
};

static sortie_engine *new_engine(void) {
    sortie_engine *engine = NULL;
    assert_int_equal(sortie_engine_new(NULL, &engine, NULL), SORTIE_OK);
    return engine;
}

/* A program built against shorter structs gets its answer, and nothing is written behind its result. */
static void test_shorter_structs_work(void **state) {
    (void)state;
    sortie_position *position = parse(stake_file);
    sortie_engine *engine = new_engine();
    sortie_error error = {0};
    struct old_limits limits = {.size = sizeof limits, .method = SORTIE_ALPHABETA, .depth = 9};
    struct {
        struct old_result result;
        unsigned char behind[64];
    } frame;
    memset(&frame, 0x5a, sizeof frame);
    frame.result.size = sizeof frame.result;
    assert_int_equal(sortie_engine_go(engine, position, (const sortie_limits *)(const void *)&limits,
                                      (sortie_result *)(void *)&frame.result, &error),
                     SORTIE_OK);
    assert_string_equal(frame.result.move, "C2 Stake");
    assert_int_equal(frame.result.value, 169);
    assert_int_equal(frame.result.size, sizeof frame.result);
    for (size_t i = 0; i < sizeof frame.behind; i++) {
        assert_int_equal(frame.behind[i], 0x5a);
    }
    size_t only_size = sizeof only_size;
    sortie_engine *other = NULL;
    assert_int_equal(sortie_engine_new((const sortie_engine_options *)(const void *)&only_size, &other, &error),
                     SORTIE_OK);
    sortie_engine_free(other);
    sortie_engine_free(engine);
    sortie_position_free(position);
}

/* One built against longer ones works too, until it asks for what is not known here. */
static void test_longer_structs(void **state) {
    (void)state;
    sortie_position *position = parse(stake_file);
    sortie_engine *engine = new_engine();
    sortie_error error = {0};
    sortie_result result = SORTIE_INIT(sortie_result);
    struct new_limits limits = {.known = {.size = sizeof limits, .method = SORTIE_ALPHABETA, .depth = 2}};
    assert_int_equal(sortie_engine_go(engine, position, &limits.known, &result, &error), SORTIE_OK);
    limits.unheard_of = 1;
    assert_int_equal(sortie_engine_go(engine, position, &limits.known, &result, &error), SORTIE_BAD_INPUT);
    assert_non_null(strstr(error.text, "does not know"));
    sortie_result unset = {0};
    limits.unheard_of = 0;
    assert_int_equal(sortie_engine_go(engine, position, &limits.known, &unset, &error), SORTIE_BAD_INPUT);
    sortie_engine_free(engine);
    sortie_position_free(position);
}

static void test_nonsense_is_refused(void **state) {
    (void)state;
    sortie_position *position = parse(stake_file);
    sortie_engine *engine = new_engine();
    sortie_error error = {0};
    sortie_result result = SORTIE_INIT(sortie_result);
    sortie_limits good = SORTIE_INIT(sortie_limits);
    good.method = SORTIE_ENGINE;
    good.nodes = 100;
    assert_int_equal(sortie_engine_go(engine, position, &good, &result, &error), SORTIE_OK);
    sortie_limits bad = good;
    bad.method = (sortie_method)4;
    assert_int_equal(sortie_engine_go(engine, position, &bad, &result, &error), SORTIE_BAD_INPUT);
    bad = good;
    bad.goal = (sortie_goal)-1;
    assert_int_equal(sortie_engine_go(engine, position, &bad, &result, &error), SORTIE_BAD_INPUT);
    bad = good;
    bad.wall_seconds = -1;
    assert_int_equal(sortie_engine_go(engine, position, &bad, &result, &error), SORTIE_BAD_INPUT);
    bad.wall_seconds = NAN;
    assert_int_equal(sortie_engine_go(engine, position, &bad, &result, &error), SORTIE_BAD_INPUT);
    bad = good;
    bad.depth = -2;
    assert_int_equal(sortie_engine_go(engine, position, &bad, &result, &error), SORTIE_BAD_INPUT);
    assert_int_equal(sortie_engine_go(engine, position, NULL, &result, &error), SORTIE_BAD_INPUT);
    sortie_engine_options options = SORTIE_INIT(sortie_engine_options);
    sortie_engine *none = NULL;
    options.threads = 100000;
    assert_int_equal(sortie_engine_new(&options, &none, &error), SORTIE_BAD_INPUT);
    assert_null(none);
    sortie_cell cell = SORTIE_INIT(sortie_cell);
    assert_int_equal(sortie_position_cell(position, 3, 0, &cell, &error), SORTIE_BAD_INPUT);
    assert_int_equal(sortie_position_play(position, NULL, &error), SORTIE_BAD_INPUT);
    sortie_engine_free(engine);
    sortie_position_free(position);
}

/* A stop while nothing is searched is gone when the next search begins. */
static void test_stop_between_searches(void **state) {
    (void)state;
    sortie_position *position = parse(stake_file);
    sortie_engine *engine = new_engine();
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    limits.method = SORTIE_MINIMAX;
    limits.depth = 5;
    uint64_t nodes[2];
    for (int round = 0; round < 2; round++) {
        sortie_result result = SORTIE_INIT(sortie_result);
        sortie_engine_stop(engine);
        assert_int_equal(sortie_engine_go(engine, position, &limits, &result, NULL), SORTIE_OK);
        assert_int_equal(result.depth, 5);
        nodes[round] = result.nodes;
    }
    assert_int_equal(nodes[0], nodes[1]);
    assert_true(nodes[0] > 1000);
    sortie_engine_free(engine);
    sortie_position_free(position);
}

/* An armed engine is stopped by a stop that came before its search, once. */
static void test_armed_stop(void **state) {
    (void)state;
    sortie_position *position = parse(stake_file);
    sortie_engine *engine = new_engine();
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    limits.method = SORTIE_MINIMAX;
    limits.depth = 5;
    for (int round = 0; round < 2; round++) {
        sortie_result result = SORTIE_INIT(sortie_result);
        sortie_engine_stop(engine); /* forgotten by arming */
        sortie_engine_arm(engine);
        if (round == 0) {
            sortie_engine_stop(engine);
        }
        assert_int_equal(sortie_engine_go(engine, position, &limits, &result, NULL), SORTIE_OK);
        assert_true(round == 0 ? result.nodes < 100 : result.nodes > 1000);
        assert_true(result.move[0] != '\0');
    }
    sortie_engine_free(engine);
    sortie_position_free(position);
}

/* Every limit that can be named replaces the file's, and nothing else does. */
static void test_limits_replace_file(void **state) {
    (void)state;
    sortie_limits limits[] = {
        {.depth = 3},           {.nodes = 10},           {.wall_seconds = 1},
        {.cpu_seconds = 1},     {.cpu_seconds_left = 1}, {.wall_seconds_left = 1},
        {.goal = SORTIE_EXACT}, {.multi_pv = 2},
    };
    size_t count = sizeof limits / sizeof *limits;
    for (size_t i = 0; i < count; i++) {
        limits[i].size = sizeof *limits;
        limits[i].method = SORTIE_ENGINE;
        assert_int_equal(sortie_limits_replace_file(&limits[i]), i + 1 < count);
        limits[i].method = SORTIE_MINIMAX;
        assert_int_equal(sortie_limits_replace_file(&limits[i]), 0);
    }
    assert_int_equal(sortie_limits_replace_file(NULL), 0);
}

/* -- what the doors need -- */

static void test_properties_and_cells(void **state) {
    (void)state;
    sortie_game_info info = SORTIE_INIT(sortie_game_info);
    sortie_error error = {0};
    assert_int_equal(sortie_game_about("laser", &info, &error), SORTIE_OK);
    assert_string_equal(info.title, "Laser Checkmate");
    assert_true(info.margin && info.numbered_from_zero && info.has_engine);
    assert_int_equal(sortie_game_about("chess", &info, &error), SORTIE_BAD_INPUT);

    sortie_position *position = parse("2\nMINIMAX\nX\n2\n3 1\n2 5\n..\n.O\n");
    sortie_cell cell = SORTIE_INIT(sortie_cell);
    assert_int_equal(sortie_position_cell(position, 1, 1, &cell, &error), SORTIE_OK);
    assert_int_equal(cell.ink, SORTIE_INK_SECOND);
    assert_int_equal(cell.glyph, 'O');
    assert_string_equal(cell.label, "5");
    assert_string_equal(sortie_position_rules(position), "stake");
    assert_int_equal(sortie_position_rows(position), 2);
    assert_int_equal(sortie_position_columns(position), 2);
    char *drawing = sortie_position_drawing(position, 0);
    assert_non_null(strstr(drawing, "  2 .2 O5\n"));
    sortie_free(drawing);
    char *caption = sortie_position_caption(position);
    assert_string_equal(caption, "X to move, O leads by 5");
    sortie_free(caption);
    char *sgf = NULL;
    assert_int_equal(sortie_position_sgf(position, &sgf, &error), SORTIE_BAD_INPUT);
    sortie_position_free(position);
}

static void test_random_starts(void **state) {
    (void)state;
    sortie_start start = SORTIE_INIT(sortie_start);
    sortie_position *positions[3];
    start.rows = 6;
    start.random = 1;
    for (int i = 0; i < 3; i++) {
        start.seed = i < 2 ? 7 : 8;
        assert_int_equal(sortie_position_start("war", &start, &positions[i], NULL), SORTIE_OK);
    }
    char *texts[3];
    for (int i = 0; i < 3; i++) {
        texts[i] = sortie_position_text(positions[i]);
    }
    assert_string_equal(texts[0], texts[1]);
    assert_string_not_equal(texts[0], texts[2]);
    for (int i = 0; i < 3; i++) {
        sortie_free(texts[i]);
        sortie_position_free(positions[i]);
    }
}

static void test_swap(void **state) {
    (void)state;
    sortie_position *position = NULL;
    sortie_move first;
    assert_int_equal(sortie_position_start("gomoku", NULL, &position, NULL), SORTIE_OK);
    assert_int_equal(sortie_position_swap(position), -1);
    assert_int_equal(sortie_position_swap_opening(position, 1, first, NULL), SORTIE_OK);
    assert_int_equal(sortie_position_play(position, "H8", NULL), SORTIE_OK);
    assert_int_equal(sortie_position_swap(position), 1); /* nobody leaves the centre to the other side */
    assert_int_equal(sortie_position_swap_opening(position, 1, first, NULL), SORTIE_BAD_INPUT);
    assert_int_equal(sortie_position_undo(position, NULL), SORTIE_OK);
    assert_int_equal(sortie_position_play(position, "A1", NULL), SORTIE_OK);
    assert_int_equal(sortie_position_swap(position), 0);
    char *sgf = NULL;
    assert_int_equal(sortie_position_sgf(position, &sgf, NULL), SORTIE_OK);
    assert_non_null(strstr(sgf, ";B[aa]"));
    sortie_free(sgf);
    sortie_position_free(position);
}

/* The steps of alpha-beta add up: as many nodes as the result says, the root entered first and left last. */
struct walk {
    int entered;
    int leaves;
    int returns;
    int cuts;
    int root_value;
    sortie_move deepest;
};

static void count_step(void *user, const sortie_step *step) {
    struct walk *walk = user;
    walk->entered += step->kind == SORTIE_ENTER;
    walk->leaves += step->kind == SORTIE_LEAF;
    walk->returns += step->kind == SORTIE_RETURN;
    walk->cuts += step->kind == SORTIE_CUT;
    if (step->depth == 0) {
        assert_string_equal(step->move, "");
        walk->root_value = step->value;
    } else {
        memcpy(walk->deepest, step->move, sizeof walk->deepest);
        assert_true(strlen(step->move) > 3);
    }
}

static void test_steps_of_a_search(void **state) {
    (void)state;
    sortie_position *position = parse(stake_file);
    sortie_engine *engine = new_engine();
    struct walk walk = {0};
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    sortie_result result = SORTIE_INIT(sortie_result);
    limits.method = SORTIE_ALPHABETA;
    limits.depth = 3;
    limits.on_step = count_step;
    limits.user = &walk;
    limits.whole_line = 1;
    assert_int_equal(sortie_engine_go(engine, position, &limits, &result, NULL), SORTIE_OK);
    assert_int_equal((uint64_t)walk.leaves, result.leaves);
    assert_int_equal((uint64_t)(walk.entered + walk.leaves), result.nodes);
    assert_int_equal(walk.returns + walk.cuts, walk.entered + walk.leaves - 1);
    assert_true(walk.cuts > 0);
    assert_int_equal(walk.root_value, result.value);
    assert_int_equal(result.line_length, 3);
    sortie_engine_free(engine);
    sortie_position_free(position);
}

/* Every line of an analysis against the position behind its move, solved by the textbook. */
static void check_lines(const char *file, int empty) {
    sortie_position *position = parse(file);
    sortie_engine *engine = new_engine();
    sortie_error error = {0};
    sortie_result lines[4] = {{.size = sizeof lines[0]}};
    sortie_limits limits = SORTIE_INIT(sortie_limits);
    int count = 0;
    limits.method = SORTIE_ENGINE;
    limits.goal = SORTIE_EXACT;
    limits.multi_pv = 4;
    assert_int_equal(sortie_engine_analyze(engine, position, &limits, lines, 4, &count, &error), SORTIE_OK);
    assert_int_equal(count, 4);
    sortie_limits reference = SORTIE_INIT(sortie_limits);
    reference.method = SORTIE_ALPHABETA;
    reference.depth = empty;
    sortie_result best = SORTIE_INIT(sortie_result);
    assert_int_equal(sortie_engine_go(engine, position, &reference, &best, &error), SORTIE_OK);
    assert_int_equal(lines[0].value, best.value);
    for (int i = 0; i < count; i++) {
        sortie_result behind = SORTIE_INIT(sortie_result);
        assert_true(lines[i].proved && lines[i].lower == lines[i].value && lines[i].upper == lines[i].value);
        assert_true(i == 0 || lines[i].value <= lines[i - 1].value);
        assert_string_equal(lines[i].move, lines[i].line_moves[0]);
        assert_int_equal(sortie_position_play(position, lines[i].move, &error), SORTIE_OK);
        assert_int_equal(sortie_engine_go(engine, position, &reference, &behind, &error), SORTIE_OK);
        assert_int_equal(lines[i].value, -behind.value);
        assert_int_equal(sortie_position_undo(position, &error), SORTIE_OK);
    }
    sortie_engine_free(engine);
    sortie_position_free(position);
}

static void test_exact_lines(void **state) {
    (void)state;
    check_lines(stake_file, 9);
    check_lines("5\n00000\n03000\n00000\n00000\n00030\n", 25);
}

/* Lines found by deepening, in each game, within limits. */
static void test_lines_within_limits(void **state) {
    (void)state;
    for (int game = 0; sortie_game_name(game); game++) {
        sortie_position *position = NULL;
        sortie_engine *engine = new_engine();
        sortie_error error = {0};
        sortie_start start = SORTIE_INIT(sortie_start);
        sortie_result lines[3] = {{.size = sizeof lines[0]}};
        sortie_limits limits = SORTIE_INIT(sortie_limits);
        int count = 0;
        for (start.rows = 12; !sortie_game_takes(sortie_game_name(game), start.rows, 0);) {
            start.rows--;
        }
        start.random = 1;
        assert_int_equal(sortie_position_start(sortie_game_name(game), &start, &position, &error), SORTIE_OK);
        limits.method = SORTIE_ENGINE;
        limits.nodes = 30000;
        limits.multi_pv = 3;
        assert_int_equal(sortie_engine_analyze(engine, position, &limits, lines, 3, &count, &error), SORTIE_OK);
        assert_int_equal(count, 3);
        for (int i = 0; i < count; i++) {
            assert_int_equal(lines[i].size, sizeof lines[i]);
            assert_true(lines[i].depth >= 1 && lines[i].line_length >= 1);
            assert_true(i == 0 || lines[i].value <= lines[i - 1].value);
            assert_true(i == 0 || strcmp(lines[i].move, lines[i - 1].move) != 0);
            assert_int_equal(sortie_position_play(position, lines[i].move, &error), SORTIE_OK);
            assert_int_equal(sortie_position_undo(position, &error), SORTIE_OK);
        }
        sortie_engine_free(engine);
        sortie_position_free(position);
    }
}

static bool is_near(double value, double wanted) {
    return value > wanted - 1e-9 && value < wanted + 1e-9;
}

/* The chances a value stands for: they add up, a better value has better ones, a proved win is certain; games of
 * margins have none. */
static void test_chances(void **state) {
    (void)state;
    static const char *const files[] = {"gomoku freestyle 15\nH8 I9 J8\n", "gomoku freestyle 15\nH8 A1 H9 A3 H10 A5\n",
                                        stake_file};
    sortie_result results[3];
    for (int i = 0; i < 3; i++) {
        sortie_position *position = parse(files[i]);
        sortie_engine *engine = new_engine();
        sortie_limits limits = SORTIE_INIT(sortie_limits);
        limits.method = SORTIE_ENGINE;
        limits.nodes = 5000;
        results[i] = SORTIE_INIT(sortie_result);
        assert_int_equal(sortie_engine_go(engine, position, &limits, &results[i], NULL), SORTIE_OK);
        sortie_engine_free(engine);
        sortie_position_free(position);
    }
    assert_true(results[0].win > 0 && results[0].draw > 0 && results[0].loss > results[0].win);
    assert_true(is_near(results[0].win + results[0].draw + results[0].loss, 1));
    assert_true(is_near(results[1].win, 1));
    assert_true(is_near(results[2].win + results[2].draw + results[2].loss, 0));
}

/* A course file answered as the course wants it, log included. */
struct log {
    char bytes[4096];
    size_t length;
};

static void keep_log(void *user, const char *bytes, size_t length) {
    struct log *log = user;
    assert_true(log->length + length < sizeof log->bytes);
    memcpy(log->bytes + log->length, bytes, length);
    log->length += length;
}

static void test_course_answer(void **state) {
    (void)state;
    static const char file[] = "2\nX\n1\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 5\n1 2 3 4 9\n"
                               "XXXXX\nOOOOO\nXXXXX\nOOOOO\nXXX**\n";
    sortie_course *course = NULL;
    sortie_error error = {0};
    struct log log = {.length = 0};
    assert_int_equal(sortie_course_parse(file, strlen(file), NULL, &course, &error), SORTIE_OK);
    sortie_course_info info = SORTIE_INIT(sortie_course_info);
    assert_int_equal(sortie_course_about(course, &info, &error), SORTIE_OK);
    assert_string_equal(info.format, "sneak");
    assert_string_equal(info.answer_file, "next_state.txt");
    assert_string_equal(info.log_file, "traverse_log.txt");
    assert_int_equal(info.method, SORTIE_MINIMAX);
    sortie_engine *engine = new_engine();
    sortie_course_orders orders = SORTIE_INIT(sortie_course_orders);
    sortie_result result = SORTIE_INIT(sortie_result);
    char *answer = NULL;
    orders.on_log = keep_log;
    orders.user = &log;
    assert_int_equal(sortie_course_answer(course, engine, &orders, &answer, &result, &error), SORTIE_OK);
    assert_string_equal(answer, "XXXXX\nOOOOO\nXXXXX\nOOOXO\nXXXX*\n");
    log.bytes[log.length] = '\0';
    assert_string_equal(log.bytes, "Node,Depth,Value\nroot,0,-Infinity\nD5,1,18\nroot,0,18\nE5,1,15\nroot,0,18\n");
    assert_string_equal(result.move, "D5 Raid");
    sortie_free(answer);
    sortie_engine_free(engine);
    sortie_course_free(course);
    assert_int_equal(sortie_course_parse("9 9", 3, NULL, &course, &error), SORTIE_BAD_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_are_listed),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_play_and_undo),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_every_method_finds_the_move),
        cmocka_unit_test(test_stop_from_another_thread),
        cmocka_unit_test(test_shorter_structs_work),
        cmocka_unit_test(test_longer_structs),
        cmocka_unit_test(test_nonsense_is_refused),
        cmocka_unit_test(test_stop_between_searches),
        cmocka_unit_test(test_armed_stop),
        cmocka_unit_test(test_limits_replace_file),
        cmocka_unit_test(test_properties_and_cells),
        cmocka_unit_test(test_random_starts),
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_steps_of_a_search),
        cmocka_unit_test(test_exact_lines),
        cmocka_unit_test(test_lines_within_limits),
        cmocka_unit_test(test_chances),
        cmocka_unit_test(test_course_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
