/* The prover asks the engine where a position has cost much: it finds what it did not find without, the same each time,
 * and stops at once. And it takes what is proved without a stray stone for a guide. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "prove/question.h"

/* A position whose win took 2,671 positions by proof numbers alone. */
#define HARD "gomoku freestyle 15\nH8 G7 I7 J6 H9 H7 G8 I10 I8 J8\n"
#define HARD_NODES 1500
#define MUCH_WORK 1000000000
#define TURN_NODES 3000

static struct gomoku_position position;
static atomic_bool no_stop;
static uint16_t same[GOMOKU_MOST_SQUARES];

static void read_text(const char *text) {
    struct reader reader;
    struct error error;
    reader_init(&reader, text, strlen(text));
    assert_int_equal(gomoku_game.read((struct game_position *)&position, &reader, &error), STATUS_OK);
    for (int square = 0; square < GOMOKU_MOST_SQUARES; square++) {
        same[square] = (uint16_t)square;
    }
}

static struct question ask(struct proved *proved, uint64_t nodes) {
    struct question_settings settings = {
        .wanted = {true}, .hash_bytes = (size_t)32 << 20, .nodes = nodes, .stop = &no_stop};
    struct question question;
    struct error error;
    assert_int_equal(question_ask(&question, &position, &settings, proved, NULL, &error), STATUS_OK);
    return question;
}

/* With nothing known. */
static struct question ask_anew(uint64_t nodes) {
    struct proved proved;
    proved_init(&proved);
    struct question question = ask(&proved, nodes);
    proved_close(&proved);
    return question;
}

static void test_hard_position(void **state) {
    (void)state;
    read_text(HARD);
    struct question first = ask_anew(HARD_NODES);
    struct question second = ask_anew(HARD_NODES);
    assert_int_equal(first.answer, ANSWER_WINS);
    assert_true(first.asked > 0);
    assert_int_equal(first.counts.nodes, second.counts.nodes);
    assert_int_equal(first.engine_nodes, second.engine_nodes);
    assert_int_equal(first.move, second.move);
}

/* The engine is asked as soon as a position has cost enough, in the midst of the search of one of its moves: when it
 * was asked between two of them only, this took 2,605 positions. */
static void test_in_time(void **state) {
    (void)state;
    read_text("gomoku freestyle 15\nH8 H6 H9 G9\n");
    assert_int_equal(ask_anew(2000).answer, ANSWER_WINS);
}

/* Asked for the first time after some work, again after much more; little work is not noted. */
static void test_when(void **state) {
    (void)state;
    struct adviser adviser;
    assert_true(adviser_make(&adviser, (size_t)1 << 20, &no_stop, false));
    read_text(HARD);
    assert_int_equal(adviser_wait(&adviser, 1, 40000, 1), 60000);
    assert_int_equal(adviser_wait(&adviser, 1, 40000, 8), 760000);
    assert_int_equal(adviser_wait(&adviser, 1, 400000, 1), 0);
    adviser_note(&adviser, 1, 90000);
    assert_int_equal(adviser_wait(&adviser, 1, 40000, 1), 0);
    assert_int_equal(adviser_wait(&adviser, 2, 40000, 1), 60000);
    adviser_note(&adviser, 1, 10000);
    assert_int_equal(adviser_wait(&adviser, 1, 0, 1), 0);
    adviser_ask(&adviser, &position, 1, same, 0);
    assert_true(position.board[adviser_move(&adviser, 1)] == GOMOKU_EMPTY);
    assert_int_equal(adviser_move(&adviser, 2), NO_SQUARE);
    assert_int_equal(adviser_wait(&adviser, 1, 200000, 1), 100000);
    assert_int_equal(adviser_wait(&adviser, 1, 300000, 8), 0);
    adviser_note(&adviser, 3, 10);
    assert_int_equal(adviser_wait(&adviser, 3, 99995, 1), 5);
    adviser_free(&adviser);
}

/* What has cost much stays when there is no room. */
static void test_room(void **state) {
    (void)state;
    struct adviser adviser;
    assert_true(adviser_make(&adviser, (size_t)1 << 20, &no_stop, false));
    adviser_note(&adviser, 1, 99000);
    for (uint64_t key = 2; key < 200000; key++) {
        adviser_note(&adviser, key, 5000);
    }
    assert_int_equal(adviser_wait(&adviser, 1, 5000, 1), 0);
    assert_true(adviser_wait(&adviser, 199999, 80000, 1) > 0);
    adviser_free(&adviser);
}

