/* Recorded games in every format: random trees out and in again, files of others, files that are cut off or hostile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formats/course.h"
#include "formats/records/records.h"
#include "formats/records/renlib.h"
#include "formats/records/sgf.h"
#include "game/registry.h"
#include "results/plan.h"

static struct error failure;

static enum status read_as(const char *format, const char *bytes, size_t length, struct gametrees *trees) {
    *trees = (struct gametrees){0};
    failure = (struct error){0};
    return record_format_find(format)->read(trees, bytes, length, 0, &failure);
}

static void write_as(const char *format, const struct gametree *tree, struct text *text) {
    assert_int_equal(record_format_find(format)->write(tree, GOMOKU_FREESTYLE, text, &failure), STATUS_OK);
    assert_false(text->broken);
}

/* -- random trees -- */

/* Whether a square is taken by the stones on the way to a node. */
static bool is_taken(const struct gametree *tree, uint32_t node, int square) {
    for (;; node = tree->nodes[node].parent) {
        if (tree->nodes[node].square == square) {
            return true;
        }
        if (node == 0) {
            return false;
        }
    }
}

static void put_remark(struct gametree *tree, struct rng *rng, uint32_t node, bool lib) {
    static const char *const remarks[] = {"plain", "]\\[(;)", "two\nlines", "caf\xc3\xa9", "\xe4\xba\x94\xe7\x9b\xae",
                                          ":"};
    const char *remark = remarks[rng_below(rng, 6)];
    assert_true(gametree_put_text(tree, node, "C", remark, strlen(remark)));
    if (tree->nodes[node].square >= 0 && rng_below(rng, 2)) {
        assert_true(gametree_put_point(tree, node, "MA", tree->nodes[node].square));
    }
    if (!lib) {
        assert_true(gametree_put_text(tree, node, "ZZ", "kept", 4));
    }
}

/* A tree of up to 80 moves with branches and remarks. */
static void random_tree(struct gametrees *trees, struct rng *rng, int size, bool lib) {
    struct gametree *tree = gametrees_add(trees);
    tree->size = size;
    int moves = (int)rng_below(rng, 80);
    for (int i = 0; i < moves; i++) {
        uint32_t parent = rng_below(rng, 4) ? tree->node_count - 1 : rng_below(rng, tree->node_count);
        int square = (int)rng_below(rng, (uint32_t)(size * size));
        if (is_taken(tree, parent, square)) {
            continue;
        }
        uint32_t node = rng_below(rng, 20) ? gametree_add_move(tree, parent, tree->nodes[parent].turn, square)
                                           : gametree_add(tree, parent);
        assert_int_not_equal(node, 0);
        if (rng_below(rng, 4) == 0) {
            put_remark(tree, rng, node, lib);
        }
    }
}

/* The children of two nodes in step: the same moves and the same texts. Heads (FF, CA, ...) are the writer's. */
static void assert_same_node(const struct gametree *one, uint32_t a, const struct gametree *other, uint32_t b) {
    assert_int_equal(one->nodes[a].square, other->nodes[b].square);
    assert_int_equal(one->nodes[a].colour, other->nodes[b].colour);
    static const char *const names[] = {"C", "MA", "ZZ"};
    for (int i = 0; i < 3; i++) {
        const struct gametree_property *p = gametree_find(one, a, names[i]);
        const struct gametree_property *q = gametree_find(other, b, names[i]);
        assert_int_equal(p != NULL, q != NULL);
        if (p && q) {
            assert_int_equal(p->length, q->length);
            assert_memory_equal(gametree_value(one, p), gametree_value(other, q), p->length);
        }
    }
}

static void assert_same_tree(const struct gametree *one, const struct gametree *other) {
    assert_int_equal(one->size, other->size);
    assert_int_equal(one->node_count, other->node_count);
    uint32_t a = 0;
    uint32_t b = 0;
    for (;;) {
        assert_same_node(one, a, other, b);
        uint32_t next_a = one->nodes[a].child;
        uint32_t next_b = other->nodes[b].child;
        while (!next_a && a) {
            next_a = one->nodes[a].next;
            next_b = other->nodes[b].next;
            a = one->nodes[a].parent;
            b = other->nodes[b].parent;
        }
        assert_int_equal(next_a != 0, next_b != 0);
        if (!next_a) {
            return;
        }
        a = next_a;
        b = next_b;
    }
}

