/* Certificates and their checker: proofs of small boards made by a naive prover are accepted, corrupted ones refused,
 * the checker's shortcut agrees with playing everything through, and nothing that is accepted is false. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "prove/certificate.h"
#include "support/proof_file.h"
#include "support/scale.h"

enum { EMPTY, HERO, VILLAIN };

#define MOST_SQUARES 36
#define MOST_NODES 20000
#define CHEATS 1500

static struct rng rng = {16};

static struct proof_file file;

/* -- Gomoku on small boards, as naively as can be -- */

static int size;
static int squares;
static int board[MOST_SQUARES];
static const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

/* The five squares from `start` on; false when they leave the board. */
static bool get_row(int start, int way, int row[5]) {
    int last_row = start / size + 4 * steps[way][0];
    int last_column = start % size + 4 * steps[way][1];
    for (int i = 0; i < 5; i++) {
        row[i] = start + i * (steps[way][0] * size + steps[way][1]);
    }
    return last_row < size && last_column >= 0 && last_column < size;
}

static bool five_at(int square) {
    for (int way = 0; way < 4; way++) {
        int length = 1;
        for (int sign = -1; sign <= 1; sign += 2) {
            int row = square / size + sign * steps[way][0];
            int column = square % size + sign * steps[way][1];
            while (row >= 0 && row < size && column >= 0 && column < size &&
                   board[row * size + column] == board[square]) {
                length++;
                row += sign * steps[way][0];
                column += sign * steps[way][1];
            }
        }
        if (length >= 5) {
            return true;
        }
    }
    return false;
}

static bool makes_five(int square, int side) {
    board[square] = side;
    bool five = five_at(square);
    board[square] = EMPTY;
    return five;
}

static int count_fives(int side, int *one) {
    int count = 0;
    for (int square = 0; square < squares; square++) {
        if (board[square] == EMPTY && makes_five(square, side)) {
            *one = square;
            count++;
        }
    }
    return count;
}

#define TABLE (1 << 20)
static struct {
    uint64_t key;
    int outcome;
} table[TABLE];

/* 1: the hero makes five, -1: the villain does, 0: nobody, both playing best for that. */
static int outcome(int side) {
    uint64_t key = (uint64_t)side;
    for (int square = 0; square < squares; square++) {
        key = key * 3 + (uint64_t)board[square];
    }
    size_t slot = rng_mix(key) % TABLE;
    if (table[slot].key == key) {
        return table[slot].outcome;
    }
    int sign = side == HERO ? 1 : -1;
    int best = -2;
    for (int square = 0; square < squares && best < 1; square++) {
        if (board[square] == EMPTY) {
            board[square] = side;
            int value = five_at(square) ? 1 : sign * outcome(HERO + VILLAIN - side);
            board[square] = EMPTY;
            best = value > best ? value : best;
        }
    }
    table[slot].key = key;
    return table[slot].outcome = best == -2 ? 0 : sign * best;
}

/* -- proof trees: a move of the hero's and what follows -- */

enum kind { FIVE, WON, FORCED, COVER, PAIRING };

struct tree {
    enum kind kind;
    int move;
    int pass; /* COVER: a tree or -1 */
    int count;
    int replies[MOST_SQUARES]; /* PAIRING: the squares, two and two */
    int answers[MOST_SQUARES];
};

static struct tree trees[MOST_NODES];
static int tree_count;
static bool claim_wins;
static bool cheating; /* proofs leave out what they cannot answer, and claim what they cannot show */

static bool sometimes(uint32_t of) {
    return rng_below(&rng, of) == 0;
}

static bool good(int side) {
    return claim_wins ? outcome(side) == 1 : outcome(side) >= 0;
}

