/* A second checker of certificates, written from docs/proofs.md alone, to be compared with sortie verify: exit status
 * 0, 1 or 2 as there. It shares nothing with that one, and is plain where that one is thrifty: the file is in memory, a
 * named position is a board, nothing is remembered of a node that was read, and which stones concern a default
 * (docs/theory.md) is a set that every function returns. Any of its complaints ends the program.
 *
 *     cc -O2 -o second_checker second_checker.c && ./second_checker FILE */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 225
#define ROWS (4 * MOST)

enum { FREE, MINE, YOURS, BOTH }; /* the hero's, the villain's; in Laser a beam of either, a block is both */
enum { WON, FORCED, COVER, PAIRING, REFER, NAME, BOUND };

typedef struct {
    unsigned char has[MOST];
} set;

typedef struct {
    unsigned char at[MOST];
    int side;
} board;

static const unsigned char *file;
static size_t file_size, cursor, begun;
static const char *file_name;

static char game, hero_name, mover_name, claim[8];
static long margin;
static int n, count, value[MOST], reach[MOST][24], reaches[MOST];
static board now;

static int row_count, row[ROWS][5], crossing[MOST][20], crossings[MOST];
static unsigned char in_row[ROWS][3]; /* how many stones, by MINE and YOURS */
static board *names;
static size_t name_count, name_room;

static int refuse(int status, const char *what) {
    fprintf(stderr, "%s: byte %zu: %s\n", file_name, cursor - begun, what);
    exit(status);
}

#define NEED(condition, what) ((condition) ? 0 : refuse(1, what))

static int byte(void) {
    NEED(cursor < file_size, "the end of the file");
    return file[cursor++];
}

/* LEB128: seven bits a byte, lowest first, in as few bytes as it takes and at most five. */
static size_t number(void) {
    uint64_t result = 0;
    for (int i = 0;; i++) {
        int next = byte();
        result |= (uint64_t)(next & 127) << 7 * i;
        if (next < 128) {
            NEED(next > 0 || i == 0, "a number that could be shorter");
            return (size_t)result;
        }
        NEED(i < 4, "a number that is too long");
    }
}

static void join(set *whole, const set *part) {
    for (int i = 0; i < count; i++) {
        whole->has[i] |= part->has[i];
    }
}

/* == the head ==================================================================================================== */

/* The square so many rows down and columns right; -1 beside the board. */
static int beside(int square, int down, int right) {
    int r = square / n + down, c = square % n + right;
    return r < 0 || c < 0 || r >= n || c >= n ? -1 : r * n + c;
}