static void round_trip(const char *format, const struct gametree *tree) {
    struct text text = TEXT_EMPTY;
    struct text again = TEXT_EMPTY;
    struct gametrees back;
    write_as(format, tree, &text);
    assert_int_equal(read_as(format, text.data, text.length, &back), STATUS_OK);
    assert_int_equal(back.count, 1);
    assert_same_tree(tree, &back.items[0]);
    write_as(format, &back.items[0], &again);
    assert_int_equal(text.length, again.length);
    assert_memory_equal(text.data, again.data, text.length);
    text_free(&text);
    text_free(&again);
    gametrees_free(&back);
}

static void test_trees(void **state) {
    (void)state;
    struct rng rng = {11};
    for (int i = 0; i < 600; i++) {
        bool lib = i % 2;
        struct gametrees trees = {0};
        random_tree(&trees, &rng, lib ? RENLIB_SIZE : 5 + i % (GOMOKU_MOST_SIZE - 4), lib);
        round_trip(lib ? "lib" : "sgf", &trees.items[0]);
        gametrees_free(&trees);
    }
}

/* Lines of play through all formats: the same position comes back. */
static void test_lines(void **state) {
    (void)state;
    static const char *const formats[] = {"sgf", "psq", "lib", "pos", "offset"};
    struct rng rng = {5};
    for (int i = 0; i < 200; i++) {
        struct gomoku_position position;
        struct gomoku_position back;
        gomoku_clear(&position, 15, i % 5 == 0 ? i & 1 : GOMOKU_FREESTYLE);
        int stones = 1 + (int)rng_below(&rng, 40);
        while (position.count < stones && !gomoku_game.over((const struct game_position *)&position)) {
            game_move moves[GOMOKU_MOST_SQUARES];
            int count = gomoku_game.moves((const struct game_position *)&position, moves);
            gomoku_put(&position, (int)moves[rng_below(&rng, (uint32_t)count)]);
        }
        struct gametrees trees = {0};
        struct gametrees read = {0};
        struct text text = TEXT_EMPTY;
        assert_true(gametree_take(gametrees_add(&trees), &position));
        write_as(formats[i % 5], &trees.items[0], &text);
        assert_int_equal(read_as(formats[i % 5], text.data, text.length, &read), STATUS_OK);
        assert_int_equal(gametree_position(&read.items[0], GOMOKU_FREESTYLE, &back, &failure), STATUS_OK);
        assert_memory_equal(&back, &position, sizeof back);
        text_free(&text);
        gametrees_free(&trees);
        gametrees_free(&read);
    }
}

/* -- files of others -- */

static void assert_moves(const char *format, const char *bytes, size_t length, const char *expected) {
    struct course_request request;
    struct text text = TEXT_EMPTY;
    assert_int_equal(course_parse_any(bytes, length, format, &request, &failure), STATUS_OK);
    request.game->write(request.position, &text);
    assert_string_equal(text_string(&text), expected);
    text_free(&text);
    course_request_free(&request);
}

static const char piskvork[] =
    "Piskvorky 15x15, 11:11, 1\r\n8,8,0\r\n9,9,120\r\n10,8,37\r\nAI-ONE.zip\r\nAI-TWO.zip\r\n-1\r\n";
/* An empty board with a remark; H8, then I9 (marked, with a remark), or I8 with a text on the board. */
static const char renlib[] = "\xffRenLib\xff\x03\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
                             "\x00\x08"
                             "hi\0\0"
                             "\x78\x00"
                             "\x89\xd8"
                             "\xb2\xbb\xba\xc3!\0"
                             "\x79\x41\x00\x01"
                             "A\0";

