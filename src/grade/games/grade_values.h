/* What every move of a position is worth, as `values.txt` lists it: a move and a whole number a line, with or without a
 * colon between them. */
#ifndef SORTIE_GRADE_GAMES_GRADE_VALUES_H
#define SORTIE_GRADE_GAMES_GRADE_VALUES_H

#include "formats/course.h"

struct grade_value {
    game_move move;
    int value;
};

struct grade_values {
    struct grade_value *items; /* owned */
    int count;
    int best; /* the number of a best one */
    int worst;
};

/* Reads such a list; the messages name line and column. */
enum status grade_values_read(struct grade_values *values, const struct course_request *request, const char *bytes,
                              size_t length, struct error *error);
void grade_values_free(struct grade_values *values);
/* What is said of a move; NULL: nothing. */
const struct grade_value *grade_values_find(const struct grade_values *values, game_move move);
/* What a value earns where it counts in proportion: 1 the best, 0 the worst. */
double grade_values_share(const struct grade_values *values, int value);

#endif
