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
    MOST_ROWS = 4 * MOST_SQUARES, /* of five squares, in four directions */
    MOST_REACHED = 24,            /* squares from one: beams of three squares in eight directions */
    MOST_PATH = MOST_SQUARES      /* moves from the head's position to a node: each fills a square */
};

/* What stands on a square. In Laser a beam counts as its owner's; both may have one. A block is settled. */
enum { NOBODY = 0, HERO = 1, VILLAIN = 2, SETTLED = HERO | VILLAIN };

/* The codes of nodes, counted from the number of squares. */
enum { WON, FORCED, COVER, PAIRING, REFER, NAME, BOUND };

/* What is kept of a row of five: the sum over its stones. Up to five of each never mix. */
enum { HEROS = 1, VILLAINS = 8 };
static const int weight[] = {[NOBODY] = 0, [HERO] = HEROS, [VILLAIN] = VILLAINS, [SETTLED] = 0};

#define NOT_KEPT UINT32_MAX

typedef unsigned char squares[MOST_SQUARES];

/* A move, as it is remembered for names. */
struct step {
    uint32_t before; /* the step that led there; NOT_KEPT: none, it starts from the head's position */
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

    /* the claim (section 1) and the head (section 2.1) */
    char game[12], rule[12], claim[12], hero, to_move;
    bool gomoku, war, laser, holds;
    int size, count; /* of the board: a side, and all squares */
    int margin;
    char glyphs[MOST_SQUARES]; /* the head's squares as they are written */
    int value[MOST_SQUARES];   /* what a square counts; 0: a block */
    squares start;             /* the head's position */

    /* the file (section 2.2), and how far it is checked */
    uint64_t at;           /* where the next byte is read */
    uint64_t read;         /* how far the file has been read */
    uint64_t digest;       /* so far */
    bool keeping;          /* a default is read, whose bytes will be needed again */
    uint64_t kept_from;    /* where it begins */
    unsigned char *kept;   /* its bytes */
    uint32_t *kept_ends;   /* for each byte that a node begins with: where the node ends, from `kept_from` on */
    size_t kept_room;      /* of both */
    uint64_t nodes, steps; /* positions checked as they stand; and all, replayed ones too */

    /* the board, as the checker walks through the proof */
    squares board;
    int extra_count; /* stones on it that are no moves of the proof: a default is tried with them */
    struct step path[MOST_PATH];
    uint32_t path_kept[MOST_PATH]; /* each one's place in `kept_steps`, or NOT_KEPT */
    int path_length;

    /* names (section 3) */
    struct step *kept_steps; /* those that lead to names */
    size_t step_count, step_room;
    struct name *names;
    size_t name_count, name_room;

    /* the board's geometry */
    int image[8][MOST_SQUARES];                          /* where each turn and mirror takes a square */
    int row_count, row[MOST_ROWS][5], stones[MOST_ROWS]; /* Gomoku: every five squares in a row, and their stones */
    int near_count[MOST_SQUARES];                        /* Gomoku: the rows through a square; */
    int near[MOST_SQUARES][MOST_REACHED];                /* otherwise the squares that a move on it reaches */
};

/* Says what is wrong. While a default is tried with an extra stone, that only means that it has no answer to it. */
static bool wrong(struct proof *p, const char *what) {
    if (!p->fault[0] && p->extra_count == 0) {
        snprintf(p->fault, sizeof p->fault, "byte %" PRIu64 ": %s", p->at, what);
    }
    return false;
}

static int opponent(int side) {
    return side == HERO ? VILLAIN : HERO;
}

