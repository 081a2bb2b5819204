/* Making an opening book longer, for `sortie book`. */
#ifndef SORTIE_CLI_BOOK_BOOK_EXTEND_H
#define SORTIE_CLI_BOOK_BOOK_EXTEND_H

#include "cli/cli.h"

struct book_extension {
    const char *file;            /* the book, made where there is none */
    struct search_limits search; /* of each position */
    struct searcher_options options;
    double seconds; /* of all of it; 0: no limit */
    int count;      /* of searches; 0: no limit */
    int openings;   /* even openings for swap2 there shall be; 0: those there are */
    bool stones;    /* all first stones shall be there */
    const char *import;
    int variant; /* of openings and stones */
    int size;
    int most_stones; /* of a position that is looked for */
    uint64_t seed;
};

/* Does it, with progress on a terminal and one line at the end; the exit status. */
int book_extend(const struct book_extension *extension);

/* Reads a book; prints what is wrong and returns the exit status, 0 when all is well. */
struct openings;
int book_read_file(const char *file, struct openings *book);

#endif
