/* The form of certificates, which the prover writes and the book reads. (verify.c has its own of all this, on purpose:
 * it believes nothing of ours.) docs/proofs.md has the format for whoever writes another program, docs/theory.md why
 * each rule is sound.
 *
 * A file is a head of text lines, the body, and the digest (CRC-64 of everything before it, 8 bytes, lowest first):
 *
 *     sortie proof 1
 *     game gomoku freestyle 15    or war stake, war sneak, laser standard; the size is at most 15
 *     move O                      the side to move: X or O, in Laser 1 or 2
 *     claim X wins 0              or: X holds 0, X margin 12; X is the hero, the other side the villain
 *     (war only: the rows of values, separated by blanks)
 *     the rows of the board: X, O and '.', in Laser 0, 1, 2 and 3
 *
 * The body is one node, that of the position in the head. S is the number of squares, a square is row * size + column.
 * Squares, codes (S and more) and counts are one byte each, numbers of names LEB128. Which side is to move at a node is
 * known from where it stands.
 *
 * Gomoku (the claims "wins" and "holds": the villain never makes five). Nodes where the hero is to move:
 *     square
 *         The hero plays it; unless this makes five, the villain's node follows.
 * Nodes where the villain is to move; in all of them the villain must have no square that makes five:
 *     WON
 *         The hero threatens five on two squares or more.
 *     FORCED
 *         The hero threatens five on one square: the villain plays there, and the hero's node follows.
 *     COVER 1 default n square1 .. squaren node1 .. noden
 *     COVER 0 n square1 .. squaren node1 .. noden
 *         The n listed replies (in increasing order) have a hero's node each; every other legal move is answered by the
 *         default, a hero's node for the board as it is, as if the villain had passed: it must be possible to play it
 *         through, step by step, with that stone on the board too. Without a default every legal move is listed.
 * Nodes of either:
 *     PAIRING n a1 b1 .. an bn
 *         "holds" only: disjoint pairs of empty squares; every five squares in a row without a stone of the hero's
 *         contain one of the pairs.
 *     REFER k
 *         Named node number k has the same side to move, and by one of the 8 symmetries at most the hero's stones and
 *         at least the villain's of this position.
 *     NAME node
 *         The node may be referred to once it is complete. Names are numbered from 0 in the order in which their nodes
 *         become complete.
 * Inside a default REFER answers hardly any stone, since the position with the stone must still be dominated.
 *
 * War board and Laser (the claim "margin b": the hero ends with at least b more). A square that can be raided is
 * raided. Nodes where the hero is to move: a square. Where the villain is to move: COVER and a hero's node for every
 * legal square, row by row. Either: NAME, REFER, and BOUND where the hero has his margin whatever happens, or the game
 * is over. */
#ifndef SORTIE_CERTIFICATE_CERTIFICATE_H
#define SORTIE_CERTIFICATE_CERTIFICATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CERTIFICATE_LEAST_SIZE 5 /* of a board of Gomoku */
#define CERTIFICATE_MOST_SIZE 15 /* so that squares and codes are bytes */
#define CERTIFICATE_MOST_SQUARES (CERTIFICATE_MOST_SIZE * CERTIFICATE_MOST_SIZE)
#define CERTIFICATE_MOST_HEAD 4096 /* bytes, the rows included */
#define CERTIFICATE_MOST_NUMBER 5  /* bytes of a name's number */
#define CERTIFICATE_DIGEST_BYTES 8

enum certificate_code {
    CERTIFICATE_WON,
    CERTIFICATE_FORCED,
    CERTIFICATE_COVER,
    CERTIFICATE_PAIRING,
    CERTIFICATE_REFER,
    CERTIFICATE_NAME,
    CERTIFICATE_BOUND
}; /* in the file: S + code */

enum certificate_kind { CERTIFICATE_WINS, CERTIFICATE_HOLDS, CERTIFICATE_MARGIN };

/* What a certificate says. */
struct certificate_claim {
    const char *game; /* "gomoku", "war", "laser" */
    const char *rule; /* "freestyle"; "stake", "sneak"; "standard" */
    int size;         /* at most CERTIFICATE_MOST_SIZE */
    int to_move;      /* 0 the first side, 1 the second */
    int hero;
    enum certificate_kind kind;
    int32_t margin;        /* CERTIFICATE_MARGIN only */
    const uint8_t *board;  /* size * size: 0 empty, 1 the first side's, 2 the second's, 3 a block */
    const int32_t *values; /* of the squares; war only, else NULL */
};

/* -- writing: each gives how many bytes it has put down -- */

size_t certificate_write_head(char bytes[CERTIFICATE_MOST_HEAD], const struct certificate_claim *claim);
size_t certificate_write_number(uint8_t bytes[CERTIFICATE_MOST_NUMBER], uint32_t number);
size_t certificate_write_digest(uint8_t bytes[CERTIFICATE_DIGEST_BYTES], uint64_t digest);

/* -- reading: never beyond the end, and what fails once has failed -- */

struct certificate_reader {
    const uint8_t *bytes; /* borrowed: one certificate or several */
    size_t length;
    size_t at;
    bool failed;
};

/* In line, for files of a gigabyte. 0 at the end of the bytes. */
static inline int certificate_read_byte(struct certificate_reader *reader) {
    if (reader->at >= reader->length) {
        reader->failed = true;
        return 0;
    }
    return reader->bytes[reader->at++];
}

/* The number of a name. */
static inline size_t certificate_read_number(struct certificate_reader *reader) {
    size_t number = 0;
    for (int shift = 0; shift < 7 * CERTIFICATE_MOST_NUMBER; shift += 7) {
        int byte = certificate_read_byte(reader);
        number |= (size_t)(byte & 127) << shift;
        if (byte < 128) {
            return number;
        }
    }
    reader->failed = true;
    return 0;
}

/* The head of a win at freestyle Gomoku. */
struct certificate_win {
    int size;
    int to_move; /* 0 the first side, 1 the second */
    int hero;
    uint8_t board[CERTIFICATE_MOST_SQUARES]; /* as in a claim */
};

/* False, and the reader has failed, when it is none. */
bool certificate_read_win(struct certificate_reader *reader, struct certificate_win *win);

/* The digest of all bytes from `begun` on, which must come next. */
bool certificate_read_digest(struct certificate_reader *reader, size_t begun);

#endif
