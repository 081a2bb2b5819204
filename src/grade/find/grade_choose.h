/* Which of a submission's files is the program: every file that could be is given points for what it reads and writes,
 * its name, its place, and who uses whom. */
#ifndef SORTIE_GRADE_FIND_GRADE_CHOOSE_H
#define SORTIE_GRADE_FIND_GRADE_CHOOSE_H

#include "grade/find/grade_detect.h"

struct grade_choice {
    const struct grade_file *file;
    int points;
    char why[240];
};

/* A file this many points behind another is not meant. */
#define GRADE_CLEAR_POINTS 15

/* The files `accept` takes, likeliest first, at most `most`; returns how many there are. */
int grade_choose(const struct grade_files *files, enum grade_course course,
                 bool (*accept)(const struct grade_file *file), struct grade_choice *choices, int most);

/* Adds the paths of a Python program's own files, itself first, each ended by a zero. */
void grade_choose_modules(const struct grade_files *files, const struct grade_file *main, struct text *modules);

/* By its name alone: more points are likelier. */
int grade_name_points(const char *path);

#endif
