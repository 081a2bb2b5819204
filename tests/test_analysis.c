/* The database of analysed positions: keys, what is kept and what gives way, marks, trees in and out, merging, files
 * that are damaged or of others. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "analysis/key.h"
#include "analysis/remark.h"
#include "analysis/tree.h"
#include "analysis/walk.h"
#include "base/rng.h"
#include "formats/records/records.h"
#include "game/symmetry.h"
#include "games/war/rules/war.h"
#include "system/file.h"

static char folder[64];
static char path[96];

static struct gomoku_position parse(const char *text) {
    struct gomoku_position position;
    struct reader reader;
    struct error error = {0};
    reader_init(&reader, text, strlen(text));
    assert_int_equal(gomoku_game.read((struct game_position *)&position, &reader, &error), STATUS_OK);
    return position;
}

static const struct game_position *any(const struct gomoku_position *position) {
    return (const struct game_position *)position;
}

static struct analyses *open_fresh(void) {
    struct analyses *analyses;
    struct error error = {0};
    unlink(path);
    assert_int_equal(analyses_open(&analyses, path, ANALYSES_MAKE, &error), STATUS_OK);
    return analyses;
}

static void put(struct analyses *analyses, const char *text, struct analysis_value value, bool kept) {
    struct gomoku_position position = parse(text);
    struct error error = {0};
    bool was = !kept;
    assert_int_equal(analyses_put(analyses, &gomoku_game, any(&position), &value, &was, &error), STATUS_OK);
    assert_int_equal(was, kept);
}

static void get(struct analyses *analyses, const char *text, struct analysis *found) {
    struct gomoku_position position = parse(text);
    struct error error = {0};
    assert_int_equal(analyses_get(analyses, &gomoku_game, any(&position), found, &error), STATUS_OK);
}

static void write_text(struct analyses *analyses, const char *position_text, enum analysis_text which,
                       const char *text) {
    struct gomoku_position position = parse(position_text);
    struct error error = {0};
    assert_int_equal(analyses_write(analyses, &gomoku_game, any(&position), which, text, strlen(text), &error),
                     STATUS_OK);
}

/* -- keys -- */

/* Random positions: all images and all orders of their stones have one key, and squares find their way back. */
static void test_keys_of_images(void **state) {
    (void)state;
    struct rng rng = {.state = 7};
    for (int round = 0; round < 300; round++) {
        struct gomoku_position position;
        int size = 5 + (int)rng_below(&rng, 18);
        gomoku_clear(&position, size, (int)rng_below(&rng, GOMOKU_VARIANTS));
        int stones = (int)rng_below(&rng, 10);
        while (position.count < stones) {
            int square = (int)rng_below(&rng, (uint32_t)(size * size));
            if (position.winner == GOMOKU_NO_WINNER && position.board[square] == GOMOKU_EMPTY) {
                gomoku_put(&position, square);
            }
            stones = position.winner == GOMOKU_NO_WINNER ? stones : position.count;
        }
        struct key key = {0};
        key_make(&key, &gomoku_game, any(&position));
        for (int symmetry = 0; symmetry < SYMMETRY_COUNT; symmetry++) {
            struct gomoku_position turned;
            struct key other = {0};
            gomoku_clear(&turned, size, position.variant);
            turned.count = position.count;
            for (int i = 0; i < position.count; i++) { /* each colour's stones in the opposite order */
                int parity = i & 1;
                int last = position.count - 1 - ((position.count - 1 - parity) & 1);
                turned.order[last - i + parity] = (uint16_t)symmetry_turn(size, symmetry, position.order[i]);
            }
            for (int i = 0; i < position.count; i++) {
                turned.board[turned.order[i]] = (uint8_t)(1 + (i & 1));
            }
            key_make(&other, &gomoku_game, any(&turned));
            assert_string_equal(text_string(&key.text), text_string(&other.text));
            for (int square = 0; square < size * size; square += 7) {
                assert_int_equal(key_square_out(&other, key_square_in(&other, square)), square);
            }
            key_free(&other);
        }
        key_free(&key);
    }
}

