/* Checks certificates of proofs (docs/proofs.md; docs/theory.md says why each rule is sound). Nothing here comes from
 * the engine, so that whoever doubts a proof has this one file to read: cc -O2 -DVERIFY_ALONE -o sortie-verify verify.c
 * The hero is the side the claim speaks of; a proof names one move of his and answers all moves of the villain's. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef VERIFY_ALONE
#include "prove/verify.h"
#endif

enum { MOST_SIZE = 15, MOST_SQUARES = 225, MOST_ROWS = 4 * 225, PATIENCE = 4096, MINE = 1, HIS = 8 };
enum { NOBODY, HERO, VILLAIN, SETTLED };                  /* what stands on a square; in Laser, whose beams */
enum { WON, FORCED, COVER, PAIRING, REFER, NAME, BOUND }; /* codes, counted from the number of squares */
static const int weight[] = {0, MINE, HIS, 0};            /* what stones add to the count of a row of five */
typedef unsigned char squares[MOST_SQUARES];
struct position {
    int side, settled; /* to move; the part of the margin that can change no more */
    squares board;     /* names keep it up to the last square */
};
struct proof {
    FILE *in;
    bool (*progress)(uint64_t bytes, uint64_t steps);
    bool naive, keeping, gomoku, laser;
    uint64_t at, read, digest; /* the cursor; how far the file was read, and its digest so far */
    uint64_t *kept; /* the bytes from `kept_from` on while a default may be played again, and 256 * the end of a node */
    uint64_t kept_from, steps, nodes;
    size_t name_count, name_size;
    char *names, start[MOST_SQUARES], game[12], rule[12], claim[12], hero, to_move, fault[120];
    int size, count, margin, value[MOST_SQUARES], image[8][MOST_SQUARES]; /* the square under each symmetry */
    squares board;
    int extra_count;                                      /* stones on the board that are no moves of the proof */
    int row_count, row[MOST_ROWS][5], stones[MOST_ROWS];  /* every five squares in a row */
    int near_count[MOST_SQUARES], near[MOST_SQUARES][24]; /* the rows through a square; else the squares it reaches */
};

/* Says what is wrong. While a default is tried with an extra stone, this only means that it does not answer that. */
static bool wrong(struct proof *p, const char *what) {
    if (!p->fault[0] && p->extra_count == 0) {
        snprintf(p->fault, sizeof p->fault, "byte %" PRIu64 ": %s", p->at, what);
    }
    return false;
}

/* Room for one more item; doubled whenever their number is a power of two. */
static bool grow(struct proof *p, void **items, size_t count, size_t size) {
    void *more = count & (count - 1) ? *items : realloc(*items, (2 * count + 1) * size);
    *items = more ? more : *items;
    return more || wrong(p, "there is not enough memory"); /* cppcheck-suppress memleak */
}

/* The next byte, from the file or from what was kept of it; -1 behind the end. */
static int next_byte(struct proof *p) {
    if (p->at < p->read) {
        return (int)(p->kept[p->at++ - p->kept_from] & 255);
    }
    int byte = getc(p->in);
    size_t place = p->at - p->kept_from;
    if (byte == EOF || (p->keeping && !grow(p, (void **)&p->kept, place, sizeof *p->kept))) {
        return wrong(p, "the file ends early") - 1;
    }
    if (p->keeping) {
        p->kept[place] = (uint64_t)byte;
    }
    p->digest ^= (uint64_t)byte;
    for (int bit = 0; bit < 8; bit++) {
        p->digest = p->digest >> 1 ^ (0xC96C5795D7870F42 & (0 - (p->digest & 1)));
    }
    p->read = ++p->at;
    return byte;
}

/* The position to name or to compare. In a game of margins only what can still change is compared square by square;
 * the margin is at least what is returned, which leaves all of that to the villain. */
static int look(const struct proof *p, int side, struct position *now) {
    int worst = 0;
    *now = (struct position){.side = side};
    for (int square = 0; square < p->count; square++) {
        int board = p->board[square], mine = board & HERO ? p->value[square] : 0;
        int margin = mine - (board & VILLAIN ? p->value[square] : 0);
        bool live = board == NOBODY || p->gomoku;
        for (int i = 0; i < p->near_count[square] && !live; i++) {
            live = p->board[p->near[square][i]] == NOBODY;
        }
        now->board[square] = (unsigned char)(live ? board : SETTLED);
        now->settled += live ? 0 : margin;
        worst += !live ? margin : (p->laser ? mine : 0) - p->value[square];
    }
    return worst;
}

