/* Grading a class: every submitted program, built where it has to be, over a set of course inputs whose answers
 * are known. What is found out goes to a results file as soon as it is known, one row a case, so that an
 * interrupted grading goes on where it was; tables and pages are made from the whole at the end. */
#ifndef SORTIE_GRADE_GRADE_H
#define SORTIE_GRADE_GRADE_H

#include <stdatomic.h>
#include <stdint.h>

#include "crew/crew.h"
#include "formats/course.h"
#include "grade/find/grade_detect.h"
#include "grade/games/grade_facts.h"
#include "grade/games/grade_values.h"
#include "players/player.h"

enum grade_check { GRADE_MOVE, GRADE_BOARD, GRADE_LOG, GRADE_CHECKS };
extern const char *const grade_check_names[GRADE_CHECKS]; /* "move", "board", "log" */

enum grade_mark { GRADE_NOT_ASKED, GRADE_RIGHT, GRADE_WRONG, GRADE_MARKS };

/* A file the program must leave behind; the texts are owned by the case. */
struct grade_expected {
    const char *name;
    struct text text;
};

#define GRADE_MOST_FILES 4
extern const char *const grade_answer_files[GRADE_MOST_FILES];
/* A traversal log of a deep search is long; longer ones than this are not compared. */
#define GRADE_MOST_FILE_BYTES ((size_t)256 << 20)

/* Who sees a case: its input, its answer and what was wrong. The names are Gradescope's. */
enum grade_visibility { GRADE_VISIBLE, GRADE_HIDDEN, GRADE_AFTER_DUE_DATE, GRADE_AFTER_PUBLISHED, GRADE_VISIBILITIES };
extern const char *const grade_visibility_names[GRADE_VISIBILITIES];

/* Cases whose points belong together. */
struct grade_group {
    char name[64];
    double bonus;   /* earned by whoever passes all of its cases, on top of everything */
    double cap;     /* its cases earn no more */
    int bonus_line; /* of the table that says so; 0: none does */
    int cap_line;
};

struct grade_case {
    char *name; /* owned: where it lies below the folder of cases */
    struct course_request request;
    struct text input;
    struct grade_expected expected[GRADE_MOST_FILES];
    int expected_count;
    struct grade_values values;  /* of the moves, where the course leaves the move free; none: any legal one is right */
    struct grade_game *game;     /* owned; NULL: no game, but one run that is compared with the answers */
    uint64_t print;              /* of all its texts: another one is another case */
    double points;               /* what it is worth */
    double shares[GRADE_CHECKS]; /* weights of the parts; all 0: all or nothing */
    enum grade_visibility visibility;
    bool by_value; /* a move earns in proportion to its value, not only the best one */
    int group;     /* from 1; 0: none */
};

/* How a submission is made into something that can be run. */
struct grade_build {
    enum grade_build_state state;
    char file[256];        /* the program, below the submission's folder; "" when nothing was found */
    char how[160];         /* "make", "gcc, 3 files", "Python 3.11.2", ...; "" when nothing was found */
    char tool[64];         /* the compiler or interpreter with its version: "g++ 12.2.0"; "" when there is none */
    char why[400];         /* why this file, and this interpreter */
    char problem[400];     /* why it is not ready */
    struct text messages;  /* of the compiler */
    char missing_tool[32]; /* what this machine lacks for it; "" when it lacks nothing */
    char choices[1200];    /* of a question: the files that could be the program, a line each */
};

/* Whose form names, rosters and tables have. */
enum grade_platform { GRADE_NO_PLATFORM, GRADE_CANVAS, GRADE_MOODLE, GRADE_GRADESCOPE };

/* One file of several that a platform keeps side by side. */
struct grade_part {
    char *path; /* owned; absolute */
    char *name; /* owned; as the student called it */
    unsigned long long turn;
};

