/* Proofs of margins: what is proved is what plain minimax by the game's own rules says, the checker accepts it, and
 * nothing better than the truth can be shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/laser/rules/laser.h"
#include "games/war/rules/war.h"
#include "prove/values.h"
#include "support/proof_file.h"
#include "support/scale.h"

static struct rng rng = {44};
static struct proof_file file;

static union {
    struct war_position war;
    struct laser_position laser;
} position;

static struct game_position *at(void) {
    return (struct game_position *)&position;
}

/* The margin of the side to move with every move the rules allow, Stakes beside Raids among them. */
static game_score minimax(const struct game *game) {
    game_move moves[128];
    int count = game->moves(at(), moves);
    int sign = game->to_move(at()) == 0 ? 1 : -1;
    game_score best = count ? -GAME_INFINITY : sign * game->score(at());
    for (int i = 0; i < count; i++) {
        struct game_undo undo;
        game->play(at(), moves[i], &undo);
        game_score value = -minimax(game);
        game->undo(at(), &undo);
        best = value > best ? value : best;
    }
    return best;
}

/* A war board with up to six empty squares. */
static void random_war(void) {
    int size = 2 + (int)rng_below(&rng, 3);
    int empty = 1 + (int)rng_below(&rng, size == 2 ? 4 : 6);
    war_clear(&position.war, size, (int)rng_below(&rng, 2));
    for (int square = 0; square < size * size; square++) {
        position.war.values[square] = 1 + (int32_t)rng_below(&rng, 20);
    }
    while (position.war.empty > empty) {
        int square = (int)rng_below(&rng, (uint32_t)(size * size));
        if (!war_taken(&position.war, square)) {
            war_put(&position.war, (int)rng_below(&rng, 2), square);
        }
    }
    position.war.to_move = (uint8_t)rng_below(&rng, 2);
}

/* A board of Laser Checkmate with blocks, some moves played. */
static void random_laser(void) {
    int size = 2 + (int)rng_below(&rng, 4);
    laser_game.start_random(at(), size, 0, &rng, NULL);
    for (uint32_t moves = rng_below(&rng, 3); moves > 0 && !laser_game.over(at()); moves--) {
        game_move list[64];
        struct game_undo undo;
        int count = laser_game.moves(at(), list);
        laser_game.play(at(), list[rng_below(&rng, (uint32_t)count)], &undo);
    }
}

/* Proves the position and compares; leaves the certificates in `file`. */
static int32_t prove(const struct game *game) {
    struct values_report report;
    struct error error = {0};
    proof_file_open(&file);
    struct values_request request = {.game = game, .position = at(), .stream = file.stream};
    assert_true(values_take(game, at()));
    assert_int_equal(values_prove(&request, &report, &error), STATUS_OK);
    proof_file_close(&file);
    assert_true(report.settled);
    assert_int_equal(report.lower, report.upper);
    assert_int_equal(report.lower, minimax(game));
    assert_int_equal(report.bytes, file.length);
    if (proof_file_verify(&file, file.length, false) != 0) {
        fail_msg("%s", file.said);
    }
    return report.lower;
}

/* Where the margin of the claim stands, and its length. */
static char *margin_of(char *bytes, size_t *length) {
    char *margin = strstr(strstr(bytes, "claim"), "margin ") + 7;
    *length = (size_t)(strchr(margin, '\n') - margin);
    return margin;
}

/* Where the second certificate begins. */
static size_t second_begins(void) {
    size_t at_byte = 1;
    while (memcmp(file.bytes + at_byte, "sortie proof", 12) != 0) {
        at_byte++;
    }
    return at_byte;
}

/* Puts another margin of as many digits in the first certificate, and changes the body in some places. */
static bool alter(const struct game *game, int32_t margin, bool body) {
    size_t length;
    size_t second = second_begins();
    char *place = margin_of(file.bytes, &length);
    char text[16];
    if (snprintf(text, sizeof text, "%d", (int)margin) != (int)length) {
        return false;
    }
    memcpy(place, text, length);
    file.length = second;
    char *start = place; /* of the body: behind as many rows as there are */
    for (int row = game->size(at()); body && row >= 0; row--) {
        start = strchr(start, '\n') + 1;
    }
    for (uint32_t times = rng_below(&rng, 3); body && times > 0; times--) {
        start[rng_below(&rng, (uint32_t)(second - 8 - (size_t)(start - file.bytes)))] = (char)rng_below(&rng, 32);
    }
    proof_file_seal(&file);
    return true;
}

static void try_game(const struct game *game, void (*random)(void), int rounds) {
    for (int i = 0; i < rounds; i++) {
        random();
        int32_t value = prove(game);
        if (alter(game, value + 1 + i % 2, i % 3 > 0) && proof_file_verify(&file, file.length, false) == 0) {
            fail_msg("worth %d, shown: %s", (int)value, file.said);
        }
    }
}

static void test_war(void **state) {
    (void)state;
    try_game(&war_game, random_war, SCALED(300));
}

static void test_laser(void **state) {
    (void)state;
    try_game(&laser_game, random_laser, SCALED(300));
}

/* A search that is stopped or has no room says so, and writes no digest. */
static void test_given_up(void **state) {
    (void)state;
    struct values_report report;
    struct error error = {0};
    war_clear(&position.war, 4, WAR_STAKE);
    proof_file_open(&file);
    struct values_request request = {.game = &war_game, .position = at(), .stream = file.stream, .memory = 1 << 20};
    assert_int_equal(values_prove(&request, &report, &error), STATUS_OK);
    proof_file_close(&file);
    assert_false(report.settled);
    assert_true(report.lower < report.upper);
    assert_int_not_equal(proof_file_verify(&file, file.length, false), 0);
    war_clear(&position.war, 9, WAR_STAKE);
    assert_false(values_take(&war_game, at()));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_war),
        cmocka_unit_test(test_laser),
        cmocka_unit_test(test_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
