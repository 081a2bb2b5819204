/* One line of a traversal log, also as students write it: read leniently, so that what is odd about it can be told. */
#ifndef SORTIE_EXPLAIN_LOG_LINE_H
#define SORTIE_EXPLAIN_LOG_LINE_H

#include "formats/course_answer.h"

/* A search cannot be deeper than the course's board has squares. */
#define LOG_MOST_LEVELS 32

enum log_field { LOG_VALUE, LOG_ALPHA, LOG_BETA, LOG_FIELDS };
extern const char *const log_field_names[LOG_FIELDS]; /* "value", "alpha", "beta" */

/* What may be odd about a line whose meaning is clear. */
enum { LOG_ODD_BLANKS = 1, LOG_ODD_FRACTION = 2, LOG_ODD_INFINITY = 4 };

struct log_line {
    bool readable;
    bool bounds;  /* alpha and beta are there */
    char node[8]; /* "root" or a square, in upper case */
    int depth;
    game_score numbers[LOG_FIELDS]; /* +-GAME_INFINITY for infinity */
    unsigned odd;
};

/* Reads one line; `readable` is false when it is none of a log. */
void log_line_read(struct course_line line, struct log_line *read);
/* Whether both say the same, however it is spelled. Huge numbers pass for infinity. */
bool log_line_means(const struct log_line *wanted, const struct log_line *found);
bool log_number_means(game_score wanted, game_score found);
/* Appends a number as the course spells it. */
void log_add_number(struct text *out, game_score number);

#endif