/* Room for one more item; twice as much whenever it is used up. */
static bool make_room(struct proof *p, void **items, size_t *room, size_t count, size_t size) {
    if (count < *room) {
        return true;
    }
    size_t more = *room ? 2 * *room : 64;
    void *larger = realloc(*items, more * size);
    if (!larger) {
        return wrong(p, "there is not enough memory");
    }
    *items = larger;
    *room = more;
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

/* Keeps a byte of a default. */
static bool keep_byte(struct proof *p, int byte) {
    size_t place = (size_t)(p->at - p->kept_from), room = p->kept_room;
    if (place >= UINT32_MAX) {
        return wrong(p, "a default of more than 4 GB");
    }
    if (!make_room(p, (void **)&p->kept, &room, place, sizeof *p->kept) ||
        !make_room(p, (void **)&p->kept_ends, &p->kept_room, place, sizeof *p->kept_ends)) {
        return false;
    }
    p->kept[place] = (unsigned char)byte;
    p->kept_ends[place] = 0;
    return true;
}

/* The next byte: again from what was kept, or new from the file; -1 behind its end. */
static int next_byte(struct proof *p) {
    if (p->at < p->read) {
        return p->kept[p->at++ - p->kept_from];
    }
    int byte = getc(p->in);
    if (byte == EOF) {
        wrong(p, "the file ends early");
        return -1;
    }
    if (p->keeping && !keep_byte(p, byte)) {
        return -1;
    }
    digest_byte(p, byte);
    p->read = ++p->at;
    return byte;
}

/* -- 2.1 The head -- */

/* Reads the four lines of text. Whatever differs from the lines made again of what was understood is refused. */
static bool read_claim(struct proof *p) {
    char head[128] = "", again[160];
    size_t length = 0;
    for (int lines = 0; lines < 4 && length < sizeof head - 1 && !p->fault[0]; lines += head[length - 1] == '\n') {
        head[length++] = (char)next_byte(p);
    }
    sscanf(head, "sortie proof 1 game %11[a-z] %11[a-z] %2d move %c claim %c %11[a-z] %9d", p->game, p->rule, &p->size,
           &p->to_move, &p->hero, p->claim, &p->margin);
    snprintf(again, sizeof again, "sortie proof 1\ngame %s %s %d\nmove %c\nclaim %c %s %d\n", p->game, p->rule, p->size,
             p->to_move, p->hero, p->claim, p->margin);
    return strcmp(again, head) == 0;
}

/* Whether there is such a claim about such a game, on such a board and with such sides. */
static bool understand_claim(struct proof *p) {
    static const char *const known[] = {"gomoku freestyle wins", "gomoku freestyle holds", "war stake margin",
                                        "war sneak margin", "laser standard margin"};
    char claim[64];
    bool is_known = false;
    snprintf(claim, sizeof claim, "%s %s %s", p->game, p->rule, p->claim);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        is_known = is_known || strcmp(claim, known[i]) == 0;
    }
    p->gomoku = strcmp(p->game, "gomoku") == 0;
    p->war = strcmp(p->game, "war") == 0;
    p->laser = strcmp(p->game, "laser") == 0;
    p->holds = strcmp(p->claim, "holds") == 0;
    p->count = p->size * p->size;
    const char *sides = p->laser ? "12" : "XO";
    return is_known && p->size >= (p->gomoku ? 5 : 1) && p->size <= MOST_SIZE && memchr(sides, p->hero, 2) &&
           memchr(sides, p->to_move, 2);
}

/* Reads one square of a row: on the war board its value first. */
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
    return true;
}

/* Reads N rows of N squares. */
static bool read_board(struct proof *p) {
    for (int square = 0; square < p->count; square++) {
        bool last = square % p->size == p->size - 1;
        if (!read_square(p, square) || (last && next_byte(p) != '\n')) {
            return false;
        }
    }
    return true;
}

/* -- the board's geometry -- */

/* Where the eight turns and mirrors take a square. */
static void find_images(struct proof *p, int square) {
    int row = square / p->size, column = square % p->size, last = p->size - 1;
    for (int way = 0; way < 8; way++) {
        int r = way & 1 ? last - row : row, c = way & 2 ? last - column : column;
        p->image[way][square] = way & 4 ? c * p->size + r : r * p->size + c;
    }
}