/* Whether the hero does here at least as well as in the named position, turned by some symmetry: he has all he had
 * there, the villain nothing more. In games of margins the same squares must be free. */
static bool refer(struct proof *p, int side, unsigned char *touched) {
    struct position now, known = {0};
    uint64_t number = 0;
    int byte = 128, good = 0;
    for (int shift = 0; shift < 35 && byte >= 128; shift += 7) {
        byte = next_byte(p);
        number |= (uint64_t)(byte & 127) << shift;
    }
    if (byte < 0 || number >= p->name_count) {
        return wrong(p, "no node was named so");
    }
    look(p, side, &now);
    memset(touched, 1, (size_t)p->count);
    memcpy(&known, p->names + number * p->name_size, p->name_size);
    for (int symmetry = 0; symmetry < (p->gomoku ? 8 : 1) && !good; symmetry++) {
        good = now.side == known.side && now.settled >= known.settled;
        for (int square = 0; square < p->count && good; square++) {
            int there = known.board[square], here = now.board[p->image[symmetry][square]];
            good = (there & HERO & ~here) == 0 && (here & VILLAIN & ~there) == 0 && (p->gomoku || !here == !there);
        }
    }
    return good || wrong(p, "the position referred to is another one");
}

static bool node(struct proof *p, int side, int extra, unsigned char *touched);

static void put(struct proof *p, int square, int side) {
    for (int i = 0; i < p->near_count[square]; i++) {
        p->stones[p->near[square][i]] += weight[side] - weight[p->board[square]];
    }
    p->board[square] = (unsigned char)side;
}

/* The node behind a move, unless that makes five. */
static bool node_after(struct proof *p, int square, int side, int extra, unsigned char *touched) {
    bool good = false;
    put(p, square, side);
    touched[square] = 1;
    for (int i = 0; i < p->near_count[square]; i++) {
        good = good || p->stones[p->near[square][i]] == 5 * MINE;
    }
    good = good || node(p, HERO + VILLAIN - side, extra, touched);
    put(p, square, NOBODY);
    return good;
}

/* On how many squares the hero makes five (2: or more), *five being one; -1 when the villain has such a square. Touches
 * the hero's, and squares where stones of the villain's, up to `extra` of them, could give him one. */
static int threats(const struct proof *p, int extra, int *five, unsigned char *touched) {
    int count = 0, least = extra > 4 ? 0 : 4 - extra;
    for (int row = 0; row < p->row_count && count >= 0; row++) {
        int stones = p->stones[row], threat = stones == 4 * MINE;
        for (int i = 0; i < 5 && (threat || (stones % HIS == 0 && stones >= least * HIS)); i++) {
            int square = p->row[row][i], empty = p->board[square] == NOBODY;
            touched[square] |= empty > 0;
            count = !threat || !empty ? count : count == 0 || (count == 1 && square == *five) ? 1 : 2;
            *five = threat && empty ? square : *five;
        }
        count = stones == 4 * HIS ? -1 : count;
    }
    return count;
}

