/* The form of a core: of a proof that a side wins at Gomoku only those of the hero's moves that a search of threats
 * does not find at once, in the order in which the proof needs them. docs/cores.md has the format, unfold.h what makes
 * the whole proof of it.
 *
 *     sortie core 1
 *     game ..  move ..  claim ..  and the rows, as in a certificate
 *     proof BYTES DIGEST     of the certificate that it stands for
 *     the body
 *     the digest of all that, as in a certificate
 *
 * The body says what comes next in the order of the proof: how many of the hero's nodes are won by threats (LEB128),
 * then a node that is not, its move: S before a square when all replies to it need an answer, as not even a pass of the
 * villain's loses to threats; and so on, a number last. Where the villain is to move in the head, the body begins with
 * S or S + 1 (there is such a win) for the head's own position. */
#ifndef SORTIE_PROVE_CORE_CORE_H
#define SORTIE_PROVE_CORE_CORE_H

#include "base/error.h"
#include "base/text.h"
#include "certificate/certificate.h"

enum { CORE_BARE, CORE_COVERED }; /* in the file: S + code */

/* What the lines at the beginning say. */
struct core_head {
    struct certificate_win win;
    uint64_t proof_bytes;
    uint64_t proof_digest;
};

/* A move of the hero's that has to be told. */
struct core_move {
    int square;
    bool bare; /* all replies need an answer */
};

/* -- reading: never beyond the end -- */

struct core_reader {
    struct certificate_reader bytes;
    int squares;
    uint64_t run; /* nodes won by threats before the next move that is told */
};

/* Reads the head of a core, which must be all of the bytes, and checks its digest; the reader then stands at the
 * body. */
enum status core_open(struct core_reader *reader, const char *bytes, size_t length, struct core_head *head,
                      struct error *error);

/* Begins with the body: whether all replies need an answer where the villain is to move in the head. False when the
 * body is none. */
bool core_begin(struct core_reader *reader, bool villain_moves, bool *bare);
/* Whether the next of the hero's nodes is won by threats; otherwise its move. False when the body is none. */
bool core_next(struct core_reader *reader, bool *by_threats, struct core_move *move);
/* Whether all was read. */
bool core_ends(const struct core_reader *reader);

/* -- writing -- */

struct core_writer {
    struct text body;
    int squares;
    uint64_t run;
    uint64_t moves; /* told so far */
};

void core_write_root(struct core_writer *writer, bool bare);
void core_write_threats(struct core_writer *writer);
void core_write_move(struct core_writer *writer, struct core_move move);
/* The whole core, appended to a text; `claim` is that of the certificate. */
void core_write(struct core_writer *writer, const struct certificate_claim *claim, uint64_t proof_bytes,
                uint64_t proof_digest, struct text *core);

#endif