struct grade_submission {
    char *name; /* owned */
    char *path; /* owned; absolute */
    bool is_folder;
    struct grade_part *parts; /* owned; NULL: what lies at `path` is all of it, under its own name */
    int part_count;
    enum grade_platform platform; /* that gave its files their names */
    char id[24];        /* the student's number there, in Gradescope that of the submission; "" where none is known */
    struct text people; /* who handed it in, where the platform says it: "name\taddress\tnumber", a line each */
    uint64_t print;     /* of all its files and of the commands given for it */
    struct grade_wish wish; /* what the teacher has said about it */
    struct grade_build build;
    char unjudged[240]; /* why this machine could not judge it; "" where it could, or has not come to it */
    double late_days;
    bool late_marked; /* by the platform, without saying how late */
    bool late_said;   /* by the teacher: no platform knows better */
};

/* Enough for the boards of the courses, side by side, and the words about a line of a log. */
#define GRADE_MOST_EXPLANATION 2400

struct grade_result {
    bool done;
    enum grade_mark marks[GRADE_CHECKS];
    enum player_fault fault; /* how it failed to answer at all */
    double wall_seconds;
    double cpu_seconds;
    char difference[320]; /* the first one; "" when all is right */
    char errors[320];     /* the end of its standard error */
    /* What is wrong, explained, with the boards side by side: lines of clean text, as many as fit. */
    char explanation[GRADE_MOST_EXPLANATION];
    char *facts;  /* owned; of the games that were played, or the value of the one move; NULL: none */
    double share; /* what they earn, worked out from them */
};

struct grade {
    struct grade_case *cases; /* owned */
    int case_count;
    struct grade_group *groups; /* owned */
    int group_count;
    struct grade_submission *submissions; /* owned */
    int submission_count;
    struct grade_result *results; /* owned; [submission * case_count + case] */
    double late_penalty;          /* percent a day */
    int late_free;                /* days that cost nothing */
    bool begun;                   /* submissions were judged, or tried */
    struct text left_out;         /* what lies beside the submissions and is none, and why; a line each */
};

/* An interpreter that was named for a version of Python. */
#define GRADE_MOST_PYTHONS 4
struct grade_named_python {
    char version[16];
    char path[PATH_MAX];
};

/* How busy the machine was with other things, in milliseconds of all programs together. */
struct grade_load {
    atomic_uint_fast64_t starved_ms; /* they were ready and others had the processor */
    atomic_uint_fast64_t used_ms;    /* they used it */
};

struct grade_options {
    double seconds;          /* for a case */
    enum player_clock clock; /* PLAYER_CLOCK_NONE: as the case's course counts */
    double grace;            /* with CPU time: seconds beyond it that a program may do nothing before it is stopped */
    struct grade_load *load; /* filled while programs run; NULL: nobody asks */
    double build_seconds;
    struct warden_limits limits;
    int workers;                  /* without a crew */
    const struct crew_link *crew; /* other processes that build and judge; NULL: none */
    const char *build_command;    /* given by the teacher for every submission; NULL: found for each */
    const char *run_command;
    enum grade_course course; /* of the cases; grade_run finds it out itself */
    struct grade_named_python pythons[GRADE_MOST_PYTHONS];
    const char *const *secrets; /* paths no program may see, ended by NULL; NULL: none */
    const char *self;           /* this program: it unpacks, and it answers where a case has no answer */
    const atomic_bool *stop;
    /* Called from time to time while it runs, by one thread at a time; may be NULL. */
    void (*progress)(void *user, const struct grade *grade, int done, int total, const char *name);
    void *user;
};

/* Reads the cases below a folder (up to three levels): every folder that holds an input.txt, with the known answers
 * beside it (output.txt, next_state.txt, traverse_log.txt, trace_state.txt; for Laser Checkmate values.txt), and the
 * flat pairs courses hand out (0.in and 0.out; input_34.txt and next_state_34.txt). A message names the file. */
enum status grade_read_cases(struct grade *grade, const char *folder, struct error *error);
/* Adds a case that has this input and no answers. */
enum status grade_add_case(struct grade *grade, const char *name, const char *input, struct error *error);
/* Reads what was handed in: every program, source, archive or folder in a folder; or, with `single` or a path that
 * is no folder, just that one. The commands become part of what a submission is. */
