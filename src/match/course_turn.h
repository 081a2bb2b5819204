/* A turn as a course's program sees it: the input file made from a position, and its answer judged. */
#ifndef SORTIE_MATCH_COURSE_TURN_H
#define SORTIE_MATCH_COURSE_TURN_H

#include "match/player.h"

/* How one course asks and what it takes for an answer. */
struct course_turn {
    const char *name;
    const char *game;
    int variant;             /* -1: any */
    const char *answer_file; /* what the program must write */
    bool input_argument;     /* called with "-i input.txt" */
    struct player_time time; /* the course's own clock, used when a match sets none */
    /* Appends the input file. `seconds`: the time the program is told it has; `task` and `depth` where a course
     * names them. */
    void (*ask)(const struct game_position *position, double seconds, int task, int depth, struct text *text);
    /* Appends the one right answer for a legal move from `before` to `after`. */
    void (*answer)(const struct game *game, const struct game_position *before, game_move move,
                   const struct game_position *after, struct text *text);
    /* Whether an answer that fits no legal move is at least of the right shape: an illegal move, not rubbish. */
    bool (*has_shape)(const char *bytes, size_t length, int size);
};

/* NULL when no course plays this game by files. */
const struct course_turn *course_turn_find(const struct game *game, int variant);

/* Finds the move an answer stands for. Line ends and blanks at the ends of lines do not matter; everything
 * else does. On a fault *fault and the text of `detail` say what is wrong. */
bool course_turn_judge(const struct course_turn *course, const struct game *game, const struct game_position *position,
                       const char *bytes, size_t length, game_move *move, enum player_fault *fault, char *detail,
                       size_t detail_size);

/* Compares two texts line by line as above; 0 when they are the same, else the number of the first line that
 * differs, with that line of both (without blanks at its end) in *wanted and *found; NULL where it is missing. */
struct course_line {
    const char *at;
    size_t length;
};
int course_first_difference(const char *wanted, size_t wanted_length, const char *found, size_t found_length,
                            struct course_line *wanted_line, struct course_line *found_line);

#endif