static const char *key_of(const char *text, struct key *key) {
    struct gomoku_position position = parse(text);
    key_make(key, &gomoku_game, any(&position));
    return text_string(&key->text);
}

/* What is written down is promised: files are read by later versions. */
static void test_keys_as_written(void **state) {
    (void)state;
    struct key key = {0};
    assert_string_equal(key_of("gomoku freestyle 15\n", &key), "gomoku freestyle 15 X O");
    assert_string_equal(key_of("gomoku renju 15\nH8 I9 J8\n", &key), "gomoku renju 15 X H6 H8 O G7");
    assert_string_equal(key_of("gomoku exact 9\nA1\n", &key), "gomoku exact 9 X A1 O");
    assert_string_equal(key_of("gomoku exact 9\nI9\n", &key), "gomoku exact 9 X A1 O");
    key_free(&key);
}

/* -- what is kept -- */

static void test_deeper_stays(void **state) {
    (void)state;
    struct analyses *analyses = open_fresh();
    struct analysis found = {0};
    put(analyses, "gomoku freestyle 15\nH8\n", (struct analysis_value){.value = 50, .depth = 10, .line = "I9,J8"},
        true);
    put(analyses, "gomoku freestyle 15\nH8\n", (struct analysis_value){.value = 90, .depth = 9}, false);
    put(analyses, "gomoku freestyle 15\nH8\n", (struct analysis_value){.value = 70, .depth = 11, .line = "I9,J8"},
        true);
    get(analyses, "gomoku freestyle 15\nH8\n", &found);
    assert_true(found.valued);
    assert_int_equal(found.value.value, 70);
    assert_int_equal(found.value.depth, 11);
    assert_int_equal(found.line_length, 2);
    /* a proof beats any depth, a quicker one another proof, and nothing else beats it */
    struct analysis_value won = {.value = 29991, .proved = true, .lower = 29991, .upper = 30000, .depth = 3};
    put(analyses, "gomoku freestyle 15\nH8\n", won, true);
    put(analyses, "gomoku freestyle 15\nH8\n", (struct analysis_value){.value = 0, .depth = 99}, false);
    won.value = won.lower = 29989;
    put(analyses, "gomoku freestyle 15\nH8\n", won, false);
    won.value = won.lower = 29993;
    put(analyses, "gomoku freestyle 15\nH8\n", won, true);
    /* other rules and sizes are other positions */
    get(analyses, "gomoku renju 15\nH8\n", &found);
    assert_false(found.here);
    get(analyses, "gomoku freestyle 17\nH8\n", &found);
    assert_false(found.here);
    analysis_free(&found);
    analyses_close(analyses);
}

/* Lines and marks turn with the board. */
static void test_turned(void **state) {
    (void)state;
    struct analyses *analyses = open_fresh();
    struct analysis found = {0};
    put(analyses, "gomoku freestyle 15\nA1 B2\n", (struct analysis_value){.depth = 1, .line = "C1,D1"}, true);
    get(analyses, "gomoku freestyle 15\nO15 N14\n", &found);
    assert_int_equal(found.line_length, 2);
    char move[8];
    memcpy(move, found.line[0], sizeof move);
    assert_true(strcmp(move, "M15") == 0 || strcmp(move, "O13") == 0);
    analysis_free(&found);
    analyses_close(analyses);
}

static void take_mark(void *user, int square, const char *text, size_t length) {
    struct text *marks = user;
    text_addf(marks, "%d%.*s ", square, (int)length, text);
}