static void lay_out(void) {
    static const int ways[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
    row_count = 0;
    memset(crossings, 0, sizeof crossings);
    for (int square = 0; square < count; square++) {
        reaches[square] = 0;
        for (int way = 0; way < 8; way++) {
            int down = ways[way][0], right = ways[way][1];
            if (game == 'g' && way < 4 && beside(square, 4 * down, 4 * right) >= 0) {
                for (int i = 0; i < 5; i++) {
                    int there = row[row_count][i] = beside(square, i * down, i * right);
                    crossing[there][crossings[there]++] = row_count;
                }
                row_count++;
            }
            int far = game == 'l' ? 3 : game == 'w' && way % 2 == 0 ? 1 : 0;
            for (int i = 1; i <= far && value[square] > 0; i++) {
                int there = beside(square, i * down, i * right);
                if (there < 0 || value[there] == 0) {
                    break;
                }
                reach[square][reaches[square]++] = there;
            }
        }
    }
}

static void take(board *b, int square, int side);

/* The four lines, written again from what was read, must be the same bytes. */
static void read_lines(void) {
    char kind[24], word[12], again[160];
    char lines[160] = {0};
    size_t length = 0;
    for (int ends = 0; ends < 4 && length < sizeof lines - 1 && cursor + length < file_size; length++) {
        lines[length] = (char)file[cursor + length];
        ends += lines[length] == '\n';
    }
    if (sscanf(lines, "sortie proof 1\ngame %23[a-z ]%d\nmove %c\nclaim %c %11s %ld", kind, &n, &mover_name, &hero_name,
               word, &margin) != 6) {
        refuse(2, "no head");
    }
    snprintf(again, sizeof again, "sortie proof 1\ngame %s%d\nmove %c\nclaim %c %s %ld\n", kind, n, mover_name,
             hero_name, word, margin);
    game = kind[0];
    int known = !strcmp(kind, "gomoku freestyle ")
                    ? n >= 5 && (!strcmp(word, "wins") || !strcmp(word, "holds")) && margin == 0
                : !strcmp(kind, "war stake ") || !strcmp(kind, "war sneak ") || !strcmp(kind, "laser standard ")
                    ? !strcmp(word, "margin") && margin >= -99999999 && margin <= 999999999
                    : 0;
    const char *sides = game == 'l' ? "12" : "XO";
    if (!known || n < 1 || n > 15 || !strchr(sides, hero_name) || !strchr(sides, mover_name) ||
        strcmp(again, lines) != 0) {
        refuse(2, "no such head");
    }
    strcpy(claim, word);
    cursor += length;
    count = n * n;
}

static void read_board(void) {
    char glyphs[MOST] = {0};
    for (int i = 0; i < count; i++) {
        long worth = 0;
        for (int digits = 0; game == 'w' && cursor < file_size && file[cursor] >= '0' && file[cursor] <= '9';
             digits++) {
            worth = 10 * worth + file[cursor++] - '0';
            if (worth == 0 || digits > 7) {
                refuse(2, "no value");
            }
        }
        char glyph = cursor < file_size ? (char)file[cursor] : 'E';
        if (!memchr(game == 'l' ? "0123" : ".XO!", glyph, game == 'l' ? 4 : 3) ||
            (game == 'w' && (worth < 1 || worth >= 4000000))) {
            refuse(2, "no square");
        }
        cursor++;
        glyphs[i] = glyph;
        value[i] = game == 'w' ? (int)worth : glyph != '3';
        now.at[i] = glyph == '3' ? BOTH : glyph == '.' || glyph == '0' ? FREE : glyph == hero_name ? MINE : YOURS;
        if (i % n == n - 1 && (cursor >= file_size || file[cursor++] != '\n')) {
            refuse(2, "no end of a row");
        }
    }
    lay_out();
    for (int i = 0; i < count && game == 'l'; i++) {
        if (glyphs[i] == '1' || glyphs[i] == '2') {
            take(&now, i, glyphs[i] == hero_name ? MINE : YOURS);
        }
    }
}

/* == Gomoku ====================================================================================================== */

/* A stone comes, or goes: FREE. */
static void put(int square, int side) {
    int change = side == FREE ? -1 : 1;
    int which = side == FREE ? now.at[square] : side;
    now.at[square] = (unsigned char)side;
    for (int i = 0; i < crossings[square]; i++) {
        unsigned char *stones = &in_row[crossing[square][i]][which];
        *stones = (unsigned char)(*stones + change);
    }
}

static void count_rows(void) {
    memset(in_row, 0, sizeof in_row);
    for (int r = 0; r < row_count; r++) {
        for (int i = 0; i < 5; i++) {
            in_row[r][now.at[row[r][i]]]++;
        }
    }
}

/* Whether there is a five of the side's through the square. */
static int is_five(int square, int side) {
    for (int way = 0; way < 4; way++) {
        int down = (int[]){0, 1, 1, 1}[way], right = (int[]){1, 1, 0, -1}[way], length = 1;
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int i = 1, there; (there = beside(square, sign * i * down, sign * i * right)) >= 0; i++) {
                if (now.at[there] != side) {
                    break;
                }
                length++;
            }
        }
        if (length >= 5) {
            return 1;
        }
    }
    return 0;
}

static set node(int side, int more, int fresh);

