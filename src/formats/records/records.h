/* The formats that records of Gomoku games come in, by name. */
#ifndef SORTIE_FORMATS_RECORDS_RECORDS_H
#define SORTIE_FORMATS_RECORDS_RECORDS_H

#include "formats/records/gametree.h"

struct record_format {
    const char *name;  /* "sgf", which is also how the names of such files end */
    const char *title; /* "SGF" */
    unsigned holds;    /* of GAMETREE_SEVERAL and the others */
    bool sizeless;     /* does not say how large the board is */
    /* A cheap look at the first bytes. */
    bool (*sniff)(const char *bytes, size_t length);
    /* Reads all games of a file. `size`: of the board where the format does not say; 0: the usual one. On failure
     * nothing needs freeing. */
    enum status (*read)(struct gametrees *trees, const char *bytes, size_t length, int size, struct error *error);
    /* Appends one game; `usual` are the rules where none are said. STATUS_BAD_INPUT when the format cannot hold it. */
    enum status (*write)(const struct gametree *tree, int usual, struct text *text, struct error *error);
};

const struct record_format *const *record_formats(void); /* ended by NULL */
const struct record_format *record_format_find(const char *name);
/* The format the bytes look like, or NULL. */
const struct record_format *record_format_look(const char *bytes, size_t length);

/* Appends the words for what a game has and a format does not hold: "variations and comments". */
void record_add_losses(struct text *text, unsigned lost);

#endif