/* The squares from `square` on in one of eight directions, itself the first, up to `most`, the edge or a block. */
static int walk(const struct proof *p, int square, int way, int most, int *path) {
    static const int down[] = {0, 1, 1, 1, 0, -1, -1, -1}, right[] = {1, 1, 0, -1, -1, -1, 0, 1};
    int row = square / p->size, column = square % p->size, length = 0;
    while (length < most && row >= 0 && row < p->size && column >= 0 && column < p->size &&
           p->value[row * p->size + column] > 0) {
        path[length++] = row * p->size + column;
        row += down[way];
        column += right[way];
    }
    return length;
}

/* Gomoku: adds the rows of five that begin on a square, in four of the directions. */
static void find_rows(struct proof *p, int square) {
    for (int way = 0; way < 4; way++) {
        int *row = p->row[p->row_count];
        if (walk(p, square, way, 5, row) < 5) {
            continue;
        }
        for (int i = 0; i < 5; i++) {
            p->near[row[i]][p->near_count[row[i]]++] = p->row_count;
            p->stones[p->row_count] += weight[p->board[row[i]]];
        }
        p->row_count++;
    }
}

/* The other games: the squares that a move on a square reaches. On the war board the neighbours, in Laser three squares
 * in each direction, up to a block. */
static void find_reached(struct proof *p, int square) {
    for (int way = 0; way < 8; way += p->war ? 2 : 1) {
        int path[4];
        int length = walk(p, square, way, p->war ? 2 : 4, path);
        for (int i = 1; i < length; i++) {
            p->near[square][p->near_count[square]++] = path[i];
        }
    }
}

static void take(const struct proof *p, unsigned char *board, int square, int side);

/* Nobody may have five in Gomoku. */
static bool has_five(const struct proof *p) {
    for (int row = 0; row < p->row_count; row++) {
        if (p->stones[row] == 5 * HEROS || p->stones[row] == 5 * VILLAINS) {
            return true;
        }
    }
    return false;
}

/* Reads the claim and the position. */
static bool read_head(struct proof *p) {
    bool good = read_claim(p) && understand_claim(p) && read_board(p);
    for (int square = 0; square < p->count && good; square++) {
        find_images(p, square);
        if (p->gomoku) {
            find_rows(p, square);
        } else {
            find_reached(p, square);
        }
        if (p->laser && (p->glyphs[square] == '1' || p->glyphs[square] == '2')) {
            take(p, p->board, square, p->glyphs[square] == p->hero ? HERO : VILLAIN);
        }
    }
    memcpy(p->start, p->board, sizeof p->start);
    return (good && !has_five(p)) ||
           wrong(p, "expected the head of a certificate (docs/proofs.md) of a game that is not over");
}

/* -- 2.2 The digest -- */

/* The eight bytes behind the body, lowest first. */
static bool check_digest(struct proof *p) {
    uint64_t digest = ~p->digest;
    for (int i = 0; i < 8; i++) {
        if (next_byte(p) != (int)(digest >> 8 * i & 255)) {
            return wrong(p, "the digest is another one");
        }
    }
    return true;
}

/* -- 2.3 The body -- */

/* A node for the board as it is. Touches the squares on which one of up to `extra` more stones of the villain's could
 * change it (section 6). */
static bool check_node(struct proof *p, int side, int extra, unsigned char *touched);

/* The node behind a move that has been made on the board. */
static bool check_node_after(struct proof *p, int square, int side, int extra, unsigned char *touched) {
    p->path[p->path_length].square = (unsigned char)square;
    p->path[p->path_length].side = (unsigned char)side;
    p->path_kept[p->path_length++] = NOT_KEPT;
    bool good = check_node(p, opponent(side), extra, touched);
    p->path_length--;
    return good;
}

/* == 3. Names ===================================================================================================== */

/* -- 3.1 NAME -- */

/* The node on the board is complete and gets the next number. Its position is kept as the moves that lead to it, those
 * that other names share only once: so a name takes no more than some times the bytes of the file it stands for. */
