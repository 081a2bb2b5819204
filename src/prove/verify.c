/* Checks certificates of proofs. Nothing here comes from the engine, so that whoever doubts a proof has this one file
 * to read, or to compile alone: cc -O2 -DVERIFY_ALONE -o sortie-verify verify.c
 *
 * docs/proofs.md has the rules; this file follows its sections, in its order and with its words. docs/theory.md says
 * why each rule is sound. The hero is the side the claim speaks of, the villain the other one; a proof names one move
 * of the hero's and answers all moves of the villain's.
 *
 * Every function that checks something returns whether it holds. Where it does not, `wrong` has said why. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef VERIFY_ALONE
#include "prove/verify.h"
#endif

enum {
    MOST_SIZE = 15, /* of a board */
    MOST_SQUARES = MOST_SIZE * MOST_SIZE,
    MOST_ROWS = 4 * MOST_SQUARES /* of five squares, in four directions */
};

/* What stands on a square. In Laser a beam counts as its owner's; both may have one. A block is settled. The values are
 * such that the sum over a row of five tells how many stones of each side it has. */
enum { NOBODY = 0, HERO = 1, VILLAIN = 8, SETTLED = HERO | VILLAIN };

/* The codes of nodes, counted from the number of squares. */
enum { WON, FORCED, COVER, PAIRING, REFER, NAME, BOUND };

typedef unsigned char squares[MOST_SQUARES];

struct list {
    void *items;
    size_t count, room;
};

/* A move, and the number of the one before it, from 1; 0: the head's position. */
struct step {
    uint32_t before;
    unsigned char square, side;
};

/* A node that was named: the last step to its position, and who is to move. */
struct name {
    uint32_t step;
    unsigned char side;
};

struct proof {
    FILE *in;
    bool naive; /* plays defaults with every stone */
    bool (*progress)(uint64_t bytes, uint64_t steps);
    char fault[120]; /* the first, or empty */

    /* the claim and the head */
    char game[24], claim[12], hero, to_move; /* the game with its rules and a blank */
    bool gomoku, war, laser, holds;
    int size, count; /* of the board: a side, and all squares */
    int margin;
    char glyphs[MOST_SQUARES]; /* the squares as they are written */
    int value[MOST_SQUARES];   /* what a square counts; 0: a block */
    squares start;             /* the position */

    /* the file, and how far it is checked */
    uint64_t at, read;      /* where the next byte is; how far the file has been read */
    uint64_t digest;        /* so far */
    uint64_t kept_from;     /* where the outermost default begins, whose bytes are needed again */
    struct list kept, ends; /* its bytes; for each that a node begins with, where that ends, from `kept_from` on */
    uint64_t nodes, steps;  /* positions checked as they stand; and all, replayed ones too */

    /* the board, as the checker walks through the proof */
    squares board;
    uint32_t here;          /* the last step to it */
    struct list way, names; /* all steps to it and to named positions; the names */
    int added;              /* stones on it that are no moves of the proof: a default is tried with them */
    int extra;              /* so many more may be added, since a default is read as it stands; */
    unsigned char *touched; /* the squares on which one could change what is checked (section 6) */

    /* the board's geometry */
    int image[8][MOST_SQUARES];                          /* where each turn and mirror takes a square */
    int row_count, row[MOST_ROWS][5], stones[MOST_ROWS]; /* Gomoku: every five squares in a row, and their stones */
    int through_count[MOST_SQUARES], through[MOST_SQUARES][4 * 5]; /* the rows through a square */
    int near_count[MOST_SQUARES], near[MOST_SQUARES][8 * 3];       /* other games: the squares that a move reaches */
};

/* Ends the check: says what is wrong, unless that was said before. */
static bool stop(struct proof *p, const char *what) {
    if (!p->fault[0]) {
        snprintf(p->fault, sizeof p->fault, "byte %" PRIu64 ": %s", p->at, what);
    }
    return false;
}

