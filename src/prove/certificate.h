/* Certificates: proofs written down so that a program which believes nothing can check them (verify.c; docs/proofs.md
 * has the format for whoever writes another one, docs/theory.md why each rule is sound). This is the writer: it puts
 * down what it is told, in order, and keeps only the digest and the number of names. Several certificates may follow
 * each other in one file.
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
#ifndef SORTIE_PROVE_CERTIFICATE_H
#define SORTIE_PROVE_CERTIFICATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CERTIFICATE_MOST_SIZE 15 /* so that squares and codes are bytes */

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

struct certificate {
    FILE *stream;
    uint64_t digest;
    uint64_t bytes; /* written so far */
    uint64_t moves; /* of the hero's, written so far */
    uint32_t names; /* complete named nodes */
    int squares;
};

/* Writes the head. The stream must be binary; whoever closes it finds out whether all was written. */
void certificate_begin(struct certificate *certificate, FILE *stream, const struct certificate_claim *claim);
/* Writes the digest, after the root node is complete. The stream stays open. */
void certificate_end(struct certificate *certificate);

/* The hero's move; unless it makes five the villain's node comes next. */
void certificate_move(struct certificate *certificate, int square);
/* Nodes of one code: WON, FORCED (the hero's node comes next) and BOUND. In the games of margins also COVER. */
void certificate_code(struct certificate *certificate, enum certificate_code code);
/* Gomoku: COVER. With a default write its node next; then certificate_replies, then a node for each reply. */
void certificate_cover(struct certificate *certificate, bool with_default);
void certificate_replies(struct certificate *certificate, const uint16_t *squares, int count);
/* 2 * count squares. */
void certificate_pairing(struct certificate *certificate, const uint16_t *squares, int count);
void certificate_refer(struct certificate *certificate, uint32_t name);
/* Write certificate_code(CERTIFICATE_NAME), the node, and then ask for its number. */
uint32_t certificate_named(struct certificate *certificate);

#endif
