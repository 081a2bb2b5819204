/* What an analysis asks of the Gomoku engine about the moves of one position: several best ones, some left out, and
 * news of each while it is looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "games/gomoku/rules/gomoku.h"
#include "search/limits.h"

#define MOST_LINES 8
#define WORDS ((GOMOKU_MOST_SQUARES + 63) / 64)

static struct gomoku_position position;
static const struct game_position *const interface = (const struct game_position *)&position;
static struct search_result result;
static struct search_result lines[MOST_LINES]; /* the last report of each */
static int line_count;
static int news_count[4];
static game_move begun;      /* the move being looked at */
static game_move last_best;  /* as the news say */
static uint64_t lost[WORDS]; /* likewise, squares */
static uint64_t seen_begun[WORDS];

static void keep_report(void *user, const struct search_result *report) {
    (void)user;
    if (report->line < MOST_LINES) {
        lines[report->line] = *report;
        line_count = report->line + 1 > line_count ? report->line + 1 : line_count;
    }
}

static void keep_news(void *user, game_move move, enum gomoku_root_news news) {
    (void)user;
    news_count[news]++;
    if (news == GOMOKU_ROOT_BEGUN) {
        begun = move;
        seen_begun[move >> 6] |= UINT64_C(1) << (move & 63);
    } else {
        assert_int_equal(move, begun); /* each is told of while it is looked at, or just behind */
    }
    last_best = news == GOMOKU_ROOT_BEST ? move : last_best;
    if (news == GOMOKU_ROOT_LOST) {
        lost[move >> 6] |= UINT64_C(1) << (move & 63);
    }
}

static void analyse(const char *text, struct search_limits limits, int threads) {
    struct reader reader;
    struct error error;
    struct searcher_options options = {.threads = threads, .hash_bytes = (size_t)8 << 20};
    struct search_control control = {.info = keep_report};
    struct gomoku_wishes wishes = {.root = keep_news};
    if (limits.wishes) {
        wishes.closed = ((const struct gomoku_wishes *)limits.wishes)->closed;
    }
    limits.wishes = &wishes;
    reader_init(&reader, text, strlen(text));
    assert_int_equal(gomoku_game.read((struct game_position *)&position, &reader, &error), STATUS_OK);
    struct searcher *searcher = gomoku_game.searcher_new(&options, NULL);
    assert_non_null(searcher);
    line_count = 0;
    last_best = GAME_NO_MOVE;
    memset(news_count, 0, sizeof news_count);
    memset(lost, 0, sizeof lost);
    memset(seen_begun, 0, sizeof seen_begun);
    gomoku_game.think(searcher, interface, &limits, &control, &result);
    assert_true(gomoku_game.legal(interface, result.move));
    gomoku_game.searcher_free(searcher);
}

static bool has(const uint64_t *squares, game_move square) {
    return squares[square >> 6] >> (square & 63) & 1;
}

static void close_square(uint64_t *closed, int square) {
    closed[square >> 6] |= UINT64_C(1) << (square & 63);
}

static const char quiet[] = "gomoku freestyle 15\nH8 I9 I7 G9 H9 H7\n";
static const char own_four[] = "gomoku freestyle 15\nD4 A1 E4 A3 F4 A5 G4 A7\n"; /* C4 and H4 are fives */

/* Each line is about another move, however the position is decided, and they come in order. */
static void test_lines(void **state) {
    (void)state;
    static const char *const positions[] = {quiet, own_four};
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        analyse(positions[i], (struct search_limits){.depth = 6, .multi_pv = 4}, 1);
        assert_int_equal(line_count, 4);
        for (int a = 0; a < 4; a++) {
            assert_true(gomoku_game.legal(interface, lines[a].move));
            for (int b = 0; b < a; b++) {
                assert_int_not_equal(lines[a].move, lines[b].move);
                assert_true(lines[a].value <= lines[b].value || lines[a].depth != lines[b].depth);
            }
        }
    }
    /* both fives are seen as what they are, and the third line is no five */
    assert_int_equal(lines[0].value, GAME_WIN_VALUE - 1);
    assert_int_equal(lines[1].value, GAME_WIN_VALUE - 1);
    assert_true(lines[2].value < GAME_WIN_VALUE - 1);
}