static void test_look(void **state) {
    (void)state;
    assert_moves(NULL, piskvork, sizeof piskvork - 1, "gomoku freestyle 15\nH8 I9 J8\n");
    assert_moves(NULL, renlib, sizeof renlib - 1, "gomoku freestyle 15\nH8 I9\n");
    assert_moves(NULL, "h8i9j8", 6, "gomoku freestyle 15\nH8 I9 J8\n");
    assert_moves(NULL, "\nH8, I9 J8\r\n", 12, "gomoku freestyle 15\nH8 I9 J8\n");
    assert_moves(NULL, "a1t20", 5, "gomoku freestyle 20\nA1 T20\n");
    assert_moves(NULL, "-3,-1, 2,0, 0,1\n", 16, "gomoku freestyle 15\nE7 J8 H9\n");
}

static void test_piskvork(void **state) {
    (void)state;
    struct gametrees trees;
    struct text text = TEXT_EMPTY;
    assert_int_equal(read_as("psq", piskvork, sizeof piskvork - 1, &trees), STATUS_OK);
    struct gametree *tree = &trees.items[0];
    assert_int_equal(gametree_contents(tree), GAMETREE_TIMES | GAMETREE_NAMES);
    round_trip("sgf", tree);
    write_as("psq", tree, &text); /* the second player named began */
    assert_string_equal(text_string(&text),
                        "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,120\n10,8,37\nAI-TWO.zip\nAI-ONE.zip\n-1\n");
    text_free(&text);
    gametrees_free(&trees);
    /* saved by hand there are no names, only how the game ended */
    static const char by_hand[] = "Piskvorky 20x20, 5:0, 0\n8,8,0\n-1\n";
    assert_int_equal(read_as("psq", by_hand, sizeof by_hand - 1, &trees), STATUS_OK);
    assert_null(gametree_find(&trees.items[0], 0, "PB"));
    text = TEXT_EMPTY;
    write_as("psq", &trees.items[0], &text);
    assert_string_equal(text_string(&text), by_hand);
    text_free(&text);
    gametrees_free(&trees);
    static const char renju[] = "Piskvorky 15x15, 11:11, 4\n8,8,0\n"; /* of an earlier version of this program */
    assert_moves("psq", renju, sizeof renju - 1, "gomoku renju 15\nH8\n");
}

/* Texts that would be something else in a Piskvork file are not written there. */
static void test_piskvork_texts(void **state) {
    (void)state;
    static const char sgf[] = "(;SZ[15]PB[8,9,0]PW[ ]XPH[1,2];B[hh]XMS[soon];W[ii]XMS[12])";
    struct gametrees trees;
    struct text text = TEXT_EMPTY;
    assert_int_equal(read_as("sgf", sgf, sizeof sgf - 1, &trees), STATUS_OK);
    write_as("psq", &trees.items[0], &text);
    assert_string_equal(text_string(&text), "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,12\n?\n?\n");
    text_free(&text);
    gametrees_free(&trees);
}

static void test_renlib(void **state) {
    (void)state;
    struct gametrees trees;
    struct text text = TEXT_EMPTY;
    assert_int_equal(read_as("lib", renlib, sizeof renlib - 1, &trees), STATUS_OK);
    assert_true(trees.items[0].latin);
    sgf_write_tree(&trees.items[0], &text);
    assert_non_null(strstr(text_string(&text), "C[hi]"));
    assert_non_null(strstr(text_string(&text), "(;W[ii]MA[ii]C[\xc2\xb2\xc2\xbb\xc2\xba\xc3\x83!])"));
    assert_non_null(strstr(text_string(&text), "(;W[ih]LB[ih:A])"));
    text_free(&text);
    /* Written back, the remark has the bytes it had. */
    text = TEXT_EMPTY;
    write_as("lib", &trees.items[0], &text);
    assert_int_equal(text.length, sizeof renlib - 1);
    assert_memory_equal(text.data + 10, renlib + 10, text.length - 10);
    text_free(&text);
    gametrees_free(&trees);
}