enum status grade_read_submissions(struct grade *grade, const char *path, bool single,
                                   const struct grade_options *options, struct error *error);

/* Whether any case is a game. */
bool grade_has_games(const struct grade *grade);
/* The course all cases are of. */
enum grade_course grade_course_of(const struct grade *grade);

/* Reads the points of cases, and the late days of submissions, from tables; see docs/grading.md. The messages name
 * line and column. A name nobody has is given to `unknown`. */
enum status grade_read_points(struct grade *grade, const char *bytes, size_t length, struct error *error);
enum status grade_read_overrides(struct grade *grade, const char *bytes, size_t length,
                                 void (*unknown)(void *user, int line, const char *name), void *user,
                                 struct error *error);
enum status grade_read_late(struct grade *grade, const char *bytes, size_t length,
                            void (*unknown)(void *user, int line, const char *name), void *user, struct error *error);

/* Says what is different for a submission. It becomes part of what the submission is, so that it is judged again. */
void grade_override(struct grade_submission *submission, const struct grade_wish *wish);

struct grade_store;
/* Runs what the results file does not have yet, and fills grade->results with everything. The caller must have
 * only one thread. When asked to stop, what is done is there and STATUS_OK is returned.
 *
 * Whatever a submission causes is its own result. Where the machine fails (STATUS_FAIL, with the first cause), the
 * submission says so in `unjudged` and the others go on; grade->begun tells whether it came that far. */
enum status grade_run(struct grade *grade, const struct grade_options *options, struct grade_store *store,
                      struct error *error);
/* What a helper of the crew does, after it has read the same cases and submissions. */
enum status grade_help(struct grade *grade, const struct grade_options *options, struct error *error);
/* Forgets what grade_run has filled in, so that it can be called again. */
void grade_forget_results(struct grade *grade);
void grade_free(struct grade *grade);

/* Whether a submission has marks, or why it has none. */
enum grade_verdict {
    GRADE_JUDGED,
    GRADE_EXCUSED,  /* the teacher says so */
    GRADE_QUESTION, /* which is its program? Somebody must say it */
    GRADE_MACHINE,  /* this machine failed, or lacks what it needs: not the student's fault */
    GRADE_VERDICTS
};
enum grade_verdict grade_verdict(const struct grade_submission *submission);
extern const char *const grade_verdict_names[GRADE_VERDICTS]; /* "judged", "excused", "question", "machine" */
/* Why it has no marks; "" when it has. */
const char *grade_verdict_reason(const struct grade_submission *submission);

bool grade_passed(const struct grade_result *result);
/* What hangs on how a case earns points, worked out again from the facts of its games. */
void grade_weigh(const struct grade_case *one, struct grade_result *result);
/* Whether a text can be the facts of a case. */
bool grade_facts_well(const struct grade_case *one, const char *facts);
/* A copy of a result into another's place, which owns what it has; false when memory is short. */
bool grade_result_copy(struct grade_result *to, const struct grade_result *from);
void grade_result_free(struct grade_result *result);
/* Points of a result in a case. */
double grade_result_points(const struct grade_case *one, const struct grade_result *result);
/* Points of one case, and of a submission with what lateness takes off. */
double grade_points(const struct grade *grade, int submission, int case_number);
struct grade_total {
    double points; /* before lateness, bonuses included */
    double of;     /* without bonuses */
    double bonus;
    double penalty; /* percent */
    double final;
    int passed;
    int done;
    int right[GRADE_CHECKS];
    int asked[GRADE_CHECKS];
    int faults; /* cases without an answer */
    int games[GRADE_ENDS];
    double seconds;
    double slowest;
};
/* Whether a submission has passed all cases of a group (from 0), which has some. */
bool grade_earns_bonus(const struct grade *grade, int submission, int group);
/* Whether any group has a bonus; whether any case is hidden. */
bool grade_has_bonuses(const struct grade *grade);
bool grade_has_hidden(const struct grade *grade);
void grade_sum_up(const struct grade *grade, int submission, struct grade_total *total);

#endif