/* Any move of the villain's: those listed have a node each, the default answers the others. */
static bool cover(struct proof *p, int extra, unsigned char *touched) {
    squares listed = {0}, concerned = {0};
    int defaults = next_byte(p);
    bool keeps = defaults > 0 && !p->keeping, any = false, good = defaults == 0 || defaults == 1;
    uint64_t start = p->at;
    p->kept_from = keeps ? start : p->kept_from;
    p->keeping = p->keeping || keeps;
    good = good && (defaults == 0 || node(p, HERO, extra + 1, concerned));
    int replies = good ? next_byte(p) : -1;
    for (int last = -1, square = 0; good && replies > 0; replies--, last = square) {
        square = next_byte(p);
        good = square > last && square < p->count && (p->board[square] == NOBODY || p->extra_count > 0);
        listed[good ? square : 0] = 1;
    }
    uint64_t children = p->at;
    char what[80] = "expected one default or none, then empty squares in their order";
    good = good && replies == 0;
    for (int square = 0; square < p->count && good; square++) {
        any = any || p->board[square] == NOBODY;
        if (p->board[square] == NOBODY && !listed[square] && (!defaults || concerned[square] || p->naive)) {
            p->at = start;
            p->extra_count++;
            good = defaults > 0 && node_after(p, square, VILLAIN, extra, touched);
            p->extra_count--;
            snprintf(what, sizeof what, "no answer to row %d, column %d", square / p->size + 1, square % p->size + 1);
        }
    }
    p->at = children;
    p->keeping = p->keeping && !keeps;
    for (int square = 0; square < p->count && good; square++) {
        if (listed[square] && p->board[square] != NOBODY) {
            p->at = p->kept[p->at - p->kept_from] >> 8; /* an extra stone stands there: no move any more */
        } else if (listed[square] && !node_after(p, square, VILLAIN, extra, touched)) {
            return false;
        }
    }
    return good ? any || p->claim[0] == 'h' || wrong(p, "the board is full") : wrong(p, what);
}

/* Disjoint pairs of empty squares. A row that the villain could still fill has one of them, or weighs 32, halved for
 * each of its empty squares that is in no pair. The villain needs 32 in all; his move doubles what is on its rows. */
static bool pairing(struct proof *p, int side, unsigned char *touched) {
    int partner[MOST_SQUARES], through[MOST_SQUARES] = {0}, pairs = next_byte(p), good = pairs >= 0, sum = 0, most = 0;
    memset(partner, -1, sizeof partner);
    for (; good && pairs > 0; pairs--) {
        int a = next_byte(p), b = next_byte(p);
        good = a >= 0 && b >= 0 && a < p->count && b < p->count && a != b && p->board[a] == NOBODY &&
               p->board[b] == NOBODY && partner[a] < 0 && partner[b] < 0;
        if (good) {
            partner[a] = b, partner[b] = a;
            touched[a] = touched[b] = 1;
        }
    }
    for (int row = 0; row < p->row_count && good; row++) {
        int weighs = p->stones[row] % HIS > 0 ? 0 : 32;
        for (int i = 0; i < 25 && weighs > 0; i++) {
            weighs = partner[p->row[row][i / 5]] == p->row[row][i % 5] ? 0 : weighs;
        }
        for (int i = 0; i < 10; i++) { /* weighed first, then added up */
            int square = p->row[row][i % 5], own = p->board[square] == NOBODY && partner[square] < 0;
            weighs >>= i < 5 ? own : 0;
            through[square] += i < 5 ? 0 : own * weighs;
            touched[square] |= own && weighs > 0;
            most = side == VILLAIN && through[square] > most ? through[square] : most;
        }
        sum += weighs;
    }
    return (good && sum + most < 32) || wrong(p, "the pairs do not hold");
}

static bool gomoku_node(struct proof *p, int side, int code, int extra, unsigned char *touched) {
    int five = -1, square = code + p->count, count = side == VILLAIN ? threats(p, extra, &five, touched) : 0;
    bool good = count < 0                  ? wrong(p, "the villain can make five")
                : code < 0 && side == HERO ? !p->board[square] && node_after(p, square, HERO, extra, touched)
                : code == PAIRING && p->claim[0] == 'h' ? pairing(p, side, touched)
                : code == COVER && side == VILLAIN      ? cover(p, extra, touched)
                : code == FORCED && count == 1          ? node_after(p, five, VILLAIN, extra, touched)
                                                        : code == WON && count == 2;
    return good || wrong(p, "a node or a move that is impossible here");
}

static void take(struct proof *p, int square, int side) {
    int count = p->near_count[square], raid = 0;
    for (int i = 0; i < 2 * count; i++) { /* once to look for a piece to raid from, once to raid */
        unsigned char *near = &p->board[p->near[square][i % count]];
        raid = raid || *near == side;
        *near = (unsigned char)(p->laser ? *near | side : raid && i >= count && *near != NOBODY ? side : *near);
    }
    p->board[square] |= (unsigned char)side;
}