/* Something does not hold. While a default is tried with a stone, that only means that it has no answer to it. */
static bool wrong(struct proof *p, const char *what) {
    return p->added == 0 && stop(p, what);
}

/* Adds an item to a list, whose room doubles when it is used up. Items have numbers of 32 bits. */
static bool push(struct proof *p, struct list *list, const void *item, size_t size) {
    if (list->count == list->room) {
        size_t room = list->room > 0 ? 2 * list->room : 64;
        void *items = room <= UINT32_MAX ? realloc(list->items, room * size) : NULL;
        if (!items) {
            return stop(p, "there is not enough memory");
        }
        list->items = items;
        list->room = room;
    }
    memcpy((char *)list->items + list->count++ * size, item, size);
    return true;
}

/* == 2. The file ================================================================================================== */

/* Takes a byte into the digest: the CRC-64 of xz, bit by bit. */
static void digest_byte(struct proof *p, int byte) {
    p->digest ^= (uint64_t)byte;
    for (int bit = 0; bit < 8; bit++) {
        p->digest = p->digest >> 1 ^ (0xC96C5795D7870F42 & (0 - (p->digest & 1)));
    }
}

/* Keeps a byte of a default, with room for where the node ends that begins with it. */
static bool keep_byte(struct proof *p, int byte) {
    unsigned char value = (unsigned char)byte;
    uint32_t end = 0;
    return push(p, &p->kept, &value, sizeof value) && push(p, &p->ends, &end, sizeof end);
}

/* The next byte: again from what was kept, or new from the file; -1 behind the end of either. */
static int next_byte(struct proof *p) {
    if (p->at < p->read) {
        uint64_t place = p->at++ - p->kept_from;
        return place < p->kept.count ? ((const unsigned char *)p->kept.items)[place] : -1;
    }
    int byte = getc(p->in);
    if (byte == EOF) {
        wrong(p, "the file ends early");
        return -1;
    }
    if (p->extra > 0 && !keep_byte(p, byte)) {
        return -1;
    }
    digest_byte(p, byte);
    p->read = ++p->at;
    return byte;
}

/* 2.1 The head: four lines of text. Whatever differs from the lines made again of what was understood is refused. */
static bool read_claim(struct proof *p) {
    char head[128] = "", again[160];
    size_t length = 0;
    for (int lines = 0; lines < 4 && length < sizeof head - 1 && !p->fault[0]; lines += head[length - 1] == '\n') {
        head[length++] = (char)next_byte(p);
    }
    sscanf(head, "sortie proof 1 game %23[a-z ]%2d move %c claim %c %11[a-z] %9d", p->game, &p->size, &p->to_move,
           &p->hero, p->claim, &p->margin);
    snprintf(again, sizeof again, "sortie proof 1\ngame %s%d\nmove %c\nclaim %c %s %d\n", p->game, p->size, p->to_move,
             p->hero, p->claim, p->margin);
    return strcmp(again, head) == 0;
}

/* Whether there is such a claim about such a game, on such a board and with such sides. */
static bool understand_claim(struct proof *p) {
    static const char known[] = "|gomoku freestyle wins|gomoku freestyle holds|war stake margin|war sneak margin|"
                                "laser standard margin|";
    char claim[64];
    snprintf(claim, sizeof claim, "|%s%s|", p->game, p->claim);
    p->gomoku = p->game[0] == 'g';
    p->war = p->game[0] == 'w';
    p->laser = p->game[0] == 'l';
    p->holds = p->claim[0] == 'h';
    p->count = p->size * p->size;
    const char *sides = p->laser ? "12" : "XO";
    return strstr(known, claim) && (!p->gomoku || p->margin == 0) && p->size >= (p->gomoku ? 5 : 1) &&
           p->size <= MOST_SIZE && memchr(sides, p->hero, 2) && memchr(sides, p->to_move, 2);
}