/* Pairs for all rows of five that have no stone of the hero's, from `row` on. */
static bool find_pairs(int row, bool *used, struct tree *tree) {
    int line[5];
    if (row == 4 * squares) {
        return true;
    }
    bool open = get_row(row / 4, row % 4, line);
    for (int i = 0; i < 5 && open; i++) {
        open = board[line[i]] != HERO;
    }
    if (!open) {
        return find_pairs(row + 1, used, tree);
    }
    for (int i = 0; i < 25; i++) {
        int a = line[i / 5];
        int b = line[i % 5];
        if (a < b && board[a] == EMPTY && board[b] == EMPTY && !used[a] && !used[b]) {
            used[a] = used[b] = true;
            tree->replies[tree->count++] = a;
            tree->replies[tree->count++] = b;
            if (find_pairs(row + 1, used, tree)) {
                return true;
            }
            tree->count -= 2;
            used[a] = used[b] = false;
        }
    }
    return false;
}

/* Whether all squares of the pairs are empty and every row has a stone of the hero's or a pair. */
static bool pairs_hold(const struct tree *tree) {
    bool holds = true;
    for (int i = 0; i < tree->count; i++) {
        holds = holds && board[tree->replies[i]] == EMPTY;
    }
    for (int i = 0; i < 4 * squares && holds; i++) {
        int row[5];
        bool in_row[MOST_SQUARES] = {false};
        holds = !get_row(i / 4, i % 4, row);
        for (int j = 0; j < 5 && !holds; j++) {
            holds = board[row[j]] == HERO;
            in_row[row[j]] = true;
        }
        for (int j = 0; j < tree->count && !holds; j += 2) {
            holds = in_row[tree->replies[j]] && in_row[tree->replies[j + 1]];
        }
    }
    return holds;
}

static bool tree_holds(int index);

static bool after(int square, int side, int index) {
    board[square] = side;
    bool holds = tree_holds(index);
    board[square] = EMPTY;
    return holds;
}

/* Whether the tree's first move and what follows can be played on the board as it is. */
static bool replies_hold(const struct tree *tree) {
    int five = -1;
    int fives = count_fives(HERO, &five);
    int other;
    if (count_fives(VILLAIN, &other) > 0) {
        return false;
    }
    if (tree->kind == WON) {
        return fives > 1;
    }
    if (tree->kind == FORCED) {
        return fives == 1 && after(five, VILLAIN, tree->answers[0]);
    }
    if (tree->kind == PAIRING) {
        return pairs_hold(tree);
    }
    bool holds = tree->pass < 0 || tree_holds(tree->pass);
    int listed = 0;
    for (int square = 0; square < squares && holds; square++) {
        bool is_listed = listed < tree->count && tree->replies[listed] == square;
        if (board[square] == EMPTY) {
            holds = is_listed ? after(square, VILLAIN, tree->answers[listed])
                              : tree->pass >= 0 && after(square, VILLAIN, tree->pass);
        }
        listed += is_listed;
    }
    return holds;
}

static bool tree_holds(int index) {
    const struct tree *tree = &trees[index];
    if (tree->move < 0 || board[tree->move] != EMPTY) {
        return false;
    }
    board[tree->move] = HERO;
    bool holds = tree->kind == FIVE || replies_hold(tree);
    board[tree->move] = EMPTY;
    return holds;
}

static int build_hero(int defaults);

static int build_after(int square, int defaults) {
    board[square] = VILLAIN;
    int index = build_hero(defaults);
    board[square] = EMPTY;
    return index;
}

/* Pairs of empty squares that may overlap and leave rows out. */
static void add_false_pairs(struct tree *tree) {
    tree->kind = PAIRING;
    for (int i = 0; i < 16; i++) {
        int a = (int)rng_below(&rng, (uint32_t)squares);
        int b = (int)rng_below(&rng, (uint32_t)squares);
        if (a != b && (sometimes(10) || (board[a] == EMPTY && board[b] == EMPTY))) {
            tree->replies[tree->count++] = a;
            tree->replies[tree->count++] = b;
        }
    }
}

/* A list of replies with a default or without; a cheat leaves out what has no answer, and now and then another. */
static void build_cover(struct tree *tree, int defaults) {
    if (defaults > 0 && !sometimes(3) && (good(HERO) || (cheating && sometimes(4)))) {
        tree->pass = build_hero(defaults - 1);
    }
    for (int square = 0; square < squares; square++) {
        if (board[square] != EMPTY || (tree->pass >= 0 && after(square, VILLAIN, tree->pass))) {
            continue;
        }
        board[square] = VILLAIN;
        bool answer = !cheating || (good(HERO) && !sometimes(40));
        board[square] = EMPTY;
        if (answer) {
            tree->replies[tree->count] = square;
            tree->answers[tree->count++] = build_after(square, defaults);
        }
    }
}