/* What concerns a node of the villain's, and the squares on which the hero makes five. */
static set look(int more, set *fives) {
    set concerns = {{0}};
    memset(fives, 0, sizeof *fives);
    for (int r = 0; r < row_count; r++) {
        int mine = in_row[r][MINE], yours = in_row[r][YOURS], is_mine = mine == 4 && yours == 0;
        if (!is_mine && (mine > 0 || yours < 4 - more)) {
            continue;
        }
        NEED(yours < 4, "the villain makes five");
        for (int i = 0; i < 5; i++) {
            int square = row[r][i];
            if (now.at[square] == FREE) {
                concerns.has[square] = 1;
                fives->has[square] |= (unsigned char)is_mine;
            }
        }
    }
    return concerns;
}

/* A stone and what follows it. */
static set after(int square, int side, int more, int fresh) {
    set concerns = {{0}};
    put(square, side);
    if (side == YOURS || !is_five(square, MINE)) {
        concerns = node(side == MINE ? YOURS : MINE, more, fresh);
    }
    put(square, FREE);
    concerns.has[square] = 1;
    return concerns;
}

/* Passes over a node whose reply is on a square that is taken: only the hero's fives need the board for that. */
static void skip(void) {
    int code = byte() - count;
    code = code == NAME ? byte() - count : code;
    if (code < 0) {
        int square = code + count, before = now.at[square];
        now.at[square] = MINE;
        if (!is_five(square, MINE)) {
            skip();
        }
        now.at[square] = (unsigned char)before;
    } else if (code == FORCED) {
        skip();
    } else if (code == COVER) {
        if (byte() == 1) {
            skip();
        }
        int listed = byte();
        for (cursor += (size_t)listed; listed > 0; listed--) {
            skip();
        }
    } else if (code == PAIRING) {
        int many = byte();
        cursor += 2 * (size_t)many;
    } else if (code == REFER) {
        number();
    }
}

/* COVER. A default need only be played again with the stones that concern it, one more than may come anyway. */
static set cover(int more, int fresh) {
    set concerns = {{0}}, by_default = {{0}}, listed = {{0}};
    int with = byte(), squares[256], last = -1;
    size_t start = cursor;
    NEED(with < 2, "one default or none");
    if (with) {
        by_default = node(MINE, more + 1, fresh);
    }
    int many = byte();
    for (int i = 0; i < many; i++) {
        squares[i] = byte();
        NEED(squares[i] > last && squares[i] < count, "squares that increase");
        last = squares[i];
        NEED(!fresh || now.at[last] == FREE, "a listed square is taken");
        listed.has[last] = 1;
    }
    size_t children = cursor;
    int empty = 0;
    for (int y = 0; y < count; y++) {
        empty += now.at[y] == FREE;
        if (now.at[y] == FREE && !listed.has[y]) {
            NEED(with, "a reply has no answer");
            if (by_default.has[y]) {
                cursor = start;
                put(y, YOURS);
                set played = node(MINE, more, 0);
                put(y, FREE);
                join(&concerns, &played);
            }
        }
    }
    NEED(empty > 0 || !strcmp(claim, "holds"), "the board is full");
    join(&concerns, &by_default);
    cursor = children;
    for (int i = 0; i < many; i++) {
        if (now.at[squares[i]] != FREE) {
            skip();
        } else {
            set answered = after(squares[i], YOURS, more, fresh);
            join(&concerns, &answered);
        }
    }
    return concerns;
}