static bool margin_node(struct proof *p, int side, int code, unsigned char *touched) {
    struct position before;
    bool any = code == BOUND && look(p, side, &before) >= p->margin, good = side == HERO ? code < 0 : code == COVER;
    memcpy(before.board, p->board, sizeof before.board);
    for (int square = 0; square < p->count && good; square++) {
        if (before.board[square] == NOBODY && (side == VILLAIN || square == code + p->count)) {
            any = true;
            take(p, square, side);
            good = node(p, HERO + VILLAIN - side, 0, touched);
            memcpy(p->board, before.board, sizeof before.board);
        }
    }
    return any ? good || code == BOUND : wrong(p, "no such move, or the margin is not certain");
}

/* A node for the board as it is. Touches the squares on which one of up to `extra` more stones could change it. */
static bool node(struct proof *p, int side, int extra, unsigned char *touched) {
    uint64_t start = p->at;
    bool bored = ++p->steps > 1000000 + PATIENCE * p->read;
    if (bored || (p->steps % 65536 == 0 && p->progress && !p->progress(p->read, p->steps))) {
        p->extra_count = 0; /* whatever was being tried */
        return wrong(p, bored ? "more work than a proof of this length may take" : "interrupted");
    }
    int first = next_byte(p), named = first == p->count + NAME, code = (named ? next_byte(p) : first) - p->count;
    bool good = !p->fault[0] && (code == REFER ? refer(p, side, touched)
                                 : p->gomoku   ? gomoku_node(p, side, code, extra, touched)
                                               : margin_node(p, side, code, touched));
    p->nodes += p->extra_count == 0;
    if (good && p->keeping && p->extra_count == 0) {
        p->kept[start - p->kept_from] |= p->at << 8;
    }
    if (good && named && p->extra_count == 0 && grow(p, (void **)&p->names, p->name_count, p->name_size)) {
        struct position now;
        look(p, side, &now);
        memcpy(p->names + p->name_count++ * p->name_size, &now, p->name_size);
    }
    return good && !p->fault[0];
}

/* Finds a square's images under the symmetries, and in each direction its row of five or the squares it reaches. */
static void look_around(struct proof *p, int square) {
    static const int down[] = {0, 1, 1, 1, 0, -1, -1, -1}, right[] = {1, 1, 0, -1, -1, -1, 0, 1};
    int row = square / p->size, column = square % p->size, last = p->size - 1, path[5] = {square};
    for (int way = 0; way < 8; way++) {
        int r = way & 1 ? last - row : row, c = way & 2 ? last - column : column, length = 1;
        p->image[way][square] = way & 4 ? c * p->size + r : r * p->size + c;
        int most = p->gomoku ? (way < 4 ? 5 : 1) : p->laser ? 4 : 2 - way % 2;
        for (; length < most; path[length++] = r * p->size + c) {
            r = row + length * down[way];
            c = column + length * right[way];
            if (r < 0 || r > last || c < 0 || c > last || p->value[r * p->size + c] == 0) {
                break;
            }
        }
        for (int i = !p->gomoku; i < length && (!p->gomoku || length == 5); i++) {
            int from = p->gomoku ? path[i] : square;
            p->near[from][p->near_count[from]++] = p->gomoku ? p->row_count : path[i];
            p->row[p->row_count][i] = path[i];
            p->stones[p->row_count] += weight[p->board[path[i]] & SETTLED];
        }
        p->row_count += p->gomoku && length == 5;
    }
}