/* One square of the N rows of N: on the war board its value first. */
static bool read_square(struct proof *p, int square) {
    const char *glyphs = p->laser ? "0123" : ".XO";
    int byte = next_byte(p), value = 0;
    for (; p->war && byte >= (value > 0 ? '0' : '1') && byte <= '9' && value < 400000; byte = next_byte(p)) {
        value = 10 * value + byte - '0';
    }
    if (byte <= 0 || !strchr(glyphs, byte) || (p->war && value == 0)) {
        return false;
    }
    bool block = byte == '3';
    p->glyphs[square] = (char)byte;
    p->value[square] = p->war ? value : !block;
    p->board[square] = byte == glyphs[0] ? NOBODY : block ? SETTLED : byte == p->hero ? HERO : VILLAIN;
    return (square + 1) % p->size > 0 || next_byte(p) == '\n';
}

/* Where the eight turns and mirrors take a square. */
static void find_images(struct proof *p, int square) {
    int row = square / p->size, column = square % p->size, last = p->size - 1;
    for (int way = 0; way < 8; way++) {
        int r = way & 1 ? last - row : row, c = way & 2 ? last - column : column;
        p->image[way][square] = way & 4 ? c * p->size + r : r * p->size + c;
    }
}

/* The squares behind `square` in one of eight directions, up to `most`, the edge or a block. */
static int walk(const struct proof *p, int square, int way, int most, int *path) {
    static const int down[] = {0, 1, 1, 1, 0, -1, -1, -1}, right[] = {1, 1, 0, -1, -1, -1, 0, 1};
    int row = square / p->size + down[way], column = square % p->size + right[way], length = 0;
    while (length < most && row >= 0 && row < p->size && column >= 0 && column < p->size &&
           p->value[row * p->size + column] > 0) {
        path[length++] = row * p->size + column;
        row += down[way];
        column += right[way];
    }
    return length;
}

/* Gomoku: adds the rows of five that begin on a square, in four of the directions. Nobody may have one. */
static bool find_rows(struct proof *p, int square) {
    bool good = true;
    for (int way = 0; way < 4; way++) {
        int *row = p->row[p->row_count], *stones = &p->stones[p->row_count];
        row[0] = square;
        bool whole = walk(p, square, way, 4, row + 1) == 4;
        for (int i = 0; i < 5 && whole; i++) {
            p->through[row[i]][p->through_count[row[i]]++] = p->row_count;
            *stones += p->board[row[i]];
        }
        good = good && *stones != 5 * HERO && *stones != 5 * VILLAIN;
        p->row_count += whole;
    }
    return good;
}

/* The other games: the squares that a move on a square reaches. On the war board the neighbours, in Laser three squares
 * in each direction, up to a block. */
static void find_reached(struct proof *p, int square) {
    int *count = &p->near_count[square];
    for (int way = 0; way < 8 && p->value[square] > 0; way += p->war ? 2 : 1) {
        *count += walk(p, square, way, p->war ? 1 : 3, &p->near[square][*count]);
    }
}

static void take(const struct proof *p, unsigned char *board, int square, int side);

/* The claim and the position. An emitter of Laser is like a move that was made. */
static bool read_head(struct proof *p) {
    bool good = read_claim(p) && understand_claim(p);
    for (int square = 0; square < p->count && good; square++) {
        good = read_square(p, square);
    }
    for (int square = 0; square < p->count && good; square++) {
        char glyph = p->glyphs[square];
        find_images(p, square);
        if (p->gomoku) {
            good = find_rows(p, square);
        } else {
            find_reached(p, square);
        }
        if (p->laser && (glyph == '1' || glyph == '2')) {
            take(p, p->board, square, glyph == p->hero ? HERO : VILLAIN);
        }
    }
    memcpy(p->start, p->board, sizeof p->start);
    return good || wrong(p, "expected the head of a certificate (docs/proofs.md) of a game that is not over");
}