static void test_marks_turn(void **state) {
    (void)state;
    struct analyses *analyses = open_fresh();
    struct error error = {0};
    struct text marks = TEXT_EMPTY;
    struct gomoku_position position = parse("gomoku freestyle 15\nA1 C1\n");
    struct gomoku_position turned = parse("gomoku freestyle 15\nA15 A13\n");
    assert_int_equal(analyses_mark(analyses, any(&position), 1, "x", 1, &error), STATUS_OK);
    assert_int_equal(analyses_marks(analyses, any(&turned), take_mark, &marks, &error), STATUS_OK);
    assert_string_equal(text_string(&marks), "195x "); /* B1 has become A14 */
    assert_int_equal(analyses_mark(analyses, any(&turned), 195, "", 0, &error), STATUS_OK);
    marks.length = 0;
    assert_int_equal(analyses_marks(analyses, any(&position), take_mark, &marks, &error), STATUS_OK);
    assert_int_equal(marks.length, 0);
    /* on a board that is its own image, images of a square are one square */
    struct gomoku_position even = parse("gomoku freestyle 15\nH8\n");
    assert_int_equal(analyses_mark(analyses, any(&even), 8 * 15 + 8, "a", 1, &error), STATUS_OK);
    assert_int_equal(analyses_mark(analyses, any(&even), 6 * 15 + 8, "b", 1, &error), STATUS_OK);
    assert_int_equal(analyses_marks(analyses, any(&even), take_mark, &marks, &error), STATUS_OK);
    assert_string_equal(text_string(&marks), "96b ");
    text_free(&marks);
    analyses_close(analyses);
}

/* Any game: its own text is the key. */
static void test_other_games(void **state) {
    (void)state;
    struct analyses *analyses = open_fresh();
    struct error error = {0};
    struct analysis found = {0};
    struct game_position *position = malloc(war_game.properties->position_size);
    assert_non_null(position);
    assert_int_equal(war_game.start(position, 5, 0, &error), STATUS_OK);
    struct analysis_value value = {.value = 7, .depth = 4, .proved = true, .lower = 7, .upper = 7, .line = "A1 Stake"};
    assert_int_equal(analyses_put(analyses, &war_game, position, &value, NULL, &error), STATUS_OK);
    assert_int_equal(analyses_get(analyses, &war_game, position, &found, &error), STATUS_OK);
    assert_int_equal(found.value.value, 7);
    assert_int_equal(found.line_length, 1);
    assert_string_equal(found.line[0], "A1 Stake");
    analysis_free(&found);
    free(position);
    analyses_close(analyses);
}

/* Behind a move and before it again is the same value. */
static void test_both_sides_of_a_move(void **state) {
    (void)state;
    struct analysis_value won = {.value = 29993, .proved = true, .lower = 29993, .upper = 30000, .depth = 8};
    analysis_turn_behind(&gomoku_game, &won);
    assert_int_equal(won.value, -29994);
    assert_int_equal(won.lower, -30000);
    assert_int_equal(won.upper, -29994);
    assert_int_equal(won.depth, 7);
    assert_true(analysis_is_settled(&gomoku_game, &won));
    analysis_turn_before(&gomoku_game, &won);
    assert_int_equal(won.value, 29993);
    assert_int_equal(won.depth, 8);
    struct analysis_value even = {.value = 40, .depth = 5};
    analysis_turn_behind(&gomoku_game, &even);
    assert_int_equal(even.value, -40);
    assert_false(analysis_is_settled(&gomoku_game, &even));
}

/* -- remarks -- */

