/* The prover of Gomoku: everything it proves is checked by the verifier, which shares nothing with it, and what it says
 * about small boards is compared with trying out everything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/rng.h"
#include "games/gomoku/book/book.h"
#include "prove/question.h"
#include "prove/verify.h"
#include "support/scale.h"
#include "support/tactics.h"

static struct gomoku_position position;
static atomic_bool no_stop;

static void read_text(const char *text) {
    struct reader reader;
    struct error error;
    reader_init(&reader, text, strlen(text));
    assert_int_equal(gomoku_game.read((struct game_position *)&position, &reader, &error), STATUS_OK);
}

/* Asks about the position and has the proof verified. */
static struct question ask(struct question_settings settings) {
    struct question question;
    struct proved proved;
    struct error error;
    FILE *stream = tmpfile();
    FILE *nothing = fopen("/dev/null", "w");
    assert_true(stream && nothing);
    proved_init(&proved);
    settings.stop = &no_stop;
    assert_int_equal(question_ask(&question, &position, &settings, &proved, stream, &error), STATUS_OK);
    if (question.answer != ANSWER_NONE) {
        rewind(stream);
        assert_int_equal(verify_stream(stream, "proof", false, NULL, nothing, stderr), 0);
    }
    proved_close(&proved);
    fclose(nothing);
    fclose(stream);
    return question;
}

#define ALL_CLAIMS                                                                                                     \
    { true, true, true }
#define SMALL_HASH ((size_t)1 << 20)

/* -- positions with known outcomes -- */

/* All wins of the file are proved; where fours are known not to win, fours prove nothing. */
static void test_tactics(void **state) {
    (void)state;
    static struct tactics tactics;
    assert_true(tactics_open(&tactics, TEST_GOLDEN "/gomoku/tactics.txt"));
    int count = 0;
    int proofs = 0;
    while (tactics_next(&tactics)) {
        if (count++ % SLOW != 0) {
            continue;
        }
        read_text(tactics.text);
        if (strcmp(tactics.kind, "none") != 0) {
            struct question question =
                ask((struct question_settings){.wanted = {true}, .hash_bytes = (size_t)8 << 20, .nodes = 2000});
            assert_int_equal(question.answer, ANSWER_WINS);
            proofs++;
            continue;
        }
        struct prover prover;
        struct proved proved;
        proved_init(&proved);
        struct prove_settings settings = {.hero = position.count & 1, .hash_bytes = SMALL_HASH, .stop = &no_stop};
        assert_true(prover_make(&prover, &position, &settings, &proved));
        struct tree tree = {0};
        assert_int_equal(threats_win(&prover.threats, 2000000, 0, &tree), TREE_NONE);
        tree_free(&tree);
        prover_free(&prover);
        proved_close(&proved);
    }
    assert_true(tactics_close(&tactics));
    assert_true(proofs >= 221 / SLOW - 2);
}

/* -- small boards against trying out everything -- */