static void *stop_soon(void *user) {
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    atomic_store((atomic_bool *)user, true);
    return NULL;
}

/* Both flags end the engine's search long before its nodes are used up. */
static void test_stop(void **state) {
    (void)state;
    atomic_bool stop = false;
    struct adviser adviser;
    assert_true(adviser_make(&adviser, (size_t)1 << 20, &stop, false));
    read_text("gomoku freestyle 15\nH8 H7\n");
    atomic_bool *const flags[] = {&stop, &adviser.control.stop};
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        uint64_t before = adviser.nodes;
        atomic_store(&stop, false);
        adviser_note(&adviser, 1, MUCH_WORK);
        assert_int_equal(pthread_create(&thread, NULL, stop_soon, flags[i]), 0);
        adviser_ask(&adviser, &position, 1, same, 0);
        pthread_join(thread, NULL);
        assert_true(adviser.nodes - before < 5000000);
    }
    adviser_free(&adviser);
}

/* A child that weighs more must be so much better to be tried, and is searched by its own measure. */
static void test_weight(void **state) {
    (void)state;
    struct pn_children children = {.count = 2};
    children.list[0] = (struct pn_child){.square = 1, .value = {1, 10}, .weight = 8};
    children.list[1] = (struct pn_child){.square = 2, .value = {1, 70}, .weight = 1};
    assert_int_equal(pn_gather(&children).phi, 70);
    assert_int_equal(children.best, 1);
    children.list[1].value.delta = 90;
    assert_int_equal(pn_gather(&children).phi, 80);
    assert_int_equal(children.best, 0);
    uint32_t limit = pn_limits(&children, (struct pn_value){PN_NEVER, PN_NEVER}, PN_SLACK).delta;
    assert_true(limit > 10 && limit < 20);
    assert_true(pn_limits(&children, (struct pn_value){PN_NEVER, PN_NEVER}, PN_NO_SLACK).delta < limit);
    assert_true(pn_limits(&children, (struct pn_value){PN_NEVER, PN_NEVER}, PN_NO_SLACK).delta > 10);
    children.list[0].value.delta = PN_NEVER / 2;
    assert_int_equal(pn_gather(&children).phi, 90);
    children.list[0].value = PN_FAILED;
    assert_int_equal(pn_gather(&children).phi, 0);
}

/* What is proved wins the position in less than half of the positions that it takes without. */
static void assert_shorter(struct proved *proved) {
    struct question guided = ask(proved, 0);
    struct question unguided = ask_anew(0);
    assert_int_equal(guided.answer, ANSWER_WINS);
    assert_int_equal(unguided.answer, ANSWER_WINS);
    assert_true(2 * guided.counts.nodes < unguided.counts.nodes);
}

/* The same position in the other colours with a stone at A1, mirrored: what is known of the one shortens the other. */
static void test_stray(void **state) {
    (void)state;
    struct proved proved;
    proved_init(&proved);
    read_text(HARD);
    assert_int_equal(ask(&proved, HARD_NODES).answer, ANSWER_WINS);
    read_text("gomoku freestyle 15\nA1 H8 G9 I9 J10 H7 H9 G8 I6 I8 J8\n");
    assert_shorter(&proved);
    proved_close(&proved);
}

/* What is proved with the stray on one square shortens the same with the stray on another. */
static void test_stray_moved(void **state) {
    (void)state;
    struct proved proved;
    proved_init(&proved);
    read_text("gomoku freestyle 15\nA1 H8 G9 I9 J10 H7 H9 G8 I6 I8 J8\n");
    assert_int_equal(ask(&proved, 0).answer, ANSWER_WINS);
    read_text("gomoku freestyle 15\nO2 H8 G9 I9 J10 H7 H9 G8 I6 I8 J8\n");
    assert_shorter(&proved);
    proved_close(&proved);
}

/* What is proved from the middle shortens the same moved along. */
static void test_moved_from_middle(void **state) {
    (void)state;
    static const char *const moved[] = {"gomoku freestyle 15\nG8 F7 H7 I6 G9 G7 F8 H10 H8 I8\n",
                                        "gomoku freestyle 15\nG7 F6 H6 I5 G8 G6 F7 H9 H7 I7\n"};
    struct proved proved;
    proved_init(&proved);
    read_text(HARD);
    assert_int_equal(ask(&proved, HARD_NODES).answer, ANSWER_WINS);
    for (int i = 0; i < 2; i++) {
        read_text(moved[i]);
        assert_shorter(&proved);
    }
    proved_close(&proved);
}