static void test_remarks(void **state) {
    (void)state;
    struct gomoku_position position = parse("gomoku freestyle 15\nH8\n");
    struct analysis analysis = {.here = true, .valued = true, .line_length = 2, .line = {"I9", "J8"}};
    struct text text = TEXT_EMPTY;
    struct remark remark;
    analysis.value = (struct analysis_value){
        .value = 29993, .proved = true, .lower = 29993, .upper = 30000, .depth = 8, .nodes = 123456};
    text_add_string(&analysis.comment, "two\nlines");
    text_add_string(&analysis.label, "good, or not");
    remark_write(&gomoku_game, any(&position), &analysis, &text);
    assert_string_equal(text_string(&text),
                        "two\nlines\n[sortie: O wins in 4 proved, value 29993, depth 8, nodes 123456, bounds 29993 "
                        "30000, line I9 J8, label good, or not]");
    remark_read(&remark, text_string(&text), text.length);
    assert_int_equal(remark.length, 9);
    assert_true(remark.valued);
    assert_int_equal(remark.value.value, 29993);
    assert_int_equal(remark.value.lower, 29993);
    assert_int_equal(remark.value.upper, 30000);
    assert_true(remark.value.proved);
    assert_int_equal(remark.value.depth, 8);
    assert_int_equal(remark.value.nodes, 123456);
    assert_string_equal(text_string(&remark.line), "I9,J8");
    assert_string_equal(text_string(&remark.label), "good, or not");
    remark_free(&remark);
    remark_read(&remark, "[sortie: value x]\nand more", 26);
    assert_int_equal(remark.length, 26);
    assert_false(remark.valued);
    remark_free(&remark);
    analysis_free(&analysis);
    text_free(&text);
}

/* -- trees -- */

static struct gametrees read_sgf(const char *text) {
    struct gametrees trees = {0};
    struct error error = {0};
    assert_int_equal(record_format_find("sgf")->read(&trees, text, strlen(text), 0, &error), STATUS_OK);
    return trees;
}

static struct analysis_import import_sgf(struct analyses *analyses, const char *text) {
    struct gametrees trees = read_sgf(text);
    struct analysis_import counts = {0};
    struct error error = {0};
    for (int i = 0; i < trees.count; i++) {
        assert_int_equal(analyses_import(analyses, &trees.items[i], GOMOKU_FREESTYLE, true, NULL, &counts, &error),
                         STATUS_OK);
    }
    gametrees_free(&trees);
    return counts;
}

/* The database behind a position in a format. */
static void export_as(struct analyses *analyses, const char *position, const char *format, struct text *text) {
    struct gomoku_position root = parse(position);
    struct gametrees trees = {0};
    struct error error = {0};
    int64_t count;
    assert_int_equal(analyses_export(analyses, &root, &trees, NULL, &count, &error), STATUS_OK);
    assert_int_equal(record_format_find(format)->write(&trees.items[0], root.variant, text, &error), STATUS_OK);
    gametrees_free(&trees);
}

static const char tree_text[] = "(;GM[4]SZ[15]C[root](;B[hh]C[middle](;W[ii]LB[ii:a];B[jj])(;W[hg]MA[hg]))"
                                "(;B[aa]C[corner\n[sortie: O 3%, value 700, depth 5, nodes 9\\]]))";

static void test_tree_in_and_out(void **state) {
    (void)state;
    struct analyses *analyses = open_fresh();
    struct text first = TEXT_EMPTY;
    struct text again = TEXT_EMPTY;
    struct analysis found = {0};
    struct analysis_import counts = import_sgf(analyses, tree_text);
    assert_int_equal(counts.nodes, 5);
    assert_int_equal(counts.comments, 3);
    assert_int_equal(counts.values, 1);
    assert_int_equal(counts.marks, 2);
    assert_int_equal(counts.games, 0);
    counts = import_sgf(analyses, tree_text); /* once is enough */
    assert_int_equal(counts.comments, 0);
    get(analyses, "gomoku freestyle 15\nO15\n", &found); /* another corner */
    assert_int_equal(found.value.value, 700);
    assert_string_equal(text_string(&found.comment), "corner");
    export_as(analyses, "gomoku freestyle 15\n", "sgf", &first);
    analyses_close(analyses);
    analyses = open_fresh();
    import_sgf(analyses, text_string(&first));
    export_as(analyses, "gomoku freestyle 15\n", "sgf", &again);
    assert_string_equal(text_string(&first), text_string(&again));
    /* and through RenLib */
    struct gametrees trees = {0};
    struct error error = {0};
    struct text lib = TEXT_EMPTY;
    export_as(analyses, "gomoku freestyle 15\n", "lib", &lib);
    analyses_close(analyses);
    analyses = open_fresh();
    assert_int_equal(record_format_find("lib")->read(&trees, text_string(&lib), lib.length, 0, &error), STATUS_OK);
    assert_int_equal(analyses_import(analyses, &trees.items[0], GOMOKU_FREESTYLE, false, NULL, &counts, &error),
                     STATUS_OK);
    gametrees_free(&trees);
    again.length = 0;
    export_as(analyses, "gomoku freestyle 15\n", "sgf", &again);
    assert_string_equal(text_string(&first), text_string(&again));
    analyses_close(analyses);
    analysis_free(&found);
    text_free(&first);
    text_free(&again);
    text_free(&lib);
}

