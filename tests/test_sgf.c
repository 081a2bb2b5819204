/* SGF in and out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "formats/records/sgf.h"

static struct gomoku_position position;
static struct error failure;

static enum status read_sgf(const char *text) {
    return sgf_read(&position, text, strlen(text), &failure);
}

static void assert_text(const char *expected) {
    struct text text = TEXT_EMPTY;
    gomoku_game.write((const struct game_position *)&position, &text);
    assert_string_equal(text_string(&text), expected);
    text_free(&text);
}

static void test_read(void **state) {
    (void)state;
    assert_int_equal(read_sgf("(;GM[4]SZ[15];B[hh];W[ii];B[ha])"), STATUS_OK);
    assert_text("gomoku freestyle 15\nH8 I9 H1\n");
    /* White may begin; comments, escapes, unknown properties and variations are passed over. */
    assert_int_equal(
        read_sgf(" (;FF[4]SZ[7]RU[exact]C[a \\] b ;W(aa)]\n;W[aa]C[x];B [bb]\n(;W[cc](;B[dd])(;B[ee]))(;W[gg]))\n"),
        STATUS_OK);
    assert_text("gomoku exact 7\nA1 B2 C3 D4\n");
    assert_int_equal(read_sgf("(;)"), STATUS_OK);
    assert_text("gomoku freestyle 15\n");
    assert_int_equal(read_sgf("(;SZ[5]AB[aa][bb]AW[cc];W[dd])"), STATUS_OK);
    assert_text("gomoku freestyle 5\nX....\n.X...\n..O..\n.....\n.....\nD4\n");
}

/* Rules by name and by Gomocup's number, as others write them. */
static void test_rules(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int rules;
    } known[] = {
        {"0", GOMOKU_FREESTYLE},
        {"1", GOMOKU_EXACT},
        {"freestyle", GOMOKU_FREESTYLE},
        {"Free-Style", GOMOKU_FREESTYLE},
        {"five or more; the second player may take the first stone over", GOMOKU_FREESTYLE},
        {"Standard", GOMOKU_EXACT},
        {"exactly five", GOMOKU_EXACT},
        {"EXACT", GOMOKU_EXACT},
        {"2", GAMETREE_RULES_STRANGE},
        {"Renju", GOMOKU_RENJU},
        {"4", GOMOKU_RENJU},
        {"caro", GOMOKU_CARO},
        {"8", GOMOKU_CARO},
        {"Pente", GAMETREE_RULES_STRANGE},
        {"11", GAMETREE_RULES_STRANGE},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(sgf_rules(known[i].text, strlen(known[i].text)), known[i].rules);
    }
    assert_int_equal(sgf_rules("1\0\0\0", 4), GAMETREE_RULES_STRANGE);
    assert_int_equal(read_sgf("(;GM[4]RU[1]SZ[15];B[hh])"), STATUS_OK);
    assert_int_equal(position.variant, GOMOKU_EXACT);
    assert_int_equal(read_sgf("(;GM[4]RU[ Standard ]SZ[15];B[hh])"), STATUS_OK);
    assert_int_equal(position.variant, GOMOKU_EXACT);
    assert_int_equal(read_sgf("(;GM[4]RU[0]SZ[15];B[hh])"), STATUS_OK);
    assert_int_equal(position.variant, GOMOKU_FREESTYLE);
}