/* PAIRING. Weights are in parts of 32. */
static set pairs(int side) {
    set concerns = {{0}};
    int partner[MOST], through[MOST] = {0}, whole = 0, most = 0;
    memset(partner, -1, sizeof partner);
    NEED(!strcmp(claim, "holds"), "pairs do not win");
    for (int left = byte(); left > 0; left--) {
        int a = byte(), b = byte();
        NEED(a < count && b < count && a != b && now.at[a] == FREE && now.at[b] == FREE && partner[a] < 0 &&
                 partner[b] < 0,
             "pairs of squares that are empty and different");
        partner[a] = b;
        partner[b] = a;
        concerns.has[a] = concerns.has[b] = 1;
    }
    for (int r = 0; r < row_count; r++) {
        int mine = in_row[r][MINE], weight = 32;
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                mine += partner[row[r][i]] == row[r][j];
            }
            weight >>= now.at[row[r][i]] == FREE && partner[row[r][i]] < 0;
        }
        for (int i = 0; i < 5 && mine == 0; i++) {
            int square = row[r][i];
            if (now.at[square] == FREE && partner[square] < 0) {
                concerns.has[square] = 1;
                through[square] += weight;
                most = through[square] > most ? through[square] : most;
            }
        }
        whole += mine == 0 ? weight : 0;
    }
    NEED(whole + (side == YOURS ? most : 0) < 32, "the pairs do not hold");
    return concerns;
}

static int turn(int way, int square) {
    int r = square / n, c = square % n;
    r = way & 1 ? n - 1 - r : r;
    c = way & 2 ? n - 1 - c : c;
    return way & 4 ? c * n + r : r * n + c;
}

static int no_worse_gomoku(const board *known) {
    for (int way = 0; way < 8; way++) {
        int good = 1;
        for (int i = 0; i < count; i++) {
            int here = now.at[turn(way, i)];
            good = good && (known->at[i] != MINE || here == MINE) && (here != YOURS || known->at[i] == YOURS);
        }
        if (good) {
            return 1;
        }
    }
    return 0;
}

/* == War board and Laser Checkmate =============================================================================== */

static void take(board *b, int square, int side) {
    int spreads = game == 'l';
    b->at[square] |= (unsigned char)side;
    for (int i = 0; i < reaches[square]; i++) {
        spreads = spreads || b->at[reach[square][i]] == side;
    }
    for (int i = 0; i < reaches[square] && spreads; i++) {
        unsigned char *there = &b->at[reach[square][i]];
        *there = game == 'l' ? *there | (unsigned char)side : *there == FREE ? FREE : (unsigned char)side;
    }
}

static int is_live(int square) {
    int live = now.at[square] == FREE;
    for (int other = 0; other < count; other++) {
        for (int i = 0; i < reaches[other] && now.at[other] == FREE; i++) {
            live = live || reach[other][i] == square;
        }
    }
    return live;
}

static long worth(int square, int owner) {
    return (owner & MINE ? value[square] : 0) - (owner & YOURS ? value[square] : 0);
}

static void bound(void) {
    long sure = 0;
    for (int i = 0; i < count; i++) {
        if (!is_live(i)) {
            sure += worth(i, now.at[i]);
        } else if (game == 'w') {
            sure -= value[i];
        } else {
            sure += worth(i, (now.at[i] & MINE) | YOURS);
        }
    }
    NEED(sure >= margin, "the margin is not certain");
}

static int no_worse_margin(const board *known) {
    long here = 0, there = 0;
    for (int i = 0; i < count; i++) {
        if ((known->at[i] == FREE) != (now.at[i] == FREE)) {
            return 0;
        }
    }
    for (int i = 0; i < count; i++) {
        if (!is_live(i)) {
            here += worth(i, now.at[i]);
            there += worth(i, known->at[i]);
        } else if ((known->at[i] & MINE & ~now.at[i]) || (now.at[i] & YOURS & ~known->at[i])) {
            return 0;
        }
    }
    return here >= there;
}

static void play(int square, int side) {
    board before = now;
    NEED(now.at[square] == FREE, "a square that is not free");
    take(&now, square, side);
    node(side == MINE ? YOURS : MINE, 0, 1);
    now = before;
}

static void margins(int side, int code) {
    if (code == BOUND) {
        bound();
    } else if (side == MINE) {
        NEED(code < 0, "no move");
        play(code + count, MINE);
    } else {
        NEED(code == COVER && memchr(now.at, FREE, (size_t)count), "no such node");
        for (int i = 0; i < count; i++) {
            if (now.at[i] == FREE) {
                play(i, YOURS);
            }
        }
    }
}