/* Games are counted once, whichever way their boards are turned. */
static void test_games(void **state) {
    (void)state;
    struct analyses *analyses = open_fresh();
    struct analysis found = {0};
    assert_int_equal(import_sgf(analyses, "(;GM[4]SZ[15]RE[B+]PB[ann];B[hh];W[ii])").games, 1);
    assert_int_equal(import_sgf(analyses, "(;GM[4]SZ[15]RE[B+]PB[ann];B[hh];W[gg])").games, 0);
    assert_int_equal(import_sgf(analyses, "(;GM[4]SZ[15]RE[W+]PB[bob];B[hh];W[gg])").games, 1);
    get(analyses, "gomoku freestyle 15\nH8\n", &found);
    assert_int_equal(found.games, 2);
    assert_int_equal(found.won[0], 1);
    assert_int_equal(found.won[1], 1);
    analysis_free(&found);
    analyses_close(analyses);
}

/* Moves that a rule does not allow are left out with what follows them, and counted. */
static void test_forbidden_moves(void **state) {
    (void)state;
    struct analyses *analyses = open_fresh();
    /* black's double three at hh */
    struct analysis_import counts = import_sgf(
        analyses, "(;GM[4]SZ[15]RU[renju];B[gh];W[aa];B[ih];W[ac];B[hg];W[ae];B[hi];W[ag](;B[hh];W[oo])(;B[ba]))");
    assert_int_equal(counts.forbidden, 1);
    struct analyses_counts all;
    struct error error = {0};
    assert_int_equal(analyses_count(analyses, &all, &error), STATUS_OK);
    assert_int_equal(all.positions, 10);
    analyses_close(analyses);
}

/* -- forgetting -- */

static int64_t positions_in(struct analyses *analyses) {
    struct analyses_counts all;
    struct error error = {0};
    assert_int_equal(analyses_count(analyses, &all, &error), STATUS_OK);
    return all.positions;
}

static void test_prune(void **state) {
    (void)state;
    struct analyses *analyses = open_fresh();
    struct error error = {0};
    int64_t gone;
    /* H8 A1 B1 C1 and B1 A1 H8 C1: the second way leads to the same end */
    import_sgf(analyses, "(;GM[4]SZ[15](;B[hh];W[aa];B[ba];W[ca];B[da])(;B[ba];W[aa];B[hh]))");
    assert_int_equal(positions_in(analyses), 8);
    struct gomoku_position middle = parse("gomoku freestyle 15\nH8\n");
    assert_int_equal(analyses_prune(analyses, &gomoku_game, any(&middle), NULL, NULL, NULL, &gone, &error), STATUS_OK);
    assert_int_equal(gone, 1); /* H8 A1 alone: what follows is led to from B1 A1 too */
    struct gomoku_position other = parse("gomoku freestyle 15\nB1\n");
    assert_int_equal(analyses_prune(analyses, &gomoku_game, any(&other), NULL, NULL, NULL, &gone, &error), STATUS_OK);
    assert_int_equal(gone, 4);
    assert_int_equal(positions_in(analyses), 3);
    analyses_close(analyses);
}