/* Adds to the store that a move wins in a position. */
static void remember(struct proved *proved, const char *moves, const char *square) {
    struct prover prover;
    struct prove_settings settings = {.hash_bytes = (size_t)1 << 20, .stop = &no_stop};
    int symmetry;
    read_text(moves);
    settings.hero = position.count & 1;
    assert_true(prover_make(&prover, &position, &settings, proved));
    uint64_t key = prover_key(&prover, &symmetry);
    proved_add(proved, key, prover.turned[symmetry][gomoku_parse_square(position.size, square, strlen(square))]);
    prover_free(&prover);
}

/* The guide's move for the side to move. */
static int guide_by(struct proved *proved, const char *moves) {
    struct prover prover;
    struct prove_settings settings = {.hash_bytes = (size_t)1 << 20, .stop = &no_stop};
    read_text(moves);
    settings.hero = position.count & 1;
    assert_true(prover_make(&prover, &position, &settings, proved));
    int move = guide_move(&prover);
    prover_free(&prover);
    return move;
}

/* The same, when G7 is known to win after H8 G8. */
static int guide_after(const char *moves) {
    struct proved proved;
    proved_init(&proved);
    remember(&proved, "gomoku freestyle 15\nH8 G8\n", "G7");
    int move = guide_by(&proved, moves);
    proved_close(&proved);
    return move;
}

/* Of a move and its mirror image the one away from the stray is meant. */
static void test_mirror_image(void **state) {
    (void)state;
    assert_int_equal(guide_after("gomoku freestyle 15\nE2 H8 G8\n"), gomoku_parse_square(15, "G9", 2));
    assert_int_equal(guide_after("gomoku freestyle 15\nE14 H8 G8\n"), gomoku_parse_square(15, "G7", 2));
    assert_int_equal(guide_after("gomoku freestyle 15\nE2 H8 F8\n"), NO_SQUARE);
}

/* Moved along from the middle, the one with more room is. */
static void test_mirror_image_moved(void **state) {
    (void)state;
    assert_int_equal(guide_after("gomoku freestyle 15\nG7 F7\n"), gomoku_parse_square(15, "F8", 2));
    assert_int_equal(guide_after("gomoku freestyle 15\nG9 F9\n"), gomoku_parse_square(15, "F8", 2));
    assert_int_equal(guide_after("gomoku freestyle 15\nF7 F6\n"), gomoku_parse_square(15, "G6", 2));
    assert_int_equal(guide_after("gomoku freestyle 15\nG7 E7\n"), NO_SQUARE);
}

/* What is known of a position moved by less is meant before what is known of it in the middle. */
static void test_moved_least(void **state) {
    (void)state;
    struct proved proved;
    proved_init(&proved);
    remember(&proved, "gomoku freestyle 15\nH8 F8\n", "H9");
    assert_int_equal(guide_by(&proved, "gomoku freestyle 15\nF8 D8\n"), gomoku_parse_square(15, "F9", 2));
    remember(&proved, "gomoku freestyle 15\nG8 E8\n", "E7");
    assert_int_equal(guide_by(&proved, "gomoku freestyle 15\nF8 D8\n"), gomoku_parse_square(15, "D7", 2));
    assert_int_equal(guide_by(&proved, "gomoku freestyle 15\nF7 D7\n"), gomoku_parse_square(15, "D8", 2));
    proved_close(&proved);
}

/* What is known of larger boards is meant on smaller ones, of the next larger first; of two images the one with more
 * room. */
static void test_larger(void **state) {
    (void)state;
    struct proved proved;
    proved_init(&proved);
    remember(&proved, "gomoku freestyle 15\nH8 G8\n", "G7");
    assert_int_equal(guide_by(&proved, "gomoku freestyle 14\nH8 G8\n"), gomoku_parse_square(14, "G7", 2));
    assert_int_equal(guide_by(&proved, "gomoku freestyle 14\nG7 H7\n"), gomoku_parse_square(14, "H8", 2));
    assert_int_equal(guide_by(&proved, "gomoku freestyle 13\nG7 E7\n"), NO_SQUARE);
    remember(&proved, "gomoku freestyle 14\nG7 F7\n", "F6");
    assert_int_equal(guide_by(&proved, "gomoku freestyle 13\nG7 F7\n"), gomoku_parse_square(13, "F6", 2));
    assert_int_equal(guide_by(&proved, "gomoku freestyle 15\nG7 F7\n"), gomoku_parse_square(15, "F8", 2));
    proved_close(&proved);
}