/* RenLib's own programs put texts on squares where no move stands: nodes that are no moves. */
static void test_renlib_labels(void **state) {
    (void)state;
    static const char file[] = "\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
                               "\x00\x00"
                               "\x78\x00"
                               "\x79\xc3\x00\x01"
                               "A\0"
                               "\x7a\xc3\x00\x01"
                               "bc\0\0"
                               "\x89\x00"
                               "\x9a\x43\x00\x01"
                               "?\0";
    struct gametrees trees;
    struct text text = TEXT_EMPTY;
    assert_int_equal(read_as("lib", file, sizeof file - 1, &trees), STATUS_OK);
    assert_int_equal(gametree_contents(&trees.items[0]), GAMETREE_COMMENTS);
    sgf_write_tree(&trees.items[0], &text);
    assert_non_null(strstr(text_string(&text), ";B[hh]LB[ih:A][jh:bc];W[ii]LB[jj:?])"));
    text_free(&text);
    text = TEXT_EMPTY;
    write_as("lib", &trees.items[0], &text);
    assert_int_equal(text.length, sizeof file - 1);
    assert_memory_equal(text.data, file, text.length);
    text_free(&text);
    gametrees_free(&trees);
}

/* The first libraries have no head, begin in the middle, and end a text by the highest bit of its last character. */
static void test_renlib_first_versions(void **state) {
    (void)state;
    static const char file[] = "\x78\x20"
                               "h}\xa1\0"
                               "\x89\xe0"
                               "no\xf7!"
                               "\x79\x40";
    struct gametrees trees;
    struct text text = TEXT_EMPTY;
    assert_int_equal(read_as("lib", file, sizeof file - 1, &trees), STATUS_OK);
    sgf_write_tree(&trees.items[0], &text);
    assert_non_null(strstr(text_string(&text), ";B[hh]C[h\xc3\xa5!]"));
    assert_non_null(strstr(text_string(&text), "(;W[ii]C[now])"));
    assert_non_null(strstr(text_string(&text), "(;W[ih])"));
    text_free(&text);
    gametrees_free(&trees);
    assert_int_equal(read_as("lib", file, 5, &trees), STATUS_BAD_INPUT);
    assert_int_equal(read_as("lib", "\x79\x40", 2, &trees), STATUS_BAD_INPUT);
}

/* Behind a pass the same side has the next stone. */
static void test_renlib_pass(void **state) {
    (void)state;
    static const char file[] = "\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
                               "\x00\x00\x78\x00\x00\x00\x89\x40";
    struct gametrees trees;
    struct text text = TEXT_EMPTY;
    assert_int_equal(read_as("lib", file, sizeof file - 1, &trees), STATUS_OK);
    sgf_write_tree(&trees.items[0], &text);
    assert_non_null(strstr(text_string(&text), ";B[hh];;B[ii])"));
    text_free(&text);
    gametrees_free(&trees);
}

/* A file may hold several games; the wanted one is taken, and that there are others is told. */
static void test_several(void **state) {
    (void)state;
    static const char file[] = "(;SZ[15];B[hh])\n(;SZ[9];B[aa];W[bb])(;B[cc])";
    struct course_request request;
    assert_int_equal(course_parse_any(file, strlen(file), NULL, &request, &failure), STATUS_OK);
    assert_int_equal(request.records, 3);
    assert_string_equal(request.warning, "the file has 3 games, this is the first");
    course_request_free(&request);
    assert_int_equal(course_parse_record(file, strlen(file), NULL, 2, &request, &failure), STATUS_OK);
    assert_int_equal(request.game->size(request.position), 9);
    assert_string_equal(request.warning, "");
    course_request_free(&request);
    assert_int_equal(course_parse_record(file, strlen(file), NULL, 4, &request, &failure), STATUS_BAD_INPUT);
    assert_non_null(strstr(failure.text, "1 to 3"));
}

/* -- files that are wrong -- */