static bool name_node(struct proof *p, int side) {
    uint32_t before = NOT_KEPT;
    for (int i = 0; i < p->path_length; i++) {
        if (p->path_kept[i] == NOT_KEPT) {
            if (p->step_count >= NOT_KEPT ||
                !make_room(p, (void **)&p->kept_steps, &p->step_room, p->step_count, sizeof *p->kept_steps)) {
                return wrong(p, "more names than can be kept");
            }
            p->path[i].before = before;
            p->kept_steps[p->step_count] = p->path[i];
            p->path_kept[i] = (uint32_t)p->step_count++;
        }
        before = p->path_kept[i];
    }
    if (!make_room(p, (void **)&p->names, &p->name_room, p->name_count, sizeof *p->names)) {
        return false;
    }
    p->names[p->name_count++] = (struct name){.step = before, .side = (unsigned char)side};
    return true;
}

/* The board of a named position: its moves, played from the head's position on. */
static void rebuild(const struct proof *p, const struct name *name, unsigned char *board) {
    uint32_t way[MOST_PATH];
    int length = 0;
    for (uint32_t step = name->step; step != NOT_KEPT; step = p->kept_steps[step].before) {
        way[length++] = step;
    }
    memcpy(board, p->start, (size_t)p->count);
    while (length > 0) {
        const struct step *step = &p->kept_steps[way[--length]];
        take(p, board, step->square, step->side);
    }
}

/* -- 3.2 REFER -- */

/* The number of a name, LEB128: seven bits a byte, lowest first, the highest bit set on all but the last. */
static bool read_number(struct proof *p, uint64_t *number) {
    int byte = 128;
    *number = 0;
    for (int shift = 0; shift < 35 && byte >= 128; shift += 7) {
        byte = next_byte(p);
        *number |= (uint64_t)(byte & 127) << shift;
    }
    return byte >= 0;
}

static bool is_no_worse_gomoku(const struct proof *p, const unsigned char *known);
static bool is_no_worse_margin(const struct proof *p, const unsigned char *known);

/* REFER k: the hero does here at least as well as in the k-th named position, with the same side to move. */
static bool check_refer(struct proof *p, int side, unsigned char *touched) {
    uint64_t number;
    squares known;
    if (!read_number(p, &number) || number >= p->name_count) {
        return wrong(p, "no node was named so");
    }
    const struct name *name = &p->names[number];
    memset(touched, 1, (size_t)p->count);
    rebuild(p, name, known);
    bool good = name->side == side && (p->gomoku ? is_no_worse_gomoku(p, known) : is_no_worse_margin(p, known));
    return good || wrong(p, "the position referred to is another one");
}

/* == 4. Gomoku ==================================================================================================== */

/* Puts a stone on a square, or takes it away again: NOBODY. */
static void put(struct proof *p, int square, int side) {
    int change = weight[side] - weight[p->board[square]];
    for (int i = 0; i < p->near_count[square]; i++) {
        p->stones[p->near[square][i]] += change;
    }
    p->board[square] = (unsigned char)side;
}

/* Whether a stone of the hero's on the square makes five. */
static bool makes_five(const struct proof *p, int square) {
    for (int i = 0; i < p->near_count[square]; i++) {
        if (p->stones[p->near[square][i]] == 5 * HEROS) {
            return true;
        }
    }
    return false;
}

/* A move of either side's, and the node behind it; the hero's five needs none. */
static bool check_move(struct proof *p, int square, int side, int extra, unsigned char *touched) {
    put(p, square, side);
    touched[square] = 1;
    bool good = (side == HERO && makes_five(p, square)) || check_node_after(p, square, side, extra, touched);
    put(p, square, NOBODY);
    return good;
}

/* -- 4.1 At each node of the villain -- */

/* The hero's squares that make five, counted up to two. */
struct fives {
    int count;
    int square; /* one of them */
};

/* Touches the empty squares of a row. */
static void touch_row(const struct proof *p, int row, unsigned char *touched) {
    for (int i = 0; i < 5; i++) {
        touched[p->row[row][i]] |= p->board[p->row[row][i]] == NOBODY;
    }
}

/* The villain must have no square that makes five; finds the hero's. Touches those, and every empty square of rows
 * where up to `extra` more stones could give the villain a four. */
