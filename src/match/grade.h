/* Grading a class: every submitted program over a set of course inputs whose answers are known. */
#ifndef SORTIE_MATCH_GRADE_H
#define SORTIE_MATCH_GRADE_H

#include <stdatomic.h>

#include "formats/course.h"
#include "match/player.h"

enum grade_check { GRADE_MOVE, GRADE_BOARD, GRADE_LOG, GRADE_CHECKS };
extern const char *const grade_check_names[GRADE_CHECKS]; /* "move", "board", "log" */

enum grade_mark { GRADE_NOT_ASKED, GRADE_RIGHT, GRADE_WRONG };

/* A file the program must leave behind; the texts are owned by the case. */
struct grade_expected {
    const char *name;
    struct text text;
};

#define GRADE_MOST_FILES 4

struct grade_case {
    char *name; /* owned: its folder below the folder of cases */
    struct course_request request;
    struct text input;
    struct grade_expected expected[GRADE_MOST_FILES];
    int expected_count;
    struct text values; /* of every move, where several answers may be best: "row column value" a line */
};

struct grade_submission {
    char *name;    /* owned */
    char *command; /* owned; the words, each ended by a zero, then one more; NULL: no program was found */
    char *shown;   /* owned; the file or folder that was handed in, which is all the program sees */
};

struct grade_result {
    enum grade_mark marks[GRADE_CHECKS];
    enum player_fault fault; /* how it failed to answer at all */
    double wall_seconds;
    double cpu_seconds;
    char difference[320]; /* the first one; "" when all is right */
    char errors[320];     /* the beginning of its standard error */
};

struct grade {
    struct grade_case *cases; /* owned */
    int case_count;
    struct grade_submission *submissions; /* owned */
    int submission_count;
    struct grade_result *results; /* owned; [submission * case_count + case] */
};

struct grade_options {
    double seconds; /* wall time for a case */
    struct warden_limits limits;
    const char *const *reference; /* argv of the program that knows the answer where a case has none */
    const atomic_bool *stop;
    void (*progress)(void *user, const struct grade *grade, int submission, int case_number); /* may be NULL */
    void *user;
};

/* Reads the cases: every folder below (up to three levels) that holds an input.txt. The known answers beside it:
 * output.txt, next_state.txt, traverse_log.txt, trace_state.txt; for Laser Checkmate values.txt. A message
 * names the file. */
enum status grade_read_cases(struct grade *grade, const char *folder, struct error *error);
/* Reads the submissions: a program, or a folder with one. */
enum status grade_read_submissions(struct grade *grade, const char *folder, struct error *error);
/* Runs everything; the caller must have only one thread. */
enum status grade_run(struct grade *grade, const struct grade_options *options, struct error *error);
void grade_free(struct grade *grade);

bool grade_passed(const struct grade_result *result);

/* The result as one table: CSV a line a submission and case, HTML and text. */
void grade_csv(const struct grade *grade, struct text *out);
void grade_html(const struct grade *grade, struct text *out);
void grade_text(const struct grade *grade, struct text *out);

#endif