static void test_bad(void **state) {
    (void)state;
    static const struct {
        const char *format;
        const char *text;
        int line;
        int column;
        const char *words;
    } bad[] = {
        {"psq", "", 1, 1, "Piskvorky"},
        {"psq", "Piskvorky 15x20, 11:11, 0\n", 1, 11, "square board"},
        {"psq", "Piskvorky 99x99, 11:11, 0\n", 1, 11, "square board"},
        {"psq", "Piskvorky 15x15, 11:11, 0\n8,8,0\n16,1,0\n", 3, 1, "1 to 15"},
        {"psq", "Piskvorky 15x15, 11:11, 0\n8,8,x\n", 2, 5, "milliseconds"},
        {"pos", "\n", 1, 1, "empty"},
        {"pos", "h8i9\nh8z9\n", 2, 3, "a board of"},
        {"pos", "h8i9\nh8-\n", 2, 3, "such as h8"},
        {"pos", "h0\n", 1, 1, "a board of"},
        {"offset", "0,0, 8,0\n", 1, 6, "15x15"},
        {"offset", "0,0, 1\n", 1, 7, "two numbers"},
        {"offset", "0,0 1,1\n", 1, 5, "a comma"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gametrees trees;
        assert_int_equal(read_as(bad[i].format, bad[i].text, strlen(bad[i].text), &trees), STATUS_BAD_INPUT);
        assert_non_null(strstr(failure.text, bad[i].words));
        assert_int_equal(failure.line, bad[i].line);
        assert_int_equal(failure.column, bad[i].column);
    }
}

/* Every beginning of a file, in memory of just that length, so that a sanitizer sees a byte too much. */
static void cut_everywhere(const char *format, const char *bytes, size_t length) {
    for (size_t cut = 0; cut <= length; cut++) {
        char *part = malloc(cut ? cut : 1);
        assert_non_null(part);
        memcpy(part, bytes, cut);
        struct gametrees trees;
        if (read_as(format, part, cut, &trees) == STATUS_OK) {
            assert_true(trees.count > 0);
        } else {
            assert_int_not_equal(failure.text[0], 0);
            assert_int_equal(trees.count, 0);
        }
        gametrees_free(&trees);
        record_format_look(part, cut);
        free(part);
    }
}

static void test_cut(void **state) {
    (void)state;
    static const char sgf[] =
        "\xef\xbb\xbf(;FF[4]SZ[15]C[a\\]b\\\\]AB[aa:bb]AW[cc][dd][ee][ff];B[hh](;W[ii])(;W[jj]))(;B[aa])";
    cut_everywhere("sgf", sgf, sizeof sgf - 1);
    cut_everywhere("psq", piskvork, sizeof piskvork - 1);
    cut_everywhere("lib", renlib, sizeof renlib - 1);
    cut_everywhere("pos", "h8i9,j8 a15\nb2", 14);
    cut_everywhere("offset", "-3,-1, 2,0, 0,1\n0,0", 19);
    /* a library that is cut off is never taken for a whole one */
    for (size_t cut = 21; cut < sizeof renlib - 1; cut++) {
        struct gametrees trees;
        assert_int_equal(read_as("lib", renlib, cut, &trees), STATUS_BAD_INPUT);
    }
}

/* A beginning and the same bytes many times behind it: refused, or read, but soon and with a reason. */
static enum status read_many(const char *format, const char *start, size_t start_length, const char *part,
                             size_t length, size_t times) {
    size_t total = start_length + length * times;
    char *bytes = malloc(total);
    assert_non_null(bytes);
    memcpy(bytes, start, start_length);
    for (size_t i = 0; i < times; i++) {
        memcpy(bytes + start_length + i * length, part, length);
    }
    struct gametrees trees;
    enum status status = read_as(format, bytes, total, &trees);
    assert_true(status == STATUS_OK || failure.text[0]);
    gametrees_free(&trees);
    free(bytes);
    return status;
}

static void test_hostile(void **state) {
    (void)state;
    assert_int_equal(read_many("sgf", "(;", 2, "(;", 2, 1000000), STATUS_BAD_INPUT);
    assert_non_null(strstr(failure.text, "10000 variations"));
    assert_int_equal(read_many("sgf", "(", 1, ";", 1, GAMETREE_MOST + 10), STATUS_BAD_INPUT);
    assert_non_null(strstr(failure.text, "at most"));
    assert_int_equal(read_many("sgf", "", 0, "(;)", 3, GAMETREE_MOST_GAMES + 1), STATUS_BAD_INPUT);
    assert_non_null(strstr(failure.text, "games"));
    assert_int_equal(read_many("sgf", "(;C", 3, "[]", 2, 300000), STATUS_BAD_INPUT);
    assert_int_equal(read_many("sgf", "(;B[aa]", 7, "(;W[bb])", 8, 300000), STATUS_BAD_INPUT);
    /* a chain without an end, and one that branches at every node */
    assert_int_equal(read_many("lib", renlib, 20, "\x78\x00", 2, 500000), STATUS_BAD_INPUT);
    assert_int_equal(read_many("lib", renlib, 20, "\x78\x80", 2, 500000), STATUS_BAD_INPUT);
    assert_int_equal(read_many("lib", renlib, 20, "\x78\xc0", 2, 500000), STATUS_BAD_INPUT);
    assert_int_equal(read_many("lib", renlib, 20, "\x00\x82", 2, 500000), STATUS_BAD_INPUT);
    assert_int_equal(read_many("lib", renlib, 20, "\x78\x08", 2, 500000), STATUS_BAD_INPUT);
    assert_int_equal(read_many("pos", "", 0, "h8", 2, 500000), STATUS_OK);
    assert_int_equal(read_many("pos", "", 0, "h8\n", 3, GAMETREE_MOST_GAMES + 1), STATUS_BAD_INPUT);
    assert_int_equal(read_many("offset", "0,0", 3, ",0,0", 4, 300000), STATUS_OK);
    assert_int_equal(read_many("psq", piskvork, 27, "8,8,0\n", 6, 300000), STATUS_OK);
    assert_int_equal(read_many("psq", piskvork, 27, "9", 1, 300000), STATUS_OK);
}

/* What a library cannot say is refused, with the reason. */
static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *sgf;
        const char *words;
    } games[] = {
        {"(;SZ[19];B[aa])", "15x15"},
        {"(;AB[aa];W[bb])", "set up"},
        {"(;B[aa];B[bb])", "in turn"},
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct gametrees trees;
        struct text text = TEXT_EMPTY;
        assert_int_equal(read_as("sgf", games[i].sgf, strlen(games[i].sgf), &trees), STATUS_OK);
        assert_int_equal(renlib_write(&trees.items[0], &text, &failure), STATUS_BAD_INPUT);
        assert_non_null(strstr(failure.text, games[i].words));
        text_free(&text);
        gametrees_free(&trees);
    }
}