/* Reads the claim and the position. Whatever differs from the head made again of what was understood is refused. */
static bool read_head(struct proof *p) {
    static const char games[] = ",gomoku freestyle wins,gomoku freestyle holds,war stake margin,war sneak margin,"
                                "laser standard margin,";
    char head[128] = "", again[160], kind[64], *end = head;
    for (int lines = 0; lines < 4 && end < head + sizeof head - 1 && !p->fault[0]; lines += end[-1] == '\n') {
        *end++ = (char)next_byte(p);
    }
    sscanf(head, "sortie proof 1 game %11[a-z] %11[a-z] %2d move %c claim %c %11[a-z] %9d", p->game, p->rule, &p->size,
           &p->to_move, &p->hero, p->claim, &p->margin);
    snprintf(again, sizeof again, "sortie proof 1\ngame %s %s %d\nmove %c\nclaim %c %s %d\n", p->game, p->rule, p->size,
             p->to_move, p->hero, p->claim, p->margin);
    snprintf(kind, sizeof kind, ",%s %s %s,", p->game, p->rule, p->claim);
    p->laser = p->game[0] == 'l';
    p->gomoku = p->game[0] == 'g';
    p->count = p->size * p->size;
    p->name_size = sizeof(struct position) - MOST_SQUARES + (size_t)p->count;
    const char *glyphs = p->laser ? "0123" : ".XO";
    bool good = strcmp(again, head) == 0 && strstr(games, kind) && p->size >= (p->gomoku ? 5 : 1) &&
                p->size <= MOST_SIZE && memchr(glyphs + 1, p->hero, 2) && memchr(glyphs + 1, p->to_move, 2);
    for (int i = 0; i < p->count && good; i++) {
        int byte = next_byte(p);
        for (; p->game[0] == 'w' && byte >= '0' && byte <= '9' && p->value[i] < 400000; byte = next_byte(p)) {
            p->value[i] = 10 * p->value[i] + byte - '0';
        }
        p->start[i] = (char)byte;
        p->value[i] = p->game[0] == 'w' ? p->value[i] : byte != '3';
        p->board[i] = byte == glyphs[0] ? NOBODY : byte == '3' ? SETTLED : byte == p->hero ? HERO : VILLAIN;
        good = byte > 0 && strchr(glyphs, byte) && (p->value[i] > 0 || byte == '3') &&
               (i % p->size < p->size - 1 || next_byte(p) == '\n');
    }
    for (int i = 0; i < p->count && good; i++) {
        look_around(p, i);
        if (p->laser && (p->start[i] == '1' || p->start[i] == '2')) {
            take(p, i, p->start[i] == p->hero ? HERO : VILLAIN);
        }
    }
    for (int row = 0; row < p->row_count && good; row++) {
        good = p->stones[row] != 5 * MINE && p->stones[row] != 5 * HIS;
    }
    return good || wrong(p, "expected the head of a certificate (docs/proofs.md) of a game that is not over");
}

/* Reads and checks one certificate; returns the exit status. */
static int check(struct proof *p) {
    squares touched = {0};
    bool head = read_head(p), good = head && node(p, p->to_move == p->hero ? HERO : VILLAIN, 0, touched);
    uint64_t digest = ~p->digest;
    for (int i = 0; i < 8 && good; i++) {
        good = next_byte(p) == (int)(digest >> 8 * i & 255);
    }
    return good || wrong(p, "the digest is another one") ? 0 : head ? 1 : 2;
}

/* Says what was proved. */
static void tell(const struct proof *p, FILE *out) {
    fprintf(out, "proved: %s %s %dx%d, %c to move: %c ", p->game, p->rule, p->size, p->size, p->to_move, p->hero);
    fprintf(out, p->gomoku ? "%s" : "has a %s of at least %d at the end", p->claim, p->margin);
    for (int i = 0; i < p->count; i++) {
        int value = p->game[0] == 'w' ? p->value[i] : 0;
        fprintf(out, "%s%.0d%c", i % p->size > 0 ? value ? " " : "" : "\n  ", value, p->start[i]);
    }
    fprintf(out, "\nchecked: %" PRIu64 " positions, %" PRIu64 " replayed\n", p->nodes, p->steps - p->nodes);
}

int verify_stream(FILE *in, const char *name, bool naive, bool (*progress)(uint64_t, uint64_t), FILE *out,
                  FILE *errors) {
    struct proof p = {0};
    int outcome = 0;
    do { /* one certificate after the other */
        p = (struct proof){
            .in = in, .naive = naive, .progress = progress, .at = p.read, .read = p.read, .digest = ~0ULL};
        outcome = check(&p);
        outcome == 0 ? tell(&p, out) : (void)fprintf(errors, "%s: %s\n", name, p.fault);
        free(p.kept);
        free(p.names);
    } while (outcome == 0 && ungetc(getc(in), in) != EOF);
    return outcome;
}

#ifdef VERIFY_ALONE
int main(int argc, char **argv) {
    FILE *in = argc == 2 ? fopen(argv[1], "rb") : NULL;
    fputs(in ? "" : "usage: sortie-verify CERTIFICATE (a file that can be read)\n", stderr);
    return in ? verify_stream(in, argv[1], false, NULL, stdout, stderr) : 2;
}
#endif
