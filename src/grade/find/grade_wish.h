/* What somebody has said about one submission: the teacher in overrides.csv, or its own folder in sortie.txt. */
#ifndef SORTIE_GRADE_FIND_GRADE_WISH_H
#define SORTIE_GRADE_FIND_GRADE_WISH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

struct grade_wish {
    char main[256];        /* the file that is the program, below the submission's folder */
    char python[256];      /* "2", "3.8", or the path of an interpreter */
    char command[512];     /* runs it */
    char build[512];       /* builds it */
    double seconds;        /* for a case; 0: as for everybody */
    uint64_t memory_bytes; /* likewise */
    bool excused;          /* not graded at all */
};

/* The file in which a submission may say how it is built and run. It comes from whoever handed it in, so it is believed
 * no more than a Makefile: limits and excuses in it are refused. */
#define GRADE_WISH_FILE "sortie.txt"

/* Reads lines of "name: value" (main, python, command, build), empty ones and comments (#) between them. */
enum status grade_wish_read(const char *bytes, size_t length, struct grade_wish *wish, struct error *error);

/* Whether it says something about how a submission is built and run. */
bool grade_wish_is_empty(const struct grade_wish *wish);
/* Whether the text names a version such as "2" or "3.8.10". */
bool grade_is_version(const char *text);

/* Which course the cases are of: programs are known by the files they read and write. */
enum grade_course {
    GRADE_COURSE_ANY,
    GRADE_COURSE_STAKE,
    GRADE_COURSE_SNEAK,
    GRADE_COURSE_LASER,
    GRADE_COURSE_GOMOKU,
    GRADE_COURSES
};

/* What the inside is told about a submission. */
struct grade_brief {
    enum grade_course course;
    struct grade_wish wish;
};

/* As bytes, and back; false when these are none. */
void grade_brief_write(const struct grade_brief *brief, struct text *out);
bool grade_brief_read(struct grade_brief *brief, const struct text *bytes);

#endif