/* == nodes ======================================================================================================= */

static set refer(int side) {
    set everything;
    size_t k = number();
    memset(&everything, 1, sizeof everything);
    NEED(k < name_count && names[k].side == side, "no such name");
    NEED(game == 'g' ? no_worse_gomoku(&names[k]) : no_worse_margin(&names[k]), "another position");
    return everything;
}

static set gomoku(int side, int code, int more, int fresh) {
    set fives = {{0}}, concerns = {{0}};
    int many = 0, five = 0;
    if (side == YOURS) {
        concerns = look(more, &fives);
    }
    for (int i = 0; i < count; i++) {
        many += fives.has[i];
        five = fives.has[i] ? i : five;
    }
    set below = {{0}};
    if (code == PAIRING) {
        below = pairs(side);
    } else if (code == REFER) {
        below = refer(side);
    } else if (side == MINE) {
        NEED(code < 0 && now.at[code + count] == FREE, "no move");
        below = after(code + count, MINE, more, fresh);
    } else if (code == FORCED) {
        NEED(many == 1, "not one five");
        below = after(five, YOURS, more, fresh);
    } else if (code == WON) {
        NEED(many >= 2, "not two fives");
    } else {
        NEED(code == COVER, "no such node");
        below = cover(more, fresh);
    }
    join(&concerns, &below);
    return concerns;
}

/* A node of a side's, on a board to which `more` stones of the villain's may come; `fresh`: as it stands in the file,
 * and not played again. What is returned are the squares on which a stone could change that it holds. */
static set node(int side, int more, int fresh) {
    set concerns = {{0}};
    int code = byte() - count;
    int named = code == NAME;
    code = named ? byte() - count : code;
    if (game == 'g') {
        concerns = gomoku(side, code, more, fresh);
    } else if (code == REFER) {
        refer(side);
    } else {
        margins(side, code);
    }
    if (named && fresh) {
        if (name_count == name_room) {
            name_room = name_room ? 2 * name_room : 1024;
            board *more_names = realloc(names, name_room * sizeof *names);
            NEED(more_names != NULL, "no memory");
            names = more_names;
        }
        names[name_count] = now;
        names[name_count++].side = side;
    }
    return concerns;
}

static void check_certificate(void) {
    begun = cursor;
    name_count = 0;
    memset(&now, 0, sizeof now);
    read_lines();
    read_board();
    count_rows();
    for (int r = 0; r < row_count; r++) {
        if (in_row[r][MINE] == 5 || in_row[r][YOURS] == 5) {
            refuse(2, "the game is over");
        }
    }
    node(hero_name == mover_name ? MINE : YOURS, 0, 1);
    uint64_t digest = UINT64_MAX;
    for (size_t i = begun; i < cursor; i++) {
        digest ^= file[i];
        for (int bit = 0; bit < 8; bit++) {
            digest = digest & 1 ? digest >> 1 ^ 0xC96C5795D7870F42u : digest >> 1;
        }
    }
    for (int i = 0; i < 8; i++) {
        NEED(byte() == (int)(~digest >> 8 * i & 255), "another digest");
    }
}

static void read_file(FILE *in) {
    size_t room = 1 << 20;
    unsigned char *bytes = malloc(room);
    while (bytes && (file_size += fread(bytes + file_size, 1, room - file_size, in)) == room) {
        room *= 2;
        unsigned char *larger = realloc(bytes, room);
        if (!larger) {
            refuse(2, "no memory");
        }
        bytes = larger;
    }
    if (!bytes || ferror(in)) {
        refuse(2, "cannot be read");
    }
    file = bytes;
}

int main(int argc, char **argv) {
    file_name = argc == 2 ? argv[1] : "usage: second_checker FILE";
    FILE *in = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!in) {
        refuse(2, "no file");
    }
    read_file(in);
    do {
        check_certificate();
    } while (cursor < file_size);
    puts("proved");
    return 0;
}