/* Fills in what follows the hero's move: with a default in about half of all places, as deep as `defaults` says. */
static void build_replies(struct tree *tree, int defaults) {
    int five = -1;
    int fives = count_fives(HERO, &five);
    bool used[MOST_SQUARES] = {false};
    tree->kind = fives > 1 ? WON : fives == 1 ? FORCED : COVER;
    tree->pass = -1;
    tree->count = 0;
    if (tree->kind == FORCED) {
        tree->answers[tree->count++] = build_after(five, defaults);
    } else if (tree->kind == COVER && (!claim_wins || (cheating && sometimes(20))) && find_pairs(0, used, tree)) {
        tree->kind = PAIRING;
    } else if (tree->kind == COVER && cheating && sometimes(claim_wins ? 40 : 8)) {
        add_false_pairs(tree);
    } else if (tree->kind == COVER) {
        build_cover(tree, defaults);
    }
}

static int build_hero(int defaults) {
    int moves[MOST_SQUARES];
    int count = 0;
    int index = tree_count++;
    assert_true(tree_count < MOST_NODES);
    for (int square = 0; square < squares; square++) {
        if (board[square] == EMPTY) {
            board[square] = HERO;
            if (five_at(square) || good(VILLAIN)) {
                moves[count++] = square;
            }
            board[square] = EMPTY;
        }
    }
    if (cheating && (count == 0 || sometimes(30))) {
        count = 0;
        for (int square = 0; square < squares; square++) {
            moves[count] = square;
            count += board[square] == EMPTY;
        }
    }
    struct tree tree = {.kind = FIVE, .pass = -1, .move = count ? moves[rng_below(&rng, (uint32_t)count)] : -1};
    if (tree.move >= 0) {
        board[tree.move] = HERO;
        if (!five_at(tree.move)) {
            build_replies(&tree, defaults);
        }
        board[tree.move] = EMPTY;
    }
    trees[index] = tree;
    return index;
}

/* -- writing them -- */

static struct certificate certificate;
static int named[MOST_NODES][MOST_SQUARES]; /* positions with the hero to move */
static int inside_default;

static int turned(int square, int symmetry) {
    int row = symmetry & 1 ? size - 1 - square / size : square / size;
    int column = symmetry & 2 ? size - 1 - square % size : square % size;
    return symmetry & 4 ? column * size + row : row * size + column;
}

/* A named position that this one is at least as good as, or -1. */
static int find_name(void) {
    for (uint32_t name = 0; name < certificate.names; name++) {
        for (int symmetry = 0; symmetry < 8; symmetry++) {
            bool same = true;
            for (int square = 0; square < squares && same; square++) {
                int there = named[name][turned(square, symmetry)];
                same = there == HERO ? board[square] == HERO : there == VILLAIN ? true : board[square] != VILLAIN;
            }
            if (same) {
                return (int)name;
            }
        }
    }
    return -1;
}

static void write_tree(int index);

static void write_after(int square, int index) {
    board[square] = VILLAIN;
    write_tree(index);
    board[square] = EMPTY;
}

static void write_replies(const struct tree *tree) {
    static const enum certificate_code codes[] = {[WON] = CERTIFICATE_WON, [FORCED] = CERTIFICATE_FORCED};
    uint16_t list[MOST_SQUARES];
    for (int i = 0; i < tree->count; i++) {
        list[i] = (uint16_t)tree->replies[i];
    }
    if (tree->kind == PAIRING) {
        certificate_pairing(&certificate, list, tree->count / 2);
    } else if (tree->kind != COVER) {
        certificate_code(&certificate, codes[tree->kind]);
        int five;
        if (tree->kind == FORCED && count_fives(HERO, &five)) {
            write_after(five, tree->answers[0]);
        }
    } else {
        certificate_cover(&certificate, tree->pass >= 0);
        if (tree->pass >= 0) {
            inside_default++;
            write_tree(tree->pass);
            inside_default--;
        }
        certificate_replies(&certificate, list, tree->count);
        for (int i = 0; i < tree->count; i++) {
            write_after(tree->replies[i], tree->answers[i]);
        }
    }
}