/* How many replies to a move at the root were looked at within so many nodes, with turns of so many steps. */
static int count_tried(uint64_t turn_steps) {
    struct prover prover;
    struct proved proved;
    struct prove_settings settings = {
        .hash_bytes = (size_t)32 << 20, .nodes = TURN_NODES, .turn_steps = turn_steps, .stop = &no_stop};
    int count = 0;
    proved_init(&proved);
    read_text("gomoku freestyle 15\nH8\n");
    assert_true(prover_make(&prover, &position, &settings, &proved));
    assert_int_equal(prover_run(&prover), PROVE_OPEN);
    for (int square = 0; square < prover.board->squares; square++) {
        count += gboard_is_empty(prover.board, square) &&
                 pn_table_find(&prover.table, prover_key_after(&prover, square)) != NULL;
    }
    prover_free(&prover);
    proved_close(&proved);
    return count;
}

/* Replies at the root that are not settled soon let the others come first. */
static void test_turns(void **state) {
    (void)state;
    int with = count_tried(50000);
    int without = count_tried((uint64_t)1 << 40);
    print_message("%d replies tried in turns, %d otherwise\n", with, without);
    assert_true(with > 2 * without);
}

/* After a bare move the villain's three has to be parried, and that move may be bare too: the replies to it are looked
 * at, rather than the first move given up. */
static void test_parried(void **state) {
    (void)state;
    struct prover prover;
    struct proved proved;
    struct prove_settings settings = {.hero = 1, .hash_bytes = (size_t)1 << 20, .stop = &no_stop};
    proved_init(&proved);
    read_text("gomoku freestyle 15\nB1 H8 C1\n");
    assert_true(prover_make(&prover, &position, &settings, &proved));
    prover_play(&prover, gomoku_parse_square(15, "I8", 2));
    struct pn_children children;
    uint16_t move;
    int symmetry;
    int reply = gomoku_parse_square(15, "K8", 2);
    int answer = gomoku_parse_square(15, "I9", 2);
    prover_play(&prover, reply);
    uint64_t key = prover_key(&prover, &symmetry);
    proved_add(&proved, key, prover.turned[symmetry][answer]);
    prover_undo(&prover);
    assert_int_equal(win_expand(&prover, &children, NO_SQUARE, &move), PROVE_OPEN);
    prover_play(&prover, gomoku_parse_square(15, "D1", 2));
    assert_int_equal(win_expand(&prover, &children, NO_SQUARE, &move), PROVE_OPEN);
    prover_play(&prover, gomoku_parse_square(15, "E1", 2));
    assert_int_equal(win_expand(&prover, &children, NO_SQUARE, &move), PROVE_OPEN);
    assert_true(children.count > 200);
    prover_play(&prover, reply);
    assert_int_equal(guide_move(&prover), answer);
    prover_free(&prover);
    proved_close(&proved);
}

/* With the first stones, the move whose replies the store can answer is the one to go on with. */
static void test_most_answered(void **state) {
    (void)state;
    struct prover prover;
    struct proved proved;
    struct prove_settings settings = {.hash_bytes = (size_t)1 << 20, .stop = &no_stop};
    proved_init(&proved);
    read_text("gomoku freestyle 15\nH8 G6\n");
    assert_true(prover_make(&prover, &position, &settings, &proved));
    assert_int_equal(guide_move(&prover), NO_SQUARE);
    int move = gomoku_parse_square(15, "F9", 2);
    prover_play(&prover, move);
    for (int square = 0; square < 100; square++) {
        if (gboard_is_empty(prover.board, square)) {
            proved_add(&proved, prover_key_after(&prover, square), 0);
        }
    }
    prover_undo(&prover);
    assert_int_equal(guide_move(&prover), move);
    prover_free(&prover);
    proved_close(&proved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hard_position),
        cmocka_unit_test(test_when),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_weight),
        cmocka_unit_test(test_stray),
        cmocka_unit_test(test_most_answered),
        cmocka_unit_test(test_stray_moved),
        cmocka_unit_test(test_moved_from_middle),
        cmocka_unit_test(test_mirror_image),
        cmocka_unit_test(test_mirror_image_moved),
        cmocka_unit_test(test_moved_least),
        cmocka_unit_test(test_larger),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_parried),
        cmocka_unit_test(test_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