/* 2.2 The digest: eight bytes behind the body, lowest first. */
static bool check_digest(struct proof *p) {
    uint64_t digest = ~p->digest;
    bool good = true;
    for (int i = 0; i < 8 && good; i++) {
        good = next_byte(p) == (int)(digest >> 8 * i & 255);
    }
    return good || wrong(p, "the digest is another one");
}

/* 2.3 The body: a node for the board as it is. */
static bool check_node(struct proof *p, int side);

/* Puts a stone of a side's on a square, or takes it away again: -side. Returns whether the hero has five through it. */
static bool put(struct proof *p, int square, int side) {
    bool five = false;
    p->board[square] = (unsigned char)(side > 0 ? side : NOBODY);
    p->touched[square] = 1;
    for (int i = 0; i < p->through_count[square]; i++) {
        int *stones = &p->stones[p->through[square][i]];
        *stones += side;
        five = five || *stones == 5 * HERO;
    }
    return five;
}

/* A move on an empty square and the node behind it; the hero's five needs none. Of the steps only those that lead to
 * names are kept: so a name takes no more than some times the bytes of the file it stands for. */
static bool check_move(struct proof *p, int square, int side) {
    struct step step = {.before = p->here, .square = (unsigned char)square, .side = (unsigned char)side};
    size_t names = p->names.count, changed = p->gomoku ? 0 : (size_t)p->count; /* `put` undoes itself */
    squares before;
    if (!push(p, &p->way, &step, sizeof step)) {
        return false;
    }
    p->here = (uint32_t)p->way.count;
    memcpy(before, p->board, changed);
    take(p, p->board, square, side);
    bool good = put(p, square, side) || check_node(p, side == HERO ? VILLAIN : HERO);
    put(p, square, -side);
    memcpy(p->board, before, changed);
    p->way.count -= p->names.count == names;
    p->here = step.before;
    return good;
}

/* == 3. Names ===================================================================================================== */

/* 3.1 NAME: the node on the board is complete and gets the next number. */
static bool name_node(struct proof *p, int side) {
    struct name name = {.step = p->here, .side = (unsigned char)side};
    return push(p, &p->names, &name, sizeof name);
}

/* The board behind a step: all moves up to it, played from the head's position on. */
static void rebuild(const struct proof *p, uint32_t number, unsigned char *board) {
    if (number == 0) {
        memcpy(board, p->start, (size_t)p->count);
        return;
    }
    const struct step *step = (const struct step *)p->way.items + number - 1;
    rebuild(p, step->before, board);
    take(p, board, step->square, step->side);
}

/* The number of a name, LEB128: seven bits a byte, lowest first, the highest bit set on all but the last; five bytes at
 * most, and the last is not 0 unless it is the only one. */
static bool read_number(struct proof *p, uint64_t *number) {
    int byte = 128, shift = 0;
    *number = 0;
    for (; shift < 35 && byte >= 128; shift += 7) {
        byte = next_byte(p);
        *number |= (uint64_t)(byte & 127) << shift;
    }
    return byte >= 0 && byte < 128 && (byte > 0 || shift == 7);
}

static bool is_no_worse_gomoku(const struct proof *p, const unsigned char *known);
static bool is_no_worse_margin(const struct proof *p, const unsigned char *known);

/* 3.2 REFER k: the hero does here at least as well as in the k-th named position, with the same side to move. */
static bool check_refer(struct proof *p, int side) {
    uint64_t number;
    squares known;
    if (!read_number(p, &number) || number >= p->names.count) {
        return wrong(p, "no node was named so");
    }
    const struct name *name = (const struct name *)p->names.items + number;
    memset(p->touched, 1, (size_t)p->count);
    rebuild(p, name->step, known);
    bool good = name->side == side && (p->gomoku ? is_no_worse_gomoku(p, known) : is_no_worse_margin(p, known));
    return good || wrong(p, "the position referred to is another one");
}

