/* What a line looks like from one empty square: the alphabet of the engine.
 *
 * For an empty square, a direction and a side, the kind of the line says what the side would have if it played
 * there: nothing, a two, an open three, a four, a five. Kinds come from tables indexed by the squares of the
 * line (four each way in freestyle, five under the other rules, where a sixth stone or the far end matters). The four
 * kinds of a square make its code, and the code its class: what playing there threatens.
 *
 * The tables are built once, on first use, and never change. */
#ifndef SORTIE_GAMES_GOMOKU_BOARD_PATTERN_H
#define SORTIE_GAMES_GOMOKU_BOARD_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

/* A line through the square after playing there. "Open" kinds lead to an open four, "blocked" only to fours. */
enum gomoku_kind {
    KIND_NONE,        /* no five is possible any more */
    KIND_BLOCKED_ONE, /* the stone alone, room for a five but for nothing open */
    KIND_OPEN_ONE,
    KIND_BLOCKED_TWO,
    KIND_OPEN_TWO,      /* one square makes it an open three */
    KIND_OPEN_TWO_A,    /* two squares do */
    KIND_OPEN_TWO_B,    /* three or more */
    KIND_BLOCKED_THREE, /* can become a four, not an open one */
    KIND_OPEN_THREE,    /* one square makes it an open four */
    KIND_OPEN_THREE_A,  /* two or more do */
    KIND_FOUR,          /* one square makes a five */
    KIND_OPEN_FOUR,     /* two or more do */
    KIND_FIVE,
    KIND_COUNT,
    /* Black's alone, in renju, who may not play there. */
    KIND_OVERLINE = KIND_COUNT,
    KIND_DOUBLE_FOUR, /* two fours in one line */
    KINDS_WITH_FOULS
};

/* Multisets of four kinds: (KIND_COUNT + 3) over 4. */
#define GOMOKU_CODES 1820

#define NET_FAR 7 /* squares this far apart and farther are alike for the ordering */

/* What playing on a square does for a side. */
enum gomoku_class {
    CLASS_NONE,         /* no direction holds anything */
    CLASS_QUIET,        /* ones, twos and blocked threes */
    CLASS_THREE,        /* one open three */
    CLASS_DOUBLE_THREE, /* two and more */
    CLASS_FOUR,         /* one four */
    CLASS_FOUR_THREE,   /* a four and an open three */
    CLASS_OPEN_FOUR,    /* an open four, or fours in two directions */
    CLASS_FIVE,
    /* Black's alone, in renju. */
    CLASS_FOUL,            /* forbidden by an overline or two fours */
    CLASS_DOUBT_THREE,     /* two threes and more, which may be forbidden */
    CLASS_DOUBT_FOUR,      /* these and a four */
    CLASS_DOUBT_OPEN_FOUR, /* these and an open four */
    CLASS_COUNT
};

struct gomoku_tables {
    /* Kinds by the line's key: X's in the low four bits, O's in the high four. A key holds two bits a square (0
     * empty, 1 X, 2 O, 3 border), from the far end before the square to the far end behind it, without it. */
    uint8_t freestyle[1 << 16];
    uint8_t exact[1 << 20];
    uint8_t renju[1 << 20];
    uint8_t caro[1 << 20];
    uint8_t class_of[1 << 16];       /* of four kinds, four bits each */
    uint8_t class_of_black[1 << 16]; /* of X's in renju */
    uint16_t code[1 << 16];
    uint8_t kinds_of[GOMOKU_CODES][4]; /* sorted upwards */
};

/* Built on first use, with what the variant needs; the first call takes milliseconds, for others than freestyle tens of
 * them. */
const struct gomoku_tables *gomoku_tables(int variant);

#endif