/* Where there is but one move, three lines are one, and it is searched as deep as asked. */
static void test_fewer_moves_than_lines(void **state) {
    (void)state;
    static const char four[] = "gomoku freestyle 15\nH8 D4 I9 E4 K2 F4 C4 G4\n"; /* X must play H4 */
    analyse(four, (struct search_limits){.depth = 7, .multi_pv = 3}, 1);
    assert_int_equal(line_count, 1);
    assert_int_equal(lines[0].depth, 7);
    char text[32];
    gomoku_game.move_text(interface, lines[0].move, text);
    assert_string_equal(text, "H4");
}

/* A closed move is neither looked at nor answered, with one thread and with two. */
static void test_closed(void **state) {
    (void)state;
    for (int threads = 1; threads <= 2; threads++) {
        uint64_t closed[WORDS] = {0};
        struct gomoku_wishes wishes = {.closed = closed};
        struct search_limits limits = {.nodes = 20000, .wishes = &wishes};
        for (int round = 0; round < 4; round++) {
            analyse(quiet, limits, threads);
            assert_false(has(closed, result.move));
            for (int i = 0; i < WORDS; i++) {
                assert_int_equal(seen_begun[i] & closed[i], 0);
            }
            close_square(closed, (int)result.move);
        }
    }
}

/* Neither does a win at hand change that: a five, or fours at the root. */
static void test_closed_win(void **state) {
    (void)state;
    uint64_t closed[WORDS] = {0};
    struct gomoku_wishes wishes = {.closed = closed};
    struct search_limits limits = {.nodes = 20000, .wishes = &wishes};
    analyse(own_four, limits, 1);
    assert_int_equal(result.value, GAME_WIN_VALUE - 1);
    close_square(closed, (int)result.move);
    analyse(own_four, limits, 1);
    assert_int_equal(result.value, GAME_WIN_VALUE - 1);
    assert_false(has(closed, result.move));
    close_square(closed, (int)result.move);
    analyse(own_four, limits, 1);
    assert_true(result.value < GAME_WIN_VALUE - 1);
    assert_false(has(closed, result.move));
}

/* All but one square closed: that one is searched, be it far from every stone or a move that loses at once. */
static void test_one_open(void **state) {
    (void)state;
    uint64_t closed[WORDS];
    memset(closed, 0xff, sizeof closed);
    closed[0] &= ~UINT64_C(1); /* the corner of the first square */
    struct gomoku_wishes wishes = {.closed = closed};
    struct search_limits limits = {.depth = 6, .wishes = &wishes};
    analyse(quiet, limits, 1);
    assert_int_equal(result.move, 0);
    assert_int_equal(result.depth, 6);
    assert_true(result.value < 0);
    analyse("gomoku freestyle 15\nH8 D4 I9 E4 K2 F4 C4 G4\n", limits, 1);
    assert_int_equal(result.move, 0);
    assert_true(result.value <= 4 - GAME_WIN_VALUE);
    /* also without a search, when a board says stop at once */
    assert_int_not_equal(gomoku_quick_move(&position, NULL), 0);
    assert_int_equal(gomoku_quick_move(&position, closed), 0);
}

/* The news: each move that is begun is done, the last best one of them is the answer, and moves that lose are named. */
static void test_news(void **state) {
    (void)state;
    analyse(quiet, (struct search_limits){.depth = 8}, 1);
    assert_true(news_count[GOMOKU_ROOT_BEGUN] >= 8);
    assert_int_equal(news_count[GOMOKU_ROOT_BEGUN], news_count[GOMOKU_ROOT_DONE]);
    assert_true(news_count[GOMOKU_ROOT_BEST] >= 1);
    assert_int_equal(last_best, result.move);
    assert_false(has(lost, result.move));
    /* O has two open threes: whatever X tries, it loses */
    analyse("gomoku freestyle 15\nA1 H8 O1 I8 A15 J8 O15 I9 C1 K10\n", (struct search_limits){.depth = 10}, 1);
    assert_true(result.value < 1000 - GAME_WIN_VALUE);
    assert_true(has(lost, result.move));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),    cmocka_unit_test(test_fewer_moves_than_lines),
        cmocka_unit_test(test_closed),   cmocka_unit_test(test_closed_win),
        cmocka_unit_test(test_one_open), cmocka_unit_test(test_news),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