/* == 4. Gomoku ==================================================================================================== */

/* Touches the empty squares of a row; returns the last. */
static int touch_row(struct proof *p, int row) {
    int last = -1;
    for (int i = 0; i < 5; i++) {
        int square = p->row[row][i];
        if (p->board[square] == NOBODY) {
            p->touched[square] = 1;
            last = square;
        }
    }
    return last;
}

/* 4.1 At each node of the villain: he must have no square that makes five. Counts the hero's (2 is two or more) and
 * finds one. Touches those, and rows where the stones that may be added could give the villain a four. */
static bool find_fives(struct proof *p, int *count, int *square) {
    int least = (4 - p->extra) * VILLAIN;
    for (int row = 0; row < p->row_count; row++) {
        int stones = p->stones[row];
        if (stones < least && stones != 4 * HERO) {
            continue;
        }
        if (stones == 4 * HERO) {
            int last = *square;
            *square = touch_row(p, row);
            *count += *count < 2 && *square != last;
        } else if (stones == 4 * VILLAIN) {
            return wrong(p, "the villain can make five");
        } else if (stones % VILLAIN == 0) {
            touch_row(p, row);
        }
    }
    return true;
}

/* 4.2 WON: the hero has two squares or more that make five. */
static bool check_won(int fives) {
    return fives == 2;
}

/* 4.3 FORCED: he has exactly one. The villain plays there. */
static bool check_forced(struct proof *p, int fives, int square) {
    return fives == 1 && check_move(p, square, VILLAIN);
}

/* The default as it stands. Its bytes are kept; those of one inside another are kept already.
 *
 * Where this is itself part of a default, what concerns the inner one (R(D, P, k + 1) of docs/theory.md) concerns the
 * outer one too, and yet `concerned` is not joined to `touched`: each of its squares that is empty and not listed is
 * tried as a reply, and each that is listed is played, and `put` touches both. No others can come to have a stone. */
static bool check_default(struct proof *p, unsigned char *concerned) {
    unsigned char *touched = p->touched;
    if (p->extra == 0 && p->added == 0) {
        p->kept_from = p->at;
        p->kept.count = p->ends.count = 0;
    }
    p->touched = concerned;
    p->extra++;
    bool good = check_node(p, HERO);
    p->extra--;
    p->touched = touched;
    return good;
}

/* Whether the default, which begins at `start`, holds again with a stone of the villain's on the square. */
static bool try_default(struct proof *p, uint64_t start, int square) {
    uint64_t at = p->at;
    p->at = start;
    p->added++;
    put(p, square, VILLAIN);
    bool good = check_node(p, HERO);
    put(p, square, -VILLAIN);
    p->added--;
    p->at = at;
    return good;
}

/* The n squares, which are empty and increase. When a default is tried, an added stone may stand on some. */
static bool read_listed(struct proof *p, unsigned char *listed) {
    int count = next_byte(p), last = -1;
    for (int i = 0; i < count; i++) {
        int square = next_byte(p);
        if (square <= last || square >= p->count || (p->board[square] != NOBODY && p->added == 0)) {
            return false;
        }
        listed[square] = 1;
        last = square;
    }
    return count >= 0;
}

/* Every empty square that is not listed: the default answers it. Those that cannot change it (section 6) are not
 * tried, unless all are asked for. */
static bool check_unlisted(struct proof *p, bool has_default, uint64_t start, const unsigned char *listed,
                           const unsigned char *concerned) {
    for (int square = 0; square < p->count; square++) {
        bool asked = p->board[square] == NOBODY && !listed[square] && (!has_default || concerned[square] || p->naive);
        if (asked && !(has_default && try_default(p, start, square))) {
            char what[80];
            snprintf(what, sizeof what, "no answer to row %d, column %d", square / p->size + 1, square % p->size + 1);
            return wrong(p, what);
        }
    }
    return true;
}

/* The hero's nodes behind the listed squares, in the same order. One with an added stone on it is no move any more:
 * its node is skipped. */