static bool has_five(const uint8_t *board, int stone) {
    static const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int row = 0; row < 5; row++) {
        for (int column = 0; column < 5; column++) {
            for (int d = 0; d < 4; d++) {
                int length = 0;
                while (length < 5) {
                    int r = row + length * steps[d][0];
                    int c = column + length * steps[d][1];
                    if (r > 4 || c > 4 || c < 0 || board[r * 5 + c] != stone) {
                        break;
                    }
                    length++;
                }
                if (length == 5) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* 1 the side to move wins, 0 nobody, -1 the other side. */
static int naive_value(uint8_t *board, int stone) {
    if (has_five(board, 3 - stone)) {
        return -1;
    }
    int best = -1;
    bool full = true;
    for (int square = 0; square < 25 && best < 1; square++) {
        if (board[square] == GOMOKU_EMPTY) {
            full = false;
            board[square] = (uint8_t)stone;
            int value = -naive_value(board, 3 - stone);
            board[square] = GOMOKU_EMPTY;
            best = value > best ? value : best;
        }
    }
    return full ? 0 : best;
}

static bool random_ending(struct rng *rng, int empty) {
    uint8_t board[25] = {0};
    for (int stones = 0; stones < 25 - empty;) {
        int square = (int)rng_below(rng, 25);
        if (board[square] == GOMOKU_EMPTY) {
            board[square] = (uint8_t)(1 + (stones++ & 1));
        }
    }
    return !has_five(board, GOMOKU_X) && !has_five(board, GOMOKU_O) &&
           gomoku_set_board(&position, 5, GOMOKU_FREESTYLE, board, NULL) == STATUS_OK;
}

/* Every answer is the true one, and there is one. */
static void test_small_boards(void **state) {
    (void)state;
    struct rng rng = {5};
    int seen[3] = {0};
    for (int tried = 0; tried < SCALED(400);) {
        if (!random_ending(&rng, 4 + (int)rng_below(&rng, 5))) {
            continue;
        }
        int value = naive_value(position.board, 1 + (position.count & 1));
        if (value == 0 && tried % 4 != 0) {
            tried += seen[1] > 20; /* most of them are drawn */
            continue;
        }
        tried++;
        struct question question =
            ask((struct question_settings){.wanted = ALL_CLAIMS, .hash_bytes = SMALL_HASH, .nodes = 100000});
        enum question_answer right = value > 0 ? ANSWER_WINS : value < 0 ? ANSWER_LOSES : ANSWER_HOLDS;
        if (question.answer == ANSWER_HOLDS && value < 0) {
            right = ANSWER_HOLDS; /* the other side holds, and wins too */
        }
        assert_int_equal(question.answer, right);
        seen[value + 1]++;
    }
    assert_true(seen[0] + seen[2] > 0 && seen[1] > 0);
}

/* Pairs may hold after a move that makes a four as well: the proof says either, not both. */
static void test_pairs_after_a_four(void **state) {
    (void)state;
    read_text("gomoku freestyle 6\n"
              "..O...\n"
              "..O.O.\n"
              "XX....\n"
              ".XX...\n"
              ".X...O\n"
              ".O....\n");
    struct question question =
        ask((struct question_settings){.wanted = {[ANSWER_HOLDS] = true}, .hash_bytes = SMALL_HASH, .nodes = 2000});
    assert_int_equal(question.answer, ANSWER_HOLDS);
}

/* A hero who holds also attacks: by threats of his own he is spared most of the answers. By pairs alone this took
 * 10,419 positions. */
static void test_holding_by_threats(void **state) {
    (void)state;
    read_text("gomoku freestyle 8\nC3 D4 D3 E3\n");
    struct question question = ask(
        (struct question_settings){.wanted = {[ANSWER_HOLDS] = true}, .hash_bytes = 16 * SMALL_HASH, .nodes = 3000});
    assert_int_equal(question.answer, ANSWER_HOLDS);
    assert_true(question.counts.wins > 0 && question.counts.covered > 0);
}

/* The empty board of 7x7, and the same nodes each time; with a table so small that it is always full; with threads. */
static void test_empty_board(void **state) {
    (void)state;
    uint64_t nodes = 0;
    for (int i = 0; i < 4; i++) {
        gomoku_clear(&position, SLOW > 1 ? 6 : 7, GOMOKU_FREESTYLE);
        struct question_settings settings = {.wanted = {[ANSWER_HOLDS] = true}, .hash_bytes = SMALL_HASH};
        settings.hash_bytes = i == 2 ? 4096 : SMALL_HASH;
        settings.threads = i == 3 ? 2 : 1;
        struct question question = ask(settings);
        assert_int_equal(question.answer, ANSWER_HOLDS);
        if (i == 1) {
            assert_true(question.counts.nodes == nodes);
        }
        nodes = question.counts.nodes;
    }
}

/* An opening: a reply far from the first stone loses, and wins found after one reply serve after others. */
static void test_opening(void **state) {
    (void)state;
    read_text(SLOW > 1 ? "gomoku freestyle 15\nH8 A1 G7 O1\n" : "gomoku freestyle 15\nH8 A1\n");
    struct question question =
        ask((struct question_settings){.wanted = {true}, .hash_bytes = 32 * SMALL_HASH, .nodes = 25000});
    assert_int_equal(question.answer, ANSWER_WINS);
    assert_true(question.counts.adapted > question.counts.wins / 4);
}

/* A limit ends it, without an answer. */
static void test_limits(void **state) {
    (void)state;
    read_text("gomoku freestyle 15\nH8 G7\n");
    struct question question = ask((struct question_settings){.wanted = {true}, .hash_bytes = SMALL_HASH, .nodes = 20});
    assert_int_equal(question.answer, ANSWER_NONE);
    assert_in_range(question.counts.nodes, 1, 40);
}

/* A position that is called proved and is not: the building of its proof has to search, for hours. */
static void know_root(struct proved *proved) {
    struct prover prover;
    int symmetry;
    struct prove_settings settings = {.hash_bytes = SMALL_HASH, .stop = &no_stop};
    read_text("gomoku freestyle 15\nH8 G7\n");
    proved_init(proved);
    assert_true(prover_make(&prover, &position, &settings, proved));
    uint64_t key = prover_key(&prover, &symmetry);
    proved_add(proved, key, prover.turned[symmetry][7 * 15 + 9]);
    prover_free(&prover);
}

static void *stop_soon(void *user) {
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    atomic_store((atomic_bool *)user, true);
    return NULL;
}

/* The limit of time is one of the building as well, and so is Ctrl-C; what was in the stream before stays there. */
static void test_building_in_time(void **state) {
    (void)state;
    for (int stopped = 0; stopped < 2; stopped++) {
        struct proved proved;
        struct question question;
        struct error error;
        atomic_bool stop = false;
        pthread_t stopper;
        FILE *stream = tmpfile();
        know_root(&proved);
        struct question_settings settings = {
            .wanted = {true}, .hash_bytes = SMALL_HASH, .seconds = stopped ? 0 : 0.2, .stop = &stop};
        assert_non_null(stream);
        fputs("before", stream);
        if (stopped) {
            assert_int_equal(pthread_create(&stopper, NULL, stop_soon, &stop), 0);
        }
        assert_int_equal(question_ask(&question, &position, &settings, &proved, stream, &error), STATUS_OK);
        if (stopped) {
            pthread_join(stopper, NULL);
        }
        assert_int_equal(question.answer, ANSWER_NONE);
        assert_int_equal(question.found, ANSWER_WINS);
        assert_int_equal(ftell(stream), 6);
        fclose(stream);
        proved_close(&proved);
    }
}

/* -- parts -- */

/* A tree fits a board with another stone exactly where replaying it says so, and what was copied of it fits as well. */
static void check_adapting(const struct tree *tree, int32_t node, struct gboard *board,
                           const struct squares *breakers) {
    struct tree fitted = {0};
    struct tree again = {0};
    for (int square = 0; square < board->squares; square++) {
        if (!gboard_is_empty(board, square)) {
            continue;
        }
        tree_clear(&fitted);
        tree_clear(&again);
        gboard_play(board, square);
        int32_t root = tree_adapt(tree, node, board, &fitted);
        assert_int_equal(root == TREE_NONE, squares_has(breakers, square));
        if (root != TREE_NONE) {
            assert_int_equal(root, fitted.node_count - 1);
            assert_int_equal(tree_adapt(&fitted, root, board, &again), root);
            assert_int_equal(again.reply_count, fitted.reply_count);
        }
        gboard_undo(board);
    }
    tree_free(&fitted);
    tree_free(&again);
}

/* Stones around the middle of 15x15; false when one of them has ended the game. */
static bool random_middle(struct rng *rng) {
    gomoku_clear(&position, 15, GOMOKU_FREESTYLE);
    int stones = 8 + (int)rng_below(rng, 16);
    while (position.count < stones && !gomoku_game.over((struct game_position *)&position)) {
        int square = (4 + (int)rng_below(rng, 7)) * 15 + 4 + (int)rng_below(rng, 7);
        if (position.board[square] == GOMOKU_EMPTY) {
            gomoku_put(&position, square);
        }
    }
    return !gomoku_game.over((struct game_position *)&position);
}

/* What breaks a win after a pass is found without trying every square. */
static void test_zone(void **state) {
    (void)state;
    struct rng rng = {17};
    int wins = 0;
    int breakers = 0;
    for (int game = 0; game < SCALED(4000) && wins < 120; game++) {
        if (!random_middle(&rng)) {
            continue;
        }
        struct prover prover;
        struct proved proved;
        struct tree tree = {0};
        proved_init(&proved);
        struct prove_settings settings = {.hash_bytes = SMALL_HASH, .stop = &no_stop};
        assert_true(prover_make(&prover, &position, &settings, &proved));
        struct gboard *board = prover.board;
        if (gboard_set_empty(board, board->side, SET_FIVE)) {
            gboard_pass(board);
            int32_t node = threats_win(&prover.threats, 1000, 2000, &tree);
            gboard_pass(board);
            struct squares found;
            struct squares right;
            if (node != TREE_NONE) {
                wins++;
                assert_true(tree_breakers(&tree, board, node, false, &found));
                assert_true(tree_breakers(&tree, board, node, true, &right));
                assert_memory_equal(&found, &right, sizeof right);
                check_adapting(&tree, node, board, &right);
                for (int i = 0; i < GBOARD_WORDS; i++) {
                    breakers += bits_count(right.words[i]);
                }
            }
        }
        tree_free(&tree);
        prover_free(&prover);
        proved_close(&proved);
    }
    assert_true(wins >= 30 / SLOW && breakers > 100 / SLOW);
}

/* The side to move looks for a win, and the other side after each of its threes: as if it had been the first to look.
 * Returns how many wins there are. */
static int look_after_threes(struct threats *threats, struct gboard *board) {
    int wins = 0;
    struct squares threes;
    memcpy(threes.words, board->sets[board->side][SET_THREE], sizeof threes.words);
    for (int square = 0; square < board->squares; square++) {
        if (!squares_has(&threes, square)) {
            continue;
        }
        int32_t nodes[2];
        for (int late = 0; late < 2; late++) {
            struct tree tree = {0};
            pn_table_clear(&threats->table);
            if (late) {
                threats_win(threats, 1, 5000, &tree);
            }
            gboard_play(board, square);
            nodes[late] = threats_win(threats, 1, 5000, &tree);
            gboard_undo(board);
            tree_free(&tree);
        }
        assert_int_equal(nodes[0] == TREE_NONE, nodes[1] == TREE_NONE);
        wins += nodes[0] != TREE_NONE;
    }
    return wins;
}

/* What is known of one side's threats does not spoil the other's. */
static void test_both_sides(void **state) {
    (void)state;
    struct rng rng = {23};
    int wins = 0;
    for (int game = 0; game < SCALED(200); game++) {
        if (!random_middle(&rng)) {
            continue;
        }
        struct prover prover;
        struct proved proved;
        proved_init(&proved);
        struct prove_settings settings = {.hash_bytes = SMALL_HASH / 4, .stop = &no_stop};
        assert_true(prover_make(&prover, &position, &settings, &proved));
        if (gboard_set_empty(prover.board, 0, SET_FIVE) && gboard_set_empty(prover.board, 1, SET_FIVE)) {
            wins += look_after_threes(&prover.threats, prover.board);
        }
        prover_free(&prover);
        proved_close(&proved);
    }
    assert_true(wins > 20 / SLOW);
}

/* A tree that is turned keeps its shape, and its replies the order of their squares. */
static void test_copy(void **state) {
    (void)state;
    struct tree tree = {0};
    struct tree copy = {0};
    uint16_t mirrored[225];
    for (int square = 0; square < 225; square++) {
        mirrored[square] = (uint16_t)(square / 15 * 15 + 14 - square % 15);
    }
    struct tree_reply replies[3];
    for (int i = 0; i < 3; i++) {
        replies[i] = (struct tree_reply){(uint16_t)(30 + i), tree_add(&tree, 60 + i, TREE_NONE, NULL, 0)};
    }
    int32_t pass = tree_add(&tree, 90, TREE_NONE, NULL, 0);
    int32_t root = tree_copy(&tree, tree_add(&tree, 0, pass, replies, 3), mirrored, &copy);
    const struct tree_node *node = &copy.nodes[root];
    assert_int_equal(node->move, 14);
    assert_int_equal(copy.nodes[node->pass].move, 104);
    assert_int_equal(node->count, 3);
    for (int i = 0; i < 3; i++) {
        const struct tree_reply *reply = &copy.replies[node->first + i];
        assert_int_equal(reply->square, 42 + i);
        assert_int_equal(copy.nodes[reply->node].move, 72 + i);
    }
    tree_free(&tree);
    tree_free(&copy);
}

/* What is proved outlives the process, a torn record does not, and other files are refused. */
static void test_store(void **state) {
    (void)state;
    char path[] = "/tmp/sortie-proved-XXXXXX";
    struct proved proved;
    struct error error;
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    proved_init(&proved);
    assert_int_equal(proved_open(&proved, path, &error), STATUS_OK);
    for (uint64_t i = 1; i <= 3000; i++) {
        proved_add(&proved, rng_mix(i), (uint32_t)(i % 225));
    }
    assert_true(proved_close(&proved));
    assert_int_equal(truncate(path, 16 + 16 * 2999 + 7), 0);
    for (int i = 0; i < 2; i++) { /* the second time after a new record behind the torn one */
        proved_init(&proved);
        assert_int_equal(proved_open(&proved, path, &error), STATUS_OK);
        assert_int_equal(proved.count, 2999 + i);
        assert_int_equal(proved_find(&proved, rng_mix(2999)), 2999 % 225);
        assert_int_equal(proved_find(&proved, rng_mix(3000)), i ? 7 : -1);
        proved_add(&proved, rng_mix(3000), 7);
        assert_true(proved_close(&proved));
    }
    FILE *file = fopen(path, "w");
    fputs("something else altogether", file);
    fclose(file);
    proved_init(&proved);
    assert_int_equal(proved_open(&proved, path, &error), STATUS_BAD_INPUT);
    proved_close(&proved);
    unlink(path);
}

/* A certificate is a book, in every symmetry; a damaged one is none. */
static void test_book(void **state) {
    (void)state;
    struct question question;
    struct proved proved;
    struct error error;
    struct book book = {0};
    uint16_t move;
    int plies;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    proved_init(&proved);
    read_text("gomoku freestyle 15\nI7 G9 H6 J8 I6 I8 I5 G8 H8 J7\n");
    struct question_settings settings = {.wanted = {true}, .hash_bytes = SMALL_HASH, .nodes = 20000, .stop = &no_stop};
    assert_int_equal(question_ask(&question, &position, &settings, &proved, stream, &error), STATUS_OK);
    proved_close(&proved);
    assert_int_equal(question.answer, ANSWER_WINS);
    uint8_t bytes[1 << 16];
    rewind(stream);
    size_t length = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    assert_true(length > 0 && length < sizeof bytes);
    assert_true(book_read(&book, bytes, length));
    size_t entries = book.count;
    assert_true(entries > 1);
    assert_true(book_look_up(&book, &position, &move, &plies));
    assert_int_equal(move, question.move);
    assert_in_range(plies, 5, 60);
    struct gomoku_position mirrored;
    gomoku_clear(&mirrored, 15, GOMOKU_FREESTYLE);
    for (int i = 0; i < position.count; i++) {
        gomoku_put(&mirrored, position.order[i] / 15 * 15 + 14 - position.order[i] % 15);
    }
    assert_true(book_look_up(&book, &mirrored, &move, &plies));
    assert_int_equal(move, question.move / 15 * 15 + 14 - question.move % 15);
    gomoku_put(&position, question.move);
    assert_false(book_look_up(&book, &position, &move, &plies)); /* the loser is to move */
    bytes[length / 2] ^= 1;
    assert_false(book_read(&book, bytes, length));
    assert_int_equal(book.count, entries);
    book_free(&book);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tactics),
        cmocka_unit_test(test_small_boards),
        cmocka_unit_test(test_empty_board),
        cmocka_unit_test(test_pairs_after_a_four),
        cmocka_unit_test(test_opening),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_zone),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_store),
        cmocka_unit_test(test_book),
        cmocka_unit_test(test_building_in_time),
        cmocka_unit_test(test_both_sides),
        cmocka_unit_test(test_holding_by_threats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