static bool find_fives(struct proof *p, int extra, struct fives *fives, unsigned char *touched) {
    int least = extra < 4 ? (4 - extra) * VILLAINS : 0;
    *fives = (struct fives){0, -1};
    for (int row = 0; row < p->row_count; row++) {
        int stones = p->stones[row];
        if (stones == 4 * HEROS) {
            for (int i = 0; i < 5; i++) {
                int square = p->row[row][i];
                if (p->board[square] == NOBODY && square != fives->square) {
                    touched[square] = 1;
                    fives->count += fives->count < 2;
                    fives->square = square;
                }
            }
        } else if (stones == 4 * VILLAINS) {
            return wrong(p, "the villain can make five");
        } else if (stones >= least && stones % VILLAINS == 0) {
            touch_row(p, row, touched);
        }
    }
    return true;
}

/* -- 4.2 WON -- */

/* The hero has two squares or more that make five. */
static bool check_won(const struct fives *fives) {
    return fives->count == 2;
}

/* -- 4.3 FORCED -- */

/* He has exactly one. The villain plays there. */
static bool check_forced(struct proof *p, const struct fives *fives, int extra, unsigned char *touched) {
    return fives->count == 1 && check_move(p, fives->square, VILLAIN, extra, touched);
}

/* -- 4.4 COVER -- */

/* The n squares, which are empty and increase. When a default is tried again, an extra stone may stand on some. */
static bool read_listed(struct proof *p, unsigned char *listed) {
    int count = next_byte(p), last = -1;
    for (int i = 0; i < count; i++) {
        int square = next_byte(p);
        if (square <= last || square >= p->count || (p->board[square] != NOBODY && p->extra_count == 0)) {
            return false;
        }
        listed[square] = 1;
        last = square;
    }
    return count >= 0;
}

/* Whether the default, which begins at `start`, holds again with a stone of the villain's on the square. */
static bool try_default(struct proof *p, uint64_t start, int square, int extra, unsigned char *touched) {
    p->at = start;
    p->extra_count++;
    put(p, square, VILLAIN);
    touched[square] = 1;
    bool good = check_node(p, HERO, extra, touched);
    put(p, square, NOBODY);
    p->extra_count--;
    return good;
}

/* Every empty square that is not listed: the default answers it. Those that cannot change it (section 6) are not tried,
 * unless all are asked for. Returns the first without an answer, or -1. */
static int find_unanswered(struct proof *p, bool has_default, uint64_t start, const unsigned char *listed,
                           const unsigned char *concerned, int extra, unsigned char *touched) {
    for (int square = 0; square < p->count; square++) {
        if (p->board[square] != NOBODY || listed[square] || (has_default && !concerned[square] && !p->naive)) {
            continue;
        }
        if (!has_default || !try_default(p, start, square, extra, touched)) {
            return square;
        }
    }
    return -1;
}

/* The hero's nodes behind the listed squares, in the same order. One with an extra stone on it is no move any more: its
 * node is skipped. */
static bool check_listed(struct proof *p, const unsigned char *listed, int extra, unsigned char *touched) {
    for (int square = 0; square < p->count; square++) {
        if (listed[square] && p->board[square] != NOBODY) {
            p->at = p->kept_from + p->kept_ends[p->at - p->kept_from];
        } else if (listed[square] && !check_move(p, square, VILLAIN, extra, touched)) {
            return false;
        }
    }
    return true;
}

static bool is_full(const struct proof *p) {
    return !memchr(p->board, NOBODY, (size_t)p->count);
}

/* COVER d [default] n square1 .. squaren node1 .. noden: every legal move of the villain. */
static bool check_cover(struct proof *p, int extra, unsigned char *touched) {
    squares listed = {0}, concerned = {0};
    int has_default = next_byte(p);
    bool outermost = has_default == 1 && !p->keeping;
    uint64_t start = p->at;
    if (outermost) {
        p->keeping = true;
        p->kept_from = start;
    }
    bool good = has_default == 0 || (has_default == 1 && check_node(p, HERO, extra + 1, concerned));
    if (!good || !read_listed(p, listed)) {
        return wrong(p, "expected one default or none, then empty squares in their order");
    }
    uint64_t nodes = p->at;
    int unanswered = find_unanswered(p, has_default, start, listed, concerned, extra, touched);
    p->at = nodes;
    if (unanswered >= 0) {
        char what[80];
        snprintf(what, sizeof what, "no answer to row %d, column %d", unanswered / p->size + 1,
                 unanswered % p->size + 1);
        return wrong(p, what);
    }
    p->keeping = p->keeping && !outermost;
    return check_listed(p, listed, extra, touched) && (p->holds || !is_full(p) || wrong(p, "the board is full"));
}