static void write_tree(int index) {
    const struct tree *tree = &trees[index];
    int name = inside_default ? -1 : find_name();
    if (cheating && certificate.names > 0 && sometimes(10)) {
        name = (int)rng_below(&rng, certificate.names);
    }
    if (name >= 0) {
        certificate_refer(&certificate, (uint32_t)name);
        return;
    }
    bool names = sometimes(2);
    if (names) {
        certificate_code(&certificate, CERTIFICATE_NAME);
    }
    if (tree->move < 0) { /* a full board */
        certificate_pairing(&certificate, NULL, 0);
    } else {
        certificate_move(&certificate, tree->move);
        board[tree->move] = HERO;
        if (tree->kind != FIVE) {
            write_replies(tree);
        }
        board[tree->move] = EMPTY;
    }
    if (names) {
        memcpy(named[certificate_named(&certificate)], board, sizeof board);
    }
}

/* A random board with so many empty squares and no five. */
static void set_up(int empty) {
    bool over = true;
    size = rng_below(&rng, 4) ? 5 : 6;
    squares = size * size;
    while (over) {
        int left = squares - empty;
        memset(board, 0, sizeof board);
        while (left > 0) {
            int square = (int)rng_below(&rng, (uint32_t)squares);
            if (board[square] == EMPTY) {
                board[square] = left-- % 5 < 3 ? HERO : VILLAIN; /* any set of stones will do */
            }
        }
        over = false;
        for (int square = 0; square < squares; square++) {
            over = over || (board[square] != EMPTY && five_at(square));
        }
    }
}

/* Makes a certificate of a random board in `file`; false when the claim is not true there. */
static bool make_proof(int empty, int defaults) {
    int side = HERO + (int)rng_below(&rng, 2);
    set_up(empty);
    claim_wins = rng_below(&rng, 3) > 0;
    if (good(side) == cheating && !(cheating && sometimes(4))) {
        return false;
    }
    uint8_t stones[MOST_SQUARES];
    for (int square = 0; square < squares; square++) {
        stones[square] = (uint8_t)board[square];
    }
    struct certificate_claim claim = {.game = "gomoku",
                                      .rule = "freestyle",
                                      .size = size,
                                      .to_move = side == VILLAIN,
                                      .kind = claim_wins ? CERTIFICATE_WINS : CERTIFICATE_HOLDS,
                                      .board = stones};
    proof_file_open(&file);
    tree_count = 0;
    certificate_begin(&certificate, file.stream, &claim);
    if (side == HERO) {
        write_tree(build_hero(defaults));
    } else {
        struct tree root = {.pass = -1};
        build_replies(&root, defaults);
        write_replies(&root);
    }
    certificate_end(&certificate);
    proof_file_close(&file);
    return true;
}

/* -- corruption -- */

static struct proof_file altered;

static void copy_file(void) {
    free(altered.bytes);
    altered.bytes = calloc(1, file.length + 16); /* ends in a zero byte whatever is inserted */
    assert_non_null(altered.bytes);
    memcpy(altered.bytes, file.bytes, file.length);
    altered.length = file.length;
}

/* Where the body of the certificate begins. */
static size_t body_of(const char *bytes) {
    const char *next = bytes;
    for (int lines = 0; lines < 4 + size; lines++) {
        next = strchr(next, '\n') + 1;
    }
    return (size_t)(next - bytes);
}