/* -- whole files -- */

static void test_merge(void **state) {
    (void)state;
    struct error error = {0};
    char other_path[96];
    struct analyses *other;
    struct analysis found = {0};
    int64_t added;
    int64_t changed;
    snprintf(other_path, sizeof other_path, "%s/other.db", folder);
    struct analyses *analyses = open_fresh();
    assert_int_equal(analyses_open(&other, other_path, ANALYSES_MAKE, &error), STATUS_OK);
    put(analyses, "gomoku freestyle 15\nH8\n", (struct analysis_value){.value = 1, .depth = 9}, true);
    put(analyses, "gomoku freestyle 15\nG8\n", (struct analysis_value){.value = 2, .depth = 4}, true);
    put(other, "gomoku freestyle 15\nH8\n", (struct analysis_value){.value = 3, .depth = 8}, true);
    put(other, "gomoku freestyle 15\nG8\n", (struct analysis_value){.value = 4, .depth = 5}, true);
    put(other, "gomoku freestyle 15\nF8\n", (struct analysis_value){.value = 5, .depth = 1}, true);
    write_text(other, "gomoku freestyle 15\nH8\n", ANALYSIS_COMMENT, "theirs");
    write_text(analyses, "gomoku freestyle 15\nG8\n", ANALYSIS_COMMENT, "ours");
    write_text(other, "gomoku freestyle 15\nG8\n", ANALYSIS_COMMENT, "theirs");
    assert_int_equal(analyses_merge(analyses, other, &added, &changed, &error), STATUS_OK);
    assert_int_equal(added, 1);
    assert_int_equal(changed, 2);
    get(analyses, "gomoku freestyle 15\nH8\n", &found);
    assert_int_equal(found.value.value, 1);
    assert_string_equal(text_string(&found.comment), "theirs");
    get(analyses, "gomoku freestyle 15\nG8\n", &found);
    assert_int_equal(found.value.value, 4);
    assert_string_equal(text_string(&found.comment), "ours");
    assert_int_equal(analyses_merge(analyses, other, &added, &changed, &error), STATUS_OK);
    assert_int_equal(added + changed, 0);
    analysis_free(&found);
    analyses_close(other);
    analyses_close(analyses);
    unlink(other_path);
}

/* Two writers at a time; what each has written is there for the other. */
static void test_two_writers(void **state) {
    (void)state;
    struct analyses *analyses = open_fresh();
    struct analyses *other;
    struct analysis found = {0};
    struct error error = {0};
    assert_int_equal(analyses_open(&other, path, ANALYSES_CHANGE, &error), STATUS_OK);
    put(analyses, "gomoku freestyle 15\nH8\n", (struct analysis_value){.value = 1, .depth = 9}, true);
    put(other, "gomoku freestyle 15\nH8\n", (struct analysis_value){.value = 2, .depth = 8}, false);
    put(other, "gomoku freestyle 15\nH8\n", (struct analysis_value){.value = 3, .depth = 10}, true);
    get(analyses, "gomoku freestyle 15\nH8\n", &found);
    assert_int_equal(found.value.value, 3);
    analysis_free(&found);
    analyses_close(other);
    analyses_close(analyses);
}