/* -- openings of a match -- */

static void test_openings(void **state) {
    (void)state;
    static const struct {
        const char *file;
        const char *first;
    } files[] = {
        {"-3,-1, 2,0\n0,0, 1,1, 2,2\n", "gomoku freestyle 20\nH10 M11\n"},
        {"h8i9\na1b2c3\n", "gomoku freestyle 20\nH8 I9\n"},
        {"(;SZ[15];B[hh];W[ii])(;SZ[15];B[aa])", "gomoku freestyle 15\nH8 I9\n"},
        {"gomoku freestyle 15\nH8 I9\ngomoku freestyle 15\nA1\n", "gomoku freestyle 15\nH8 I9\n"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct plan plan = {.game = &gomoku_game, .sizes = {20}, .size_count = 1};
        assert_int_equal(plan_add_openings(&plan, files[i].file, strlen(files[i].file), &failure), STATUS_OK);
        assert_int_equal(plan.opening_count, 2);
        assert_string_equal(plan.openings[0], files[i].first);
        plan_free(&plan);
    }
    struct plan plan = {.game = &gomoku_game};
    assert_int_equal(plan_add_openings(&plan, "0,0\n0,9\n", 8, &failure), STATUS_BAD_INPUT);
    assert_int_equal(failure.line, 2);
    plan_free(&plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_look),
        cmocka_unit_test(test_piskvork),
        cmocka_unit_test(test_renlib),
        cmocka_unit_test(test_renlib_labels),
        cmocka_unit_test(test_renlib_first_versions),
        cmocka_unit_test(test_renlib_pass),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_piskvork_texts),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_openings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
