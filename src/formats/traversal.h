/* The traversal log of the Sneak-Raid course: one line a step of a textbook search, written as it happens. */
#ifndef SORTIE_FORMATS_TRAVERSAL_H
#define SORTIE_FORMATS_TRAVERSAL_H

#include <stddef.h>

#include "search/textbook.h"

/* Where the log goes, piece by piece. */
typedef void traversal_sink(void *user, const char *bytes, size_t length);

struct traversal_log {
    traversal_sink *sink;
    void *user;  /* of the sink */
    int size;    /* of the board, for the names of squares */
    bool bounds; /* alpha-beta: with the columns Alpha and Beta */
    struct textbook_visitor visitor;
    size_t length; /* bytes waiting */
    char waiting[1 << 16];
};

/* Writes the header and sets up log->visitor for a search. */
void traversal_log_begin(struct traversal_log *log, traversal_sink *sink, void *user, int size, bool bounds);
/* Hands over what is still waiting. */
void traversal_log_end(struct traversal_log *log);

#endif