/* Killed in the middle of a transaction: what was there before is there, and nothing else. */
static void test_killed(void **state) {
    (void)state;
    struct analyses *analyses = open_fresh();
    put(analyses, "gomoku freestyle 15\nH8\n", (struct analysis_value){.value = 1, .depth = 9}, true);
    analyses_close(analyses);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct analyses *own;
        struct error error = {0};
        struct gomoku_position position;
        gomoku_clear(&position, 15, GOMOKU_FREESTYLE);
        bool fine =
            analyses_open(&own, path, ANALYSES_CHANGE, &error) == STATUS_OK && analyses_begin(own, &error) == STATUS_OK;
        for (int i = 0; i < 200 && fine; i++) {
            gomoku_put(&position, i < 4 ? i * 3 : i % 2 ? 100 + i / 2 : 20 + i / 2);
            fine = position.winner != GOMOKU_NO_WINNER ||
                   analyses_touch(own, &gomoku_game, any(&position), &error) == STATUS_OK;
            if (position.winner != GOMOKU_NO_WINNER) {
                break;
            }
        }
        raise(SIGKILL);
    }
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    struct error error = {0};
    assert_int_equal(analyses_open(&analyses, path, ANALYSES_CHANGE, &error), STATUS_OK);
    assert_int_equal(positions_in(analyses), 1);
    analyses_close(analyses);
}

/* Everything a reader may ask of a file. */
static void read_all(struct analyses *analyses) {
    struct gomoku_position root;
    struct gametrees trees = {0};
    struct analyses_counts all;
    struct error error = {0};
    int64_t count;
    gomoku_clear(&root, 15, GOMOKU_FREESTYLE);
    analyses_count(analyses, &all, &error);
    analyses_export(analyses, &root, &trees, NULL, &count, &error);
    gametrees_free(&trees);
}

/* Files with some bytes changed are read or refused with a word; the sanitizers watch. */
static void test_damaged(void **state) {
    (void)state;
    struct analyses *analyses = open_fresh();
    struct error error = {0};
    struct rng rng = {.state = 3};
    char *bytes;
    size_t length;
    import_sgf(analyses, tree_text);
    analyses_close(analyses);
    assert_int_equal(file_read(path, (size_t)1 << 22, &bytes, &length, &error), STATUS_OK);
    for (int round = 0; round < 150; round++) {
        char *mutant = malloc(length);
        assert_non_null(mutant);
        memcpy(mutant, bytes, length);
        for (int i = 0; i < 1 + round % 8; i++) {
            size_t at = round % 2 ? rng_below(&rng, (uint32_t)length) : rng_below(&rng, 120);
            mutant[at] = (char)rng_below(&rng, 256);
        }
        size_t kept = round % 10 == 9 ? rng_below(&rng, (uint32_t)length) : length;
        assert_int_equal(file_write(path, mutant, kept, &error), STATUS_OK);
        error.text[0] = '\0';
        if (analyses_open(&analyses, path, round % 3 ? ANALYSES_READ : ANALYSES_CHANGE, &error) == STATUS_OK) {
            read_all(analyses);
            analyses_close(analyses);
        } else {
            assert_true(error.text[0]);
        }
        free(mutant);
    }
    free(bytes);
}

static void test_foreign(void **state) {
    (void)state;
    struct analyses *analyses;
    struct error error = {0};
    assert_int_equal(file_write(path, "no database", 11, &error), STATUS_OK);
    assert_int_equal(analyses_open(&analyses, path, ANALYSES_MAKE, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "expected a database of analysed positions"));
    unlink(path);
    assert_int_equal(analyses_open(&analyses, path, ANALYSES_READ, &error), STATUS_BAD_INPUT);
    assert_int_equal(access(path, F_OK), -1);
}

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/test_analysis.XXXXXX");
    if (!mkdtemp(folder)) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/a.db", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char name[400];
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        unlink(name);
    }
    closedir(entries);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_of_images),
        cmocka_unit_test(test_keys_as_written),
        cmocka_unit_test(test_deeper_stays),
        cmocka_unit_test(test_turned),
        cmocka_unit_test(test_marks_turn),
        cmocka_unit_test(test_other_games),
        cmocka_unit_test(test_both_sides_of_a_move),
        cmocka_unit_test(test_remarks),
        cmocka_unit_test(test_tree_in_and_out),
        cmocka_unit_test(test_games),
        cmocka_unit_test(test_forbidden_moves),
        cmocka_unit_test(test_prune),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_two_writers),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_foreign),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