/* -- 4.5 PAIRING -- */

/* A byte n, then n pairs of squares: empty and all different. */
static bool read_pairs(struct proof *p, int *partner, unsigned char *touched) {
    int count = next_byte(p);
    memset(partner, -1, MOST_SQUARES * sizeof *partner);
    for (int i = 0; i < count; i++) {
        int a = next_byte(p), b = next_byte(p);
        if (a < 0 || b < 0 || a >= p->count || b >= p->count || a == b || p->board[a] != NOBODY ||
            p->board[b] != NOBODY || partner[a] >= 0 || partner[b] >= 0) {
            return false;
        }
        partner[a] = b;
        partner[b] = a;
        touched[a] = touched[b] = 1;
    }
    return count >= 0;
}

/* Empty and in no pair. */
static bool is_single(const struct proof *p, const int *partner, int square) {
    return p->board[square] == NOBODY && partner[square] < 0;
}

/* What a row weighs, in parts of 32: nothing with a stone of the hero's or both squares of a pair, else 32, halved for
 * each of the five that is empty and in no pair. */
static int weigh_row(const struct proof *p, const int *row, int stones, const int *partner) {
    int weighs = 32;
    if (stones % VILLAINS > 0) {
        return 0;
    }
    for (int i = 0; i < 5; i++) {
        for (int j = i + 1; j < 5; j++) {
            if (partner[row[i]] == row[j]) {
                return 0;
            }
        }
        weighs >>= is_single(p, partner, row[i]);
    }
    return weighs;
}

/* All rows together weigh less than 1; with the villain to move, also when those through any one empty square that is
 * in no pair are counted twice. */
static bool check_pairing(struct proof *p, int side, unsigned char *touched) {
    int partner[MOST_SQUARES], through[MOST_SQUARES] = {0}, all = 0, most = 0;
    bool good = read_pairs(p, partner, touched);
    for (int row = 0; row < p->row_count && good; row++) {
        int weighs = weigh_row(p, p->row[row], p->stones[row], partner);
        all += weighs;
        for (int i = 0; i < 5 && weighs > 0; i++) {
            int square = p->row[row][i];
            if (is_single(p, partner, square)) {
                touched[square] = 1;
                through[square] += weighs;
                most = through[square] > most ? through[square] : most;
            }
        }
    }
    return (good && all + (side == VILLAIN ? most : 0) < 32) || wrong(p, "the pairs do not hold");
}

/* -- 4.6 REFER -- */

/* One of the eight turns and mirrors takes the known position to one where every stone of the hero's is the hero's
 * here, and every stone of the villain's here is the villain's there. */
static bool is_no_worse_gomoku(const struct proof *p, const unsigned char *known) {
    for (int way = 0; way < 8; way++) {
        bool good = true;
        for (int square = 0; square < p->count && good; square++) {
            int there = known[square], here = p->board[p->image[way][square]];
            good = (there != HERO || here == HERO) && (here != VILLAIN || there == VILLAIN);
        }
        if (good) {
            return true;
        }
    }
    return false;
}

/* -- all of them -- */

/* The hero's own move is on an empty square. */
static bool check_hero_gomoku(struct proof *p, int code, int extra, unsigned char *touched) {
    int square = code + p->count;
    if (code < 0 && p->board[square] == NOBODY) {
        return check_move(p, square, HERO, extra, touched);
    }
    return code == PAIRING && p->holds && check_pairing(p, HERO, touched);
}