static bool check_listed(struct proof *p, const unsigned char *listed) {
    for (int square = 0; square < p->count; square++) {
        if (listed[square] && p->board[square] != NOBODY) {
            p->at = p->kept_from + ((const uint32_t *)p->ends.items)[p->at - p->kept_from];
        } else if (listed[square] && !check_move(p, square, VILLAIN)) {
            return false;
        }
    }
    return true;
}

static bool is_full(const struct proof *p) {
    return !memchr(p->board, NOBODY, (size_t)p->count);
}

/* 4.4 COVER d [default] n square1 .. squaren node1 .. noden: every legal move of the villain. */
static bool check_cover(struct proof *p) {
    squares listed = {0}, concerned = {0};
    int has_default = next_byte(p);
    uint64_t start = p->at;
    bool good = has_default == 0 || (has_default == 1 && check_default(p, concerned));
    if (!good || !read_listed(p, listed)) {
        return wrong(p, "expected one default or none, then empty squares in their order");
    }
    return check_unlisted(p, has_default, start, listed, concerned) && check_listed(p, listed) &&
           (p->holds || !is_full(p) || wrong(p, "the board is full"));
}

/* A byte n, then n pairs of squares: empty and all different. An empty square in no pair is its own partner, a
 * taken one has none: -1. */
static bool read_pairs(struct proof *p, int *partner) {
    for (int square = 0; square < p->count; square++) {
        partner[square] = p->board[square] == NOBODY ? square : -1;
    }
    int count = next_byte(p);
    for (int i = 0; i < count; i++) {
        int a = next_byte(p), b = next_byte(p);
        if (a < 0 || b < 0 || a >= p->count || b >= p->count || a == b || partner[a] != a || partner[b] != b) {
            return false;
        }
        partner[a] = b;
        partner[b] = a;
        p->touched[a] = p->touched[b] = 1;
    }
    return count >= 0;
}

/* What a row weighs, in parts of 32: nothing with a stone of the hero's or both squares of a pair, else 32, halved
 * for each of the five that is empty and in no pair. */
static int weigh_row(const int *row, int stones, const int *partner) {
    int weighs = stones % VILLAIN == 0 ? 32 : 0;
    for (int i = 0; i < 5; i++) {
        for (int j = i + 1; j < 5; j++) {
            weighs = partner[row[i]] == row[j] ? 0 : weighs;
        }
        weighs >>= partner[row[i]] == row[i];
    }
    return weighs;
}

/* 4.5 PAIRING: all rows together weigh less than 1; with the villain to move, also when those through any one empty
 * square that is in no pair are counted twice. */
static bool check_pairing(struct proof *p, int side) {
    int partner[MOST_SQUARES], through[MOST_SQUARES] = {0}, all = 0, most = 0;
    bool good = read_pairs(p, partner);
    for (int row = 0; row < p->row_count && good; row++) {
        int weighs = weigh_row(p->row[row], p->stones[row], partner);
        all += weighs;
        for (int i = 0; i < 5 && weighs > 0; i++) {
            int square = p->row[row][i];
            if (partner[square] == square) {
                p->touched[square] = 1;
                through[square] += weighs;
                most = through[square] > most ? through[square] : most;
            }
        }
    }
    return (good && all + (side == VILLAIN ? most : 0) < 32) || wrong(p, "the pairs do not hold");
}

/* 4.6 REFER: one of the eight turns and mirrors takes the known position to one where every stone of the hero's is
 * the hero's here, and every stone of the villain's here is the villain's there. */
static bool is_no_worse_gomoku(const struct proof *p, const unsigned char *known) {
    bool good = false;
    for (int way = 0; way < 8 && !good; way++) {
        good = true;
        for (int square = 0; square < p->count && good; square++) {
            int there = known[square], here = p->board[p->image[way][square]];
            good = (there != HERO || here == HERO) && (here != VILLAIN || there == VILLAIN);
        }
    }
    return good;
}

