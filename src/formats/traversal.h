/* The traversal log of the Sneak-Raid course: one line a step of a textbook search, written as it happens. */
#ifndef SORTIE_FORMATS_TRAVERSAL_H
#define SORTIE_FORMATS_TRAVERSAL_H

#include <stdio.h>

#include "search/textbook.h"

struct traversal_log {
    FILE *stream;
    int size;    /* of the board, for the names of squares */
    bool bounds; /* alpha-beta: with the columns Alpha and Beta */
    struct textbook_visitor visitor;
};

/* Writes the header and sets up log->visitor for a search; the stream stays the caller's. */
void traversal_log_begin(struct traversal_log *log, FILE *stream, int size, bool bounds);

#endif
