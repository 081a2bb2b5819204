/* A whole proof out of the hero's hard moves. What those leave out is searched again: wins by threats, by a search that
 * only the position decides, and which of the villain's replies break them. So the same moves make the same certificate
 * on every machine, and it is written as it is made, with no more in memory than one line of play and what was met.
 *
 * The moves come out of a core, or else from whoever knows them, and then they may be written down as a core. Nothing
 * here is to be trusted: the certificate is checked as any other. */
#ifndef SORTIE_PROVE_CORE_UNFOLD_H
#define SORTIE_PROVE_CORE_UNFOLD_H

#include <stdatomic.h>
#include <stdio.h>

#include "games/gomoku/rules/gomoku.h"
#include "prove/core/core.h"

/* Who knows the hero's moves. It follows the play, from the position of the head on. */
struct unfold_source {
    void (*play)(void *user, int square);
    void (*undo)(void *user);
    /* The hero's move here; NO_SQUARE when there is none to be had, and then the error is filled. */
    uint16_t (*move)(void *user, struct error *error);
    void *user;
};

struct unfold {
    const struct gomoku_position *position; /* not over */
    int hero;
    struct core_reader *reader;         /* the moves; NULL: from the source */
    const struct unfold_source *source; /* is followed by the play where there is one */
    struct core_writer *writer;         /* gets the moves; NULL: nobody does */
    struct text *records;               /* gets the positions whose moves are told, as in a store; NULL: nobody does */
    FILE *stream;                       /* gets the certificate; NULL: it is only counted */
    const atomic_bool *stop;            /* or NULL */
    /* Told now and then how much there is of the certificate; may be NULL. */
    void (*progress)(void *user, uint64_t bytes);
    void *user;
    /* What came of it. */
    uint64_t bytes; /* of the certificate */
    uint64_t digest;
    uint64_t moves;    /* of the hero's in it */
    uint64_t told;     /* of them by the core or the source */
    uint64_t searched; /* wins by threats that were searched for and found, and such that were found lately and fit */
    uint64_t adapted;
};

/* STATUS_BAD_INPUT when the moves make no proof. When it was stopped the error's text is empty. */
enum status unfold(struct unfold *unfold, struct error *error);

/* The position of a certificate's head, whose game must not be over. */
enum status unfold_load(const struct certificate_win *win, struct gomoku_position *position, struct error *error);

/* The claim of such a certificate; it borrows the board. */
struct certificate_claim unfold_claim(const struct gomoku_position *position, int hero);

/* The same for a core in memory: what is asked are the stream, the records, and whom to tell; the rest is the core's.
 * The certificate must be the one the core names. */
enum status unfold_core(const char *bytes, size_t length, struct unfold *unfold, struct error *error);

#endif