/* All nodes of Gomoku but the hero's moves. */
static bool check_gomoku(struct proof *p, int side, int code) {
    int fives = 0, square = -1;
    if (side == VILLAIN && !find_fives(p, &fives, &square)) {
        return false;
    }
    if (side == HERO || code == PAIRING) {
        return code == PAIRING && p->holds && check_pairing(p, side);
    }
    return code == WON      ? check_won(fives)
           : code == FORCED ? check_forced(p, fives, square)
                            : code == COVER && check_cover(p);
}

/* == 5. War board and Laser Checkmate ============================================================================= */

/* 5.1 Moves: the mover takes the square. On the war board, where a piece of his is beside, all beside becomes his. In
 * Laser his beams cover what they reach, also what others cover already. */
static void take(const struct proof *p, unsigned char *board, int square, int side) {
    bool spreads = p->laser;
    board[square] |= (unsigned char)side;
    for (int i = 0; i < p->near_count[square] && !spreads; i++) {
        spreads = board[p->near[square][i]] == side;
    }
    for (int i = 0; i < p->near_count[square] && spreads; i++) {
        unsigned char *reached = &board[p->near[square][i]];
        if (p->laser) {
            *reached |= (unsigned char)side;
        } else if (*reached != NOBODY) {
            *reached = (unsigned char)side;
        }
    }
}

/* 5.2 COVER: the hero's node for each legal square, row by row; there must be one. */
static bool check_cover_margin(struct proof *p) {
    bool good = !is_full(p);
    for (int square = 0; square < p->count && good; square++) {
        good = p->board[square] != NOBODY || check_move(p, square, VILLAIN);
    }
    return good;
}

/* 5.3 Live squares: free, or a move on a free square reaches it. (What reaches is reached.) All others are settled. */
static bool is_live(const struct proof *p, int square) {
    for (int i = 0; i < p->near_count[square]; i++) {
        if (p->board[p->near[square][i]] == NOBODY) {
            return true;
        }
    }
    return p->board[square] == NOBODY;
}

/* What a square brings to the hero's margin, by who has it. */
static int margin_of(const struct proof *p, int square, int owner) {
    return (owner & HERO ? p->value[square] : 0) - (owner & VILLAIN ? p->value[square] : 0);
}

/* 5.4 BOUND: the margin on the settled squares plus the worst on the live ones is at least b. The worst: on the war
 * board all are the villain's; in Laser all are covered by the villain, and by the hero only those that are now. */
static bool check_bound(const struct proof *p) {
    int margin = 0;
    for (int square = 0; square < p->count; square++) {
        if (!is_live(p, square)) {
            margin += margin_of(p, square, p->board[square]);
        } else if (!p->laser || !(p->board[square] & HERO)) {
            margin -= p->value[square];
        }
    }
    return margin >= p->margin;
}

/* 5.5 REFER: the same free squares; so the same ones are live. On those the hero has all that he had there and the
 * villain nothing more, and the margin on the settled squares is at least as great. */
static bool is_no_worse_margin(const struct proof *p, const unsigned char *known) {
    int settled = 0;
    bool good = true;
    for (int square = 0; square < p->count && good; square++) {
        int there = known[square], here = p->board[square];
        good = (there == NOBODY) == (here == NOBODY);
        if (there != here && !is_live(p, square)) {
            settled += margin_of(p, square, here) - margin_of(p, square, there);
        } else {
            good = good && !(there & HERO & ~here) && !(here & VILLAIN & ~there);
        }
    }
    return good && settled >= 0;
}

/* All nodes of both games but the hero's moves. */
static bool check_margin(struct proof *p, int side, int code) {
    return code == BOUND ? check_bound(p) : code == COVER && side == VILLAIN && check_cover_margin(p);
}

/* == 6. How it is checked ========================================================================================= */

