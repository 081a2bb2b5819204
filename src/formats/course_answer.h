/* A program's answer to a course's file, judged: which move it stands for, or what is wrong with it. */
#ifndef SORTIE_FORMATS_COURSE_ANSWER_H
#define SORTIE_FORMATS_COURSE_ANSWER_H

#include "formats/course.h"

enum course_verdict {
    COURSE_RIGHT,
    COURSE_EMPTY,    /* nothing but blanks */
    COURSE_ILLEGAL,  /* an answer, but of no legal move */
    COURSE_NO_ANSWER /* not what the course asks for, or the move and its board do not fit */
};

/* Finds the move an answer stands for. Line ends and blanks at the ends of lines do not matter; everything else does.
 * The text of `detail` says what is wrong, "" when nothing is. */
enum course_verdict course_judge(const struct course_format *format, const struct game *game,
                                 const struct game_position *position, const char *bytes, size_t length,
                                 game_move *move, char *detail, size_t detail_size);

/* -- texts line by line -- */

struct course_line {
    const char *at;
    size_t length;
};

/* Takes the next line off a text, without its line end and blanks before it; false at the end. */
bool course_next_line(const char **at, const char *end, struct course_line *line);
/* The end of a text without the blank lines there. */
const char *course_trim(const char *bytes, size_t length);

/* Compares two texts line by line; 0 when they are the same, else the number of the first line that differs, with that
 * line of both (without blanks at its end) in *wanted and *found; NULL where it is missing. */
int course_first_difference(const char *wanted, size_t wanted_length, const char *found, size_t found_length,
                            struct course_line *wanted_line, struct course_line *found_line);

#endif