/* Changes, cuts, doubles or drops some bytes from `from` on, the digest left aside. */
static void corrupt(size_t from) {
    copy_file();
    for (uint32_t times = 1 + rng_below(&rng, 2); times > 0; times--) {
        size_t room = altered.length - 8 - from;
        size_t at = from + rng_below(&rng, (uint32_t)room);
        switch (rng_below(&rng, 6)) {
        case 0:
            altered.bytes[at] = (char)(altered.bytes[at] ^ 1 << rng_below(&rng, 8));
            break;
        case 1:
            altered.bytes[at] = (char)rng_below(&rng, (uint32_t)squares + 7);
            break;
        case 2:
            altered.bytes[at] = altered.bytes[from + rng_below(&rng, (uint32_t)room)];
            break;
        case 3:
            altered.bytes[at] = (char)(altered.bytes[at] + (rng_below(&rng, 2) ? 1 : -1));
            break;
        case 4:
            memmove(altered.bytes + at + 1, altered.bytes + at, altered.length - at);
            altered.length++;
            break;
        default:
            if (room > 1) {
                memmove(altered.bytes + at, altered.bytes + at + 1, altered.length - at - 1);
                altered.length--;
            }
        }
    }
}

/* Reads the position out of the head of an accepted certificate and asks whether its claim is true. */
static bool is_true(const char *bytes) {
    char claim[12];
    char hero;
    char to_move;
    int used = 0;
    sscanf(bytes, "sortie proof 1 game gomoku freestyle %d move %c claim %c %11s 0%n", &size, &to_move, &hero, claim,
           &used);
    assert_true(size == 5 || size == 6);
    squares = size * size;
    const char *rows = bytes + used + 1;
    for (int square = 0; square < squares; square++) {
        char glyph = rows[square + square / size];
        board[square] = glyph == '.' ? EMPTY : glyph == hero ? HERO : VILLAIN;
    }
    claim_wins = claim[0] == 'w';
    return good(to_move == hero ? HERO : VILLAIN);
}

/* Any bytes that differ are refused while the digest is left as it was. */
static void test_digest_catches(void **state) {
    (void)state;
    for (int i = 0; i < SCALED(100);) {
        if (!make_proof(4 + i % 5, i % 3)) {
            continue;
        }
        i++;
        for (int j = 0; j < 40; j++) {
            corrupt(0);
            bool same = altered.length == file.length && memcmp(altered.bytes, file.bytes, file.length) == 0;
            int found = proof_file_verify(&altered, altered.length, false);
            assert_int_equal(found == 0, same);
            size_t length = rng_below(&rng, (uint32_t)file.length);
            assert_int_not_equal(length ? proof_file_verify(&file, length, false) : 2, 0);
        }
    }
}

static int accepted;

/* With the digest made anew: both ways of checking agree, and what is accepted is true. */
static void check_altered(void) {
    proof_file_seal(&altered);
    int quick = proof_file_verify(&altered, altered.length, false);
    if (proof_file_verify(&altered, altered.length, true) != quick) {
        fail_msg("checked quickly %d, playing all through: %s", quick, altered.said);
    }
    if (quick == 0) {
        accepted++;
        if (!is_true(altered.bytes)) {
            fail_msg("accepted, but false: %s", altered.said);
        }
    }
}

/* Makes proofs and tries each with `change`, which is told where the body begins. */
static void try_changed(void (*change)(size_t body)) {
    accepted = 0;
    for (int i = 0; i < SCALED(300);) {
        if (make_proof(5 + i % 4, i % 3)) {
            i++;
            size_t body = body_of(file.bytes);
            for (int j = 0; j < 40; j++) {
                change(body);
                check_altered();
            }
        }
    }
    assert_true(accepted > 0);
}

static void test_steps_catch(void **state) {
    (void)state;
    try_changed(corrupt);
}

/* Another stone somewhere, now and then the other side to move, and half of the time a changed body. */
static void exchange_head(size_t body) {
    if (sometimes(2)) {
        corrupt(body);
    } else {
        copy_file();
    }
    char *rows = strstr(altered.bytes, " 0\n") + 3;
    char *move = strstr(altered.bytes, "move ") + 5;
    size_t at = rng_below(&rng, (uint32_t)squares);
    rows[at + at / (size_t)size] = ".XO"[rng_below(&rng, 3)];
    *move = sometimes(8) ? (*move == 'X' ? 'O' : 'X') : *move;
}

/* The proof of one position for another one. */
static void test_other_heads(void **state) {
    (void)state;
    try_changed(exchange_head);
}

/* -- pairs -- */