/* Counts a position. A file may ask for 4096 positions a byte and a million more; beyond that it is a trap. */
static bool count_step(struct proof *p) {
    if (++p->steps > 1000000 + 4096 * p->read) {
        return stop(p, "more work than a proof of this length may take");
    }
    return p->steps % 65536 != 0 || !p->progress || p->progress(p->read, p->steps) || stop(p, "interrupted");
}

/* What the code stands for, by the rules of the game. */
static bool check_code(struct proof *p, int side, int code) {
    if (code == REFER) {
        return check_refer(p, side);
    }
    if (side == HERO && code < 0 && p->board[code + p->count] == NOBODY) {
        return check_move(p, code + p->count, HERO);
    }
    if (p->gomoku) {
        return check_gomoku(p, side, code) || wrong(p, "a node or a move that is impossible here");
    }
    return check_margin(p, side, code) || wrong(p, "no such move, or the margin is not certain");
}

/* One node: a name or none, a code, and what follows. Only one that is checked as it stands is counted and named. */
static bool check_node(struct proof *p, int side) {
    uint64_t start = p->at;
    if (!count_step(p)) {
        return false;
    }
    int byte = next_byte(p);
    bool named = byte == p->count + NAME;
    byte = named ? next_byte(p) : byte;
    bool good = byte >= 0 && check_code(p, side, byte - p->count);
    if (p->added > 0) {
        return good;
    }
    p->nodes++;
    if (good && p->extra > 0) {
        ((uint32_t *)p->ends.items)[start - p->kept_from] = (uint32_t)(p->at - p->kept_from);
    }
    return good && (!named || name_node(p, side));
}

/* Reads and checks one certificate; returns the exit status: 2 when it is none. */
static int check_certificate(struct proof *p) {
    squares touched = {0};
    p->touched = touched;
    if (!read_head(p)) {
        return 2;
    }
    bool good = check_node(p, p->to_move == p->hero ? HERO : VILLAIN) && check_digest(p);
    return good && !p->fault[0] ? 0 : 1;
}

/* Says what was proved. */
static void tell(const struct proof *p, FILE *out) {
    fprintf(out, "proved: %s%dx%d, %c to move: %c ", p->game, p->size, p->size, p->to_move, p->hero);
    if (p->gomoku) {
        fputs(p->claim, out);
    } else {
        fprintf(out, "has a margin of at least %d at the end", p->margin);
    }
    for (int square = 0; square < p->count; square++) {
        fputs(square % p->size == 0 ? "\n  " : p->war ? " " : "", out);
        if (p->war) {
            fprintf(out, "%d", p->value[square]);
        }
        putc(p->glyphs[square], out);
    }
    fprintf(out, "\nchecked: %" PRIu64 " positions, %" PRIu64 " replayed\n", p->nodes, p->steps - p->nodes);
}

int verify_stream(FILE *in, const char *name, bool naive, bool (*progress)(uint64_t, uint64_t), FILE *out,
                  FILE *errors) {
    uint64_t read = 0;
    int outcome;
    do { /* one certificate after the other */
        struct proof p = {
            .in = in, .naive = naive, .progress = progress, .at = read, .read = read, .digest = UINT64_MAX};
        outcome = check_certificate(&p);
        if (outcome == 0) {
            tell(&p, out);
        } else {
            fprintf(errors, "%s: %s\n", name, p.fault);
        }
        read = p.read;
        free(p.kept.items);
        free(p.ends.items);
        free(p.way.items);
        free(p.names.items);
    } while (outcome == 0 && ungetc(getc(in), in) != EOF);
    return outcome;
}

#ifdef VERIFY_ALONE
int main(int argc, char **argv) {
    FILE *in = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!in) {
        fputs("usage: sortie-verify CERTIFICATE (a file that can be read)\n", stderr);
        return 2;
    }
    return verify_stream(in, argv[1], false, NULL, stdout, stderr);
}
#endif