/* What other programs write: marks of the byte order, older versions, capitals, CRLF, sizes as rectangles. */
static void test_wild(void **state) {
    (void)state;
    assert_int_equal(read_sgf("\xef\xbb\xbf(;FF[3]GaMe[4]SiZe[19]\r\n;Black[AA]\r\n;White[sS])\r\n"), STATUS_OK);
    assert_text("gomoku freestyle 19\nA1 S19\n");
    assert_int_equal(read_sgf("(;B[hh]SZ[20:20];W[ tt ])"), STATUS_OK);
    assert_text("gomoku freestyle 20\nH8 T20\n");
    assert_int_equal(read_sgf("(;SZ[5]B[aa]W[bb])"), STATUS_OK);
    assert_text("gomoku freestyle 5\nA1 B2\n");
    assert_int_equal(read_sgf("(;SZ[5]AB[aa:ba]AW[cc:dc])"), STATUS_OK);
    assert_text("gomoku freestyle 5\nXX...\n.....\n..OO.\n.....\n.....\n");
    /* a stone taken over, as the referee's records have it */
    assert_int_equal(read_sgf("(;SZ[15]PL[W];W[hh];AB[hh]PL[W];W[ii])"), STATUS_OK);
    assert_int_equal(position.count, 2);
    assert_int_equal(position.board[7 * 15 + 7], GOMOKU_X);
    assert_int_equal(position.board[8 * 15 + 8], GOMOKU_O);
}

static void test_round_trip(void **state) {
    (void)state;
    struct rng rng = {4};
    for (int game = 0; game < 200; game++) {
        gomoku_clear(&position, 5 + game % (GOMOKU_MOST_SIZE - 4), game & 1);
        int stones = (int)rng_below(&rng, 40);
        while (position.count < stones && !gomoku_game.over((const struct game_position *)&position)) {
            game_move moves[GOMOKU_MOST_SQUARES];
            int count = gomoku_game.moves((const struct game_position *)&position, moves);
            gomoku_put(&position, (int)moves[rng_below(&rng, (uint32_t)count)]);
        }
        struct gomoku_position before = position;
        struct text text = TEXT_EMPTY;
        sgf_write(&position, &text);
        assert_int_equal(read_sgf(text_string(&text)), STATUS_OK);
        assert_memory_equal(&position, &before, sizeof before);
        text_free(&text);
    }
}

static void test_bad(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line;
        int column;
        const char *words;
    } bad[] = {
        {"", 1, 1, "'('"},
        {"hello", 1, 1, "'('"},
        {"(B[aa])", 1, 2, "';'"},
        {"(;B[aa]", 1, 8, "')'"},
        {"(;B[aa", 1, 5, "']'"},
        {"(;B aa)", 1, 5, "'['"},
        {"(;SZ[4])", 1, 6, "5 to 22"},
        {"(;SZ[x])", 1, 6, "5 to 22"},
        {"(;GM[1])", 1, 6, "Gomoku"},
        {"(;SZ[15]\n;B[pp])", 2, 4, "on the board"},
        {"(;B[aa]\n;W[aa])", 2, 4, "empty square"},
        {"(;B[aa];B[bb])", 1, 11, "other colour"},
        {"(;AB[aa][bb])", 1, 10, "as many X as O"},
        {"(;AB[aa][aa])", 1, 10, "empty square"},
        {"(;AB[aa]AW[aa])", 1, 12, "empty square"},
        {"(;B[aa];AB[bb])", 1, 12, "as many X as O"},
        {"(;AB[cc:aa])", 1, 6, "two letters"},
        {"(;B[aa];SZ[9])", 1, 12, "before any stone"},
        {"(;SZ[15:19])", 1, 6, "square board"},
        {"(;B[hh];W[])", 1, 11, "nobody passes"},
        {"(;B[h8])", 1, 5, "two letters"},
        {"(;RU[pente];B[hh])", 1, 6, "freestyle"},
        {"(;RU[2];B[hh])", 1, 6, "freestyle"},
        {"(;RU[renju]SZ[15];B[hg];W[aa];B[hf];W[oa];B[gi];W[ao];B[fi];W[oo];B[hi])", 1, 69, "two threes"},
        {"(;B[hh])\nrubbish", 2, 1, "another game"},
        {"(;B[hh])(;B[aa]", 1, 16, "')'"},
        {"(;black[aa])", 1, 3, "capital"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(read_sgf(bad[i].text), STATUS_BAD_INPUT);
        assert_non_null(strstr(failure.text, bad[i].words));
        assert_int_equal(failure.line, bad[i].line);
        assert_int_equal(failure.column, bad[i].column);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),       cmocka_unit_test(test_rules), cmocka_unit_test(test_wild),
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_bad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