static void write_pairs(const struct tree *tree, const uint8_t *stones) {
    struct certificate_claim claim = {
        .game = "gomoku", .rule = "freestyle", .size = size, .to_move = 1, .kind = CERTIFICATE_HOLDS, .board = stones};
    proof_file_open(&file);
    certificate_begin(&certificate, file.stream, &claim);
    write_replies(tree);
    certificate_end(&certificate);
    proof_file_close(&file);
}

/* What the rows of the empty board weigh that have no pair, in parts of 32, once the villain has made his best move. */
static int heaviest(const struct tree *tree) {
    int sum = 0;
    int through[MOST_SQUARES] = {0};
    for (int i = 0; i < 4 * squares; i++) {
        int row[5];
        bool in_pair[5] = {false};
        int weight = get_row(i / 4, i % 4, row) ? 32 : 0;
        for (int j = 0; j < tree->count; j++) {
            bool partner_too = false;
            for (int k = 0; k < 5 && weight > 0; k++) {
                in_pair[k] = in_pair[k] || row[k] == tree->replies[j];
                partner_too = partner_too || row[k] == tree->replies[j ^ 1];
            }
            for (int k = 0; k < 5 && partner_too; k++) {
                weight = row[k] == tree->replies[j] ? 0 : weight;
            }
        }
        for (int j = 0; j < 5; j++) {
            weight = in_pair[j] ? weight : weight / 2;
        }
        sum += weight;
        for (int j = 0; j < 5 && weight > 0; j++) {
            through[row[j]] += in_pair[j] ? 0 : weight;
        }
    }
    int most = 0;
    for (int square = 0; square < squares; square++) {
        most = through[square] > most ? through[square] : most;
    }
    return sum + most;
}

/* On the empty 5x5 the villain makes no five even if he begins; with fewer pairs the rows without one must be light. */
static void test_pairs(void **state) {
    (void)state;
    struct tree tree = {.kind = PAIRING};
    bool used[MOST_SQUARES] = {false};
    uint8_t stones[MOST_SQUARES] = {0};
    int weights[2] = {0};
    size = 5;
    squares = 25;
    memset(board, 0, sizeof board);
    assert_true(find_pairs(0, used, &tree));
    assert_int_equal(tree.count, 24);
    write_pairs(&tree, stones);
    assert_int_equal(proof_file_verify(&file, file.length, false), 0);
    for (int i = 0; i < 24; i++) {
        struct tree other = tree;
        other.replies[i] = tree.replies[(i + 2) % 24]; /* in two pairs */
        write_pairs(&other, stones);
        assert_int_equal(proof_file_verify(&file, file.length, false), 1);
        other = tree;
        other.count = i & ~1; /* some pairs less */
        write_pairs(&other, stones);
        int weight = heaviest(&other);
        weights[weight < 32]++;
        assert_int_equal(proof_file_verify(&file, file.length, false), weight < 32 ? 0 : 1);
        stones[tree.replies[i]] = 2;
        write_pairs(&tree, stones);
        assert_int_equal(proof_file_verify(&file, file.length, false), 1);
        stones[tree.replies[i]] = 0;
    }
    assert_true(weights[0] > 0 && weights[1] > 2);
}

/* False claims with proofs that are sound in most places. */
static void test_cheats_are_caught(void **state) {
    (void)state;
    cheating = true;
    accepted = 0;
    for (int i = 0; i < SCALED(CHEATS);) {
        if (make_proof(4 + i % 6, i % 4)) {
            i++;
            copy_file();
            check_altered();
        }
    }
    cheating = false;
    assert_true(accepted > 0);
}

static void test_proofs_are_accepted(void **state) {
    (void)state;
    int made = 0;
    for (int i = 0; i < 400; i++) {
        if (make_proof(4 + i % 5, i % 3)) {
            made++;
            if (proof_file_verify(&file, file.length, false) != 0 || proof_file_verify(&file, file.length, true) != 0) {
                fail_msg("proof %d: %s", i, file.said);
            }
        }
    }
    assert_true(made > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proofs_are_accepted), cmocka_unit_test(test_digest_catches),
        cmocka_unit_test(test_steps_catch),         cmocka_unit_test(test_other_heads),
        cmocka_unit_test(test_cheats_are_caught),   cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
