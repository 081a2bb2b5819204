/* What a leader makes of helpers that answer for others, twice, or with numbers out of all bounds. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "games/war/rules/war.h"
#include "match/runner.h"
#include "prove/crew/swapmap_run.h"
#include "support/liar.h"

/* Honest answers, but for the one with this number, which is changed. */
struct script {
    void (*honest)(struct script *script, int64_t unit, struct text *answer);
    void (*change)(struct text *answer);
    const struct plan *plan;
    int lie;  /* which answer it is, from 0; -1: none */
    int turn; /* answers so far */
    int from; /* who speaks next; 0: in turns */
};

static int speak(void *user, struct liar *liar, struct text *message) {
    struct script *script = user;
    int from = script->from ? script->from : 1 + script->turn % (LIAR_SIZE - 1);
    script->honest(script, liar->units[from], message);
    if (script->turn++ == script->lie) {
        script->change(message);
    }
    return from;
}

/* -- games -- */

static void honest_game(struct script *script, int64_t unit, struct text *answer) {
    liar_honest_game(script->plan, unit, answer);
}

static enum status lead_match(struct script *script, struct runner_state *state, struct error *error) {
    struct plan plan = {.game = &war_game, .sizes = {4}, .size_count = 1, .seed = 3, .games = 8};
    char path[] = "/tmp/sortie-lies-XXXXXX";
    struct store *store = NULL;
    struct standings standings = {0};
    struct liar liar;
    plan.limits = warden_usual_limits;
    assert_int_equal(plan_add_player(&plan, "a=engine:depth=1", error), STATUS_OK);
    assert_int_equal(plan_add_player(&plan, "b=engine:depth=2", error), STATUS_OK);
    assert_int_equal(plan_check(&plan, error), STATUS_OK);
    assert_true(close(mkstemp(path)) == 0 && remove(path) == 0);
    assert_int_equal(store_open(&store, path, STORE_NEW, error), STATUS_OK);
    assert_int_equal(store_put_plan(store, &plan, error), STATUS_OK);
    script->plan = &plan;
    liar_init(&liar, 0, speak, script);
    struct runner_options options = {.crew = liar_link(&liar), .stop = &liar.stop};
    enum status status = runner_run(&plan, store, &options, &standings, state, error);
    standings_free(&standings);
    store_close(store);
    remove(path);
    liar_free(&liar);
    plan_free(&plan);
    return status;
}

/* The record lies behind the sign. */
static void unpack(const struct text *answer, struct record *record) {
    assert_true(record_unpack(record, answer->data + 1, answer->length - 1));
}

static void pack_again(struct text *answer, struct record *record) {
    text_free(answer);
    text_add_char(answer, '+');
    record_pack(record, answer);
    record_free(record);
}

#define LIE(name, change)                                                                                              \
    static void name(struct text *answer) {                                                                            \
        struct record record;                                                                                          \
        unpack(answer, &record);                                                                                       \
        record.change;                                                                                                 \
        pack_again(answer, &record);                                                                                   \
    }
LIE(wild_player, players[0] = 1 << 20)
LIE(other_player, players[0] = 1 - record.players[0])
LIE(other_points, points = 0)
LIE(negative_player, players[1] = -5)
LIE(wild_points, points = 100)
LIE(wild_fault, fault = (enum player_fault)77)
LIE(wild_loser, loser = 9)
LIE(wild_plies, plies = -1)
LIE(many_plies, plies = 1 << 30)
LIE(endless, slowest[1] = (double)INFINITY)
LIE(later_game, index = 7) /* which nobody was given yet */
LIE(negative_game, index = -1)

static void torn(struct text *answer) {
    answer->length -= 3;
}

static void longer(struct text *answer) {
    text_add_string(answer, "more");
}

static void test_games(void **state) {
    (void)state;
    struct error error = {0};
    struct runner_state run;
    struct script honest = {.honest = honest_game, .lie = -1};
    assert_int_equal(lead_match(&honest, &run, &error), STATUS_OK);
    assert_int_equal(run.done, 8);
    void (*const lies[])(struct text *) = {
        wild_player, other_player, negative_player, wild_points, other_points,  wild_fault, wild_loser,
        wild_plies,  many_plies,   endless,         later_game,  negative_game, torn,       longer};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct script script = {.honest = honest_game, .change = lies[i], .lie = 2};
        error.text[0] = '\0';
        assert_int_equal(lead_match(&script, &run, &error), STATUS_FAIL);
        assert_non_null(strstr(error.text, "a helper"));
        assert_int_equal(run.done, 2);
    }
}

