/* What is known of a position as the last line of a remark, so that any program that shows remarks shows it, and any
 * format that holds them brings it back:
 *
 *   A good shape.
 *   [sortie: X 61.9%, value 97, depth 14, nodes 123456, line I9 J8 K7, label good]
 *
 * Values are those of the side to move. What is proved also has `bounds 29987 30000`. */
#ifndef SORTIE_ANALYSIS_REMARK_H
#define SORTIE_ANALYSIS_REMARK_H

#include "analysis/analyses.h"

/* Appends a value as people read it: "61.9%", "wins in 4", "+3", and whether it is proved. */
void remark_add_value(const struct game *game, const struct game_position *position, const struct analysis_value *value,
                      struct text *text);

/* Appends remark and line; nothing when there is nothing to say. */
void remark_write(const struct game *game, const struct game_position *position, const struct analysis *analysis,
                  struct text *text);

/* What the last line of a remark says. */
struct remark {
    size_t length; /* of the remark without it */
    bool valued;
    struct analysis_value value; /* without its line */
    struct text line;            /* owned: moves with commas between them */
    struct text label;           /* owned */
};

/* Reads any text: one without such a line is all remark. remark_free in the end. */
void remark_read(struct remark *remark, const char *bytes, size_t length);
void remark_free(struct remark *remark);

#endif
