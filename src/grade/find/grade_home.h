/* Running a program where it may be at home: in a copy of its own folder. A course's machine runs it where its files
 * lie, so it may read what was handed in with it (a calibration, weights) from the current folder, or look for the
 * input beside itself. Ours are two folders, and only one of them may be written to. */
#ifndef SORTIE_GRADE_FIND_GRADE_HOME_H
#define SORTIE_GRADE_FIND_GRADE_HOME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Adds the words, each ended by a zero, that run a command in such a copy. `folder` is where the submission begins
 * below the folder of builds, `file` the program below that. False when the command has nothing to do with either, or
 * is too long. */
bool grade_home_command(const char *command, size_t length, const char *folder, const char *file, struct text *words);

#endif