/* One helper answers all the time, asked or not: the other's game must not be taken for done. */
static void test_out_of_turn(void **state) {
    (void)state;
    struct error error = {0};
    struct runner_state run;
    struct script script = {.honest = honest_game, .lie = -1, .from = 1};
    enum status status = lead_match(&script, &run, &error);
    assert_int_equal(status, STATUS_FAIL);
    assert_non_null(strstr(error.text, "without being asked"));
}

/* -- squares -- */

static void honest_squares(struct script *script, int64_t unit, struct text *answer) {
    (void)script;
    liar_honest_squares(unit, answer);
}

static enum status keep(void *user, const struct swapmap *map, int index, struct error *error) {
    (void)map, (void)index, (void)error;
    ++*(int *)user;
    return STATUS_OK;
}

static enum status lead_map(struct script *script, struct swapmap *map, int *squares, struct error *error) {
    struct liar liar;
    struct search_control control = {0};
    liar_init(&liar, 0, speak, script);
    struct swapmap_settings settings = {.games = 6, .nodes = 1, .crew = liar_link(&liar)};
    *map = (struct swapmap){0};
    *squares = 0;
    enum status status = swapmap_run(&settings, map, &control, keep, squares, error);
    liar_free(&liar);
    return status;
}

static void say(struct text *answer, int64_t unit, int64_t value, int won, int drawn) {
    text_free(answer);
    liar_squares(answer, unit, value, (int[3]){won, drawn, 0});
}

static void many_games(struct text *answer) {
    say(answer, 0, 1, INT_MAX, 0);
}

static void negative_games(struct text *answer) {
    say(answer, 0, 1, -1, 1);
}

static void wild_number(struct text *answer) {
    say(answer, INT64_MIN, 1, 0, 0);
}

static void wild_value(struct text *answer) {
    say(answer, 0, 99999, 0, 0);
}

static void other_square(struct text *answer) {
    say(answer, 20, 1, 0, 0);
}

/* The search of the first square once more, which helper 1 has answered in its first turn. */
static void answered_before(struct text *answer) {
    say(answer, 0, 1, 0, 0);
}

static void test_squares(void **state) {
    (void)state;
    struct error error = {0};
    struct swapmap map;
    int squares;
    struct script honest = {.honest = honest_squares, .lie = -1};
    assert_int_equal(lead_map(&honest, &map, &squares, &error), STATUS_OK);
    assert_int_equal(squares, GOMOKU_SWAP_SQUARES);
    assert_int_equal(map.entries[0].won, 6);
    void (*const lies[])(struct text *) = {many_games,   negative_games,  wild_number, wild_value,
                                           other_square, answered_before, longer,      torn};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct script script = {.honest = honest_squares, .change = lies[i], .lie = lies[i] == answered_before ? 2 : 0};
        error.text[0] = '\0';
        assert_int_equal(lead_map(&script, &map, &squares, &error), STATUS_FAIL);
        assert_non_null(strstr(error.text, "a helper"));
        assert_int_equal(squares, 0);
    }
}

/* -- a leader that lies -- */

static enum status never(void *user, const struct crew_unit *unit, struct text *answer, struct error *error) {
    (void)user, (void)unit, (void)answer, (void)error;
    fail_msg("there was no unit");
    return STATUS_FAIL;
}

static int speak_short(void *user, struct liar *liar, struct text *message) {
    (void)user, (void)liar;
    text_add_string(message, "brief");
    return 0;
}

static void test_short_unit(void **state) {
    (void)state;
    struct error error = {0};
    struct liar liar;
    liar_init(&liar, 1, speak_short, NULL);
    assert_int_equal(crew_help(liar_link(&liar), never, NULL, &error), STATUS_FAIL);
    assert_non_null(strstr(error.text, "sent no unit"));
    liar_free(&liar);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games),
        cmocka_unit_test(test_out_of_turn),
        cmocka_unit_test(test_squares),
        cmocka_unit_test(test_short_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