/* The villain's nodes, by their code. */
static bool check_villain_gomoku(struct proof *p, int code, int extra, unsigned char *touched) {
    struct fives fives;
    if (!find_fives(p, extra, &fives, touched)) {
        return false;
    }
    switch (code) {
    case WON:
        return check_won(&fives);
    case FORCED:
        return check_forced(p, &fives, extra, touched);
    case COVER:
        return check_cover(p, extra, touched);
    case PAIRING:
        return p->holds && check_pairing(p, VILLAIN, touched);
    default:
        return false;
    }
}

/* == 5. War board and Laser Checkmate ============================================================================= */

/* -- 5.1 Moves -- */

/* On the war board the mover takes the square and, where a piece of his is beside, raids: all beside becomes his. */
static void take_war(const struct proof *p, unsigned char *board, int square, int side) {
    bool raids = false;
    for (int i = 0; i < p->near_count[square]; i++) {
        raids = raids || board[p->near[square][i]] == side;
    }
    for (int i = 0; i < p->near_count[square] && raids; i++) {
        unsigned char *beside = &board[p->near[square][i]];
        *beside = (unsigned char)(*beside == NOBODY ? NOBODY : side);
    }
    board[square] = (unsigned char)side;
}

/* In Laser his beams cover what they reach, also what others cover already. */
static void take_laser(const struct proof *p, unsigned char *board, int square, int side) {
    for (int i = 0; i < p->near_count[square]; i++) {
        board[p->near[square][i]] |= (unsigned char)side;
    }
    board[square] |= (unsigned char)side;
}

/* A move of any game, on any board. */
static void take(const struct proof *p, unsigned char *board, int square, int side) {
    if (p->gomoku) {
        board[square] = (unsigned char)side;
    } else if (p->war) {
        take_war(p, board, square, side);
    } else {
        take_laser(p, board, square, side);
    }
}

/* A legal move, and the node behind it. */
static bool check_take(struct proof *p, int square, int side, unsigned char *touched) {
    squares before;
    memcpy(before, p->board, (size_t)p->count);
    take(p, p->board, square, side);
    bool good = check_node_after(p, square, side, 0, touched);
    memcpy(p->board, before, (size_t)p->count);
    return good;
}

/* -- 5.2 COVER -- */

/* The hero's node for each legal square, row by row; there must be one. */
static bool check_cover_margin(struct proof *p, unsigned char *touched) {
    bool any = false;
    for (int square = 0; square < p->count; square++) {
        if (p->board[square] == NOBODY) {
            any = true;
            if (!check_take(p, square, VILLAIN, touched)) {
                return false;
            }
        }
    }
    return any;
}

/* -- 5.3 Live and settled squares -- */

/* Live: it is free, or a move on a free square reaches it. (What reaches is reached.) */
static bool is_live(const struct proof *p, int square) {
    bool live = p->board[square] == NOBODY;
    for (int i = 0; i < p->near_count[square] && !live; i++) {
        live = p->board[p->near[square][i]] == NOBODY;
    }
    return live;
}

/* What a square brings to the hero's margin. */
static int margin_of(const struct proof *p, const unsigned char *board, int square) {
    return (board[square] & HERO ? p->value[square] : 0) - (board[square] & VILLAIN ? p->value[square] : 0);
}

/* -- 5.4 BOUND -- */

/* The margin on the settled squares plus the worst on the live ones is at least b. The worst: on the war board all are
 * the villain's; in Laser all are covered by the villain, and by the hero only those that are now. */
static bool check_bound(const struct proof *p) {
    int margin = 0;
    for (int square = 0; square < p->count; square++) {
        if (!is_live(p, square)) {
            margin += margin_of(p, p->board, square);
        } else if (!p->laser || !(p->board[square] & HERO)) {
            margin -= p->value[square];
        }
    }
    return margin >= p->margin;
}

/* -- 5.5 REFER -- */

/* The same free squares; so the same ones are live. On those the hero has all that he had there and the villain nothing
 * more, and the margin on the settled squares is at least as great. */
static bool is_no_worse_margin(const struct proof *p, const unsigned char *known) {
    int settled = 0;
    for (int square = 0; square < p->count; square++) {
        int there = known[square], here = p->board[square];
        if ((there == NOBODY) != (here == NOBODY)) {
            return false;
        }
        if (there == here) {
            continue;
        }
        if (!is_live(p, square)) {
            settled += margin_of(p, p->board, square) - margin_of(p, known, square);
        } else if ((there & HERO & ~here) != 0 || (here & VILLAIN & ~there) != 0) {
            return false;
        }
    }
    return settled >= 0;
}

/* -- all of them -- */

/* The nodes of both games, by their code. */
static bool check_margin(struct proof *p, int side, int code, unsigned char *touched) {
    int square = code + p->count;
    if (code == BOUND) {
        return check_bound(p);
    }
    if (side == HERO) {
        return code < 0 && p->board[square] == NOBODY && check_take(p, square, HERO, touched);
    }
    return code == COVER && check_cover_margin(p, touched);
}

/* == 6. How it is checked ========================================================================================= */

/* Counts a position. A file may ask for 4096 positions a byte and a million more; beyond that it is a trap. */
static bool count_step(struct proof *p) {
    bool trap = ++p->steps > 1000000 + 4096 * p->read;
    if (trap || (p->steps % 65536 == 0 && p->progress && !p->progress(p->read, p->steps))) {
        p->extra_count = 0; /* whatever was being tried */
        return wrong(p, trap ? "more work than a proof of this length may take" : "interrupted");
    }
    return true;
}

/* What the code stands for, by the rules of the game. */
static bool check_code(struct proof *p, int side, int code, int extra, unsigned char *touched) {
    if (code == REFER) {
        return check_refer(p, side, touched);
    }
    if (!p->gomoku) {
        return check_margin(p, side, code, touched) || wrong(p, "no such move, or the margin is not certain");
    }
    return (side == HERO ? check_hero_gomoku(p, code, extra, touched)
                         : check_villain_gomoku(p, code, extra, touched)) ||
           wrong(p, "a node or a move that is impossible here");
}

/* One node: a name or none, a code, and what follows. */
static bool check_node(struct proof *p, int side, int extra, unsigned char *touched) {
    uint64_t start = p->at;
    if (!count_step(p)) {
        return false;
    }
    int byte = next_byte(p);
    bool named = byte == p->count + NAME;
    byte = named ? next_byte(p) : byte;
    bool good = !p->fault[0] && byte >= 0 && check_code(p, side, byte - p->count, extra, touched);
    if (p->extra_count == 0) { /* checked as it stands */
        p->nodes++;
        if (good && p->keeping) {
            p->kept_ends[start - p->kept_from] = (uint32_t)(p->at - p->kept_from);
        }
        good = good && (!named || name_node(p, side));
    }
    return good && !p->fault[0];
}

/* Reads and checks one certificate; returns the exit status: 2 when it is none. */
static int check_certificate(struct proof *p) {
    squares touched = {0};
    if (!read_head(p)) {
        return 2;
    }
    return check_node(p, p->to_move == p->hero ? HERO : VILLAIN, 0, touched) && check_digest(p) ? 0 : 1;
}

/* Says what was proved. */
static void tell(const struct proof *p, FILE *out) {
    fprintf(out, "proved: %s %s %dx%d, %c to move: %c ", p->game, p->rule, p->size, p->size, p->to_move, p->hero);
    if (p->gomoku) {
        fputs(p->claim, out);
    } else {
        fprintf(out, "has a margin of at least %d at the end", p->margin);
    }
    for (int square = 0; square < p->count; square++) {
        bool first = square % p->size == 0;
        fputs(first ? "\n  " : p->war ? " " : "", out);
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
            .in = in, .naive = naive, .progress = progress, .at = read, .read = read, .digest = ~UINT64_C(0)};
        outcome = check_certificate(&p);
        if (outcome == 0) {
            tell(&p, out);
        } else {
            fprintf(errors, "%s: %s\n", name, p.fault);
        }
        read = p.read;
        free(p.kept);
        free(p.kept_ends);
        free(p.kept_steps);
        free(p.names);
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
